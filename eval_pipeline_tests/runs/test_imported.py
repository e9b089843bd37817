from collections.abc import Callable, Mapping
from pathlib import Path

import polars as pl
import pytest

from eval_pipeline.foundation.errors import InputError, TableError
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.runs.declared import PolicySettings
from eval_pipeline.runs.imported import RunFile, import_run

ARENA_SCHEMA = {"question_id": pl.String, "arena": pl.String, "unit_id": pl.String}


@pytest.fixture
def take(make_units: Callable[..., pl.DataFrame], tmp_path: Path) -> Callable[..., StageOutput]:
    def make(
        data: bytes | str,
        pages: tuple[str, ...] = ("pa", "pb", "pc"),
        questions: tuple[str, ...] = ("q1", "q2"),
        arenas: tuple[tuple[str, str, str], ...] = (),
        depth: int = 10,
        others: Mapping[str, str] | None = None,
        visible: frozenset[str] | None = None,
        **settings: object,
    ) -> StageOutput:
        (tmp_path / "runs").mkdir(exist_ok=True)
        (tmp_path / "runs" / "x.run").write_bytes(data if isinstance(data, bytes) else data.encode())
        for name, content in (others or {}).items():
            (tmp_path / "runs" / name).write_text(content)
        ids = [f"qu_{name}" for name in questions]
        return import_run(
            declared=RunFile(**{"name": "theirs", "path": "runs/x.run", "units": "declared_id", **settings}),  # type: ignore[arg-type]
            home=tmp_path,
            questions=pl.DataFrame({"question_id": ids, "declared_id": list(questions)}),
            units=make_units(*(f"u_{page}" for page in pages), declared_id=list(pages)),
            arenas=pl.DataFrame(list(arenas), schema=ARENA_SCHEMA, orient="row"),
            batch_id="bat",
            depth=depth,
            visible=visible,
        )

    return make


def lists(output: StageOutput) -> dict[tuple[str, str], list[str]]:
    heads = output.tables["runs.question_ranking"]
    rows = heads.join(output.tables["runs.ranking"], on="ranking_id", how="left").sort("question_id", "stage", "rank")
    grouped = rows.group_by("question_id", "stage", maintain_order=True).agg(pl.col("unit_id").drop_nulls())
    return {(question, stage): units for question, stage, units in grouped.iter_rows()}


def test_run_02_a_unit_listed_twice_counts_once_or_the_file_is_refused(
    take: Callable[..., StageOutput], case_files: Path
) -> None:
    data = (case_files / "RUN-02_duplicate_docs.run").read_bytes()
    with pytest.raises(TableError, match=r"2 lines cannot be used: line 2: unit listed twice .* line 4") as caught:
        take(data)
    assert caught.value.line == 2
    output = take(data, on_error="go_on")
    assert lists(output) == {("qu_q1", "final"): ["u_pa", "u_pb"]}
    assert output.tables["corpus.quarantine"].select("place", "reason").rows() == [
        ("line 2", "unit listed twice"),
        ("line 4", "unit listed twice"),
    ]


def test_run_03_good_lines_go_on_and_every_other_has_a_row(take: Callable[..., StageOutput], case_files: Path) -> None:
    data = (case_files / "RUN-03_malformed.run").read_bytes()
    output = take(data, on_error="go_on")
    assert lists(output) == {("qu_q1", "final"): ["u_pa", "u_pb"]}
    assert output.summary["lines"] == 2
    assert output.summary["lines refused"] == 5
    with pytest.raises(TableError, match="5 lines cannot be used: line 3"):
        take(data)


def test_run_05_ids_of_other_case_or_ending_are_reported_with_the_nearest(
    take: Callable[..., StageOutput], case_files: Path
) -> None:
    pages = tuple((case_files / "RUN-05_page_ids.txt").read_text().split())
    output = take((case_files / "RUN-05_unknown_ids.run").read_bytes(), pages=pages, on_error="go_on")
    assert lists(output) == {("qu_q1", "final"): ["u_pa"], ("qu_q2", "final"): ["u_pb"]}
    refused = output.tables["corpus.quarantine"]
    assert refused["reason"].to_list() == ["unknown unit", "unknown unit"]
    assert all("did you mean 'pa'?" in detail for detail in refused["detail"])


