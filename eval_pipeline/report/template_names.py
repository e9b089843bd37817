"""Readable names of templates, from what their pages share: a facet, else a line near the top."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

NAMING_FACET = "metric"
"""Facet that says what a page is about."""
MOST = 0.6
"""Share of a template's pages that must agree on a facet or a line before the template is called by it."""
N_LINES = 8
"""Lines from the top in which a title is looked for."""
LONGEST = 48
_NO_WORD = re.compile(r"[^\w\s&'/-]|_")


@dataclass(frozen=True, kw_only=True)
class NamedPage:
    """One page of a template.

    Attributes:
        template_id: its template.
        facets: normalised facets as a canonical JSON object.
        text: text layer; may be empty.
    """

    template_id: str
    facets: str
    text: str


def name_templates(pages: Iterable[NamedPage]) -> dict[str, str]:
    """A name and the first six digits of the id, by template.

    In this order: the facet `metric`, where most pages agree on it; the topmost line that most pages have and other
    templates seldom have, without entities and not with digits; the two most frequent metrics; `template`.
    Nothing but facets and text layers enters; the same pages in any order give the same names.

    Args:
        pages: some or all pages of each template.
    """
    groups: dict[str, list[NamedPage]] = {}
    for page in pages:
        groups.setdefault(page.template_id, []).append(page)
    lines = {name: Counter(line for page in group for line in set(_lines(page))) for name, group in groups.items()}
    everywhere = Counter[str]()
    for counted in lines.values():
        everywhere.update(counted.keys())
    return {
        name: f"{_name(group, lines[name], everywhere, len(groups))} ({short_id(name)})"
        for name, group in sorted(groups.items())
    }


def short_id(identity: str) -> str:
    """The first six digits of an id, without its prefix.

    >>> short_id("tpl_9ad8c3d489eb555bdd79")
    '9ad8c3'
    """
    return identity.rpartition("_")[2][:6]


def _name(pages: Sequence[NamedPage], lines: Mapping[str, int], everywhere: Mapping[str, int], n_templates: int) -> str:
    metrics = _rank(Counter(value for page in pages if (value := _facet(page, NAMING_FACET))))
    if metrics and metrics[0][1] >= MOST * len(pages):
        return _clip(metrics[0][0])
    shared = {line: n / len(pages) for line, n in lines.items() if n >= MOST * len(pages)}
    own = [line for line in shared if everywhere[line] <= max(1, n_templates // 4)]
    if own:
        return _clip(min(own, key=lambda line: (_place(pages, line), -shared[line], line)))
    if not metrics:
        return "template"
    more = f" and {len(metrics) - 2} more" if len(metrics) > 2 else ""
    return _clip(", ".join(value for value, _ in metrics[:2])) + more


def _place(pages: Sequence[NamedPage], line: str) -> float:
    """How far from the top a line stands on average."""
    places = [found.index(line) for page in pages if line in (found := _lines(page))]
    return sum(places) / len(places)


def _rank(counted: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))


def _facet(page: NamedPage, name: str) -> str:
    value = json.loads(page.facets).get(name)
    return str(value) if value is not None else ""


def _lines(page: NamedPage) -> list[str]:
    """The first lines as words, in lower case, without what the facets other than the metric say.

    A line that holds a digit states a date or a figure, and is no title.
    """
    told = [word for name, value in json.loads(page.facets).items() if name != NAMING_FACET for word in _words(value)]
    found = []
    for line in page.text.split("\n", N_LINES)[:N_LINES]:
        words = [word for word in _words(line) if word not in told]
        is_dated = any(letter.isdigit() for letter in line)
        if len(" ".join(words)) > 3 and not is_dated:
            found.append(" ".join(words))
    return found


def _words(text: object) -> list[str]:
    return _NO_WORD.sub(" ", str(text).casefold()).split()


def _clip(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"
