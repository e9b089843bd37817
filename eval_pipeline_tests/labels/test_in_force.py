from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.labels.in_force import label_snapshot_id, labels_in_force
from eval_pipeline.labels.rows import Judgment, to_label_rows

Make = Callable[..., Judgment]


def decide(
    *judgments: Judgment, judge_name: str = "text", judge_id: str | None = None
) -> tuple[str | None, str] | None:
    found = labels_in_force(labels=to_label_rows(judgments), judge_name=judge_name, judge_id=judge_id)
    return None if found.is_empty() else found.select("grade", "state").row(0)


@pytest.fixture
def model(judge: Make) -> Callable[..., Judgment]:
    def make(grade: str, judge_id: str = "jdg_1", author: str = "text") -> Judgment:
        return judge(grade, author, author_kind="judge", judge_id=judge_id)

    return make


def test_a_person_comes_before_a_ticket_and_a_ticket_before_the_judge(judge: Make, model: Make) -> None:
    pre, given_ = model("irrelevant"), judge("supporting", "questions.csv", author_kind="import")
    person = judge("sufficient")
    assert decide(pre) == ("irrelevant", "pre-label")
    assert decide(pre, given_) == ("supporting", "given")
    assert decide(given_, person, pre) == ("sufficient", "adjudicated")


@pytest.mark.parametrize("kind", ["human", "developer", "generator-truth"])
def test_every_kind_of_person_adjudicates(judge: Make, model: Make, kind: str) -> None:
    assert decide(model("irrelevant"), judge("sufficient", author_kind=kind)) == ("sufficient", "adjudicated")


def test_only_the_judge_that_the_contract_names_counts(model: Make) -> None:
    other = model("sufficient", author="vlm")
    assert decide(other) is None
    assert decide(other, model("irrelevant")) == ("irrelevant", "pre-label")
    assert decide(other, model("irrelevant"), judge_name="vlm") == ("sufficient", "pre-label")


def test_versions_of_the_judge_that_differ_are_contested_until_one_is_named(model: Make) -> None:
    old, new = model("sufficient", "jdg_1"), model("supporting", "jdg_2")
    assert decide(old, new) == (None, "contested")
    assert decide(old, new, judge_id="jdg_2") == ("supporting", "pre-label")


def test_persons_who_disagree_make_a_pair_contested_until_a_third_decides(judge: Make, model: Make) -> None:
    ann, ben = judge("sufficient", "ann"), judge("irrelevant", "ben")
    assert decide(ann, ben, model("sufficient")) == (None, "contested")
    assert decide(ann, ben, judge("irrelevant", "cat")) == ("irrelevant", "adjudicated")
    assert decide(ann, ben, judge("supporting", "cat")) == (None, "contested")
    assert decide(ann, ben, judge("irrelevant", "cat"), judge("sufficient", "dan")) == (None, "contested")


def test_the_row_that_none_replaces_counts(judge: Make) -> None:
    first = judge("sufficient")
    second = judge("supporting", replaces_label_id=first.label_id)
    third = judge("sufficient", replaces_label_id=second.label_id)
    assert decide(first, second) == ("supporting", "adjudicated")
    assert decide(first, second, third) == ("sufficient", "adjudicated")


def test_a_retraction_takes_the_voice_away_and_the_rows_remain(judge: Make, model: Make) -> None:
    first = judge("sufficient")
    undone = judge(None, replaces_label_id=first.label_id)
    assert decide(first, undone) is None
    assert decide(first, undone, model("irrelevant")) == ("irrelevant", "pre-label")
    assert decide(first, undone, judge("supporting", "ben")) == ("supporting", "adjudicated")
    assert to_label_rows([first, undone]).height == 2


def test_an_author_with_two_standing_opinions_is_no_decision(judge: Make) -> None:
    assert decide(judge("sufficient"), judge("irrelevant")) == (None, "contested")
    assert decide(judge("sufficient"), judge("irrelevant"), judge("sufficient", "ben")) == ("sufficient", "adjudicated")


def test_pairs_and_relations_are_apart(judge: Make) -> None:
    rows = [judge("sufficient"), judge("irrelevant", relation="semantic"), judge("supporting", unit_id="w")]
    found = labels_in_force(labels=to_label_rows(rows), judge_name="text")
    assert found.select("unit_id", "relation", "grade").rows() == [
        ("u", "evidence", "sufficient"),
        ("u", "semantic", "irrelevant"),
        ("w", "evidence", "supporting"),
    ]


def test_the_label_that_stands_for_several_has_the_grade_in_force(judge: Make) -> None:
    rows = [judge("sufficient", "ann"), judge("irrelevant", "ben"), judge("irrelevant", "cat")]
    row = labels_in_force(labels=to_label_rows(rows), judge_name="text").row(0, named=True)
    assert row["label_id"] == min(rows[1].label_id, rows[2].label_id)
    assert row["author"] in ("ben", "cat")


