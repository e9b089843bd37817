"""Pictures of one page that were stored in two ways: compressed again, or at another size.

Equal pictures have equal hashes; these differ in every pixel and show the same. What must not be taken for a copy is a
look-alike that differs in one digit. ADR 0009 has the measurements behind every threshold.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
from PIL import Image

from eval_pipeline.foundation.errors import EvalPipelineError
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.negatives.nearest import blocks_of, multiply_block

CODE_VERSION = "1"
MIN_COSINE = 0.97
"""Least similarity of two pictures that are looked at more closely."""
MAX_COARSE = 4
"""Most by which a cell of the coarse pictures may differ, of 255."""
COARSE = (48, 64)
"""Columns and rows of a coarse picture."""
WINDOW_PX = 3
"""Side of the square over which a difference is averaged: noise of a codec cancels there, a changed digit does not."""
MAX_PEAK_BY_SIDE_PX = ((800, 12.0), (600, 5.0))
"""Largest averaged difference of copies, of 255, by the shorter side at which they are compared; below that no call."""
MAX_PEAK_TO_NOISE = 2.5
"""Largest ratio of the peak to what the noisiest of the drawn pixels show: one changed digit stands out of noise."""
FILTERS = (Image.Resampling.LANCZOS, Image.Resampling.BICUBIC, Image.Resampling.BILINEAR, Image.Resampling.BOX)
"""How the larger picture may have been made smaller; each is tried, as a wrong one leaves more noise than a codec."""
MAX_COLOUR = 16.0
"""Largest difference of a colour channel, averaged over squares of 8 pixels."""
MAX_ASPECT = 0.01
"""Largest relative difference of the ratios of width to height."""

Grey = npt.NDArray[np.float32]
Rows = npt.NDArray[np.intp]


def find_looks(*, members: pl.DataFrame, vectors: UnitVectors, home: Path) -> dict[str, str]:
    """Group the pictures of each template that show the same.

    Two pages whose legible texts differ are never copies. Nor are two that were not stored in enough detail to tell one
    digit from another.

    Args:
        members: template_id, unit_id, picture_hash, picture_path, text_hash, text_quality; whole templates.
        vectors: of the units; units without one are in no group.
        home: the project folder, to which `picture_path` is relative.

    Returns:
        The smallest picture hash of its group, by picture hash; pictures without a copy are left out.
    """
    known = set(vectors.unit_ids.tolist())
    pictures = members.sort("template_id", "unit_id").filter(pl.col("unit_id").is_in(known))
    looks: dict[str, str] = {}
    for _, part in pictures.group_by("template_id", maintain_order=True):
        shown = part.unique("picture_hash", keep="first", maintain_order=True)
        looks |= _group_template(shown, vectors.rows_of(shown["unit_id"].to_list()), home)
    return looks


def _group_template(shown: pl.DataFrame, matrix: Grey, home: Path) -> dict[str, str]:
    hashes = shown["picture_hash"].to_list()
    paths = [home / path for path in shown["picture_path"].to_list()]
    look = {name: name for name in hashes}
    coarse = _CoarsePictures(paths)
    open_picture = lru_cache(maxsize=32)(_open)
    for one, others in _alike(shown, matrix):
        for other in coarse.near(one, others).tolist():
            if look[hashes[one]] == look[hashes[other]]:
                continue
            if are_copies(open_picture(paths[one]), open_picture(paths[other])):
                first, second = sorted((look[hashes[one]], look[hashes[other]]))
                look = {name: first if group == second else group for name, group in look.items()}
    shared = {group for name, group in look.items() if name != group}
    return {name: group for name, group in look.items() if group in shared}


def _alike(shown: pl.DataFrame, matrix: Grey) -> Iterator[tuple[int, Rows]]:
    """Each row with the later rows near enough to be looked at, where there are any."""
    texts = shown["text_hash"].rank("dense").cast(pl.Int64).to_numpy()
    is_legible = (shown["text_quality"] == "good").to_numpy()
    rows = np.arange(shown.height)
    for block in blocks_of(shown.height):
        is_near = multiply_block(matrix, block) >= MIN_COSINE
        says_other = is_legible[block, None] & is_legible[None, :] & (texts[block, None] != texts[None, :])
        wanted = is_near & ~says_other & (rows[block, None] < rows[None, :])
        for row in np.flatnonzero(wanted.any(axis=1)).tolist():
            yield block.start + row, np.flatnonzero(wanted[row])


class _CoarsePictures:
    """Coarse pictures, each made when it is first asked for.

    Args:
        paths: (n,) of the pictures.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths
        self._pixels = np.zeros((len(paths), COARSE[0] * COARSE[1]), dtype=np.int16)
        self._is_made = np.zeros(len(paths), dtype=np.bool_)

    def near(self, row: int, others: Rows) -> Rows:
        """Those of the others that differ nowhere by more than `MAX_COARSE`."""
        for place in (row, *others.tolist()):
            if not self._is_made[place]:
                self._pixels[place] = _coarse(self._paths[place])
                self._is_made[place] = True
        differs = np.abs(self._pixels[others] - self._pixels[row]).max(axis=1)
        near: Rows = others[differs <= MAX_COARSE]
        return near


