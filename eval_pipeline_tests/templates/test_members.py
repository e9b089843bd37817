"""The members hash moves when a member, a facet or a picture moves, and with nothing else."""

from typing import Any

import polars as pl
import pytest

from eval_pipeline.templates.members import SCHEMA, hash_members


def members(*rows: tuple[str, str, str, str], **other: Any) -> pl.DataFrame:
    columns = ["template_id", "unit_id", "facets", "picture_hash"]
    return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row").with_columns(
        template_bucket=pl.lit("07"), access=pl.lit(other.get("access", "public"))
    )


BASE = (("t1", "a", "{}", "p1"), ("t1", "b", "{}", "p2"), ("t2", "c", "{}", "p3"))


def hashes(frame: pl.DataFrame) -> dict[str, str]:
    return dict(hash_members(frame).select("template_id", "members_hash").rows())


def test_order_and_other_columns_do_not_matter() -> None:
    assert hashes(members(*BASE)) == hashes(members(*BASE[::-1], access="restricted"))
    assert hash_members(members(*BASE)).select("template_id", "bucket", "n_units").rows() == [
        ("t1", "07", 2),
        ("t2", "07", 1),
    ]


@pytest.mark.parametrize(
    "changed",
    [
        (("t1", "a", "{}", "p1"),),
        (BASE[0], ("t1", "b", '{"period":"2024"}', "p2")),
        (BASE[0], ("t1", "b", "{}", "other")),
        (*BASE[:2], ("t1", "d", "{}", "p4")),
    ],
)
def test_only_the_touched_template_changes(changed: tuple[tuple[str, str, str, str], ...]) -> None:
    before, after = hashes(members(*BASE)), hashes(members(*changed, BASE[2]))
    assert before["t1"] != after["t1"]
    assert before["t2"] == after["t2"]


def test_no_members_give_an_empty_frame() -> None:
    assert hash_members(members()).schema == pl.Schema(SCHEMA)
