"""Whether negatives can be rejected on appearance alone (MEASURES 5)."""

from dataclasses import dataclass

import polars as pl

MARGIN = 0.10
MIN_QUESTIONS = 30
ARENA, MEASURE = "siblings", "sufficient@1"
APPEARANCE, RANDOM = "control-appearance", "control-random"


@dataclass(frozen=True, kw_only=True)
class Rejectability:
    """What control-appearance says of the negatives.

    Attributes:
        is_rejectable: True when its lower bound exceeds control-random + 0.10; None where too few questions or
            missing figures leave it open.
        reason: in words.
        low: 95 % lower bound of control-appearance; None where there is none.
        random: estimate of control-random; None where there is none.
        n: questions scored.
    """

    is_rejectable: bool | None
    reason: str
    low: float | None
    random: float | None
    n: int


def judge_rejectability(metrics: pl.DataFrame) -> Rejectability:
    """Compare control-appearance with control-random in the siblings arena.

    Args:
        metrics: rows of metrics.metric of one evaluation with the column `variant` (its name).
    """
    here = metrics.filter((pl.col("arena") == ARENA) & (pl.col("measure") == MEASURE) & (pl.col("slice") == "all"))
    rows = {row["variant"]: row for row in here.iter_rows(named=True)}
    seen, blind = rows.get(APPEARANCE), rows.get(RANDOM)
    if seen is None or blind is None or seen["low"] is None or blind["estimate"] is None:
        return Rejectability(is_rejectable=None, reason="no figure of the controls", low=None, random=None, n=0)
    low, random, n = float(seen["low"]), float(blind["estimate"]), int(seen["n_scored"])
    if n < MIN_QUESTIONS:
        reason = f"{n} questions, {MIN_QUESTIONS} needed"
        return Rejectability(is_rejectable=None, reason=reason, low=low, random=random, n=n)
    bad = low > random + MARGIN
    words = "can be rejected on appearance" if bad else "cannot be rejected on appearance"
    return Rejectability(is_rejectable=bad, reason=f"negatives {words}", low=low, random=random, n=n)
