"""Values of single questions: worked examples, the conventions table, fault cases, properties, other tools."""

import itertools
from pathlib import Path

import ir_measures
import polars as pl
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.foundation.errors import InputError, MeasureUndefined
from eval_pipeline.foundation.ordering import rank_by_score
from eval_pipeline.metrics.arenas import rank_within
from eval_pipeline.metrics.names import parse_measure
from eval_pipeline.metrics.scoring import score_questions
from eval_pipeline.tasks.contracts import Policies
from eval_pipeline.tasks.measure_names import RANKING_MEASURES

GRADES = {2: "sufficient", 1: "supporting", 0: "irrelevant", None: None}
SUFFICIENT, SUPPORTING, IRRELEVANT = "sufficient", "supporting", "irrelevant"


def policies(**changes):
    plain = {
        "unjudged": "irrelevant",
        "no_relevant": "zero",
        "missing_question": "zero",
        "unretrieved": "below",
        "answerable_distractor": "drop",
    }
    return Policies(**{**plain, **changes})


def score(measures, lists, *, counts=None, gold=(), waiting=(), hidden=None, joint=None, scores=None, **changes):
    """Score lists of grades, one per question; counts are (R, supporting, candidates) where they differ."""
    rows = [
        {
            "question_id": question,
            "rank": place,
            "unit_id": f"{question}-{place:02d}",
            "grade": grade,
            "is_gold": (question, place) in gold,
            "is_waiting": (question, place) in waiting,
            "score": scores[question][place - 1] if scores else float(-place),
            **({} if hidden is None else {"is_hidden": (question, place) in hidden}),
        }
        for question, grades in lists.items()
        for place, grade in enumerate(grades, start=1)
    ]
    schema = {
        "question_id": pl.String,
        "rank": pl.Int64,
        "unit_id": pl.String,
        "grade": pl.String,
        "is_gold": pl.Boolean,
        "is_waiting": pl.Boolean,
        "score": pl.Float64,
        **({} if hidden is None else {"is_hidden": pl.Boolean}),
    }
    asked = []
    for question, grades in lists.items():
        relevant, supporting, candidates = (counts or {}).get(
            question, (grades.count(SUFFICIENT), grades.count(SUPPORTING), len(grades))
        )
        n_gold = sum(1 for name, _ in gold if name == question)
        asked.append((question, relevant, supporting, candidates, n_gold, len(joint or {})))
    questions = pl.DataFrame(
        asked,
        schema=["question_id", "n_relevant", "n_supporting", "n_candidates", "n_gold", "n_joint"],
        orient="row",
    )
    sets = [(q, name, f"{q}-{p:02d}") for (q, name), places in (joint or {}).items() for p in places]
    scored = score_questions(
        measures=[parse_measure(name) for name in measures],
        ranked=pl.DataFrame(rows, schema=schema),
        questions=questions,
        policies=policies(**changes),
        limit=100,
        joint_sets=pl.DataFrame(sets, schema=["question_id", "joint_set_id", "unit_id"], orient="row")
        if sets
        else None,
        over_ties=scores is not None,
    )
    return {(row["question_id"], row["measure"]): row for row in scored.iter_rows(named=True)}


def value(measure, grades, **options):
    return score([measure], {"q": grades}, **options)[("q", measure)]["value"]


def graded(*relevances):
    return [GRADES[2] if relevance else GRADES[0] for relevance in relevances]


@pytest.mark.parametrize(
    ("measure", "relevances", "n_relevant", "expected"),
    [
        ("ap@4", (1, 1, 0, 0), 2, 1),
        ("ap@4", (0, 0, 1, 1), 2, 5 / 12),
        ("recall@4", (1, 1, 0, 0), 2, 1),
        ("recall@4", (0, 0, 1, 1), 2, 1),
        ("ap@4", (0, 1, 0, 1), 2, 1 / 2),
        ("ap@3", (1, 0, 1), 3, 5 / 9),
        ("ap@6", (0, 0, 1, 1, 0, 0), 2, 5 / 12),
        ("ap@6", (0, 1, 0, 0, 0, 1), 2, 5 / 12),
        ("recall@2", (0, 0, 1, 1, 0, 0), 2, 0),
        ("recall@2", (0, 1, 0, 0, 0, 1), 2, 1 / 2),
    ],
)
def test_worked_examples_of_measures(measure, relevances, n_relevant, expected):
    found = value(measure, graded(*relevances), counts={"q": (n_relevant, 0, 10)})
    assert found == pytest.approx(expected, abs=1e-12)


