"""Negatives for the relation `localization`: the right file with the wrong interval.

An interval is right when its intersection over union with a judged interval reaches the contract's threshold. One that
overlaps a judged interval by less is wrong by the contract, and often the hardest.
"""

from collections.abc import Collection, Iterable

import numpy as np
import numpy.typing as npt
import polars as pl

from eval_pipeline.foundation.config import NegativesConfig
from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.ids import content_id, hash_text
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import UnitVectors, Vectors
from eval_pipeline.negatives import intervals as spans
from eval_pipeline.negatives.drawing import draw_by_group
from eval_pipeline.negatives.grouping import group_units
from eval_pipeline.negatives.one_axis import Reasons, fill_pools, rank_allowed, without_vector
from eval_pipeline.negatives.places import Pools

CODE_VERSION = "2"
AXIS = "interval"
NO_INTERVAL = "no interval: the end is not after the start"
EDGE = 1e-9
"""Overlaps this little below the threshold count as reaching it: the last digits of seconds decide for no negative."""
NO_TEXT_HASH = hash_text("")
REASONS = Reasons(
    alone="no other interval in this file",
    none="no other interval of this file is wrong",
    no_further="no further interval of this file is wrong",
)
Bounds = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]


def settings_id_of(iou: float, config: NegativesConfig, encoder_id: str) -> str:
    """Id of everything but the file's intervals and the judged ones that a pool depends on."""
    return content_id(
        "pset",
        {
            "relation": "localization",
            "iou": iou,
            "k": config.k,
            "encoder_id": encoder_id,
            "code_version": [CODE_VERSION, spans.CODE_VERSION],
        },
    )


def draw_hard_negatives(
    *,
    units: pl.DataFrame,
    judged: pl.DataFrame,
    iou: float,
    vectors: UnitVectors,
    refused: Collection[str],
    config: NegativesConfig,
) -> StageOutput:
    """Draw the k most confusable wrong intervals of the same file.

    Never a negative: the interval itself; one whose overlap with it, or with an interval judged right for its
    question, reaches the threshold; one in which the same is said word for word (`text_hash`); one without bounds.

    Args:
        units: rows of `intervals.INTERVAL`; all intervals of each file that is to be pooled. A row without true bounds
            is nobody's negative, and its own pool says so.
        judged: unit_id (gold), media_id, start_s, end_s: intervals known to be right for a question written from gold.
            Gold itself is always right. Intervals of other files are of no concern here.
        iou: the contract's threshold, above 0, at most 1.
        vectors: of what is said or shown in the intervals, by any encoder; nearest first.
        refused: units that the encoder refused.
        config: k. Places are not filled from elsewhere (`backfill` has no meaning here).

    Returns:
        As `drawing.draw_by_group`: axis `interval`; the group in `template_id` is the file. Same intervals and
        settings give the same rows, whatever the input order.

    Raises:
        InputError: the threshold is out of range, or a judged interval has no true bounds.
    """
    if not 0 < iou <= 1:
        raise InputError(f"iou {iou} is out of range; a contract names one above 0 and at most 1, such as 0.5")
    right = _read_judged(judged)
    members = group_units(
        units=units.with_columns(pl.when(pl.col("start_s", "end_s").is_finite()).then(pl.col("start_s", "end_s"))),
        keys=units["media_id"],
        relation="localization",
        state=("start_s", "end_s", "text_hash"),
        knowledge={unit_id: [list(span) for span in found] for unit_id, found in right.items()},
    )
    return draw_by_group(
        members=members,
        vectors=vectors,
        refused=frozenset(refused),
        settings_id=settings_id_of(iou, config, vectors.encoder_id),
        rule=lambda part, matrix: _pool_file(part, matrix, right, iou, config.k),
        without_vector=without_vector(AXIS, config.k),
    )


def _read_judged(judged: pl.DataFrame) -> dict[str, list[tuple[str, float, float]]]:
    """Judged intervals by gold unit, as file, start and end, sorted."""
    right: dict[str, set[tuple[str, float, float]]] = {}
    for unit_id, media_id, start_s, end_s in judged.select("unit_id", "media_id", "start_s", "end_s").iter_rows():
        bounds = np.array([start_s], dtype=np.float64), np.array([end_s], dtype=np.float64)
        if not spans.is_interval(*bounds)[0]:
            message = f"judged interval of {unit_id} in {media_id} from {start_s} to {end_s}: end must be after start"
            raise InputError(message)
        right.setdefault(unit_id, set()).add((media_id, float(start_s), float(end_s)))
    return {unit_id: sorted(found) for unit_id, found in right.items()}


def _pool_file(
    part: pl.DataFrame, matrix: Vectors, right: dict[str, list[tuple[str, float, float]]], iou: float, k: int
) -> Pools:
    bounds = _bounds(part.select("start_s", "end_s").iter_rows())
    usable = spans.is_interval(*bounds)
    words = part["text_hash"].rank("dense").to_numpy()
    is_said = (part["text_hash"] != NO_TEXT_HASH).to_numpy()
    owners = part.select("unit_id", "media_id").rows()

    def allow(block: slice) -> npt.NDArray[np.bool_]:
        allowed: npt.NDArray[np.bool_] = (words[block, None] != words[None, :]) | ~is_said[None, :]
        allowed &= usable[block, None] & usable[None, :]
        for row, (unit_id, media_id) in enumerate(owners[block], start=block.start):
            known = [span[1:] for span in right.get(unit_id, ()) if span[0] == media_id]
            own = (float(bounds[0][row]), float(bounds[1][row]))
            if usable[row]:
                allowed[row - block.start] &= _is_wrong(bounds, usable, _bounds([own, *known]), iou)
        return allowed

    nearest = rank_allowed(matrix=matrix, allow=allow, places=k)
    return fill_pools(nearest, axis=AXIS, k=k, reasons=[REASONS if is_usable else NO_INTERVAL for is_usable in usable])


def _bounds(rows: Iterable[tuple[float | None, float | None]]) -> Bounds:
    """Starts and ends; NaN, in memory only, where a bound is missing."""
    pairs = np.array(list(rows), dtype=np.float64).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def _is_wrong(bounds: Bounds, usable: npt.NDArray[np.bool_], right: Bounds, iou: float) -> npt.NDArray[np.bool_]:
    """(n,) True where an interval reaches the threshold with none of the right ones."""
    wrong = np.zeros(len(usable), dtype=np.bool_)
    overlap = spans.iou_of((bounds[0][usable], bounds[1][usable]), right)
    wrong[usable] = (overlap < iou - EDGE).all(axis=1)
    return wrong
