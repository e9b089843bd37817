import pytest

from eval_pipeline.foundation.errors import LedgerDamaged
from eval_pipeline.ledger import commits
from eval_pipeline.ledger.connection import session
from eval_pipeline.ledger.mending import mend_losses
from eval_pipeline.ledger.opening import log_of, open_ledger
from eval_pipeline.ledger.tally import count_commits, read_tally


@pytest.fixture
def three_commits(paths, record_texts):
    with session(paths) as opened:
        for number in range(3):
            record_texts(opened, {str(number): "x"}, hour=number)
    return paths


def _forget(paths, n_left):
    """Take commits out of the file, as an older copy of it would have them."""
    con = open_ledger(paths.ledger).con
    con.execute(
        f'DELETE FROM record."commit" WHERE commit_id NOT IN (FROM record."commit" SELECT commit_id LIMIT {n_left})'
    )
    con.execute('DELETE FROM corpus.layer_text WHERE commit_id NOT IN (SELECT commit_id FROM record."commit")')
    con.close()


def test_tally_tells_a_file_that_lost_commits(three_commits, read_texts):
    assert read_tally(three_commits) == 3
    _forget(three_commits, 1)
    with session(three_commits) as opened:
        assert len(opened.mended) == 2
    assert set(read_texts(three_commits)) == {"0", "1", "2"}
    with session(three_commits) as opened:
        assert opened.mended == ()


def test_nothing_is_compared_while_the_tally_agrees(three_commits, monkeypatch):
    def fail(paths):
        raise AssertionError(paths)

    monkeypatch.setattr(commits, "list_applied", fail)
    con = open_ledger(three_commits.ledger).con
    assert mend_losses(con, three_commits, is_suspect=False) == []
    con.close()


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"n_commits": null}'])
def test_damaged_tally_costs_a_comparison_and_is_written_anew(three_commits, read_texts, content):
    (three_commits.commits / "tally.json").write_text(content, encoding="utf-8")
    assert read_tally(three_commits) == -1
    assert len(read_texts(three_commits)) == 3
    assert read_tally(three_commits) == 3


def test_lost_commit_that_cannot_be_read_stops_with_its_name(three_commits):
    _forget(three_commits, 0)
    folder = commits.list_applied(three_commits)[0]
    (folder / "corpus.layer_text.parquet").write_bytes(b"x")
    with pytest.raises(LedgerDamaged, match=folder.name), session(three_commits):
        pass


def _cut_log(paths, tenths):
    log = log_of(paths.ledger)
    left = log.read_bytes()[: log.stat().st_size * tenths // 10]
    log.write_bytes(left)
    return left


def test_store_02_log_cut_to_60_percent(crashed, read_texts):
    """STO-02: what was acknowledged and lost with the log is found by name and applied again; the log is kept."""
    left = _cut_log(crashed, 6)
    con = open_ledger(crashed.ledger).con
    n_survived = count_commits(con)
    con.close()
    (kept,) = crashed.home.glob("ledger.duckdb.wal.aside-*")
    assert kept.read_bytes() == left
    assert n_survived < 6, "the cut took something"
    with session(crashed) as opened:
        assert len(opened.mended) == 6 - n_survived
    assert len(read_texts(crashed)) == 300


@pytest.mark.parametrize(("tenths", "is_lost"), [(10, False), (9, True), (5, True), (1, True)])
def test_store_02_log_goes_only_where_the_file_holds_all_of_it(crashed, read_texts, tenths, is_lost):
    """STO-02: a log behind which something was lost is never deleted."""
    left = _cut_log(crashed, tenths)
    with session(crashed) as opened:
        assert bool(opened.mended) is is_lost
    assert [path.read_bytes() for path in crashed.home.glob("*.aside-*")] == ([left] if is_lost else [])
    assert len(read_texts(crashed)) == 300


def test_store_02_lost_log_is_found_without_any_log(crashed, read_texts):
    """STO-02: a log that is gone altogether leaves no trace but the commits."""
    log_of(crashed.ledger).unlink()
    assert len(read_texts(crashed)) == 300