def test_worked_example_of_three_way_labels():
    names = ["sufficient@1", "supporting_only@1", "sufficient@3", "supporting_only@3", "supporting@3"]
    found = score(names, {"q": [SUPPORTING, IRRELEVANT, SUFFICIENT]})
    assert [found[("q", name)]["value"] for name in names] == [0, 1, 1, 0, 1]


def test_without_a_relevant_unit_exclude_gives_no_value_and_says_so():
    found = score(["ap@3", "sufficient@3"], {"q": graded(0, 0)}, no_relevant="exclude")
    for row in found.values():
        assert (row["value"], row["reason"], row["is_no_relevant"]) == (None, "no_relevant", True)


# CONVENTIONS: what the peers answer to tiny inputs, and what we answer. Where we differ it is on purpose.
TIED = [("a", 1.0), ("b", 1.0), ("c", 1.0)]
ABC = {"a": 1, "b": 1, "c": 1}
AXBC = [("a", 4.0), ("x", 3.0), ("b", 2.0), ("c", 1.0)]
CONVENTIONS = [
    ("01 tied scores go by id ascending, not descending", "rr@10", {"a": 1, "b": 0, "c": 0}, TIED, 1.0),
    ("02 the order of the file does not matter", "ap@10", {"a": 1, "b": 0, "c": 0}, TIED[::-1], 1.0),
    ("03 last by id among tied ones", "ap@10", {"c": 1}, TIED[::-1], 1 / 3),
    ("04 twenty tied ones: first by id", "ap@20", {"d00": 1}, [(f"d{n:02d}", 1.0) for n in range(20)], 1.0),
    ("06 scores are 64-bit", "rr@10", {"a": 1, "b": 0}, [("a", 16777217.0), ("b", 16777216.0)], 1.0),
    ("07 the score says the order", "rr@10", {"b": 1}, [("a", 1.0), ("b", 2.0)], 1.0),
    ("10 an empty list scores 0", "rr@10", {"b": 1}, [], 0.0),
    ("12 R = 0 under zero", "ap@10", {"b": 0}, [("b", 1.0)], 0.0),
    ("14 recall divides by R", "recall@2", ABC, [("x", 2.0), ("a", 1.0)], 1 / 3),
    ("14 recall beyond the list", "recall@5", ABC, [("x", 2.0), ("a", 1.0)], 1 / 3),
    ("14 precision divides by k", "precision@5", ABC, [("x", 2.0), ("a", 1.0)], 0.2),
    ("15 ap@2 divides by R", "ap@2", ABC, AXBC, 1 / 3),
    ("15 ap", "ap@10", ABC, AXBC, (1 + 2 / 3 + 3 / 4) / 3),
    ("16 what was not retrieved counts", "ap@10", ABC, [("a", 2.0), ("x", 1.0)], 1 / 3),
    ("16 ndcg too", "ndcg@10", ABC, [("a", 2.0), ("x", 1.0)], 0.46927872602275644),
    ("18 unjudged counts as irrelevant", "ap@10", {"a": 1, "z": 0}, [("u", 2.0), ("a", 1.0)], 0.5),
    ("18 judged", "judged@2", {"a": 1, "z": 0}, [("u", 2.0), ("a", 1.0)], 0.5),
]


def from_qrels(measure, qrels, run, **changes):
    """Score one question; relevance 1 is sufficient here, as R counts units labelled sufficient."""
    rows = [("q", "final", 0, unit, given_score) for unit, given_score in run]
    schema = {"question_id": pl.String, "stage": pl.String, "rank": pl.Int64, "unit_id": pl.String, "score": pl.Float64}
    ranked = rank_within(pl.DataFrame(rows, schema=schema, orient="row"), arena="corpus", candidates=None)
    grades = {unit: SUFFICIENT if relevance else IRRELEVANT for unit, relevance in qrels.items()}
    ranked = ranked.with_columns(grade=pl.col("unit_id").replace_strict(grades, default=None, return_dtype=pl.String))
    questions = pl.DataFrame({"question_id": ["q"], "n_relevant": [sum(qrels.values())]})
    found = score_questions(
        measures=[parse_measure(measure)],
        ranked=ranked,
        questions=questions,
        policies=policies(**changes),
        limit=100,
    )
    return found.row(0, named=True)


