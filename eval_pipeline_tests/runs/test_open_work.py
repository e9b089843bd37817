from types import ModuleType

import polars as pl
import pytest

from eval_pipeline.runs import appearance, arenas, controls, fusion, open_work, stage, tokens
from eval_pipeline.runs.eligibility import Clearance
from eval_pipeline.runs.open_work import not_yet_run, retrieval_run_id_of

QUESTIONS = pl.DataFrame({"question_id": ["q1", "q2"]})
ARENAS = pl.DataFrame(
    [("q1", "random", "a"), ("q1", "siblings", "b"), ("gone", "siblings", "b")],
    schema=["question_id", "arena", "unit_id"],
    orient="row",
)
NOTHING = pl.DataFrame(schema={"question_id": pl.String, "stage": pl.String})


def test_asker_depth_and_arena_settings_make_another_run() -> None:
    made = {
        retrieval_run_id_of("v", "b", depth=3),
        retrieval_run_id_of("v", "c", depth=3),
        retrieval_run_id_of("v", "b", depth=4),
        retrieval_run_id_of("v", "b", depth=3, clearance=Clearance(level="public")),
        retrieval_run_id_of("v", "b", depth=3, arena_settings_id="s"),
        retrieval_run_id_of("v", "b", depth=3, basis="x"),
    }
    assert len(made) == 6


@pytest.mark.parametrize("module", [appearance, arenas, controls, fusion, tokens])
def test_changed_code_makes_another_run(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    before, version = retrieval_run_id_of("v", "b", depth=3), open_work.CODE_VERSION
    assert module.CODE_VERSION in version.split(".")
    monkeypatch.setattr(open_work, "CODE_VERSION", version + "x")
    assert retrieval_run_id_of("v", "b", depth=3) != before
    assert version == stage.CODE_VERSION  # what Dagster shows is what the run is named by


def held(*rows: tuple[str, str]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=NOTHING.schema, orient="row")


def test_a_run_without_rankings_lacks_everything() -> None:
    questions, arenas = not_yet_run(questions=QUESTIONS, arenas=ARENAS, ranked=NOTHING)
    assert questions.equals(QUESTIONS)
    assert sorted(arenas["unit_id"]) == ["a", "b"]


def test_a_question_is_open_for_its_final_list_or_for_one_arena() -> None:
    ranked = held(("q1", "final"), ("q1", "arena:random"), ("q2", "lexical"))
    work = not_yet_run(questions=QUESTIONS, arenas=ARENAS, ranked=ranked)
    assert sorted(work.questions["question_id"]) == ["q1", "q2"]
    assert work.arenas["arena"].to_list() == ["siblings"]


def test_a_control_lacks_arenas_only() -> None:
    ranked = held(("q1", "arena:random"), ("q1", "arena:siblings"))
    work = not_yet_run(questions=QUESTIONS, arenas=ARENAS, ranked=ranked, is_control=True)
    assert (work.questions.height, work.arenas.height) == (0, 0)
