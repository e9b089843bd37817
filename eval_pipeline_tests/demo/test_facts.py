import pytest

from eval_pipeline.demo.facts import Fact, show_value


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (10293, "USD millions", "10,293"),
        (-742, "USD millions", "(742)"),
        (3.5, "USD", "3.50"),
        (91.64, "%", "91.6%"),
        (45344, "count", "45,344"),
        (1.5, "per 200,000 hours", "1.50"),
    ],
)
def test_values_are_printed_as_reports_do(value, unit, shown):
    assert show_value(value, unit) == shown


def test_a_fact_that_is_not_shown_is_not_readable():
    fact = Fact(
        entity="A", scope="consolidated", metric="Revenue", period="2024-Q1", revision="original", value=1, unit="USD",
        shown=None,
    )  # fmt: skip
    assert not fact.is_readable
