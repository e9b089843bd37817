"""Other objects of the same type: by hand, against the definition, and on the drawn views."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from eval_pipeline.corpus.pictures import hash_picture
from eval_pipeline.demo.relations.objects import draw_objects
from eval_pipeline.demo.relations.placing import read_lines
from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.foundation.config import NegativesConfig
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.foundation.tables.views import UNIT_IN_FORCE
from eval_pipeline.negatives.instance import ObjectFacets, draw_hard_negatives, settings_id_of

Member = Callable[..., dict[str, Any]]
CALM = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def units_of(rows: list[dict[str, Any]]) -> pl.DataFrame:
    return UNIT_IN_FORCE.frame([{key: row[key] for key in UNIT_IN_FORCE.schema} for row in rows])


def draw(rows: list[dict[str, Any]], vectors: UnitVectors, k: int = 3) -> StageOutput:
    config = NegativesConfig(k=k)
    return draw_hard_negatives(units=units_of(rows), vectors=vectors, refused=["pic-refused"], config=config)


def pool_of(output: StageOutput, unit_id: str) -> list[str]:
    rows = output.tables["negatives.negative"].filter(pl.col("unit_id") == unit_id).sort("rank")
    assert rows["rank"].to_list() == list(range(1, rows.height + 1))
    return rows["negative_unit_id"].to_list()


def shortfall_of(output: StageOutput, unit_id: str) -> list[tuple[str, int, int, str]]:
    rows = output.tables["negatives.shortfall"].filter(pl.col("unit_id") == unit_id)
    return rows.select("axis", "n_wanted", "n_found", "reason").rows()


def test_each_other_object_of_the_type_by_its_nearest_view(
    a_member: Member, on_a_circle: Callable[[dict[str, float]], UnitVectors]
) -> None:
    seen = {"a1": "a", "a2": "a", "b1": "b", "b2": "b", "c1": "c", "d1": "d"}
    rows = [a_member(name, type="mug", object=item) for name, item in seen.items()]
    rows += [a_member("lamp", type="lamp", object="x"), a_member("untold", type="mug"), a_member("bare", object="y")]
    degrees = {"a1": 0.0, "a2": 1.0, "b1": 20.0, "b2": 10.0, "c1": 15.0, "d1": 40.0}
    degrees |= {"lamp": 2.0, "untold": 3.0, "bare": 4.0}
    output = draw(rows, on_a_circle(degrees))
    assert pool_of(output, "a1") == ["b2", "c1", "d1"]  # b once, by its nearer view
    assert shortfall_of(output, "a1") == []
    assert pool_of(output, "untold") == []
    assert shortfall_of(output, "untold") == [("object", 3, 0, "missing facet object")]
    assert shortfall_of(output, "bare") == [("object", 3, 0, "missing facet type")]
    assert shortfall_of(output, "lamp") == [("object", 3, 0, "no other object of this type")]
    assert set(output.tables["negatives.negative"]["axis"]) == {"object"}


def test_a_picture_of_the_object_under_another_name_is_never_a_negative(
    a_member: Member, vectors_of: Callable[..., UnitVectors]
) -> None:
    rows = [
        a_member("a1", picture="p1", type="mug", object="a"),
        a_member("a2", picture="p2", type="mug", object="a"),
        a_member("b1", picture="p2", type="mug", object="b"),  # a view of a as well, says a2
        a_member("b2", picture="p3", type="mug", object="b"),
    ]
    output = draw(rows, vectors_of(["a1", "a2", "b1", "b2"]))
    assert pool_of(output, "a1") == ["b2"]
    assert shortfall_of(output, "a1") == [("object", 3, 1, "no further object of this type")]


def test_a_refused_picture_is_in_no_pool(a_member: Member, vectors_of: Callable[..., UnitVectors]) -> None:
    rows = [a_member(name, type="mug", object=name) for name in ("a", "b", "refused")]
    output = draw(rows, vectors_of(["a", "b"]))
    assert pool_of(output, "a") == ["b"]
    assert shortfall_of(output, "refused") == [("object", 3, 0, "no vector")]


def test_the_settings_id_covers_facets_k_and_encoder() -> None:
    plain = settings_id_of(NegativesConfig(), ObjectFacets(), "e")
    others = {
        settings_id_of(NegativesConfig(k=5), ObjectFacets(), "e"),
        settings_id_of(NegativesConfig(), ObjectFacets(type="kind"), "e"),
        settings_id_of(NegativesConfig(), ObjectFacets(object="item"), "e"),
        settings_id_of(NegativesConfig(), ObjectFacets(), "f"),
    }
    assert len(others | {plain}) == 5
    assert settings_id_of(NegativesConfig(backfill="nearest"), ObjectFacets(), "e") == plain


UNITS = st.lists(
    st.tuples(
        st.sampled_from(["mug", "lamp", None]),
        st.sampled_from(["a", "b", "c", "d", None]),
        st.integers(0, 9),
    ),
    min_size=1,
    max_size=18,
)


def by_definition(rows: list[dict[str, Any]], vectors: UnitVectors, k: int) -> dict[str, list[str]]:
    told = {row["unit_id"]: json.loads(row["facets"]) for row in rows}
    picture = {row["unit_id"]: row["picture_hash"] for row in rows}

    def alike(one: str, other: str) -> float:
        pair = vectors.rows_of([one, other]).astype(float)
        return float(np.float32(np.einsum("i,i->", pair[0], pair[1])))

    def views(kind: str, item: str) -> set[str]:
        return {picture[name] for name in told if told[name].get("type") == kind and told[name].get("object") == item}

    pools = {}
    for gold, facets in told.items():
        pool: list[str] = []
        if len(facets) == 2:
            others = [name for name in told if len(told[name]) == 2 and told[name]["type"] == facets["type"]]
            for name in sorted(others, key=lambda name: (-alike(gold, name), name)):
                kind, item = told[name]["type"], told[name]["object"]
                is_same = item == facets["object"]
                is_view = picture[name] in views(kind, facets["object"]) or picture[gold] in views(kind, item)
                if not is_same and not is_view and item not in {told[other]["object"] for other in pool}:
                    pool.append(name)
        pools[gold] = pool[:k]
    return pools


@CALM
@given(units=UNITS, k=st.integers(1, 4), seed=st.integers(0, 20))
def test_pools_equal_the_definition_whatever_the_order(
    units: list[tuple[str | None, str | None, int]],
    k: int,
    seed: int,
    a_member: Member,
    vectors_of: Callable[..., UnitVectors],
) -> None:
    rows = []
    for place, (kind, item, picture) in enumerate(units):
        facets = {name: value for name, value in (("type", kind), ("object", item)) if value is not None}
        rows.append(a_member(f"u{place:02d}", picture=f"pic{picture}", **facets))
    ids = [row["unit_id"] for row in rows]
    vectors = vectors_of(ids, seed=seed)
    output = draw(rows, vectors, k)
    assert {name: pool_of(output, name) for name in ids} == by_definition(rows, vectors, k)
    for name in ids:
        open_places = sum(wanted - found for _, wanted, found, reason in shortfall_of(output, name) if reason)
        assert len(pool_of(output, name)) + open_places == k
    again = draw(rows[::-1], vectors, k)
    assert all(output.tables[name].equals(again.tables[name]) for name in output.tables)


def test_on_the_drawn_views_no_negative_shows_the_object(
    tmp_path: Path, a_member: Member, vectors_of: Callable[..., UnitVectors]
) -> None:
    drawn = draw_objects(home=tmp_path, seed=7)
    with (tmp_path / "corpus/objects.csv").open(newline="") as file:
        told = list(csv.DictReader(file))
    rows, looks = [], []
    for row in told:
        with Image.open(tmp_path / row["file"]) as picture:
            facets = {name: row[name] for name in ("type", "object") if row[name]}
            rows.append(a_member(row["file"], picture=hash_picture(picture.convert("RGB")), **facets))
            looks.append(np.asarray(picture.resize((12, 12)), dtype=float).ravel() - 128.0)
    ids = [row["unit_id"] for row in rows]
    vectors = UnitVectors(unit_ids=np.array(ids), matrix=normalise_rows(np.stack(looks)), encoder_id="enc_thumb")
    output = draw(rows, vectors, k=4)
    truth = {str(row["file"]): row for row in read_lines(tmp_path / drawn.truth)}
    pairs = output.tables["negatives.negative"].select("unit_id", "negative_unit_id").rows()
    assert len(pairs) > 200
    for gold, negative in pairs:
        assert truth[gold]["object"] != truth[negative]["object"]
        assert truth[gold]["type"] == truth[negative]["type"]
    short = output.tables["negatives.shortfall"].select("unit_id", "n_found", "reason").rows()
    untold = next(row["file"] for row in told if not row["object"])
    assert (untold, 0, "missing facet object") in short
