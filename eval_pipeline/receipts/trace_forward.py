"""Which receipts, and which figures above them, rest on a thing."""

import json
from collections.abc import Callable, Iterable
from typing import Any

from eval_pipeline.receipts.trace_lookup import Lookup

Rows = list[dict[str, Any]]


def dependents_of(lookup: Lookup, kind: str, identity: str) -> tuple[Rows, Rows]:
    """Receipts and metrics that rest on a thing, each sorted by id.

    Args:
        lookup: reads rows.
        kind: as `trace_lookup.kind_of` names it.
        identity: its id.
    """
    if kind == "metric":
        return [], lookup.rows("metrics.metric", "metric_id", [identity])
    receipt_ids = _FINDERS.get(kind, _of_nothing)(lookup, identity)
    receipts = lookup.rows("receipts.receipt", "receipt_id", receipt_ids)
    return receipts, _metrics_above(lookup, receipts)


def _metrics_above(lookup: Lookup, receipts: Rows) -> Rows:
    """Figures whose list of members holds one of the receipts; only those of the same variant and measure can."""
    wanted = {row["receipt_id"] for row in receipts}
    same = {(row["variant_id"], row["measure"], row["arena"]) for row in receipts}
    metrics = [
        row
        for row in lookup.rows("metrics.metric", "variant_id", (row["variant_id"] for row in receipts))
        if (row["variant_id"], row["measure"], row["arena"]) in same
    ]
    lists = lookup.rows("receipts.member_list", "list_id", (row["member_list_id"] for row in metrics))
    holding = {row["list_id"] for row in lists if wanted.intersection(json.loads(row["receipt_ids"]))}
    return [row for row in metrics if row["member_list_id"] in holding]


def _ids(rows: Rows, column: str = "receipt_id") -> set[str]:
    return {row[column] for row in rows if row[column]}


def _of_nothing(_: Lookup, __: str) -> set[str]:
    return set()


def _of_receipt(_: Lookup, identity: str) -> set[str]:
    return {identity}


def _of_label(lookup: Lookup, identity: str) -> set[str]:
    return _ids(lookup.rows("receipts.receipt_label", "label_id", [identity]))


def _of_question(lookup: Lookup, identity: str) -> set[str]:
    """Receipts of the question and of the questions that qualify it."""
    children = _ids(lookup.rows("questions.question", "parent_question_id", [identity]), "question_id")
    own = _ids(lookup.rows("receipts.receipt", "question_id", [identity]))
    return own.union(*(_of_question(lookup, child) for child in sorted(children)))


def _of_units(lookup: Lookup, unit_ids: Iterable[str]) -> set[str]:
    """As a ranked unit, as a negative, as gold, and through labels on it."""
    units = sorted(set(unit_ids))
    questions = _ids(lookup.rows("questions.question_gold", "unit_id", units), "question_id")
    labels = _ids(lookup.rows("labels.label", "unit_id", units), "label_id")
    return (
        _ids(lookup.rows("receipts.receipt_unit", "unit_id", units))
        | _ids(lookup.rows("receipts.receipt_negative", "negative_unit_id", units))
        | _ids(lookup.rows("receipts.receipt", "question_id", questions))
        | _ids(lookup.rows("receipts.receipt_label", "label_id", labels))
    )


def _of_unit(lookup: Lookup, identity: str) -> set[str]:
    return _of_units(lookup, [identity])


def _of_template(lookup: Lookup, identity: str) -> set[str]:
    placed = lookup.rows("templates.template_assignment", "template_id", [identity])
    pools = _ids(lookup.rows("negatives.unit_pool", "template_id", [identity]), "pool_id")
    return _of_units(lookup, _ids(placed, "unit_id")) | _ids(lookup.rows("receipts.receipt", "pool_id", pools))


def _of_verdict(lookup: Lookup, identity: str) -> set[str]:
    """Through the pre-label that it gave, and through the question that it let pass or held back."""
    verdict = lookup.row("judging.verdict", "verdict_id", identity)
    labels = [
        row
        for row in lookup.rows("labels.label", "question_id", [verdict["question_id"]])
        if row["judge_id"] == verdict["judge_id"] and row["unit_id"] == verdict["unit_id"]
    ]
    through = _ids(lookup.rows("receipts.receipt_label", "label_id", _ids(labels, "label_id")))
    return through | (_of_question(lookup, verdict["question_id"]) if verdict["verb"] == "answers" else set())


def _by_column(column: str) -> Callable[[Lookup, str], set[str]]:
    def find(lookup: Lookup, identity: str) -> set[str]:
        return _ids(lookup.rows("receipts.receipt", column, [identity]))

    return find


def _of_run(lookup: Lookup, identity: str) -> set[str]:
    metrics = lookup.rows("metrics.metric", "retrieval_run_id", [identity])
    lists = lookup.rows("receipts.member_list", "list_id", _ids(metrics, "member_list_id"))
    return {receipt for row in lists for receipt in json.loads(row["receipt_ids"])}


def _of_encoder(lookup: Lookup, identity: str) -> set[str]:
    variants = _ids(lookup.rows("runs.variant", "encoder_id", [identity]), "variant_id")
    return _ids(lookup.rows("receipts.receipt", "variant_id", variants))


_FINDERS: dict[str, Callable[[Lookup, str], set[str]]] = {
    "receipt": _of_receipt,
    "label": _of_label,
    "question": _of_question,
    "page": _of_unit,
    "template": _of_template,
    "pool": _by_column("pool_id"),
    "verdict": _of_verdict,
    "variant": _by_column("variant_id"),
    "contract": _by_column("contract_id"),
    "run": _of_run,
    "encoder": _of_encoder,
}
