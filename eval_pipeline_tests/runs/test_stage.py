import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl
import pytest

from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.errors import RetrievalFailed
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import RankedUnit, StagedRanking
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.runs.building import build_retriever
from eval_pipeline.runs.declared import PolicySettings
from eval_pipeline.runs.policy import FinalRetriever
from eval_pipeline.runs.retrieval_corpus import RetrievalCorpus
from eval_pipeline.runs.stage import not_yet_run, run_variant
from eval_pipeline.runs.variants import Variant, declare_variants

VARIANTS = {variant.name: variant for variant in declare_variants(config=ProjectConfig(), encoder_id="enc")}
QUESTIONS = pl.DataFrame(
    {
        "question_id": ["q1", "q2", "q3"],
        "text": ["alpha", "revenue 2021", "zebra"],
        "gold_unit_id": ["a", "c", None],
    }
)
ARENAS = pl.DataFrame(
    [
        ("q1", "random", "a"),
        ("q1", "random", "d"),
        ("q1", "siblings", "a"),
        ("q1", "siblings", "b"),
        ("q2", "siblings", "c"),
        ("q2", "siblings", "b"),
        ("other", "siblings", "a"),
    ],
    schema=["question_id", "arena", "unit_id"],
    orient="row",
)


def run(name: str, corpus: RetrievalCorpus, **changes: object) -> StageOutput:
    variant = VARIANTS[name]
    arguments: dict[str, object] = {
        "variant": variant,
        "retriever": build_retriever(variant=variant, corpus=corpus),
        "questions": QUESTIONS,
        "arenas": ARENAS,
        "batch_id": "bat_1",
        "depth": 3,
    }
    return run_variant(**{**arguments, **changes})  # type: ignore[arg-type]


def lists(output: StageOutput) -> dict[tuple[str, str], str]:
    """Unit ids by question and stage; an empty answer is an empty text."""
    heads = output.tables["runs.question_ranking"]
    rows = heads.join(output.tables["runs.ranking"], on="ranking_id", how="left").sort("question_id", "stage", "rank")
    grouped = rows.group_by("question_id", "stage", maintain_order=True).agg(pl.col("unit_id").drop_nulls())
    return {(question, stage): "".join(units) for question, stage, units in grouped.iter_rows()}


def test_every_stage_and_arena_of_a_text_run(corpus: RetrievalCorpus) -> None:
    output = run("text", corpus)
    assert lists(output) == {
        ("q1", "lexical"): "a",
        ("q1", "eligible"): "a",
        ("q1", "final"): "a",
        ("q1", "arena:random"): "a",
        ("q1", "arena:siblings"): "a",
        ("q2", "lexical"): "cd",
        ("q2", "eligible"): "cd",
        ("q2", "final"): "cd",
        ("q2", "arena:siblings"): "c",
        ("q3", "lexical"): "",
        ("q3", "eligible"): "",
        ("q3", "final"): "",
    }
    names = ("variant", "retrieval_run", "question_ranking", "ranking", "failed_question", "timing")
    assert set(output.tables) == {f"runs.{name}" for name in names}
    assert output.tables["runs.failed_question"].is_empty()
    timed = output.tables["runs.timing"].select("question_id", "stage").rows()
    assert sorted(timed) == [(question, stage) for question in ("q1", "q2", "q3") for stage in ("all", "lexical")]
    for name, frame in output.tables.items():
        TABLES[name].validate(frame)


def test_an_arena_is_ordered_by_score_beyond_the_depth(corpus: RetrievalCorpus) -> None:
    assert lists(run("image", corpus, depth=1))[("q1", "arena:random")] == "ad"


class NoScores:
    def rank(self, question: str, depth: int) -> StagedRanking:
        return StagedRanking(
            stages={"own": [RankedUnit(unit_id=unit, score=-float(place)) for place, unit in enumerate("dcba")][:depth]}
        )

    def score(self, question: str, unit_ids: Sequence[str]) -> Mapping[str, float] | None:
        return None


