"""Judges, pages and pairs for tests of what is asked over a network; nobody sleeps."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from PIL import Image

from eval_pipeline.foundation.protocols import PageContent
from eval_pipeline.judging.asking import PAIR_COLUMNS
from eval_pipeline.judging.endpoint import Endpoint
from eval_pipeline.judging.vlm import VlmJudge, VlmSettings
from eval_pipeline_tests.scripted_endpoint import ScriptedEndpoint

NOW = datetime(2026, 1, 5, tzinfo=UTC)
Reader = Callable[[Sequence[str]], dict[str, PageContent]]


@pytest.fixture
def naps() -> list[float]:
    """Seconds that a judge of `make_judge` would have slept."""
    return []


@pytest.fixture
def make_judge(endpoint: ScriptedEndpoint, naps: list[float]) -> Callable[..., VlmJudge]:
    """A judge that asks the scripted endpoint and reads text only, unless told otherwise."""

    def make(**settings: Any) -> VlmJudge:
        declared = {"base_url": endpoint.base_url, "model": "m", "sees": ["text"], "timeout_s": 5.0, **settings}
        checked = VlmSettings.model_validate(declared)
        asked = Endpoint(checked, path="eval.yaml", key="judges.vlm", sleep=naps.append)
        return VlmJudge(checked, endpoint=asked)

    return make


def a_page(unit_id: str = "u1", text: str = "Revenue 5", **more: Any) -> PageContent:
    return PageContent(unit_id=unit_id, text=text, **{"text_quality": "good", **more})


def texts_of(texts: dict[str, str]) -> Reader:
    """Reads pages of given texts."""
    return lambda unit_ids: {unit_id: a_page(unit_id, texts[unit_id]) for unit_id in unit_ids}


def pairs_of(names: Sequence[str]) -> pl.DataFrame:
    """Pairs from names such as `q1|p2`; the question of q1 is `What of q1?`."""
    rows = []
    for name in names:
        question, unit = name.split("|")
        rows.append((question, f"What of {question}?", unit, f"picture-{unit}", f"text-{unit}"))
    return pl.DataFrame(rows, schema=dict.fromkeys(PAIR_COLUMNS, pl.String), orient="row")


def draw_picture(path: Path, width: int, height: int) -> Path:
    Image.new("RGB", (width, height), "white").save(path, "PNG")
    return path
