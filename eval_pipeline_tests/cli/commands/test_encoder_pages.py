"""Pages to learn from and pages to be tried on come ready: pixels, captions, questions that their page answers."""

from pathlib import Path

import pytest

from eval_pipeline.cli.commands import encoder_pages
from eval_pipeline.cli.commands.encoder_pages import HeldOut, draw_held_out, draw_training_pages
from eval_pipeline.demo.plan import DocumentPlan
from eval_pipeline.demo.training_world import held_out_world, plan_held_out
from eval_pipeline.demo.world import World


def test_training_pages_come_squashed_and_captioned_in_a_fixed_order() -> None:
    one = list(draw_training_pages(n_reports=2, size=64, workers=2))
    again = list(draw_training_pages(n_reports=2, size=64, workers=1))
    assert len(one) == 52
    assert {page.pixels.shape for page in one} == {(64, 64, 3)}
    assert [page.template for page in one[:4]] == [
        "cover/band",
        "summary/band",
        "key_figures/band",
        "income_statement/band",
    ]
    assert [page.captions for page in one] == [page.captions for page in again]
    assert all((a.pixels == b.pixels).all() for a, b in zip(one, again, strict=True))


@pytest.fixture(scope="module")
def held_out(tmp_path_factory: pytest.TempPathFactory) -> HeldOut:
    plans = list(plan_held_out(held_out_world()))
    chosen = [plans[0], plans[1], plans[6]]

    def plan_three(world: World) -> list[DocumentPlan]:
        return chosen

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encoder_pages, "plan_held_out", plan_three)
        return draw_held_out(home=tmp_path_factory.mktemp("held-out"), workers=1)


def test_held_out_pages_have_pictures_and_facets(held_out: HeldOut) -> None:
    assert len(held_out.pages) == 69
    assert all(page.picture.is_file() for page in held_out.pages)
    facets = held_out.pages[6].facets
    assert facets["metric"] == "Revenue"
    assert facets["period"] == "2019-Q1"
    assert {page.template for page in held_out.pages if page.template.startswith("bars")} == {"bars/band"}


def test_questions_name_all_and_know_who_else_answers(held_out: HeldOut) -> None:
    assert len(held_out.questions) > 10
    for question in held_out.questions:
        gold = held_out.pages[question.gold]
        assert gold.facets["entity"] in question.text
        assert " in Q" in question.text or " as of " in question.text
        assert question.gold not in question.answering
        assert all(held_out.pages[row].facets["entity"] == gold.facets["entity"] for row in question.answering)
    shared = [question for question in held_out.questions if "segment" not in question.text and question.answering]
    assert shared, "totals are repeated on other pages of the same report"


def test_paths_are_inside_the_given_folder(held_out: HeldOut) -> None:
    roots = {Path(*page.picture.parts[: page.picture.parts.index("derived")]) for page in held_out.pages}
    assert len(roots) == 1
