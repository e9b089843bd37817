"""The page as a whole, read back."""

import itertools
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.foundation.tables.labels import GRADES
from eval_pipeline.labels.agreement import Agreement, Figure
from eval_pipeline.negatives.coverage import AxisCoverage
from eval_pipeline.report.building import build_report
from eval_pipeline.report.two_columns import NO_DIFFERENCE
from eval_pipeline_tests.report.conftest import (
    FUNNEL,
    a_card,
    a_corpus,
    a_figure,
    a_report,
    a_sheet,
    a_task,
    an_example,
    body_text,
    draw_page,
    read_html,
    some_figures,
)

NASTY = "<script>alert('x')</script> \"quoted\" & 100%25 #1? a+b {{ 7*7 }} {% raw %} </style> ]]> \u202egnp"
QUARANTINE = ["source_path", "place", "reason", "next_step"]


def a_full_report():
    quarantine = pl.DataFrame([("locked.pdf", "", "password required", "give a copy")], schema=QUARANTINE, orient="row")
    return a_report(
        a_task(examples=(an_example(),)),
        templates=(a_sheet(),),
        corpus=a_corpus(quarantine=quarantine, n_quarantined=1),
    )


def test_the_page_is_one_file_that_asks_nothing_of_the_network():
    page = read_html(build_report(a_full_report()))
    assert page.find_all("script") == []
    for element in page.walk():
        for name in ("src", "href"):
            link = element.attributes.get(name, "#")
            assert link.startswith(("#", "data:")), link
        assert not [name for name in element.attributes if name.startswith("on")]
        assert "style" not in element.attributes
    style = page.find_all("style")[0].text
    assert "url(" not in style
    assert "@import" not in style
    policy = page.find_all("meta", **{"http-equiv": "Content-Security-Policy"})[0].attributes["content"]
    assert "default-src 'none'" in policy


def test_the_page_has_one_title_and_headings_without_gaps():
    page = read_html(build_report(a_full_report()))
    assert page.find_all("html")[0].attributes["lang"] == "en"
    levels = [int(each.tag[1]) for each in page.walk() if re.fullmatch(r"h[1-6]", each.tag)]
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_tables_pictures_and_charts_can_be_read_aloud():
    page = read_html(build_report(a_full_report()))
    for table in page.find_all("table"):
        assert table.find_all("caption")[0].text
        assert all(head.attributes.get("scope") for head in table.find_all("th"))
    assert all(image.attributes["alt"] for image in page.find_all("img"))
    for chart in page.find_all("svg"):
        assert chart.attributes.get("aria-label") or chart.attributes.get("aria-hidden") == "true"
    for region in page.find_all("div", role="region"):
        assert region.attributes["aria-label"]


def test_ids_are_unique_and_links_lead_somewhere():
    page = read_html(build_report(a_full_report()))
    ids = [each.attributes["id"] for each in page.walk() if "id" in each.attributes]
    assert len(ids) == len(set(ids))
    for link in page.find_all("a"):
        assert link.attributes["href"].removeprefix("#") in ids
    for section in page.find_all("section"):
        assert section.attributes["aria-labelledby"] in ids


def test_sections_stand_in_order():
    headings = [each.text for each in read_html(build_report(a_full_report())).walk() if each.tag in ("h2", "h3")]
    assert [text for text in headings if "template" not in text and "tpl_" not in text] == [
        "quarterly-evidence",
        "Two tests of the same retrievers",
        "What stands in the way",
        "Retrievers between their controls",
        "Slices",
        "From written to well posed",
        "Who labelled, and how far they agree",
        "Where lost questions were lost",
        "Questions in pictures",
        "Every figure and its id",
        "Templates",
        "What intervals do not cover",
        "Corpus and quarantine",
    ]


def test_the_two_columns_are_never_subtracted():
    text = body_text(build_report(a_full_report()))
    assert text.count(NO_DIFFERENCE) >= 2
    assert "0.72" not in text  # 0.93 - 0.21, by eye


def test_every_figure_of_the_whole_set_is_listed_with_its_command():
    text = body_text(build_report(a_full_report()))
    for metric_id in some_figures().filter(pl.col("n_scored") > 0)["metric_id"]:
        assert f"eval-pipeline trace {metric_id}" in text
    assert "eval-pipeline trace rcp_1" in text
    assert "eval-pipeline trace q_1" in text


def test_a_thousand_templates_stay_a_page_that_can_be_read():
    rows = [
        a_figure(
            variant,
            "siblings",
            "sufficient@1",
            0.4,
            slice="template",
            slice_value=f"tpl_{number:020x}",
            n_scored=number,
        )
        for number in range(1, 1001)
        for variant in ("image", "hybrid")
    ]
    figures = pl.concat([some_figures(), pl.DataFrame(rows, infer_schema_length=None)], how="vertical_relaxed")
    html = build_report(a_report(a_task(figures=figures)))
    assert len(html) < 300_000
    assert "and 988 more values with fewer questions" in body_text(html)


