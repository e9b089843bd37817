"""Sampling of pages and caps."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from eval_pipeline.foundation.config import QuestionsConfig
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import PageContent
from eval_pipeline.foundation.tables.views import MEMBER
from eval_pipeline.questions.writing import (
    interchangeable_settings,
    may_be_cut,
    paid_writers,
    quota_of,
    settings_id_of,
    write_candidates,
)
from eval_pipeline_tests.scripted_endpoint import Scripted, ScriptedEndpoint, Shown, completion, fails


def a_config(**sample: int) -> QuestionsConfig:
    return QuestionsConfig.model_validate({"sample": sample})


def members_of(units: Sequence[tuple[str, str]], *, quality: str = "good") -> pl.DataFrame:
    rows: list[dict[str, Any]] = [
        dict.fromkeys(MEMBER.schema, "x")
        | {
            "unit_id": unit,
            "template_id": template,
            "page_number": 1,
            "text_quality": quality,
            "members_hash": f"m-{template}",
        }
        for unit, template in units
    ]
    return pl.DataFrame(rows, schema={**MEMBER.schema, "members_hash": pl.String})


def pages_of(unit_ids: Sequence[str]) -> dict[str, PageContent]:
    return {
        unit: PageContent(
            unit_id=unit,
            text=f"{unit.title()} Corp.\nQ3 2024\nRevenue 5{unit[1:]}\nBacklog 7\nNet income 3",
            text_quality="good",
        )
        for unit in unit_ids
    }


def write(units: Sequence[tuple[str, str]], *, n_templates: int = 1, **sample: int) -> StageOutput:
    config = a_config(**sample)
    return write_candidates(members=members_of(units), pages=pages_of, config=config, n_templates=n_templates)


def gold_units(output: StageOutput) -> set[str]:
    return set(output.tables["questions.question_gold"]["unit_id"])


UNITS = [(f"u{number}", "t1") for number in range(12)]


def test_rows_fit_together() -> None:
    output = write([*UNITS, ("v1", "t2")], per_template=3, max=100)
    questions, candidates = output.tables["questions.question"], output.tables["questions.candidate_question"]
    assert questions["origin"].unique().to_list() == ["written"]
    assert set(candidates["question_id"]) == set(questions["question_id"])
    by_template = {row["template_id"]: row for row in output.tables["questions.sampled_template"].to_dicts()}
    assert (by_template["t1"]["n_pages"], by_template["t1"]["n_questions"]) == (3, 6)
    assert (by_template["t2"]["n_pages"], by_template["t2"]["n_questions"]) == (1, 2)
    probability = dict(candidates.select("template_id", "inclusion_probability").unique().iter_rows())
    assert probability == {"t1": pytest.approx(3 / 12), "t2": 1.0}
    assert len(gold_units(output)) == 4


def test_the_cap_is_spread_over_templates_and_pages_come_before_second_questions() -> None:
    output = write(UNITS, per_template=5, max=8, n_templates=2)
    assert output.tables["questions.question"].height == 4
    assert len(gold_units(output)) == 4
    assert quota_of(a_config(max=500), 24) == 20
    assert quota_of(a_config(max=3), 24) == 1
    assert quota_of(a_config(max=0), 24) == 0


def test_a_cap_of_nothing_writes_nothing_and_says_so() -> None:
    output = write(UNITS, per_template=0, max=10)
    assert output.tables["questions.question"].height == 0
    assert output.tables["questions.sampled_template"].height == 1


def test_unreadable_pages_are_left_out_and_counted() -> None:
    members = pl.concat([members_of(UNITS[:2]), members_of([("u9", "t1"), ("u8", "t1")], quality="garbled")])
    output = write_candidates(members=members, pages=pages_of, config=a_config(), n_templates=1)
    assert gold_units(output) == {"u0", "u1"}
    assert output.summary["n_unreadable"] == 2
    only_scans = members_of([("u9", "t1")], quality="missing")
    output = write_candidates(members=only_scans, pages=pages_of, config=a_config(), n_templates=1)
    assert output.tables["questions.sampled_template"].height == 1
    assert output.tables["questions.question"].height == 0


@given(numbers=st.sets(st.integers(0, 60), min_size=1, max_size=25), extra=st.integers(61, 80))
def test_a_page_that_arrives_takes_at_most_one_place(numbers: set[int], extra: int) -> None:
    before = gold_units(write([(f"u{number}", "t1") for number in numbers], per_template=4, max=500))
    after = gold_units(write([(f"u{number}", "t1") for number in [*numbers, extra]], per_template=4, max=500))
    assert len(before - after) <= 1
    assert after - before <= {f"u{extra}"}


def test_order_of_members_does_not_matter() -> None:
    forward, backward = write(UNITS, per_template=4), write(UNITS[::-1], per_template=4)
    for name, frame in forward.tables.items():
        assert frame.equals(backward.tables[name]), name


def test_settings_id_changes_with_sample_writers_and_quota() -> None:
    base = settings_id_of(a_config(), 1)
    assert base == settings_id_of(a_config(), 1)
    assert base != settings_id_of(a_config(seed=5), 1)
    assert base != settings_id_of(a_config(), 100)
    assert base != settings_id_of(QuestionsConfig.model_validate({"writers": [{"type": "rules", "per_page": 1}]}), 1)


def test_a_question_lists_every_axis_that_its_text_names_whatever_is_declared() -> None:
    questions = write(UNITS, per_template=12, max=100).tables["questions.question"]
    for row in questions.iter_rows(named=True):
        named = json.loads(row["named_axes"])
        assert ("entity" in named) == (not row["text"].startswith(("What was the ", "What were the "))), row["text"]
        assert ("period" in named) == ("Q3 2024" in row["text"]), row["text"]
        assert named == sorted(named)
    assert any("entity" in row for row in questions["named_axes"])


def test_settings_that_differ_in_the_quota_only_are_known_with_their_quota() -> None:
    config = a_config(max=9)
    known = interchangeable_settings(config)
    assert known["quota"].to_list() == [1, 2, 3, 4, 9]  # what 1 to 9 templates leave of 9
    by_quota = dict(known.select("quota", "settings_id").iter_rows())
    for n_templates in (1, 2, 3, 4, 5, 9, 40):
        assert by_quota[quota_of(config, n_templates)] == settings_id_of(config, n_templates)
    other = interchangeable_settings(a_config(max=9, seed=1))
    assert set(other["settings_id"]).isdisjoint(known["settings_id"])
    assert interchangeable_settings(a_config(max=0))["quota"].to_list() == [0]


@given(n_units=st.integers(1, 8), one=st.integers(1, 20), other=st.integers(1, 20))
def test_a_sample_that_no_quota_cuts_is_the_same_under_all(n_units: int, one: int, other: int) -> None:
    """On this rests that a template which did not change keeps its questions when others come and go."""
    units = UNITS[:n_units]
    first, second = (write(units, per_template=5, max=60, n_templates=n) for n in (one, other))
    n_questions = first.tables["questions.question"].height
    if n_questions < quota_of(a_config(max=60), one) and n_questions <= quota_of(a_config(max=60), other):
        assert first.tables["questions.question"].equals(second.tables["questions.question"])


@pytest.mark.parametrize(
    ("n_units", "quota", "expected"), [(3, 6, False), (3, 5, True), (30, 40, False), (30, 39, True)]
)
def test_a_template_may_be_cut_where_two_questions_a_sampled_page_are_more_than_the_quota(
    n_units: int, quota: int, *, expected: bool
) -> None:
    assert may_be_cut(a_config(per_template=20), sizes=[n_units], quota=quota) == [expected]


def test_a_writer_without_a_limit_may_always_be_cut() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("eval_pipeline.questions.writing.build_writers", lambda _: (Talkative(),))
        assert may_be_cut(a_config(), sizes=[1, 2], quota=500) == [True, True]


class Talkative:
    """Says as much as it likes."""

    writer_id = "talkative/1"


def a_paid_config(base_url: str, **more: Any) -> QuestionsConfig:
    writer = {"type": "vlm", "base_url": base_url, "model": "m", "sees": ["text"], "retries": 0, **more}
    return QuestionsConfig.model_validate({"sample": {"per_template": 3, "max": 100}, "writers": [writer]})


def write_page(shown: Shown) -> Scripted:
    title = next(iter(shown.pages.values())).splitlines()[0]
    item = {"question": f"What was {title}'s backlog?", "answer": "7", "evidence": "Backlog 7", "named": []}
    return completion(json.dumps({"page_id": shown.page_id, "questions": [item]}))


def test_a_paid_writer_is_asked_once_a_page_and_again_only_for_new_pages(endpoint: ScriptedEndpoint) -> None:
    endpoint.script = lambda shown, _: write_page(shown)
    config = a_paid_config(endpoint.base_url)
    first = write_candidates(members=members_of(UNITS), pages=pages_of, config=config, n_templates=1)
    assert endpoint.n_requests == 3
    assert first.tables["questions.question"].height == 3
    assert first.tables["questions.question"]["writer"].unique().to_list() == paid_writers(config)["writer"].to_list()
    assert (first.summary["n_asked"], first.summary["n_tokens"], first.summary["n_waiting"]) == (3, 3150, 0)
    known = first.tables["questions.written_page"]
    grown = members_of([*UNITS, *((f"u{number}", "t1") for number in range(20, 40))])
    again = write_candidates(members=grown, pages=pages_of, config=config, n_templates=1, known=known)
    assert endpoint.n_requests == 3 + again.tables["questions.written_page"].height
    kept = gold_units(first) & gold_units(again)
    assert len(gold_units(again)) == 3
    assert again.tables["questions.written_page"].height == 3 - len(kept)


def test_a_template_with_a_page_that_waits_comes_later_and_whole(endpoint: ScriptedEndpoint) -> None:
    bad = {"on": True}
    endpoint.script = lambda shown, _: fails(500) if bad["on"] and "U1 Corp" in str(shown.pages) else write_page(shown)
    config = a_paid_config(endpoint.base_url)
    members = members_of([("u1", "t1"), ("u2", "t1"), ("v1", "t2")])
    first = write_candidates(members=members, pages=pages_of, config=config, n_templates=2)
    assert first.tables["questions.sampled_template"]["template_id"].to_list() == ["t2"]
    assert (first.summary["n_waiting"], first.summary["failures"]) == (1, "server error 1")
    assert gold_units(first) == {"v1"}
    bad["on"] = False
    n_before, known = endpoint.n_requests, first.tables["questions.written_page"]
    again = write_candidates(members=members, pages=pages_of, config=config, n_templates=2, known=known)
    assert endpoint.n_requests == n_before + 1
    assert gold_units(again) == {"u1", "u2", "v1"}


def test_no_more_pages_are_paid_for_than_there_may_be_questions(endpoint: ScriptedEndpoint) -> None:
    endpoint.script = lambda shown, _: write_page(shown)
    config = a_paid_config(endpoint.base_url)
    output = write_candidates(members=members_of(UNITS), pages=pages_of, config=config, n_templates=60)
    assert (endpoint.n_requests, output.tables["questions.question"].height) == (1, 1)


def test_a_reader_of_pictures_also_gets_pages_without_text(endpoint: ScriptedEndpoint, tmp_path: Path) -> None:
    picture = tmp_path / "p.png"
    Image.new("RGB", (900, 700), "white").save(picture)
    endpoint.script = lambda shown, _: completion('{"questions": []}')

    def pages(unit_ids: Sequence[str]) -> dict[str, PageContent]:
        return {unit: PageContent(unit_id=unit, text="", text_quality="missing", picture=picture) for unit in unit_ids}

    scans = members_of([("u1", "t1")], quality="missing")
    for sees, n_asked in ((["text"], 0), (["picture"], 1)):
        config = a_paid_config(endpoint.base_url, sees=sees)
        write_candidates(members=scans, pages=pages, config=config, n_templates=1)
        assert endpoint.n_requests == n_asked
