"""What a stage hands to whoever records it: checked tables, the ids it rests on, and counts for people."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl


@dataclass(frozen=True, kw_only=True)
class StageOutput:
    """Result of one call of a stage.

    Attributes:
        tables: frames by table name (`corpus.unit`, ...), each valid under its schema; may be empty.
        inputs: ids of what the rows were made from, for the commit header.
        summary: counts and short facts for people, in the order to show them.
    """

    tables: Mapping[str, pl.DataFrame]
    inputs: tuple[str, ...] = ()
    summary: Mapping[str, int | float | str] = field(default_factory=dict)

    @property
    def n_rows(self) -> int:
        """Rows over all tables."""
        return sum(frame.height for frame in self.tables.values())


def merge_outputs(*outputs: StageOutput) -> StageOutput:
    """One output that holds the rows of several; numbers in the summaries are added, words kept from the last."""
    tables: dict[str, list[pl.DataFrame]] = {}
    summary: dict[str, int | float | str] = {}
    for output in outputs:
        for name, frame in output.tables.items():
            tables.setdefault(name, []).append(frame)
        for name, value in output.summary.items():
            before = summary.get(name)
            both = isinstance(value, int | float) and isinstance(before, int | float)
            summary[name] = before + value if both else value  # type: ignore[operator]  # both are numbers here
    return StageOutput(
        tables={name: pl.concat(frames).unique(maintain_order=True) for name, frames in tables.items()},
        inputs=tuple(sorted({item for output in outputs for item in output.inputs})),
        summary=summary,
    )
