"""Check receipts against the rows that they rest on, and name the first broken link of each."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import polars as pl

from eval_pipeline.foundation.ids import content_id
from eval_pipeline.labels.rows import Judgment
from eval_pipeline.metrics.arenas import CORPUS, CORPUS_ARENA_ID, name_arenas
from eval_pipeline.metrics.names import parse_measure
from eval_pipeline.metrics.scoring import NO_GOLD, NO_RELEVANT, NOTHING_RANKED, SCORED, TIED, score_questions
from eval_pipeline.receipts.evidence import EMPTY_ARENA_ID
from eval_pipeline.receipts.identity import ReceiptContent
from eval_pipeline.receipts.rereading import (
    StoredEvidence,
    asked_by,
    candidates_of,
    joint_sets_of,
    ranked_again,
    ranked_rows,
    tie_sizes_of,
)
from eval_pipeline.tasks.contracts import read_contract_row

TOLERANCE = 1e-9
"""Values are recomputed; another CPU may round the last digits otherwise."""

COMPUTED = (SCORED, NO_RELEVANT, NO_GOLD, NOTHING_RANKED, TIED)
"""Reasons that follow from the rows of a receipt; the others were decided before anything was read."""

BROKEN_SCHEMA = {"receipt_id": pl.String, "link": pl.String, "detail": pl.String}


def verify(stored: StoredEvidence) -> pl.DataFrame:
    """Derive every receipt again from stored rows.

    Links, in the order in which they are checked: `contract`, `variant`, `units`, `negatives`, `ranking`, `labels`,
    `value`, `receipt_id`.

    Returns:
        receipt_id, link (the first that is broken), detail (what was expected and what was found); no row for a
        receipt that holds. Sorted by receipt id.
    """
    checks = (
        _check_contracts,
        _check_variants,
        _check_units,
        _check_negatives,
        _check_rankings,
        _check_labels,
        _check_values,
        _check_ids,
    )
    found: dict[str, tuple[str, str, str]] = {}
    for check in checks:
        for receipt, link, detail in check(stored):
            found.setdefault(receipt, (receipt, link, detail))
        stored = _without(stored, set(found))
    return pl.DataFrame(sorted(found.values()), schema=BROKEN_SCHEMA, orient="row")


def _without(stored: StoredEvidence, broken: set[str]) -> StoredEvidence:
    """What is left to check: a receipt with a broken link has no further one."""
    named = pl.DataFrame({"receipt_id": sorted(broken)}, schema={"receipt_id": pl.String})
    kept = {
        name: getattr(stored, name).join(named, on="receipt_id", how="anti")
        for name in ("receipts", "units", "receipt_labels", "negatives")
    }
    return replace(stored, **kept)


Broken = Iterator[tuple[str, str, str]]


def _check_contracts(stored: StoredEvidence) -> Broken:
    hashes = {
        row["contract_id"]: content_id("ctr", json.loads(row["content"]))
        for row in stored.contracts.iter_rows(named=True)
    }
    for receipt, contract in stored.receipts.select("receipt_id", "contract_id").iter_rows():
        if hashes.get(contract) is None:
            yield receipt, "contract", f"contract {contract} is not stored"
        elif hashes[contract] != contract:
            yield receipt, "contract", f"the stored content of contract {contract} hashes to {hashes[contract]}"


def _check_variants(stored: StoredEvidence) -> Broken:
    known = set(stored.variants["variant_id"])
    for receipt, variant in stored.receipts.select("receipt_id", "variant_id").iter_rows():
        if variant not in known:
            yield receipt, "variant", f"variant {variant} is not stored"


def _check_units(stored: StoredEvidence) -> Broken:
    counted = stored.units.group_by("receipt_id").agg(
        n=pl.len(), last=pl.col("rank").max(), n_ranks=pl.col("rank").n_unique(), n_units=pl.col("unit_id").n_unique()
    )
    joined = stored.receipts.select("receipt_id", "n_read").join(counted, on="receipt_id", how="left")
    joined = joined.with_columns(pl.col("n", "last", "n_ranks", "n_units").fill_null(0))
    for row in joined.iter_rows(named=True):
        if not row["n_read"] == row["n"] == row["last"] == row["n_ranks"] == row["n_units"]:
            yield (
                row["receipt_id"],
                "units",
                f"read {row['n_read']} units, but {row['n_units']} are stored in ranks to {row['last']}",
            )


def _check_rankings(stored: StoredEvidence) -> Broken:
    if stored.rankings is None:
        return
    ranked = ranked_again(stored)
    joined = stored.units.join(ranked, on=["receipt_id", "rank"], how="left", suffix="_ranked").sort(
        "receipt_id", "rank"
    )
    for row in joined.filter(pl.col("unit_id").ne_missing(pl.col("unit_id_ranked"))).iter_rows(named=True):
        found = row["unit_id_ranked"] or "no unit"
        yield row["receipt_id"], "ranking", f"rank {row['rank']} reads {row['unit_id']}, but the ranking holds {found}"


def _check_negatives(stored: StoredEvidence) -> Broken:
    """The arena's id covers its units with axis and rank."""
    restricted = stored.receipts.filter((pl.col("arena") != CORPUS) & (pl.col("arena_id") != EMPTY_ARENA_ID))
    named = restricted.select("receipt_id", "question_id")
    again = name_arenas(candidates_of(stored, named).rename({"receipt_id": "question_id"}))
    found = dict(again.select("question_id", "arena_id").iter_rows())
    for receipt, arena_id in restricted.select("receipt_id", "arena_id").iter_rows():
        if found.get(receipt) != arena_id:
            yield receipt, "negatives", f"gold and negatives as stored hash to {found.get(receipt)}, not to {arena_id}"
    corpus = stored.receipts.filter((pl.col("arena") == CORPUS) & (pl.col("arena_id") != CORPUS_ARENA_ID))
    for (receipt,) in corpus.select("receipt_id").iter_rows():
        yield receipt, "negatives", "the corpus arena has another id"


