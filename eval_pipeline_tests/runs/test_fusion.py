import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.foundation.protocols import RankedUnit
from eval_pipeline.runs.fusion import NORMALIZERS, Fused, fuse_ranks, fuse_scores


def ranked(*pairs: tuple[str, float]) -> list[RankedUnit]:
    return [RankedUnit(unit_id=unit_id, score=score) for unit_id, score in pairs]


def by_id(fused: Fused) -> dict[str, float]:
    return {unit.unit_id: unit.score for unit in fused.units}


def read_run(path: Path) -> dict[str, list[RankedUnit]]:
    lists: dict[str, list[RankedUnit]] = {"q1": [], "q2": [], "q3": []}
    for line in path.read_text().splitlines():
        question, _, unit_id, _, score, _ = line.split()
        lists[question].append(RankedUnit(unit_id=unit_id, score=float(score)))
    return lists


def test_fus_01_every_expectation_of_the_case(case_files: Path) -> None:
    image, text = read_run(case_files / "FUS-01_image.run"), read_run(case_files / "FUS-01_text.run")
    expected = json.loads((case_files / "FUS-01_expected.json").read_text())

    first = fuse_ranks({"image": image["q1"], "text": text["q1"]}, k=60)
    assert by_id(first) == pytest.approx(expected["rrf_q1_scores"], abs=0)
    assert [unit.unit_id for unit in first.units] == ["Y", "X", "b", "a", "c"]
    assert first.units[0].unit_id == expected["rrf_k60_q1_first"]
    assert first.units[0].score == 2 / 63
    assert first.units[1].score == first.units[2].score == 1 / 61
    assert not first.is_single_source

    second = fuse_ranks({"image": image["q2"], "text": text["q2"]})
    assert [unit.unit_id for unit in second.units] == [unit.unit_id for unit in image["q2"]]
    assert second.is_single_source
    assert second.notes == ("single-source",)

    assert fuse_ranks({"image": image["q3"], "text": text["q3"]}).units[0].unit_id == "Y"


@pytest.mark.parametrize("normalize", sorted(NORMALIZERS))
def test_fus_01_equal_scores_and_single_hits_are_no_division_by_zero(normalize: str) -> None:
    fused = fuse_scores(
        {"image": ranked(("X", 0.5), ("Y", 0.5)), "text": ranked(("Y", 7.0))},
        normalize=normalize,  # type: ignore[arg-type]
    )
    assert fused.units[0].unit_id == "Y"
    assert all(unit.score == unit.score for unit in fused.units)


def test_raw_scores_of_a_large_scale_drown_the_others() -> None:
    lists = {"image": ranked(("X", 0.9), ("a", 0.8)), "text": ranked(("b", 12.0), ("c", 11.0))}
    assert [unit.unit_id for unit in fuse_scores(lists, normalize="none").units] == ["b", "c", "X", "a"]
    assert [unit.unit_id for unit in fuse_ranks(lists).units] == ["X", "b", "a", "c"]


def test_worked_normalisations() -> None:
    lists = {"one": ranked(("a", 4.0), ("b", 2.0), ("c", 0.0))}
    assert by_id(fuse_scores(lists, normalize="minmax")) == {"a": 1.0, "b": 0.5, "c": 0.0}
    assert by_id(fuse_scores(lists, normalize="rank")) == pytest.approx({"a": 1.0, "b": 2 / 3, "c": 1 / 3})
    z = (3 / 2) ** 0.5
    assert by_id(fuse_scores(lists, normalize="zscore")) == pytest.approx({"a": 2 + z, "b": 2.0, "c": 2 - z})
    weighted = fuse_scores({**lists, "two": ranked(("c", 1.0))}, normalize="rank", weights={"two": 3.0})
    assert by_id(weighted)["c"] == pytest.approx(1 / 3 + 3.0)


def test_empty_lists_give_an_empty_answer_without_a_flag() -> None:
    fused = fuse_ranks({"image": [], "text": []})
    assert fused.units == ()
    assert fused.notes == ()


LISTS = st.dictionaries(
    st.sampled_from(["image", "text", "layout"]),
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(-50, 50).map(float), max_size=8),
    min_size=1,
)


@given(lists=LISTS, data=st.data())
def test_the_order_within_lists_does_not_matter_and_every_unit_comes_once(
    lists: dict[str, dict[str, float]], data: st.DataObject
) -> None:
    def fuse_all(orders: dict[str, Sequence[tuple[str, float]]]) -> list[Fused]:
        given_lists = {name: ranked(*pairs) for name, pairs in orders.items()}
        summed = [fuse_scores(given_lists, normalize=name) for name in NORMALIZERS]  # type: ignore[arg-type]
        return [fuse_ranks(given_lists), *summed]

    plain = fuse_all({name: list(units.items()) for name, units in lists.items()})
    shuffled = fuse_all({name: data.draw(st.permutations(list(units.items()))) for name, units in lists.items()})
    assert plain == shuffled
    everything = sorted({unit for units in lists.values() for unit in units})
    for fused in plain:
        assert sorted(unit.unit_id for unit in fused.units) == everything
        assert fused.is_single_source == (len(lists) > 1 and sum(bool(units) for units in lists.values()) == 1)


@given(lists=LISTS, k=st.integers(0, 100))
def test_reciprocal_ranks_agree_with_a_slow_oracle(lists: dict[str, dict[str, float]], k: int) -> None:
    expected: dict[str, float] = {}
    for units in lists.values():
        order = sorted(units, key=lambda unit: (-units[unit], unit))
        for unit in units:
            expected[unit] = expected.get(unit, 0.0) + 1 / (k + order.index(unit) + 1)
    assert by_id(fuse_ranks({name: ranked(*units.items()) for name, units in lists.items()}, k=k)) == pytest.approx(
        expected
    )
