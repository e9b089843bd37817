import numpy as np
import polars as pl
import pytest

from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.runs.appearance import assign_folds, fit_direction, score_appearance

N_GROUPS, SIZE, DIM = 40, 7, 16


def world(shift: float) -> tuple[pl.DataFrame, UnitVectors]:
    """Groups of look-alikes; each group's first unit is gold and is moved by `shift` along one direction."""
    rng = np.random.default_rng(7)
    centres = rng.normal(size=(N_GROUPS, 1, DIM))
    matrix = centres + 0.3 * rng.normal(size=(N_GROUPS, SIZE, DIM))
    matrix[:, 0, 3] += shift
    flat = matrix.reshape(-1, DIM)
    flat /= np.linalg.norm(flat, axis=1, keepdims=True)
    names = [f"u{group:02d}-{place}" for group in range(N_GROUPS) for place in range(SIZE)]
    rows = [
        (f"q{group:02d}", f"u{group:02d}-{place}", f"u{group:02d}-0")
        for group in range(N_GROUPS)
        for place in range(SIZE)
    ]
    candidates = pl.DataFrame(rows, schema=["question_id", "unit_id", "gold_unit_id"], orient="row")
    return candidates, UnitVectors(unit_ids=np.array(names), matrix=flat.astype(np.float32), encoder_id="e")


def share_of_gold_first(candidates: pl.DataFrame, scores: np.ndarray) -> float:
    best = (
        candidates.with_columns(score=pl.Series(scores)).sort("score", descending=True).group_by("question_id").first()
    )
    return float((best["unit_id"] == best["gold_unit_id"]).mean())  # type: ignore[arg-type]


def test_a_mark_on_gold_is_found() -> None:
    candidates, vectors = world(shift=3.0)
    assert share_of_gold_first(candidates, score_appearance(candidates=candidates, vectors=vectors, group_of={})) > 0.8


def test_without_a_mark_it_stays_near_chance() -> None:
    candidates, vectors = world(shift=0.0)
    share = share_of_gold_first(candidates, score_appearance(candidates=candidates, vectors=vectors, group_of={}))
    assert share < 1 / SIZE + 0.10


def test_the_order_of_rows_changes_no_score() -> None:
    candidates, vectors = world(shift=1.0)
    scores = score_appearance(candidates=candidates, vectors=vectors, group_of={})
    order = np.random.default_rng(1).permutation(candidates.height)
    turned = score_appearance(candidates=candidates[order], vectors=vectors, group_of={})
    assert turned.tolist() == scores[order].tolist()


def test_the_question_and_its_gold_are_never_in_their_own_training() -> None:
    """Whatever stands on the held-out fold, the direction that scores it does not move."""
    candidates, vectors = world(shift=1.0)
    scores = score_appearance(candidates=candidates, vectors=vectors, group_of={})
    changed = vectors.matrix.copy()
    changed[0] = -changed[0]  # gold of q00
    other = UnitVectors(unit_ids=vectors.unit_ids, matrix=changed, encoder_id="e")
    again = score_appearance(candidates=candidates, vectors=other, group_of={})
    assert again[1:SIZE].tolist() == scores[1:SIZE].tolist()
    assert again[0] == pytest.approx(-scores[0], abs=1e-8)


def test_copies_of_gold_share_its_fold_and_tie() -> None:
    candidates, vectors = world(shift=1.0)
    group_of = {"u00-0": "same", "u01-0": "same"}
    matrix = vectors.matrix.copy()
    matrix[SIZE] = matrix[0]
    copied = UnitVectors(unit_ids=vectors.unit_ids, matrix=matrix, encoder_id="e")
    scores = score_appearance(candidates=candidates, vectors=copied, group_of=group_of)
    assert scores[0] == scores[SIZE]


def test_folds_are_even_and_depend_on_the_set_alone() -> None:
    groups = [f"g{number}" for number in range(23)]
    folds = assign_folds(groups)
    assert folds == assign_folds(list(reversed(groups)))
    sizes = [list(folds.values()).count(fold) for fold in range(5)]
    assert max(sizes) - min(sizes) <= 1


def test_a_missing_class_gives_equal_scores() -> None:
    assert fit_direction(np.ones((3, 2)), np.array([True, True, True])).tolist() == [0.0, 0.0]
    candidates, vectors = world(shift=1.0)
    one = candidates.filter(pl.col("question_id") == "q00")
    assert set(score_appearance(candidates=one, vectors=vectors, group_of={}).tolist()) == {0.0}