@pytest.mark.parametrize("row", CONVENTIONS, ids=lambda row: row[0])
def test_conventions_of_the_peers(row):
    _, measure, qrels, run, expected = row
    assert from_qrels(measure, qrels, run)["value"] == pytest.approx(expected, abs=1e-12)


def test_convention_08_and_run_02_a_duplicate_is_an_error_that_names_it():
    rows = pl.DataFrame(
        {
            "question_id": ["q1"] * 4,
            "rank": [1, 2, 3, 4],
            "unit_id": ["pa", "pa", "pb", "pa"],
            "grade": [SUFFICIENT] * 4,
        }
    )
    with pytest.raises(InputError, match="question q1 lists unit pa more than once"):
        score_questions(
            measures=[parse_measure("ap@10")],
            ranked=rows,
            questions=pl.DataFrame({"question_id": ["q1"]}),
            policies=policies(),
            limit=10,
        )


def test_convention_09_a_question_that_was_not_run_follows_the_policy():
    def scored(policy):
        return score_questions(
            measures=[parse_measure("rr@10"), parse_measure("neither@10")],
            ranked=pl.DataFrame({"question_id": ["q1"], "rank": [1], "unit_id": ["a"], "grade": [SUFFICIENT]}),
            questions=pl.DataFrame({"question_id": ["q1", "q2"], "n_relevant": [1, 1], "is_run": [True, False]}),
            policies=policies(missing_question=policy),
            limit=10,
        )

    assert scored("zero").filter(pl.col("measure") == "rr@10")["value"].to_list() == [1.0, 0.0]
    # Read as an empty answer, it holds neither: sufficient + supporting_only + neither stays 1.
    assert scored("zero").filter(pl.col("measure") == "neither@10")["value"].to_list() == [0.0, 1.0]
    excluded = scored("exclude").filter(pl.col("measure") == "rr@10")
    assert excluded["value"].to_list() == [1.0, None]
    assert excluded["reason"].to_list() == ["scored", "question_not_run"]
    with pytest.raises(MeasureUndefined, match="1 questions are touched by policy missing_question: error, first q2"):
        scored("error")


def test_convention_11_questions_that_are_not_asked_are_ignored():
    found = score_questions(
        measures=[parse_measure("rr@10")],
        ranked=pl.DataFrame(
            {"question_id": ["q1", "q2"], "rank": [1, 1], "unit_id": ["a", "a"], "grade": [SUFFICIENT, None]}
        ),
        questions=pl.DataFrame({"question_id": ["q1"], "n_relevant": [1]}),
        policies=policies(),
        limit=10,
    )
    assert found["value"].to_list() == [1.0]


def test_convention_17_gains_are_linear_and_ap_counts_sufficient_only():
    lists = {"q": [SUPPORTING, SUFFICIENT, None]}
    found = score(["ndcg@10", "ap@10"], lists)
    assert found[("q", "ndcg@10")]["value"] == pytest.approx(0.8597186998521972, abs=1e-12)
    assert found[("q", "ap@10")]["value"] == 0.5


def test_convention_18_condense_takes_unjudged_units_out():
    assert from_qrels("ap@10", {"a": 1, "z": 0}, [("u", 2.0), ("a", 1.0)], unjudged="condense")["value"] == 1.0
    judged = from_qrels("judged@2", {"a": 1, "z": 0}, [("u", 2.0), ("a", 1.0)], unjudged="condense")
    assert judged["value"] == 0.5
    with pytest.raises(MeasureUndefined, match="policy unjudged: error"):
        from_qrels("ap@10", {"a": 1}, [("u", 2.0), ("a", 1.0)], unjudged="error")


def test_convention_20_and_run_07_scores_that_are_not_finite_are_refused_by_name():
    with pytest.raises(InputError, match="question q: unit a has score nan"):
        from_qrels("rr@10", {"b": 1}, [("a", float("nan")), ("b", 1.0)])
    with pytest.raises(InputError, match="has score -inf"):
        from_qrels("rr@10", {"b": 1}, [("a", float("-inf")), ("b", 1.0)])