def test_what_came_back_is_open_for_the_first_question_and_folded_for_the_others():
    page = read_html(build_report(a_report(a_task(examples=(an_example(), an_example(question_id="q_2"))))))
    folded = page.find_all("details", **{"class": "came-back"})
    assert ["open" in each.attributes for each in folded] == [True, False]


def test_low_coverage_of_facets_is_a_stamp_and_any_coverage_is_told():
    low = AxisCoverage(n_units=10, missing={"period": 0, "metric": 4}, n_incomplete=4)
    text = body_text(build_report(a_report(a_task(), corpus=a_corpus(coverage=low))))
    assert "Many pages lack facets. 4 of 10 pages (40%) lack a declared facet" in text
    assert "period 0% missing, metric 40% missing" in text
    high = AxisCoverage(n_units=10, missing={"period": 0, "metric": 1}, n_incomplete=1)
    text = body_text(build_report(a_report(a_task(), corpus=a_corpus(coverage=high))))
    assert "Many pages lack facets" not in text
    assert "Facets: 1 of 10 pages (10%) lack a declared facet" in text


def test_a_reviewer_that_stands_in_is_not_called_a_person():
    certain = Figure(value=0.9)
    agreement = Agreement(
        n_pairs=9,
        n_questions=60,
        raw=certain,
        low=certain,
        high=certain,
        kappa=certain,
        boundary=certain,
        table=dict.fromkeys(itertools.product(GRADES, repeat=2), 1),
    )
    text = body_text(build_report(a_report(a_task(agreement=agreement, audited_by=("generator-truth",)))))
    assert "Stand-in reviewer (generator-truth) said" in text
    assert "Person said" not in text


def test_what_intervals_do_not_cover_is_listed():
    terms = [each.text for each in read_html(build_report(a_full_report())).find_all("dt")]
    assert terms[:4] == ["Annotation", "Leakage", "Shift", "A measure chosen late"]


def test_a_missing_value_prints_its_reason():
    html = build_report(a_full_report())
    text = body_text(html)
    assert "no value: not in this arena" in text
    assert "No question counts in revision (no value: no questions)." in text
    assert not re.search(r"\b(NaN|nan|None|inf)\b", text)


def test_same_inputs_same_bytes_and_no_clock(tmp_path):
    picture = draw_page(tmp_path / "page.png", title="Revenue", bars=(20, 30))
    data = a_report(a_task(examples=(an_example(gold=a_card("u_gold", picture=picture)),)))
    first = build_report(data)
    assert build_report(data) == first
    later = build_report(replace(data, made_at_utc=data.made_at_utc + timedelta(days=1)))
    assert later.replace("2025-03-05", "2025-03-04") == first


def test_a_time_outside_utc_is_refused():
    with pytest.raises(ValueError, match="give a time in UTC"):
        build_report(a_report(made_at_utc=datetime(2025, 1, 1, tzinfo=timezone(timedelta(hours=2)))))
    assert "2025-01-01 00:00 UTC" in build_report(a_report(made_at_utc=datetime(2025, 1, 1, tzinfo=UTC)))


def test_nasty_text_stays_text(tmp_path):
    picture = draw_page(tmp_path / "100%25 sure #1? 'a'+b & \"c\".png", title="x", bars=(1,))
    card = a_card(
        "u_gold", picture=picture, caption=NASTY, source=NASTY, receipt_id=NASTY, axis=NASTY, grade="irrelevant"
    )
    example = an_example(text=NASTY, gold=card, negatives=(card,), returned={NASTY: (card,)}, slice=NASTY)
    figures = some_figures().with_columns(
        slice_value=pl.when(pl.col("slice_value") == "period").then(pl.lit(NASTY)).otherwise("slice_value"),
        variant=pl.when(pl.col("variant") == "image").then(pl.lit(NASTY)).otherwise("variant"),
    )
    quarantine = pl.DataFrame([(NASTY,) * 4], schema=QUARANTINE, orient="row")
    html = build_report(
        a_report(
            a_task(
                contract={"task": NASTY, "questions": {"slice": NASTY}},
                figures=figures,
                examples=(example,),
                agreement=NASTY,
                funnel=FUNNEL | {NASTY: 3},
                stamps=(NASTY,),
                variant_encoders={NASTY: NASTY},
            ),
            project=NASTY,
            stamps=(NASTY,),
            corpus=a_corpus(quarantine=quarantine, encoder=NASTY, is_trained=False),
            templates=(a_sheet(template_id=NASTY, cards=(card,)),),
        )
    )
    page = read_html(html)
    assert page.find_all("script") == []
    assert page.find_all("h1")[0].text == " ".join(NASTY.split())
    assert page.find_all("title")[0].text.startswith(" ".join(NASTY.split()))
    assert all(image.attributes["src"].startswith("data:image/webp;base64,") for image in page.find_all("img"))
    assert "{{ 7*7 }}" in page.find_all("h4")[-1].text


