import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.corpus.normalising import fold_entity
from eval_pipeline.corpus.periods import parse_period
from eval_pipeline.corpus.proposing.file_names import SPELLINGS, propose_entity, propose_period


def read(facet, name, paths):
    pattern = re.compile(facet.config.pattern.path)
    return [matched[name] if (matched := pattern.search(path)) else None for path in paths]


def periods_of(*paths):
    return [raw and parse_period(raw) for raw in read(propose_period(paths), "period", paths)]


def entities_of(*paths):
    return [raw and fold_entity(raw) for raw in read(propose_entity(paths), "entity", paths)]


@pytest.mark.parametrize(
    ("path", "period"),
    [
        ("pdfs/AMAZON_2019_10K.pdf", "2019"),
        ("MCDONALDS_2022Q4_EARNINGS.pdf", "2022Q4"),
        ("FOOTLOCKER_2022_8K_dated-2022-05-20.pdf", "2022"),
        ("gatesby-marine-2024-q2-amended.pdf", "2024Q2"),
        ("acme Q3-2024.pdf", "2024Q3"),
        ("acme_3Q24.pdf", "2024Q3"),
        ("acme_Q3_24.pdf", "2024Q3"),
        ("acme_FY24.pdf", "FY2024"),
        ("acme_FY2024-Q3.pdf", "FY2024Q3"),
        ("acme_2024-H1.pdf", "2024H1"),
        ("2021/acme.pdf", "2021"),
        ("acme-2024-09-30.pdf", "2024-09-30"),
        ("acme-2024-09.pdf", "2024-09"),
    ],
)
def test_periods_are_read_as_people_write_them(path, period):
    assert periods_of(path) == [period]


def test_a_number_that_is_no_year_is_none():
    assert propose_period(["scan20240930123.pdf", "10K.pdf", "form-1099.pdf"]) is None


def test_only_spellings_that_occur_are_written():
    pattern = propose_period(["a_2019.pdf", "b_2020.pdf", "c.pdf"]).config.pattern.path
    assert pattern == r"(?i)(?:^|[^A-Za-z0-9])(?P<period>(?:19|20)\d{2})(?![A-Za-z0-9])"


@given(st.lists(st.sampled_from(["2024", "2024Q3", "Q3-2024", "FY24", "FY2024Q1", "2024-09-30", "1H 2023", "none"])))
def test_the_short_pattern_finds_what_all_spellings_find(names):
    paths = [f"acme_{name}.pdf" for name in names]
    every = re.compile(f"(?i)(?:^|[^A-Za-z0-9])(?P<period>{'|'.join(SPELLINGS)})(?![A-Za-z0-9])")
    proposed = propose_period(paths)
    expected = [matched["period"] if (matched := every.search(path)) else None for path in paths]
    assert (read(proposed, "period", paths) if proposed else [None] * len(paths)) == expected


def test_entities_stand_before_the_period():
    assert entities_of("pdfs/AMAZON_2019_10K.pdf", "pdfs/FOOT_LOCKER_2022Q4.pdf") == ["amazon", "foot locker"]


def test_entities_stand_behind_the_period():
    assert entities_of("2019_ACME_10K.pdf", "2020_GLOBEX.pdf") == ["acme", "globex"]


def test_a_folder_tells_entities_apart_where_names_do_not():
    assert entities_of("acme/report_2019.pdf", "globex/report_2019.pdf") == ["acme", "globex"]


def test_without_a_period_the_first_word_counts():
    assert entities_of("acme_minutes.pdf", "globex_minutes.pdf") == ["acme", "globex"]


def test_names_without_any_sign_give_nothing():
    assert propose_entity(["minutes.pdf", "notes.pdf"]) is None
