"""How fast a person decides, and how long the rest will take at that pace."""

from dataclasses import dataclass

import polars as pl

from eval_pipeline.labels.deciding import REVIEWER_KINDS

BREAK_S = 300.0
"""A longer gap between two decisions is a break, not work."""
AT_ONCE_S = 0.2
"""A shorter one is no decision of a person: labels of one imported file bear one time."""
MIN_GAPS = 5


@dataclass(frozen=True, kw_only=True)
class Pace:
    """How fast one person decides.

    Attributes:
        seconds: median seconds from one decision to the next; None where it is not known yet.
        n_gaps: gaps that it rests on.
    """

    seconds: float | None
    n_gaps: int

    def minutes_for(self, n_pairs: int) -> float | None:
        """Minutes that so many pairs take; None where the pace is not known; 0 for none left."""
        if n_pairs == 0:
            return 0.0
        return None if self.seconds is None else self.seconds * n_pairs / 60.0


def measure_pace(labels: pl.DataFrame, *, author: str) -> Pace:
    """The pace of a person from the times of their own decisions.

    Args:
        labels: rows of `labels.label`; those of others, retractions and carried labels take no part.
        author: the person.
    """
    mine = labels.filter(
        (pl.col("author") == author)
        & pl.col("author_kind").is_in(list(REVIEWER_KINDS))
        & pl.col("grade").is_not_null()
        & pl.col("origin_label_id").is_null()
    )
    gaps = mine["decided_at_utc"].sort().diff().drop_nulls().dt.total_milliseconds() / 1000.0
    worked = gaps.filter((gaps >= AT_ONCE_S) & (gaps <= BREAK_S))
    median = worked.median()
    known = len(worked) >= MIN_GAPS and isinstance(median, float)
    return Pace(seconds=median if known else None, n_gaps=len(worked))  # type: ignore[arg-type]