def _open(path: Path) -> Image.Image:
    try:
        with Image.open(path) as picture:
            return picture.convert("YCbCr")
    except OSError as error:
        message = (
            f"{path} cannot be read, to tell copies from look-alikes: {error}; run `eval-pipeline doctor --repair`"
        )
        raise EvalPipelineError(message) from error


def _coarse(path: Path) -> npt.NDArray[np.int16]:
    return np.asarray(_open(path).getchannel(0).resize(COARSE, Image.Resampling.BILINEAR), dtype=np.int16).ravel()


def are_copies(one: Image.Image, other: Image.Image) -> bool:
    """Whether two pictures show the same to the last digit.

    Args:
        one: any mode, any size.
        other: the same.
    """
    size = (min(one.width, other.width), min(one.height, other.height))
    if abs(one.width * other.height / (one.height * other.width) - 1.0) > MAX_ASPECT:
        return False
    max_peak = next((peak for side, peak in MAX_PEAK_BY_SIDE_PX if min(size) >= side), None)
    if max_peak is None:
        return False
    filters = FILTERS if one.size != other.size else FILTERS[:1]
    return any(_show_the_same(_fit(one, size, by), _fit(other, size, by), max_peak) for by in filters)


def _fit(picture: Image.Image, size: tuple[int, int], by: Image.Resampling) -> Image.Image:
    plain = picture.convert("YCbCr")
    return plain if plain.size == size else plain.resize(size, by)


def _show_the_same(one: Image.Image, other: Image.Image, max_peak: float) -> bool:
    grey = [np.asarray(picture.getchannel(0), dtype=np.float32) for picture in (one, other)]
    found = measure_difference(grey[0], grey[1])
    return found.peak <= max_peak and found.stands_out <= MAX_PEAK_TO_NOISE and _same_colours(one, other)


def _same_colours(one: Image.Image, other: Image.Image) -> bool:
    for channel in (1, 2):
        pair = [np.asarray(picture.getchannel(channel).reduce(8), dtype=np.float32) for picture in (one, other)]
        if np.abs(pair[0] - pair[1]).max() > MAX_COLOUR:
            return False
    return True


@dataclass(frozen=True, kw_only=True)
class Difference:
    """How two grey pictures of equal size differ, averaged over squares of `WINDOW_PX`.

    Attributes:
        peak: largest difference, of 255.
        noise: difference that one in fifty of the drawn pixels exceeds.
    """

    peak: float
    noise: float

    @property
    def stands_out(self) -> float:
        """Peak over noise, and over half a grey level at least; 0 where nothing differs."""
        return self.peak / max(self.noise, 0.5)


def measure_difference(one: Grey, other: Grey) -> Difference:
    """Averaged difference of two grey pictures.

    Args:
        one: (height, width) float32, 0 to 255.
        other: the same shape.
    """
    averaged = np.abs(_average(one - other)).ravel()
    drawn = np.abs(one - np.median(one[::8, ::8])) > 48.0
    place = min(max(150, int(drawn.sum()) // 50), averaged.size)
    largest = np.partition(averaged, averaged.size - place)
    return Difference(peak=float(averaged.max()), noise=float(largest[averaged.size - place]))


def _average(values: Grey) -> Grey:
    """Mean over each full square of `WINDOW_PX`."""
    n = WINDOW_PX
    rows = sum(values[place : values.shape[0] - n + 1 + place] for place in range(n))
    assert not isinstance(rows, int)
    both = sum(rows[:, place : values.shape[1] - n + 1 + place] for place in range(n))
    averaged: Grey = np.asarray(both, dtype=np.float32) / np.float32(n * n)
    return averaged


def apply_looks(picture_hashes: pl.Series, looks: Mapping[str, str]) -> pl.Series:
    """(n,) picture hashes with each copy's hash replaced by that of its group."""
    return picture_hashes.replace(dict(looks)) if looks else picture_hashes
