import threading
from collections.abc import Callable, Mapping
from typing import Any

import polars as pl
import pytest

from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.errors import RetrievalFailed
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.runs.announcing import close
from eval_pipeline.runs.building import build_retriever
from eval_pipeline.runs.retrieval_corpus import RetrievalCorpus
from eval_pipeline.runs.stage import run_variant
from eval_pipeline.runs.variants import Variant, declare_variants
from eval_pipeline_tests.loopback_retriever import Scripted, serve

ARENAS = pl.DataFrame(
    [("q1", "siblings", unit) for unit in "abc"],
    schema={"question_id": pl.String, "arena": pl.String, "unit_id": pl.String},
    orient="row",
)


@pytest.fixture
def declare() -> Callable[..., Variant]:
    def make(url: str, **settings: Any) -> Variant:
        declared = {"type": "http", "url": f"{url}/rank", "retries": 0, "timeout_s": 30.0, **settings}
        return declare_variants(config=ProjectConfig(variants={"theirs": declared}), encoder_id="enc")[0]

    return make


def run(variant: Variant, corpus: RetrievalCorpus, *questions: str) -> StageOutput:
    retriever = build_retriever(variant=variant, corpus=corpus)
    ids = [f"q{place}" for place in range(1, len(questions) + 1)]
    asked = pl.DataFrame({"question_id": ids, "text": list(questions), "gold_unit_id": [None] * len(ids)})
    try:
        return run_variant(
            variant=variant, retriever=retriever, questions=asked, arenas=ARENAS, batch_id="bat", depth=3
        )
    finally:
        close(retriever)


def lists(output: StageOutput) -> dict[tuple[str, str], str]:
    heads, places = output.tables["runs.question_ranking"], output.tables["runs.ranking"]
    found = dict.fromkeys(heads.select("question_id", "stage").iter_rows(), "")
    for question, stage, unit in (
        heads.join(places.sort("rank"), on="ranking_id")
        .sort("rank")
        .select("question_id", "stage", "unit_id")
        .iter_rows()
    ):
        found[question, stage] += unit
    return found


def ranks(*names: str) -> dict[str, Any]:
    return {"units": [{"unit": name, "score": -float(place)} for place, name in enumerate(names)]}


def test_what_comes_back_is_ranked_and_arenas_are_read_from_it(
    declare: Callable[..., Variant], corpus: RetrievalCorpus
) -> None:
    with serve(lambda _: ranks("d", "b", "a", "c")) as server:
        output = run(declare(server.url), corpus, "alpha")
    assert lists(output) == {
        ("q1", "returned"): "dba",
        ("q1", "eligible"): "dba",
        ("q1", "final"): "dba",
        ("q1", "arena:siblings"): "ba",
    }
    assert server.bodies == [{"question": "alpha", "depth": 3, "path": "/rank"}]
    assert set(output.tables["runs.timing"]["stage"]) == {"returned", "all"}


def test_offered_scores_order_the_arenas(declare: Callable[..., Variant], corpus: RetrievalCorpus) -> None:
    def script(body: Mapping[str, Any]) -> Mapping[str, Any]:
        return ranks("d") if body["path"] == "/rank" else ranks(*reversed(body["units"]))

    with serve(script) as server:
        output = run(declare(server.url, score_url=f"{server.url}/score"), corpus, "alpha", "beta")
    assert lists(output)["q1", "arena:siblings"] == "cba"
    assert lists(output)["q2", "final"] == "d"
    assert [body["units"] for body in server.bodies if body["path"] == "/score"] == [["a", "b", "c"]]


def test_a_question_that_fails_is_named_and_an_empty_answer_is_an_answer(
    declare: Callable[..., Variant], corpus: RetrievalCorpus
) -> None:
    def script(body: Mapping[str, Any]) -> Any:
        match body["question"]:
            case "alpha":
                return Scripted(content="busy", status=503)
            case "beta":
                return {"units": []}
            case "gamma":
                return ranks("a", "gone.png")
            case _:
                return ranks("a")

    with serve(script) as server:
        output = run(declare(server.url), corpus, "alpha", "beta", "gamma", "delta")
    failed = output.tables["runs.failed_question"].select("question_id", "reason")
    assert failed.rows() == [("q1", "status 503"), ("q3", "unknown unit")]
    assert {stage: units for (question, stage), units in lists(output).items() if question == "q2"} == {
        "returned": "",
        "eligible": "",
        "final": "",
    }
    assert lists(output)["q4", "final"] == "a"
    assert output.summary["questions_not_answered"] == 2
    assert output.summary["reasons"] == "status 503 1, unknown unit 1"


