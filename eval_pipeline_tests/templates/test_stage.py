"""Rounds: a first clustering, assignment, the buffer, announced templates, nothing new."""

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.foundation.config import TemplatesConfig
from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.ids import set_id
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.templates.chaining import Reach
from eval_pipeline.templates.stage import assign_templates
from eval_pipeline.templates.state import TemplateState

Groups = Callable[..., UnitVectors]
Advance = Callable[[TemplateState | None, StageOutput], TemplateState]
CONFIG = TemplatesConfig()


def run(
    space: UnitVectors, state: TemplateState | None = None, sequence: int = 1, config: TemplatesConfig = CONFIG
) -> StageOutput:
    units = pl.DataFrame({"unit_id": space.unit_ids.tolist()}, schema={"unit_id": pl.String})
    return assign_templates(units=units, vectors={"layout": space}, state=state, config=config, sequence=sequence)


def groups_of(output: StageOutput) -> list[list[str]]:
    rows = output.tables["templates.template_assignment"].filter(pl.col("template_id").is_not_null())
    return sorted(sorted(part["unit_id"].to_list()) for _, part in rows.group_by("template_id"))


def shuffled(space: UnitVectors, seed: int) -> UnitVectors:
    order = np.random.default_rng(seed).permutation(len(space.unit_ids))
    return UnitVectors(
        unit_ids=space.unit_ids[order], matrix=np.ascontiguousarray(space.matrix[order]), encoder_id=space.encoder_id
    )


