import pytest

from eval_pipeline.corpus.proposing.facet_columns import parsed_share, propose_columns


def propose(rows, home, taken=()):
    columns = list(dict.fromkeys(name for row in rows for name in row))
    return propose_columns(columns=columns, rows=rows, taken=frozenset(taken), home=home)


def test_names_of_columns_decide(tmp_path):
    rows = [{"Company": "Acme", "Metric": "revenue", "fiscal_period": "FY24 Q3", "year": "2024"}]
    found = propose(rows, tmp_path)
    assert {name: (one.config.column, one.config.parse) for name, one in found.items()} == {
        "entity": ("Company", "entity"),
        "metric": ("Metric", "text"),
        "period": ("fiscal_period", "period"),
    }


def test_year_and_quarter_go_together(tmp_path):
    rows = [{"fiscal_year": "2023"}, {"fiscal_year": "2024", "fiscal_quarter": "2"}]
    assert propose(rows, tmp_path)["period"].config.columns == ("fiscal_year", "fiscal_quarter")


def test_a_column_called_period_that_holds_none_gives_way(tmp_path):
    rows = [{"period": "audited", "report_date": "2024-09-30"}, {"period": "draft", "report_date": "2024-06-30"}]
    assert propose(rows, tmp_path)["period"].config.column == "report_date"


@pytest.mark.parametrize("column", ["period_end", "as_of", "as of date", "Report Date", "fiscal year end", "date"])
def test_dates_are_known_by_many_names(tmp_path, column):
    assert propose([{column: "2024-09-30"}], tmp_path)["period"].config.column == column


def test_half_of_the_values_parse(tmp_path):
    rows = [{"p": "2024"}, {"p": "soon"}, {}]
    assert parsed_share(("p",), rows, tmp_path) == 0.5
    assert parsed_share(("q",), rows, tmp_path) == 0.0


def test_short_words_that_repeat_are_guessed_to_be_entities(tmp_path):
    rows = [{"ok": "true", "nr": str(n), "who": name} for n, name in enumerate(["Acme", "Acme", "Globex", "Globex"])]
    found = propose(rows, tmp_path)
    assert (found["entity"].config.column, found["entity"].is_guess) == ("who", True)


def test_taken_and_empty_columns_are_passed_over(tmp_path):
    assert propose([{"entity": "", "company": "Acme"}], tmp_path, taken=["company"]) == {}
