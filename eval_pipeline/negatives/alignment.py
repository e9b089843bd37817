"""Lay one picture over another where one may be a crop of the other at another size.

Both are read through a common grid over the second picture. A placement says where that grid falls in the first one;
found roughly by correlation over scales and shifts, then refined by least squares from coarse to fine.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import fft

CODE_VERSION = "1"
Grey = npt.NDArray[np.float64]
"""(height, width) luma from 0 to 1."""
Mask = npt.NDArray[np.bool_]

SCALES = tuple(float(scale) for scale in np.geomspace(0.45, 2.2, 25))
"""Width of the second picture's frame in widths of the first: a crop that keeps under 45 % of a side is not found."""
ROUGH_SIDE = 48
LEVELS = ((48, 6), (96, 4), (192, 3))
"""Longer side of the grid in points, and steps of refinement at it."""
MIN_OVERLAP = 0.5
"""Of the smaller picture: with less in common, chance fits are better than true ones."""
FLAT = 1e-4
"""Variance of luma under which an area says nothing."""


@dataclass(frozen=True, kw_only=True)
class Placement:
    """Where a point at shares (u, v) of the second picture falls in the first: (scale_x u + x, scale_y v + y).

    Attributes:
        scale_x: width of the second frame in widths of the first.
        x: left edge, as a share of the first's width.
        scale_y: height in heights of the first.
        y: upper edge.
    """

    scale_x: float = 1.0
    x: float = 0.0
    scale_y: float = 1.0
    y: float = 0.0


FRAME_ON_FRAME = Placement()


def read_through(picture: Grey, shape: tuple[int, int], at: Placement, *, blur: float) -> tuple[Grey, Mask]:
    """A picture read at the points of a grid.

    Args:
        picture: what is read.
        shape: height and width of the grid.
        at: where the grid falls.
        blur: 1.0 averages over one grid point or one pixel, whichever is larger; more smooths.

    Returns:
        Luma (shape), and True where the point lies inside the picture.
    """
    across, has_x = _weights(shape[1], picture.shape[1], at.scale_x, at.x, blur)
    down, has_y = _weights(shape[0], picture.shape[0], at.scale_y, at.y, blur)
    return down @ picture @ across.T, has_y[:, None] & has_x[None, :]


def _weights(n_out: int, n_in: int, scale: float, start: float, blur: float) -> tuple[Grey, Mask]:
    """(n_out, n_in) triangle filter; rows sum to 1 where the point lies inside."""
    centres = (scale * (np.arange(n_out) + 0.5) / n_out + start) * n_in - 0.5
    reach = max(1.0, scale * n_in / n_out) * blur
    weights = np.clip(1.0 - np.abs(centres[:, None] - np.arange(n_in)[None, :]) / reach, 0.0, None)
    total = weights.sum(axis=1)
    inside = (centres >= -0.5) & (centres <= n_in - 0.5) & (total > 0)
    return weights / np.where(total > 0, total, 1.0)[:, None], inside


def grid_of(picture: Grey, side: int) -> tuple[int, int]:
    """Height and width of a grid in the picture's proportions, the longer side as given."""
    share = side / max(picture.shape)
    return max(4, round(picture.shape[0] * share)), max(4, round(picture.shape[1] * share))


def refine(first: Grey, second: Grey, start: Placement, levels: tuple[tuple[int, int], ...] = LEVELS) -> Placement:
    """Move a placement so that the two differ least, a gain and an offset of luma apart.

    Source: image registration by least squares over image gradients, Lucas and Kanade, IJCAI 1981; differs: four
    parameters of an upright frame, from coarse to fine.
    """
    at = np.array([start.scale_x, start.x, start.scale_y, start.y])
    for side, n_steps in levels:
        shape = grid_of(second, side)
        goal, _ = read_through(second, shape, FRAME_ON_FRAME, blur=1.5)
        for _ in range(n_steps):
            moved = at + _step(first, goal, _placement(at))
            if not (0.3 < moved[0] < 3.3 and 0.3 < moved[2] < 3.3):
                return _placement(at)
            at = moved
    return _placement(at)