def test_a_first_clustering_finds_the_groups_and_names_them_by_their_founders(make_groups: Groups) -> None:
    output = run(make_groups({"a": 4, "b": 3, "c": 1}))
    assert groups_of(output) == [["a00", "a01", "a02", "a03"], ["b00", "b01", "b02"]]
    rows = {row["unit_id"]: row for row in output.tables["templates.template_assignment"].iter_rows(named=True)}
    assert rows["a00"]["template_id"] == set_id("tpl", ["a00", "a01", "a02", "a03"])
    assert rows["c00"]["state"] == "buffered"
    assert rows["c00"]["template_id"] is None
    assert rows["c00"]["distance"] > 0.5
    version = output.tables["templates.template_version"].row(0, named=True)
    assert (version["sequence"], version["parent_version_id"], version["reason"]) == (1, None, "first clustering")
    assert output.summary["templates_announced"] == 2


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 99))
def test_the_order_of_the_input_leaves_no_trace(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ids = np.array([f"u{k:03d}" for k in range(40)])
    space = UnitVectors(unit_ids=ids, matrix=normalise_rows(rng.normal(size=(40, 4))), encoder_id="e")
    one, two = run(space), run(shuffled(space, seed + 1))
    assert all(one.tables[name].equals(two.tables[name]) for name in one.tables)


def test_new_units_are_assigned_and_strangers_wait_until_they_are_a_template(
    make_groups: Groups, advance: Advance
) -> None:
    state = advance(None, run(make_groups({"a": 4, "b": 4})))
    second = run(make_groups({"a": 6, "b": 4, "c": 1}), state, 2)
    rows = second.tables["templates.template_assignment"]
    assert rows.select("unit_id", "state", "round").rows() == [
        ("a04", "assigned", 2),
        ("a05", "assigned", 2),
        ("c00", "buffered", 2),
    ]
    assert second.tables["templates.template"].is_empty()
    state = advance(state, second)
    third = run(make_groups({"a": 6, "b": 4, "c": 3}), state, 3)
    announced = third.tables["templates.template"]
    assert announced["template_id"].to_list() == [set_id("tpl", ["c00", "c01", "c02"])]
    assert announced["announced_sequence"].to_list() == [3]
    new = third.tables["templates.template_assignment"]
    assert new.select("unit_id", "state", "round").rows() == [("c00", "new", 3), ("c01", "new", 3), ("c02", "new", 3)]
    assert third.tables["templates.template_version"].is_empty()
    state = advance(state, third)
    assert run(make_groups({"a": 6, "b": 4, "c": 3}), state, 4).n_rows == 0


def test_a_layout_that_arrives_later_is_not_smuggled_into_its_neighbour(advance: Advance) -> None:
    """Two layouts, 0.2 apart, as near as drawn ones come: the second waits, and is announced as its own."""

    def pages(letter: str, n: int, start: float) -> dict[str, float]:
        return {f"{letter}{place:02d}": start + 2.0 * place for place in range(n)}

    def on_a_circle(degrees: dict[str, float]) -> UnitVectors:
        angles = np.radians(list(degrees.values()))
        matrix = normalise_rows(np.stack([np.cos(angles), np.sin(angles)], axis=1))
        return UnitVectors(unit_ids=np.array(list(degrees)), matrix=matrix, encoder_id="e")

    old, far = pages("a", 50, 0.0), pages("f", 5, 180.0)
    few = {name: angle / 20 for name, angle in old.items()}  # 0 to 4.9 degrees
    state = advance(None, run(on_a_circle({**few, **far})))
    assert state.templates.height == 2
    more = {"a90": 2.5, "a91": 5.5}  # 1 - cos(3 degrees) = 0.0014 from the middle
    later = {name: 39.2 + angle / 10 for name, angle in pages("b", 3, 0.0).items()}  # 1 - cos(36.9 degrees) = 0.2
    output = run(on_a_circle({**few, **far, **more, **later}), state, 2)
    rows = output.tables["templates.template_assignment"].select("unit_id", "state").rows()
    assert rows == [("a90", "assigned"), ("a91", "assigned"), ("b00", "new"), ("b01", "new"), ("b02", "new")]
    assert output.tables["templates.template"].height == 1


def test_a_unit_decided_twice_after_one_batch_gets_a_later_round(make_groups: Groups, advance: Advance) -> None:
    state = advance(None, run(make_groups({"a": 4, "c": 1})))
    again = run(make_groups({"a": 4, "c": 2}), state, 1)
    assert again.tables["templates.template_assignment"].select("unit_id", "round").rows() == [("c00", 2), ("c01", 1)]


def test_removed_units_change_nothing_for_the_others(make_groups: Groups, advance: Advance) -> None:
    state = advance(None, run(make_groups({"a": 4, "b": 4})))
    assert run(make_groups({"a": 2, "b": 4}), state, 2).n_rows == 0


def test_other_settings_make_a_new_version_with_a_parent(make_groups: Groups, advance: Advance) -> None:
    space = make_groups({"a": 4, "b": 2})
    state = advance(None, run(space))
    output = run(space, state, 2, TemplatesConfig(min_members=3))
    version = output.tables["templates.template_version"].row(0, named=True)
    assert version["parent_version_id"] == state.template_version_id
    assert (version["sequence"], version["reason"]) == (2, "new settings: min_members")
    assert groups_of(output) == [["a00", "a01", "a02", "a03"]]
    kept = set(output.tables["templates.template"]["template_id"]) & set(state.templates["template_id"])
    assert kept == {set_id("tpl", ["a00", "a01", "a02", "a03"])}  # same founders, same id


def test_units_without_a_vector_get_no_row_and_nothing_gives_nothing(make_groups: Groups) -> None:
    space = make_groups({"a": 3})
    units = pl.DataFrame({"unit_id": ["a00", "a01", "a02", "refused"]})
    output = assign_templates(units=units, vectors={"layout": space}, state=None, config=CONFIG, sequence=1)
    assert set(output.tables["templates.template_assignment"]["unit_id"]) == {"a00", "a01", "a02"}
    assert run(make_groups({})).n_rows == 0


def test_identical_pages_are_one_template_and_one_page_waits(make_groups: Groups) -> None:
    assert groups_of(run(make_groups({"a": 5}, spread=0.0))) == [["a00", "a01", "a02", "a03", "a04"]]
    alone = run(make_groups({"a": 1}))
    assert alone.tables["templates.template_assignment"].select("state", "distance").rows() == [("buffered", None)]
    assert groups_of(run(make_groups({"a": 1}), config=TemplatesConfig(min_members=1))) == [["a00"]]


def test_a_declared_cut_is_used_and_stored(make_groups: Groups, advance: Advance) -> None:
    state = advance(None, run(make_groups({"a": 3, "b": 3}), config=TemplatesConfig(cut=1.5)))
    assert state.reach == Reach(step=1.5)
    assert state.templates.height == 1


def test_a_feature_without_vectors_is_named(make_groups: Groups) -> None:
    with pytest.raises(ConfigError, match=r"templates\.features: \['encoder'\]"):
        run(make_groups({"a": 3}), config=TemplatesConfig(features=("layout", "encoder")))


def fates_of(output: StageOutput) -> dict[str, str]:
    rows = output.tables["templates.template_succession"]
    return dict(rows.select("template_id", "kind").iter_rows())


def test_a_raised_epoch_clusters_again_and_leaves_every_id(make_groups: Groups, advance: Advance) -> None:
    space = make_groups({"a": 4, "b": 3, "c": 1})
    state = advance(None, run(space))
    output = run(space, state, 2, TemplatesConfig(epoch=2))
    version = output.tables["templates.template_version"].row(0, named=True)
    assert (version["parent_version_id"], version["reason"]) == (state.template_version_id, "new settings: epoch")
    assert set(fates_of(output).values()) == {"kept"}
    assert not output.tables["templates.template_succession"]["is_touched"].any()
    before, after = state.templates.drop("template_version_id"), output.tables["templates.template"]
    assert after.drop("template_version_id").equals(before)  # first seen after batch 1, as before
    assert run(space, advance(state, output), 3, TemplatesConfig(epoch=2)).n_rows == 0


def test_asked_to_cluster_again_it_does_so_once(make_groups: Groups, advance: Advance) -> None:
    space = make_groups({"a": 4, "b": 3})
    units = pl.DataFrame({"unit_id": make_groups({"a": 6, "b": 3}).unit_ids.tolist()})
    state = advance(None, run(space))
    asked = {"vectors": {"layout": space}, "config": CONFIG, "sequence": 1, "recluster": True}
    same = assign_templates(units=units.filter(pl.col("unit_id").is_in(space.unit_ids.tolist())), state=state, **asked)
    assert same.n_rows == 0  # clustered from these very units
    more = make_groups({"a": 6, "b": 3})
    state = advance(state, run(more, state, 2))
    asked = {**asked, "vectors": {"layout": more}, "sequence": 2}
    output = assign_templates(units=units, state=state, **asked)
    version = output.tables["templates.template_version"].row(0, named=True)
    assert (version["sequence"], version["reason"]) == (2, "asked for again")
    assert version["settings_id"] == state.version["settings_id"]
    assert set(fates_of(output).values()) == {"kept"}
    assert assign_templates(units=units, state=advance(state, output), **asked).n_rows == 0


def test_a_coarser_cut_merges_and_a_finer_one_splits(make_groups: Groups, advance: Advance) -> None:
    space = make_groups({"a": 5, "b": 3})
    fine = advance(None, run(space, config=TemplatesConfig(cut=0.3)))
    merged = run(space, fine, 2, TemplatesConfig(cut=1.9))
    a, b = set_id("tpl", ["a00", "a01", "a02", "a03", "a04"]), set_id("tpl", ["b00", "b01", "b02"])
    assert fates_of(merged) == {a: "kept", b: "merged"}
    coarse = advance(fine, merged)
    split = run(space, coarse, 3, TemplatesConfig(cut=0.31))
    assert fates_of(split) == {a: "kept", b: "split"}  # the splinter has the id that its founders gave it before
    assert groups_of(split) == groups_of(run(space, config=TemplatesConfig(cut=0.3)))


def test_what_left_the_corpus_has_no_say_in_what_a_template_is_called(make_groups: Groups, advance: Advance) -> None:
    state = advance(None, run(make_groups({"a": 6, "b": 3})))
    output = run(make_groups({"a": 2, "d": 4}), state, 2, TemplatesConfig(epoch=2))
    b, d = set_id("tpl", ["b00", "b01", "b02"]), set_id("tpl", ["d00", "d01", "d02", "d03"])
    a = set_id("tpl", [f"a0{place}" for place in range(6)])
    assert fates_of(output) == {a: "kept", b: "retired", d: "new"}
