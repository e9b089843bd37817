"""The README says what is there."""

import re
from pathlib import Path

import pytest

import eval_pipeline
from eval_pipeline.orchestration.assembly import build_definitions
from eval_pipeline.orchestration.describing import BEGIN, END, describe_assets

ROOT = Path(eval_pipeline.__file__).parents[1]


@pytest.fixture(scope="module")
def readme():
    """Text of the README."""
    return (ROOT / "README.md").read_text(encoding="utf-8")


def test_asset_table_is_the_graph(readme):
    """After a wanted change: `python -m eval_pipeline.orchestration.describing README.md`."""
    assert readme.count(BEGIN) == readme.count(END) == 1
    shown = readme.split(BEGIN)[1].split(END)[0].strip()
    assert shown == describe_assets(build_definitions()).strip()


def test_relative_links_lead_somewhere(readme):
    links = re.findall(r"\]\((?!https?://|#|mailto:)([^)#\s]+)", readme)
    assert [link for link in links if not (ROOT / link).exists()] == []
