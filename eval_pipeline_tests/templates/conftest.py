"""Builders: units in a few tight groups, and the state after a round."""

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.templates.state import TemplateState

Groups = Callable[..., UnitVectors]


@pytest.fixture
def make_groups() -> Groups:
    """Units `a00`, `a01`, ... near one direction per letter; spread is the noise per dimension."""

    def make(sizes: dict[str, int], *, spread: float = 0.02, dim: int = 12, seed: int = 0) -> UnitVectors:
        ids, rows = [], []
        for letter, size in sizes.items():
            for place in range(size):
                unit_id = f"{letter}{place:02d}"
                rng = np.random.default_rng([seed, ord(letter), place])
                ids.append(unit_id)
                rows.append(np.eye(dim)[ord(letter) % dim] + rng.normal(scale=spread, size=dim))
        matrix = normalise_rows(np.array(rows)) if rows else np.empty((0, dim), np.float32)
        return UnitVectors(unit_ids=np.array(ids, dtype=np.str_), matrix=matrix, encoder_id="enc_layout")

    return make


def state_after(state: TemplateState | None, output: StageOutput) -> TemplateState:
    """What the ledger would hand to the next round."""
    versions = output.tables["templates.template_version"]
    templates, rows = output.tables["templates.template"], output.tables["templates.template_assignment"]
    if versions.height:
        return TemplateState(version=versions.row(0, named=True), templates=templates, assignments=rows)
    assert state is not None
    merged = pl.concat([state.assignments, rows]).sort("round").unique("unit_id", keep="last").sort("unit_id")
    return TemplateState(version=state.version, templates=pl.concat([state.templates, templates]), assignments=merged)


@pytest.fixture
def advance() -> Callable[[TemplateState | None, StageOutput], TemplateState]:
    return state_after
