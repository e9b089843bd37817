import json
from xml.etree import ElementTree

import pytest

from eval_pipeline.foundation.errors import TableError
from eval_pipeline.foundation.tables.labels import GRADES
from eval_pipeline.labels.exchange.label_studio import INTERFACE, read_tasks, write_tasks


def read(tmp_path, content):
    path = tmp_path / "tasks.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return read_tasks(path, name="tasks.json")


def task(*annotations, **data):
    return {"data": {"question_id": "q", "unit_id": "u", "blind": True, **data}, "annotations": list(annotations)}


def choice(*grades, **more):
    result = [{"from_name": "grade", "type": "choices", "value": {"choices": list(grades)}}]
    return {"completed_by": 7, "result": result, "was_cancelled": False, **more}


def test_what_is_written_comes_back_with_two_reviewers_on_one_task(out_row, tmp_path, later):
    rows = [
        out_row(grade="sufficient", reviewer="ann", author_kind="human", reason="line 3", decided_at=later.isoformat()),
        out_row(grade="irrelevant", reviewer="ben", author_kind="developer", is_blind=False),
        out_row(unit_id="unit_v"),
    ]
    written = json.loads(write_tasks(rows))
    assert [len(one["annotations"]) for one in written] == [2, 0]
    assert written[0]["data"]["picture"] == "/data/local-files/?d=pictures/unit_u.webp"
    assert "predictions" not in written[0]
    back = read(tmp_path, write_tasks(rows))
    assert [(row.grade, row.reviewer, row.author_kind, row.reason, row.blind) for row in back.rows] == [
        ("sufficient", "ann", "human", "line 3", "true"),
        ("irrelevant", "ben", "developer", "", "false"),
    ]
    assert back.rows[0].decided_at == later.isoformat()
    assert back.rows[0].place == "task 1, annotation 1"


def test_the_models_answers_are_predictions_only_where_they_are_shown(out_row):
    written = json.loads(write_tasks([out_row(is_blind=False, model_answers={"text": "supporting", "vlm": "abstain"})]))
    assert [one["model_version"] for one in written[0]["predictions"]] == ["text"]
    assert written[0]["data"]["blind"] is False


def test_an_export_of_label_studio_is_read(tmp_path):
    who = {"id": 3, "email": "ann@example.org"}
    note = {"from_name": "reason", "type": "textarea", "value": {"text": ["because", "of it"]}}
    full = choice("supporting", completed_by=who, updated_at="2025-03-01T10:00:00.123456Z")
    full["result"].append(note)
    back = read(tmp_path, [{"id": 1, "project": 2, **task(full, choice("irrelevant"))}])
    assert [(row.reviewer, row.grade, row.reason) for row in back.rows] == [
        ("ann@example.org", "supporting", "because\nof it"),
        ("7", "irrelevant", ""),
    ]
    assert back.rows[0].decided_at == "2025-03-01T10:00:00.123456Z"


def test_cancelled_annotations_say_nothing_and_undecided_ones_are_empty(tmp_path):
    back = read(tmp_path, [task(choice("sufficient", was_cancelled=True), choice())])
    assert [(row.place, row.grade) for row in back.rows] == [("task 1, annotation 2", "")]


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ([3], "task 1"),
        ([{"question_id": "q", "grade": "sufficient"}], "task 1"),
        ([task("x")], "task 1, annotation 1"),
        ([task({"result": None})], "task 1, annotation 1"),
        ([task(choice("sufficient", "irrelevant"))], "task 1, annotation 1"),
    ],
)
def test_what_is_no_task_is_refused_by_place_and_the_rest_goes_on(content, place, tmp_path):
    back = read(tmp_path, [*content, task(choice("sufficient"))])
    assert [(one.place, one.reason) for one in back.refused] == [(place, "unreadable row")]
    assert [row.place for row in back.rows] == ["task 2, annotation 1"]


@pytest.mark.parametrize("content", [b"{", b"\xff", b'{"a": 1}'])
def test_what_is_no_list_of_tasks_is_refused_as_a_whole(content, tmp_path):
    with pytest.raises(TableError, match=r"tasks\.json"):
        read(tmp_path, content)


def test_the_interface_offers_the_grades_under_the_names_that_are_read():
    root = ElementTree.fromstring(INTERFACE)
    assert [one.attrib["value"] for one in root.iter("Choice")] == list(GRADES)
    assert [one.attrib["name"] for one in root.iter("Choices")] == ["grade"]
