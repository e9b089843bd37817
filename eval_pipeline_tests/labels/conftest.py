"""Label rows by hand."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from eval_pipeline.labels.rows import Judgment

NOW = datetime(2025, 1, 1, tzinfo=UTC)


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def judge() -> Callable[..., Judgment]:
    """A judgment of the pair (q, u) by a person, with changes."""

    def make(grade: str | None, author: str = "ann", **changes: object) -> Judgment:
        usual: dict[str, object] = {
            "question_id": "q",
            "unit_id": "u",
            "relation": "evidence",
            "grade": grade,
            "author_kind": "human",
            "author": author,
            "decided_at_utc": NOW,
        }
        return Judgment(**{**usual, **changes})  # type: ignore[arg-type]

    return make
