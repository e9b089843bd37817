"""A written question of the main set rests on a page that answers it."""

import polars as pl
import pytest

from eval_pipeline.questions.completeness import main_without_answering_gold


def found(*rows: tuple[str, str, str | None, str, bool]) -> list[tuple[str, str]]:
    """Rows are (id, origin, slice, outcome, gold abstained)."""
    schema = {"question_id": pl.String, "slice": pl.String, "outcome": pl.String, "gold_abstained": pl.Boolean}
    posed = pl.DataFrame([(row[0], row[2], row[3], row[4]) for row in rows], schema=schema, orient="row")
    questions = pl.DataFrame([row[:2] for row in rows], schema=["question_id", "origin"], orient="row")
    bad = main_without_answering_gold(posed=posed.with_columns(reason=pl.lit("why")), questions=questions)
    assert bad.columns == ["question_id", "outcome", "reason"]
    return bad.select("question_id", "outcome").rows()


@pytest.mark.parametrize("origin", ["written", "qualified"])
@pytest.mark.parametrize(
    ("outcome", "abstained", "is_bad"),
    [
        ("well_posed", False, False),
        ("answerable", False, False),
        ("answerable", True, True),
        ("gold_fails", False, True),
        ("no_gold", False, True),
    ],
)
def test_gold_must_answer_in_the_main_set(origin: str, outcome: str, abstained: bool, is_bad: bool) -> None:
    assert found(("q", origin, "main", outcome, abstained)) == ([("q", outcome)] if is_bad else [])


@pytest.mark.parametrize("slice_", [None, "under-specified", "regression"])
def test_other_slices_are_not_asked(slice_: str | None) -> None:
    assert found(("q", "written", slice_, "gold_fails", False)) == []


@pytest.mark.parametrize("origin", ["import", "ticket"])
def test_people_s_questions_keep_their_place(origin: str) -> None:
    assert found(("q", origin, "main", "gold_fails", True)) == []


def test_rows_come_by_question_id() -> None:
    bad = found(("b", "written", "main", "no_gold", False), ("a", "written", "main", "gold_fails", False))
    assert bad == [("a", "gold_fails"), ("b", "no_gold")]