def test_without_scores_an_arena_is_a_restriction_of_the_ranking_and_the_rest_has_no_rank(
    corpus: RetrievalCorpus,
) -> None:
    theirs = FinalRetriever(name="t", source=NoScores(), corpus=corpus, policy=PolicySettings(cut_off=1))
    found = lists(run("text", corpus, retriever=theirs, depth=3))
    assert found[("q1", "final")] == "d"
    assert found[("q1", "arena:random")] == "d"
    assert found[("q1", "arena:siblings")] == "b"
    assert found[("q2", "arena:siblings")] == "cb"


@pytest.mark.parametrize("name", ["image", "text", "hybrid"])
def test_what_else_is_asked_and_the_order_of_rows_change_nothing(corpus: RetrievalCorpus, name: str) -> None:
    whole = run(name, corpus)
    assert whole.tables["runs.ranking"].equals(
        run(name, corpus, questions=QUESTIONS.reverse(), arenas=ARENAS.reverse()).tables["runs.ranking"]
    )
    turned = replace(corpus, units=corpus.units.reverse(), texts=dict(reversed(corpus.texts.items())))
    assert whole.tables["runs.ranking"].equals(run(name, turned).tables["runs.ranking"])
    one = run(name, corpus, questions=QUESTIONS[1:2])
    only = pl.col("question_id") == "q2"
    assert one.tables["runs.question_ranking"].equals(whole.tables["runs.question_ranking"].filter(only))


def test_a_ranking_is_named_by_variant_question_stage_and_order_and_not_by_the_night(corpus: RetrievalCorpus) -> None:
    tonight, tomorrow = run("hybrid", corpus), run("hybrid", corpus, batch_id="bat_2")
    assert tonight.tables["runs.ranking"].equals(tomorrow.tables["runs.ranking"])
    ids = [output.tables["runs.retrieval_run"]["retrieval_run_id"].item() for output in (tonight, tomorrow)]
    assert ids[0] != ids[1]
    assert tonight.tables["runs.question_ranking"]["ranking_id"].is_unique().all()


def test_only_what_a_run_lacks_is_open(corpus: RetrievalCorpus) -> None:
    ranked = run("image", corpus).tables["runs.question_ranking"]
    done = not_yet_run(questions=QUESTIONS, arenas=ARENAS, ranked=ranked)
    assert (done.questions.height, done.arenas.height) == (0, 0)

    without_arena = ranked.filter(~((pl.col("question_id") == "q1") & (pl.col("stage") == "arena:random")))
    one = not_yet_run(questions=QUESTIONS, arenas=ARENAS, ranked=without_arena)
    assert one.questions["question_id"].to_list() == ["q1"]
    assert one.arenas.select("question_id", "arena").unique().rows() == [("q1", "random")]

    without_final = ranked.filter(~((pl.col("question_id") == "q3") & (pl.col("stage") == "final")))
    three = not_yet_run(questions=QUESTIONS, arenas=ARENAS, ranked=without_final)
    assert (three.questions["question_id"].to_list(), three.arenas.height) == (["q3"], 0)


def test_what_is_run_in_pieces_is_what_is_run_at_once(corpus: RetrievalCorpus) -> None:
    whole = run("hybrid", corpus).tables["runs.question_ranking"]
    first = run("hybrid", corpus, questions=QUESTIONS[:1], arenas=ARENAS[:2]).tables["runs.question_ranking"]
    rest = not_yet_run(questions=QUESTIONS, arenas=ARENAS, ranked=first)
    second = run("hybrid", corpus, questions=rest.questions, arenas=rest.arenas).tables["runs.question_ranking"]
    together = pl.concat([first, second]).unique().sort("question_id", "stage")
    assert together.equals(whole.sort("question_id", "stage"))


def test_a_control_lacks_nothing_outside_arenas(corpus: RetrievalCorpus) -> None:
    ranked = run("control-facets", corpus).tables["runs.question_ranking"]
    assert not_yet_run(questions=QUESTIONS, arenas=ARENAS, ranked=ranked, is_control=True).questions.height == 0


def test_nothing_that_the_asker_may_not_see_comes_back_at_any_later_stage(corpus: RetrievalCorpus) -> None:
    found = lists(run("image", replace(corpus, visible=frozenset("bd"))))
    assert found[("q1", "image.exact")] == "abc"
    assert found[("q1", "eligible")] == found[("q1", "final")] == "bd"
    assert found[("q1", "arena:siblings")] == "b"


