import shutil

import pytest

from eval_pipeline.foundation.errors import LedgerDamaged
from eval_pipeline.ledger import commits
from eval_pipeline.ledger.connection import session
from eval_pipeline.ledger.opening import connect, log_of, open_ledger
from eval_pipeline.ledger.rebuilding import compare, rebuild, rewrite_commit
from eval_pipeline.ledger.tally import read_tally


@pytest.fixture
def filled(paths, record_texts, write_pending):
    """Three commits, two of which bring the same key with other content."""
    with session(paths) as opened:
        record_texts(opened, {"a": "second", "b": "1"}, hour=2)
    write_pending(paths, {"a": "first"}, hour=1)
    with session(paths) as opened:
        record_texts(opened, {"c": "1"}, hour=3)
    return paths


def test_deleted_ledger_is_rebuilt_equal(filled, tmp_path):
    before = tmp_path / "before.duckdb"
    shutil.copyfile(filled.ledger, before)
    filled.ledger.unlink()
    rebuilt = rebuild(filled)
    assert (rebuilt.n_commits, rebuilt.backup) == (3, None)
    assert compare(before, filled.ledger) == []
    with session(filled) as opened:
        assert opened.mended == ()
        assert dict(opened.table("corpus.layer_text").iter_rows()) == {"a": "first", "b": "1", "c": "1"}
        assert opened.read("corpus/units_in_force").height == 0, "views work in the file under its new name"


def test_old_file_and_its_log_are_kept_beside_the_new_one(crashed):
    data, log = crashed.ledger.read_bytes(), log_of(crashed.ledger).read_bytes()
    rebuilt = rebuild(crashed)
    assert rebuilt.backup is not None
    assert rebuilt.backup.name == "ledger.duckdb.before-1"
    assert rebuilt.backup.read_bytes() == data
    assert (crashed.home / "ledger.duckdb.wal.before-1").read_bytes() == log
    assert not log_of(crashed.ledger).exists()
    assert rebuild(crashed).backup.name == "ledger.duckdb.before-2"


def test_pending_commits_take_part_and_are_moved(filled, write_pending):
    write_pending(filled, {"p": "1"}, hour=7)
    assert rebuild(filled).n_commits == 4 == read_tally(filled)
    assert commits.list_pending(filled) == []
    with session(filled) as opened:
        assert opened.table("corpus.layer_text").height == 4


def test_damaged_commit_leaves_the_old_file_in_place(filled):
    folder = commits.list_applied(filled)[0]
    (folder / "header.json").write_text("{}", encoding="utf-8")
    data = filled.ledger.read_bytes()
    with pytest.raises(LedgerDamaged, match=folder.name):
        rebuild(filled)
    assert filled.ledger.read_bytes() == data
    assert not list(filled.home.glob("*.before-*"))


def test_compare_names_what_differs(filled, tmp_path):
    copy = tmp_path / "copy.duckdb"
    shutil.copyfile(filled.ledger, copy)
    con = open_ledger(copy).con
    con.execute("UPDATE corpus.layer_text SET made_at_utc = made_at_utc + INTERVAL 1 DAY WHERE text_hash = 'a'")
    con.close()
    assert compare(filled.ledger, copy, with_witnesses=False) == []
    (line,) = compare(filled.ledger, copy)
    assert line.startswith("corpus.layer_text: 1 rows differ, first: {'text_hash': 'a', 'text': 'first'")
    con = open_ledger(copy).con
    con.execute("DELETE FROM corpus.layer_text WHERE text_hash = 'a'")
    con.close()
    assert compare(filled.ledger, copy) == ["corpus.layer_text: 3 rows here, 2 there"]


def test_commit_is_written_again_only_where_its_hash_proves_it(filled):
    whole = next(
        folder for folder in commits.list_applied(filled) if commits.read_header(folder).dagster_run_id == "run-3"
    )
    hidden = next(
        folder for folder in commits.list_applied(filled) if commits.read_header(folder).dagster_run_id == "run-2"
    )
    header = commits.read_header(whole)
    for folder in (whole, hidden):
        shutil.rmtree(folder)
    con = connect(filled.ledger, read_only=True)
    assert rewrite_commit(con, filled, whole.name) == whole
    assert rewrite_commit(con, filled, hidden.name) is None
    assert rewrite_commit(con, filled, "commit_unknown") is None
    con.close()
    assert commits.read_header(whole) == header
