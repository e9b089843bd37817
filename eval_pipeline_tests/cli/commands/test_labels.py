import csv
import json
import shutil
from datetime import UTC, datetime

import polars as pl
import pytest

from eval_pipeline.cli.commands.labels import export_labels, import_labels
from eval_pipeline.foundation.errors import TableError
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.labels.in_force import labels_in_force
from eval_pipeline.labels.rows import Judgment
from eval_pipeline.ledger.connection import session


def labels_of(paths, **columns):
    with session(paths) as ledger:
        wanted = [pl.col(name) == value for name, value in columns.items()]
        return ledger.table("labels.label").filter(*wanted)


def fill(path, grades, **columns):
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row, grade in zip(rows, grades, strict=False):
        row.update(grade=grade, reviewer="ann", **columns)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return rows


@pytest.mark.road
def test_out_filled_in_and_back(copy_road, call, tmp_path):
    paths = copy_road()
    done = call("labels", "export", str(tmp_path / "out"), "--queue", "audit", home=paths.home)
    assert done.returncode == 0, done.stderr
    file = tmp_path / "out" / "labels.csv"
    rows = fill(file, ["sufficient", "supporting", "good"])
    assert set(rows[0]) >= {"question", "text", "picture", "blind"}
    assert (tmp_path / "out" / rows[0]["picture"]).is_file()
    assert {row["queue"] for row in rows} == {"audit"}
    assert not [name for name in rows[0] if name.startswith("model:")]
    taken = call("labels", "import", str(file), home=paths.home)
    assert taken.returncode == 0, taken.stderr
    assert "new labels 2" in taken.stdout
    assert "labels.csv, line " in taken.stderr
    assert "unknown grade: 'good'" in taken.stderr
    again = json.loads(call("labels", "import", str(file), "--json", home=paths.home).stdout)
    assert (again["new labels"], again["known already"], again["refused"]) == (0, 2, 1)
    given = labels_of(paths, author="ann")
    assert given.select("author_kind", "is_blind").unique().rows() == [("human", True)]
    with session(paths) as ledger:
        refused = ledger.table("corpus.quarantine").filter(pl.col("reason") == "unknown grade")
    assert refused.height == 1


@pytest.mark.road
@pytest.mark.parametrize("kind", ["csv", "label-studio"])
def test_round_trip_into_another_copy_gives_the_same_labels_in_force(kind, copy_road, road_home, tmp_path):
    paths = copy_road()
    with session(paths) as ledger:
        pairs = ledger.table("labels.candidate").select("question_id", "unit_id").unique().sort(pl.all()).head(6)
    made = [
        Judgment(
            question_id=question_id,
            unit_id=unit_id,
            relation="evidence",
            grade=("sufficient", "irrelevant")[number % 2],
            author_kind="human",
            author=author,
            decided_at_utc=datetime(2025, 1, 1, number, tzinfo=UTC),
        )
        for number, (question_id, unit_id) in enumerate(pairs.iter_rows())
        for author in ("ann", "ben")
    ]
    given = tmp_path / "given.csv"
    head = "question_id,unit_id,grade,reviewer,blind,decided_at\n"
    lines = [
        f"{one.question_id},{one.unit_id},{one.grade},{one.author},true,{one.decided_at_utc.isoformat()}"
        for one in made
    ]
    given.write_text(head + "\n".join(lines) + "\n")
    import_labels(paths, file=given, author_kind="human")
    told = {"queue": "all", "decided": True, "with_model": False, "clearance": None, "groups": []}
    file, n_rows = export_labels(home=paths.home, folder=tmp_path / "out", kind=kind, **told)
    assert n_rows == len(made)
    other = ProjectPaths(home=tmp_path / "other" / "twelve")
    shutil.copytree(road_home, other.home)
    taken = import_labels(other, file=file, author_kind="human")
    assert (taken.summary["new labels"], taken.summary["refused"]) == (len(made), 0)
    in_force = [labels_in_force(labels=labels_of(one), judge_name="text") for one in (paths, other)]
    assert in_force[0].equals(in_force[1])
    assert import_labels(other, file=file, author_kind="human").n_rows == 0


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(TableError, match=r"gone\.csv is not there"):
        import_labels(ProjectPaths(home=tmp_path), file=tmp_path / "gone.csv", author_kind="human")
