import json

from hypothesis import given
from hypothesis import strategies as st

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
        "code: each number names the commit that made what stands before it",
        "  [1] asset pages, commit_1",
    ]


def a_verdict(number, **facts):
    return TraceNode(
        kind="verdict", identity=f"vd_{number}", facts={"on": "gold, a.pdf p. 1", "outcome": "yes", **facts}
    )


@given(st.integers(40, 140), st.text(st.characters(categories=["L", "N", "Zs"]), max_size=400))
def test_no_line_is_longer_than_the_terminal_unless_one_word_is(width, reason):
    tree = TraceNode(kind="verdicts", facts={"n": 1}, children=(a_verdict(1, reason=reason, unit_id="unit_1"),))
    longest = max((len(word) for word in reason.split()), default=0)
    assert all(len(line) <= width or longest + 8 > width for line in tell(tree, width=width))


def test_hashes_are_cut_and_ids_that_can_be_traced_are_not():
    page = TraceNode(kind="page", identity="unit_0123456789abcdef0123", facts={"picture_hash": "f" * 64, "page": 3})
    source = TraceNode(kind="source file", identity="corpus/a.pdf", facts={"content_hash": "0123456789" * 6})
    told = list(tell(TraceNode(kind="gold", children=(page, source))))
    assert told == [
        "pages that it was written from",
        "  page unit_0123456789abcdef0123 page 3",
        "  source file corpus/a.pdf content_hash 01234567",
    ]


def test_a_page_is_told_in_full_once():
    source = TraceNode(kind="source file", identity="corpus/a.pdf")
    page = TraceNode(kind="page", identity="unit_1", facts={"page": 3}, children=(source,))
    told = list(tell(TraceNode(kind="gold", children=(page, page))))
    assert told[1:] == ["  page unit_1 page 3", "    source file corpus/a.pdf", "  page unit_1 as above"]


def test_long_lists_say_how_many_more_there_are():
    told = list(tell(TraceNode(kind="verdicts", children=tuple(a_verdict(n) for n in range(20)))))
    assert (len(told), told[-1]) == (1 + 14 + 1, "  and 6 more: --json")


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
