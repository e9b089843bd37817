import os
import shutil
import time

import pytest

from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.ledger import commits
from eval_pipeline.ledger.connection import session
from eval_pipeline.ledger.doctor import UNFINISHED_AFTER_S, examine, repair
from eval_pipeline.ledger.opening import open_ledger


@pytest.fixture
def sound(paths, record_texts, write_pending):
    """A sound ledger of three commits; under one key two of them brought other content."""
    with session(paths) as opened:
        record_texts(opened, {"a": "late", "b": "1"}, hour=2)
    write_pending(paths, {"a": "early"}, hour=1)
    with session(paths) as opened:
        record_texts(opened, {"c": "1"}, hour=3)
    return paths


def kinds(paths):
    return [finding.kind for finding in examine(paths)]


def change(paths, statement):
    con = open_ledger(paths.ledger).con
    con.execute(statement)
    con.close()


def test_nothing_is_wrong_with_a_sound_or_an_empty_project(sound, tmp_path):
    assert examine(sound) == []
    assert repair(sound) == []
    assert examine(type(sound)(home=tmp_path / "empty")) == []


FUTURE_HEADER = b"\0" * 8 + b"DUCK" + (99999).to_bytes(8, "little") + b"\0" * 99
FAULTS = {
    "ledger missing": lambda paths: paths.ledger.unlink(),
    "ledger damaged": lambda paths: paths.ledger.write_bytes(b"x" * 5000),
    "ledger version": lambda paths: paths.ledger.write_bytes(FUTURE_HEADER),
    "commit lost": lambda paths: change(paths, 'DELETE FROM record."commit" WHERE dagster_run_id = \'run-3\''),
    "row lost": lambda paths: change(paths, "DELETE FROM corpus.layer_text WHERE text_hash = 'c'"),
    "row without commit": lambda paths: change(
        paths, "INSERT INTO corpus.layer_text VALUES ('z', '', TIMESTAMPTZ '2026-01-01 00:00:00+00', 'commit_none')"
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", FAULTS)
def test_fault_of_the_file_is_found_and_mended_from_the_commits(sound, read_texts, kind):
    FAULTS[kind](sound)
    assert kind in kinds(sound)
    assert kind in {finding.kind for finding in repair(sound)}
    assert kinds(sound) == []
    assert read_texts(sound) == {"a": "early", "b": "1", "c": "1"}


def test_other_schema_in_the_file_is_found_and_mended(sound):
    change(sound, "UPDATE record.schema_version SET version = 9 WHERE table_name = 'corpus.unit'")
    assert kinds(sound) == ["ledger version"]
    repair(sound)
    assert kinds(sound) == []


def test_waiting_commit_is_found_and_applied(sound, write_pending):
    write_pending(sound, {"w": "1"}, hour=8)
    assert kinds(sound) == ["commit waits"]
    repair(sound)
    assert kinds(sound) == []


def folder_of(paths, run):
    return next(folder for folder in commits.list_applied(paths) if commits.read_header(folder).dagster_run_id == run)


def test_damaged_commit_is_written_again_from_the_ledger(sound):
    folder = folder_of(sound, "run-3")
    header = commits.read_header(folder)
    (folder / "corpus.layer_text.parquet").write_bytes(b"x")
    assert kinds(sound) == ["commit damaged"]
    repair(sound)
    assert kinds(sound) == []
    assert commits.read_header(folder_of(sound, "run-3")) == header
    assert [path.name for path in (sound.commits / "set_aside").iterdir()] == [folder.name]


def test_vanished_commit_is_written_again_from_the_ledger(sound):
    shutil.rmtree(folder_of(sound, "run-3"))
    assert kinds(sound) == ["commit gone"]
    repair(sound)
    assert kinds(sound) == []


def test_commit_that_cannot_be_proved_stays_a_finding(sound):
    shutil.rmtree(folder_of(sound, "run-2"))  # one of its rows is hidden by an earlier commit
    repair(sound)
    assert kinds(sound) == ["commit gone"]


def test_damaged_commit_and_missing_ledger_leave_the_rest_standing(sound, read_texts):
    folder = folder_of(sound, "run-3")
    (folder / "header.json").write_text("{}", encoding="utf-8")
    sound.ledger.unlink()
    assert kinds(sound) == ["commit damaged", "ledger missing"]
    repair(sound)
    assert read_texts(sound) == {"a": "early", "b": "1"}


def test_commit_of_a_newer_version_is_named(sound, write_pending):
    folder = folder_of(sound, "run-3")
    header = (folder / "header.json").read_text(encoding="utf-8")
    newer = header.replace('"corpus.layer_text":1}}', '"corpus.layer_text":7}}')
    assert newer != header
    (folder / "header.json").write_text(newer, encoding="utf-8")
    (finding,) = examine(sound)
    assert (finding.kind, finding.is_repairable) == ("commit version", False)
    assert "written at version 7" in finding.message


def test_unfinished_commit_is_removed_only_when_it_is_old(sound):
    part = sound.commits / "writing" / "commit_x-1"
    part.mkdir(parents=True)
    assert kinds(sound) == []
    old = time.time() - UNFINISHED_AFTER_S - 60
    os.utime(part, (old, old))
    assert kinds(sound) == ["commit unfinished"]
    repair(sound)
    assert not part.exists()


def test_log_that_was_set_aside_is_mentioned(sound):
    (sound.home / "ledger.duckdb.wal.aside-1").write_bytes(b"x")
    (finding,) = examine(sound)
    assert (finding.kind, finding.is_repairable) == ("log set aside", False)
    repair(sound)
    assert (sound.home / "ledger.duckdb.wal.aside-1").exists()


def test_missing_pictures_and_vectors_are_named_by_path(sound):
    unit = {
        "unit_id": "u", "document_id": "d", "locator": "page=1", "page_number": 1, "picture_hash": "p",
        "text_hash": "t", "picture_path": "derived/pictures/pp/p.webp", "width_px": 1, "height_px": 1, "dpi": None,
        "notes": "[]",
    }  # fmt: skip
    file = {"vector_file_id": "f", "encoder_id": "e", "path": "derived/vectors/f.npy", "n_rows": 1, "dim": 1}
    tables = {
        "corpus.unit": TABLES["corpus.unit"].frame([unit]),
        "embeddings.vector_file": TABLES["embeddings.vector_file"].frame([file]),
    }
    with session(sound) as opened:
        opened.record(
            output=StageOutput(tables=tables), asset="a", partition=None, code_version="1", dagster_run_id=None,
            made_at=commits.read_header(folder_of(sound, "run-3")).made_at_utc,
        )  # fmt: skip
    found = [(finding.kind, finding.place) for finding in examine(sound)]
    assert found == [("picture missing", unit["picture_path"]), ("vector file missing", file["path"])]
    (sound.home / "derived/vectors").mkdir(parents=True)
    (sound.home / file["path"]).touch()
    assert kinds(sound) == ["picture missing"]
