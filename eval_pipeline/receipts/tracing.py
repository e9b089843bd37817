"""From a number back to its pages, negatives, labels, model and code; and forward to all that rests on a thing."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from eval_pipeline.foundation.lineage import LineageReader
from eval_pipeline.receipts.trace_forward import dependents_of
from eval_pipeline.receipts.trace_lookup import Lookup, kind_of
from eval_pipeline.receipts.trace_nodes import TraceNode, heading
from eval_pipeline.receipts.trace_templates import trace_template, trace_template_version


def trace(reader: LineageReader, identity: str) -> TraceNode:
    """The way back from any id to what it rests on.

    Args:
        reader: finds stored rows.
        identity: id of a receipt, metric, label, page (unit), question, template, template version, pool, verdict,
            variant, run, encoder, contract or batch.

    Returns:
        A tree: for a receipt the contract, the variant with its encoder and runs, the question with gold, verdicts
        and parents, the ranked pages with their labels and source files, the negatives with axis and rank, and labels
        behind R; every node ends with the commit that made it (asset, code version, Dagster run, time).

    Raises:
        UnknownName: the prefix is unknown, or nothing has this id.
    """
    kind, table, column = kind_of(identity)
    lookup = Lookup(reader)
    if kind in _TRACERS:
        return _TRACERS[kind](lookup, identity)
    return _plain(lookup, kind, table, column, identity)


def trace_forward(reader: LineageReader, identity: str) -> TraceNode:
    """Every receipt, and every figure above it, that rests on a thing.

    Args:
        reader: finds stored rows.
        identity: as in `trace`.

    Returns:
        The thing, with the headings `receipts` and `metrics`.

    Raises:
        UnknownName: the prefix is unknown, or nothing has this id.
    """
    kind, table, column = kind_of(identity)
    lookup = Lookup(reader)
    lookup.row(table, column, identity)
    receipts, metrics = dependents_of(lookup, kind, identity)
    children = (
        *heading("receipts", [_receipt_line(lookup, row) for row in receipts]),
        *heading("metrics", [_metric_line(lookup, row) for row in metrics]),
    )
    return TraceNode(
        kind=kind, identity=identity, facts={"n_receipts": len(receipts), "n_metrics": len(metrics)}, children=children
    )


def _receipt_line(lookup: Lookup, row: dict[str, Any], *, children: Sequence[TraceNode] = ()) -> TraceNode:
    names = (
        "measure",
        "value",
        "reason",
        "arena",
        "question_id",
        "variant_id",
        "contract_id",
        "n_candidates",
        "n_read",
        "n_unjudged",
        "stage_loss",
        "is_censored",
    )
    return lookup.node("receipt", row["receipt_id"], row, names, children=children)


def _metric_line(lookup: Lookup, row: dict[str, Any], *, children: Sequence[TraceNode] = ()) -> TraceNode:
    names = (
        "measure",
        "estimate",
        "reason",
        "low",
        "high",
        "interval",
        "arena",
        "slice",
        "slice_value",
        "n_questions",
        "n_scored",
        "policy_counts",
        "chance",
        "denominator_id",
        "variant_id",
        "is_late",
    )
    return lookup.node("metric", row["metric_id"], row, names, children=children)


def _receipt(lookup: Lookup, identity: str) -> TraceNode:
    row = lookup.row("receipts.receipt", "receipt_id", identity)
    read = sorted(lookup.rows("receipts.receipt_unit", "receipt_id", [identity]), key=lambda item: item["rank"])
    negatives = lookup.rows("receipts.receipt_negative", "receipt_id", [identity])
    linked = lookup.rows("receipts.receipt_label", "receipt_id", [identity])
    pages = lookup.pages([*(item["unit_id"] for item in read), *(item["negative_unit_id"] for item in negatives)])
    labels = lookup.labels(item["label_id"] for item in linked)
    on_unit: dict[str, list[TraceNode]] = {}
    for label in labels:
        on_unit.setdefault(str(label.facts["unit_id"]), []).append(label)
    read_ids = {item["unit_id"] for item in read}
    ranked = [
        TraceNode(
            kind="ranked unit",
            identity=item["unit_id"],
            facts={"rank": item["rank"]},
            children=(*on_unit.get(item["unit_id"], ()), *_page_of(pages, item["unit_id"])),
        )
        for item in read
    ]
    drawn = [
        TraceNode(
            kind="negative",
            identity=item["negative_unit_id"],
            facts={"axis": item["axis"], "rank": item["rank"]},
            children=_page_of(pages, item["negative_unit_id"]),
        )
        for item in sorted(negatives, key=lambda item: (item["axis"], item["rank"]))
    ]
    behind = [label for label in labels if label.facts["unit_id"] not in read_ids]
    children = (
        lookup.question(row["question_id"]),
        *heading("ranking", ranked),
        *heading("negatives", drawn),
        *heading("labels behind R", behind),
        *_pool(lookup, row["pool_id"]),
        _variant(lookup, row["variant_id"]),
        _contract(lookup, row["contract_id"]),
    )
    return _receipt_line(lookup, row, children=children)


def _page_of(pages: dict[str, TraceNode], unit_id: str) -> tuple[TraceNode, ...]:
    return (pages[unit_id],) if unit_id in pages else ()


def _pool(lookup: Lookup, pool_id: str | None) -> tuple[TraceNode, ...]:
    """The pool, once for every state of a template under which it was drawn, oldest template version first."""
    rows = lookup.rows("negatives.unit_pool", "pool_id", [pool_id])
    order = lookup.version_order(row["template_version_id"] for row in rows)
    rows.sort(key=lambda row: (order[row["template_version_id"]], row["members_hash"]))
    short = lookup.rows("negatives.shortfall", "pool_id", [pool_id])
    names = ("axis", "n_wanted", "n_found", "reason")
    shortfalls = [lookup.node("shortfall", "", item, names) for item in short]
    told = ("unit_id", "template_id", "template_version_id", "settings_id", "n_negatives")
    return tuple(lookup.node("pool", row["pool_id"], row, told, children=shortfalls) for row in rows)


def _variant(lookup: Lookup, variant_id: str) -> TraceNode:
    row = lookup.row("runs.variant", "variant_id", variant_id)
    encoders = lookup.rows("embeddings.encoder", "encoder_id", [row["encoder_id"]])
    runs = lookup.rows("runs.retrieval_run", "variant_id", [variant_id])
    children = (
        *(
            lookup.node("encoder", item["encoder_id"], item, ("name", "kind", "dim", "is_trained", "description"))
            for item in encoders
        ),
        *heading("runs", [lookup.node("run", item["retrieval_run_id"], item, ("batch_id", "depth")) for item in runs]),
    )
    return lookup.node("variant", variant_id, row, ("name", "kind", "configuration"), children=children)


def _contract(lookup: Lookup, contract_id: str) -> TraceNode:
    row = lookup.row("tasks.contract", "contract_id", contract_id)
    return lookup.node("contract", contract_id, row, ("task", "registered_at_utc"))


def _metric(lookup: Lookup, identity: str) -> TraceNode:
    row = lookup.row("metrics.metric", "metric_id", identity)
    lists = lookup.rows("receipts.member_list", "list_id", [row["member_list_id"]])
    members = json.loads(lists[0]["receipt_ids"]) if lists else []
    found = lookup.rows("receipts.receipt", "receipt_id", members)
    found.sort(key=lambda item: (item["value"] is None, item["value"] or 0.0, item["question_id"], item["receipt_id"]))
    receipts = [_receipt_line(lookup, item) for item in found]
    evaluations = lookup.rows("metrics.evaluation", "evaluation_id", [row["evaluation_id"]])
    runs = lookup.rows("runs.retrieval_run", "retrieval_run_id", [row["retrieval_run_id"]])
    names = ("contract_id", "batch_id", "label_snapshot_id", "question_set_id", "template_version_id")
    children = (
        *(lookup.node("evaluation", item["evaluation_id"], item, (*names, "stamps")) for item in evaluations),
        *(lookup.node("run", item["retrieval_run_id"], item, ("batch_id", "depth")) for item in runs),
        _variant(lookup, row["variant_id"]),
        *(_contract(lookup, item["contract_id"]) for item in evaluations),
        *heading("receipts", receipts),
    )
    return _metric_line(lookup, row, children=children)


def _label(lookup: Lookup, identity: str) -> TraceNode:
    row = lookup.row("labels.label", "label_id", identity)
    (label,) = lookup.labels([identity])
    before = [_label(lookup, row[name]) for name in ("replaces_label_id", "origin_label_id") if row[name]]
    judged = [
        verdict
        for verdict in lookup.verdicts(row["question_id"])
        if row["judge_id"]
        and verdict.facts["judge_id"] == row["judge_id"]
        and verdict.facts["unit_id"] == row["unit_id"]
    ]
    children = (
        *heading("before it", before),
        *heading("verdicts", judged),
        *_page_of(lookup.pages([row["unit_id"]]), row["unit_id"]),
        lookup.question(row["question_id"]),
        *label.children,
    )
    return TraceNode(kind="label", identity=identity, facts=label.facts, children=children)


def _page(lookup: Lookup, identity: str) -> TraceNode:
    lookup.row("corpus.unit", "unit_id", identity)
    return lookup.pages([identity])[identity]


def _question(lookup: Lookup, identity: str) -> TraceNode:
    return lookup.question(identity)


def _plain(lookup: Lookup, kind: str, table: str, column: str, identity: str) -> TraceNode:
    """A thing that rests on nothing further: its own row and its commit."""
    row = lookup.row(table, column, identity)
    names = [name for name in row if name not in (column, "commit_id")]
    return lookup.node(kind, identity, row, names)


_TRACERS: dict[str, Callable[[Lookup, str], TraceNode]] = {
    "receipt": _receipt,
    "metric": _metric,
    "question": _question,
    "page": _page,
    "label": _label,
    "template": trace_template,
    "template version": trace_template_version,
    "variant": _variant,
}