def read_trec(folder: Path, qrels_name: str, run_name: str):
    qrels = [line.split() for line in (folder / qrels_name).read_text().splitlines()]
    run = [line.split() for line in (folder / run_name).read_text().splitlines()]
    labels = pl.DataFrame(
        [(q, unit, GRADES[int(grade)]) for q, _, unit, grade in qrels],
        schema=["question_id", "unit_id", "grade"],
        orient="row",
    )
    rankings = pl.DataFrame(
        [(q, "final", unit, float(given_score)) for q, _, unit, _, given_score, _ in run],
        schema=["question_id", "stage", "unit_id", "score"],
        orient="row",
    )
    ranked = rank_within(rankings, arena="corpus", candidates=None).join(
        labels, on=["question_id", "unit_id"], how="left", maintain_order="left"
    )
    counts = labels.group_by("question_id").agg(
        n_relevant=(pl.col("grade") == SUFFICIENT).sum(), n_supporting=(pl.col("grade") == SUPPORTING).sum()
    )
    return ranked, counts


def case_values(folder, name, measure, **changes):
    ranked, counts = read_trec(folder, f"{name}.qrels", f"{name}.run")
    found = score_questions(
        measures=[parse_measure(measure)], ranked=ranked, questions=counts, policies=policies(**changes), limit=100
    )
    return dict(found.select("question_id", "value").iter_rows())


def test_met_01_ap_and_recall_divide_by_all_relevant_units(case_files):
    assert case_values(case_files, "MET-01", "ap@100") == {"q1": 0.5, "q2": 0.25}
    assert case_values(case_files, "MET-01", "recall@5") == {"q1": 0.5, "q2": 0.5}


def test_met_02_a_question_without_relevant_units_upsets_no_other(case_files):
    expected = {"q1": 1.0, "q2": None, "q3": pytest.approx(5 / 6)}
    assert case_values(case_files, "MET-02", "ap@100", no_relevant="exclude") == expected
    assert case_values(case_files, "MET-02", "ap@100") == {**expected, "q2": 0.0}


def test_run_07_scores_that_differ_in_the_sixteenth_digit_keep_their_order(case_files):
    rows = [line.split() for line in (case_files / "RUN-07_precision_nan.run").read_text().splitlines()]
    q1 = pl.DataFrame(
        [(q, "final", unit, float(s)) for q, _, unit, _, s, _ in rows if q == "q1"],
        schema=["question_id", "stage", "unit_id", "score"],
        orient="row",
    )
    assert rank_within(q1, arena="corpus", candidates=None)["unit_id"].to_list() == ["p1", "p2"]


def test_a_label_for_another_question_does_not_count_as_judged_convention_19():
    found = score(["judged@2"], {"q1": [None, SUFFICIENT], "q2": [SUFFICIENT]})
    assert found[("q1", "judged@2")]["value"] == 0.5


def test_top_ignores_labels_and_their_policies():
    lists = {"q": [None, None]}
    found = score(["top@1", "top@2"], lists, gold={("q", 2)}, no_relevant="exclude", unjudged="condense")
    assert [found[("q", f"top@{k}")]["value"] for k in (1, 2)] == [0.0, 1.0]
    without = score(["top@1"], lists)[("q", "top@1")]
    assert (without["value"], without["reason"]) == (None, "no_gold")


def test_a_waiting_pair_in_the_first_k_leaves_no_value_whatever_unjudged_says():
    for policy in ("irrelevant", "condense", "error"):
        found = score(["sufficient@1", "sufficient@2"], {"q": [SUFFICIENT, None]}, waiting={("q", 2)}, unjudged=policy)
        assert found[("q", "sufficient@1")]["value"] == 1.0
        assert (found[("q", "sufficient@2")]["value"], found[("q", "sufficient@2")]["reason"]) == (None, "waiting")


def test_jointly_sufficient_sets_count_when_whole():
    joint = {("q", "set"): (1, 3)}
    found = score(["sufficient_set@2", "sufficient_set@3", "sufficient@3"], {"q": [SUPPORTING] * 3}, joint=joint)
    assert [found[("q", f"sufficient_set@{k}")]["value"] for k in (2, 3)] == [0.0, 1.0]
    assert found[("q", "sufficient@3")]["value"] == 0.0
    excluded = score(["sufficient_set@3", "sufficient@3"], {"q": [SUPPORTING] * 3}, joint=joint, no_relevant="exclude")
    assert excluded[("q", "sufficient_set@3")]["value"] == 1.0
    assert excluded[("q", "sufficient@3")]["reason"] == "no_relevant"


