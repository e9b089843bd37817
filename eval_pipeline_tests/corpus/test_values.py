from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.corpus.values import FacetReader, build_facet
from eval_pipeline.foundation.config import FacetConfig
from eval_pipeline.foundation.errors import ConfigError


def a_facet(name: str = "period", **config: Any) -> FacetReader:
    return build_facet(name=name, config=FacetConfig(**config), home=Path())


def test_columns_come_first_then_text_then_path() -> None:
    facet = a_facet("metric", column="metric", pattern={"text": r"^(?P<metric>Revenue|Capex)\b", "path": r"(\w+)\.pdf"})
    text = "Annual report\nCapex for the year"
    assert facet.find(values={"metric": "Headcount"}, text=text, path="x/debt.pdf").raw == "Headcount"  # type: ignore[union-attr]
    assert facet.find(values={}, text=text, path="x/debt.pdf").raw == "Capex"  # type: ignore[union-attr]
    assert facet.find(values={}, text="", path="x/debt.pdf").raw == "debt"  # type: ignore[union-attr]
    assert facet.find(values={}, text="", path="x/debt.png") is None


def test_a_pattern_without_groups_gives_its_match_and_an_empty_match_nothing() -> None:
    facet = a_facet("year", pattern={"path": r"20\d\d|$"})
    assert facet.find(values={}, text="", path="r_2024.pdf").raw == "2024"  # type: ignore[union-attr]
    assert facet.find(values={}, text="", path="r.pdf") is None


def test_joined_columns_pass_over_missing_values() -> None:
    facet = a_facet(columns=["fiscal_year", "fiscal_quarter"], parse="period")
    for values, raw, normal in (
        ({"fiscal_year": "2022", "fiscal_quarter": "4"}, "2022 4", "FY2022Q4"),
        ({"fiscal_year": "2022"}, "2022", "FY2022"),
        ({"fiscal_year": "2022", "fiscal_quarter": "Q4"}, "2022 Q4", "FY2022Q4"),
        ({"fiscal_quarter": "4"}, "4", None),
    ):
        found = facet.find(values=values, text="", path="")
        assert found is not None
        assert found.raw == raw
        assert facet.normalise(raw, values=values) == normal
    assert facet.find(values={"other": "x"}, text="", path="") is None


def test_a_calendar_column_stays_calendar() -> None:
    facet = a_facet(columns=["year", "quarter"], parse="period")
    assert facet.normalise("2022 4", values={"year": "2022", "quarter": "4"}) == "2022Q4"
    assert a_facet(column="period", parse="period").normalise("2022", values={"period": "2022"}) == "2022"


def test_the_fiscal_year_of_the_entity_counts() -> None:
    facet = a_facet(column="p", parse="period", fiscal_year_end={"default": "12-31", "Costco Wholesale Corp.": "08-31"})
    text = "three months ended November 30, 2020"
    assert facet.normalise(text, entity="costco wholesale") == "FY2021Q1"
    assert facet.normalise("2020Q4", entity="acme") == "FY2020Q4"
    assert facet.normalise("2020Q4") == "FY2020Q4"


@pytest.mark.parametrize(
    ("parse", "raw", "normal"),
    [
        ("verbatim", " Revenue ", " Revenue "),
        ("text", " Revenue ", "revenue"),
        ("text", "Sales", "revenue"),
        ("text", "turnover", "revenue"),
        ("entity", "Revenue, Inc.", "revenue"),
        ("text", " \u200b", None),
        ("period", "latest", "FY2024"),
        ("number", "1,200.0", "1200"),
        ("number", "1,5", None),
    ],
)
def test_normalise_folds_and_takes_synonyms(parse: str, raw: str, normal: str | None) -> None:
    synonyms = {"FY2024": ["Latest"]} if parse == "period" else {"Revenue": ["Sales", "Turnover"]}
    assert a_facet("metric", column="m", parse=parse, synonyms=synonyms).normalise(raw) == normal


def test_verbatim_keeps_two_compositions_apart() -> None:
    facet = a_facet("revision", column="r", parse="verbatim")
    assert facet.normalise("e\u0301") != facet.normalise("é")


@pytest.mark.parametrize(
    ("config", "key"),
    [
        ({"pattern": {"text": "("}}, "facets.period.pattern.text"),
        ({"pattern": {"path": "["}}, "facets.period.pattern.path"),
        ({"fiscal_year_end": {"Acme": "06-15"}}, "facets.period.fiscal_year_end.Acme"),
        ({"synonyms": {"A": ["X"], "B": ["X"]}}, "facets.period.synonyms"),
    ],
)
def test_a_wrong_declaration_names_its_key(config: dict[str, Any], key: str) -> None:
    with pytest.raises(ConfigError, match=key) as caught:
        a_facet(**config)
    assert caught.value.key == key