def test_run_06_a_unit_with_the_questions_id_stays(take: Callable[..., StageOutput], case_files: Path) -> None:
    data = (case_files / "RUN-06_query_id_equals_page_id.run").read_bytes()
    assert lists(take(data, pages=("17", "18"), questions=("17",))) == {("qu_17", "final"): ["u_17", "u_18"]}


def test_run_07_the_sixteenth_digit_decides(take: Callable[..., StageOutput], case_files: Path) -> None:
    data = (case_files / "RUN-07_precision_nan.run").read_bytes()
    output = take(data, pages=("p1", "p2", "p3"), on_error="go_on")
    assert lists(output) == {("qu_q1", "final"): ["u_p1", "u_p2"], ("qu_q2", "final"): ["u_p1"]}
    scores = output.tables["runs.ranking"]["score"].to_list()
    assert sorted(scores) == [0.001, 0.1234567890123455, 0.1234567890123456]


def test_scores_rank_and_the_rank_column_does_not(take: Callable[..., StageOutput]) -> None:
    output = take("q1 Q0 pa 1 0.1 t\nq1 Q0 pc 2 0.5 t\nq1 Q0 pb 3 0.5 t\n", depth=2)
    assert lists(output) == {("qu_q1", "final"): ["u_pb", "u_pc"]}
    assert output.summary["questions not run"] == 1
    for name, frame in output.tables.items():
        TABLES[name].validate(frame)


def test_arenas_are_restrictions_of_the_whole_file_and_may_be_empty(take: Callable[..., StageOutput]) -> None:
    arenas = (
        ("qu_q1", "siblings", "u_pc"),
        ("qu_q1", "siblings", "u_pa"),
        ("qu_q1", "random", "never"),
        ("qu_q2", "random", "u_pa"),
    )
    output = take("q1 Q0 pa 1 3 t\nq1 Q0 pb 2 2 t\nq1 Q0 pc 3 1 t\n", arenas=arenas, depth=1)
    assert lists(output) == {
        ("qu_q1", "final"): ["u_pa"],
        ("qu_q1", "arena:siblings"): ["u_pa", "u_pc"],
        ("qu_q1", "arena:random"): [],
    }


def test_a_wrong_style_of_ids_is_noticed_at_once(take: Callable[..., StageOutput]) -> None:
    with pytest.raises(TableError, match="no line can be used: line 1: unknown unit"):
        take("q1 Q0 pa 1 0.9 t\n", units="path#page", on_error="go_on")


def test_an_unknown_question_is_refused(take: Callable[..., StageOutput]) -> None:
    with pytest.raises(TableError, match="q9 names no single question of this project"):
        take("q9 Q0 pa 1 0.9 t\n")


def test_the_variant_is_named_by_the_content_of_the_file(take: Callable[..., StageOutput]) -> None:
    def variant_id(data: str) -> str:
        return str(take(data).tables["runs.variant"]["variant_id"].item())

    assert variant_id("q1 Q0 pa 1 0.9 t\n") == variant_id("q1 Q0 pa 1 0.9 t\n")
    assert variant_id("q1 Q0 pa 1 0.9 t\n") != variant_id("q1 Q0 pa 1 0.8 t\n")


def test_a_path_out_of_the_project_is_refused(take: Callable[..., StageOutput]) -> None:
    with pytest.raises(InputError, match="climbs out"):
        take("", path="../x.run")


def test_an_empty_file_is_an_empty_run(take: Callable[..., StageOutput]) -> None:
    output = take("# nothing\n")
    assert output.tables["runs.ranking"].is_empty()
    assert output.summary["questions not run"] == 2


def test_a_file_per_stage_what_may_be_seen_and_the_policy(take: Callable[..., StageOutput]) -> None:
    output = take(
        "q1 Q0 pa 1 3 t\nq1 Q0 pb 2 2 t\nq1 Q0 pc 3 1 t\nq2 Q0 pa 1 1 t\n",
        others={"i.run": "q1 Q0 pc 1 3 t\n"},
        stages={"image.exact": "runs/i.run"},
        visible=frozenset({"u_pb", "u_pc"}),
        policy=PolicySettings(cut_off=1),
        arenas=(("qu_q1", "siblings", "u_pa"), ("qu_q1", "siblings", "u_pc")),
    )
    assert lists(output) == {
        ("qu_q1", "image.exact"): ["u_pc"],
        ("qu_q1", "returned"): ["u_pa", "u_pb", "u_pc"],
        ("qu_q1", "eligible"): ["u_pb", "u_pc"],
        ("qu_q1", "final"): ["u_pb"],
        ("qu_q1", "arena:siblings"): ["u_pc"],
        ("qu_q2", "image.exact"): [],
        ("qu_q2", "returned"): ["u_pa"],
        ("qu_q2", "eligible"): [],
        ("qu_q2", "final"): [],
    }


