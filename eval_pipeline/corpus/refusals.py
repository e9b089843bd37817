"""Rows of the quarantine: what was refused, or taken with a warning, and what to do about it."""

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from eval_pipeline.foundation.ids import content_id
from eval_pipeline.foundation.tables.corpus import QUARANTINE


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """One thing that was refused, or taken with a warning; see `corpus.quarantine` for the columns.

    Attributes:
        source_path: file, relative to the project folder.
        reason: the same short words for the same fault.
        detail: what was expected and what was found.
        next_step: what to do about it.
        place: row, page or key inside the file; empty for the whole file.
        content_hash: SHA-256 of the file as it was; None where it could not be read.
        rendition_id: rendition that was refused; None for table rows.
        found_under: id of what beside the bytes decided it: arrivals, look-up of a question file, document version; it
            holds while that is in force. None where the bytes or the rendition decide alone.
        is_warning: True when the thing was taken all the same.
    """

    source_path: str
    reason: str
    detail: str
    next_step: str
    place: str = ""
    content_hash: str | None = None
    rendition_id: str | None = None
    found_under: str | None = None
    is_warning: bool = False

    def to_row(self) -> dict[str, object]:
        """The row of `corpus.quarantine`, with its id."""
        where = [self.source_path, self.place, self.content_hash, self.rendition_id, self.found_under]
        return {
            "quarantine_id": content_id("quar", [*where, self.reason, self.detail, self.is_warning]),
            "source_path": self.source_path,
            "place": self.place,
            "reason": self.reason,
            "detail": self.detail,
            "next_step": self.next_step,
            "content_hash": self.content_hash,
            "rendition_id": self.rendition_id,
            "found_under": self.found_under,
            "is_warning": self.is_warning,
        }


def to_quarantine(refusals: Iterable[Refusal]) -> pl.DataFrame:
    """Frame of `corpus.quarantine`: each refusal once, sorted by file, place and reason."""
    rows = {str(row["quarantine_id"]): row for row in (refusal.to_row() for refusal in refusals)}
    frame = QUARANTINE.frame(rows.values())
    return frame.sort("source_path", "place", "reason", "quarantine_id")