def _placement(at: npt.NDArray[np.float64]) -> Placement:
    return Placement(scale_x=float(at[0]), x=float(at[1]), scale_y=float(at[2]), y=float(at[3]))


def _step(first: Grey, goal: Grey, at: Placement) -> npt.NDArray[np.float64]:
    """Change of the four numbers that brings the first picture nearest to the goal; none where little overlaps."""
    height, width = goal.shape
    seen, inside = read_through(first, goal.shape, at, blur=1.5)
    if inside.sum() < 64:
        return np.zeros(4)
    down, across = np.gradient(seen)
    across, down = across * (width / at.scale_x), down * (height / at.scale_y)
    u, v = (np.arange(width) + 0.5) / width, (np.arange(height) + 0.5) / height
    slopes = np.stack([across * u[None, :], across, down * v[:, None], down, seen, np.ones_like(seen)], axis=-1)[inside]
    normal = slopes.T @ slopes
    normal[np.diag_indices(6)] += 1e-9 * np.trace(normal)
    change: npt.NDArray[np.float64] = np.linalg.solve(normal, slopes.T @ (goal - seen)[inside])[:4]
    return np.clip(change, -0.05, 0.05)


def search(first: Grey, second: Grey, n_best: int) -> list[Placement]:
    """The most promising placements over all scales and shifts, best first.

    Source: normalised correlation of masked pictures by Fourier transform, Padfield, IEEE TIP 2012,
    doi:10.1109/TIP.2011.2181402; differs: over a ladder of scales, the best shift of each.
    """
    height, width = grid_of(first, ROUGH_SIDE)
    ground, _ = read_through(first, (height, width), FRAME_ON_FRAME, blur=1.0)
    ratio = second.shape[0] / second.shape[1]
    found: list[tuple[float, Placement]] = []
    for scale in SCALES:
        shape = round(scale * width * ratio), round(scale * width)
        if min(shape) < 6:
            continue
        piece, _ = read_through(second, shape, FRAME_ON_FRAME, blur=1.0)
        score, top, left = _best_shift(ground - ground.mean(), piece - piece.mean())
        place = Placement(scale_x=shape[1] / width, x=left / width, scale_y=shape[0] / height, y=top / height)
        found.append((score, place))
    return [place for _, place in sorted(found, key=lambda pair: -pair[0])[:n_best]]


def _best_shift(ground: Grey, piece: Grey) -> tuple[float, int, int]:
    """Highest correlation over the overlap, and the row and column of the ground where the piece's corner falls."""
    size = tuple(fft.next_fast_len(a + b - 1, real=True) for a, b in zip(ground.shape, piece.shape, strict=True))
    turned = piece[::-1, ::-1]
    ones_g, g, gg = (fft.rfft2(part, size) for part in (np.ones_like(ground), ground, ground**2))
    ones_p, p, pp = (fft.rfft2(part, size) for part in (np.ones_like(piece), turned, turned**2))
    sums = fft.irfft2(np.stack([ones_g * ones_p, g * ones_p, ones_g * p, g * p, gg * ones_p, ones_g * pp]), size)
    n = np.maximum(np.round(sums[0]), 1.0)
    together = sums[3] - sums[1] * sums[2] / n
    spread_g, spread_p = sums[4] - sums[1] ** 2 / n, sums[5] - sums[2] ** 2 / n
    says = (n >= MIN_OVERLAP * min(ground.size, piece.size)) & (spread_g > FLAT * n) & (spread_p > FLAT * n)
    scores = np.where(says, together / np.sqrt(np.where(says, spread_g * spread_p, 1.0)), -1.0)
    row, column = np.unravel_index(int(np.argmax(scores)), scores.shape)
    return float(scores.max()), int(row) - piece.shape[0] + 1, int(column) - piece.shape[1] + 1
