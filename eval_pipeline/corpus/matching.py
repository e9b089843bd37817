"""Which file a metadata row is about, and which rows say the same thing twice or contradict each other."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from eval_pipeline.corpus.refusals import Refusal
from eval_pipeline.corpus.tables import TextTable
from eval_pipeline.corpus.text_rows import TextRow
from eval_pipeline.foundation.config import CorpusConfig
from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.files import resolve_inside


@dataclass(frozen=True, kw_only=True)
class Fault:
    """Why a row is refused: the words of its quarantine row."""

    reason: str
    detail: str
    next_step: str = "mend the row and bring the table again"


@dataclass(frozen=True, kw_only=True)
class Located:
    """A row and the file it is about.

    Attributes:
        table: the table it stands in.
        row: the row.
        document_id: declared id (NFC), or None.
        path: relative path of its file; None where there is none, and `fault` says why.
        fault: why the row cannot be used.
    """

    table: TextTable
    row: TextRow
    document_id: str | None
    path: str | None = None
    fault: Fault | None = None

    @property
    def key(self) -> tuple[str, int]:
        """Table and line."""
        return self.table.path, self.row.line


def to_refusal(one: Located, fault: Fault) -> Refusal:
    """The quarantine row of a refused metadata row."""
    return Refusal(
        source_path=one.table.path,
        place=f"row {one.row.line}",
        reason=fault.reason,
        detail=fault.detail,
        next_step=fault.next_step,
        content_hash=one.table.content_hash,
    )


class FileNames:
    """Finds files by the names that users give them; opens none.

    Args:
        home: the project folder.
        paths: relative POSIX paths (NFC) of the files there are.
    """

    def __init__(self, *, home: Path, paths: Iterable[str]) -> None:
        self._home, self._paths = home, frozenset(paths)
        self._by_name: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self._paths):
            for name in sorted({PurePosixPath(path).name, PurePosixPath(path).stem}):
                self._by_name[name].append(path)

    def find_path(self, name: str, *, beside: str) -> str | Fault:
        """The file that a path names, relative to the folder of the table `beside` or to the project folder."""
        try:
            resolve_inside(self._home, name)
        except InputError as error:
            step = "name a file inside the project folder"
            return Fault(reason="path leaves the folder", detail=str(error), next_step=step)
        return next(iter(self._exact(name, beside)), None) or _no_file(name)

    def find_id(self, document_id: str, *, beside: str) -> str | Fault:
        """The file that an id names: a relative path, a file name, or a file name without its ending."""
        exact = self._exact(document_id, beside)
        places = exact[:1] or self._by_name.get(document_id, [])
        if len(places) > 1:
            detail = f"{document_id!r} could be {' or '.join(places)}"
            step = "declare corpus.path, a column that names the file"
            return Fault(reason="several files", detail=detail, next_step=step)
        return places[0] if places else _no_file(document_id)

    def _exact(self, name: str, beside: str) -> list[str]:
        plain = PurePosixPath(name)
        places = ((PurePosixPath(beside).parent / plain).as_posix(), plain.as_posix())
        return [place for place in places if place in self._paths]


def _no_file(name: str) -> Fault:
    detail = f"no document file answers to {name!r}"
    step = "bring the file, see corpus.documents in eval.yaml, or take the row out"
    return Fault(reason="no such document", detail=detail, next_step=step)


def locate_rows(*, tables: Sequence[TextTable], config: CorpusConfig, files: FileNames) -> list[Located]:
    """Find the file of every row.

    A table without the path column finds its files through the ids that a table with it declares, else by the id.
    """
    located = [
        _locate(table, row, config, files) for table in tables for row in table.rows if config.path in table.columns
    ]
    places = {one.document_id: one.path for one in located if one.path is not None}
    for table in tables:
        if config.path not in table.columns:
            located += [_locate_by_id(table, row, config, files, places) for row in table.rows]
    order = {table.path: place for place, table in enumerate(tables)}
    return sorted(located, key=lambda one: (order[one.table.path], one.row.line))


def _locate(table: TextTable, row: TextRow, config: CorpusConfig, files: FileNames) -> Located:
    document_id = _nfc(row.values.get(config.id or ""))
    name = _nfc(row.values.get(config.path or ""))
    if config.id is not None and document_id is None:
        return Located(table=table, row=row, document_id=None, fault=_empty("no id", config.id))
    if name is None:
        return Located(table=table, row=row, document_id=document_id, fault=_empty("no file named", config.path))
    return _to_located(table, row, document_id, files.find_path(name, beside=table.path))


def _locate_by_id(
    table: TextTable, row: TextRow, config: CorpusConfig, files: FileNames, places: Mapping[str | None, str]
) -> Located:
    document_id = _nfc(row.values.get(config.id or ""))
    if document_id is None:
        return Located(table=table, row=row, document_id=None, fault=_empty("no id", config.id))
    found = places.get(document_id) or files.find_id(document_id, beside=table.path)
    return _to_located(table, row, document_id, found)


def _to_located(table: TextTable, row: TextRow, document_id: str | None, found: str | Fault) -> Located:
    if isinstance(found, Fault):
        return Located(table=table, row=row, document_id=document_id, fault=found)
    return Located(table=table, row=row, document_id=document_id, path=found)


def _empty(reason: str, column: str | None) -> Fault:
    return Fault(reason=reason, detail=f"column {column!r} is empty", next_step="fill it in")


def find_doubles(located: Sequence[Located], config: CorpusConfig) -> dict[tuple[str, int], Fault]:
    """Rows that name the same thing twice in one table, or contradict each other; none of them wins.

    Returns:
        The fault by table and line.
    """
    return {**_contradictions(located), **_repetitions(located, config)}


def _repetitions(located: Sequence[Located], config: CorpusConfig) -> dict[tuple[str, int], Fault]:
    groups: dict[tuple[str, str], list[Located]] = defaultdict(list)
    for one in located:
        for name in _names_of(one, config):
            groups[one.table.path, name].append(one)
    return {
        one.key: Fault(reason="duplicate row", detail=f"{name} stands in rows {_lines(group)}; none is taken")
        for (_, name), group in groups.items()
        if len(group) > 1
        for one in group
    }


def _names_of(one: Located, config: CorpusConfig) -> list[str]:
    """What a row names, each of which may be named once in its table."""
    values = one.row.values
    names = []
    if config.page in one.table.columns:
        page = values.get(config.page or "", "").strip()
        if one.path is not None:
            names.append(f"page {page.lstrip('0') or page[:1] or '(empty)'} of {one.path}")
    elif one.document_id is not None:
        names.append(f"{config.id} {one.document_id!r}")
    elif one.path is not None:
        names.append(f"{config.path} {one.path!r}")
    page_id = values.get(config.page_id) if config.page_id else None
    return [*names, f"{config.page_id} {page_id!r}"] if page_id is not None else names


def _contradictions(located: Sequence[Located]) -> dict[tuple[str, int], Fault]:
    """Rows that give one file several ids, or one id several files."""
    by_path: dict[str, list[Located]] = defaultdict(list)
    by_id: dict[str, list[Located]] = defaultdict(list)
    for one in located:
        if one.path is not None and one.document_id is not None:
            by_path[one.path].append(one)
            by_id[one.document_id].append(one)
    faults = {}
    for path, group in by_path.items():
        if len({one.document_id for one in group}) > 1:
            detail = f"file {path!r} is given several ids, in rows {_lines(group)}; none is taken"
            faults.update({one.key: Fault(reason="contradicting rows", detail=detail) for one in group})
    for document_id, group in by_id.items():
        if len({one.path for one in group}) > 1:
            detail = f"id {document_id!r} is given several files, in rows {_lines(group)}; none is taken"
            faults.update({one.key: Fault(reason="contradicting rows", detail=detail) for one in group})
    return faults


def _lines(group: Sequence[Located]) -> str:
    several = len({one.table.path for one in group}) > 1
    return " and ".join(f"{one.table.path}:{one.row.line}" if several else str(one.row.line) for one in group)


def _nfc(text: str | None) -> str | None:
    return None if text is None else unicodedata.normalize("NFC", text)