def test_no_labels_no_rows() -> None:
    found = labels_in_force(labels=to_label_rows([]), judge_name="text")
    assert found.columns == [
        "question_id",
        "unit_id",
        "relation",
        "grade",
        "label_id",
        "author_kind",
        "author",
        "state",
    ]
    assert label_snapshot_id(found) == label_snapshot_id(found.clone())


GRADES = st.sampled_from(["sufficient", "supporting", "irrelevant"])
AUTHORS = st.sampled_from(
    [
        ("human", "ann"),
        ("human", "ben"),
        ("developer", "ann"),
        ("import", "file.csv"),
        ("ticket", "T-1"),
        ("judge", "text"),
    ]
)


@st.composite
def histories(draw: st.DrawFn) -> list[Judgment]:
    """Decisions in time; some replace or take back an earlier one of the same author and pair."""
    rows: list[Judgment] = []
    for _ in range(draw(st.integers(0, 10))):
        kind, author = draw(AUTHORS)
        unit = draw(st.sampled_from(["u", "w"]))
        own = [row for row in rows if (row.author_kind, row.author, row.unit_id) == (kind, author, unit)]
        before = draw(st.sampled_from([None, *own]))
        grade = draw(GRADES) if before is None else draw(st.one_of(st.none(), GRADES))
        rows.append(
            Judgment(
                question_id="q",
                unit_id=unit,
                relation="evidence",
                grade=grade,
                author_kind=kind,
                author=author,
                judge_id="jdg" if kind == "judge" else None,
                replaces_label_id=before.label_id if before else None,
                decided_at_utc=datetime(2025, 1, 1, tzinfo=UTC),
            )
        )
    return rows


def slow_oracle(rows: Sequence[Judgment]) -> dict[str, str | None]:
    """The grade in force per unit, said a second time and slowly."""
    replaced = {row.replaces_label_id for row in rows}
    decided: dict[str, str | None] = {}
    for unit in {row.unit_id for row in rows}:
        standing = {row.label_id: row for row in rows if row.unit_id == unit and row.label_id not in replaced}
        voices = [row for row in standing.values() if row.grade is not None]
        for kinds in ({"human", "developer", "generator-truth"}, {"ticket", "import"}, {"judge"}):
            level = [row for row in voices if row.author_kind in kinds]
            if level:
                held = {row.grade: {(r.author_kind, r.author) for r in level if r.grade == row.grade} for row in level}
                best = [grade for grade, who in held.items() if all(len(who) >= len(w) for w in held.values())]
                is_decided = len(held) == 1 or (len(best) == 1 and len(held[best[0]]) >= 2)
                decided[unit] = best[0] if is_decided else None
                break
    return decided


@settings(deadline=None)
@given(rows=histories(), data=st.data())
def test_in_force_does_not_depend_on_insertion_and_agrees_with_the_oracle(
    rows: list[Judgment], data: st.DataObject
) -> None:
    labels = to_label_rows(rows)
    found = labels_in_force(labels=labels, judge_name="text")
    order = data.draw(st.permutations(list(range(labels.height))))
    turned = labels_in_force(labels=labels[order] if order else labels, judge_name="text")
    assert found.equals(turned)
    assert label_snapshot_id(found) == label_snapshot_id(turned)
    assert dict(found.select("unit_id", "grade").iter_rows()) == slow_oracle(rows)
    assert found.select((pl.col("grade").is_null() == (pl.col("state") == "contested")).all()).item()


@settings(deadline=None)
@given(rows=histories().filter(bool))
def test_labels_are_append_only_and_a_new_decision_touches_its_own_pair_only(rows: list[Judgment]) -> None:
    before, after = to_label_rows(rows[:-1]), to_label_rows(rows)
    assert before.join(after, on="label_id", how="anti").is_empty()
    others = pl.col("unit_id") != rows[-1].unit_id
    was, now_is = (labels_in_force(labels=labels, judge_name="text").filter(others) for labels in (before, after))
    assert was.equals(now_is)


def test_the_snapshot_changes_with_what_is_in_force_only(judge: Make, model: Make) -> None:
    def snapshot(*rows: Judgment) -> str:
        return label_snapshot_id(labels_in_force(labels=to_label_rows(rows), judge_name="text"))

    person = judge("sufficient")
    assert snapshot(person) == snapshot(person, model("irrelevant"))
    assert snapshot(person) != snapshot(person, judge("irrelevant", "ben"))
    assert snapshot(person) != snapshot(judge("supporting"))
