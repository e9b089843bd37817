"""Random negatives by seeded hash: as the corpus grows, yesterday's draw changes only where a new unit enters it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.foundation.ids import content_id, hash_unit
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables.negatives import RANDOM_NEGATIVE

CODE_VERSION = "1"


def settings_id_of(*, n: int, seed: int) -> str:
    """Id of what a draw depends on besides the corpus: size, seed, code."""
    return content_id("rset", {"n": n, "seed": seed, "code_version": CODE_VERSION})


def draw_random_negatives(
    *, gold_unit_ids: Sequence[str], units: pl.DataFrame, arena: str, n: int, seed: int, batch_id: str
) -> StageOutput:
    """Draw random negatives of gold units.

    Each other unit has a place between 0 and 1 that depends on seed, gold and unit only; the first n are drawn. The
    gold unit and its copies (equal picture) are left out.

    Args:
        gold_unit_ids: gold units; repetitions do not matter.
        units: corpus.unit_in_force rows: the corpus.
        arena: `random`, or `random@499` and the like.
        n: units wanted per gold; all others are drawn where the corpus is smaller.
        seed: of the draw.
        batch_id: corpus snapshot.

    Returns:
        Rows of negatives.random_negative; the summary counts golds with fewer than n.

    Raises:
        UnknownName: a gold unit is not in the corpus.
    """
    ordered = units.select("unit_id", "picture_hash").sort("unit_id")
    unit_ids = ordered["unit_id"].to_list()
    places = {unit_id: row for row, unit_id in enumerate(unit_ids)}
    golds = sorted(set(gold_unit_ids))
    for gold in golds:
        if gold not in places:
            message = f"gold unit {gold} is not in the corpus snapshot {batch_id}; pose questions on it again"
            raise UnknownName(message, name=gold)
    pictures = ordered["picture_hash"].rank("dense").to_numpy()
    marks = _mark_units(unit_ids, seed)
    settings_id = settings_id_of(n=n, seed=seed)
    rows: list[dict[str, Any]] = []
    n_short = 0
    for gold in golds:
        drawn = _draw(places[gold], marks, pictures, n)
        n_short += len(drawn) < n
        rows.extend(
            {
                "unit_id": gold,
                "arena": arena,
                "settings_id": settings_id,
                "batch_id": batch_id,
                "rank": rank,
                "negative_unit_id": unit_ids[row],
            }
            for rank, row in enumerate(drawn.tolist(), start=1)
        )
    return StageOutput(
        tables={RANDOM_NEGATIVE.name: RANDOM_NEGATIVE.frame(rows)},
        inputs=(batch_id,),
        summary={f"{arena}_golds": len(golds), f"{arena}_negatives": len(rows), f"{arena}_short": n_short},
    )


def _mark_units(unit_ids: Sequence[str], seed: int) -> npt.NDArray[np.uint64]:
    """(n,) 52 bits per unit, from a SHA-256 of seed and id."""
    return np.array([int(hash_unit(seed, unit_id) * 2**52) for unit_id in unit_ids], dtype=np.uint64)


def _draw(gold: int, marks: npt.NDArray[np.uint64], pictures: npt.NDArray[np.integer], n: int) -> npt.NDArray[np.intp]:
    """Rows of the n units with the smallest places for this gold; equal places fall to the smaller unit id."""
    places = _mix(marks ^ (marks[gold] << np.uint64(12)))
    candidates = np.flatnonzero(pictures != pictures[gold])
    if len(candidates) > 4 * n:
        nearest = np.argpartition(places[candidates], n)[: n + 1]
        candidates = candidates[places[candidates] <= places[candidates[nearest]].max()]
    order = np.lexsort((candidates, places[candidates]))
    return candidates[order][:n]


def _mix(values: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Spread 64-bit numbers evenly: the finaliser of splitmix64 (Steele, Lea, Flood 2014, doi:10.1145/2660193.2660195).

    One SHA-256 per unit and gold, mixed in bulk, keeps 500 golds over 400,000 units a matter of seconds.
    """
    mixed = values + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    result: npt.NDArray[np.uint64] = mixed ^ (mixed >> np.uint64(31))
    return result
