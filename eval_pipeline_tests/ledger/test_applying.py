from datetime import UTC, datetime, timedelta
from itertools import permutations
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.foundation.errors import LedgerDamaged
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.ledger import commits
from eval_pipeline.ledger.applying import apply_commit, apply_pending
from eval_pipeline.ledger.opening import open_ledger

COMMITS = (  # hour, texts by key: `a` has three makers of which two agree, `b` has two, `c` one
    (3, {"a": "late", "b": "b"}),
    (1, {"a": "early"}),
    (2, {"a": "late", "c": "c"}),
    (1, {"b": "b", "d": "same hour"}),
    (1, {"d": "same hour, other text"}),
)


@pytest.fixture(scope="module")
def written(tmp_path_factory, write_pending):
    paths = ProjectPaths(home=tmp_path_factory.mktemp("commits"))
    for hour, texts in COMMITS:
        write_pending(paths, texts, hour=hour)
    return [(commits.read_header(folder), folder) for folder in commits.list_pending(paths)]


@pytest.fixture(scope="module")
def con():
    opened = open_ledger(Path(":memory:"))
    yield opened.con
    opened.con.close()


def _state_after(con, written, order):
    for table in ("corpus.layer_text", "record.commit", "record.repeated_row"):
        con.execute(f"DELETE FROM {table}")
    for place in order:
        header, folder = written[place]
        apply_commit(con, folder, header)
    queries = ("corpus.layer_text", 'record."commit"', "record.repeated_row", "record.conflict")
    return [con.execute(f"SELECT * FROM {table} ORDER BY ALL").fetchall() for table in queries]


@pytest.fixture(scope="module")
def in_order(con, written):
    return _state_after(con, written, range(5))


@settings(max_examples=20, deadline=None)
@given(st.permutations(range(5)), st.lists(st.integers(0, 4), max_size=4))
def test_any_order_and_any_repetition_give_the_same_ledger(con, written, in_order, order, again):
    assert _state_after(con, written, [*order, *again]) == in_order


def test_earliest_row_is_shown_entirely_and_differing_ones_are_counted(in_order, written):
    texts, _, _, conflicts = in_order
    shown = {row[0]: row[1] for row in texts}
    first_at_hour_1 = min(header.commit_id for header, _ in written if _is_d(header, written))
    d_text = _texts_of(first_at_hour_1, written)["d"]
    assert shown == {"a": "early", "b": "b", "c": "c", "d": d_text}
    assert [row[1] for row in conflicts] == ['["a"]', '["a"]', '["d"]']  # two late ones on a, one of the pair on d


def _texts_of(commit_id, written):
    ((header, folder),) = [pair for pair in written if pair[0].commit_id == commit_id]
    return dict(commits.read_tables(folder, header)["corpus.layer_text"].iter_rows())


def _is_d(header, written):
    return "d" in _texts_of(header.commit_id, written)


def test_copy_made_earlier_takes_the_place_of_its_twin(con, tmp_path, write_pending):
    states = []
    for order in permutations((5, 2)):
        con.execute("DELETE FROM corpus.layer_text")
        con.execute('DELETE FROM record."commit"')
        for hour in order:
            paths = ProjectPaths(home=tmp_path / f"{order}-{hour}")
            write_pending(paths, {"a": "1"}, hour=hour)
            (folder,) = commits.list_pending(paths)
            apply_commit(con, folder, commits.read_header(folder))
        states.append(con.execute("SELECT * FROM corpus.layer_text").fetchall())
        run = con.execute('SELECT dagster_run_id FROM record."commit"').fetchall()
        assert run == [("run-2",)]
    assert states[0] == states[1]


def test_commit_that_breaks_a_rule_changes_nothing(con, paths, write_pending, monkeypatch):
    table = TABLES["corpus.layer_text"]
    frame = pl.DataFrame({"text_hash": ["x", "y"], "text": ["fine", None]}, schema=table.schema)
    monkeypatch.setattr(commits, "upcast", lambda name, version, rows: rows)
    write_pending(paths, {}, tables={"corpus.layer_text": frame})
    (folder,) = commits.list_pending(paths)
    with pytest.raises(LedgerDamaged, match=r"cannot be applied.*NOT NULL"):
        apply_commit(con, folder, commits.read_header(folder))
    assert con.execute("SELECT count(*) FROM corpus.layer_text WHERE text_hash IN ('x', 'y')").fetchone() == (0,)


def test_pending_commits_are_applied_oldest_first_and_moved(con, paths, write_pending):
    late, early = write_pending(paths, {"p": "1"}, hour=9), write_pending(paths, {"q": "1"}, hour=8)
    assert apply_pending(con, paths) == [early, late]
    assert commits.list_pending(paths) == []
    assert {folder.name for folder in commits.list_applied(paths)} == {early, late}
    assert apply_pending(con, paths) == []


def test_every_kind_of_column_survives(con, paths, write_pending):
    table = TABLES["judging.verdict"]
    moment = datetime(2026, 1, 1, 12, 30, 15, 123456, tzinfo=UTC)
    row = {
        "verdict_id": "v", "verb": "label", "question_id": "q", "unit_id": "u", "judge_id": "j",
        "outcome": "abstain", "reason": "“ü” \U0001f4c8\n", "confidence": 0.1 + 0.2, "n_tokens": 2**60,
        "elapsed_s": None, "decided_at_utc": moment + timedelta(microseconds=1),
    }  # fmt: skip
    write_pending(paths, {}, tables={"judging.verdict": table.frame([row])})
    apply_pending(con, paths)
    names = ", ".join(table.schema)
    held = con.execute(f"SELECT {names} FROM judging.verdict WHERE verdict_id = 'v'").pl()
    assert dict(held.schema) == table.schema
    assert held.rows(named=True) == [row]
