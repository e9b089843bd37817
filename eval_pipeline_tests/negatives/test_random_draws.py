"""Random draws: seeded, uniform, stable as the corpus grows, without gold and its copies."""

from collections import Counter

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.negatives.random_draws import draw_random_negatives


def corpus(n: int, pictures: dict[int, str] | None = None) -> pl.DataFrame:
    ids = [f"u{k:04d}" for k in range(n)]
    return pl.DataFrame(
        {"unit_id": ids, "picture_hash": [(pictures or {}).get(k, f"p{k}") for k in range(n)]},
        schema={"unit_id": pl.String, "picture_hash": pl.String},
    )


def drawn(units: pl.DataFrame, gold: str, n: int = 6, seed: int = 0) -> list[str]:
    output = draw_random_negatives(gold_unit_ids=[gold], units=units, arena="random", n=n, seed=seed, batch_id="b")
    rows = output.tables["negatives.random_negative"]
    assert rows["rank"].to_list() == list(range(1, rows.height + 1))
    return rows["negative_unit_id"].to_list()


@settings(max_examples=30, deadline=None)
@given(n=st.integers(2, 60), more=st.integers(0, 60), seed=st.integers(0, 99))
def test_growth_only_lets_new_units_in(n: int, more: int, seed: int) -> None:
    before, after = drawn(corpus(n), "u0000", seed=seed), drawn(corpus(n + more), "u0000", seed=seed)
    old = [name for name in after if name in set(corpus(n)["unit_id"])]
    assert old == before[: len(old)]


def test_gold_and_its_copies_are_left_out_and_order_does_not_matter() -> None:
    units = corpus(12, {3: "same", 5: "same", 8: "same"})
    names = drawn(units, "u0005", n=50)
    assert sorted(names) == [f"u{k:04d}" for k in range(12) if k not in {3, 5, 8}]
    assert drawn(units.reverse(), "u0005", n=4) == names[:4]


def test_seeds_and_golds_draw_differently_and_evenly() -> None:
    units = corpus(101)
    counts: Counter[str] = Counter()
    for seed in range(40):
        for gold in ("u0000", "u0050"):
            counts.update(drawn(units, gold, n=10, seed=seed))
    assert drawn(units, "u0000", seed=1) != drawn(units, "u0000", seed=2)
    assert drawn(units, "u0000") != drawn(units, "u0050")
    expected = 800 / 100
    chi_square = sum((counts[name] - expected) ** 2 / expected for name in units["unit_id"][1:])
    assert chi_square < 160  # 99 degrees of freedom: 0.9999 quantile is about 159


def test_a_short_corpus_is_counted() -> None:
    output = draw_random_negatives(
        gold_unit_ids=["u0000", "u0001", "u0000"], units=corpus(3), arena="random@5", n=5, seed=0, batch_id="b"
    )
    assert output.tables["negatives.random_negative"].height == 4
    assert output.summary == {"random@5_golds": 2, "random@5_negatives": 4, "random@5_short": 2}


def test_a_gold_that_is_gone_is_named() -> None:
    with pytest.raises(UnknownName, match="gold unit gone is not in the corpus snapshot b"):
        drawn(corpus(3), "gone")
