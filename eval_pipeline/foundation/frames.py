"""Schemas of the frames that cross a room's boundary, and the check that splits good rows from bad ones.

The same schema describes a frame in memory, a Parquet file in a commit and a table of the ledger, so a column has one
name, one type and one meaning everywhere.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import polars as pl

from eval_pipeline.foundation.errors import LineageError

UTC_TIME = pl.Datetime("us", "UTC")


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of a frame.

    Attributes:
        name: the same in every table where the quantity is the same; the unit is in the name.
        dtype: String, Int64, Float64, Boolean or UTC_TIME. JSON travels as canonical text.
        doc: one sentence, including what null means where it may be null.
        nullable: whether null is allowed.
        allowed: the only values allowed, or empty when any value is.
        in_equality: False for what may differ between two honest makings of one row (times, costs, float payload).
    """

    name: str
    dtype: pl.DataType | type[pl.DataType]
    doc: str
    nullable: bool = False
    allowed: tuple[str, ...] = ()
    in_equality: bool = True


@dataclass(frozen=True, kw_only=True)
class Table:
    """Schema of a frame with a key; `name` is `stage.table`.

    Attributes:
        name: stage word and singular noun, as in the ledger.
        grain: what one row is.
        key: columns whose values identify a row.
        columns: in order.
        version: raised when columns change; an upcaster then reads older commits.
    """

    name: str
    grain: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    version: int = 1

    @property
    def schema(self) -> dict[str, pl.DataType | type[pl.DataType]]:
        """Polars schema, in column order."""
        return {column.name: column.dtype for column in self.columns}

    def empty(self) -> pl.DataFrame:
        """A frame of this schema without rows."""
        return pl.DataFrame(schema=self.schema)

    def frame(self, rows: Iterable[Mapping[str, object]]) -> pl.DataFrame:
        """A checked frame from rows; missing nullable columns are null.

        Raises:
            LineageError: see `validate`.
        """
        return self.validate(pl.DataFrame([dict(row) for row in rows], schema=self.schema, strict=True))

    def validate(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the frame with columns in order, or raise: our own code made it, so a fault is ours.

        Raises:
            LineageError: a column is missing, unknown or of another type, a rule is broken or a key repeats.
        """
        expected, found = self.schema, dict(frame.schema)
        if set(expected) != set(found):
            missing, extra = sorted(set(expected) - set(found)), sorted(set(found) - set(expected))
            message = f"{self.name}: missing columns {missing}, unknown columns {extra}"
            raise LineageError(message)
        frame = frame.select(list(expected))
        wrong = [f"{name} is {found[name]}, not {dtype}" for name, dtype in expected.items() if found[name] != dtype]
        if wrong:
            message = f"{self.name}: {'; '.join(wrong)}"
            raise LineageError(message)
        checked = self.check(frame)
        if checked.rejected.height:
            message = f"{self.name}: {checked.rejected.height} bad rows, first: {checked.rejected.row(0, named=True)}"
            raise LineageError(message)
        return frame

    def check(self, frame: pl.DataFrame) -> "Checked":
        """Split a frame of the right columns into rows that keep every rule and rows that do not.

        Returns:
            Good rows, and bad rows with a column `rule` that names the first rule broken (not null, allowed, key).
        """
        rule = pl.lit(None, dtype=pl.String)
        if frame.height:
            repeated = pl.struct(list(self.key)).is_duplicated()
            rule = pl.when(repeated).then(pl.lit(f"key {', '.join(self.key)} repeats")).otherwise(rule)
        for column in reversed(self.columns):
            value = pl.col(column.name)
            if column.allowed:
                bad = value.is_not_null() & ~value.is_in(list(column.allowed))
                rule = (
                    pl.when(bad).then(pl.lit(f"{column.name} is none of {', '.join(column.allowed)}")).otherwise(rule)
                )
            if not column.nullable:
                rule = pl.when(value.is_null()).then(pl.lit(f"{column.name} is missing")).otherwise(rule)
            if column.dtype == pl.Float64:
                bad = value.is_not_null() & ~value.is_finite()
                rule = pl.when(bad).then(pl.lit(f"{column.name} is not finite")).otherwise(rule)
        ruled = frame.with_columns(rule=rule)
        return Checked(
            good=ruled.filter(pl.col("rule").is_null()).drop("rule"),
            rejected=ruled.filter(pl.col("rule").is_not_null()),
        )


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What a check kept and what it refused.

    Attributes:
        good: rows that keep every rule.
        rejected: the others, with the column `rule`.
    """

    good: pl.DataFrame
    rejected: pl.DataFrame


def text(name: str, doc: str, *, nullable: bool = False, allowed: tuple[str, ...] = ()) -> Column:
    """A column of text."""
    return Column(name=name, dtype=pl.String, doc=doc, nullable=nullable, allowed=allowed)


def integer(name: str, doc: str, *, nullable: bool = False, in_equality: bool = True) -> Column:
    """A column of 64-bit integers."""
    return Column(name=name, dtype=pl.Int64, doc=doc, nullable=nullable, in_equality=in_equality)


def real(name: str, doc: str, *, nullable: bool = False, in_equality: bool = False) -> Column:
    """A column of 64-bit floats: finite or null. Outside row equality by default, as floats differ between CPUs."""
    return Column(name=name, dtype=pl.Float64, doc=doc, nullable=nullable, in_equality=in_equality)


def flag(name: str, doc: str) -> Column:
    """A column of true and false."""
    return Column(name=name, dtype=pl.Boolean, doc=doc)


def moment(name: str, doc: str, *, nullable: bool = False) -> Column:
    """A column of UTC times: a witness, outside ids and equality."""
    return Column(name=name, dtype=UTC_TIME, doc=doc, nullable=nullable, in_equality=False)
