import polars as pl
import pytest

from eval_pipeline.labels.exchange import csv_files, label_studio
from eval_pipeline.labels.exchange.exporting import ExportGround, rows_of_labels, rows_to_label, write_export
from eval_pipeline.labels.exchange.taking import take_labels
from eval_pipeline.labels.in_force import labels_in_force
from eval_pipeline.labels.rows import to_label_rows

READERS = {"csv": csv_files.read_csv_labels, "label-studio": label_studio.read_tasks}


def test_pairs_to_label_have_no_grade_and_hide_the_model(ground):
    pairs = pl.DataFrame({"question_id": ["q", "q"], "unit_id": ["unit_u", "unit_gone"], "queue": ["audit", "audit"]})
    rows = rows_to_label(pairs, ground)
    assert [(row.unit_id, row.grade, row.reviewer, row.is_blind, row.model_answers) for row in rows] == [
        ("unit_u", "", "", True, {})
    ]


def test_labels_of_people_are_told_and_those_of_machines_are_not(ground, judge):
    first = judge("sufficient", "ann", unit_id="unit_u")
    rows = to_label_rows(
        [
            first,
            judge("irrelevant", "ann", unit_id="unit_u", replaces_label_id=first.label_id),
            judge("sufficient", "text", unit_id="unit_u", author_kind="judge", judge_id="jdg"),
            judge("sufficient", "demo generator", unit_id="unit_u", author_kind="generator-truth"),
            judge("supporting", "dev", unit_id="unit_v", author_kind="developer", is_blind=False),
        ]
    )
    told = rows_of_labels(rows, {("q", "unit_u"): "audit"}, ground)
    assert [(row.reviewer, row.author_kind, row.grade, row.queue, row.is_blind) for row in told] == [
        ("ann", "human", "irrelevant", "audit", True),
        ("dev", "developer", "supporting", "", False),
    ]


@pytest.mark.parametrize("kind", ["csv", "label-studio"])
def test_round_trip_gives_the_same_labels_in_force_and_twice_adds_nothing(kind, ground, judge, later, tmp_path):
    given = to_label_rows(
        [
            judge("sufficient", "ann", unit_id="unit_u", decided_at_utc=later, reason="-3 % stands there"),
            judge("irrelevant", "Ben Ö, jr.", unit_id="unit_u", decided_at_utc=later),
            judge("supporting", "dev", unit_id="unit_v", author_kind="developer", is_blind=False, decided_at_utc=later),
        ]
    )
    path = write_export(folder=tmp_path / "out", rows=rows_of_labels(given, {}, ground), kind=kind)
    assert sorted(one.name for one in (tmp_path / "out" / "pictures").iterdir()) == ["unit_u.webp", "unit_v.webp"]
    known = {"relation_of": {"q": "evidence"}, "unit_ids": {"unit_u", "unit_v"}, "author_kind": "human", "now": later}
    read = READERS[kind](path, name=path.name)
    back = take_labels(read, existing=to_label_rows([]), **known)
    assert back.tables["corpus.quarantine"].is_empty()
    assert back.tables["labels.label"].equals(given)
    in_force = labels_in_force(labels=back.tables["labels.label"], judge_name="text")
    assert dict(in_force.select("unit_id", "state").iter_rows()) == {"unit_u": "contested", "unit_v": "adjudicated"}
    assert take_labels(read, existing=given, **known).n_rows == 0


def test_same_rows_same_bytes(ground, tmp_path):
    pairs = pl.DataFrame({"question_id": ["q"], "unit_id": ["unit_u"], "queue": ["audit"]})
    for kind in ("csv", "label-studio"):
        made = [
            write_export(folder=tmp_path / name, rows=rows_to_label(pairs, ground), kind=kind).read_bytes()
            for name in ("one", "two")
        ]
        assert made[0] == made[1]
    assert (tmp_path / "one" / "label-studio.xml").is_file()


def test_with_the_models_answers_the_rows_say_that_they_are_not_blind(ground, tmp_path):
    shown = ExportGround(
        questions=ground.questions,
        pages=ground.pages,
        answers={("q", "unit_u"): {"text": "supporting"}},
        is_blind=False,
    )
    pairs = pl.DataFrame({"question_id": ["q"], "unit_id": ["unit_u"], "queue": ["audit"]})
    (row,) = rows_to_label(pairs, shown)
    assert (row.is_blind, dict(row.model_answers)) == (False, {"text": "supporting"})
