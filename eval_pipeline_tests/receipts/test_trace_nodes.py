"""A trace prints for people and travels as plain data."""

from datetime import UTC, datetime

from eval_pipeline.receipts.trace_nodes import TraceNode, fact, heading

TREE = TraceNode(
    kind="receipt",
    identity="rcp_1",
    facts={"value": 1.0, "stage_loss": None},
    children=(TraceNode(kind="page", identity="unit_1", facts={"file": "a.pdf", "page": 3}),),
)


def test_lines_leave_out_what_is_not_there():
    assert list(TREE.lines()) == ["receipt rcp_1 value 1.0", "  page unit_1 file a.pdf · page 3"]


def test_plain_data_keeps_it():
    assert TREE.to_dict()["facts"] == {"value": 1.0, "stage_loss": None}
    assert TREE.to_dict()["children"][0]["id"] == "unit_1"
    assert [node.identity for node in TREE.find_all("page")] == ["unit_1"]


def test_headings_count_and_vanish_when_empty():
    assert heading("labels", []) == ()
    assert heading("labels", [TREE])[0].facts == {"n": 1}


def test_stored_values_become_facts():
    assert fact('["period","entity"]') == "period, entity"
    assert fact('{"period":"2024-Q3"}') == "period=2024-Q3"
    assert fact("[not json") == "[not json"
    assert fact(datetime(2026, 1, 2, tzinfo=UTC)) == "2026-01-02T00:00:00+00:00"
    assert fact(None) is None
