"""One assembly: loads bare, fresh each time, takes overrides, every asset says what one row is."""

import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest

import eval_pipeline
from eval_pipeline.foundation.config import ScheduleConfig
from eval_pipeline.orchestration.assembly import build_definitions
from eval_pipeline.orchestration.describing import ROAD, first_paragraph
from eval_pipeline.orchestration.resources import Project

ROOT = Path(eval_pipeline.__file__).parents[1]
HEAVY = ("torch", "torchvision", "open_clip", "faiss", "pypdfium2", "reportlab")

PROBE = f"""
import sys, warnings
warnings.simplefilter("ignore")
import eval_pipeline.definitions as loaded
names = sorted(key.to_user_string() for key in loaded.defs.resolve_asset_graph().get_all_asset_keys())
heavy = [name for name in {HEAVY!r} if name in sys.modules]
sys.stdout.write(str((len(names), "documents" in names, heavy)))
"""


def test_definitions_load_from_a_bare_checkout_without_heavy_imports(tmp_path):
    env = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    told = subprocess.run(
        [sys.executable, "-c", PROBE], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert told.stdout == "(17, True, [])", told.stderr
    assert list(tmp_path.glob("**/*.duckdb")) == []


def test_definitions_can_be_loaded_by_dagster(definitions):
    dg.Definitions.validate_loadable(definitions)


def test_every_asset_says_what_it_makes_and_its_grain(definitions):
    for node in definitions.resolve_asset_graph().asset_nodes:
        told = first_paragraph(node.description)
        assert told.endswith("."), node.key
        assert any(word in told for word in ("One row per", "One observation per", "One .npy", "One file")), node.key


def test_every_asset_stands_in_a_stage_and_has_a_code_version(definitions):
    for node in definitions.resolve_asset_graph().asset_nodes:
        assert node.group_name in ROAD, node.key
        assert node.code_version or not node.is_executable, node.key


def test_every_check_is_blocking_and_says_what_it_asks(definitions):
    graph = definitions.resolve_asset_graph()
    assert len(graph.asset_check_keys) == 5
    for key in graph.asset_check_keys:
        spec = graph.get_check_spec(key)
        assert spec.blocking, key
        assert spec.description, key


def test_definitions_are_fresh_each_time_and_take_overrides(tmp_path):
    other = Project(home=str(tmp_path))
    made = build_definitions(overrides={"project": other})
    assert made.resources["project"] is other
    assert build_definitions() is not made


@pytest.mark.parametrize(("cron", "expected"), [("30 4 * * *", "30 4 * * *"), (None, ScheduleConfig().cron)])
def test_schedule_is_the_one_that_the_project_declares(tmp_path, twelve_declaration, cron, expected, monkeypatch):
    monkeypatch.delenv("EVAL_PIPELINE_HOME", raising=False)
    monkeypatch.chdir(tmp_path)
    home = None
    if cron:
        home = tmp_path
        lines = [line for line in twelve_declaration.splitlines() if not line.startswith("schedule:")]
        (home / "eval.yaml").write_text("\n".join([*lines, f'schedule: {{cron: "{cron}", timezone: UTC}}', ""]))
    (schedule,) = build_definitions(home=home).schedules
    assert schedule.cron_schedule == expected
