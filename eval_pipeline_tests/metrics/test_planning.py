import numpy as np
import polars as pl
import pytest

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.metrics.comparing import Scores
from eval_pipeline.metrics.denominators import make_denominator
from eval_pipeline.metrics.planning import plan_comparison
from eval_pipeline.metrics.power import questions_needed, smallest_difference

SLICES = pl.DataFrame({"slice": ["axis", "axis"], "slice_value": ["entity", "period"], "n": [12, 400]})


def scores_of(name, values, clusters=None):
    ids = [f"q{place:03d}" for place in range(len(values))]
    frame = pl.DataFrame({"question_id": ids, "value": values, "arena_id": ids}, schema_overrides={"value": pl.Float64})
    denominator = make_denominator(frame, batch_id="b", label_snapshot_id="l", contract_id="c")
    named = None if clusters is None else pl.DataFrame({"question_id": ids, "cluster": clusters})
    return Scores(name=name, values=frame, denominator=denominator, clusters=named)


def the_scores():
    base = np.repeat([1.0, 0.0], 100)
    flipped = np.concatenate([base[:80], 1 - base[80:120], base[120:]])
    return {"a": scores_of("a", base), "b": scores_of("b", flipped), "c": scores_of("c", base)}


def test_what_a_set_can_tell_apart():
    plan = plan_comparison(the_scores(), wanted=0.1, slices=SLICES)
    assert (plan.n, plan.n_alike, plan.discordance, plan.is_stated) == (200, 160, 0.2, False)
    first, same = plan.pairs[0], plan.pairs[1]
    assert first.detectable == smallest_difference(n=200, discordance=0.2)
    assert first.needed == questions_needed(difference=0.1, discordance=0.2) == 168
    assert (same.detectable.reason, same.needed) == ("no_discordance", None)
    assert [(part.value, part.speaks) for part in plan.slices] == [("entity", False), ("period", True)]
    assert plan.slices[0].detectable.reason == "too_few_questions"


def test_a_stated_discordance_is_used_instead():
    plan = plan_comparison(the_scores(), wanted=0.1, slices=SLICES, discordance=0.4)
    assert (plan.discordance, plan.is_stated) == (0.4, True)
    assert {pair.detectable.discordance for pair in plan.pairs} == {0.4}
    assert plan.pairs[0].needed > 168
    with pytest.raises(InputError, match=r"the stated discordance is 0\.05"):
        plan_comparison(the_scores(), wanted=0.1, slices=SLICES, discordance=0.05)
    with pytest.raises(InputError, match="the difference is 0; give a share above 0"):
        plan_comparison(the_scores(), wanted=0.0, slices=SLICES)


def test_graded_and_clustered_values_are_planned_by_their_spread():
    rng = np.random.default_rng(0)
    graded = {name: scores_of(name, rng.random(100)) for name in "ab"}
    (pair,) = plan_comparison(graded, wanted=0.05, slices=SLICES).pairs
    assert pair.detectable.method == "normal"
    assert pair.needed > 100
    names = [str(place // 4) for place in range(200)]
    clustered = {name: scores_of(name, one.values["value"], names) for name, one in the_scores().items()}
    assert plan_comparison(clustered, wanted=0.1, slices=SLICES).pairs[0].detectable.n == 50


def test_one_variant_or_none():
    alone = plan_comparison({"a": the_scores()["a"]}, wanted=0.1, slices=SLICES)
    assert (alone.pairs, alone.n, alone.n_alike) == ((), 200, 200)
    assert plan_comparison({}, wanted=0.1, slices=SLICES.clear()).n == 0
