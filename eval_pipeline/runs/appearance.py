"""Whether gold can be told from negatives by looks alone: a cross-validated linear classifier of single vectors."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import polars as pl

from eval_pipeline.foundation import ids
from eval_pipeline.foundation.protocols import UnitVectors

CODE_VERSION = "1"
N_FOLDS = 5
SEED = 0
RIDGE = 1.0
"""Penalty on the weights, in units of the mean variance of a dimension: strong, as there are few positives."""
DECIMALS = 9
"""Scores are rounded, so that copies tie whatever order a matrix product adds in."""

Floats = npt.NDArray[np.float64]


def score_appearance(*, candidates: pl.DataFrame, vectors: UnitVectors, group_of: Mapping[str, str]) -> Floats:
    """Score candidates of one arena by a classifier that was trained on the questions of the other folds.

    All questions of one gold unit and of its copies stand in one fold. The classifier is a ridge-penalised linear
    discriminant of gold against negatives, classes of equal weight, on each candidate's own vector: it sees no
    relation between candidates and no question. A fold whose complement lacks a class scores all its candidates 0.
    A held-out gold unit may have been trained on as a negative of other questions, never as gold: where pages are
    exchangeable this puts the control below chance (0.06 to 0.10 against 0.14 in a simulation of 20 templates of 15
    look-alikes), so it errs towards not raising the alarm.

    Args:
        candidates: (n) rows of `question_id`, `unit_id`, `gold_unit_id`, every unit with a vector.
        vectors: vectors of pictures.
        group_of: by unit id, what is equal for copies; a unit without an entry is a group of its own.

    Returns:
        (n,) finite scores in the order of the rows, the same for any order of the rows.
    """
    order = candidates.with_row_index("place").sort("question_id", "unit_id")
    gold_groups = [group_of.get(unit_id, unit_id) for unit_id in order["gold_unit_id"].to_list()]
    matrix = vectors.rows_of(order["unit_id"].to_list()).astype(np.float64)
    groups = [group_of.get(unit_id, unit_id) for unit_id in order["unit_id"].to_list()]
    is_gold = np.array([own == gold for own, gold in zip(groups, gold_groups, strict=True)])
    fold_of = assign_folds(sorted(set(gold_groups)))
    folds = np.array([fold_of[group] for group in gold_groups])
    scores = np.zeros(len(folds))
    for fold in range(N_FOLDS):
        held_out = folds == fold
        if held_out.any():
            scores[held_out] = matrix[held_out] @ fit_direction(matrix[~held_out], is_gold[~held_out])
    placed = np.empty_like(scores)
    placed[order["place"].to_numpy()] = np.round(scores, DECIMALS)
    return placed + 0.0  # no negative zero


def assign_folds(groups: list[str]) -> dict[str, int]:
    """Fold of each group: groups in order of their seeded hash, dealt out one by one, so that folds are even."""
    dealt = sorted(groups, key=lambda group: (ids.hash_unit(SEED, "appearance", group), group))
    return {group: place % N_FOLDS for place, group in enumerate(dealt)}


def fit_direction(matrix: Floats, is_gold: npt.NDArray[np.bool_]) -> Floats:
    """Direction that separates gold from negatives; zeros where a class is missing.

    Solves (S + RIDGE * mean variance * I) w = mean of gold - mean of negatives, with S the mean of the two classes'
    covariances.
    """
    dim = matrix.shape[1]
    if not is_gold.any() or is_gold.all():
        return np.zeros(dim)
    gold, rest = matrix[is_gold], matrix[~is_gold]
    gold_mean, rest_mean = gold.mean(axis=0), rest.mean(axis=0)
    spread = (_scatter(gold - gold_mean) + _scatter(rest - rest_mean)) / 2.0
    level = float(np.trace(spread)) / dim
    penalty = RIDGE * level if level > 0 else 1.0
    return np.asarray(np.linalg.solve(spread + penalty * np.eye(dim), gold_mean - rest_mean), dtype=np.float64)


def _scatter(centred: Floats) -> Floats:
    return np.asarray(centred.T @ centred / len(centred), dtype=np.float64)
