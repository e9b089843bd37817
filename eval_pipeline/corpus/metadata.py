"""What the declared tables say of each file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from eval_pipeline.corpus.access import AccessRules
from eval_pipeline.corpus.described import LINE_KEY, TABLE_KEY, Described, MetadataRow
from eval_pipeline.corpus.globs import find_files
from eval_pipeline.corpus.matching import FileNames, Located, find_doubles, locate_rows, to_refusal
from eval_pipeline.corpus.refusals import Refusal
from eval_pipeline.corpus.tables import TextTable, read_table
from eval_pipeline.foundation.config import CorpusConfig
from eval_pipeline.foundation.errors import TableError


@dataclass(frozen=True, kw_only=True)
class Metadata:
    """What all tables say.

    Attributes:
        by_path: by relative path of the file.
        refusals: rows that were refused.
        has_stray_refusals: whether a refused row cannot be told to belong to any one file.
        columns: columns of all tables.
        tables: the tables as read.
    """

    by_path: Mapping[str, Described]
    refusals: tuple[Refusal, ...]
    has_stray_refusals: bool
    columns: frozenset[str]
    tables: tuple[TextTable, ...]


def read_metadata(*, home: Path, config: CorpusConfig, paths: Iterable[str]) -> Metadata:
    """Read the declared tables and match their rows to files.

    Args:
        home: the project folder.
        config: names of tables and columns.
        paths: relative paths of the files there are.

    Raises:
        TableError: a table cannot be used as a whole, lacks a declared column, or no file matches a declared glob.
    """
    names = _table_names(home=home, config=config)
    tables = tuple(read_table(home=home, relative=name, encoding=config.encoding) for name in names)
    _check_columns(tables, config)
    located = locate_rows(tables=tables, config=config, files=FileNames(home=home, paths=paths))
    by_path, refusals, has_strays = _sort_rows(located, config)
    return Metadata(
        by_path=by_path,
        refusals=tuple([refusal for table in tables for refusal in table.refusals] + refusals),
        has_stray_refusals=has_strays or any(table.refusals for table in tables),
        columns=frozenset(name for table in tables for name in table.columns),
        tables=tables,
    )


def _table_names(*, home: Path, config: CorpusConfig) -> list[str]:
    """Paths of the declared tables; a glob stands for every file that it matches, by path."""
    names: list[str] = []
    for declared in config.metadata_files:
        if not set(declared) & set("*?[{"):
            names.append(declared)
            continue
        found = [file.relative for file in find_files(home=home, pattern=declared)]
        if not found:
            message = f"{declared}: no metadata table matches this glob; correct corpus.metadata in eval.yaml"
            raise TableError(message, path=declared)
        names += found
    return list(dict.fromkeys(names))


def _sort_rows(located: list[Located], config: CorpusConfig) -> tuple[dict[str, Described], list[Refusal], bool]:
    """Give each file its rows; refuse doubled rows, rows without a file and rows with unknown access."""
    by_path: dict[str, Described] = {}
    refusals: list[Refusal] = []
    doubles = find_doubles(located, config)
    rules = AccessRules(config.access)
    for one in located:
        access = rules.read(one.row.values)
        about = by_path.setdefault(one.path, Described()) if one.path else Described()
        fault = doubles.get(one.key) or one.fault or access.fault
        if fault is not None:
            refusals.append(to_refusal(one, fault))
            about.is_refused = True
            about.refused_access.append(access)
            continue
        about.document_id = one.document_id if one.document_id is not None else about.document_id
        about.rows.append(
            MetadataRow(
                table=one.table.path,
                line=one.row.line,
                values=one.row.values,
                page_column=config.page if config.page in one.table.columns else None,
                access=access if access.is_given else None,
            )
        )
    return by_path, refusals, any(one.path is None for one in located)


def _check_columns(tables: tuple[TextTable, ...], config: CorpusConfig) -> None:
    for table in tables:
        reserved = sorted({TABLE_KEY, LINE_KEY} & set(table.columns))
        if reserved:
            message = f"{table.path}: the column name {reserved[0]!r} is reserved; rename it"
            raise TableError(message, path=table.path)
        if config.id is None and config.path is None:
            message = (
                f"{table.path}: nothing says which file a row belongs to; declare corpus.id or corpus.path in eval.yaml"
            )
            raise TableError(message, path=table.path)
        if config.id is not None and config.id not in table.columns:
            raise _lacks(table, config.id, "id")
        if config.path is not None and config.id is None and config.path not in table.columns:
            raise _lacks(table, config.path, "path")
    for key, name in (("path", config.path), ("page", config.page), ("page_id", config.page_id)):
        if tables and name is not None and not any(name in table.columns for table in tables):
            raise _lacks(tables[0], name, key)


def _lacks(table: TextTable, name: str, key: str) -> TableError:
    columns = ", ".join(table.columns)
    message = f"{table.path} has no column {name!r} (corpus.{key} in eval.yaml); its columns: {columns}"
    return TableError(message, path=table.path)
