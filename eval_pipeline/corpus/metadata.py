"""Which metadata rows belong to which document, and which are refused."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from eval_pipeline.corpus.access import Access, AccessRules
from eval_pipeline.corpus.refusals import Refusal
from eval_pipeline.corpus.tables import TextRow, TextTable, read_table
from eval_pipeline.foundation.config import CorpusConfig
from eval_pipeline.foundation.errors import InputError, TableError
from eval_pipeline.foundation.files import resolve_inside

TABLE_KEY = "__table__"
LINE_KEY = "__line__"
"""Keys beside the user's columns in `corpus.document.metadata`: where a row was found. They take part in no id."""


@dataclass(frozen=True, kw_only=True)
class MetadataRow:
    """A row that belongs to a file.

    Attributes:
        table: the table, relative to the project folder.
        line: its line there.
        values: text by column.
        page_column: the declared page column, where the table has it; None where the row is about a whole document.
        access: level and groups that the row gives; None where it gives none.
    """

    table: str
    line: int
    values: Mapping[str, str]
    page_column: str | None
    access: Access | None

    def to_object(self) -> dict[str, str]:
        """The row as it is kept in `corpus.document.metadata`; an empty page cell is kept, as it says `page-level`."""
        page = {self.page_column: ""} if self.page_column else {}
        return {**page, **self.values, TABLE_KEY: self.table, LINE_KEY: str(self.line)}