def _check_labels(stored: StoredEvidence) -> Broken:
    labels = {row["label_id"]: row for row in stored.labels.iter_rows(named=True)}
    sets = set() if stored.joint_sets is None else set(stored.joint_sets["joint_set_id"])
    hashes = {label_id: _label_again(row) for label_id, row in labels.items()}
    linked = stored.receipt_labels.join(stored.receipts.select("receipt_id", "question_id"), on="receipt_id")
    for receipt, label_id, question in linked.select("receipt_id", "label_id", "question_id").iter_rows():
        if label_id in sets:
            continue
        if label_id not in labels:
            yield receipt, "labels", f"label {label_id} is not stored"
        elif hashes[label_id] != label_id:
            yield receipt, "labels", f"the stored row of label {label_id} hashes to {hashes[label_id]}"
        elif labels[label_id]["question_id"] != question:
            yield receipt, "labels", f"label {label_id} belongs to question {labels[label_id]['question_id']}"


def _label_again(row: dict[str, Any]) -> str:
    names = Judgment.__dataclass_fields__
    return Judgment(**{name: row[name] for name in names}).label_id


def _check_values(stored: StoredEvidence) -> Broken:
    controls = set(stored.variants.filter("is_control")["variant_id"])
    contracts = {row["contract_id"]: row["content"] for row in stored.contracts.iter_rows(named=True)}
    computed = stored.receipts.filter(pl.col("reason").is_in(COMPUTED))
    others = stored.receipts.filter(~pl.col("reason").is_in(COMPUTED) & pl.col("value").is_not_null())
    for receipt, reason in others.select("receipt_id", "reason").iter_rows():
        yield receipt, "value", f"there is a value beside the reason {reason}"
    by = ["contract_id", "measure", "variant_id"]
    for (contract_id, measure, variant), group in computed.group_by(by, maintain_order=True):
        over_ties = variant in controls
        skipped = str(measure).startswith("leak@") and stored.hidden is None
        if contract_id not in contracts or skipped or (over_ties and stored.rankings is None):
            continue
        yield from _compare_values(stored, group, str(measure), contracts[contract_id], over_ties=over_ties)


def _compare_values(
    stored: StoredEvidence, group: pl.DataFrame, measure: str, content: str, *, over_ties: bool
) -> Broken:
    contract = read_contract_row(content)
    ranked = ranked_rows(stored, group, over_ties=over_ties)
    scored = score_questions(
        measures=[parse_measure(measure)],
        ranked=ranked,
        questions=asked_by(stored, group),
        policies=contract.policies,
        limit=contract.limit,
        joint_sets=joint_sets_of(stored, group),
        over_ties=over_ties,
    ).select(receipt_id="question_id", again="value", reason_again="reason")
    joined = group.select("receipt_id", "value", "reason").join(scored, on="receipt_id").sort("receipt_id")
    for row in joined.iter_rows(named=True):
        same = row["value"] == row["again"] or (
            None not in (row["value"], row["again"]) and abs(row["value"] - row["again"]) <= TOLERANCE
        )
        if not same or row["reason"] != row["reason_again"]:
            told = f"stored {row['value']} ({row['reason']}), computed {row['again']} ({row['reason_again']})"
            yield row["receipt_id"], "value", told


def _check_ids(stored: StoredEvidence) -> Broken:
    controls = set(stored.variants.filter("is_control")["variant_id"])
    read = stored.units.sort("receipt_id", "rank").group_by("receipt_id").agg(unit_ids="unit_id")
    labels = stored.receipt_labels.group_by("receipt_id").agg(label_ids="label_id")
    rows = stored.receipts.join(read, on="receipt_id", how="left").join(labels, on="receipt_id", how="left")
    ties = tie_sizes_of(stored, controls)
    for row in rows.iter_rows(named=True):
        is_control = row["variant_id"] in controls
        if is_control and stored.rankings is None:
            continue
        content = ReceiptContent(
            **{name: row[name] for name in _ID_COLUMNS},
            unit_ids=row["unit_ids"] or [],
            tie_sizes=ties.get(row["receipt_id"], []) if is_control else None,
            label_ids=row["label_ids"] or [],
        )
        if content.receipt_id != row["receipt_id"]:
            yield row["receipt_id"], "receipt_id", f"the stored rows hash to {content.receipt_id}"


_ID_COLUMNS = (
    "measure",
    "contract_id",
    "question_id",
    "variant_id",
    "arena",
    "arena_id",
    "pool_id",
    "reason",
    "stage_loss",
    "is_censored",
)
