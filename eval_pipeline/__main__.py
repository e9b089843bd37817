"""`python -m eval_pipeline`."""

from eval_pipeline.cli import main

if __name__ == "__main__":
    main()
