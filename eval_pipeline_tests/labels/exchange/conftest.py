"""Two pages, one question, and rows of files by hand."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PIL import Image

from eval_pipeline.labels.exchange.exporting import ExportGround
from eval_pipeline.labels.exchange.rows import InRow, OutRow


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "stored" / "pic_0.webp"
    path.parent.mkdir()
    Image.new("RGB", (8, 12), "white").save(path)
    return path


@pytest.fixture
def out_row(picture: Path) -> Callable[..., OutRow]:
    """A pair to label, with changes."""

    def make(**changes: object) -> OutRow:
        usual = {
            "question_id": "q",
            "question": "What was revenue, in Q1?",
            "relation": "evidence",
            "unit_id": "unit_u",
            "source": "a.pdf p. 1",
            "picture": picture,
            "text": 'Revenue\n1,946 "reported"',
            "queue": "audit",
            "model_answers": {},
        }
        return OutRow(**{**usual, **changes})  # type: ignore[arg-type]

    return make


@pytest.fixture
def in_row() -> Callable[..., InRow]:
    """What a file says, with changes."""

    def make(**changes: str) -> InRow:
        usual = {
            "place": "line 2",
            "question_id": "q",
            "unit_id": "unit_u",
            "grade": "sufficient",
            "reviewer": "ann",
            "blind": "true",
        }
        return InRow(**{**usual, **changes})

    return make


@pytest.fixture
def ground(picture: Path) -> ExportGround:
    return ExportGround(
        questions={"q": ("What was revenue?", "evidence")},
        pages={unit_id: (f"{unit_id}.pdf p. 1", picture, "text") for unit_id in ("unit_u", "unit_v")},
        answers={},
        is_blind=True,
    )


@pytest.fixture
def later() -> datetime:
    return datetime(2025, 2, 1, 10, 30, 0, 123456, tzinfo=UTC)
