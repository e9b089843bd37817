"""The connection: what tells retrievers apart among siblings is invisible among random pages.

A made-up corpus of look-alikes, and a family of retrievers that all know the template. They differ in one skill, from 0
to 1: the chance to tell a sibling apart from the page that answers. Negatives are drawn by `negatives`, arenas are read
and measures scored by `metrics`, as for a real run.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from eval_pipeline.foundation.config import NegativesConfig
from eval_pipeline.foundation.ids import bucket_of, canonical_json, hash_text
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.foundation.tables.views import MEMBER
from eval_pipeline.metrics.aggregate import SliceFigure, aggregate
from eval_pipeline.metrics.arenas import ARENA_STAGE, collect_candidates, name_arenas, rank_within
from eval_pipeline.metrics.names import parse_measure
from eval_pipeline.metrics.scoring import score_questions
from eval_pipeline.metrics.validation.lines import Line, Proof
from eval_pipeline.negatives.pools import draw_hard_negatives
from eval_pipeline.negatives.random_draws import draw_random_negatives
from eval_pipeline.tasks.contracts import Policies, Resampling
from eval_pipeline.templates.members import hash_members

N_TEMPLATES, N_NEGATIVES, PAGES_EACH, ASKED_EACH = 200, 10, 12, 2
SKILLS = tuple(number / 10 for number in range(11))
NAIVE, SIBLINGS = ("random", "top@1"), ("siblings", "sufficient@1")

POLICIES = Policies(
    unjudged="irrelevant",
    no_relevant="error",
    missing_question="error",
    unretrieved="error",
    answerable_distractor="drop",
)
RESAMPLING = Resampling(unit="question", level=0.95, resamples=1_000, seed=0)


@dataclass(frozen=True, kw_only=True)
class SkillPoint:
    """Both figures of one retriever.

    Attributes:
        skill: chance to tell a sibling apart from the answer.
        naive: top@1 among random pages.
        siblings: sufficient@1 among siblings.
    """

    skill: float
    naive: SliceFigure
    siblings: SliceFigure


@dataclass(frozen=True, kw_only=True)
class _World:
    """Candidates of every question, and what chance decides.

    Attributes:
        rows: question_id, arena, unit_id, axis, rank, template_id, gold_template_id, is_gold of candidates and gold.
        gold: question_id, position, unit_id.
        luck: (n,) place of each row among equals.
        ease: (n,) skill above which the sibling of the row is told apart.
        n_short: gold units with fewer than the wanted negatives.
    """

    rows: pl.DataFrame
    gold: pl.DataFrame
    luck: npt.NDArray[np.float64]
    ease: npt.NDArray[np.float64]
    n_short: int


def trace_family(*, seed: int = 0, n_templates: int = N_TEMPLATES) -> tuple[list[SkillPoint], int]:
    """Score the family of retrievers.

    Args:
        seed: of the corpus, the draws and the retrievers' luck.
        n_templates: templates of the corpus; 12 pages each, of which 2 are asked for.

    Returns:
        One point per skill, rising, and how many questions lack a negative in either arena. The same luck for every
        skill: a more skilled retriever differs only in the siblings that it tells apart.
    """
    world = _make_world(seed, n_templates)
    return [_score(world, skill) for skill in SKILLS], world.n_short


def prove_connection(points: list[SkillPoint], n_short: int) -> Proof:
    """Naive top@1 hardly moves, sufficient@1 among siblings does, and never falls."""
    naive = [float(point.naive.estimate or 0.0) for point in points]
    ours = [float(point.siblings.estimate or 0.0) for point in points]
    steps = np.diff(ours)
    sizes = [set(point.naive.rows["n_candidates"]) | set(point.siblings.rows["n_candidates"]) for point in points]
    size = {number for found in sizes for number in found}
    return Proof(
        name="connection",
        claim="a skill from 0 to 1 at telling siblings apart moves only the figure among siblings",
        lines=(
            Line(what="naive top@1 among random pages: moves by", value=max(naive) - min(naive), low=0.0, high=0.05),
            Line(what="sufficient@1 among siblings: moves by", value=max(ours) - min(ours), low=0.85, high=1.0),
            Line(what="sufficient@1 among siblings: smallest step", value=float(steps.min()), low=0.0, high=1.0),
            Line(what="smallest arena, in candidates", value=float(min(size)), low=11, high=11),
            Line(what="largest arena, in candidates", value=float(max(size)), low=11, high=11),
            Line(what="questions that lack a negative", value=float(n_short), low=0, high=0),
        ),
    )


def _make_world(seed: int, n_templates: int) -> _World:
    members = _draw_pages(n_templates)
    gold = members.filter(pl.col("page_number") <= ASKED_EACH).select(
        question_id=pl.lit("question of ") + pl.col("unit_id"), position=pl.lit(1, dtype=pl.Int64), unit_id="unit_id"
    )
    negatives = pl.concat([_hard(members, gold, seed), _random(members, gold, seed)])
    n_drawn = negatives.group_by("question_id", "arena").len()
    n_short = 2 * gold.height - n_drawn.filter(pl.col("len") == N_NEGATIVES).height
    own = pl.concat(
        [
            gold.select("question_id", pl.lit(arena).alias("arena"), "unit_id").with_columns(
                axis=pl.lit(None, dtype=pl.String), rank=pl.lit(None, dtype=pl.Int64)
            )
            for arena in ("random", "siblings")
        ]
    )
    templates = members.select("unit_id", "template_id")
    asked = gold.join(templates, on="unit_id").select(
        "question_id", gold_unit_id="unit_id", gold_template_id="template_id"
    )
    rows = (
        pl.concat([negatives, own.select(negatives.columns)])
        .join(templates, on="unit_id")
        .join(asked, on="question_id")
        .with_columns(is_gold=pl.col("unit_id") == pl.col("gold_unit_id"))
        .sort("question_id", "arena", "unit_id")
    )
    rng = np.random.default_rng(seed)
    return _World(rows=rows, gold=gold, luck=rng.random(rows.height), ease=1 - rng.random(rows.height), n_short=n_short)


def _draw_pages(n_templates: int) -> pl.DataFrame:
    """Pages of one document per template; the pages of a template differ in their period alone."""
    rows = []
    for template in range(n_templates):
        template_id = f"tpl_{template:04d}"
        for page in range(1, PAGES_EACH + 1):
            name = f"{template_id} page {page:02d}"
            rows.append(
                {
                    "unit_id": name,
                    "document_id": template_id,
                    "document_version_id": template_id,
                    "source_path": f"{template_id}.pdf",
                    "media_type": "pdf",
                    "bucket": bucket_of(template_id),
                    "locator": f"page={page}",
                    "page_number": page,
                    "picture_hash": hash_text(name),
                    "picture_path": f"{name}.webp",
                    "text_hash": hash_text(f"text of {name}"),
                    "text_quality": "good",
                    "facets": canonical_json({"entity": template_id, "period": f"2025-{page:02d}"}),
                    "access": "public",
                    "access_groups": "[]",
                    "template_id": template_id,
                    "template_version_id": "made up",
                    "template_bucket": bucket_of(template_id),
                }
            )
    members = MEMBER.frame(rows)
    return members.join(hash_members(members).select("template_id", "members_hash"), on="template_id").sort("unit_id")


def _hard(members: pl.DataFrame, gold: pl.DataFrame, seed: int) -> pl.DataFrame:
    matrix = np.random.default_rng(seed).normal(size=(members.height, 8)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    vectors = UnitVectors(unit_ids=members["unit_id"].to_numpy().astype(np.str_), matrix=matrix, encoder_id="made up")
    drawn = draw_hard_negatives(
        members=members, vectors=vectors, refused=(), axes=("period",), config=NegativesConfig(k=N_NEGATIVES)
    )
    pools = drawn.tables["negatives.unit_pool"].select("unit_id", "pool_id")
    negatives = pools.join(drawn.tables["negatives.negative"], on="pool_id")
    return gold.join(negatives, on="unit_id").select(
        "question_id", pl.lit("siblings").alias("arena"), "axis", "rank", unit_id="negative_unit_id"
    )


def _random(members: pl.DataFrame, gold: pl.DataFrame, seed: int) -> pl.DataFrame:
    drawn = draw_random_negatives(
        gold_unit_ids=gold["unit_id"].to_list(),
        units=members,
        arena="random",
        n=N_NEGATIVES,
        seed=seed,
        batch_id="made up",
    )
    negatives = drawn.tables["negatives.random_negative"]
    return gold.join(negatives, on="unit_id").select(
        "question_id", "arena", pl.lit("random").alias("axis"), "rank", unit_id="negative_unit_id"
    )


def _score(world: _World, skill: float) -> SkillPoint:
    """A page of the right template scores 10; one it cannot tell from the answer up to 1 more."""
    rows = world.rows
    knows_template = (rows["template_id"] == rows["gold_template_id"]).to_numpy()
    is_confused = rows["is_gold"].to_numpy() | (world.ease > skill)
    scores = 10.0 * knows_template + np.where(is_confused, world.luck, -1 + world.luck / 2)
    ranked = rows.select(
        "question_id",
        "unit_id",
        stage=pl.lit(ARENA_STAGE) + pl.col("arena"),
        rank=pl.lit(1, dtype=pl.Int64),
        score=pl.Series(scores, dtype=pl.Float64),
    )
    return SkillPoint(skill=skill, naive=_figure(world, ranked, *NAIVE), siblings=_figure(world, ranked, *SIBLINGS))


def _figure(world: _World, rankings: pl.DataFrame, arena: str, measure: str) -> SliceFigure:
    candidates = collect_candidates(world.rows.drop("is_gold"), world.gold, arena=arena)
    named = name_arenas(candidates)
    labels = world.gold.select("question_id", "unit_id", grade=pl.lit("sufficient"), is_gold=pl.lit(value=True))
    ranked = rank_within(rankings, arena=arena, candidates=candidates).join(
        labels, on=["question_id", "unit_id"], how="left", maintain_order="left"
    )
    questions = named.select(
        "question_id",
        "arena_id",
        "n_candidates",
        n_relevant=pl.lit(1),
        n_gold=pl.lit(1),
        chance=1 / pl.col("n_candidates"),
    )
    scored = score_questions(
        measures=[parse_measure(measure)],
        ranked=ranked.with_columns(pl.col("is_gold").fill_null(value=False)),
        questions=questions,
        policies=POLICIES,
        limit=N_NEGATIVES + 1,
    )
    told = scored.join(questions.select("question_id", "n_candidates", "arena_id", "chance"), on="question_id")
    (figure,) = aggregate(scored=told, questions=named.select("question_id"), slices=(), resampling=RESAMPLING)
    return figure
