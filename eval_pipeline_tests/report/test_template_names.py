"""Templates are called by what their pages share."""

import json

from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.report.template_names import NamedPage, name_templates, short_id


def a_page(template_id, text="", **facets):
    return NamedPage(template_id=template_id, facets=json.dumps(facets), text=text)


PAGES = [
    *(
        a_page("tpl_aaaaaaaaaa", f"{who}\nStatement", metric="cash flow", entity=who)
        for who in ("acme", "bolt", "core")
    ),
    *(
        a_page("tpl_bbbbbbbbbb", f"{who} Three months ended June 30, 2024\nQuarterly report\nRisk factors", entity=who)
        for who in ("acme", "bolt", "core")
    ),
    a_page("tpl_cccccccccc", "acme\nQuarterly report\nRevenue by segment", metric="revenue", entity="acme"),
    a_page("tpl_cccccccccc", "acme\nQuarterly report\nOperating income", metric="operating income", entity="acme"),
    a_page("tpl_cccccccccc", "bolt\nQuarterly report\nCapital", metric="capital expenditure", entity="bolt"),
    a_page("tpl_dddddddddd", ""),
    a_page("tpl_eeeeeeeeee", "Quarterly report", metric="order backlog"),
]


def test_a_facet_then_a_line_of_its_own_then_the_commonest_metrics_then_nothing():
    assert name_templates(PAGES) == {
        "tpl_aaaaaaaaaa": "cash flow (aaaaaa)",
        "tpl_bbbbbbbbbb": "risk factors (bbbbbb)",
        "tpl_cccccccccc": "capital expenditure, operating income and 1 more (cccccc)",
        "tpl_dddddddddd": "template (dddddd)",
        "tpl_eeeeeeeeee": "order backlog (eeeeee)",
    }


@given(st.permutations(PAGES))
def test_the_order_of_pages_leaves_no_trace(pages):
    assert name_templates(pages) == name_templates(PAGES)


def test_long_names_are_cut():
    name = name_templates([a_page("tpl_ffffffffff", metric="a" * 90)])["tpl_ffffffffff"]
    assert name == f"{'a' * 47}… (ffffff)"


def test_short_ids_leave_out_the_prefix():
    assert short_id("tpl_0123456789") == "012345"
