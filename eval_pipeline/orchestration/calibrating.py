"""Ask a judge about pairs that people have labelled, before it is used: how far to trust it, and what it would cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import polars as pl

from eval_pipeline.foundation.errors import InputError, UnknownName
from eval_pipeline.foundation.ids import hash_unit
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import Judge
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.foundation.tables.judging import CALL, VERDICT
from eval_pipeline.judging.asking import Recorder, add_verdict_ids, ask
from eval_pipeline.labels.in_force import labels_in_force
from eval_pipeline.labels.rows import PERSON_KINDS
from eval_pipeline.metrics.judge_trust import CODE_VERSION, Trust, measure_trust
from eval_pipeline.orchestration.judge_costs import CallCost, Foreseen, cost_of_calls, foresee_calls
from eval_pipeline.orchestration.planning import count_calls, plan_next_run
from eval_pipeline.orchestration.question_sets import asked_judge_of, read_roots
from eval_pipeline.orchestration.reading import members_in_force, page_reader
from eval_pipeline.orchestration.resources import Project

ASSET = "judge_calibration"
"""Name under which verdicts of a calibration are recorded; later runs use them and pay nothing again."""


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """What a calibration found.

    Attributes:
        judge: its name.
        judge_id: its version.
        settings: what could change a verdict of it.
        n_labelled: pairs that people have labelled, by kind of author.
        n_pairs: pairs of these that were drawn.
        n_questions: their questions.
        trust: None where only the cost was asked for.
        outcome: counts of the asking.
        paid: tokens and money that it took this time.
        per_verdict: means over everything that this judge version was ever paid for; None where nothing was.
        run: what the next run would take at most, if no question is reworded.
    """

    judge: str
    judge_id: str
    settings: Mapping[str, str | int | float | bool | None]
    n_labelled: Mapping[str, int]
    n_pairs: int
    n_questions: int
    trust: Trust | None
    outcome: Mapping[str, int | float | str]
    paid: Mapping[str, float]
    per_verdict: CallCost | None
    run: Foreseen


def calibrate_judge(
    paths: ProjectPaths, *, name: str, n_pairs: int, n_repeated: int, seed: int = 0, only_cost: bool = False
) -> Calibration:
    """Ask a declared judge to grade pairs that people have graded.

    Args:
        paths: the project, with labels of people in its ledger.
        name: of the judge in eval.yaml; no contract needs to name it yet.
        n_pairs: pairs to ask about, at least; whole questions are drawn by hash until there are so many.
        n_repeated: of these, pairs to ask about a second time.
        seed: of both draws.
        only_cost: ask nothing; say what is known of the cost.

    Raises:
        UnknownName: no judge of that name is declared.
        InputError: no pair of pages in force was labelled by a person.
    """
    project = Project(home=str(paths.home))
    if name not in project.declared.judges:
        message = f"no judge {name!r} in eval.yaml; declared: {', '.join(project.declared.judges)}"
        raise UnknownName(message, name=name)
    judge, calls = asked_judge_of(project, name)
    person = _read_labels(project, name)
    pairs = draw_pairs(person, n_pairs=n_pairs, seed=seed)
    outcome: Mapping[str, int | float | str] = {}
    trust, new = None, CALL.empty()
    if not only_cost:
        asked = _ask(project, judge, pairs, calls, now=datetime.now(UTC))
        outcome, new = asked.summary, asked.tables[CALL.name]
        said = _said(project, judge, pairs)
        repeated, again = _repeat(project, judge, said, pl.concat([calls, new]), n=n_repeated, seed=seed)
        new = pl.concat([new, again])
        trust = measure_trust(person=pairs, model=said.select("question_id", "unit_id", "outcome"), repeated=repeated)
    cost = cost_of_calls(pl.concat([calls, new]))
    return Calibration(
        judge=name,
        judge_id=judge.judge_id,
        settings=judge.settings(),
        n_labelled=dict(person.group_by("author_kind").len().sort("author_kind").iter_rows()),
        n_pairs=pairs.height,
        n_questions=pairs["question_id"].n_unique(),
        trust=trust,
        outcome=outcome,
        paid=_sum(new),
        per_verdict=cost,
        run=foresee_calls(cost, n_calls=_count_run(project, paths), concurrency=getattr(judge, "concurrency", 1)),
    )


def draw_pairs(person: pl.DataFrame, *, n_pairs: int, seed: int) -> pl.DataFrame:
    """Pairs of whole questions, drawn by hash of the question until there are enough; sorted by pair.

    Args:
        person: question_id and more; one row a pair.
        n_pairs: at least so many, where there are so many.
        seed: of the draw.
    """
    sizes = person.group_by("question_id").len()
    order = sorted(sizes.iter_rows(), key=lambda row: (hash_unit(seed, row[0]), row[0]))
    drawn: list[str] = []
    n_drawn = 0
    for question_id, size in order:
        if n_drawn >= n_pairs:
            break
        drawn.append(question_id)
        n_drawn += size
    return person.filter(pl.col("question_id").is_in(drawn)).sort("question_id", "unit_id")


def _read_labels(project: Project, name: str) -> pl.DataFrame:
    """Labels of people in force on pages in force, with what a judge is asked by."""
    with project.session() as ledger:
        labels = ledger.table("labels.label").filter(pl.col("author_kind").is_in(list(PERSON_KINDS)))
        questions = ledger.table("questions.question").select("question_id", "text")
        units = ledger.read("corpus/units_in_force").select("unit_id", "picture_hash", "text_hash")
    in_force = labels_in_force(labels=labels, judge_name=name).drop_nulls("grade")
    found = in_force.unique(["question_id", "unit_id"], keep="none").join(questions, on="question_id")
    found = found.join(units, on="unit_id").sort("question_id", "unit_id")
    if found.is_empty():
        message = (
            "no page in force was labelled by a person yet; label some pairs in 'eval-pipeline review' or bring labels "
            "with 'eval-pipeline labels import'"
        )
        raise InputError(message)
    return found


def _recorder(project: Project) -> Recorder:
    def record(output: StageOutput) -> None:
        with project.session() as ledger:
            ledger.record(
                output=output,
                asset=ASSET,
                partition=None,
                code_version=CODE_VERSION,
                dagster_run_id=None,
                made_at=datetime.now(UTC),
            )

    return record


def _ask(project: Project, judge: Judge, pairs: pl.DataFrame, calls: pl.DataFrame, *, now: datetime) -> StageOutput:
    known = project.read("judging/verdicts_of", frames={"wanted": pairs.select("text")}, judge_id=judge.judge_id)
    record = _recorder(project)
    asked = ask(
        judge=judge,
        verb="label",
        pairs=pairs,
        pages=page_reader(project),
        known=known,
        now=now,
        calls=calls,
        record=record,
    )
    record(asked)
    return asked


def _said(project: Project, judge: Judge, pairs: pl.DataFrame) -> pl.DataFrame:
    """The judge's verdicts on the pairs, old and new, beside what they were asked by."""
    known = project.read("judging/verdicts_of", frames={"wanted": pairs.select("text")}, judge_id=judge.judge_id)
    keyed = add_verdict_ids(pairs, verb="label", judge_id=judge.judge_id)
    return keyed.join(known.select("verdict_id", "outcome"), on="verdict_id").sort("question_id", "unit_id")


