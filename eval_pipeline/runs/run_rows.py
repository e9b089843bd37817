"""What a run leaves beside its rankings: questions that were not answered, and how long the others took."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from eval_pipeline.foundation import ids
from eval_pipeline.foundation.errors import RetrievalFailed
from eval_pipeline.foundation.tables import runs as tables
from eval_pipeline.runs.ranking_rows import RankingRows

WHOLE = "all"
"""Stage of the time that the whole answer took."""
SHOWN = 500


@dataclass(kw_only=True)
class Failures:
    """Questions that were not answered.

    Attributes:
        rows: question id, reason, detail.
    """

    rows: list[tuple[str, str, str]] = field(default_factory=list)

    def add(self, question_id: str, failure: RetrievalFailed) -> None:
        """Take one."""
        self.rows.append((question_id, failure.reason, str(failure)[:SHOWN]))

    def count(self) -> dict[str, int | float | str]:
        """How many for which reason; empty where every question was answered."""
        if not self.rows:
            return {}
        counted = Counter(reason for _, reason, _ in self.rows)
        told = ", ".join(f"{reason} {n}" for reason, n in sorted(counted.items()))
        return {"questions_not_answered": len(self.rows), "reasons": told}

    def to_frame(self, run_id: str) -> pl.DataFrame:
        """Rows of `runs.failed_question`."""
        rows = []
        for question_id, reason, detail in self.rows:
            content = {"retrieval_run_id": run_id, "question_id": question_id, "reason": reason, "detail": detail}
            rows.append({"failure_id": ids.content_id("fail", content), **content})
        return tables.FAILED_QUESTION.frame(rows)


@dataclass(kw_only=True)
class Timings:
    """Seconds by question and stage.

    Attributes:
        rows: question id, stage, seconds.
    """

    rows: list[tuple[str, str, float]] = field(default_factory=list)

    def add(self, question_id: str, by_stage: Mapping[str, float], whole: float) -> None:
        """Take one question."""
        self.rows += [(question_id, stage, elapsed) for stage, elapsed in {**by_stage, WHOLE: whole}.items()]

    def summarise(self) -> dict[str, int | float | str]:
        """Median and 95th percentile of milliseconds per question; empty without a question."""
        whole = [elapsed for _, stage, elapsed in self.rows if stage == WHOLE]
        if not whole:
            return {}
        median, high = (round(float(np.quantile(whole, share)) * 1000, 3) for share in (0.5, 0.95))
        return {"median_ms": median, "p95_ms": high}

    def to_frame(self, run_id: str) -> pl.DataFrame:
        """Rows of `runs.timing`."""
        names = ("question_id", "stage", "elapsed_s")
        return tables.TIMING.frame(
            {"retrieval_run_id": run_id, **dict(zip(names, row, strict=True))} for row in self.rows
        )


@dataclass(kw_only=True)
class RunRows:
    """All that a run leaves.

    Attributes:
        rankings: ranked lists.
        failures: questions that were not answered.
        timings: how long the others took.
    """

    rankings: RankingRows
    failures: Failures = field(default_factory=Failures)
    timings: Timings = field(default_factory=Timings)
