"""Metadata rows that belong to a file."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from eval_pipeline.corpus.access import Access

TABLE_KEY = "__table__"
LINE_KEY = "__line__"
"""Keys beside the user's columns in `corpus.document.metadata`: where a row was found. The line takes part in no id."""


@dataclass(frozen=True, kw_only=True)
class MetadataRow:
    """A row that belongs to a file.

    Attributes:
        table: the table, relative to the project folder.
        line: its line there.
        values: text by column; a missing value has no entry.
        page_column: the declared page column, where the table has it; None where the row is about a whole document.
        access: level and groups that the row gives; None where it gives none.
    """

    table: str
    line: int
    values: Mapping[str, str]
    page_column: str | None
    access: Access | None

    def to_object(self) -> dict[str, str]:
        """The row as it is kept in `corpus.document.metadata`; an empty page cell is kept, as it says `page-level`."""
        page = {self.page_column: ""} if self.page_column else {}
        return {**page, **self.values, TABLE_KEY: self.table, LINE_KEY: str(self.line)}


@dataclass(kw_only=True)
class Described:
    """What the tables say of one file.

    Attributes:
        document_id: declared id; None where no row gives one.
        rows: accepted rows, in the order of tables and lines.
        refused_access: what refused rows said of access, so that refusing a row never opens a document.
        is_refused: whether a row of this file was refused.
    """

    document_id: str | None = None
    rows: list[MetadataRow] = field(default_factory=list)
    refused_access: list[Access] = field(default_factory=list)
    is_refused: bool = False
