"""The evaluation that figures belong to: what they rest on, as one id."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import polars as pl

from eval_pipeline.foundation.ids import canonical_json, content_id, set_id
from eval_pipeline.foundation.tables.metrics import EVALUATION, EVALUATION_TURN
from eval_pipeline.metrics import rejectable, scoring
from eval_pipeline.receipts import building


@dataclass(frozen=True, kw_only=True)
class Basis:
    """All that the figures of one contract rest on.

    Attributes:
        contract_id: contract.
        batch_id: corpus snapshot.
        label_snapshot_id: labels in force.
        question_set_id: questions and who counts where.
        retrieval_run_ids: runs that are scored.
        template_version_id: clustering behind the negatives; None without one.
        waiting_id: pairs whose judge has not answered.
        answered_id: lists that came back.
    """

    contract_id: str
    batch_id: str
    label_snapshot_id: str
    question_set_id: str
    retrieval_run_ids: tuple[str, ...]
    template_version_id: str | None
    waiting_id: str
    answered_id: str

    @property
    def evaluation_id(self) -> str:
        """`evl_` and the hash of the basis and of the code that scores it."""
        return content_id(
            "evl",
            {
                "contract_id": self.contract_id,
                "batch_id": self.batch_id,
                "label_snapshot_id": self.label_snapshot_id,
                "question_set_id": self.question_set_id,
                "retrieval_run_ids": sorted(self.retrieval_run_ids),
                "template_version_id": self.template_version_id,
                "waiting_id": self.waiting_id,
                "answered_id": self.answered_id,
                "code_version": [building.CODE_VERSION, scoring.CODE_VERSION, rejectable.CODE_VERSION],
            },
        )

    def to_turn_row(self, last: pl.DataFrame) -> pl.DataFrame:
        """Row of metrics.evaluation_turn where this evaluation is not the one in force; else no row.

        Args:
            last: the contract's row of metrics.evaluation_turn with the highest turn, or no row.
        """
        if last.height and last.item(0, "evaluation_id") == self.evaluation_id:
            return EVALUATION_TURN.empty()
        turn = last.item(0, "turn") + 1 if last.height else 1
        row = {"contract_id": self.contract_id, "turn": turn, "evaluation_id": self.evaluation_id}
        return EVALUATION_TURN.frame([row])

    def to_table_row(self, *, funnel: Mapping[str, int], stamps: Iterable[str]) -> pl.DataFrame:
        """Row of metrics.evaluation."""
        return EVALUATION.frame(
            [
                {
                    "evaluation_id": self.evaluation_id,
                    "contract_id": self.contract_id,
                    "batch_id": self.batch_id,
                    "label_snapshot_id": self.label_snapshot_id,
                    "question_set_id": self.question_set_id,
                    "template_version_id": self.template_version_id,
                    "funnel": canonical_json(dict(funnel)),
                    "stamps": canonical_json(sorted(stamps)),
                }
            ]
        )


def question_set_id_of(questions: pl.DataFrame, excluded: pl.DataFrame) -> str:
    """Id of the questions and of who is left out where."""
    rows = ["\x1f".join(row) for row in excluded.select("question_id", "arena", "reason").iter_rows()]
    return set_id("qset", [*questions["question_id"].to_list(), *rows])