@dataclass(kw_only=True)
class Described:
    """What the tables say of one file.

    Attributes:
        document_id: declared id; None where no row gives one.
        rows: accepted rows, by table and line.
        refused_access: what refused rows said of access, so that refusing a row never opens a document.
        is_refused: whether a row of this file was refused.
    """

    document_id: str | None = None
    rows: list[MetadataRow] = field(default_factory=list)
    refused_access: list[Access] = field(default_factory=list)
    is_refused: bool = False


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
        TableError: a table cannot be used as a whole, or lacks a declared column.
    """
    tables = tuple(read_table(home=home, relative=name, encoding=config.encoding) for name in config.metadata_files)
    for table in tables:
        _check_columns(table, config)
    if tables and config.page and not any(config.page in table.columns for table in tables):
        raise _lacks(tables[0], config.page, "page")
    matching = _Matching(home=home, config=config, paths=sorted(paths))
    for table in tables:
        matching.add(table)
    return Metadata(
        by_path=matching.finish(),
        refusals=tuple([refusal for table in tables for refusal in table.refusals] + matching.refusals),
        has_stray_refusals=matching.has_strays or any(table.refusals for table in tables),
        columns=frozenset(name for table in tables for name in table.columns),
        tables=tables,
    )


def _check_columns(table: TextTable, config: CorpusConfig) -> None:
    reserved = {TABLE_KEY, LINE_KEY} & set(table.columns)
    if reserved:
        message = f"{table.path}: the column name {sorted(reserved)[0]!r} is reserved; rename it"
        raise TableError(message, path=table.path)
    if not table.rows and not table.columns:
        return
    for key, name in (("id", config.id), ("path", config.path)):
        if name is not None and name not in table.columns:
            raise _lacks(table, name, key)
    if config.id is None and config.path is None:
        message = (
            f"{table.path}: nothing says which file a row belongs to; declare corpus.id or corpus.path in eval.yaml"
        )
        raise TableError(message, path=table.path)


def _lacks(table: TextTable, name: str, key: str) -> TableError:
    message = (
        f"{table.path} has no column {name!r} (corpus.{key} in eval.yaml); its columns: {', '.join(table.columns)}"
    )
    return TableError(message, path=table.path)


@dataclass(frozen=True, kw_only=True)
class _Candidate:
    """A row whose file was found and whose id is known."""

    table: TextTable
    row: TextRow
    path: str
    document_id: str | None


class _Matching:
    """Finds the file of each row and refuses what is unknown, doubled or contradictory."""

    def __init__(self, *, home: Path, config: CorpusConfig, paths: list[str]) -> None:
        self._home, self._config = home, config
        self._rules = AccessRules(config.access)
        self._candidates: list[_Candidate] = []
        self._by_path: dict[str, Described] = defaultdict(Described)
        self.refusals: list[Refusal] = []
        self.has_strays = False
        self._paths = set(paths)
        self._by_name: dict[str, list[str]] = defaultdict(list)
        for path in paths:
            for name in {PurePosixPath(path).name, PurePosixPath(path).stem}:
                self._by_name[name].append(path)

    def add(self, table: TextTable) -> None:
        """Match the rows of one table."""
        for row in table.rows:
            document_id = _nfc(row.values.get(self._config.id)) if self._config.id else None
            found = self._find_file(table, row, document_id)
            if isinstance(found, Refusal):
                self.refusals.append(found)
                self.has_strays = True
            else:
                self._candidates.append(_Candidate(table=table, row=row, path=found, document_id=document_id))

    def finish(self) -> dict[str, Described]:
        """Refuse doubled rows and unknown access levels, and give each file what is left."""
        doubled = {**self._conflicts(), **self._doubles()}
        for candidate in self._candidates:
            described = self._by_path[candidate.path]
            access = self._rules.read(candidate.row.values)
            fault = doubled.get((candidate.table.path, candidate.row.line)) or access.fault
            if fault is not None:
                self._refuse(candidate, *fault)
                described.is_refused = True
                described.refused_access.append(access)
                continue
            described.document_id = candidate.document_id
            described.rows.append(
                MetadataRow(
                    table=candidate.table.path,
                    line=candidate.row.line,
                    values=candidate.row.values,
                    page_column=self._config.page if self._config.page in candidate.table.columns else None,
                    access=access if access.is_given else None,
                )
            )
        return dict(self._by_path)

    def _refuse(self, candidate: _Candidate, reason: str, detail: str) -> None:
        self.refusals.append(
            _refusal(candidate.table, candidate.row.line, reason, detail, "mend the row and bring the table again")
        )

    def _find_file(self, table: TextTable, row: TextRow, document_id: str | None) -> str | Refusal:
        config = self._config
        if config.id and document_id is None:
            return _refusal(table, row.line, "no id", f"column {config.id!r} is empty", "give the row its id")
        name = _nfc(row.values.get(config.path)) if config.path else document_id
        if not name:
            return _refusal(table, row.line, "no file named", f"column {config.path!r} is empty", "name the file")
        try:
            resolve_inside(self._home, name)
        except InputError as error:
            if config.path:
                step = "name a file inside the project folder"
                return _refusal(table, row.line, "path leaves the folder", str(error), step)
            return _refusal(table, row.line, "no such document", f"no file answers to {name!r}", "bring the file")
        places = self._places_of(table, name, by_name=not config.path)
        if len(places) == 1:
            return places[0]
        if places:
            detail = f"{name!r} could be {' or '.join(places)}"
            return _refusal(table, row.line, "several files", detail, "declare corpus.path, a column with the file")
        detail = f"no document file answers to {name!r} (glob {config.documents})"
        return _refusal(table, row.line, "no such document", detail, "bring the file, or take the row out")

    def _places_of(self, table: TextTable, name: str, *, by_name: bool) -> list[str]:
        plain = PurePosixPath(name).as_posix()
        beside = (PurePosixPath(table.path).parent / plain).as_posix()
        exact = list(dict.fromkeys(place for place in (beside, plain) if place in self._paths))
        if exact or not by_name:
            return exact[:1]
        return self._by_name.get(name, [])

    def _doubles(self) -> dict[tuple[str, int], tuple[str, str]]:
        """Rows of one table that name the same thing: none of them wins."""
        config = self._config
        groups: dict[tuple[str, ...], list[_Candidate]] = defaultdict(list)
        for candidate in self._candidates:
            values, table = candidate.row.values, candidate.table
            if config.page in table.columns:
                page = values.get(config.page or "", "").strip().lstrip("0") or "0"
                groups[table.path, "page", f"page {page} of {candidate.path}", candidate.path].append(candidate)
            else:
                name = candidate.document_id or candidate.path
                groups[table.path, "document", f"{config.id or config.path} {name!r}", name].append(candidate)
            page_id = values.get(config.page_id) if config.page_id else None
            if page_id is not None:
                groups[table.path, "page_id", f"{config.page_id} {page_id!r}", page_id].append(candidate)
        return {
            (one.table.path, one.row.line): ("duplicate row", f"{key[2]} stands in rows {_lines(group)}; none is taken")
            for key, group in groups.items()
            if len(group) > 1
            for one in group
        }

    def _conflicts(self) -> dict[tuple[str, int], tuple[str, str]]:
        """Rows that give one file two ids, or one id two files."""
        faults = {}
        for of, other, say in (
            ("path", "document_id", "file {!r} is given several ids, in rows {}; none is taken"),
            ("document_id", "path", "id {!r} is given several files, in rows {}; none is taken"),
        ):
            groups: dict[str, list[_Candidate]] = defaultdict(list)
            for candidate in self._candidates:
                if getattr(candidate, of) is not None:
                    groups[getattr(candidate, of)].append(candidate)
            for name, group in groups.items():
                if len({getattr(one, other) for one in group}) > 1:
                    fault = ("contradicting rows", say.format(name, _lines(group)))
                    faults.update({(one.table.path, one.row.line): fault for one in group})
        return faults


def _lines(group: list[_Candidate]) -> str:
    several = len({one.table.path for one in group}) > 1
    return " and ".join(f"{one.table.path}:{one.row.line}" if several else str(one.row.line) for one in group)


def _refusal(table: TextTable, line: int, reason: str, detail: str, next_step: str) -> Refusal:
    return Refusal(
        source_path=table.path,
        place=f"row {line}",
        reason=reason,
        detail=detail,
        next_step=next_step,
        content_hash=table.content_hash,
    )


def _nfc(text: str | None) -> str | None:
    return None if text is None else unicodedata.normalize("NFC", text)
