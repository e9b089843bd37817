import json

from eval_pipeline.cli.commands.trace import tell
from eval_pipeline.receipts.trace_nodes import TraceNode


def test_commits_are_footnotes_told_once():
    made = TraceNode(kind="made by commit", identity="commit_1", facts={"asset": "pages"})
    leaf = TraceNode(kind="page", identity="unit_1", facts={"page": 3}, children=(made,))
    tree = TraceNode(kind="receipt", identity="rcp_1", facts={"value": 0.5}, children=(leaf, made))
    assert list(tell(tree)) == [
        "receipt rcp_1 value 0.5 [1]",
        "  page unit_1 page 3 [1]",
        "",
        "made by",
        "  [1] commit_1 asset pages",
    ]


def test_from_a_figure_to_a_pdf_page_and_forward_again(road_home, call):
    evaluation = json.loads(call("metrics", "--json", home=road_home).stdout)[0]
    figure = next(
        item
        for item in evaluation["figures"]
        if item["arena"] == "siblings" and item["n_scored"] and not item["is_control"]
    )
    back = json.loads(call("trace", figure["metric_id"], "--json", home=road_home).stdout)
    receipts = [node for node in walk(back) if node["kind"] == "receipt" and node["facts"].get("value") is not None]
    way = json.loads(call("trace", receipts[0]["id"], "--json", home=road_home).stdout)
    page = next(node for node in walk(way) if node["kind"] == "page")
    assert page["facts"]["file"].endswith(".pdf")
    forward = json.loads(call("trace", page["id"], "--forward", "--json", home=road_home).stdout)
    assert receipts[0]["id"] in {node["id"] for node in walk(forward)}


def test_an_id_that_nothing_answers_to_is_the_users_input(road_home, call):
    called = call("trace", "met_00000000000000000000", home=road_home)
    assert called.returncode == 2
    assert "met_00000000000000000000" in called.stderr


def walk(node):
    yield node
    for child in node["children"]:
        yield from walk(child)
