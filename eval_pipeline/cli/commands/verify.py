"""`eval-pipeline verify`."""

import sys
from pathlib import Path

import polars as pl

from eval_pipeline.cli.console import say, say_json, say_plain
from eval_pipeline.foundation.config import load_project
from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.foundation.settings import find_project
from eval_pipeline.ledger.connection import session
from eval_pipeline.ledger.sessions import Session
from eval_pipeline.receipts.rereading import StoredEvidence
from eval_pipeline.receipts.verifying import BROKEN_SCHEMA, verify
from eval_pipeline.runs.eligibility import Clearance, visible_units
from eval_pipeline.tasks.contracts import load_contracts


def verify_receipts(*, home: Path | None, as_json: bool) -> None:
    """Derive every receipt in force again; exit code 1 where one does not hold."""
    paths = find_project(home)
    declared = load_project(paths.config)
    found, n = [], 0
    for contract in load_contracts(paths.home, declared.contracts):
        with session(paths) as ledger:
            units = ledger.read("corpus/units_in_force")
            receipts = ledger.read("receipts/receipts_in_force", params={"contract_ids": [contract.contract_id]})
            clearance = Clearance(level=contract.asked_as.clearance, groups=contract.asked_as.groups)
            visible = visible_units(units=units, clearance=clearance, levels=declared.corpus.access.levels)
            hidden = units.select("unit_id").filter(~pl.col("unit_id").is_in(sorted(visible)))
            stored = read_stored(ledger, receipts, hidden=hidden)
        n += stored.receipts.height
        found.append(verify(stored))
    broken = pl.concat(found) if found else pl.DataFrame(schema=BROKEN_SCHEMA)
    if as_json:
        say_json({"receipts": n, "broken": broken.to_dicts()})
    else:
        for receipt_id, link, detail in broken.head(50).iter_rows():
            say_plain(f"{receipt_id}: {link}: {detail}")
        say(f"{n - broken.height:,} of {n:,} receipts hold")
    if broken.height:
        sys.exit(LineageError.exit_code)


def read_stored(ledger: Session, receipts: pl.DataFrame, *, hidden: pl.DataFrame) -> StoredEvidence:
    """Every stored row that the given receipts rest on.

    Args:
        ledger: an open session.
        receipts: rows of receipts.receipt with `retrieval_run_id`.
        hidden: unit_id of units that the asker may not see.
    """
    ids = receipts.select("receipt_id").unique()
    mine = {
        name: ledger.table(f"receipts.{name}").join(ids, on="receipt_id", how="semi")
        for name in ("receipt_unit", "receipt_label", "receipt_negative")
    }
    rankings = [
        ledger.read("runs/rankings_of_run", params={"retrieval_run_id": run_id}).with_columns(
            variant_id=pl.lit(variant)
        )
        for run_id, variant in receipts.select("retrieval_run_id", "variant_id")
        .unique()
        .sort("retrieval_run_id")
        .iter_rows()
    ]
    columns = ["variant_id", "question_id", "stage", "rank", "unit_id", "score"]
    return StoredEvidence(
        receipts=receipts.drop("retrieval_run_id").unique(subset=["receipt_id"]).sort("receipt_id"),
        units=mine["receipt_unit"],
        receipt_labels=mine["receipt_label"],
        negatives=mine["receipt_negative"],
        labels=ledger.table("labels.label"),
        gold=ledger.table("questions.question_gold"),
        contracts=ledger.table("tasks.contract"),
        variants=ledger.table("runs.variant"),
        rankings=pl.concat([frame.select(columns) for frame in rankings]) if rankings else None,
        joint_sets=ledger.table("labels.joint_set"),
        hidden=hidden,
    )
