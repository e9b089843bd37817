import json
from datetime import UTC, datetime

import polars as pl
import pytest

from eval_pipeline.foundation.errors import LedgerDamaged
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.ledger import commits

VERDICT = TABLES["judging.verdict"]


def a_verdict(**changes):
    row = {
        "verdict_id": "v1", "verb": "answers", "question_id": "q", "unit_id": "u", "judge_id": "j", "outcome": "yes",
        "reason": "", "elapsed_s": 0.5, "decided_at_utc": datetime(2026, 1, 1, tzinfo=UTC),
    }  # fmt: skip
    return VERDICT.frame([row | changes])


def id_of(frame, **changes):
    arguments = {"asset": "a", "partition": None, "code_version": "1"} | changes
    return commits.commit_id_of({"judging.verdict": frame}, **arguments)


def test_id_covers_rows_asset_partition_and_code_but_no_times_or_costs():
    base = id_of(a_verdict())
    assert base == id_of(a_verdict(elapsed_s=9.0, decided_at_utc=datetime(2027, 1, 1, tzinfo=UTC), n_tokens=3))
    others = [id_of(a_verdict(outcome="no")), id_of(a_verdict(), asset="b"), id_of(a_verdict(), partition="00")]
    others.append(id_of(a_verdict(), code_version="2"))
    assert len({base, *others}) == 5


def test_id_ignores_row_order_and_empty_tables():
    both = pl.concat([a_verdict(), a_verdict(verdict_id="v2")])
    assert id_of(both) == id_of(both.reverse())
    empty = {"judging.verdict": both, "judging.judge": TABLES["judging.judge"].empty()}
    assert id_of(both) == commits.commit_id_of(empty, asset="a", partition=None, code_version="1")


def test_commit_is_written_whole_and_read_back(paths, write_pending):
    commit_id = write_pending(paths, {"b": "two", "a": "one"}, hour=5)
    (folder,) = commits.list_pending(paths)
    header = commits.read_header(folder)
    assert folder.name == commit_id == header.commit_id
    assert header.made_at_utc == datetime(2026, 1, 30, 7, 0, tzinfo=UTC)
    assert header.n_rows == {"corpus.layer_text": 2}
    assert commits.read_tables(folder, header)["corpus.layer_text"].rows() == [("a", "one"), ("b", "two")]
    assert list((paths.commits / "writing").iterdir()) == []


def test_same_rows_make_the_same_bytes(tmp_path, paths, write_pending):
    other = type(paths)(home=tmp_path / "other")
    write_pending(paths, {"a": "1", "b": "2"})
    write_pending(other, {"b": "2", "a": "1"})
    (one,), (two,) = commits.list_pending(paths), commits.list_pending(other)
    assert {path.name: path.read_bytes() for path in one.iterdir()} == {
        path.name: path.read_bytes() for path in two.iterdir()
    }


def test_flipped_byte_is_named(paths, write_pending):
    write_pending(paths, {"a": "1"})
    (folder,) = commits.list_pending(paths)
    path = folder / "corpus.layer_text.parquet"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(LedgerDamaged, match=r"corpus\.layer_text\.parquet does not hold the bytes"):
        commits.read_tables(folder, commits.read_header(folder))


def test_missing_table_is_named(paths, write_pending):
    write_pending(paths, {"a": "1"})
    (folder,) = commits.list_pending(paths)
    (folder / "corpus.layer_text.parquet").unlink()
    with pytest.raises(LedgerDamaged, match=r"corpus\.layer_text\.parquet is missing"):
        commits.read_tables(folder, commits.read_header(folder))


@pytest.mark.parametrize("content", [None, "no json", "[]", "{}", json.dumps({"format": 99}), '{"format": 1}'])
def test_header_that_cannot_be_read_is_named(paths, write_pending, content):
    write_pending(paths, {"a": "1"})
    (folder,) = commits.list_pending(paths)
    (folder / "header.json").unlink()
    if content is not None:
        (folder / "header.json").write_text(content, encoding="utf-8")
    with pytest.raises(LedgerDamaged, match=folder.name):
        commits.read_header(folder)


def test_nothing_is_left_when_writing_fails(paths, write_pending, monkeypatch):
    def fail(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(commits, "spell_header", fail)
    with pytest.raises(OSError, match="No space"):
        write_pending(paths, {"a": "1"})
    assert commits.list_pending(paths) == []
    assert list((paths.commits / "writing").iterdir()) == []


def test_applied_commits_lie_in_the_month_in_which_they_were_made(paths, write_pending):
    commit_id = write_pending(paths, {"a": "1"}, hour=24 * 2)
    (folder,) = commits.list_pending(paths)
    place = commits.file_as_applied(paths, folder, commits.read_header(folder))
    assert place == paths.commits / "applied" / "2026-02" / commit_id
    assert commits.list_applied(paths) == [place]


@pytest.mark.parametrize("hours", [(3, 1), (1, 3)])
def test_of_two_copies_the_one_made_earlier_is_kept(paths, write_pending, hours):
    for hour in hours:
        write_pending(paths, {"a": "1"}, hour=hour)
        (folder,) = commits.list_pending(paths)
        commits.file_as_applied(paths, folder, commits.read_header(folder))
    (kept,) = commits.list_applied(paths)
    assert commits.read_header(kept).dagster_run_id == "run-1"
    assert commits.list_pending(paths) == []


def test_setting_aside_never_overwrites(paths, write_pending):
    for _ in range(2):
        write_pending(paths, {"a": "1"})
        commits.set_aside(paths, commits.list_pending(paths)[0])
    assert len(list((paths.commits / "set_aside").iterdir())) == 2
