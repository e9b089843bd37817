"""Confusable non-copies: by hand, against the definition, and on drawn copies."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from eval_pipeline.corpus.pictures import hash_picture
from eval_pipeline.demo.relations.look_alikes import draw_look_alikes
from eval_pipeline.demo.relations.placing import read_lines
from eval_pipeline.embeddings.layout import LayoutEncoder
from eval_pipeline.embeddings.pictures import open_rgb
from eval_pipeline.foundation.config import NegativesConfig
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.negatives.originals import Outcome, PictureComparer
from eval_pipeline.negatives.transformed_copy import draw_hard_negatives, settings_id_of

Member = Callable[..., dict[str, Any]]
Members = Callable[[list[dict[str, Any]]], pl.DataFrame]
Compare = Callable[[str, str], Outcome]
CALM = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def draw(
    members: pl.DataFrame, vectors: UnitVectors, compare: Compare, *, k: int = 3, original: str | None = "original"
) -> StageOutput:
    return draw_hard_negatives(
        members=members,
        vectors=vectors,
        refused=["pic-refused"],
        config=NegativesConfig(k=k, min_negatives=0),
        compare=compare,
        original_facet=original,
    )


def pool_of(output: StageOutput, unit_id: str) -> list[str]:
    rows = output.tables["negatives.negative"].filter(pl.col("unit_id") == unit_id).sort("rank")
    assert set(rows["axis"]) <= {"original"}
    return rows["negative_unit_id"].to_list()


def shortfall_of(output: StageOutput, unit_id: str) -> list[tuple[int, int, str]]:
    rows = output.tables["negatives.shortfall"].filter(pl.col("unit_id") == unit_id)
    return rows.select("n_wanted", "n_found", "reason").rows()


def seen(**outcomes: Outcome) -> Compare:
    """Outcomes by `a_b`; all other pairs are of different originals."""

    def compare(one: str, other: str) -> Outcome:
        first, second = sorted((one.removeprefix("pic-"), other.removeprefix("pic-")))
        return outcomes.get(f"{first}_{second}", "other")

    return compare


def test_look_alikes_that_are_surely_no_copies_nearest_first(
    a_member: Member, members_of: Members, on_a_circle: Callable[[dict[str, float]], UnitVectors]
) -> None:
    rows = [a_member("gold", original="o1"), a_member("declared", original="o1")]
    rows += [a_member("same", picture="pic-declared")]  # has the picture of a declared copy
    rows += [a_member(name) for name in ("recompressed", "unsure", "far", "near")]
    rows += [a_member("elsewhere", template_id="tpl_2")]
    degrees = {row["unit_id"]: 3.0 * place for place, row in enumerate(rows)} | {"near": 10.0}
    compare = seen(gold_recompressed="copy", gold_unsure="unclear")
    output = draw(members_of(rows), on_a_circle(degrees), compare)
    assert pool_of(output, "gold") == ["near", "far"]
    assert shortfall_of(output, "gold") == [(3, 2, "no further sibling that is surely no copy")]
    assert pool_of(output, "elsewhere") == []
    assert shortfall_of(output, "elsewhere") == [(3, 0, "no sibling")]
    undeclared = draw(members_of(rows), on_a_circle(degrees), compare, original=None)
    assert pool_of(undeclared, "gold") == ["declared", "same", "near"]


def test_a_template_of_copies_and_a_refused_picture_say_so(
    a_member: Member, members_of: Members, vectors_of: Callable[..., UnitVectors]
) -> None:
    rows = [a_member(name) for name in ("a", "b", "refused")]
    output = draw(members_of(rows), vectors_of(["a", "b"]), seen(a_b="copy"))
    assert shortfall_of(output, "a") == [(3, 0, "all siblings are or may be copies")]
    assert shortfall_of(output, "refused") == [(3, 0, "no vector")]


def test_pictures_are_compared_only_until_the_pool_is_full(
    a_member: Member, members_of: Members, on_a_circle: Callable[[dict[str, float]], UnitVectors]
) -> None:
    rows = [a_member(f"u{place:02d}") for place in range(12)]
    asked: set[tuple[str, ...]] = set()

    def compare(one: str, other: str) -> Outcome:
        asked.add(tuple(sorted((one, other))))
        return "other"

    draw(members_of(rows), on_a_circle({f"u{place:02d}": 2.0 * place for place in range(12)}), compare, k=1)
    assert 6 <= len(asked) <= 11
    assert {int(other[-2:]) - int(one[-2:]) for one, other in asked} == {1}  # on a line each has its neighbour


def test_the_settings_id_covers_facet_k_and_encoder() -> None:
    config = NegativesConfig()
    ids = {
        settings_id_of(None, config, "e"),
        settings_id_of("original", config, "e"),
        settings_id_of(None, config, "f"),
    }
    assert len(ids | {settings_id_of(None, NegativesConfig(k=5), "e")}) == 4


UNITS = st.lists(
    st.tuples(st.integers(0, 11), st.sampled_from(["o1", "o2", None]), st.sampled_from(["t1", "t2"])),
    min_size=1,
    max_size=16,
)


@CALM
@given(units=UNITS, k=st.integers(1, 4), seed=st.integers(0, 20))
def test_pools_equal_the_definition_whatever_the_order(
    units: list[tuple[int, str | None, str]],
    k: int,
    seed: int,
    a_member: Member,
    members_of: Members,
    vectors_of: Callable[..., UnitVectors],
) -> None:
    rows = [
        a_member(f"u{p:02d}", picture=f"pic-{picture}", template_id=t, **({"original": original} if original else {}))
        for p, (picture, original, t) in enumerate(units)
    ]
    names = [row["unit_id"] for row in rows]
    rng = np.random.default_rng(seed)
    table = rng.choice(["copy", "unclear", "other", "other", "other"], size=(12, 12))

    def compare(one: str, other: str) -> Outcome:
        low, high = sorted((int(one.removeprefix("pic-")), int(other.removeprefix("pic-"))))
        outcome: Outcome = table[low, high]
        return outcome

    def family_of(start: int) -> set[int]:
        """All members reached over equal pictures and equal declared originals, in one template."""
        found, edge = {start}, [start]
        while edge:
            picture, original, template = units[edge.pop()]
            for place, (pic, orig, tpl) in enumerate(units):
                near = pic == picture or (original is not None and orig == original)
                if tpl == template and near and place not in found:
                    found.add(place)
                    edge.append(place)
        return found

    vectors = vectors_of(names, seed=seed)
    output = draw(members_of(rows), vectors, compare, k=k)
    for place, gold in enumerate(names):
        family = family_of(place)
        others = [
            name
            for other, name in enumerate(names)
            if other not in family
            and units[other][2] == units[place][2]
            and compare(rows[place]["picture_hash"], rows[other]["picture_hash"]) == "other"
        ]
        scores = {n: float(np.float32(np.einsum("i,i->", *vectors.rows_of([gold, n]).astype(float)))) for n in others}
        assert pool_of(output, gold) == sorted(others, key=lambda name: (-scores[name], name))[:k]
        open_places = sum(wanted - found for wanted, found, reason in shortfall_of(output, gold) if reason)
        assert len(pool_of(output, gold)) + open_places == k
    order = rng.permutation(len(rows))
    mixed = UnitVectors(unit_ids=vectors.unit_ids[order], matrix=vectors.matrix[order], encoder_id="enc_t")
    again = draw(members_of([rows[place] for place in order.tolist()]), mixed, compare, k=k)
    assert all(output.tables[name].equals(again.tables[name]) for name in output.tables)


def test_on_drawn_tickets_no_negative_is_a_copy_and_the_twin_is_found(
    tmp_path: Path, a_member: Member, members_of: Members
) -> None:
    drawn = draw_look_alikes(home=tmp_path, seed=7)
    some = ("ticket-0", "ticket-2", "ticket-3", "ticket-5")
    truth = {str(row["file"]): row for row in read_lines(tmp_path / drawn.truth) if row["original"] in some}
    pictures = {name: open_rgb(tmp_path / name) for name in truth}
    hashes = {name: hash_picture(picture) for name, picture in pictures.items() if picture is not None}
    rows = [a_member(name, picture=picture_hash) for name, picture_hash in hashes.items()]
    matrix = LayoutEncoder().encode_pictures([tmp_path / name for name in hashes])
    vectors = UnitVectors(unit_ids=np.array(list(hashes)), matrix=matrix, encoder_id="enc_layout")
    comparer = PictureComparer({picture_hash: tmp_path / name for name, picture_hash in hashes.items()})
    output = draw(members_of(rows), vectors, comparer.compare, k=2, original=None)
    pairs = output.tables["negatives.negative"].select("unit_id", "negative_unit_id").rows()
    assert len(pairs) == 14
    assert [pair for pair in pairs if truth[pair[0]]["original"] == truth[pair[1]]["original"]] == []
    assert pool_of(output, "corpus/ticket-0.png")[0] == "corpus/ticket-5.png"
    nearest = vectors.unit_ids[np.argsort(-(matrix @ matrix[0]))[1]]
    assert truth[str(nearest)]["original"] == "ticket-0"  # a copy stood nearer than any negative