def test_case_lab_05_pictures_of_any_name_show(case_files):
    names = sorted(case_files.glob("LAB-05_*.png"))
    assert len(names) == 4
    cards = tuple(a_card(f"u_{n}", picture=path, source=path.name, rank=n) for n, path in enumerate(names, start=1))
    page = read_html(build_report(a_report(a_task(examples=(an_example(returned={"image": cards}),)))))
    shown = page.find_all("ol")[0]
    assert [image.attributes["src"].partition(",")[0] for image in shown.find_all("img")] == [
        "data:image/webp;base64"
    ] * 4
    assert [source.text for source in shown.find_all("span", class_="source")] == [path.name for path in names]


def test_case_man_08_no_questions_say_nothing_to_evaluate():
    empty = a_task(figures=some_figures().clear(), funnel={"written": 0, "main": 0})
    for report in (a_report(), a_report(empty)):
        text = body_text(build_report(report))
        assert "nothing to evaluate" in text.lower()
        assert not re.search(r"\b(NaN|nan|None)\b", text)


def test_one_empty_task_beside_a_full_one():
    empty = a_task(contract={"task": "empty"}, figures=some_figures().clear(), funnel={})
    page = read_html(build_report(a_report(empty, a_task())))
    assert "Nothing to evaluate" in [each.text for each in page.find_all("h3")]
    assert page.find_all("p", class_="lead")[0].text.startswith("Against random pages")


def test_an_untrained_encoder_is_marked_wherever_it_is_named():
    text = body_text(build_report(a_report(a_task(), corpus=a_corpus(is_trained=False))))
    assert text.count("page-clip") == text.count("page-clip (untrained)") > 3


def test_stamps_stand_at_the_top_and_on_every_table():
    task = a_task(stamps=("negatives can be told apart by look",))
    page = read_html(build_report(a_report(task, stamps=("a check failed",))))
    notes = [each.text for each in page.find_all("p", role="note")]
    assert notes[0] == "Stamped. a check failed"
    assert notes[1].endswith("negatives can be told apart by look")
    for table in page.find_all("table", class_="two"):
        assert "negatives can be told apart by look" in table.find_all("caption")[0].text


def test_a_long_quarantine_is_cut_and_counted():
    rows = [(f"{n:03}.pdf", "", "too slow", "split it") for n in range(230)]
    corpus = a_corpus(n_quarantined=230, quarantine=pl.DataFrame(rows, schema=QUARANTINE, orient="row"))
    text = body_text(build_report(a_report(a_task(), corpus=corpus)))
    assert "199.pdf" in text
    assert "200.pdf" not in text
    assert "30 further rows" in text


def test_a_refused_file_says_what_to_do():
    rows = read_html(build_report(a_full_report())).find_all("tr")
    assert [cell.text for cell in rows[-1].children] == ["locked.pdf", "whole file", "password required", "give a copy"]


@given(st.text(st.characters(codec=None), max_size=40))
@settings(max_examples=25, deadline=None)
def test_any_text_gives_a_page_that_can_be_stored(text):
    html = build_report(a_report(project=f"p{text}"))
    html.encode("utf-8")
    assert read_html(html).find_all("h1")[0].text.startswith("p")
    assert not set(html) & {chr(code) for code in (*range(9), 11, 12, *range(14, 32), 127)}


def test_what_people_named_as_evidence_is_called_so_and_labels_say_why():
    given_ = an_example(
        is_given=True,
        verdict="answerable from distractor on axis=period",
        more_gold=(a_card("u_more"),),
        negatives=(
            a_card("u_1", axis="period", rank=1, grade="sufficient", author_kind="judge", reason="It says 2017."),
        ),
    )
    text = body_text(build_report(a_report(a_task(examples=(given_,)))))
    assert "What people named as evidence" in text
    assert "The page that it was written from" not in text
    assert "u_more.pdf p. 3" in text
    assert "slice main · answerable from distractor on axis=period · eval-pipeline trace q_1" in text
    assert "It says 2017." in text
    assert "The page that it was written from" in body_text(build_report(a_report(a_task(examples=(an_example(),)))))