def test_leak_needs_to_know_what_is_hidden():
    assert value("leak@1", [SUFFICIENT, None], hidden={("q", 2)}) == 0.0
    assert value("leak@2", [SUFFICIENT, None], hidden={("q", 2)}) == 1.0
    assert score(["leak@1"], {"q": [None]})[("q", "leak@1")]["reason"] == "access_unknown"


GRADE_LISTS = st.lists(st.sampled_from([SUFFICIENT, SUPPORTING, IRRELEVANT, None]), max_size=12)


@given(GRADE_LISTS, st.integers(1, 14), st.sampled_from(["irrelevant", "condense"]))
@settings(max_examples=40, deadline=None)
def test_parts_add_up_values_stay_in_range_and_sufficient_never_falls(grades, k, unjudged):
    kinds = ["sufficient", "supporting_only", "neither", "supporting", "ap", "rr", "ndcg", "recall", "precision"]
    names = [f"{kind}@{cut}" for cut in (k, k + 1) for kind in kinds]
    found = score(names, {"q": grades}, unjudged=unjudged)
    values = {name: found[("q", name)]["value"] for name in names}
    assert all(0 <= number <= 1 + 1e-12 for number in values.values())
    assert values[f"sufficient@{k}"] + values[f"supporting_only@{k}"] + values[f"neither@{k}"] == 1
    assert values[f"sufficient@{k}"] <= values[f"sufficient@{k + 1}"]
    assert values[f"recall@{k}"] <= values[f"recall@{k + 1}"] + 1e-12


@given(GRADE_LISTS.filter(lambda grades: len(grades) > 1), st.data())
@settings(max_examples=30, deadline=None)
def test_no_measure_drops_when_a_better_unit_swaps_up(grades, data):
    order = {SUFFICIENT: 2, SUPPORTING: 1, IRRELEVANT: 0, None: 0}
    place = data.draw(st.integers(0, len(grades) - 2))
    better = list(grades)
    if order[better[place]] < order[better[place + 1]]:
        better[place], better[place + 1] = better[place + 1], better[place]
    names = ["sufficient@3", "ap@10", "rr@10", "ndcg@10", "recall@3", "precision@3"]
    before, after = score(names, {"q": list(grades)}), score(names, {"q": better})
    for name in names:
        assert after[("q", name)]["value"] >= before[("q", name)]["value"] - 1e-12


@given(
    st.lists(
        st.lists(st.tuples(st.sampled_from([2, 1, 0, None]), st.booleans()), min_size=1, max_size=15),
        min_size=1,
        max_size=5,
    )
)
@settings(max_examples=40, deadline=None)
def test_agrees_with_pytrec_eval_and_ir_measures_where_nothing_is_tied(pairs):
    """Each pair: relevance of a unit, and whether it came back; R > 0, as the tools disagree on R = 0."""
    qrels, run, lists, counts = {}, {}, {}, {}
    for number, units in enumerate(pairs):
        question = f"q{number}"
        grades = [(f"{question}-{place:02d}", relevance, back) for place, (relevance, back) in enumerate(units, 1)]
        back = [(unit, relevance) for unit, relevance, came in grades if came]
        if not back or all(relevance != 2 for _, relevance, _ in grades):
            continue
        qrels[question] = {unit: relevance for unit, relevance, _ in grades if relevance is not None}
        run[question] = {unit: 100.0 - place for place, (unit, _) in enumerate(back)}
        lists[question] = [GRADES[relevance] for _, relevance in back]
        relevances = [relevance for _, relevance, _ in grades]
        counts[question] = (relevances.count(2), relevances.count(1), len(grades))
    if not lists:
        return
    theirs = {"ap@100": "map", "rr@100": "recip_rank", "recall@5": "recall_5", "precision@5": "P_5"}
    names = [*theirs, "ndcg@10", "judged@5"]
    found = score(names, lists, counts=counts)
    levelled = pytrec_eval.RelevanceEvaluator(qrels, {"map", "recip_rank", "recall.5", "P.5"}, relevance_level=2)
    graded_eval = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"})
    binary, gains = levelled.evaluate(run), graded_eval.evaluate(run)
    for question in lists:
        for ours, name in theirs.items():
            assert found[(question, ours)]["value"] == pytest.approx(binary[question][name], abs=1e-9)
        assert found[(question, "ndcg@10")]["value"] == pytest.approx(gains[question]["ndcg_cut_10"], abs=1e-9)
    measures = [ir_measures.Judged @ 5, ir_measures.AP(rel=2), ir_measures.RR(rel=2)]
    for metric in ir_measures.iter_calc(measures, qrels, run):
        ours = {"Judged@5": "judged@5", "AP(rel=2)": "ap@100", "RR(rel=2)": "rr@100"}[str(metric.measure)]
        assert found[(metric.query_id, ours)]["value"] == pytest.approx(metric.value, abs=1e-9)


