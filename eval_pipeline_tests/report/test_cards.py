"""Pages as cards."""

from eval_pipeline.report.cards import say_axis, show_example, show_sheet
from eval_pipeline.report.pictures import PictureBook
from eval_pipeline_tests.report.conftest import a_card, a_sheet, an_example


def test_gold_stands_first_and_is_found_again_in_what_came_back():
    view = show_example(an_example(), PictureBook())
    assert view.gold.is_gold
    assert [(name, [card.is_gold for card in cards]) for name, cards in view.returned] == [
        ("image", [False, True]),
        ("text", []),
    ]


def test_badges_say_grade_and_author_kind():
    view = show_example(an_example(), PictureBook())
    assert [(card.place, card.badge, card.kind) for card in view.negatives] == [
        ("other period", "supporting (human)", "supporting"),
        ("nearest by appearance", "unjudged", "unjudged"),
    ]
    assert view.gold.badge == "sufficient (judge)"


def test_the_alternative_text_says_all_that_the_card_shows():
    view = show_example(an_example(), PictureBook())
    assert view.negatives[0].alt == "Page: page u_1, u_1.pdf p. 3, other period, labelled supporting (human)"
    assert view.returned[0][1][1].alt == "Page: page u_gold, u_gold.pdf p. 3, place 2, gold, unjudged"


def test_every_page_that_people_named_is_gold():
    more = (a_card("u_more", grade="supporting", author_kind="import"),)
    came = {"text": (a_card("u_more", rank=1), a_card("u_1", rank=2))}
    view = show_example(an_example(more_gold=more, is_given=True, returned=came), PictureBook())
    assert [(card.is_gold, card.badge) for card in view.more_gold] == [(True, "supporting (import)")]
    assert [card.is_gold for card in view.returned[0][1]] == [True, False]


def test_a_question_without_gold():
    view = show_example(an_example(gold=None, returned={"text": (a_card("u_1", rank=1),)}), PictureBook())
    assert view.gold is None
    assert not view.returned[0][1][0].is_gold


def test_contact_sheets_carry_no_badge():
    assert [card.badge for card in show_sheet(a_sheet(), PictureBook()).cards] == ["", ""]


def test_what_only_looks_alike_differs_on_no_axis():
    assert [say_axis(axis) for axis in ("period", "appearance", None)] == [
        "other period",
        "nearest by appearance",
        "nearest by appearance",
    ]


def test_a_badge_calls_a_stand_in_reviewer_by_its_kind():
    gold = a_card("u_gold", grade="sufficient", author_kind="generator-truth")
    assert show_example(an_example(gold=gold), PictureBook()).gold.badge == "sufficient (stand-in reviewer)"
