"""What a trace asks of whoever keeps the rows."""

from collections.abc import Sequence
from typing import Protocol

import polars as pl


class LineageReader(Protocol):
    """Finds stored rows by one column. The ledger implements it; a test may hold frames."""

    def find(self, table: str, column: str, values: Sequence[str]) -> pl.DataFrame:
        """Rows of a ledger table (`stage.table`) whose column holds one of the values, sorted by the table's key.

        Returns:
            The columns of the table and `commit_id`: the earliest commit that made the row. No values, no row.
        """
        ...

    def find_commits(self, commit_ids: Sequence[str]) -> pl.DataFrame:
        """Columns commit_id, asset, partition, code_version, dagster_run_id, made_at_utc; sorted by commit id."""
        ...
