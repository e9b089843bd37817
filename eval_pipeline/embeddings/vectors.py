"""Vectors with the ids of their rows: made safe from raw arrays, and read back from vector files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl

from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.foundation.files import FileStore
from eval_pipeline.foundation.protocols import UnitVectors, Vectors

NOT_FINITE = "not finite"
ZERO_LENGTH = "zero length"
UNIT_LENGTH_TOLERANCE = 1e-3
_SMALLEST_LENGTH = 1e-12


@dataclass(frozen=True, kw_only=True)
class AcceptedVectors:
    """Vectors that may be indexed and clustered, and those that may not.

    Attributes:
        vectors: rows of unit length, in the given order without the refused ones.
        refused: reason by unit id: `not finite` or `zero length`.
    """

    vectors: UnitVectors
    refused: Mapping[str, str]


def find_faults(matrix: npt.NDArray[np.floating]) -> list[str | None]:
    """Name what is wrong with each row, or None.

    Args:
        matrix: (n, dim), any float type.

    Returns:
        `not finite` where a value is NaN or infinite, `zero length` where there is no direction, else None.
    """
    finite = np.isfinite(matrix).all(axis=1)
    lengths = np.linalg.norm(np.where(finite[:, None], matrix, 0.0).astype(np.float64), axis=1)
    return [
        NOT_FINITE if not is_finite else ZERO_LENGTH if length < _SMALLEST_LENGTH else None
        for is_finite, length in zip(finite.tolist(), lengths.tolist(), strict=True)
    ]


def normalise_rows(matrix: npt.NDArray[np.floating]) -> Vectors:
    """Scale rows to unit length.

    Args:
        matrix: (n, dim), any float type and memory order.

    Returns:
        (n, dim) float32, C order; a row without direction (zero, NaN or infinite) becomes a row of NaN.
    """
    wide = np.asarray(matrix, dtype=np.float64)
    usable = np.asarray(np.isfinite(wide).all(axis=1))
    lengths = np.linalg.norm(np.where(usable[:, None], wide, 0.0), axis=1)
    usable &= lengths >= _SMALLEST_LENGTH
    scaled = np.full(wide.shape, np.nan)
    scaled[usable] = wide[usable] / lengths[usable, None]
    return np.ascontiguousarray(scaled, dtype=np.float32)


def accept_vectors(*, unit_ids: Sequence[str], matrix: npt.NDArray[np.floating], encoder_id: str) -> AcceptedVectors:
    """Turn a raw array into vectors that can be compared, and name the units whose rows cannot.

    Args:
        unit_ids: (n,) ids of the rows.
        matrix: (n, dim), any float type and memory order, rows of any length.
        encoder_id: who made them.
    """
    faults = find_faults(matrix)
    keep = [row for row, fault in enumerate(faults) if fault is None]
    return AcceptedVectors(
        vectors=UnitVectors(
            unit_ids=np.array([unit_ids[row] for row in keep], dtype=np.str_),
            matrix=normalise_rows(np.asarray(matrix)[keep]),
            encoder_id=encoder_id,
        ),
        refused={unit_ids[row]: fault for row, fault in enumerate(faults) if fault is not None},
    )


def check_matrix(matrix: Vectors, *, what: str) -> None:
    """Refuse what an inner-product search would take without complaint and answer wrongly.

    Raises:
        LineageError: not two-dimensional float32 in C order, not finite, or rows not of unit length.
    """
    if matrix.ndim != 2 or matrix.dtype != np.float32 or not matrix.flags.c_contiguous:
        message = f"{what}: expected a float32 matrix in C order, found {matrix.dtype} of shape {matrix.shape}"
        raise LineageError(message)
    squares = np.einsum("ij,ij->i", matrix, matrix)
    bad = np.flatnonzero(~(np.abs(squares - 1.0) <= 2 * UNIT_LENGTH_TOLERANCE))
    if bad.size:
        message = f"{what}: {bad.size} rows are not finite or not of unit length, first row {bad[0]}; normalise them"
        raise LineageError(message)


def load_vectors(*, rows: pl.DataFrame, encoder_id: str, home: Path) -> UnitVectors:
    """Gather the vectors of units from the files that hold them.

    Args:
        rows: columns `unit_id`, `picture_hash`, `path` (relative to the project folder) and `row` (0-based); of a
            unit with several places the smallest path is read.
        encoder_id: encoder that made the files.
        home: the project folder.

    Returns:
        Rows sorted by unit id, whatever the order of the input.

    Raises:
        LineageError: a file is gone, is not float32, is too short, or holds a row without direction.
    """
    ordered = rows.select("unit_id", "path", "row").sort("unit_id", "path", "row").unique("unit_id", keep="first")
    ordered = ordered.sort("unit_id").with_row_index("place")
    matrix: Vectors | None = None
    for (path,), part in ordered.sort("path", "place").group_by("path", maintain_order=True):
        stored = _open_file(FileStore(home=home).locate(str(path)), str(path), part["row"].to_numpy())
        if matrix is None:
            matrix = np.empty((ordered.height, stored.shape[1]), dtype=np.float32)
        matrix[part["place"].to_numpy()] = stored[part["row"].to_numpy()]
    gathered = np.empty((0, 0), dtype=np.float32) if matrix is None else matrix
    check_matrix(gathered, what=f"vectors of {encoder_id}")
    return UnitVectors(
        unit_ids=np.array(ordered["unit_id"].to_list(), dtype=np.str_), matrix=gathered, encoder_id=encoder_id
    )


def _open_file(file: Path, path: str, wanted: npt.NDArray[np.int64]) -> Vectors:
    try:
        stored: Vectors = np.load(file, mmap_mode="r", allow_pickle=False)
    except (ValueError, OSError) as error:
        message = f"{path} is not a readable vector file: {error}; run 'eval-pipeline doctor'"
        raise LineageError(message) from error
    if stored.ndim != 2 or stored.dtype != np.float32 or int(wanted.max()) >= stored.shape[0]:
        message = (
            f"{path}: expected float32 with more than {int(wanted.max())} rows, found {stored.dtype} {stored.shape}"
        )
        raise LineageError(message)
    return stored
