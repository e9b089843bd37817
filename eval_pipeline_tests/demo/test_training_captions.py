"""Captions ask for what the page shows, in words that name it."""

from eval_pipeline.demo.facts import Fact, PageTruth
from eval_pipeline.demo.training_captions import N_CAPTIONS, write_captions


def a_fact(metric: str, *, scope: str = "consolidated", shown: str | None = "1,204") -> Fact:
    return Fact(
        entity="Aldersgate Foods",
        scope=scope,
        metric=metric,
        period="2014-Q2",
        revision="original",
        value=1204,
        unit="USD millions",
        shown=shown,
    )


def a_page(layout: str, *facts: Fact, number: int = 3) -> PageTruth:
    return PageTruth(
        document="a.pdf",
        page=number,
        layout=layout,
        entity="Aldersgate Foods",
        period="2014-Q2",
        facts=facts,
        mentions=(),
    )


def test_a_chart_is_asked_for_by_metric_and_segment() -> None:
    page = a_page("bars", a_fact("Revenue"), a_fact("Revenue", scope="Bakery"))
    texts = write_captions(page, "Revenue", seed=1)
    assert len(texts) == N_CAPTIONS
    assert all("revenue" in text.lower() for text in texts)
    assert any("total revenue" in text for text in texts)
    assert any("Bakery segment revenue" in text for text in texts)


def test_some_name_company_and_quarter_and_some_do_not() -> None:
    page = a_page("trend", a_fact("Order backlog"))
    texts = [text for number in range(8) for text in write_captions(page, "Order backlog", seed=number)]
    plain = [text for text in texts if text.startswith("What was ")]
    assert "What was Aldersgate Foods' order backlog in Q2 2014?" in plain
    assert "What was the order backlog?" in plain
    assert 0.45 < sum("Aldersgate" in text for text in texts) / len(texts) < 0.75
    assert 0.45 < sum("2014" in text for text in texts) / len(texts) < 0.75
    assert any("second quarter of 2014" in text for text in texts)
    assert any("three months ended June 30, 2014" in text for text in texts)


def test_a_page_without_figures_is_named_by_what_it_is() -> None:
    assert all("sign" in text.lower() for text in write_captions(a_page("signatures"), None, seed=1))


def test_an_unknown_layout_is_named_by_its_key() -> None:
    assert all(
        text.startswith("organisation chart") for text in write_captions(a_page("organisation_chart"), None, seed=1)
    )


def test_values_that_cannot_be_read_are_not_asked_for_where_others_can() -> None:
    page = a_page("bars", a_fact("Revenue"), a_fact("Revenue", scope="Bakery", shown=None))
    assert not any("Bakery" in text for text in write_captions(page, "Revenue", seed=1))


def test_one_seed_one_list() -> None:
    page = a_page("bars", a_fact("Revenue"))
    assert write_captions(page, "Revenue", seed=1) == write_captions(page, "Revenue", seed=1)
    assert write_captions(page, "Revenue", seed=1) != write_captions(page, "Revenue", seed=2)


def test_strangers_stand_in_wherever_the_company_is_named_and_nothing_else_changes() -> None:
    page = a_page("trend", a_fact("Order backlog"))
    for number in range(4):
        own = write_captions(page, "Order backlog", seed=number)
        others = write_captions(page, "Order backlog", seed=number, strangers=("Bellweather Foods", "Calder Foods"))
        for text, other in zip(own, others, strict=True):
            assert "Aldersgate" not in other
            back = other.replace("Bellweather Foods", "Aldersgate Foods").replace("Calder Foods", "Aldersgate Foods")
            assert back == text
    named = [text for text in others if "Foods" in text]
    assert {text for text in named if "Bellweather" in text}
    assert {text for text in named if "Calder" in text}