EXPECTED = [kind for kind in RANKING_MEASURES if kind not in ("sufficient_set", "acceptable", "leak")]


@given(
    st.lists(
        st.tuples(st.sampled_from([SUFFICIENT, SUPPORTING, IRRELEVANT, None]), st.integers(0, 2)),
        min_size=1,
        max_size=6,
    ),
    st.integers(1, 7),
)
@settings(max_examples=25, deadline=None)
def test_expectation_over_ties_is_the_average_over_all_orders(units, k):
    ordered = sorted(units, key=lambda unit: -unit[1])
    names = [f"{kind}@{k}" for kind in EXPECTED]
    grades = [grade for grade, _ in ordered]
    tied = score(
        names, {"q": grades}, gold={("q", 1)}, scores={"q": [float(given_score) for _, given_score in ordered]}
    )
    groups = [list(group) for _, group in itertools.groupby(range(len(ordered)), key=lambda n: ordered[n][1])]
    orders = [
        [place for group in choice for place in group]
        for choice in itertools.product(*(itertools.permutations(group) for group in groups))
    ]
    lists = {f"q{number}": [grades[place] for place in order] for number, order in enumerate(orders)}
    gold = {(f"q{number}", order.index(0) + 1) for number, order in enumerate(orders)}
    each = score(names, lists, gold=gold)
    for name in names:
        mean = sum(each[(question, name)]["value"] for question in lists) / len(lists)
        assert tied[("q", name)]["value"] == pytest.approx(mean, abs=1e-9), name


def test_ties_that_reach_past_what_came_back_have_no_value():
    found = score(
        ["sufficient@1", "sufficient@2"],
        {"q": [SUFFICIENT, None, None]},
        counts={"q": (1, 0, 10)},
        scores={"q": [2.0, 1.0, 1.0]},
    )
    assert found[("q", "sufficient@1")]["value"] == 1.0
    assert found[("q", "sufficient@2")]["reason"] == "tied_beyond_depth"


def test_sets_over_ties_have_no_closed_form():
    joint = {("q", "set"): (1, 2)}
    found = score(
        ["sufficient_set@1", "sufficient_set@2"],
        {"q": [SUPPORTING, SUPPORTING, SUPPORTING]},
        joint=joint,
        scores={"q": [3.0, 2.0, 2.0]},
    )
    assert found[("q", "sufficient_set@1")]["value"] == 0.0
    assert found[("q", "sufficient_set@2")]["reason"] == "tied"


def test_ranks_with_gaps_are_refused():
    with pytest.raises(InputError, match="ranks of question q are not 1, 2, 3"):
        score_questions(
            measures=[parse_measure("ap@10")],
            ranked=pl.DataFrame(
                {"question_id": ["q", "q"], "rank": [1, 3], "unit_id": ["a", "b"], "grade": [None, "x"]}
            ),
            questions=pl.DataFrame({"question_id": ["q"]}),
            policies=policies(),
            limit=10,
        )


def test_ranking_is_total_whatever_the_order_of_rows():
    rows = pl.DataFrame({"question_id": ["q"] * 3, "unit_id": ["b", "a", "c"], "score": [1.0, 1.0, 2.0]})
    assert (
        rank_by_score(rows)["unit_id"].to_list()
        == rank_by_score(rows.reverse())["unit_id"].to_list()
        == ["c", "a", "b"]
    )
