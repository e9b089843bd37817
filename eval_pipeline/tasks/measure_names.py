"""Names of measures: the whole definition, as a contract spells it.

`sufficient@5` is a measure with a cut-off; `word_recall` has none. Reading a name needs no arithmetic, so contracts can
be checked before any number is computed; what a name computes is in `metrics`.
"""

import difflib
import re
from dataclasses import dataclass

from eval_pipeline.foundation.errors import UnknownName

RANKING_MEASURES = (
    "top",
    "sufficient",
    "supporting",
    "supporting_only",
    "neither",
    "sufficient_set",
    "acceptable",
    "ap",
    "recall",
    "precision",
    "rr",
    "ndcg",
    "judged",
    "leak",
)
"""Measures of a ranking; each needs a cut-off k."""

EXTRACTION_MEASURES = ("word_recall", "number_recall")
"""Measures of extracted text; none has a cut-off."""

_FORM = re.compile(r"(?P<kind>[a-z_]+)(?:@(?P<cut>[1-9][0-9]{0,5}))?")


@dataclass(frozen=True, kw_only=True)
class MeasureName:
    """A measure's name, taken apart; `str()` puts it together again.

    Attributes:
        kind: `sufficient`, `ap`, ...
        cut: cut-off k >= 1; None where the measure has none.
    """

    kind: str
    cut: int | None

    def __str__(self) -> str:
        return self.kind if self.cut is None else f"{self.kind}@{self.cut}"


def parse_measure_name(text: str) -> MeasureName:
    """Take a name apart; printing the result gives the same text.

    Raises:
        UnknownName: no such measure (names the nearest one), or a cut-off that is missing, wrong or too many.
    """
    match = _FORM.fullmatch(text)
    kind = match["kind"] if match else text.partition("@")[0]
    if kind not in RANKING_MEASURES + EXTRACTION_MEASURES:
        raise _refuse(text, _nearest(kind))
    if match is None or (match["cut"] is None) == (kind in RANKING_MEASURES):
        form = f"{kind}@k with k from 1, such as {kind}@5" if kind in RANKING_MEASURES else f"{kind} without a cut-off"
        raise _refuse(text, f"write {form}")
    return MeasureName(kind=kind, cut=int(match["cut"]) if match["cut"] else None)


def _nearest(kind: str) -> str:
    known = RANKING_MEASURES + EXTRACTION_MEASURES
    near = difflib.get_close_matches(kind, known, n=1)
    return f"{f'did you mean {near[0]!r}? ' if near else ''}allowed: {', '.join(known)}"


def _refuse(text: str, hint: str) -> UnknownName:
    return UnknownName(f"{text!r} is no measure; {hint}", name=text)
