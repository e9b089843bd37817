"""A template that went up in another can still be asked for: which versions had it, and what became of it."""

import polars as pl
import pytest

from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.receipts.trace_lookup import Lookup
from eval_pipeline.receipts.trace_nodes import TraceNode
from eval_pipeline.receipts.tracing import trace


def _version(number, parent):
    return {
        "template_version_id": f"tver_{number}", "parent_version_id": parent, "sequence": number,
        "settings_id": "tset_1", "settings": '{"cut":0.1}', "reason": "r",
    }  # fmt: skip


def _template(version, name, announced=1):
    return {
        "template_version_id": version, "template_id": name, "bucket": "00", "announced_sequence": announced,
        "n_founders": 2, "exemplar_unit_id": "unit_1", "centroid": "[1]", "threshold": 0.1,
    }  # fmt: skip


def _fate(name, kind, related, before, after):
    return {
        "template_version_id": "tver_1", "template_id": name, "parent_version_id": "tver_9", "bucket": "00",
        "kind": kind, "related_template_id": related, "n_before": before, "n_after": after, "n_shared": 2,
        "parent_template_ids": "[]", "child_template_ids": '["tpl_big"]', "is_touched": True,
    }  # fmt: skip


def _placed(version, unit, name, number):
    return {
        "template_version_id": version, "unit_id": unit, "round": number, "template_id": name, "state": "founding",
        "distance": 0.1,
    }  # fmt: skip


ROWS = {
    # the older version has the higher id: order is by sequence
    "templates.template_version": [_version(9, None) | {"sequence": 1}, _version(1, "tver_9") | {"sequence": 2}],
    "templates.template": [
        _template("tver_9", "tpl_small"),
        _template("tver_9", "tpl_big"),
        _template("tver_1", "tpl_big") | {"threshold": 0.2},
    ],
    "templates.template_succession": [
        _fate("tpl_small", "merged", "tpl_big", 2, 0),
        _fate("tpl_big", "kept", "tpl_big", 2, 4),
    ],
    "templates.template_assignment": [
        _placed("tver_9", "unit_1", "tpl_small", 1),
        _placed("tver_1", "unit_1", "tpl_big", 1),
        _placed("tver_1", "unit_1", "tpl_bigger", 2),
    ],
    "corpus.unit": [
        {
            "unit_id": "unit_1", "document_id": "doc_1", "locator": "page=1", "page_number": 1, "picture_hash": "p",
            "text_hash": "t", "picture_path": "x.webp", "width_px": 1, "height_px": 1, "dpi": 100.0, "notes": "[]",
        }
    ],
}  # fmt: skip


class Held:
    """Rows as a ledger would find them."""

    def find(self, table, column, values):
        frame = TABLES[table].frame(ROWS.get(table, [])).with_columns(commit_id=pl.lit("commit_1"))
        return frame.filter(pl.col(column).is_in(list(values))).sort(TABLES[table].key)

    def find_commits(self, commit_ids):
        return pl.DataFrame(schema={"commit_id": pl.String})


def _kinds(node: TraceNode, kind: str) -> list[str]:
    return [found.identity for found in node.find_all(kind)]


def test_a_merged_template_says_into_which():
    told = trace(Held(), "tpl_small")
    assert _kinds(told, "template version") == ["tver_9"]
    (fate,) = told.find_all("fate")
    assert (fate.facts["kind"], fate.facts["related_template_id"]) == ("merged", "tpl_big")
    assert fate.facts["child_template_ids"] == "tpl_big"


def test_a_kept_template_shows_its_versions_oldest_first_and_its_newest_facts():
    told = trace(Held(), "tpl_big")
    assert _kinds(told, "template version") == ["tver_9", "tver_1"]
    assert told.facts["threshold"] == 0.2


def test_a_page_names_its_template_under_every_version():
    """MEASURES 6: the old receipts stay traceable to the old template version."""
    page = Lookup(Held()).pages(["unit_1"])["unit_1"]
    told = [(node.identity, node.facts["template_version_id"]) for node in page.find_all("template")]
    assert told == [("tpl_small", "tver_9"), ("tpl_bigger", "tver_1")]


def test_a_version_shows_what_became_of_every_template_and_the_versions_before():
    told = trace(Held(), "tver_1")
    assert _kinds(told, "fate") == ["tpl_big", "tpl_small"]
    assert _kinds(told, "template version") == ["tver_1", "tver_9"]


def test_an_unknown_template_is_named():
    with pytest.raises(UnknownName, match="tpl_nobody"):
        trace(Held(), "tpl_nobody")
