"""What Dagster loads: the whole graph for the project folder that the environment names."""

from eval_pipeline.orchestration.assembly import build_definitions

defs = build_definitions()
