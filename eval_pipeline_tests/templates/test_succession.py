"""Ids hold still when everything is clustered again, and every template has a fate that says what it makes stale."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import polars as pl
import pypdfium2 as pdfium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.demo.corpus import draw_demo
from eval_pipeline.embeddings.layout import LayoutEncoder
from eval_pipeline.foundation.config import TemplatesConfig
from eval_pipeline.foundation.ids import bucket_of, content_id, hash_unit, set_id
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.foundation.tables.templates import TEMPLATE, TEMPLATE_ASSIGNMENT
from eval_pipeline.templates.founding import Founded
from eval_pipeline.templates.stage import assign_templates
from eval_pipeline.templates.state import TemplateState
from eval_pipeline.templates.succession import PLACED, carry_ids, succeed, tell_fates, tell_return, with_free_ids

Groups = Mapping[str | None, Sequence[object]]


def standing(groups: Groups) -> pl.DataFrame:
    """Where units stand, from members by template; key None holds the buffer."""
    rows = [(f"u{unit}", name) for name, units in groups.items() for unit in units]
    return pl.DataFrame(rows, schema=PLACED, orient="row")


def fates_of(before: Groups, after: Groups) -> dict[str, dict[str, object]]:
    told = tell_fates(before=standing(before), after=standing(after), version_id="tver_2", parent_version_id="tver_1")
    return {row["template_id"]: row for row in told.iter_rows(named=True)}


def brief(before: Groups, after: Groups) -> dict[str, tuple[object, ...]]:
    rows = fates_of(before, after)
    return {name: (row["kind"], row["related_template_id"], row["is_touched"]) for name, row in rows.items()}


def test_the_same_groups_keep_their_ids_whatever_they_are_numbered() -> None:
    before = {"A": range(5), "B": range(5, 8), None: [9]}
    for names in permutations(["g0", "g1"]):
        after = dict(zip(names, (range(5), range(5, 8)), strict=True))
        assert carry_ids(before=standing(before), after=standing(after)) == {names[0]: "A", names[1]: "B"}
    assert brief(before, {"A": range(5), "B": range(5, 8)}) == {"A": ("kept", "A", False), "B": ("kept", "B", False)}


def test_a_pure_split_leaves_the_id_with_the_largest_part() -> None:
    before, after = {"A": range(10)}, {"g": range(4), "h": range(4, 10)}
    assert carry_ids(before=standing(before), after=standing(after)) == {"h": "A"}
    told = fates_of(before, {"g": range(4), "A": range(4, 10)})
    assert brief(before, {"g": range(4), "A": range(4, 10)}) == {"A": ("kept", "A", True), "g": ("split", "A", True)}
    assert (told["A"]["n_before"], told["A"]["n_after"], told["A"]["n_shared"]) == (10, 6, 6)
    assert json.loads(str(told["A"]["child_template_ids"])) == ["A", "g"]
    assert json.loads(str(told["g"]["parent_template_ids"])) == ["A"]


def test_a_pure_merge_leaves_the_id_of_the_larger_and_says_where_the_other_went() -> None:
    before, after = {"A": range(4), "B": range(4, 10)}, {"g": range(10)}
    assert carry_ids(before=standing(before), after=standing(after)) == {"g": "B"}
    told = fates_of(before, {"B": range(10)})
    assert brief(before, {"B": range(10)}) == {"A": ("merged", "B", True), "B": ("kept", "B", True)}
    assert (told["A"]["n_before"], told["A"]["n_after"], told["A"]["n_shared"]) == (4, 0, 4)
    assert json.loads(str(told["B"]["parent_template_ids"])) == ["B", "A"]


def test_members_that_change_places_take_no_id_with_them() -> None:
    before = {"A": [1, 2, 3, 4], "B": [5, 6, 7, 8]}
    after = {"g": [5, 2, 3, 4], "h": [1, 6, 7, 8]}
    assert carry_ids(before=standing(before), after=standing(after)) == {"g": "A", "h": "B"}


def test_most_units_keep_their_id_even_where_the_best_pair_has_to_give_way() -> None:
    before = {"A": range(19), "B": range(20, 29)}
    after = {"g": [*range(10), *range(20, 29)], "h": range(10, 19)}
    assert carry_ids(before=standing(before), after=standing(after)) == {"g": "B", "h": "A"}  # 18 units, not 10


def test_less_than_half_of_either_is_no_succession() -> None:
    before, after = {"A": range(4), "B": range(4, 8)}, {"g": [0, 1, 4, 5]}
    assert carry_ids(before=standing(before), after=standing(after)) == {}
    assert brief(before, after) == {
        "A": ("retired", None, True),
        "B": ("retired", None, True),
        "g": ("new", None, True),
    }


def test_ties_go_by_id() -> None:
    assert carry_ids(before=standing({"A": [1, 2]}), after=standing({"g": [1], "h": [2]})) == {"g": "A"}
    assert carry_ids(before=standing({"A": [1], "B": [2]}), after=standing({"g": [1, 2]})) == {"g": "A"}


def test_nothing_before_nothing_after_and_everything_gone() -> None:
    nothing: Groups = {}
    assert carry_ids(before=standing(nothing), after=standing(nothing)) == {}
    assert brief(nothing, nothing) == {}
    assert brief({"A": [1, 2]}, nothing) == {"A": ("retired", None, True)}
    assert brief(nothing, {"g": [1, 2]}) == {"g": ("new", None, True)}
    assert brief({None: [1, 2, 3]}, {"g": [1, 2]}) == {"g": ("new", None, True)}  # out of the buffer


def test_arrivals_have_no_say_but_touch_the_template_that_they_join() -> None:
    before, after = {"A": range(3)}, {"g": range(20)}
    assert carry_ids(before=standing(before), after=standing(after)) == {"g": "A"}
    assert brief(before, {"A": range(20)}) == {"A": ("kept", "A", True)}


def test_pages_from_the_buffer_count_as_known() -> None:
    """Three pages of twenty that join nine which fitted nowhere make no splinter of the old template."""
    before: Groups = {"A": range(20), None: range(20, 29)}
    after = {"A": range(17), "g": range(17, 29)}
    assert brief(before, after) == {"A": ("kept", "A", True), "g": ("new", None, True)}


def test_only_touched_buckets_are_stale() -> None:
    before = {"tpl_a": [1, 2], "tpl_b": [3, 4], "tpl_c": [5, 6, 7]}
    told = tell_fates(
        before=standing(before),
        after=standing({"tpl_a": [1, 2], "tpl_c": [3, 4, 5, 6, 7]}),
        version_id="v2",
        parent_version_id="v1",
    )
    touched = told.filter("is_touched")["bucket"].to_list()
    assert set(touched) == {bucket_of("tpl_b"), bucket_of("tpl_c")}
    assert dict(told.select("template_id", "bucket").iter_rows())["tpl_a"] == bucket_of("tpl_a")


LABELS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=40)


def _both(labels: Sequence[tuple[int, int]]) -> tuple[dict[str | None, list[object]], dict[str | None, list[object]]]:
    """Groups before and after; label 0 is the buffer before, and no group after."""
    before: dict[str | None, list[object]] = {}
    after: dict[str | None, list[object]] = {}
    for unit, (old, new) in enumerate(labels):
        before.setdefault(f"T{old}" if old else None, []).append(unit)
        if new:
            after.setdefault(f"g{new}", []).append(unit)
    return before, after


@settings(max_examples=200, deadline=None)
@given(labels=LABELS, seed=st.integers(0, 9))
def test_any_two_groupings(labels: Sequence[tuple[int, int]], seed: int) -> None:
    before, after = _both(labels)
    olds, news = standing(before), standing(after)
    carried = carry_ids(before=olds, after=news)
    assert len(set(carried.values())) == len(carried)  # an id is carried once
    shuffled = news.sample(fraction=1.0, shuffle=True, seed=seed)
    assert carry_ids(before=olds.reverse(), after=shuffled) == carried
    named: dict[str | None, list[object]] = {carried.get(str(name), str(name)): units for name, units in after.items()}
    rows = fates_of(before, named)
    assert set(rows) == {name for name in before if name} | {name for name in named if name}  # nobody without a fate
    for name, row in rows.items():
        same = sorted(map(str, before.get(name, []))) == sorted(map(str, named.get(name, [])))
        assert row["is_touched"] is not same
        expected = {(True, True): {"kept"}, (True, False): {"merged", "retired"}, (False, True): {"split", "new"}}
        assert row["kind"] in expected[name in before, name in named]
        if row["kind"] in ("merged", "split"):
            assert rows[str(row["related_template_id"])]["kind"] in ("kept", "split", "new", "merged", "retired")
            assert row["n_shared"]


def _slow_best(before: Groups, after: Groups) -> int:
    """Most units that a one-to-one matching can leave under their id, by trying all."""
    olds = [name for name in before if name]
    best = 0
    for order in permutations([*after, *[None] * len(olds)], len(olds)):
        total = 0
        for old, new in zip(olds, order, strict=True):
            if new is None:
                continue
            mine, other = set(before[old]), set(after[new])
            known = other & {unit for units in before.values() for unit in units}
            n = len(mine & other)
            total += n if 2 * n > min(len(mine), len(known)) else 0
        best = max(best, total)
    return best


@settings(max_examples=40, deadline=None)
@given(labels=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=24))
def test_no_matching_leaves_more_units_under_their_id(labels: Sequence[tuple[int, int]]) -> None:
    before, after = _both(labels)
    carried = carry_ids(before=standing(before), after=standing(after))
    kept = sum(len(set(after[new]) & set(before[old])) for new, old in carried.items())
    assert kept == _slow_best(before, after)


def founded(*unit_ids: str) -> Founded:
    """A group of units under the id of its founders."""
    return Founded(
        template_id=set_id("tpl", unit_ids),
        unit_ids=unit_ids,
        distances=(0.1,) * len(unit_ids),
        exemplar_unit_id=unit_ids[0],
        centroid=np.array([1.0], dtype=np.float32),
        threshold=0.2,
    )


def state_of(**groups: Sequence[str]) -> TemplateState:
    """A version in which templates of the given ids hold the given units; all first seen after batch 3."""
    rows = [
        {"template_version_id": "tver_1", "unit_id": unit, "round": 1, "template_id": name, "state": "founding"}
        for name, units in groups.items()
        for unit in units
    ]
    template = {"bucket": "00", "announced_sequence": 3, "n_founders": 2, "exemplar_unit_id": "a", "centroid": "[1]"}
    ids = [{"template_version_id": "tver_1", "template_id": name, "threshold": 0.1, **template} for name in groups]
    return TemplateState(
        version={"template_version_id": "tver_1"},
        templates=TEMPLATE.frame(ids),
        assignments=TEMPLATE_ASSIGNMENT.frame({**row, "distance": 0.1} for row in rows),
    )


def test_groups_take_over_ids_and_when_these_were_first_seen() -> None:
    named = succeed(
        [founded("a", "b", "c"), founded("x", "y")],
        state=state_of(tpl_old=["a", "b"], tpl_gone=["q"]),
        present=["a", "b", "c", "x", "y"],
        version_id="tver_2",
    )
    assert {item.template_id: item.unit_ids for item in named.founded} == {
        "tpl_old": ("a", "b", "c"),
        set_id("tpl", ["x", "y"]): ("x", "y"),
    }
    assert named.announced["tpl_old"] == 3
    assert named.fates is not None
    gone = named.fates.row(by_predicate=pl.col("template_id") == "tpl_gone", named=True)
    assert (gone["kind"], gone["n_before"], gone["is_touched"]) == ("retired", 0, False)  # its pages left before
    assert set(named.fates["parent_version_id"]) == {"tver_1"}


def test_settings_that_return_bring_the_ids_back_and_the_changes_are_told_from_the_two_versions() -> None:
    """The way back is the way there, read backwards; a page that only one version knows has no say."""
    old = state_of(tpl_bars=["a", "b", "c", "d"], tpl_table=["x", "y"])
    newest = state_of(tpl_bars=["a", "b"], tpl_part=["c", "d"], tpl_table=["x", "y", "z"])
    newest = replace(newest, version={"template_version_id": "tver_2"})
    told = tell_return(newest=newest, state=old, present=["a", "b", "c", "d", "x", "y", "z"])
    columns = ("template_id", "kind", "related_template_id", "n_before", "n_after", "is_touched")
    assert told.select(columns).rows() == [
        ("tpl_bars", "kept", "tpl_bars", 2, 4, True),
        ("tpl_part", "merged", "tpl_bars", 2, 0, True),
        ("tpl_table", "kept", "tpl_table", 2, 2, False),
    ]
    assert set(told["template_version_id"]) == {"tver_1"}
    assert set(told["parent_version_id"]) == {"tver_2"}


def test_an_id_that_was_carried_away_from_its_founders_is_not_given_out_again() -> None:
    first = set_id("tpl", ["a", "b"])  # founded by a and b, then carried by a group that outgrew them
    before = state_of(**{first: ["a", "b", "c", "d", "e"]})
    named = succeed(
        [founded("a", "b"), founded("c", "d", "e")],
        state=before,
        present=["a", "b", "c", "d", "e"],
        version_id="tver_2",
    )
    ids = {item.unit_ids: item.template_id for item in named.founded}
    assert ids["c", "d", "e"] == first
    assert ids["a", "b"] == content_id("tpl", [first, "tver_2"])
    (free,) = with_free_ids([founded("x", "y")], taken={first}, version_id="tver_2")
    assert free.template_id == set_id("tpl", ["x", "y"])


def test_a_first_clustering_has_no_fates() -> None:
    named = succeed([founded("a", "b")], state=None, present=["a", "b"], version_id="tver_1")
    assert (named.fates, [item.template_id for item in named.founded]) == (None, [set_id("tpl", ["a", "b"])])


N_PAGES = 240
SEED = 23
"""A demo corpus that nothing was tuned on."""


@pytest.fixture(scope="module")
def drawn_pages(tmp_path_factory: pytest.TempPathFactory) -> UnitVectors:
    """Layout signatures of a demo corpus, from small pictures; its truth is not read."""
    place = tmp_path_factory.mktemp("drawn")
    drawn = draw_demo(home=place, n_pages=N_PAGES, seed=SEED)
    paths = []
    for name in drawn.documents:
        with pdfium.PdfDocument(place / name) as document:
            for number, page in enumerate(document):
                paths.append(place / f"{Path(name).stem}-{number}.png")
                page.render(scale=0.5).to_pil().convert("RGB").save(paths[-1], compress_level=1)
    unit_ids = np.array([content_id("unit", path.name) for path in paths], dtype=np.str_)
    order = np.argsort(unit_ids)
    matrix = LayoutEncoder().encode_pictures(paths)
    return UnitVectors(unit_ids=unit_ids[order], matrix=np.ascontiguousarray(matrix[order]), encoder_id="enc_layout")


def _cluster(space: UnitVectors, state: TemplateState | None, epoch: int) -> TemplateState:
    made = assign_templates(
        units=pl.DataFrame({"unit_id": space.unit_ids.tolist()}),
        vectors={"layout": space},
        state=state,
        config=TemplatesConfig(epoch=epoch),
        sequence=epoch,
    ).tables
    return TemplateState(
        version=made["templates.template_version"].row(0, named=True),
        templates=made["templates.template"],
        assignments=made["templates.template_assignment"],
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("first_is_whole", [True, False])
def test_98_of_100_pages_keep_their_id_under_a_90_percent_resample(
    drawn_pages: UnitVectors, seed: int, first_is_whole: bool
) -> None:
    """From all pages to nine tenths of them, and from nine tenths to all."""
    keep = [row for row, unit in enumerate(drawn_pages.unit_ids.tolist()) if hash_unit(seed, unit) < 0.9]
    part = UnitVectors(
        unit_ids=drawn_pages.unit_ids[keep],
        matrix=np.ascontiguousarray(drawn_pages.matrix[keep]),
        encoder_id=drawn_pages.encoder_id,
    )
    assert 0.8 * N_PAGES < len(keep) < 0.98 * N_PAGES
    first, second = (drawn_pages, part) if first_is_whole else (part, drawn_pages)
    before = _cluster(first, None, 1)
    after = _cluster(second, before, 2)
    assert before.templates.height > 10
    both = before.assignments.join(after.assignments, on="unit_id", suffix="_new")
    assert both.height == len(keep)
    kept = both.select(pl.col("template_id").eq_missing(pl.col("template_id_new")).mean()).item()
    assert kept >= 0.98
