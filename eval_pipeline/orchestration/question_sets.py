"""Reading of the question set in force, for the assets that rest on it."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import polars as pl

from eval_pipeline.foundation.ids import bucket_of
from eval_pipeline.foundation.protocols import Judge
from eval_pipeline.judging.building import build_judge
from eval_pipeline.judging.calls import paid_by
from eval_pipeline.judging.vlm import VlmJudge
from eval_pipeline.negatives import pools
from eval_pipeline.orchestration.reading import corpus_snapshot, members_in_force
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.questions import importing, posing, writing
from eval_pipeline.questions.sets import posed_in_force


@dataclass(frozen=True, kw_only=True)
class QuestionSet:
    """Questions in force and what they rest on.

    Attributes:
        questions: rows of questions.question of roots and children, with `template_id` and `template_bucket`
            (bucket of the question's id where its gold unit has no template).
        gold: rows of questions.question_gold.
        unit_pools: columns unit_id, pool_id, of pools in force.
        posed: rows of questions.well_posedness in force.
    """

    questions: pl.DataFrame
    gold: pl.DataFrame
    unit_pools: pl.DataFrame
    posed: pl.DataFrame


Policy: TypeAlias = Literal["drop", "promote"]


def judges_and_policies(project: Project) -> list[tuple[str, Policy]]:
    """Pairs of judge name and policy that some contract asks for, sorted."""
    return sorted({(item.judgment.judge, item.policies.answerable_distractor) for item in project.contracts})


def pool_settings(project: Project) -> str:
    """Id of the pool settings in use."""
    return pools.settings_id_of(project.declared.axes, project.declared.negatives, project.encoder().encoder_id)


def quota(project: Project, members: pl.DataFrame) -> int:
    """Questions per template, as many as the present number of templates leaves."""
    return writing.quota_of(project.declared.questions, members["template_id"].n_unique())


def read_sampled(project: Project, members: pl.DataFrame) -> pl.DataFrame:
    """Template states from which questions were written as they would be now: columns template_id, members_hash."""
    frames = {"sampled_under": writing.interchangeable_settings(project.declared.questions)}
    return project.read("questions/sampled_templates", frames=frames, quota=quota(project, members))


def judge_of(project: Project, name: str) -> Judge:
    """The judge of that name in `eval.yaml`."""
    path = project.paths.config.name
    return build_judge(name=name, declared=project.declared.judges[name], path=path)


def asked_judge_of(project: Project, name: str) -> tuple[Judge, pl.DataFrame]:
    """The judge of that name, ready to be asked, and the rows of judging.call that tell how it was asked before.

    What earlier runs paid for it counts towards its budget.
    """
    judge = judge_of(project, name)
    calls = project.read("judging/calls_of", judge_id=judge.judge_id)
    if isinstance(judge, VlmJudge):
        judge.count_paid(paid_by(calls))
    return judge, calls


def read_roots(project: Project, members: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Written and imported questions in force, with their bucket; and their gold units."""
    state = members.select("template_id", "members_hash").unique()
    batch_id, _ = corpus_snapshot(project)
    declared = project.declared
    params = {"quota": quota(project, members)}
    sampled_under = writing.interchangeable_settings(declared.questions)
    sources = importing.source_ids(home=project.paths.home, config=declared)
    with project.session() as ledger:
        written = ledger.read(
            "questions/candidates_in_force",
            params=params,
            frames={"state": state, "sampled_under": sampled_under},
        ).drop("template_id", "inclusion_probability")
        imported = ledger.read("questions/imported_in_force", params={"batch_id": batch_id, "source_ids": sources})
        roots = pl.concat([written, imported]).unique(subset=["question_id"]).sort("question_id")
        gold = ledger.read("questions/gold_of", frames={"wanted": roots.select("question_id")})
    return with_buckets(roots, gold, members), gold


def with_buckets(questions: pl.DataFrame, gold: pl.DataFrame, members: pl.DataFrame) -> pl.DataFrame:
    """Add `template_id` and `template_bucket` of the first gold unit to questions."""
    first = gold.filter(pl.col("position") == 1).select("question_id", "unit_id")
    homes = first.join(members.select("unit_id", "template_id", "template_bucket"), on="unit_id", how="left")
    own = pl.col("question_id").map_elements(bucket_of, return_dtype=pl.String)
    return (
        questions.join(homes.drop("unit_id"), on="question_id", how="left")
        .with_columns(template_bucket=pl.coalesce("template_bucket", own))
        .sort("question_id")
    )


def read_pools(project: Project, members: pl.DataFrame) -> pl.DataFrame:
    """Pools in force: columns unit_id, pool_id and more."""
    state = members.select("template_id", "members_hash").unique()
    return project.read("negatives/pools_in_force", frames={"state": state}, settings_id=pool_settings(project))


def read_question_set(project: Project, *, judge: Judge, policy: str) -> QuestionSet:
    """The question set in force under one judge and policy."""
    members = members_in_force(project)
    roots, _ = read_roots(project, members)
    unit_pools = read_pools(project, members)
    with project.session() as ledger:
        under = {"judge_id": judge.judge_id, "policy": policy, "posing_version": posing.CODE_VERSION}
        posed = ledger.read("questions/posed", params=under)
        wanted = pl.concat(
            [roots.select("question_id"), posed.select(question_id="child_question_id").drop_nulls()]
        ).unique()
        gold = ledger.read("questions/gold_of", frames={"wanted": wanted})
        in_force = posed_in_force(roots=roots, gold=gold, unit_pools=unit_pools, posed=posed)
        wanted = pl.concat([roots.select("question_id"), in_force.select("question_id")]).unique()
        questions = ledger.read("questions/questions_of", frames={"wanted": wanted})
    gold = gold.join(questions, on="question_id", how="semi").sort("question_id", "position")
    return QuestionSet(
        questions=with_buckets(questions, gold, members), gold=gold, unit_pools=unit_pools, posed=in_force
    )


def read_asked(project: Project) -> QuestionSet:
    """Every question that some contract asks: the union over the contracts' judges and policies, in one session."""
    with project.together():
        return _read_asked(project)


def _read_asked(project: Project) -> QuestionSet:
    sets = [
        read_question_set(project, judge=judge_of(project, name), policy=policy)
        for name, policy in judges_and_policies(project)
    ]
    return QuestionSet(
        questions=pl.concat([item.questions for item in sets]).unique(subset=["question_id"]).sort("question_id"),
        gold=pl.concat([item.gold for item in sets]).unique().sort("question_id", "position"),
        unit_pools=sets[0].unit_pools,
        posed=pl.concat([item.posed for item in sets]).sort("question_id", "judge_id", "policy"),
    )


def read_page_verdicts(project: Project, units: pl.DataFrame, judge: Judge) -> pl.DataFrame:
    """Verdicts of a judge on the contents of pages: no pair is paid for twice.

    A verdict rests on wording and content. A page that came in for another has questions of new ids, whose wording may
    have been asked of its look-alikes before.

    Args:
        project: the project.
        units: picture_hash, text_hash of the pages.
        judge: the judge.
    """
    wanted = units.select("picture_hash", "text_hash").unique()
    return project.read("judging/verdicts_on", frames={"wanted": wanted}, judge_id=judge.judge_id)
