import shutil

import duckdb
import polars as pl
import pytest

from eval_pipeline.foundation.errors import LedgerDamaged, LedgerVersion
from eval_pipeline.ledger import opening
from eval_pipeline.ledger.opening import check_storage, connect, free_name, open_ledger, read_versions


def test_new_file_gets_the_schema_and_the_second_opening_writes_nothing(tmp_path):
    path = tmp_path / "ledger.duckdb"
    first = open_ledger(path)
    assert first.is_new
    assert read_versions(first.con)["corpus.unit"][0] == 1
    first.con.close()
    data = path.read_bytes()
    second = open_ledger(path)
    assert (second.is_new, second.kept_log) == (False, None)
    second.con.close()
    assert path.read_bytes() == data


def test_no_extension_no_network_no_other_file(tmp_path):
    con = connect(tmp_path / "x.duckdb")
    for statement in ("INSTALL httpfs", f"SELECT * FROM read_text('{tmp_path}/y')", "COPY (SELECT 1) TO 'out.csv'"):
        with pytest.raises(duckdb.Error):
            con.execute(statement)
    assert con.execute("SELECT current_setting('TimeZone')").fetchone() == ("UTC",)
    con.close()


@pytest.mark.parametrize(
    ("name", "versions"),
    [("STO-04_old_version_0.7.1.duckdb", "storage version 43"), ("STO-04_future_version.duckdb", "v2.0.1 .*99999")],
)
def test_store_04_file_of_another_duckdb_is_refused_and_left_alone(case_files, tmp_path, name, versions):
    """STO-04: the message names the file, both versions and the way out; nothing is written or started afresh."""
    path = tmp_path / "ledger.duckdb"
    shutil.copyfile(case_files / name, path)
    data = path.read_bytes()
    with pytest.raises(LedgerVersion, match=versions) as caught:
        open_ledger(path)
    for words in (str(path), "reads versions 64 to 68", duckdb.__version__, "EXPORT DATABASE", "doctor --repair"):
        assert words in str(caught.value)
    assert path.read_bytes() == data
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("data", [b"", b"short", b"x" * 4096])
def test_other_file_is_damaged_not_replaced(tmp_path, data):
    path = tmp_path / "ledger.duckdb"
    path.write_bytes(data)
    with pytest.raises(LedgerDamaged, match="not a DuckDB file"):
        check_storage(path)
    assert path.read_bytes() == data


def test_file_with_a_broken_checksum_is_damaged_not_replaced(tmp_path):
    path = tmp_path / "ledger.duckdb"
    open_ledger(path).con.close()
    data = bytearray(path.read_bytes())
    data[4096 + 100] ^= 255
    data[8192 + 100] ^= 255
    path.write_bytes(data)
    with pytest.raises(LedgerDamaged, match="doctor --repair"):
        open_ledger(path)
    assert path.read_bytes() == bytes(data)


@pytest.mark.parametrize("change", ["version = 2", "shape = 'shape_other'", "table_name = 'corpus.gone'"])
def test_file_of_another_schema_is_refused_and_left_alone(tmp_path, monkeypatch, change):
    path = tmp_path / "ledger.duckdb"
    con = open_ledger(path).con
    con.execute(f"UPDATE record.schema_version SET {change} WHERE table_name = 'corpus.unit'")
    con.execute("UPDATE record.schema_version SET shape = 'x' WHERE table_name = 'schema.sql'")
    con.close()
    data = path.read_bytes()
    with pytest.raises(LedgerVersion, match=r"table corpus\.(unit|gone) has version \d .*doctor --repair"):
        open_ledger(path)
    assert path.read_bytes() == data


def test_file_with_older_views_gets_the_new_ones(tmp_path, monkeypatch):
    path, later = tmp_path / "ledger.duckdb", tmp_path / "schema.sql"
    open_ledger(path).con.close()
    text = opening.SCHEMA_PATH.read_text(encoding="utf-8")
    later.write_text(f"{text}\nCREATE OR REPLACE VIEW corpus.later AS SELECT 1 AS one;\n", encoding="utf-8")
    monkeypatch.setattr(opening, "SCHEMA_PATH", later)
    con = open_ledger(path).con
    assert con.execute("SELECT one FROM corpus.later").pl().equals(pl.DataFrame({"one": [1]}, schema={"one": pl.Int32}))
    con.close()


def test_log_that_cannot_be_replayed_is_set_aside(tmp_path):
    path = tmp_path / "ledger.duckdb"
    open_ledger(path).con.close()
    log = opening.log_of(path)
    log.write_bytes(b"\xff" * 500)
    opened = open_ledger(path)
    opened.con.close()
    assert opened.kept_log is not None
    assert opened.kept_log.read_bytes() == b"\xff" * 500


def test_free_name_counts_up(tmp_path):
    first = free_name(tmp_path / "a", "aside")
    first.touch()
    assert [first.name, free_name(tmp_path / "a", "aside").name] == ["a.aside-1", "a.aside-2"]
