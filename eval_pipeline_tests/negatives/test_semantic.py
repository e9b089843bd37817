"""Topically near, not answering: by hand, against the definition, and on the drawn passages."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from eval_pipeline.demo.relations.passages import PASSAGES, draw_passages
from eval_pipeline.demo.relations.placing import read_lines
from eval_pipeline.foundation.config import NegativesConfig
from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.foundation.ids import hash_text
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.foundation.tables.views import UNIT_IN_FORCE
from eval_pipeline.negatives.semantic import draw_hard_negatives, settings_id_of

Member = Callable[..., dict[str, Any]]
CALM = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
GOLD = "The ferry of Aldersby crosses 12 times a day and carries no cars at all."


def a_passage(a_member: Member, unit_id: str, said: str, **facets: str) -> dict[str, Any]:
    return {**a_member(unit_id, **facets), "text_hash": hash_text(said), "text": said}


def draw(
    rows: list[dict[str, Any]],
    vectors: UnitVectors,
    *,
    answering: Sequence[tuple[str, str]] = (),
    axes: tuple[str, ...] = (),
    topic: str | None = None,
    k: int = 3,
) -> StageOutput:
    return draw_hard_negatives(
        units=UNIT_IN_FORCE.frame([{key: row[key] for key in UNIT_IN_FORCE.schema} for row in rows]),
        texts=pl.DataFrame([{"text_hash": row["text_hash"], "text": row["text"]} for row in rows]),
        answering=pl.DataFrame(
            list(answering), schema={"unit_id": pl.String, "answering_unit_id": pl.String}, orient="row"
        ),
        vectors=vectors,
        refused=["refused"],
        axes=axes,
        config=NegativesConfig(k=k, min_negatives=0),
        topic_facet=topic,
    )


def pool_of(output: StageOutput, unit_id: str) -> list[str]:
    rows = output.tables["negatives.negative"].filter(pl.col("unit_id") == unit_id).sort("rank")
    return rows["negative_unit_id"].to_list()


def shortfall_of(output: StageOutput, unit_id: str) -> list[tuple[str, int, int, str]]:
    rows = output.tables["negatives.shortfall"].filter(pl.col("unit_id") == unit_id)
    return rows.select("axis", "n_wanted", "n_found", "reason").rows()


def test_near_passages_that_are_no_copies_and_do_not_answer(
    a_member: Member, on_a_circle: Callable[[dict[str, float]], UnitVectors]
) -> None:
    said = {
        "gold": GOLD,
        "same-text": GOLD,
        "reprint": f"{GOLD} So says the notice.",
        "in-other-words": "Twelve sailings leave Aldersby daily for people on foot.",
        "library": "The library of Aldersby lends nine thousand books a year.",
        "mayor": "Ada Marsh is the mayor of Aldersby since spring.",
    }
    rows = [a_passage(a_member, name, text, topic="Aldersby") for name, text in said.items()]
    rows.append(a_passage(a_member, "other-town", "The ferry of Carrick crosses 3 times a day.", topic="Carrick"))
    rows.append(a_passage(a_member, "untold", "The ferry of Dunmore never crosses."))
    rows.append(a_passage(a_member, "blank", "", topic="Aldersby"))
    degrees = {name: 5.0 * place for place, name in enumerate([row["unit_id"] for row in rows])}
    output = draw(rows, on_a_circle(degrees), answering=[("gold", "in-other-words")], topic="topic")
    assert pool_of(output, "gold") == ["library", "mayor"]
    why = "no further passage on this topic that neither is a copy nor answers"
    assert shortfall_of(output, "gold") == [("answer", 3, 2, why)]
    assert pool_of(output, "in-other-words") == ["library", "reprint", "mayor"]  # what answers gold is told of gold
    assert shortfall_of(output, "other-town") == [("answer", 3, 0, "no other passage on this topic")]
    assert shortfall_of(output, "untold") == [("answer", 3, 0, "missing facet topic")]
    assert shortfall_of(output, "blank") == [("answer", 3, 0, "no text")]
    everywhere = draw(rows, on_a_circle(degrees), answering=[("gold", "in-other-words")])
    assert pool_of(everywhere, "gold") == ["library", "mayor", "other-town"]


def test_the_same_facts_under_another_id_are_never_a_negative(
    a_member: Member, vectors_of: Callable[..., UnitVectors]
) -> None:
    rows = [
        a_passage(a_member, "a", "Sales were high.", entity="acme", period="q1"),
        a_passage(a_member, "b", "One sold a lot.", entity="acme", period="q1"),
        a_passage(a_member, "c", "Costs fell a little.", entity="acme", period="q2"),
        a_passage(a_member, "d", "Nothing is known of it.", entity="acme"),
    ]
    output = draw(rows, vectors_of(["a", "b", "c", "d"]), axes=("entity", "period"))
    assert set(pool_of(output, "a")) == {"c", "d"}
    assert set(pool_of(output, "d")) == {"a", "b", "c"}


def test_a_refused_text_waits_for_nobody_and_a_lost_one_is_named(
    a_member: Member, vectors_of: Callable[..., UnitVectors]
) -> None:
    rows = [a_passage(a_member, name, f"It is {name}.") for name in ("one", "two", "refused")]
    output = draw(rows, vectors_of(["one", "two"]))
    assert pool_of(output, "one") == ["two"]
    assert shortfall_of(output, "refused") == [("answer", 3, 0, "no vector")]
    lost = UNIT_IN_FORCE.frame([{key: row[key] for key in UNIT_IN_FORCE.schema} for row in rows])
    with pytest.raises(UnknownName, match="2 units have no text in the given texts, first refused"):
        draw_hard_negatives(
            units=lost,
            texts=pl.DataFrame([{"text_hash": rows[0]["text_hash"], "text": rows[0]["text"]}]),
            answering=pl.DataFrame(schema={"unit_id": pl.String, "answering_unit_id": pl.String}),
            vectors=vectors_of(["one", "two"]),
            refused=(),
            axes=(),
            config=NegativesConfig(),
        )


def test_the_settings_id_covers_axes_topic_k_and_encoder() -> None:
    config = NegativesConfig()
    ids = {
        settings_id_of((), None, config, "e"),
        settings_id_of(("entity",), None, config, "e"),
        settings_id_of((), "topic", config, "e"),
        settings_id_of((), None, NegativesConfig(k=5), "e"),
        settings_id_of((), None, config, "f"),
    }
    assert len(ids) == 5


def test_what_is_known_to_answer_changes_the_state_of_its_topic_only(
    a_member: Member, vectors_of: Callable[..., UnitVectors]
) -> None:
    rows = [a_passage(a_member, f"{town}{k}", f"{town} {k} says it.", topic=town) for town in "xy" for k in range(3)]
    vectors = vectors_of([row["unit_id"] for row in rows])
    before = draw(rows, vectors, topic="topic").tables["negatives.pooled_template"]
    after = draw(rows, vectors, topic="topic", answering=[("x0", "x1")]).tables["negatives.pooled_template"]
    assert len(set(before["members_hash"]) & set(after["members_hash"])) == 1


TEXTS = st.sampled_from(["", "a b c", "a b c d", "d e f", "x y z 1", "x y z 2", "q"])
UNITS = st.lists(
    st.tuples(TEXTS, st.sampled_from(["s", "t", None]), st.sampled_from(["f1", "f2", None]), st.integers(0, 14)),
    min_size=1,
    max_size=14,
)


@CALM
@given(
    units=UNITS, known=st.lists(st.tuples(st.integers(0, 13), st.integers(0, 13)), max_size=8), seed=st.integers(0, 9)
)
def test_pools_equal_the_definition_whatever_the_order(
    units: list[tuple[str, str | None, str | None, int]],
    known: list[tuple[int, int]],
    seed: int,
    a_member: Member,
    vectors_of: Callable[..., UnitVectors],
) -> None:
    rows = []
    for place, (said, topic, fact, picture) in enumerate(units):
        facets = {name: value for name, value in (("topic", topic), ("fact", fact)) if value is not None}
        rows.append({**a_passage(a_member, f"u{place:02d}", said, **facets), "picture_hash": f"pic{picture}"})
    names = [row["unit_id"] for row in rows]
    answering = [(names[a % len(names)], names[b % len(names)]) for a, b in known]
    vectors = vectors_of(names, seed=seed)
    output = draw(rows, vectors, answering=answering, axes=("fact",), topic="topic")

    def same_words(one: str, other: str) -> bool:
        short, long = sorted((one.split(), other.split()), key=len)
        runs = [{tuple(w[k : k + 4]) for k in range(max(1, len(w) - 3))} for w in (short, long)]
        return runs[0] <= runs[1]  # so short a text has one run: all or nothing

    by_name = {row["unit_id"]: row for row in rows}
    for gold in names:
        mine, told = by_name[gold], json.loads(by_name[gold]["facets"])
        allowed = []
        for name in names:
            other, facets = by_name[name], json.loads(by_name[name]["facets"])
            if name == gold or not mine["text"] or not other["text"] or "topic" not in told:
                continue
            is_apart = (
                facets.get("topic") == told["topic"]
                and other["picture_hash"] != mine["picture_hash"]
                and not same_words(mine["text"], other["text"])
                and (gold, name) not in answering
                and not ("fact" in told and facets.get("fact") == told["fact"])
            )
            allowed += [name] if is_apart else []
        scores = {n: float(np.float32(np.einsum("i,i->", *vectors.rows_of([gold, n]).astype(float)))) for n in allowed}
        assert pool_of(output, gold) == sorted(allowed, key=lambda name: (-scores[name], name))[:3]
        open_places = sum(wanted - found for _, wanted, found, reason in shortfall_of(output, gold) if reason)
        assert len(pool_of(output, gold)) + open_places == 3
    again = draw(rows[::-1], vectors, answering=answering[::-1], axes=("fact",), topic="topic")
    assert all(output.tables[name].equals(again.tables[name]) for name in output.tables)


def test_on_the_drawn_passages_no_negative_answers_once_answers_are_known(
    tmp_path: Path, a_member: Member, word_vectors: Callable[[list[str], list[str]], UnitVectors]
) -> None:
    drawn = draw_passages(home=tmp_path, seed=7)
    told = read_lines(tmp_path / PASSAGES)
    rows = [a_passage(a_member, str(row["passage"]), str(row["text"]), topic=str(row["topic"])) for row in told]
    truth = {str(row["passage"]): row for row in read_lines(tmp_path / drawn.truth)}
    known = [(a, b) for a in truth for b in truth if a != b and truth[a]["fact"] == truth[b]["fact"]]
    vectors = word_vectors([row["unit_id"] for row in rows], [row["text"] for row in rows])
    plain = [name for name, row in truth.items() if row["form"] == "plain"]

    def count_answering(output: StageOutput) -> int:
        return sum(truth[name]["fact"] == truth[gold]["fact"] for gold in plain for name in pool_of(output, gold))

    told_all = draw(rows, vectors, answering=known, topic="topic", k=6)
    assert all(len(pool_of(told_all, gold)) == 6 for gold in plain)
    assert count_answering(told_all) == 0
    told_none = draw(rows, vectors, topic="topic", k=6)
    found = {
        truth[name]["form"]
        for gold in plain
        for name in pool_of(told_none, gold)
        if truth[name]["fact"] == truth[gold]["fact"]
    }
    assert found == {"other"}  # reprints are kept out by their words; other words need a judge
    anywhere = draw(rows, vectors, answering=known, k=6)
    assert count_answering(anywhere) == 0
    assert {gold.split("-")[0] == name.split("-")[0] for gold in plain for name in pool_of(anywhere, gold)} == {
        True,
        False,
    }
