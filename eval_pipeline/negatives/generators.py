"""What a generator of hard negatives offers: one per relation (evidence now; the others follow the same two names)."""

from collections.abc import Collection, Mapping
from typing import Protocol

import polars as pl

from eval_pipeline.foundation.config import NegativesConfig
from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.negatives.pools import draw_hard_negatives


class DrawNegatives(Protocol):
    """Draws the hard negatives of units under one relation."""

    def __call__(
        self,
        *,
        members: pl.DataFrame,
        vectors: UnitVectors,
        refused: Collection[str],
        axes: tuple[str, ...],
        config: NegativesConfig,
    ) -> StageOutput:
        """Rows of negatives.pooled_template, unit_pool, negative and shortfall; see `pools.draw_hard_negatives`."""
        ...


GENERATORS: Mapping[str, DrawNegatives] = {"evidence": draw_hard_negatives}


def find_generator(relation: str) -> DrawNegatives:
    """Generator of a relation.

    Raises:
        UnknownName: no generator draws negatives for it.
    """
    if relation not in GENERATORS:
        message = f"no generator draws negatives for the relation {relation!r}; there are: {', '.join(GENERATORS)}"
        raise UnknownName(message, name=relation)
    return GENERATORS[relation]
