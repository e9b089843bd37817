"""Negatives for the relation `transformed_copy`: confusable non-copies, look-alikes of the same template.

What makes a negative is that it comes from another original. That is known where a facet names the original, and seen
where the pictures are laid over each other; a pair that neither can tell apart is taken for copies.
"""

from collections.abc import Callable, Collection

import numpy as np
import numpy.typing as npt
import polars as pl

from eval_pipeline.foundation.config import NegativesConfig
from eval_pipeline.foundation.ids import content_id
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import UnitVectors, Vectors
from eval_pipeline.negatives import alignment, originals
from eval_pipeline.negatives.drawing import draw_by_group, refused_units
from eval_pipeline.negatives.grouping import facet_of
from eval_pipeline.negatives.one_axis import Reasons, fill_pools, rank_allowed, without_vector
from eval_pipeline.negatives.originals import Outcome
from eval_pipeline.negatives.places import Pools
from eval_pipeline.negatives.shortfalls import NO_SIBLING

CODE_VERSION = "2"
AXIS = "original"
REASONS = Reasons(
    alone=NO_SIBLING,
    none="all siblings are or may be copies",
    no_further="no further sibling that is surely no copy",
)
ComparePictures = Callable[[str, str], Outcome]
"""Whether two pictures, by hash, are copies; see `originals.PictureComparer.compare`."""


def settings_id_of(original_facet: str | None, config: NegativesConfig, encoder_id: str) -> str:
    """Id of everything but the template's members that a pool depends on: facet, k, encoder, code."""
    return content_id(
        "pset",
        {
            "relation": "transformed_copy",
            "original": original_facet,
            "k": config.k,
            "encoder_id": encoder_id,
            "code_version": [CODE_VERSION, originals.CODE_VERSION, alignment.CODE_VERSION],
        },
    )


def draw_hard_negatives(
    *,
    members: pl.DataFrame,
    vectors: UnitVectors,
    refused: Collection[str],
    config: NegativesConfig,
    compare: ComparePictures,
    original_facet: str | None = None,
) -> StageOutput:
    """Draw the k look-alikes of the same template that are surely no copies, nearest first.

    Never a negative: the unit itself; an equal picture; a picture of which the same original is declared, or of which
    a declared copy has this very picture; a picture that `compare` calls a copy of it or cannot tell (`unclear`).
    Declared originals that differ are compared all the same: an original may have been handed in twice. Pictures are
    compared from the nearest on and only until the pool is full. Places are not filled from elsewhere (`backfill` has
    no meaning here).

    Args:
        members: templates.member columns and `members_hash`; all members of each template that is to be pooled.
        vectors: encoder vectors of the corpus as far as they were made.
        refused: picture hashes that the encoder refused.
        config: k.
        compare: whether two pictures are copies; the order of the two must not matter.
        original_facet: facet that names the original of a picture, where declared.

    Returns:
        As `drawing.draw_by_group`: axis `original`. Same members and settings give the same rows, whatever the input
        order.
    """
    return draw_by_group(
        members=members,
        vectors=vectors,
        refused=refused_units(members, refused),
        settings_id=settings_id_of(original_facet, config, vectors.encoder_id),
        rule=lambda part, matrix: _pool_template(part, matrix, config.k, compare, original_facet),
        without_vector=without_vector(AXIS, config.k),
    )


def _pool_template(
    part: pl.DataFrame, matrix: Vectors, k: int, compare: ComparePictures, original_facet: str | None
) -> Pools:
    pictures = part["picture_hash"].to_list()
    families = _join_families(pictures, _originals(part, original_facet))
    wanted = 2 * k
    while True:
        nearest = rank_allowed(matrix=matrix, allow=lambda block: _apart(families, block), places=wanted)
        kept = [
            _keep_others(pictures[row], [(pictures[column], column, alike) for column, alike in found], k, compare)
            for row, found in enumerate(nearest)
        ]
        full = [len(kept[row]) == k or len(nearest[row]) < wanted for row in range(part.height)]
        if all(full):
            break
        wanted *= 2
    return fill_pools(kept, axis=AXIS, k=k, reasons=[REASONS] * part.height)


def _apart(families: npt.NDArray[np.int64], block: slice) -> npt.NDArray[np.bool_]:
    apart: npt.NDArray[np.bool_] = families[block, None] != families[None, :]
    return apart


def _originals(part: pl.DataFrame, original_facet: str | None) -> list[str | None]:
    if original_facet is None:
        return [None] * part.height
    return facet_of(part["facets"].to_list(), original_facet).to_list()


def _join_families(pictures: list[str], declared: list[str | None]) -> npt.NDArray[np.int64]:
    """(n,) equal numbers for members that share a picture or a declared original, directly or through others."""
    family: dict[tuple[str, str], int] = {}
    numbers = np.arange(len(pictures), dtype=np.int64)
    for row, (picture, original) in enumerate(zip(pictures, declared, strict=True)):
        marks = [("picture", picture)] + ([("original", original)] if original is not None else [])
        joined = {int(numbers[row])} | {int(numbers[family[mark]]) for mark in marks if mark in family}
        numbers[np.isin(numbers, list(joined))] = min(joined)
        for mark in marks:
            family.setdefault(mark, row)
    return numbers


def _keep_others(
    picture: str, nearest: list[tuple[str, int, float]], k: int, compare: ComparePictures
) -> list[tuple[int, float]]:
    """The first k that surely come from another original."""
    kept: list[tuple[int, float]] = []
    for other, column, similarity in nearest:
        if len(kept) == k:
            break
        if compare(picture, other) == "other":
            kept.append((column, similarity))
    return kept
