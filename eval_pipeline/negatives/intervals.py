"""Intervals of recordings and how far two of them are the same."""

import numpy as np
import numpy.typing as npt

from eval_pipeline.foundation.frames import Table, real, text

CODE_VERSION = "1"

INTERVAL = Table(
    name="corpus.interval",
    grain="one row per interval that may be an answer unit",
    key=("unit_id",),
    columns=(
        text("unit_id", "Unit."),
        text("media_id", "Recording it is cut from."),
        real("start_s", "Start in seconds from the start of the recording.", nullable=True, in_equality=True),
        real("end_s", "End in seconds; after the start.", nullable=True, in_equality=True),
        text("text_hash", "Hash of what is said in it; that of the empty text where nothing is known."),
    ),
)
"""A frame, not a table of the ledger: documents that are recordings are not read yet."""

FloatArray = npt.NDArray[np.float64]


def is_interval(start_s: FloatArray, end_s: FloatArray) -> npt.NDArray[np.bool_]:
    """(n,) True where both bounds are finite, the start is not negative and the end is after it."""
    usable: npt.NDArray[np.bool_] = np.isfinite(start_s) & np.isfinite(end_s) & (start_s >= 0) & (end_s > start_s)
    return usable


def iou_of(one: tuple[FloatArray, FloatArray], other: tuple[FloatArray, FloatArray]) -> FloatArray:
    """Intersection over union of intervals on one time axis.

    Args:
        one: starts and ends, each (n,), of true intervals.
        other: starts and ends, each (m,).

    Returns:
        (n, m) from 0 (apart, or touching) to 1 (the same).

    >>> iou_of((np.array([10.0]), np.array([20.0])), (np.array([15.0, 20.0]), np.array([25.0, 30.0]))).round(4).tolist()
    [[0.3333, 0.0]]
    """
    starts, ends = np.maximum(one[0][:, None], other[0][None, :]), np.minimum(one[1][:, None], other[1][None, :])
    shared = np.clip(ends - starts, 0.0, None)
    union = (one[1] - one[0])[:, None] + (other[1] - other[0])[None, :] - shared
    overlap: FloatArray = shared / union
    return overlap
