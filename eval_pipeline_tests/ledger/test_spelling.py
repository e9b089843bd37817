import re
from pathlib import Path

import polars as pl

from eval_pipeline.foundation.frames import Table, moment, real, text
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.ledger.opening import open_ledger
from eval_pipeline.ledger.spelling import SCHEMA_PATH, VIEWS_MARK, quote, rewrite_schema, shape_of, spell_tables

SNAPSHOT = Path(__file__).with_name("snapshots") / "schema.txt"
SQL_TYPES = {
    pl.String(): "VARCHAR",
    pl.Int64(): "BIGINT",
    pl.Float64(): "DOUBLE",
    pl.Boolean(): "BOOLEAN",
    pl.Datetime("us", "UTC"): "TIMESTAMP WITH TIME ZONE",
}


def _columns_of_fresh_file(path):
    con = open_ledger(path).con
    rows = con.execute(
        "SELECT table_schema || '.' || table_name, column_name, data_type, is_nullable = 'YES' "
        "FROM information_schema.columns ORDER BY table_schema, table_name, ordinal_position"
    ).fetchall()
    keys = con.execute(
        "SELECT schema_name || '.' || table_name, constraint_column_names "
        "FROM duckdb_constraints() WHERE constraint_type = 'PRIMARY KEY'"
    ).fetchall()
    indexes = con.execute("SELECT count(*) FROM duckdb_indexes()").fetchone()
    con.close()
    return rows, dict(keys), indexes[0]


def test_schema_file_is_what_the_tables_spell():
    assert SCHEMA_PATH.read_text(encoding="utf-8").partition(VIEWS_MARK)[0] == spell_tables(), (
        "run python -m eval_pipeline.ledger.spelling"
    )


def test_fresh_ledger_has_every_column_and_key_of_the_tables_and_no_index(tmp_path):
    rows, keys, n_indexes = _columns_of_fresh_file(tmp_path / "x.duckdb")
    for name, table in TABLES.items():
        found = [row[1:] for row in rows if row[0] == name]
        wanted = [
            (
                column.name,
                SQL_TYPES[column.dtype() if isinstance(column.dtype, type) else column.dtype],
                column.nullable,
            )
            for column in table.columns
        ]
        assert found == [
            *wanted,
            ("made_at_utc", "TIMESTAMP WITH TIME ZONE", False),
            ("commit_id", "VARCHAR", False),
        ], name
        assert tuple(keys[name]) == table.key
    assert n_indexes == 0
    assert not re.search(r"CREATE\s+(UNIQUE\s+)?INDEX", SCHEMA_PATH.read_text(encoding="utf-8"), re.IGNORECASE)


def test_schema_matches_the_snapshot(tmp_path):
    rows, _, _ = _columns_of_fresh_file(tmp_path / "x.duckdb")
    lines = [f"{name}.{column} {kind}{'' if is_nullable else ' NOT NULL'}" for name, column, kind, is_nullable in rows]
    assert lines == SNAPSHOT.read_text(encoding="utf-8").splitlines(), "write the snapshot anew if the change is meant"


def test_shape_changes_with_a_column_and_not_with_its_words():
    def table(**changes):
        return Table(name="a.b", grain="g", key=("x",), columns=(text("x", changes.pop("doc", "d")), *changes.values()))

    assert shape_of(table()) == shape_of(table(doc="other words"))
    assert shape_of(table()) != shape_of(table(extra=moment("t", "d")))
    assert shape_of(table(extra=real("v", "d"))) != shape_of(table(extra=real("v", "d", nullable=True)))


def test_quoted_name_cannot_be_left():
    assert quote('a"b') == '"a""b"'


def test_rewriting_keeps_the_views(tmp_path):
    path = tmp_path / "schema.sql"
    path.write_text(f"-- old\n{VIEWS_MARK}CREATE VIEW kept AS SELECT 1;\n", encoding="utf-8")
    rewrite_schema(path)
    assert path.read_text(encoding="utf-8") == f"{spell_tables()}{VIEWS_MARK}CREATE VIEW kept AS SELECT 1;\n"
