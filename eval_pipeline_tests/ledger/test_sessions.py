from datetime import datetime

import polars as pl
import pytest

from eval_pipeline.foundation.errors import LineageError, UnknownName
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.ledger.connection import session


def _files(paths):
    return {path.relative_to(paths.home).as_posix(): path.stat().st_size for path in paths.commits.rglob("*")}


def test_recording_twice_adds_no_commit_no_row_and_no_file(paths, record_texts):
    with session(paths) as opened:
        first = record_texts(opened, {"b": "2", "a": "1"})
    before = _files(paths)
    with session(paths) as opened:
        second = record_texts(opened, {"a": "1", "b": "2"}, hour=9)
        assert opened.table("corpus.layer_text").rows() == [("a", "1"), ("b", "2")]
    assert (first.n_new_rows, first.tables) == (2, {"corpus.layer_text": 2})
    assert (second.commit_id, second.n_rows, second.n_new_rows, second.n_conflicts) == (None, 2, 0, 0)
    assert _files(paths) == before


def test_only_new_rows_are_written_and_differing_ones_are_counted(paths, record_texts):
    with session(paths) as opened:
        record_texts(opened, {"a": "1", "b": "2"})
        again = record_texts(opened, {"a": "other", "b": "2", "c": "3"}, hour=1)
        assert dict(opened.table("corpus.layer_text").iter_rows()) == {"a": "1", "b": "2", "c": "3"}
    assert (again.n_rows, again.n_new_rows, again.n_conflicts) == (3, 1, 1)
    assert again.conflicts == {"corpus.layer_text": 1}


def test_columns_outside_equality_are_no_conflict(paths):
    table = TABLES["embeddings.encoder"]
    candidate = TABLES["labels.candidate"]
    with session(paths) as opened:
        counts = []
        for rank in (1, 2):
            row = {"question_id": "q", "unit_id": "u", "source": "random", "rank": rank}
            output = StageOutput(tables={"labels.candidate": candidate.frame([row]), table.name: table.empty()})
            recorded = opened.record(
                output=output, asset="a", partition=None, code_version="1", dagster_run_id=None,
                made_at=datetime.fromisoformat("2026-01-01T00:00:00Z"),
            )  # fmt: skip
            counts.append((recorded.n_new_rows, recorded.n_conflicts))
    assert counts == [(1, 0), (0, 0)]


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ({"corpus.nothing": pl.DataFrame()}, "no table of the ledger"),
        ({"corpus.layer_text": pl.DataFrame({"text_hash": ["a"]})}, "missing columns"),
        ({"corpus.layer_text": pl.DataFrame({"text_hash": ["a", "a"], "text": ["", ""]})}, "repeats"),
    ],
)
def test_bad_output_is_refused_and_nothing_is_written(paths, tables, words):
    with session(paths) as opened, pytest.raises(LineageError, match=words):
        opened.record(
            output=StageOutput(tables=tables), asset="a", partition=None, code_version="1", dagster_run_id=None,
            made_at=datetime.fromisoformat("2026-01-01T00:00:00Z"),
        )  # fmt: skip
    assert not list(paths.commits.rglob("header.json"))


def test_time_without_a_zone_is_refused(paths):
    with session(paths) as opened, pytest.raises(LineageError, match="needs a zone"):
        opened.record(
            output=StageOutput(tables={}), asset="a", partition=None, code_version="1", dagster_run_id=None,
            made_at=datetime(2026, 1, 1),  # noqa: DTZ001
        )  # fmt: skip


def test_output_without_tables_records_nothing(paths):
    with session(paths) as opened:
        recorded = opened.record(
            output=StageOutput(tables={}), asset="a", partition=None, code_version="1", dagster_run_id=None,
            made_at=datetime.fromisoformat("2026-01-01T00:00:00Z"),
        )  # fmt: skip
    assert recorded.commit_id is None


def test_read_binds_parameters_and_frames(paths, record_texts):
    with session(paths) as opened:
        record_texts(opened, {"a": "1", "b": "2", "c": "3"})
        wanted = pl.DataFrame({"text_hash": ["c", "a", "zz"]})
        assert opened.read("corpus/texts", frames={"wanted": wanted}).rows() == [("a", "1"), ("c", "3")]
        empty = opened.read("embeddings/pictures_to_embed", params={"encoder_id": "e", "buckets": []})
        assert empty.columns == ["picture_hash", "picture_path", "bucket"]


def test_failures_name_the_query_or_the_table(paths):
    with session(paths) as opened:
        with pytest.raises(LineageError, match="query corpus/texts failed"):
            opened.read("corpus/texts")
        with pytest.raises(LineageError, match="query embeddings/vector_rows failed"):
            opened.read("embeddings/vector_rows", params={"encoder": "x"})
        with pytest.raises(UnknownName, match="no query"):
            opened.read("corpus/textz")
        with pytest.raises(UnknownName, match="no table"):
            opened.table("corpus.textz")
        assert opened.read("corpus/texts", frames={"wanted": pl.DataFrame({"text_hash": ["a"]})}).height == 0


def test_rows_are_found_by_column_with_the_commit_that_made_them(paths, record_texts):
    with session(paths) as opened:
        first = record_texts(opened, {"a": "same", "b": "same", "c": "other"})
        second = record_texts(opened, {"d": "same"}, hour=1)
        found = opened.find("corpus.layer_text", "text", ["same", "nothing"])
        assert found.rows() == [
            ("a", "same", first.commit_id), ("b", "same", first.commit_id), ("d", "same", second.commit_id),
        ]  # fmt: skip
        assert opened.find("corpus.layer_text", "text", []).height == 0
        commits_found = opened.find_commits([second.commit_id, "commit_none"])
        assert commits_found.drop("made_at_utc").rows() == [
            (second.commit_id, "page_text", "00", "1", "run-1"),
        ]  # fmt: skip
        assert commits_found["made_at_utc"].to_list() == [datetime.fromisoformat("2026-01-30T03:00:00Z")]


@pytest.mark.parametrize(("table", "column"), [("corpus.none", "text"), ("corpus.layer_text", 'text" OR 1=1 --')])
def test_only_columns_of_the_schema_can_be_searched(paths, table, column):
    with session(paths) as opened, pytest.raises(UnknownName, match="no column"):
        opened.find(table, column, ["x"])
