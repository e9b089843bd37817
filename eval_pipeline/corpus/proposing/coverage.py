"""How much of a folder the proposed facets can be read from, measured with the readers that a run uses."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval_pipeline.corpus.declared_facets import build_readers
from eval_pipeline.corpus.described import MetadataRow
from eval_pipeline.corpus.metadata import Metadata
from eval_pipeline.corpus.values import FacetReader
from eval_pipeline.foundation.config import ProjectConfig

N_EXAMPLES = 4


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """What came of looking for one facet.

    Attributes:
        facet: its name.
        of: what was looked at: `documents`; `rows or documents` where rows are about pages (a document without a row
            counts once); or `pages read`.
        n_total: how many of them.
        n_parsed: those with a normalised value.
        n_unparsed: those with a value that cannot be normalised.
        n_distinct: different normalised values.
        unparsed: examples of values that cannot be normalised, most frequent first.
        missing: examples of documents without a value; none where pages were looked at, of which few have one.
        values: examples of normalised values, most frequent first.
    """

    facet: str
    of: str
    n_total: int
    n_parsed: int
    n_unparsed: int
    n_distinct: int
    unparsed: tuple[str, ...]
    missing: tuple[str, ...]
    values: tuple[str, ...]

    @property
    def share(self) -> float | None:
        """Parsed share; None where nothing was looked at."""
        return self.n_parsed / self.n_total if self.n_total else None

    @property
    def n_missing(self) -> int:
        """Those without any value."""
        return self.n_total - self.n_parsed - self.n_unparsed


@dataclass(frozen=True, kw_only=True)
class _Looked:
    """One document, row or page: where it is, what was found, what it means."""

    path: str
    raw: str | None
    value: str | None


def measure_coverage(
    *,
    config: ProjectConfig,
    home: Path,
    documents: Sequence[str],
    metadata: Metadata,
    texts: Mapping[tuple[str, int], str],
) -> dict[str, Coverage]:
    """Coverage by facet.

    Args:
        config: the proposed declaration.
        home: the folder.
        documents: relative paths.
        metadata: what the declared tables say of them.
        texts: text of the pages that were read, by path and 0-based page; facets with a pattern on text are looked for
            in these alone.
    """
    readers = build_readers(config=config, home=home)
    about_pages = any(row.page_column for about in metadata.by_path.values() for row in about.rows)
    found: dict[str, Coverage] = {}
    for name, reader in readers.items():
        if reader.text_pattern is not None:
            looked = [_look(reader, {}, path, text=text) for (path, _), text in sorted(texts.items())]
            found[name] = _count(name, "pages read", looked)
            continue
        looked = [
            _look(reader, values, path)
            for path in documents
            for values in _values_of(metadata.by_path[path].rows if path in metadata.by_path else ())
        ]
        found[name] = _count(name, "rows or documents" if about_pages else "documents", looked)
    return found


def _values_of(rows: Iterable[MetadataRow]) -> list[dict[str, str]]:
    """Values of each page that rows are about; of the document as a whole where none is."""
    common: dict[str, str] = {}
    pages = []
    for row in rows:
        if row.page_column:
            pages.append(dict(row.values))
        else:
            common = {**row.values, **common}
    return [{**common, **page} for page in pages] or [common]


def _look(reader: FacetReader, values: Mapping[str, str], path: str, *, text: str = "") -> _Looked:
    found = reader.find(values=values, text=text, path=path)
    if found is None:
        return _Looked(path=path, raw=None, value=None)
    value = reader.normalise(found.raw, values=values if found.is_column else None)
    return _Looked(path=path, raw=found.raw, value=value)


def _count(name: str, of: str, looked: Sequence[_Looked]) -> Coverage:
    values = Counter(one.value for one in looked if one.value is not None)
    unparsed = Counter(one.raw for one in looked if one.raw is not None and one.value is None)
    silent = dict.fromkeys(one.path for one in looked if one.raw is None)
    return Coverage(
        facet=name,
        of=of,
        n_total=len(looked),
        n_parsed=values.total(),
        n_unparsed=unparsed.total(),
        n_distinct=len(values),
        unparsed=_first(unparsed),
        missing=() if of == "pages read" else tuple(list(silent)[:N_EXAMPLES]),
        values=_first(values),
    )


def _first(counted: Counter[str]) -> tuple[str, ...]:
    ranked = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(value for value, _ in ranked[:N_EXAMPLES])
