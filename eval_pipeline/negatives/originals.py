"""Whether two pictures may come from one original: recompressed, resized, cropped, brightened.

Two look-alikes may differ in one printed figure, so likeness decides nothing. One picture is laid over the other; in
a copy every small area agrees, in a look-alike some area differs by as much as it shows. In between it is unclear,
and who asks has to treat the pair as one that may be a copy.

The doubt falls on the side of copies here, since a copy among the negatives would be a right answer counted as wrong.
The relation `evidence` asks the narrower question whether two pages show the same to the last digit.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from PIL import Image

from eval_pipeline.embeddings.pictures import open_rgb
from eval_pipeline.negatives import alignment
from eval_pipeline.negatives.alignment import FRAME_ON_FRAME, Grey, Placement, read_through, refine, search

CODE_VERSION = "1"
Outcome = Literal["copy", "other", "unclear"]

COPY_BELOW = 0.50
OTHER_ABOVE = 0.70
"""Largest disagreement of an area. Of the drawn look-alikes, copies stay at or below 0.45 and twins that differ in one
printed figure of two digits at or above 0.78; smoother or coarser reading brings the two nearer to each other."""
SETTLED = 0.5
"""Share of areas that agree from which two frames that lie on each other are in place."""
ON_FRAME = 0.005
"""Shares of the frame."""
LONG_SIDE = 512
GRID_SIDE = 400
AREAS_ACROSS = 40
MIN_AREA = 6
BLUR = 2.0
QUIET = 0.001
"""Variance of luma that counts as noise of compression."""
N_TRIED = 4
MIN_COMMON = 0.4
"""Of the smaller picture."""
MIN_AREAS = 4


@dataclass(frozen=True, kw_only=True)
class Disagreement:
    """How two pictures differ under one placement.

    Attributes:
        worst: largest disagreement of an area: squared difference over what the area shows; 0 where all agree.
        agreeing: share of the areas that show something and agree.
    """

    worst: float
    agreeing: float


class PictureComparer:
    """Compares pictures by hash; each picture is read once and each pair compared once."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        """Take the place of each picture.

        Args:
            paths: file of every picture that may be asked for, by picture hash.
        """
        self._paths = paths
        self._pictures: dict[str, Grey | None] = {}
        self._outcomes: dict[tuple[str, str], Outcome] = {}

    def compare(self, one: str, other: str) -> Outcome:
        """Whether two pictures are copies; which of the two is named first does not matter.

        A picture that cannot be read is unclear with every other.

        Raises:
            KeyError: no path was given for a picture.
        """
        if one == other:
            return "copy"
        pair = (one, other) if one < other else (other, one)
        if pair not in self._outcomes:
            first, second = self._read(pair[0]), self._read(pair[1])
            self._outcomes[pair] = "unclear" if first is None or second is None else compare_pictures(first, second)
        return self._outcomes[pair]

    def _read(self, picture_hash: str) -> Grey | None:
        if picture_hash not in self._pictures:
            picture = open_rgb(self._paths[picture_hash])
            self._pictures[picture_hash] = None if picture is None else to_grey(picture)
        return self._pictures[picture_hash]


def to_grey(picture: Image.Image) -> Grey:
    """Luma from 0 to 1, the longer side at most 512 pixels."""
    grey = picture.convert("L")
    grey.thumbnail((LONG_SIDE, LONG_SIDE), Image.Resampling.BOX)
    return np.asarray(grey, dtype=np.float64) / 255.0


def compare_pictures(first: Grey, second: Grey) -> Outcome:
    """Whether one original made both; see the module.

    Args:
        first: luma.
        second: luma.
    """
    if min(*first.shape, *second.shape) < MIN_AREA or first.var() < alignment.FLAT or second.var() < alignment.FLAT:
        return "unclear"
    best: Disagreement | None = None
    for start in _starts(first, second):
        place = refine(first, second, start)
        found = measure_disagreement(first, second, place)
        if found is not None and (best is None or found.worst < best.worst):
            best = found
        if best is not None and (best.worst < COPY_BELOW or _is_settled(best, place)):
            break
    return "unclear" if best is None else _decide(best)


def _starts(first: Grey, second: Grey) -> Iterator[Placement]:
    """Frame on frame, as most copies and look-alikes lie; the search is made only where that settles nothing."""
    yield FRAME_ON_FRAME
    yield from search(first, second, N_TRIED)


def _is_settled(found: Disagreement, place: Placement) -> bool:
    """Whether the frames lie on each other and most areas agree, so that what differs does differ.

    Elsewhere a repeating design lets most areas agree one repeat off the true place.
    """
    moved = np.abs([place.scale_x - 1.0, place.x, place.scale_y - 1.0, place.y])
    return bool(moved.max() < ON_FRAME) and found.agreeing >= SETTLED


def _decide(found: Disagreement) -> Outcome:
    if found.worst < COPY_BELOW:
        return "copy"
    return "other" if found.worst > OTHER_ABOVE else "unclear"


def measure_disagreement(first: Grey, second: Grey, at: Placement) -> Disagreement | None:
    """Compare small areas of two pictures under a placement, at the coarser resolution of the two.

    Returns:
        None where too little overlaps or shows anything, so that nothing can be said.
    """
    shape = _common_grid(first, second, at)
    goal, _ = read_through(second, shape, FRAME_ON_FRAME, blur=BLUR)
    seen, inside = read_through(first, shape, at, blur=BLUR)
    smaller = min(goal.size, goal.size / (at.scale_x * at.scale_y))
    if inside.sum() < MIN_COMMON * smaller or seen[inside].var() < alignment.FLAT:
        return None
    gain = float(np.cov(seen[inside], goal[inside])[0, 1] / seen[inside].var(ddof=1))
    seen = gain * (seen - seen[inside].mean()) + goal[inside].mean()
    side = max(MIN_AREA, round(max(shape) / AREAS_ACROSS))
    shows = np.maximum(_spread(seen, side), _spread(goal, side))
    is_whole = _mean(inside.astype(np.float64), side) > 0.99
    counted = is_whole & (shows > QUIET)
    if counted.sum() < MIN_AREAS:
        return None
    differs = _mean((goal - seen) ** 2, side) / (shows + QUIET)
    return Disagreement(worst=float(differs[is_whole].max()), agreeing=float((differs[counted] < COPY_BELOW).mean()))


def _common_grid(first: Grey, second: Grey, at: Placement) -> tuple[int, int]:
    share = min(1.0, first.shape[1] * at.scale_x / second.shape[1], GRID_SIDE / max(second.shape))
    return alignment.grid_of(second, max(4 * MIN_AREA, round(share * max(second.shape))))


def _mean(values: Grey, side: int) -> Grey:
    """Means of square areas; what is left at the right and lower edge is not counted."""
    rows, columns = values.shape[0] // side, values.shape[1] // side
    areas = values[: rows * side, : columns * side].reshape(rows, side, columns, side)
    means: Grey = areas.mean(axis=(1, 3))
    return means


def _spread(values: Grey, side: int) -> Grey:
    """Variances of square areas."""
    return _mean(values**2, side) - _mean(values, side) ** 2