def test_scores_that_fail_fail_the_question(declare: Callable[..., Variant], corpus: RetrievalCorpus) -> None:
    def script(body: Mapping[str, Any]) -> Any:
        return ranks("a") if body["path"] == "/rank" else Scripted(content="", status=500)

    with serve(script) as server:
        output = run(declare(server.url, score_url=f"{server.url}/score"), corpus, "alpha", "beta")
    assert {question for question, _ in lists(output)} == {"q2"}
    assert output.tables["runs.failed_question"]["reason"].to_list() == ["status 500"]


def test_no_more_requests_at_one_time_than_declared(declare: Callable[..., Variant], corpus: RetrievalCorpus) -> None:
    met = threading.Barrier(3)

    def script(_: Mapping[str, Any]) -> Mapping[str, Any]:
        met.wait(timeout=20)
        return ranks("a")

    with serve(script) as server:
        output = run(declare(server.url, concurrency=3, timeout_s=30.0), corpus, *(f"question {n}" for n in range(9)))
    assert server.most == 3
    assert output.tables["runs.failed_question"].is_empty()
    assert len(lists(output)) == 9 * 3 + 1


def test_the_same_rankings_for_one_or_many_at_a_time(declare: Callable[..., Variant], corpus: RetrievalCorpus) -> None:
    with serve(lambda body: ranks(*("abcd" if "1" in body["question"] else "dcba"))) as server:
        asked = [f"question {n}" for n in range(12)]
        alone, together = (run(declare(server.url, concurrency=n), corpus, *asked) for n in (1, 8))
    for name in ("runs.variant", "runs.question_ranking", "runs.ranking"):
        assert alone.tables[name].equals(together.tables[name])


def test_pages_by_document_from_0_and_by_their_own_id(
    declare: Callable[..., Variant], corpus: RetrievalCorpus, make_units: Callable[..., pl.DataFrame]
) -> None:
    pages = make_units("a", "b", document_id=["x", "x"], page_number=[1, 2])
    two = RetrievalCorpus(units=pages, texts={}, vectors=None, encoder=None, home=corpus.home)
    with serve(lambda _: ranks("x#1", "x#0")) as server:
        output = run(declare(server.url, units="document#page", page_base=0), two, "alpha")
    assert lists(output)["q1", "final"] == "ba"


def test_how_it_is_asked_is_no_part_of_the_variant(declare: Callable[..., Variant]) -> None:
    base = declare("http://127.0.0.1:9")
    patient = declare("http://127.0.0.1:9", retries=9, timeout_s=60.0, concurrency=1, key_env="SOME_KEY")
    assert patient.variant_id == base.variant_id
    assert patient.to_table_row().equals(base.to_table_row())
    assert "SOME_KEY" not in str(patient.to_table_row().row(0))
    assert declare("http://127.0.0.1:9", version="2").variant_id != base.variant_id
    assert declare("http://127.0.0.1:9", page_base=0).variant_id != base.variant_id


def test_a_part_of_a_hybrid_that_fails_fails_the_question(corpus: RetrievalCorpus) -> None:
    with serve(lambda _: Scripted(content="", status=500)) as server:
        declared = {
            "theirs": {"type": "http", "url": server.url, "retries": 0},
            "text": {"type": "text"},
            "both": {"type": "hybrid", "of": ["theirs", "text"]},
        }
        both = declare_variants(config=ProjectConfig(variants=declared), encoder_id="enc")[2]
        retriever = build_retriever(variant=both, corpus=corpus)
        with pytest.raises(RetrievalFailed, match="status 500"):
            retriever.rank("alpha", 3)  # type: ignore[union-attr]
        close(retriever)
