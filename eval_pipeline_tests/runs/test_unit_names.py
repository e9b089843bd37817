from collections.abc import Callable
from typing import Literal

import polars as pl
import pytest

from eval_pipeline.runs.unit_names import UnitStyle, name_units


@pytest.fixture
def units(make_units: Callable[..., pl.DataFrame]) -> pl.DataFrame:
    return make_units(
        "u1", "u2", document_id=["d", "d"], source_path=["a/b.pdf"] * 2, page_number=[1, 2], declared_id=["pa", "pb"]
    )


@pytest.mark.parametrize(
    ("style", "base", "names"),
    [
        ("unit_id", 1, ["u1", "u2"]),
        ("declared_id", 1, ["pa", "pb"]),
        ("document#page", 1, ["d#1", "d#2"]),
        ("document#page", 0, ["d#0", "d#1"]),
        ("path#page", 1, ["a/b.pdf#1", "a/b.pdf#2"]),
    ],
)
def test_styles(units: pl.DataFrame, style: UnitStyle, base: Literal[0, 1], names: list[str]) -> None:
    assert name_units(units=units, style=style, page_base=base).unit_of == dict(zip(names, ["u1", "u2"], strict=True))


@pytest.mark.parametrize("name", ["PA", "pa.png", "pa.PDF"])
def test_run_05_a_name_of_other_case_or_ending_is_suggested_and_not_matched(units: pl.DataFrame, name: str) -> None:
    names = name_units(units=units, style="declared_id")
    assert name not in names.unit_of
    assert names.explain(name) == f"{name!r} is no declared_id of this corpus; did you mean 'pa'?"


def test_a_shared_name_is_nobodys(make_units: Callable[..., pl.DataFrame]) -> None:
    names = name_units(units=make_units("u1", "u2", declared_id=["p", "p"]), style="declared_id")
    assert names.unit_of == {}
    assert names.explain("p") == "'p' names several units; use another style than declared_id"


def test_pages_without_a_declared_id_have_no_such_name(make_units: Callable[..., pl.DataFrame]) -> None:
    assert name_units(units=make_units("u1"), style="declared_id").unit_of == {}
    assert "did you mean" not in name_units(units=make_units("u1"), style="declared_id").explain("x")
