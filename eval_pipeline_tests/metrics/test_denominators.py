"""A denominator covers questions, arenas, corpus, labels and contract."""

import polars as pl
import pytest

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.metrics.denominators import differing_parts, make_denominator, require_same

SCORED = pl.DataFrame({"question_id": ["q", "r"], "arena_id": ["a", "b"]})
IDS = {"batch_id": "batch", "label_snapshot_id": "labels", "contract_id": "ctr"}


def test_the_order_of_questions_does_not_matter():
    one, other = make_denominator(SCORED, **IDS), make_denominator(SCORED.reverse(), **IDS)
    assert one == other
    assert one.n == 2
    assert one.denominator_id == other.denominator_id
    require_same(one, other)


@pytest.mark.parametrize(
    ("scored", "ids", "parts"),
    [
        (SCORED.head(1), IDS, ["question_set_id", "n", "arena_id"]),
        (SCORED.with_columns(arena_id=pl.lit("c")), IDS, ["arena_id"]),
        (SCORED, {**IDS, "batch_id": "other"}, ["batch_id"]),
        (SCORED, {**IDS, "label_snapshot_id": "other"}, ["label_snapshot_id"]),
        (SCORED, {**IDS, "contract_id": "other"}, ["contract_id"]),
    ],
)
def test_each_part_that_differs_is_named(scored, ids, parts):
    one, other = make_denominator(SCORED, **IDS), make_denominator(scored, **ids)
    assert differing_parts(one, other) == parts
    with pytest.raises(InputError, match="no difference is shown"):
        require_same(one, other)


def test_no_question_is_a_denominator_too():
    assert make_denominator(SCORED.clear(), **IDS).n == 0
