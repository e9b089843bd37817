"""The command line: `eval-pipeline`, the same as `python -m eval_pipeline`.

Belongs here: arguments, printing, exit codes. Does not belong here: anything a program would want to call.
"""

from eval_pipeline.cli.app import main

__all__ = ["main"]
