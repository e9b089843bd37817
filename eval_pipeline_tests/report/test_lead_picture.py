"""The argument in one picture."""

import dataclasses

import pytest

from eval_pipeline.foundation.errors import MeasureUndefined
from eval_pipeline.report.lead_picture import NAIVE_COLOUR, OURS_COLOUR, draw_lead
from eval_pipeline_tests.report.conftest import a_card, a_report, a_task, an_example, draw_page


def some_data(folder):
    page = draw_page(folder / "page.png", title="Revenue", bars=(3, 5))
    cards = tuple(
        a_card(f"unit_{n}", picture=page, axis=axis, rank=1) for n, axis in enumerate(("period", "metric", "entity"))
    )
    example = an_example(gold=a_card("unit_gold", picture=page), negatives=cards)
    return a_report(a_task(examples=(example,)))


def pixels_of(picture, colour):
    wanted = tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return sum(count for count, found in picture.getcolors(maxcolors=1 << 24) if found == wanted)


def test_bars_are_as_long_as_their_figures(tmp_path):
    picture = draw_lead(some_data(tmp_path), variant="image")
    ratio = pixels_of(picture, OURS_COLOUR) / pixels_of(picture, NAIVE_COLOUR)
    assert ratio == pytest.approx(0.21 / 0.93, abs=0.03)


def test_the_same_data_give_the_same_pixels(tmp_path):
    data = some_data(tmp_path)
    assert draw_lead(data, variant="image").tobytes() == draw_lead(data, variant="image").tobytes()


def test_without_an_example_there_is_no_picture(tmp_path):
    data = some_data(tmp_path)
    bare = dataclasses.replace(data, tasks=tuple(dataclasses.replace(task, examples=()) for task in data.tasks))
    with pytest.raises(MeasureUndefined, match="no task has an example"):
        draw_lead(bare, variant="image")
