"""Reasons for open places; their use in whole pools is tested with the pools."""

import numpy as np
import pytest

from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.negatives.facts import read_facts
from eval_pipeline.negatives.shortfalls import reasons_without_vector, tell_shortfalls
from eval_pipeline.negatives.siblings import TemplateMembers, list_negatives

Q1, Q2, NO_PERIOD = '{"entity":"a","period":"q1"}', '{"entity":"a","period":"q2"}', '{"entity":"a"}'


@pytest.mark.parametrize(
    ("facets", "pictures", "reasons"),
    [
        ([Q1], [0], ["no sibling", "no sibling"]),
        ([Q1, Q2], [0, 1], ["no further sibling differs on this axis alone", "no sibling differs on this axis alone"]),
        ([Q1, Q2], [0, 0], ["all are copies", "no sibling differs on this axis alone"]),
        ([Q1, NO_PERIOD], [0, 1], ["no sibling differs on this axis alone"] * 2),
        ([NO_PERIOD], [0], ["missing facet period; no sibling"]),
        ([NO_PERIOD, Q1], [0, 1], ["missing facet period; no further sibling"]),
        ([NO_PERIOD, Q1, Q1, Q2, Q2], [0, 1, 2, 3, 4], ["missing facet period"]),
    ],
)
def test_the_reason_of_the_first_member(facets: list[str], pictures: list[int], reasons: list[str]) -> None:
    members = TemplateMembers(
        unit_ids=tuple(f"u{place}" for place in range(len(facets))),
        pictures=np.array(pictures),
        facts=read_facts(facets, ("period", "entity")),
        matrix=normalise_rows(np.random.default_rng(0).normal(size=(len(facets), 4))),
    )
    lists = list_negatives(members, k=4, backfill=False)
    assert [told.reason for row, told in tell_shortfalls(members, lists, k=4) if row == 0] == reasons


def test_without_a_vector_every_axis_with_places_says_so() -> None:
    told = [(short.axis, short.n_wanted, short.reason) for short in reasons_without_vector(("a", "b", "c"), 2)]
    assert told == [("a", 1, "no vector"), ("b", 1, "no vector")]
    assert [(short.axis, short.n_wanted) for short in reasons_without_vector((), 2)] == [("appearance", 2)]
