from collections.abc import Callable

import polars as pl
import pytest

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.runs.exporting import ExportedArenas, export_arenas

QUESTIONS = pl.DataFrame({"question_id": ["q2", "q1"], "text": ["two?", "one?"], "gold": ["a", "a"]})
ARENAS = pl.DataFrame(
    [
        ("q1", "random", "a"),
        ("q1", "siblings", "a"),
        ("q1", "siblings", "b"),
        ("q1", "random", "d"),
        ("q1", "siblings", "secret"),
    ],
    schema=["question_id", "arena", "unit_id"],
    orient="row",
)


@pytest.fixture
def export(make_units: Callable[..., pl.DataFrame]) -> Callable[..., ExportedArenas]:
    units = make_units("a", "b", "d", "secret", page_number=[1, 2, 1, 1], declared_id=["pa", "pb", None, "ps"])

    def make(**settings: object) -> ExportedArenas:
        chosen = {"style": "path#page", **settings}
        visible = frozenset({"a", "b", "d"})
        return export_arenas(questions=QUESTIONS, arenas=ARENAS, units=units, visible=visible, **chosen)  # type: ignore[arg-type]

    return make


def test_every_pair_once_and_nothing_tells_gold(export: Callable[..., ExportedArenas]) -> None:
    found = export()
    assert found.questions.rows() == [("q1", "one?"), ("q2", "two?")]
    assert found.candidates.columns == ["question_id", "unit"]
    assert found.candidates.rows() == [
        ("q1", "corpus/a.pdf#1"),
        ("q1", "corpus/b.pdf#2"),
        ("q1", "corpus/d.pdf#1"),
    ]


def test_what_the_asker_may_not_see_is_not_there(export: Callable[..., ExportedArenas]) -> None:
    found = export(page_base=0)
    assert found.units.rows() == [
        ("corpus/a.pdf#0", "corpus/a.pdf", 1),
        ("corpus/b.pdf#1", "corpus/b.pdf", 2),
        ("corpus/d.pdf#0", "corpus/d.pdf", 1),
    ]


def test_a_page_without_a_name_is_told(export: Callable[..., ExportedArenas]) -> None:
    with pytest.raises(InputError, match=r"1 pages have no declared_id of their own, first corpus/d.pdf p. 1"):
        export(style="declared_id")