@pytest.mark.parametrize("name", [name for name, variant in VARIANTS.items() if variant.is_control])
def test_controls_score_arenas_of_questions_with_gold_only(corpus: RetrievalCorpus, name: str) -> None:
    found = lists(run(name, corpus))
    assert sorted(found) == [("q1", "arena:random"), ("q1", "arena:siblings"), ("q2", "arena:siblings")]
    assert sorted(found[("q2", "arena:siblings")]) == ["b", "c"]


def test_ties_of_a_control_stay_equal_scores_and_take_part_in_the_id(corpus: RetrievalCorpus) -> None:
    apart = run("control-template", replace(corpus, template_of={"a": "t"}))
    together = run("control-template", replace(corpus, template_of=dict.fromkeys("abcd", "t")))
    only = pl.col("question_id") == "q1"
    scores = [
        output.tables["runs.question_ranking"].filter(only, pl.col("stage") == "arena:siblings")
        .join(output.tables["runs.ranking"], on="ranking_id")["score"].to_list()
        for output in (apart, together)
    ]  # fmt: skip
    assert scores == [[1.0, 0.0], [1.0, 1.0]]
    pair = ("q1", "arena:siblings")
    assert lists(apart)[pair] == lists(together)[pair] == "ab"
    names = [set(output.tables["runs.question_ranking"].filter(only)["ranking_id"]) for output in (apart, together)]
    assert names[0].isdisjoint(names[1])


def test_a_control_that_reads_all_questions_is_another_run_with_other_questions(corpus: RetrievalCorpus) -> None:
    def run_id(name: str, questions: pl.DataFrame) -> str:
        output = run(name, corpus, questions=questions)
        return str(output.tables["runs.retrieval_run"]["retrieval_run_id"].item())

    assert run_id("control-appearance", QUESTIONS) != run_id("control-appearance", QUESTIONS[:1])
    assert run_id("control-facets", QUESTIONS) == run_id("control-facets", QUESTIONS[:1])


def test_notes_and_latency(corpus: RetrievalCorpus) -> None:
    output = run("hybrid", corpus)
    notes = output.tables["runs.question_ranking"].filter(question_id="q3", stage="final")["notes"].item()
    assert json.loads(notes) == ["single-source"]
    assert output.summary["questions"] == 3
    assert isinstance(output.summary["median_ms"], float)
    assert output.summary["median_ms"] <= output.summary["p95_ms"]  # type: ignore[operator]


def test_no_questions_is_a_run_without_rankings(corpus: RetrievalCorpus) -> None:
    output = run("text", corpus, questions=QUESTIONS.clear())
    assert output.tables["runs.ranking"].height == 0
    assert output.tables["runs.retrieval_run"].height == 1
    assert isinstance(VARIANTS["text"], Variant)


def test_run_06_a_unit_with_the_id_of_the_question_is_kept(corpus: RetrievalCorpus) -> None:
    questions = QUESTIONS[:1].with_columns(question_id=pl.lit("a"))
    assert lists(run("text", corpus, questions=questions))[("a", "final")] == "a"


class Unsure(NoScores):
    def rank(self, question: str, depth: int) -> StagedRanking:
        if question == "alpha":
            message = "no reply within 1 s"
            raise RetrievalFailed(message, reason="time-out")
        return super().rank(question, depth)


def test_a_question_that_is_not_answered_is_named_and_has_no_ranking(corpus: RetrievalCorpus) -> None:
    theirs = FinalRetriever(name="t", source=Unsure(), corpus=corpus, policy=PolicySettings())
    output = run("text", corpus, retriever=theirs)
    asked = {question for question, _ in lists(output)}
    failed = output.tables["runs.failed_question"]
    assert failed.select("question_id", "reason", "detail").rows() == [("q1", "time-out", "no reply within 1 s")]
    assert asked == {"q2", "q3"}
    assert output.summary["questions_not_answered"] == 1
    assert output.summary["reasons"] == "time-out 1"
    heads = output.tables["runs.question_ranking"]
    again = not_yet_run(questions=QUESTIONS, arenas=ARENAS, ranked=heads)
    assert again.questions["question_id"].to_list() == ["q1"]
