from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.labels.agreement import Agreement, Figure, audit_agreement, measure_agreement
from eval_pipeline.labels.rows import Judgment, to_label_rows

SHORT = {"S": "sufficient", "p": "supporting", "i": "irrelevant"}


def side(grades: Sequence[tuple[str, str]]) -> pl.DataFrame:
    rows = [(question, f"u{place}", SHORT[grade]) for place, (question, grade) in enumerate(grades)]
    return pl.DataFrame(rows, schema=dict.fromkeys(["question_id", "unit_id", "grade"], pl.String), orient="row")


def drawn(**probabilities: float) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "question_id": list(probabilities),
            "is_drawn": [True] * len(probabilities),
            "inclusion_probability": list(probabilities.values()),
        },
        schema={"question_id": pl.String, "is_drawn": pl.Boolean, "inclusion_probability": pl.Float64},
    )


def agree(model: str, person: str, questions: str | None = None, **probabilities: float) -> Agreement:
    names = [f"q{name}" for name in questions or "1" * len(model)]
    audit = drawn(**(probabilities or dict.fromkeys(names, 1.0)))
    return measure_agreement(
        model=side(list(zip(names, model, strict=True))),
        person=side(list(zip(names, person, strict=True))),
        audit=audit,
    )


def read_case(path: Path) -> Agreement:
    rows = pl.read_csv(path).rename({"page_id": "unit_id"})
    sides = {name: rows.select("question_id", "unit_id", pl.col(name).alias("grade")) for name in ("judge", "human")}
    audit = drawn(**dict.fromkeys(rows["question_id"].unique().to_list(), 0.5))
    return measure_agreement(model=sides["judge"], person=sides["human"], audit=audit)


def test_lab_01_one_class_has_no_kappa(case_files: Path) -> None:
    found = read_case(case_files / "LAB-01_single_class.csv")
    assert (found.raw.value, found.n_pairs) == (1.0, 10)
    assert found.kappa == Figure(value=None, reason="undefined: one class")
    assert found.boundary == Figure(value=None, reason="no_boundary_pairs")


def test_lab_01_repeating_the_base_rate_is_no_skill(case_files: Path) -> None:
    found = read_case(case_files / "LAB-01_base_rate.csv")
    assert found.raw.value == pytest.approx(0.9)
    assert found.kappa.value == pytest.approx(0.0)
    assert found.table[("irrelevant", "irrelevant")] == 9
    assert found.table[("sufficient", "irrelevant")] == 1
    assert sum(found.table.values()) == 10
    assert len(found.table) == 9


def test_kappa_by_hand() -> None:
    # 2x2: both S 20, both i 15, S/i 5, i/S 10 -> po 0.7, pe 0.5, kappa 0.4 (Cohen's usual example)
    found = agree("S" * 20 + "i" * 5 + "S" * 10 + "i" * 15, "S" * 25 + "i" * 25)
    assert found.raw.value == pytest.approx(0.7)
    assert found.kappa.value == pytest.approx(0.4)


def test_total_disagreement_of_two_single_classes_is_zero_kappa_not_undefined() -> None:
    found = agree("SS", "ii")
    assert (found.raw.value, found.kappa.value) == (0.0, 0.0)


def test_pairs_weigh_by_the_inverse_of_their_chance() -> None:
    found = agree("Si", "Sp", questions="12", q1=0.25, q2=1.0)
    assert found.raw.value == pytest.approx(4 / 5)
    assert found.boundary.value == pytest.approx(4 / 5)


def test_the_boundary_counts_pairs_that_persons_found_relevant() -> None:
    found = agree("SpiSi", "Sppii")
    assert found.boundary.value == pytest.approx(2 / 3)


def test_questions_that_were_not_drawn_and_contested_pairs_stay_out() -> None:
    person = side([("q1", "S"), ("q2", "i"), ("q1", "S")]).with_columns(
        grade=pl.when(pl.col("unit_id") == "u2").then(None).otherwise("grade")
    )
    model = side([("q1", "S"), ("q2", "S"), ("q1", "i")])
    found = measure_agreement(model=model, person=person, audit=drawn(q1=1.0))
    assert (found.n_pairs, found.raw.value) == (1, 1.0)


def test_nothing_audited_is_a_reason_not_a_zero() -> None:
    found = agree("", "")
    missing = Figure(value=None, reason="no_audited_pairs")
    assert (found.raw, found.low, found.high, found.kappa) == (missing,) * 4


def many(n: int) -> Agreement:
    names = [f"q{place:03d}" for place in range(n)]
    model = side([(name, "S" if place % 5 else "i") for place, name in enumerate(names)])
    person = side([(name, "S") for name in names])
    return measure_agreement(model=model, person=person, audit=drawn(**dict.fromkeys(names, 1.0)), seed=3)


def test_fewer_than_fifty_questions_have_no_interval() -> None:
    assert many(49).low == many(49).high == Figure(value=None, reason="too_few_clusters")


def test_fifty_questions_have_one_that_is_close_to_theory_and_repeats() -> None:
    found = many(200)
    assert found == many(200)
    width = 1.96 * np.sqrt(0.8 * 0.2 / 200)
    assert found.low.value == pytest.approx(0.8 - width, abs=0.015)
    assert found.high.value == pytest.approx(0.8 + width, abs=0.015)


def test_a_constant_has_no_zero_width_interval() -> None:
    names = [f"q{place:03d}" for place in range(60)]
    same = side([(name, "S") for name in names])
    found = measure_agreement(model=same, person=same, audit=drawn(**dict.fromkeys(names, 1.0)))
    assert found.low.reason == "constant"


def test_a_pair_twice_is_an_error() -> None:
    twice = pl.concat([side([("q1", "S")])] * 2)
    with pytest.raises(LineageError, match="hold a pair twice"):
        measure_agreement(model=twice, person=side([("q1", "S")]), audit=drawn(q1=1.0))


def test_from_label_rows_only_blind_labels_of_persons_count(judge: Callable[..., Judgment]) -> None:
    blind = judge("supporting")
    rows = [
        judge("sufficient", "text", author_kind="judge", judge_id="jdg"),
        judge("supporting", "file", author_kind="import"),
        blind,
        judge("sufficient", replaces_label_id=blind.label_id, is_blind=False),
    ]
    found = audit_agreement(labels=to_label_rows(rows), audit=drawn(q=1.0), judge_name="text")
    assert found.table[("supporting", "sufficient")] == 1
    assert (found.n_pairs, found.raw.value) == (1, 0.0)
