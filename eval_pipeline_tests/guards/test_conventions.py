"""The table of docs/conventions.md, computed again: ours, pytrec_eval and ir_measures on tiny inputs."""

import re
from pathlib import Path

import ir_measures
import polars as pl
import pytest
import pytrec_eval

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.receipts.evaluating import Judgments, Run, evaluate_run

PAGE = Path(__file__).parents[2] / "docs" / "conventions.md"
MARKS = {"+": "sufficient", "~": "supporting", "-": "irrelevant"}
LEVELS = {"sufficient": 2, "supporting": 1, "irrelevant": 0}
GRADED = ("ndcg", "judged")
PTE = {"ap@10": "map", "ap@2": "map_cut_2", "rr@10": "recip_rank", "recall@2": "recall_2", "precision@5": "P_5",
       "ndcg@10": "ndcg_cut_10"}  # fmt: skip
IRM = {"ap@10": "AP(rel=2)", "ap@2": "AP(rel=2)@2", "rr@10": "RR(rel=2)", "recall@2": "R(rel=2)@2",
       "precision@5": "P(rel=2)@5", "ndcg@10": "nDCG@10", "judged@2": "Judged@2"}  # fmt: skip

QUESTION = re.compile(r"q\d")


def the_rows():
    lines = [line.strip("| \n") for line in PAGE.read_text().splitlines() if re.match(r"\| \d\d", line)]
    return [row for row in ([cell.strip() for cell in line.split("|")] for line in lines) if len(row) == 8]


def labels_of(text):
    """`q1: a+ b-, q2: c+` or `a+ b-` of q1."""
    found, question = [], "q1"
    for word in text.replace(",", " ").split():
        if QUESTION.match(word):
            question = word[:2]
        else:
            found.append((question, word[:-1], MARKS[word[-1]]))
    return found


RUNS = {
    "09": [("q1", "a", 1.0)],
    "10": [("q1", "a", 1.0)],
    "11": [("q1", "a", 1.0), ("q2", "a", 1.0)],
    "12": [("q1", "a", 1.0), ("q2", "b", 1.0)],
    "19": [("q1", "b", 2.0), ("q1", "a", 1.0)],
}
"""Runs that are told in words; all others are read from the page."""
RUN_OF_ONE = {"19"}
"""Only q1 is asked: the mean is over it."""


def read_row(row):
    number, given, measure = row[0], row[1], row[2]
    judged, _, ranked = given.partition(";")
    labels = labels_of(judged)
    run = RUNS.get(number)
    if run is None:
        run = [("q1", unit, float(score)) for unit, score in (pair.split() for pair in ranked.split(","))]
    return number, labels, run, measure


def ours(number, labels, run, measure, **policies):
    questions = sorted({question for question, _, _ in labels} if number not in RUN_OF_ONE else {"q1"})
    task = {
        "task": "tiny", "relation": "evidence", "query_form": "question text", "answer_unit": "page",
        "questions": {"slice": "main"},
        "judgment": {"grades": ["sufficient", "supporting", "irrelevant"], "judge": "people"},
        "measures": [measure], "arenas": ["corpus"], "depth": 100, "limit": 100, "slices": [],
        "policies": {"unjudged": "irrelevant", "no_relevant": "zero", "missing_question": "zero",
                     "unretrieved": "below", "answerable_distractor": "drop", **policies},
        "resampling": {"unit": "question", "level": 0.95, "resamples": 100, "seed": 0},
        "asked_as": {"clearance": "public", "groups": []},
    }  # fmt: skip
    columns = ["question_id", "unit_id", "score"]
    answered = pl.DataFrame({"question_id": ["q1", "q2"]}) if number == "10" else None
    found = evaluate_run(
        task=task,
        questions=pl.DataFrame({"question_id": questions}),
        run=Run(name="tiny", rankings=pl.DataFrame(run, schema=columns, orient="row"), answered=answered),
        judgments=Judgments(labels=pl.DataFrame(labels, schema=["question_id", "unit_id", "grade"], orient="row")),
    )
    return found.figure(measure, arena="corpus")


def as_peers_want(number, labels, run):
    qrels, ranked = {}, {}
    for question, unit, grade in labels:
        qrels.setdefault(question, {})[unit] = LEVELS[grade]
    for question, unit, score in run:
        ranked.setdefault(question, {})[unit] = score
    if number == "10":
        ranked["q2"] = {}
    if number in RUN_OF_ONE:
        qrels = {"q1": qrels["q1"]}
    return qrels, ranked


def pytrec(measure, qrels, ranked):
    name = PTE[measure]
    request = re.sub(r"_(\d+)$", r".\1", name)
    level = 1 if measure.startswith(GRADED) else 2
    each = pytrec_eval.RelevanceEvaluator(qrels, {request}, relevance_level=level).evaluate(ranked)
    return sum(one[name] for one in each.values()) / len(each)


def irm(measure, qrels, ranked):
    name = ir_measures.parse_measure(IRM[measure])
    return ir_measures.calc_aggregate([name], qrels, ranked)[name]


@pytest.mark.parametrize("row", the_rows(), ids=lambda row: row[0])
def test_the_page_says_what_each_tool_answers(row):
    number, labels, run, measure = read_row(row)
    qrels, ranked = as_peers_want(number, labels, run)
    if row[3] == "error":
        with pytest.raises(InputError):
            ours(number, labels, run, measure)
    else:
        assert ours(number, labels, run, measure)["estimate"] == pytest.approx(float(row[3]), abs=5e-5)
    for told, ask in ((row[4], pytrec), (row[5], irm)):
        if told != "-":
            assert ask(measure, qrels, ranked) == pytest.approx(float(told), abs=5e-5)
    agrees = {told for told in (row[4], row[5]) if told != "-"} <= {row[3]}
    assert row[7].startswith("differs") != agrees or row[7].startswith(("policy", "a "))


@pytest.mark.parametrize(
    ("number", "policy", "n_scored"),
    [
        ("09", {"missing_question": "exclude"}, 1),
        ("12", {"no_relevant": "exclude"}, 1),
        ("18", {"unjudged": "condense"}, 1),
    ],
)
def test_the_other_policy_gives_the_other_number_and_says_so(number, policy, n_scored):
    (row,) = [row for row in the_rows() if row[0] == number]
    figure = ours(*read_row(row), **policy)
    assert (figure["estimate"], figure["n_scored"]) == (1.0, n_scored)
    assert figure["policy_counts"] != "{}"


def test_every_row_is_read():
    assert [row[0] for row in the_rows()] == (
        [
            "01",
            "02",
            "03",
            "06",
            "08",
            "09",
            "10",
            "11",
            "12",
            "14",
            "14b",
            "15",
            "15b",
            "16",
            "17",
            "17b",
            "18",
            "18b",
            "19",
            "20",
        ]
    )
