"""Dagster's own storage for a project: inside the project folder, telemetry off, dead runs noticed."""

import os
from pathlib import Path

import dagster as dg

from eval_pipeline.foundation.files import write_atomically
from eval_pipeline.foundation.settings import ProjectPaths, Settings
from eval_pipeline.ledger.locking import hold_lock

DAGSTER_YAML = """\
# Written by eval-pipeline; edit freely, it is only made where it is missing.
telemetry:
  enabled: false
nux:
  enabled: false
run_monitoring:
  enabled: true
  free_slots_after_run_end_seconds: 60
run_retries:
  enabled: true
  max_retries: 1
concurrency:
  pools:
    default_limit: 1
"""


def prepare_dagster_home(paths: ProjectPaths) -> Path:
    """Make `dagster_home/` with its settings where they are missing, and point Dagster at it."""
    settings = paths.dagster_home / "dagster.yaml"
    if not settings.exists():
        write_atomically(settings, DAGSTER_YAML.encode())
    os.environ["DAGSTER_HOME"] = str(paths.dagster_home)
    os.environ["EVAL_PIPELINE_HOME"] = str(paths.home)
    return paths.dagster_home


def open_instance(paths: ProjectPaths) -> dg.DagsterInstance:
    """The project's Dagster instance; use it as a context manager.

    Its storage is touched under a lock of its own: two first runs at once would both make the same tables.
    """
    place = prepare_dagster_home(paths)
    with hold_lock(place / ".making.lock", wait_s=Settings().ledger_wait_s):
        instance = dg.DagsterInstance.from_config(str(place))
        instance.get_runs_count()
        instance.get_latest_materialization_event(dg.AssetKey("documents"))
        instance.all_instigator_state()
    return instance
