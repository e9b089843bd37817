"""Spell the tables of `foundation.tables` as SQL, so that `schema.sql` and the code cannot drift apart.

`python -m eval_pipeline.ledger.spelling` writes the table part of `schema.sql` anew and leaves the views below the mark
as they stand; a test compares the checked-in file with what this module spells.
"""

from pathlib import Path

import polars as pl

from eval_pipeline.foundation.frames import UTC_TIME, Column, Table
from eval_pipeline.foundation.ids import content_id
from eval_pipeline.foundation.tables import TABLES

SCHEMA_PATH = Path(__file__).with_name("schema.sql")
VIEWS_MARK = "-- Views: what is in force, over columns and never over insertion (written by hand below this line)\n"
WITNESSES = ("made_at_utc", "commit_id")

_TYPES: dict[pl.DataType | type[pl.DataType], str] = {
    pl.String: "VARCHAR",
    pl.Int64: "BIGINT",
    pl.Float64: "DOUBLE",
    pl.Boolean: "BOOLEAN",
    UTC_TIME: "TIMESTAMPTZ",
}

_OPENING = """-- The ledger's schema: one table per entry of foundation.tables, and what the ledger keeps of itself
-- (schema `record`; a schema may not bear the name of its file, ledger.duckdb).
-- Primary keys and checks only; no secondary indexes (DuckDB 1.5 can lose rows behind them after a kill).
-- Above the mark this file is spelled by `python -m eval_pipeline.ledger.spelling`; the views below it by hand.
-- Witness columns (made_at_utc, commit_id) tell whose row is shown: that of the earliest commit; they are no part
-- of row equality.

"""

_OWN_TABLES = """CREATE SCHEMA IF NOT EXISTS record;

-- one row per applied commit
CREATE TABLE IF NOT EXISTS record."commit" (
  "commit_id" VARCHAR NOT NULL,  -- Hash of asset, partition, code version and the rows it brought.
  "asset" VARCHAR NOT NULL,  -- What made it.
  "partition" VARCHAR,  -- Partition it was made for; null without one.
  "inputs" VARCHAR NOT NULL,  -- Ids of what the rows were made from, as a JSON list.
  "code_version" VARCHAR NOT NULL,  -- Version of the algorithm.
  "dagster_run_id" VARCHAR,  -- Run that made it; null outside Dagster.
  "made_at_utc" TIMESTAMPTZ NOT NULL,  -- When it was made.
  "n_rows" BIGINT NOT NULL,  -- Rows over all its tables.
  "n_conflicts" BIGINT NOT NULL,  -- Rows left out because the ledger already held another row under their key.
  "tables" VARCHAR NOT NULL,  -- Rows by table name, as canonical JSON object.
  PRIMARY KEY ("commit_id")
);

-- one row per table x key x commit, for keys that several commits brought
CREATE TABLE IF NOT EXISTS record.repeated_row (
  "table_name" VARCHAR NOT NULL,  -- Table.
  "row_key" VARCHAR NOT NULL,  -- Values of its key, as a JSON list.
  "commit_id" VARCHAR NOT NULL,  -- Commit that brought a row under this key.
  "equality_hash" VARCHAR NOT NULL,  -- Hash of the columns that take part in row equality.
  PRIMARY KEY ("table_name", "row_key", "commit_id")
);

-- one row per table of this file
CREATE TABLE IF NOT EXISTS record.schema_version (
  "table_name" VARCHAR NOT NULL,  -- Table; `schema.sql` stands for the file as a whole.
  "version" BIGINT NOT NULL,  -- Version of its schema; 0 for `schema.sql`.
  "shape" VARCHAR NOT NULL,  -- Hash of names and types of its columns; of the whole text for `schema.sql`.
  PRIMARY KEY ("table_name")
);

"""


def quote(name: str) -> str:
    """Spell an identifier so that no word of SQL can be meant by it."""
    return '"' + name.replace('"', '""') + '"'


def quote_table(name: str) -> str:
    """Spell `stage.table` as two quoted identifiers."""
    stage, _, table = name.partition(".")
    return f"{quote(stage)}.{quote(table)}"


def shape_of(table: Table) -> str:
    """Id of names, types and nullability of a table's columns and of its key."""
    columns = [_spell_column(column) for column in table.columns]
    return content_id("shape", {"key": table.key, "columns": columns})


def spell_table(table: Table) -> str:
    """`CREATE TABLE` statement of one table: columns in order, checks, witness columns, primary key."""
    lines = [f"  {_spell_column(column)},  -- {column.doc}" for column in table.columns]
    lines += ['  "made_at_utc" TIMESTAMPTZ NOT NULL,', '  "commit_id" VARCHAR NOT NULL,']
    lines.append(f"  PRIMARY KEY ({', '.join(map(quote, table.key))})")
    head = f"-- {table.grain}\nCREATE TABLE IF NOT EXISTS {table.name} (\n"
    return head + "\n".join(lines) + "\n);\n"


def _spell_column(column: Column) -> str:
    words = [quote(column.name), _TYPES[column.dtype]]
    if not column.nullable:
        words.append("NOT NULL")
    if column.allowed:
        values = ", ".join(f"'{value}'" for value in column.allowed)
        words.append(f"CHECK ({quote(column.name)} IN ({values}))")
    return " ".join(words)


def spell_tables() -> str:
    """The part of `schema.sql` above the mark: stages in order of the road, then the ledger's own tables."""
    stages = dict.fromkeys(name.partition(".")[0] for name in TABLES)
    parts = [_OPENING]
    for stage in stages:
        parts.append(f"CREATE SCHEMA IF NOT EXISTS {stage};\n\n")
        parts += [spell_table(table) + "\n" for name, table in TABLES.items() if name.startswith(f"{stage}.")]
    return "".join([*parts, _OWN_TABLES])


def rewrite_schema(path: Path = SCHEMA_PATH) -> None:
    """Write the table part of `schema.sql` anew, keeping the views below the mark."""
    views = path.read_text(encoding="utf-8").partition(VIEWS_MARK)[2] if path.exists() else ""
    path.write_text(spell_tables() + VIEWS_MARK + views, encoding="utf-8")


if __name__ == "__main__":
    rewrite_schema()
