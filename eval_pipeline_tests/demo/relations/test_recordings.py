"""Intervals of the transcripts and the bounds that answer."""

from collections.abc import Callable
from itertools import pairwise

from eval_pipeline.demo.relations.placing import DrawnSet, read_lines
from eval_pipeline.demo.relations.recordings import INTERVALS, MEETINGS, QUESTIONS, draw_recordings


def test_answers_are_intervals_in_which_the_votes_are_told(drawn_twice: Callable[..., DrawnSet]) -> None:
    drawn = drawn_twice(draw_recordings)
    told = {
        (row["media"], row["start_s"], row["end_s"]): str(row["text"]) for row in read_lines(drawn.home / INTERVALS)
    }
    asked = {row["question"]: row for row in read_lines(drawn.home / QUESTIONS)}
    truth = {row["question"]: row for row in read_lines(drawn.home / drawn.truth)}
    assert set(asked) == set(truth)
    assert len(asked) == 15
    assert {media for media, _, _ in told} == set(MEETINGS)
    for question, row in truth.items():
        spans = row["answers"]
        assert isinstance(spans, list)
        assert len(spans) in (1, 2)
        assert [asked[question]["start_s"], asked[question]["end_s"]] == spans[0]
        for start, end in spans:
            assert "in favour" in told[row["media"], start, end]


def test_intervals_are_sentences_and_pairs_that_follow_each_other(drawn_twice: Callable[..., DrawnSet]) -> None:
    rows = read_lines(drawn_twice(draw_recordings).home / INTERVALS)
    for meeting in MEETINGS:
        bounds = [(float(str(r["start_s"])), float(str(r["end_s"]))) for r in rows if r["media"] == meeting]
        single = bounds[: (len(bounds) + 1) // 2]
        assert all(first[1] == second[0] for first, second in pairwise(single))
        assert all(start < end for start, end in bounds)
        pairs = bounds[len(single) :]
        assert pairs == [(a[0], b[1]) for a, b in pairwise(single)]
