import pytest

from eval_pipeline.demo.statements import (
    amount_of,
    balance_sheet,
    cash_flow_statement,
    income_statement,
    key_figures,
    segment_employees,
)
from eval_pipeline.demo.world import QUARTERS


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("quarter", QUARTERS)
def test_income_statement_adds_up(world, number, quarter):
    line = {line.metric: line.value for line in income_statement(world, world.company(number), quarter)}
    assert line["Revenue"] - line["Cost of revenue"] == line["Gross profit"]
    spent = line["Research and development"] + line["Selling, general and administrative"]
    assert line["Gross profit"] - spent == line["Operating income"]
    assert line["Operating income"] - line["Interest expense"] == line["Income before income taxes"]
    assert line["Income before income taxes"] - line["Income taxes"] == line["Net income"]
    assert min(line.values()) > 0


@pytest.mark.parametrize("number", range(6))
def test_cash_flow_adds_up_and_repeats_net_income(world, number):
    company, quarter = world.company(number), QUARTERS[4]
    line = {line.metric: line.value for line in cash_flow_statement(world, company, quarter)}
    assert line["Net income"] == amount_of(world, company, "Net income", quarter).value
    parts = ("Net cash from operating activities", "Net cash used in investing activities",
             "Net cash used in financing activities")  # fmt: skip
    assert sum(line[part] for part in parts) == line["Net change in cash"]
    assert line["Capital expenditure"] < 0


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("quarter", QUARTERS)
def test_both_sides_of_a_balance_sheet_are_equal(world, number, quarter):
    line = {line.metric: line.value for line in balance_sheet(world, world.company(number), quarter)}
    current = line["Cash and cash equivalents"] + line["Accounts receivable"] + line["Inventories"]
    assert line["Total current assets"] == current
    assert line["Total assets"] == current + line["Property, plant and equipment"] + line["Goodwill"]
    assert line["Total liabilities"] == line["Accounts payable"] + line["Long-term debt"]
    assert line["Total liabilities"] + line["Shareholders' equity"] == line["Total assets"]
    assert line["Total liabilities and equity"] == line["Total assets"]
    assert min(line.values()) > 0


@pytest.mark.parametrize("number", range(6))
def test_employees_of_segments_sum_to_the_key_figure(world, number):
    company, quarter = world.company(number), QUARTERS[3]
    counts = segment_employees(world, company, quarter)
    assert tuple(counts) == company.segments
    assert sum(counts.values()) == amount_of(world, company, "Employees", quarter).value
    assert min(counts.values()) > 0


def test_key_figures_are_six_with_units(world):
    lines = key_figures(world, world.company(1), QUARTERS[4])
    assert [line.unit for line in lines] == ["USD millions", "count", "count", "%", "%", "per 200,000 hours"]


def test_unknown_metric(world):
    with pytest.raises(KeyError, match="Goodwill"):
        amount_of(world, world.company(0), "Goodwill", QUARTERS[4])
