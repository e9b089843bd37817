"""The right file with the wrong interval: by hand, against the definition, and on the drawn transcripts."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from eval_pipeline.demo.relations.placing import read_lines
from eval_pipeline.demo.relations.recordings import INTERVALS, QUESTIONS, draw_recordings
from eval_pipeline.foundation.config import NegativesConfig
from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.ids import content_id, hash_text
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.negatives.intervals import INTERVAL
from eval_pipeline.negatives.localization import draw_hard_negatives, settings_id_of

CALM = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
JUDGED = {"unit_id": pl.String, "media_id": pl.String, "start_s": pl.Float64, "end_s": pl.Float64}
Span = tuple[str, str, float | None, float | None]


def an_interval(span: Span, said: str | None = None) -> dict[str, Any]:
    unit_id, media_id, start_s, end_s = span
    return {
        "unit_id": unit_id,
        "media_id": media_id,
        "start_s": start_s,
        "end_s": end_s,
        "text_hash": hash_text(unit_id if said is None else said),
    }


def draw(
    rows: list[dict[str, Any]], vectors: UnitVectors, judged: Sequence[Span] = (), iou: float = 0.5, k: int = 3
) -> StageOutput:
    return draw_hard_negatives(
        units=INTERVAL.frame(rows),
        judged=pl.DataFrame(list(judged), schema=JUDGED, orient="row"),
        iou=iou,
        vectors=vectors,
        refused=(),
        config=NegativesConfig(k=k, min_negatives=0),
    )


def pool_of(output: StageOutput, unit_id: str) -> list[str]:
    rows = output.tables["negatives.negative"].filter(pl.col("unit_id") == unit_id).sort("rank")
    return rows["negative_unit_id"].to_list()


def shortfall_of(output: StageOutput, unit_id: str) -> list[tuple[str, int, int, str]]:
    rows = output.tables["negatives.shortfall"].filter(pl.col("unit_id") == unit_id)
    return rows.select("axis", "n_wanted", "n_found", "reason").rows()


def test_wrong_intervals_of_the_right_file_nearest_first(
    on_a_circle: Callable[[dict[str, float]], UnitVectors],
) -> None:
    rows = [
        an_interval(("gold", "m", 10, 20)),
        an_interval(("longer", "m", 10, 30)),  # IoU 1/2: right
        an_interval(("shifted", "m", 15, 25)),  # IoU 1/3: wrong, and hard
        an_interval(("whole", "m", 0, 100)),  # holds gold, and is wrong by the contract
        an_interval(("later", "m", 60, 70)),
        an_interval(("elsewhere", "n", 60, 70)),
    ]
    degrees = {"gold": 0.0, "longer": 1.0, "shifted": 5.0, "whole": 20.0, "later": 10.0, "elsewhere": 2.0}
    output = draw(rows, on_a_circle(degrees))
    assert pool_of(output, "gold") == ["shifted", "later", "whole"]
    assert shortfall_of(output, "gold") == []
    assert set(output.tables["negatives.negative"]["axis"]) == {"interval"}
    assert pool_of(output, "elsewhere") == []
    assert shortfall_of(output, "elsewhere") == [("interval", 3, 0, "no other interval in this file")]
    strict = draw(rows, on_a_circle(degrees), iou=0.6)
    assert pool_of(strict, "gold")[0] == "longer"


def test_other_judged_intervals_and_the_same_words_are_never_negatives(vectors_of: Callable[..., UnitVectors]) -> None:
    rows = [
        an_interval(("gold", "m", 10, 20), "yes"),
        an_interval(("again", "m", 50, 60), "read out once more"),
        an_interval(("said-again", "m", 70, 80), "yes"),
        an_interval(("other", "m", 30, 40), ""),
        an_interval(("silent", "m", 80, 90), ""),
    ]
    vectors = vectors_of([row["unit_id"] for row in rows])
    output = draw(rows, vectors, judged=[("gold", "m", 51, 60), ("gold", "elsewhere", 30, 40)])
    assert set(pool_of(output, "gold")) == {"other", "silent"}
    assert shortfall_of(output, "gold") == [("interval", 3, 2, "no further interval of this file is wrong")]
    assert "silent" in pool_of(output, "other")  # two intervals in which nothing is said are no copies


def test_an_interval_without_bounds_says_so_and_the_rest_goes_on(vectors_of: Callable[..., UnitVectors]) -> None:
    rows = [an_interval(("a", "m", 0, 5)), an_interval(("b", "m", 9, 12)), an_interval(("turned", "m", 7, 6))]
    rows += [an_interval(("open", "m", 3, None)), an_interval(("nan", "m", float("nan"), 8))]
    frame = pl.DataFrame(rows, schema=INTERVAL.schema)
    output = draw_hard_negatives(
        units=frame,
        judged=pl.DataFrame(schema=JUDGED),
        iou=0.5,
        vectors=vectors_of([row["unit_id"] for row in rows]),
        refused=(),
        config=NegativesConfig(k=1),
    )
    assert pool_of(output, "a") == ["b"]
    for name in ("turned", "open", "nan"):
        assert shortfall_of(output, name) == [("interval", 1, 0, "no interval: the end is not after the start")]


def test_wrong_input_is_named(vectors_of: Callable[..., UnitVectors]) -> None:
    rows = [an_interval(("a", "m", 0, 5))]
    with pytest.raises(InputError, match=r"iou 0.0 is out of range; .* such as 0\.5"):
        draw(rows, vectors_of(["a"]), iou=0.0)
    with pytest.raises(InputError, match=r"judged interval of a in m from 5\.0 to 5\.0: end must be after start"):
        draw(rows, vectors_of(["a"]), judged=[("a", "m", 5, 5)])


def test_the_settings_id_covers_iou_k_and_encoder() -> None:
    config = NegativesConfig()
    ids = {settings_id_of(0.5, config, "e"), settings_id_of(0.6, config, "e"), settings_id_of(0.5, config, "f")}
    assert len(ids | {settings_id_of(0.5, NegativesConfig(k=5), "e")}) == 4


TENTHS = st.tuples(st.sampled_from(["m", "n"]), st.integers(0, 20), st.integers(1, 12))


@CALM
@given(
    spans=st.lists(TENTHS, min_size=1, max_size=14),
    judged=st.lists(st.tuples(st.integers(0, 13), TENTHS), max_size=5),
    iou=st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(3, 10), Fraction(1)]),
    seed=st.integers(0, 20),
)
def test_pools_equal_the_definition_whatever_the_order(
    spans: list[tuple[str, int, int]],
    judged: list[tuple[int, tuple[str, int, int]]],
    iou: Fraction,
    seed: int,
    vectors_of: Callable[..., UnitVectors],
) -> None:
    names = [f"u{place:02d}" for place in range(len(spans))]
    cells = {
        name: {(media, cell) for cell in range(start, start + length)}
        for name, (media, start, length) in zip(names, spans, strict=True)
    }
    right = {name: [cells[name]] for name in names}
    told: list[Span] = []
    for place, (media, start, length) in judged:
        gold = names[place % len(names)]
        right[gold].append({(media, cell) for cell in range(start, start + length)})
        told.append((gold, media, start / 10, (start + length) / 10))
    rows = [
        an_interval((name, media, start / 10, (start + length) / 10))
        for name, (media, start, length) in zip(names, spans, strict=True)
    ]
    vectors = vectors_of(names, seed=seed)
    output = draw(rows, vectors, told, float(iou))
    for gold, (media, _, _) in zip(names, spans, strict=True):
        wrong = [
            name
            for name, (other, _, _) in zip(names, spans, strict=True)
            if other == media
            and all(Fraction(len(cells[name] & known), len(cells[name] | known)) < iou for known in right[gold])
        ]
        scores = {
            name: float(np.float32(np.einsum("i,i->", *vectors.rows_of([gold, name]).astype(float)))) for name in wrong
        }
        assert pool_of(output, gold) == sorted(wrong, key=lambda name: (-scores[name], name))[:3]
        open_places = sum(wanted - found for _, wanted, found, reason in shortfall_of(output, gold) if reason)
        assert len(pool_of(output, gold)) + open_places == 3
    again = draw(rows[::-1], vectors, told[::-1], float(iou))
    assert all(output.tables[name].equals(again.tables[name]) for name in output.tables)


def test_on_the_drawn_transcripts_no_negative_answers(
    tmp_path: Path, word_vectors: Callable[[list[str], list[str]], UnitVectors]
) -> None:
    drawn = draw_recordings(home=tmp_path, seed=7)
    told = read_lines(tmp_path / INTERVALS)
    rows = []
    for row in told:
        bounds = (str(row["media"]), float(str(row["start_s"])), float(str(row["end_s"])))
        rows.append(an_interval((content_id("unit", list(bounds)), *bounds), str(row["text"])))
    by_bounds = {(row["media_id"], row["start_s"], row["end_s"]): row["unit_id"] for row in rows}
    where = {unit_id: bounds for bounds, unit_id in by_bounds.items()}
    questions = read_lines(tmp_path / QUESTIONS)
    golds = {q["question"]: by_bounds[q["media"], q["start_s"], q["end_s"]] for q in questions}  # type: ignore[index]
    answers: dict[str, list[tuple[float, float]]] = {}
    for row in read_lines(tmp_path / drawn.truth):
        answers[golds[row["question"]]] = [tuple(span) for span in row["answers"]]  # type: ignore[attr-defined]
    judged = [(gold, where[gold][0], *span) for gold, spans in answers.items() for span in spans]
    vectors = word_vectors([row["unit_id"] for row in rows], [str(row["text"]) for row in told])
    output = draw(rows, vectors, judged, k=6)
    assert len(answers) == 15
    assert sum(len(spans) == 2 for spans in answers.values()) == 6
    for gold, spans in answers.items():
        pool = pool_of(output, gold)
        assert len(pool) == 6
        for name in pool:
            media, start, end = where[name]
            assert media == where[gold][0]
            for low, high in spans:
                shared = max(0.0, min(end, high) - max(start, low))
                assert shared / (end - start + high - low - shared) < 0.5
    unjudged = draw(rows, vectors, k=6)  # gold alone is known: what is read out again gets in
    assert any(set(pool_of(unjudged, gold)) != set(pool_of(output, gold)) for gold in answers)
