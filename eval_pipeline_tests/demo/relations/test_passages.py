"""Passages, questions and what answers them."""

from collections.abc import Callable

from eval_pipeline.demo.relations.passages import PASSAGES, QUESTIONS, draw_passages
from eval_pipeline.demo.relations.placing import DrawnSet, read_lines


def test_each_fact_is_stated_twice_and_two_are_reprinted(drawn_twice: Callable[..., DrawnSet]) -> None:
    drawn = drawn_twice(draw_passages)
    told = {str(row["passage"]): row for row in read_lines(drawn.home / PASSAGES)}
    truth = {str(row["passage"]): row for row in read_lines(drawn.home / drawn.truth)}
    asked = read_lines(drawn.home / QUESTIONS)
    assert set(told) == set(truth)
    assert (len(told), len(asked)) == (72, 30)
    forms = [row["form"] for row in truth.values()]
    assert {form: forms.count(form) for form in set(forms)} == {"plain": 30, "other": 30, "reprint": 12}
    assert all(truth[str(row["gold"])]["form"] == "plain" for row in asked)
    assert len({row["question"] for row in asked}) == 30
    assert all(str(row["topic"]) in str(row["text"]) for row in told.values())
    assert not any("fact" in row for row in told.values())


def test_a_reprint_holds_the_whole_passage(drawn_twice: Callable[..., DrawnSet]) -> None:
    drawn = drawn_twice(draw_passages)
    told = {str(row["passage"]): str(row["text"]) for row in read_lines(drawn.home / PASSAGES)}
    reprints = [name for name in told if name.endswith("-reprint")]
    assert all(told[name].startswith(told[name.replace("-reprint", "-plain")]) for name in reprints)
    others = [name for name in told if name.endswith("-other")]
    assert not any(told[name] == told[name.replace("-other", "-plain")] for name in others)
