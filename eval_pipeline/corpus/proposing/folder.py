"""What lies in a folder: documents and tables, as they are found."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from eval_pipeline.corpus.globs import find_files
from eval_pipeline.corpus.tables import TextTable, read_table
from eval_pipeline.foundation.errors import InputError, TableError

DOCUMENT_ENDINGS = "{pdf,png,jpg,jpeg,webp,tif,tiff,gif}"
TABLES = "**/*.{csv,tsv,parquet,pq,jsonl,ndjson}"
OWN_FOLDERS = ("models", "contracts", "truth")
"""Folders of a project that hold neither documents nor what is said of them."""


@dataclass(frozen=True, kw_only=True)
class UnreadTable:
    """A table that cannot be used.

    Attributes:
        path: relative to the folder.
        reason: why, in words.
    """

    path: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Folder:
    """Documents and tables of a folder.

    Attributes:
        home: the folder.
        documents: relative POSIX paths, sorted.
        glob: a glob that finds these documents, and later ones beside them.
        tables: the tables that can be read, by path.
        unread: the others.
    """

    home: Path
    documents: tuple[str, ...]
    glob: str
    tables: tuple[TextTable, ...]
    unread: tuple[UnreadTable, ...]

    @property
    def endings(self) -> dict[str, int]:
        """How many documents have each ending, most frequent first."""
        return dict(Counter(PurePosixPath(path).suffix.lower().lstrip(".") for path in self.documents).most_common())


def look_at_folder(home: Path) -> Folder:
    """Find documents (PDF, images) and tables (CSV, Parquet, JSONL) in a folder; documents are not opened.

    Raises:
        InputError: it is no folder, or there is no document in it.
    """
    if not home.is_dir():
        message = f"{home} is not a folder; name one that holds documents"
        raise InputError(message)
    documents = _find(home, f"**/*.{DOCUMENT_ENDINGS}")
    if not documents:
        message = f"{home} holds no document; PDF, PNG, JPEG, WebP, TIFF and GIF are read"
        raise InputError(message)
    tables, unread = [], []
    for path in _find(home, TABLES):
        try:
            tables.append(_read(home, path))
        except TableError as error:
            unread.append(UnreadTable(path=path, reason=str(error)))
    return Folder(home=home, documents=documents, glob=_glob_of(documents), tables=tuple(tables), unread=tuple(unread))


def _find(home: Path, pattern: str) -> tuple[str, ...]:
    found = [file.relative for file in find_files(home=home, pattern=pattern) if file.is_inside]
    return tuple(path for path in found if path.split("/")[0] not in OWN_FOLDERS)


def _read(home: Path, path: str) -> TextTable:
    """A table as text; one that is not UTF-8 is not guessed at."""
    return read_table(home=home, relative=path)


def _glob_of(documents: tuple[str, ...]) -> str:
    """Below the one folder that holds all documents, else anywhere."""
    tops = {path.split("/")[0] if "/" in path else "" for path in documents}
    top = next(iter(tops)) if len(tops) == 1 else ""
    plain = top and not set(top) & set("*?[]{},")
    return f"{top}/**/*.{DOCUMENT_ENDINGS}" if plain else f"**/*.{DOCUMENT_ENDINGS}"
