"""Pools: the case of the fault log, examples by hand, and properties against the definition spelled out."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from eval_pipeline.embeddings.index import score_rows
from eval_pipeline.foundation.config import NegativesConfig
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.negatives.pools import draw_hard_negatives, settings_id_of
from eval_pipeline.negatives.sameness import Sameness

AXES = ("period", "metric", "entity")
REFUSED = frozenset({"pic-refused"})
Member = Callable[..., dict[str, Any]]
Members = Callable[[list[dict[str, Any]]], pl.DataFrame]
MakeVectors = Callable[..., UnitVectors]


def draw(
    members: pl.DataFrame,
    vectors: UnitVectors,
    axes: tuple[str, ...] = AXES,
    same: Sameness | None = None,
    **config: Any,
) -> StageOutput:
    return draw_hard_negatives(
        members=members, vectors=vectors, refused=REFUSED, axes=axes, config=NegativesConfig(**config), sameness=same
    )


def pool_of(output: StageOutput, unit_id: str) -> list[tuple[str, int, str]]:
    rows = output.tables["negatives.negative"].filter(pl.col("unit_id") == unit_id)
    return rows.select("axis", "rank", "negative_unit_id").rows()


def shortfalls_of(output: StageOutput, unit_id: str) -> list[tuple[str, int, int, str]]:
    rows = output.tables["negatives.shortfall"].filter(pl.col("unit_id") == unit_id)
    return rows.select("axis", "n_wanted", "n_found", "reason").rows()


def test_pool_01_exactly_the_siblings_that_differ_on_one_axis(
    case_files: Path, a_member: Member, members_of: Members, vectors_of: MakeVectors
) -> None:
    manifest = pl.read_csv(case_files / "POOL-01_manifest.csv")
    expected = json.loads((case_files / "POOL-01_expected.json").read_text())
    axes = ("entity", "metric", "period", "revision")
    rows = [
        a_member(
            row["page_id"], template_id=row["template"], **{axis: row[axis] for axis in axes if row[axis] is not None}
        )
        for row in manifest.iter_rows(named=True)
    ]
    output = draw(members_of(rows), vectors_of(manifest["page_id"].to_list()), axes, k=8)
    assert sorted(name for _, _, name in pool_of(output, expected["gold"])) == expected["pool"]
    assert "missing-period" not in set(output.tables["negatives.negative"]["negative_unit_id"])
    assert not set(expected["never"]) & {name for _, _, name in pool_of(output, expected["gold"])}
    assert {axis for axis, _, _ in pool_of(output, "missing-period")} == {"appearance"}
    assert shortfalls_of(output, "missing-period") == [("appearance", 8, 7, "missing facet period; no further sibling")]
    # The case flags the lone page "no siblings: not a hard-negative question"; here every axis says so by reason.
    assert pool_of(output, "alone") == []
    assert shortfalls_of(output, "alone") == [(axis, 2, 0, "no sibling") for axis in axes]
    assert output.summary["units_without_negatives"] == 2  # alone, and the one in the other template


def test_nearest_first_within_each_axis_and_the_remainder_in_declared_order(
    a_member: Member, members_of: Members, on_a_circle: Callable[[dict[str, float]], UnitVectors]
) -> None:
    rows = [a_member("gold", period="q1", metric="rev", entity="acme")]
    rows += [a_member(f"p{k}", period=f"q{k}", metric="rev", entity="acme") for k in (2, 3, 4)]
    rows += [a_member(f"m{k}", period="q1", metric=f"m{k}", entity="acme") for k in (1, 2)]
    rows += [a_member("e1", period="q1", metric="rev", entity="beta")]
    degrees = {"gold": 0.0, "p2": 30.0, "p3": 10.0, "p4": 20.0, "m1": 5.0, "m2": 5.0, "e1": 50.0}
    output = draw(members_of(rows), on_a_circle(degrees), k=4)
    assert pool_of(output, "gold") == [
        ("entity", 1, "e1"),
        ("metric", 1, "m1"),  # as near as m2; the smaller id
        ("period", 1, "p3"),
        ("period", 2, "p4"),  # 4 over three axes: the extra place goes to the first declared
    ]
    assert shortfalls_of(output, "gold") == []
    similarities = output.tables["negatives.negative"].filter(pl.col("unit_id") == "gold")["similarity"].to_list()
    np.testing.assert_allclose(similarities, np.cos(np.radians([50, 5, 10, 20])), atol=1e-6)


def test_copies_are_never_negatives_and_the_reason_is_told(
    a_member: Member, members_of: Members, vectors_of: MakeVectors
) -> None:
    rows = [
        a_member("a", picture="same", period="q1", metric="rev", entity="acme"),
        a_member("b", picture="same", period="q2", metric="rev", entity="acme"),
        a_member("c", period="q1", metric="cost", entity="acme"),
    ]
    output = draw(members_of(rows), vectors_of(["a", "b", "c"]), k=3)
    assert pool_of(output, "a") == [("metric", 1, "c")]
    assert shortfalls_of(output, "a") == [
        ("entity", 1, 0, "no sibling differs on this axis alone"),
        ("period", 1, 0, "all are copies"),
    ]


def test_the_same_facts_under_another_id_are_never_a_negative(
    a_member: Member, members_of: Members, vectors_of: MakeVectors
) -> None:
    rows = [a_member(name, period="q1", metric="rev", entity="acme") for name in ("a", "b")]
    output = draw(members_of(rows), vectors_of(["a", "b"]), k=3, backfill="nearest")
    assert pool_of(output, "a") == []
    assert {reason for *_, reason in shortfalls_of(output, "a")} == {"no sibling differs on this axis alone"}


def test_a_short_axis_tells_how_many_were_found(a_member: Member, members_of: Members, vectors_of: MakeVectors) -> None:
    rows = [a_member(f"u{k}", period=f"q{k}", metric="rev", entity="acme") for k in range(2)]
    output = draw(members_of(rows), vectors_of(["u0", "u1"]), k=6)
    assert ("period", 2, 1, "no further sibling differs on this axis alone") in shortfalls_of(output, "u0")


def test_a_missing_revision_reads_original(a_member: Member, members_of: Members, vectors_of: MakeVectors) -> None:
    rows = [a_member("a", period="q1"), a_member("b", period="q1", revision="restated")]
    output = draw(members_of(rows), vectors_of(["a", "b"]), ("period", "revision"), k=2)
    assert pool_of(output, "a") == [("revision", 1, "b")]
    same = [a_member("a", period="q1"), a_member("b", period="q1", revision="original")]
    assert pool_of(draw(members_of(same), vectors_of(["a", "b"]), ("period", "revision"), k=2), "a") == []


def test_a_copy_under_another_picture_hash_is_never_a_negative(
    a_member: Member, members_of: Members, vectors_of: MakeVectors
) -> None:
    rows = [
        a_member("a", period="q1", metric="rev", entity="acme"),
        a_member("a-as-jpeg", period="q2", metric="rev", entity="acme"),
        a_member("b", period="q3", metric="rev", entity="acme"),
        a_member("c", metric="rev", entity="acme"),
    ]
    members, vectors = members_of(rows), vectors_of(["a", "a-as-jpeg", "b", "c"])
    same = Sameness(looks={"pic-a": "pic-a", "pic-a-as-jpeg": "pic-a", "pic-c": "pic-a"})
    output = draw(members, vectors, same=same, k=6, backfill="nearest")
    assert pool_of(output, "a") == [("period", 1, "b")]
    assert pool_of(output, "c") == [("appearance", 1, "b")]
    assert {name for _, _, name in pool_of(draw(members, vectors, k=6), "a")} == {"a-as-jpeg", "b"}


def test_a_revision_with_the_same_value_is_the_same_facts_and_one_with_another_is_a_negative(
    a_member: Member, members_of: Members, vectors_of: MakeVectors
) -> None:
    told = {"original": "10 20 30", "reissued": "10 20 30", "restated": "10 25 35"}
    rows = [a_member(name, period="q1", revision=name) | {"text_hash": name} for name in told]
    members, vectors = members_of(rows), vectors_of(list(told))
    same = Sameness(figures=told)
    output = draw(members, vectors, ("period", "revision"), same=same, k=2)
    assert pool_of(output, "original") == [("revision", 1, "restated")]
    assert pool_of(output, "restated") == pool_of(draw(members, vectors, ("period", "revision"), k=2), "restated")
    alone = draw(members_of(rows[:2]), vectors, ("period", "revision"), same=same, k=2, backfill="nearest")
    assert pool_of(alone, "original") == []
    assert ("revision", 1, 0, "all are copies or state the same figures") in shortfalls_of(alone, "original")
    # Where revision is no axis, all three are one fact under three ids.
    assert pool_of(draw(members, vectors, ("period",), same=same, k=2), "original") == []
    # Figures that could not be read make nothing the same.
    unread = draw(members_of(rows[:2]), vectors, ("period", "revision"), same=Sameness(), k=2)
    assert pool_of(unread, "original") == [("revision", 1, "reissued")]


def test_equal_figures_of_another_period_stay_a_negative(
    a_member: Member, members_of: Members, vectors_of: MakeVectors
) -> None:
    rows = [a_member(name, period=name) | {"text_hash": name} for name in ("q1", "q2")]
    same = Sameness(figures={"q1": "10 20 30", "q2": "10 20 30"})
    output = draw(members_of(rows), vectors_of(["q1", "q2"]), ("period", "revision"), same=same, k=2)
    assert pool_of(output, "q1") == [("period", 1, "q2")]


def test_backfill_takes_the_nearest_of_other_facts_and_keeps_the_shortfall(
    a_member: Member, members_of: Members, on_a_circle: Callable[[dict[str, float]], UnitVectors]
) -> None:
    rows = [
        a_member("gold", period="q1", metric="rev", entity="acme"),
        a_member("near-period", period="q2", metric="rev", entity="acme"),
        a_member("two-axes", period="q2", metric="cost", entity="acme"),
        a_member("same-facts", period="q1", metric="rev", entity="acme"),
        a_member("undescribed", metric="rev", entity="acme"),
        a_member("far-two", period="q3", metric="cost", entity="beta"),
    ]
    degrees = {
        "gold": 0.0,
        "near-period": 3.0,
        "two-axes": 20.0,
        "same-facts": 1.0,
        "undescribed": 2.0,
        "far-two": 40.0,
    }
    output = draw(members_of(rows), on_a_circle(degrees), k=3, backfill="nearest")
    assert pool_of(output, "gold") == [
        ("appearance", 1, "two-axes"),
        ("appearance", 2, "far-two"),
        ("period", 1, "near-period"),
    ]
    assert [axis for axis, *_ in shortfalls_of(output, "gold")] == ["entity", "metric"]
    assert pool_of(draw(members_of(rows), on_a_circle(degrees), k=3), "gold") == [("period", 1, "near-period")]


def test_without_facets_the_pool_is_the_nearest_by_appearance(
    a_member: Member, members_of: Members, on_a_circle: Callable[[dict[str, float]], UnitVectors]
) -> None:
    rows = [a_member(name) for name in ("a", "b", "c", "d")]
    output = draw(members_of(rows), on_a_circle({"a": 0.0, "b": 30.0, "c": 10.0, "d": 20.0}), k=2)
    assert pool_of(output, "a") == [("appearance", 1, "c"), ("appearance", 2, "d")]
    assert shortfalls_of(output, "a") == [("appearance", 2, 2, "missing facet period, metric, entity")]


def test_a_member_whose_picture_was_refused_is_in_no_pool_and_says_why(
    a_member: Member, members_of: Members, vectors_of: MakeVectors
) -> None:
    names = ("u0", "u1", "refused")
    rows = [a_member(name, period=f"q{k}", metric="rev", entity="acme") for k, name in enumerate(names)]
    output = draw(members_of(rows), vectors_of(["u0", "u1"]), k=6)
    assert pool_of(output, "u0") == [("period", 1, "u1")]
    assert shortfalls_of(output, "refused") == [(axis, 2, 0, "no vector") for axis in sorted(AXES)]
    assert set(output.tables["negatives.unit_pool"]["unit_id"]) == set(names)


def test_a_template_waits_while_a_member_has_neither_vector_nor_refusal(
    a_member: Member, members_of: Members, vectors_of: MakeVectors
) -> None:
    rows = [a_member(f"u{k}", period=f"q{k}", metric="rev", entity="acme") for k in range(3)]
    rows += [a_member(f"v{k}", template_id="tpl_2", period=f"q{k}", metric="rev", entity="acme") for k in range(2)]
    early = draw(members_of(rows), vectors_of(["u0", "u1", "v0", "v1"]), k=6)
    assert early.tables["negatives.pooled_template"]["template_id"].to_list() == ["tpl_2"]
    assert set(early.tables["negatives.unit_pool"]["unit_id"]) == {"v0", "v1"}
    assert (early.summary["templates_pooled"], early.summary["templates_waiting_for_vectors"]) == (1, 1)
    nothing = draw(members_of(rows), vectors_of([]), k=6)
    assert all(frame.is_empty() for frame in nothing.tables.values())
    late = draw(members_of(rows), vectors_of(["u0", "u1", "u2", "v0", "v1"]), k=6)
    assert {name for _, _, name in pool_of(late, "u0")} == {"u1", "u2"}


def test_the_settings_id_covers_axes_in_order_k_backfill_and_encoder() -> None:
    base = NegativesConfig()
    ids = {
        settings_id_of(AXES, base, "e"),
        settings_id_of(AXES[::-1], base, "e"),
        settings_id_of(AXES, NegativesConfig(k=7), "e"),
        settings_id_of(AXES, NegativesConfig(backfill="nearest"), "e"),
        settings_id_of(AXES, base, "other"),
    }
    assert len(ids) == 5
    assert settings_id_of(AXES, NegativesConfig(random=9, seed=4), "e") in ids  # these draw no hard negative


# Properties

FACETS = st.fixed_dictionaries(
    {},
    optional={
        "period": st.sampled_from(["q1", "q2", "q3"]),
        "metric": st.sampled_from(["rev", "cost"]),
        "entity": st.sampled_from(["acme", "beta"]),
    },
)
UNITS = st.lists(st.tuples(FACETS, st.integers(0, 12), st.sampled_from(["t1", "t2"])), min_size=1, max_size=24)
CALM = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def pools_by_definition(
    rows: list[dict[str, Any]],
    vectors: UnitVectors,
    k: int,
    backfill: bool,
    axes: tuple[str, ...] = AXES,
    same: Sameness | None = None,
) -> dict[str, set[tuple[str, int, str]]]:
    """MEASURES 1, one unit at a time."""
    looks, figures = (same.looks, same.figures) if same else ({}, {})
    by_default = {"revision": "original"} if "revision" in axes else {}
    facts = {row["unit_id"]: {**by_default, **json.loads(row["facets"])} for row in rows}
    by_id = {row["unit_id"]: row for row in rows}
    vector = {name: vectors.matrix[place] for place, name in enumerate(vectors.unit_ids.tolist())}

    def alike(one: str, other: str) -> float:
        return float(score_rows(np.stack([vector[one], vector[other]]), np.array([0]), np.array([1]))[0])

    def described(name: str) -> bool:
        return all(axis in facts[name] for axis in axes)

    def shown(row: dict[str, Any]) -> str:
        return looks.get(row["picture_hash"], row["picture_hash"])

    def is_restated(one: str, other: str) -> bool:
        """The same facts and figures, whatever the revision."""
        told = [figures.get(by_id[name]["text_hash"]) for name in (one, other)]
        others = [a for a in axes if a != "revision"]
        return (
            "revision" in axes
            and (described(one) and described(other))
            and all(facts[one][a] == facts[other][a] for a in others)
            and told[0] is not None
            and told[0] == told[1]
        )

    pools: dict[str, set[tuple[str, int, str]]] = {}
    for gold, row in by_id.items():
        siblings = [
            name
            for name, other in by_id.items()
            if other["template_id"] == row["template_id"] and shown(other) != shown(row) and not is_restated(gold, name)
        ]
        siblings.sort(key=lambda name: (-alike(gold, name), name))
        pool: list[tuple[str, int, str]] = []
        if described(gold):
            for place, axis in enumerate(axes):
                differ = [
                    name
                    for name in siblings
                    if described(name) and [a for a in axes if facts[name][a] != facts[gold][a]] == [axis]
                ]
                n_places = k // len(axes) + (place < k % len(axes))
                pool += [(axis, rank, name) for rank, name in enumerate(differ[:n_places], start=1)]
            if backfill:
                taken = {name for _, _, name in pool}
                others = [
                    name
                    for name in siblings
                    if described(name)
                    and name not in taken
                    and any(facts[name][axis] != facts[gold][axis] for axis in axes)
                ]
                pool += [("appearance", rank, name) for rank, name in enumerate(others[: k - len(pool)], start=1)]
        else:
            pool = [("appearance", rank, name) for rank, name in enumerate(siblings[:k], start=1)]
        pools[gold] = set(pool)
    return pools


@CALM
@given(units=UNITS, k=st.integers(1, 7), backfill=st.booleans(), seed=st.integers(0, 20))
def test_pools_equal_the_definition_and_never_hold_self_copies_or_equal_facts(
    units: list[tuple[dict[str, str], int, str]],
    k: int,
    backfill: bool,
    seed: int,
    a_member: Member,
    members_of: Members,
    vectors_of: MakeVectors,
) -> None:
    rows = [
        a_member(f"u{place:02d}", template_id=template, picture=f"pic{picture}", **facets)
        for place, (facets, picture, template) in enumerate(units)
    ]
    looks = vectors_of([f"pic{k}" for k in range(13)], seed=seed)  # equal pictures have equal vectors
    ids = [row["unit_id"] for row in rows]
    matrix = looks.rows_of([row["picture_hash"] for row in rows])
    vectors = UnitVectors(unit_ids=np.array(ids), matrix=matrix, encoder_id="enc_t")
    output = draw(members_of(rows), vectors, k=k, backfill="nearest" if backfill else "none")
    expected = pools_by_definition(rows, vectors, k, backfill)
    assert {name: set(pool_of(output, name)) for name in ids} == expected
    by_id = {row["unit_id"]: row for row in rows}
    for row in output.tables["negatives.negative"].iter_rows(named=True):
        gold, negative = by_id[row["unit_id"]], by_id[row["negative_unit_id"]]
        assert gold["picture_hash"] != negative["picture_hash"]
        assert gold["template_id"] == negative["template_id"]
        facts = json.loads(gold["facets"])
        assert len(facts) < 3 or facts != json.loads(negative["facets"])


@CALM
@given(units=UNITS, seed=st.integers(0, 20))
def test_every_open_place_has_a_shortfall_and_order_leaves_no_trace(
    units: list[tuple[dict[str, str], int, str]],
    seed: int,
    a_member: Member,
    members_of: Members,
    vectors_of: MakeVectors,
) -> None:
    rows = [
        a_member(f"u{place:02d}", template_id=template, picture=f"pic{picture}", **facets)
        for place, (facets, picture, template) in enumerate(units)
    ]
    ids = [row["unit_id"] for row in rows]
    members, vectors = members_of(rows), vectors_of(ids, seed=seed)
    output = draw(members, vectors, k=6)
    order = np.random.default_rng(seed).permutation(len(ids))
    mixed = UnitVectors(unit_ids=vectors.unit_ids[order], matrix=vectors.matrix[order], encoder_id="enc_t")
    again = draw(members[order.tolist()], mixed, k=6)
    assert all(output.tables[name].equals(again.tables[name]) for name in output.tables)
    for name in ids:
        places, short = pool_of(output, name), shortfalls_of(output, name)
        open_places = sum(wanted - found for _, wanted, found, _ in short)
        assert len(places) + open_places == 6
        assert all(reason for *_, reason in short)


@CALM
@given(units=UNITS, seed=st.integers(0, 20))
def test_a_template_does_not_change_the_pools_of_another(
    units: list[tuple[dict[str, str], int, str]],
    seed: int,
    a_member: Member,
    members_of: Members,
    vectors_of: MakeVectors,
) -> None:
    rows = [
        a_member(f"u{place:02d}", template_id=template, picture=f"pic{picture}", **facets)
        for place, (facets, picture, template) in enumerate(units)
    ]
    members, vectors = members_of(rows), vectors_of([row["unit_id"] for row in rows], seed=seed)
    whole = draw(members, vectors, k=5).tables["negatives.unit_pool"]
    parts = [draw(part, vectors, k=5).tables["negatives.unit_pool"] for _, part in members.group_by("template_id")]
    assert pl.concat(parts).sort("unit_id").equals(whole)


REVISED = st.fixed_dictionaries(
    {},
    optional={
        "analyte": st.sampled_from(["glucose", "sodium"]),
        "visit": st.sampled_from(["1", "2", "3"]),
        "revision": st.sampled_from(["original", "restated", "corrected"]),
    },
)
KNOWN = st.tuples(REVISED, st.integers(0, 9), st.integers(0, 3))


@CALM
@given(units=st.lists(KNOWN, min_size=1, max_size=16), data=st.data(), k=st.integers(1, 7), backfill=st.booleans())
def test_pools_equal_the_definition_with_copies_and_restated_pages_under_any_axes(
    units: list[tuple[dict[str, str], int, int]],
    data: st.DataObject,
    k: int,
    backfill: bool,
    a_member: Member,
    members_of: Members,
    vectors_of: MakeVectors,
) -> None:
    axes = tuple(data.draw(st.permutations(["analyte", "visit", "revision"]))[: data.draw(st.integers(1, 3))])
    rows = [
        a_member(f"u{place:02d}", picture=f"pic{picture}", **facets) | {"text_hash": f"t{text}"}
        for place, (facets, picture, text) in enumerate(units)
    ]
    looks = {f"pic{number}": f"pic{number - number % 2}" for number in range(6)}  # three pairs of copies
    same = Sameness(looks=looks, figures={"t0": "1 2 3", "t1": "1 2 3", "t2": "4 5 6"})  # t3 could not be read
    ids = [row["unit_id"] for row in rows]
    by_picture = vectors_of([f"pic{number}" for number in range(10)], seed=k)
    matrix = by_picture.rows_of([row["picture_hash"] for row in rows])
    vectors = UnitVectors(unit_ids=np.array(ids), matrix=matrix, encoder_id="enc_t")
    output = draw(members_of(rows), vectors, axes, same, k=k, backfill="nearest" if backfill else "none")
    expected = pools_by_definition(rows, vectors, k, backfill, axes, same)
    assert {name: set(pool_of(output, name)) for name in ids} == expected
