import re
from collections import defaultdict

import pytest

from eval_pipeline.demo.corpus import draw_demo
from eval_pipeline.demo.truth import read_truth
from eval_pipeline.foundation.errors import InputError


def files_below(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def committed(folder):
    return {name: data for name, data in files_below(folder).items() if not name.startswith("drawn/")}


def test_same_seed_same_bytes_and_another_seed_another_corpus(sixty, tmp_path):
    again = draw_demo(home=tmp_path / "again", n_pages=60)
    assert files_below(again.home) == files_below(sixty.home)
    other = draw_demo(home=tmp_path / "other", n_pages=60, seed=8)
    assert set(other.documents) != set(sixty.documents)


def test_the_committed_part_is_what_is_drawn_and_is_small(sixty, repository):
    here = committed(repository / "data" / "corpus")
    assert here == files_below(sixty.home / "corpus")
    assert sum(map(len, here.values())) < 1_000_000


def test_growing_keeps_the_committed_part_and_adds_beside_it(sixty, tmp_path):
    grown = draw_demo(home=tmp_path, n_pages=150)
    assert grown.n_pages == 150
    assert committed(tmp_path / "corpus") == files_below(sixty.home / "corpus")
    assert grown.metadata == ("corpus/metadata.csv", "corpus/drawn/metadata.csv")
    first = files_below(tmp_path / "corpus" / "drawn")
    draw_demo(home=tmp_path, n_pages=250)
    later = files_below(tmp_path / "corpus" / "drawn")
    cut = max(name for name in first if name.endswith(".pdf") and later[name] != first[name])
    assert {name for name in first if later[name] != first[name]} == {cut, "metadata.csv"}


def test_drawing_fewer_pages_again_removes_what_is_beyond(sixty, tmp_path):
    draw_demo(home=tmp_path, n_pages=120)
    draw_demo(home=tmp_path, n_pages=60)
    assert files_below(tmp_path) == files_below(sixty.home)


@pytest.mark.parametrize("n_pages", [12, 13, 40, 59, 60, 61, 77, 300])
def test_as_many_pages_as_asked_for(tmp_path, read_texts, n_pages):
    drawn = draw_demo(home=tmp_path, n_pages=n_pages)
    assert drawn.n_pages == n_pages == len(read_texts(drawn))
    assert drawn.n_documents == len(drawn.documents)


def test_too_few_pages(tmp_path):
    with pytest.raises(InputError, match="at least 12 pages, not 11"):
        draw_demo(home=tmp_path, n_pages=11)


def test_the_text_of_every_page_is_what_the_truth_says(truths, texts):
    assert set(truths) == set(texts)
    for place, truth in truths.items():
        numbers = set(re.findall(r"\(?\d[\d,]*\.?\d*%?\)?", texts[place]))
        for fact in truth.facts:
            if fact.is_readable:
                assert fact.shown in numbers, (place, fact)
            else:
                assert f"{round(abs(fact.value)):,}" not in numbers, (place, fact)
        assert truth.entity in texts[place]


def test_every_amount_on_a_page_is_a_fact(truths, texts):
    """Nothing with a thousands separator stands on a page that the truth does not know."""
    for place, truth in truths.items():
        printed = set(re.findall(r"\d{1,3}(?:,\d{3})+(?!\s*hours)", texts[place].replace("200,000", "")))
        known = {fact.shown.strip("()") for fact in truth.facts if fact.shown}
        assert printed <= known, place


def test_truth_is_kept_outside_the_corpus(sixty):
    assert sixty.truth == sixty.home / "truth" / "facts.jsonl"
    names = set(files_below(sixty.home / "corpus"))
    assert not [name for name in names if "truth" in name or "facts" in name or name.endswith((".json", ".jsonl"))]


def test_at_least_eight_layouts(truths):
    assert {truth.layout for truth in truths.values()} == {
        "bars", "cash_flow", "cover", "income_statement", "key_figures", "review_report", "risks", "signatures",
        "summary", "trend",
    }  # fmt: skip


def test_bars_hold_three_metrics_of_three_companies_in_three_quarters(truths):
    cube = defaultdict(set)
    for truth in truths.values():
        if truth.layout == "bars" and truth.facts[0].revision == "original":
            cube[truth.entity, truth.period].add(truth.facts[0].metric)
    assert len(cube) == 9
    assert all(len(metrics) == 3 for metrics in cube.values())


def test_twelve_pages_have_a_sibling_on_every_axis(tmp_path):
    drawn = draw_demo(home=tmp_path, n_pages=12)
    bars = [truth for truth in read_truth(drawn.truth).values() if truth.layout == "bars"]
    places = {(truth.entity, truth.period, truth.facts[0].metric) for truth in bars}
    assert len(places) == len(bars) == 8
    for axis in range(3):
        for place in places:
            rest = place[:axis] + place[axis + 1 :]
            assert any(other != place and other[:axis] + other[axis + 1 :] == rest for other in places)


def test_a_fact_that_is_repeated_has_one_value_unless_it_is_restated(truths):
    values = defaultdict(set)
    for truth in truths.values():
        for fact in truth.facts:
            values[fact.entity, fact.scope, fact.metric, fact.period, fact.revision].add(abs(fact.value))
    assert all(len(found) == 1 for found in values.values())
    restated = {place[:4] for place in values if place[4] == "restated"}
    assert ("Gatesby Marine", "consolidated", "Revenue", "2024-Q2") in restated
    differing = [place for place in restated if values[*place, "original"] != values[*place, "restated"]]
    assert {place[1] for place in differing} == {"consolidated", "Ferries"}


def test_copies_are_equal_bytes(sixty):
    first = (sixty.home / "corpus/gatesby-marine-2024-q2-amended.pdf").read_bytes()
    assert first == (sixty.home / "corpus/scan-of-gatesby-marine-2024-q2-amended.pdf").read_bytes()