def test_a_bound_per_document_leaves_the_best_of_each(take: Callable[..., StageOutput]) -> None:
    output = take("q1 Q0 pa 1 3 t\nq1 Q0 pb 2 2 t\n", policy=PolicySettings(max_per_document=1))
    assert lists(output) == {("qu_q1", "final"): ["u_pa", "u_pb"]}  # every page is a document of its own


def test_scores_of_candidates_order_the_arenas_and_the_rest_has_no_rank(take: Callable[..., StageOutput]) -> None:
    arenas = (("qu_q1", "siblings", "u_pa"), ("qu_q1", "siblings", "u_pb"), ("qu_q1", "siblings", "u_pc"))
    output = take(
        "q1 Q0 pa 1 3 t\n",
        others={"s.run": "q1 Q0 pc 1 0.2 t\nq1 Q0 pa 1 0.1 t\n"},
        scores="runs/s.run",
        arenas=arenas,
    )
    assert lists(output)["qu_q1", "arena:siblings"] == ["u_pc", "u_pa"]
    assert lists(output)["qu_q1", "final"] == ["u_pa"]


def test_a_run_on_another_snapshot_is_refused_or_noted(take: Callable[..., StageOutput]) -> None:
    assert take("q1 Q0 pa 1 3 t\n", corpus_snapshot="bat").tables["runs.question_ranking"]["notes"].to_list() == ["[]"]
    with pytest.raises(TableError, match="made on corpus snapshot older, the present one is bat"):
        take("q1 Q0 pa 1 3 t\n", corpus_snapshot="older")
    output = take("q1 Q0 pa 1 3 t\n", corpus_snapshot="older", on_other_snapshot="go_on")
    assert output.tables["runs.question_ranking"]["notes"].to_list() == ['["other-snapshot"]']


def test_tied_scores_and_questions_that_are_left_out_are_counted(take: Callable[..., StageOutput]) -> None:
    output = take("q1 Q0 pa 1 3 t\nq1 Q0 pb 2 3 t\nq1 Q0 pc 2 1 t\n")
    assert output.summary["lines with a tied score"] == 2
    assert output.summary["questions not run"] == 1


def test_a_wrong_first_page_number_is_noticed_by_the_gold_units(
    make_units: Callable[..., pl.DataFrame], tmp_path: Path
) -> None:
    names = [f"d{doc}p{page}" for doc in range(12) for page in (1, 2)]
    units = make_units(*names, document_id=[name[:-2] for name in names], page_number=[int(name[-1]) for name in names])
    (tmp_path / "x.run").write_text("".join(f"q{doc} Q0 d{doc}#1 1 1 t\n" for doc in range(12)))
    questions = pl.DataFrame(
        {
            "question_id": [f"q{doc}" for doc in range(12)],
            "declared_id": pl.Series([None] * 12, dtype=pl.String),
            "gold_unit_id": [f"d{doc}p2" for doc in range(12)],
        }
    )

    def take(**settings: object) -> StageOutput:
        return import_run(
            declared=RunFile(name="theirs", path="x.run", units="document#page", **settings),  # type: ignore[arg-type]
            home=tmp_path,
            questions=questions,
            units=units,
            arenas=pl.DataFrame(schema=ARENA_SCHEMA),
            batch_id="bat",
            depth=5,
        )

    with pytest.raises(TableError, match="of 0 of 12 questions is listed, with page_base: 0 that of 12; declare"):
        take()
    notes = take(on_error="go_on").tables["runs.question_ranking"]["notes"]
    assert notes.str.contains("page numbers").all()
    assert set(take(page_base=0).tables["runs.ranking"]["unit_id"]) == {f"d{doc}p2" for doc in range(12)}
