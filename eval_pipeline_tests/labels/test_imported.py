from datetime import datetime

import polars as pl

from eval_pipeline.labels.imported import labels_from_imports

QUESTIONS = pl.DataFrame(
    {
        "question_id": ["one", "several", "written", "none", "ticket"],
        "origin": ["import", "import", "written", "import", "ticket"],
        "writer": ["q.jsonl", "q.jsonl", "rules/1", "q.jsonl", "T-7"],
        "relation": ["evidence"] * 5,
    }
)
GOLD = pl.DataFrame(
    {
        "question_id": ["one", "several", "several", "written", "ticket"],
        "position": [1, 1, 2, 1, 1],
        "unit_id": ["a", "b", "c", "d", "e"],
    }
)


def test_one_gold_unit_is_sufficient_several_are_jointly_so(now: datetime) -> None:
    output = labels_from_imports(gold=GOLD, questions=QUESTIONS, now=now)
    rows = output.tables["labels.label"].sort("question_id", "unit_id")
    assert rows.select("question_id", "unit_id", "grade", "author_kind", "author").rows() == [
        ("one", "a", "sufficient", "import", "q.jsonl"),
        ("several", "b", "supporting", "import", "q.jsonl"),
        ("several", "c", "supporting", "import", "q.jsonl"),
        ("ticket", "e", "sufficient", "ticket", "T-7"),
    ]
    joint = output.tables["labels.joint_set"]
    assert joint.select("question_id", "unit_id", "author_kind").rows() == [
        ("several", "b", "import"),
        ("several", "c", "import"),
    ]
    assert joint["joint_set_id"].n_unique() == 1


def test_the_order_of_rows_changes_nothing(now: datetime) -> None:
    one = labels_from_imports(gold=GOLD, questions=QUESTIONS, now=now)
    other = labels_from_imports(gold=GOLD.reverse(), questions=QUESTIONS.reverse(), now=now)
    for name, frame in one.tables.items():
        assert frame.equals(other.tables[name])


def test_nothing_imported(now: datetime) -> None:
    output = labels_from_imports(gold=GOLD, questions=QUESTIONS.clear(), now=now)
    assert output.n_rows == 0
    assert output.summary == {"labels": 0, "joint sets": 0}