def _repeat(
    project: Project, judge: Judge, said: pl.DataFrame, calls: pl.DataFrame, *, n: int, seed: int
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Verdicts of pairs that are asked a second time, beside the first; they are compared and never kept as labels."""
    ids = sorted(said["verdict_id"].unique(), key=lambda verdict_id: (hash_unit(seed, verdict_id), verdict_id))[:n]
    drawn = said.filter(pl.col("verdict_id").is_in(ids))
    again = ask(
        judge=judge,
        verb="label",
        pairs=drawn,
        pages=page_reader(project),
        known=VERDICT.empty(),
        now=datetime.now(UTC),
        calls=calls,
    )
    paid = again.tables[CALL.name]
    _recorder(project)(StageOutput(tables={CALL.name: paid}))
    second = again.tables[VERDICT.name].select("verdict_id", second="outcome")
    first = drawn.select("verdict_id", first="outcome").unique()
    return first.join(second, on="verdict_id").sort("verdict_id").select("first", "second"), paid


def _sum(calls: pl.DataFrame) -> dict[str, float]:
    tokens = calls.select((pl.col("n_input_tokens") + pl.col("n_output_tokens")).sum()).item()
    return {"n_tokens": float(tokens or 0), "usd": float(calls.select(pl.col("usd").sum()).item() or 0.0)}


def _count_run(project: Project, paths: ProjectPaths) -> int:
    """At most how many calls this judge takes for all questions there are and those of the next run."""
    plan = plan_next_run(paths)
    members = members_in_force(project)
    n_held = 0 if members.is_empty() else read_roots(project, members)[0].height
    n_units = project.read("corpus/units_in_force").height
    calls = count_calls(
        project.declared,
        n_questions=n_held + sum(plan.questions.values()),
        n_judges=1,
        n_pages=n_units + plan.n_pages,
    )
    return calls["gold"] + calls["negatives"] + calls["labels"]
