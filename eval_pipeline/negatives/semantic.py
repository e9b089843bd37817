"""Negatives for the relation `semantic`: topically near, not answering.

Near is what vectors of the texts say, within one topic where topics are declared. That a passage does not answer can
be known in part only: by its words, its facts and the answers known so far. Whoever poses the question asks a judge
about every negative; a passage that is found to answer leaves the effective pool.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from eval_pipeline.foundation.config import NegativesConfig
from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.foundation.ids import content_id
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import UnitVectors, Vectors
from eval_pipeline.negatives import passages
from eval_pipeline.negatives.drawing import draw_by_group
from eval_pipeline.negatives.facts import read_facts
from eval_pipeline.negatives.grouping import facet_of, group_units
from eval_pipeline.negatives.one_axis import Reasons, fill_pools, rank_allowed, without_vector
from eval_pipeline.negatives.places import Pools

CODE_VERSION = "2"
AXIS = "answer"
NO_TEXT = "no text"
REASONS = Reasons(
    alone="no other passage on this topic",
    none="all others on this topic are copies or answer as well",
    no_further="no further passage on this topic that neither is a copy nor answers",
)


def settings_id_of(axes: tuple[str, ...], topic_facet: str | None, config: NegativesConfig, encoder_id: str) -> str:
    """Id of everything but the group's members and known answers that a pool depends on."""
    return content_id(
        "pset",
        {
            "relation": "semantic",
            "axes": list(axes),
            "topic": topic_facet,
            "k": config.k,
            "encoder_id": encoder_id,
            "code_version": [CODE_VERSION, passages.CODE_VERSION],
        },
    )


def draw_hard_negatives(
    *,
    units: pl.DataFrame,
    texts: pl.DataFrame,
    answering: pl.DataFrame,
    vectors: UnitVectors,
    refused: Collection[str],
    axes: tuple[str, ...],
    config: NegativesConfig,
    topic_facet: str | None = None,
) -> StageOutput:
    """Draw the k passages nearest in topic that are not known to answer.

    Never a negative: the passage itself; an equal text or picture; a reprint, an extract or a longer version of it
    (`passages.SharedText`); a passage with the same facts (every declared axis stated and equal); a passage in
    `answering`; a unit without text, of which none of this is known.

    Args:
        units: corpus.unit_in_force rows; all units of each topic that is to be pooled.
        texts: text_hash, text of these units.
        answering: unit_id (gold), answering_unit_id: what is known to answer a question written from gold, by labels,
            verdicts or declaration. The more is known, the fewer negatives have to be taken out later.
        vectors: of the texts, by any encoder.
        refused: units whose text the encoder refused.
        axes: facets that make up the facts of a passage; empty where none are declared.
        config: k. Places are not filled from elsewhere (`backfill` has no meaning here).
        topic_facet: facet that names the topic; without it all passages are one group and nearness alone is the topic.

    Returns:
        As `drawing.draw_by_group`: axis `answer`; the group in `template_id` is the topic. Same units, answers and
        settings give the same rows, whatever the input order.

    Raises:
        UnknownName: a unit's text is not in `texts`.
    """
    read = _add_texts(units, texts)
    topics = facet_of(units["facets"].to_list(), topic_facet) if topic_facet else pl.Series(["all"] * units.height)
    answers = _answers_of(answering)
    members = group_units(
        units=read.with_columns(topics.alias("topic_value")),
        keys=topics,
        relation="semantic",
        state=("facets", "picture_hash", "text_hash"),
        knowledge={unit_id: sorted(found) for unit_id, found in answers.items()},
    )
    return draw_by_group(
        members=members,
        vectors=vectors,
        refused=frozenset(refused),
        settings_id=settings_id_of(axes, topic_facet, config, vectors.encoder_id),
        rule=_TopicRule(answers=answers, axes=axes, k=config.k, topic_facet=topic_facet),
        without_vector=without_vector(AXIS, config.k),
    )


def _add_texts(units: pl.DataFrame, texts: pl.DataFrame) -> pl.DataFrame:
    read = units.join(texts.select("text_hash", "text").unique("text_hash"), on="text_hash", how="left")
    lost = read.filter(pl.col("text").is_null()).sort("unit_id")
    if lost.height:
        name = lost["unit_id"][0]
        raise UnknownName(f"{lost.height} units have no text in the given texts, first {name}", name=name)
    return read


def _answers_of(answering: pl.DataFrame) -> dict[str, set[str]]:
    answers: dict[str, set[str]] = {}
    for unit_id, other in answering.select("unit_id", "answering_unit_id").iter_rows():
        answers.setdefault(unit_id, set()).add(other)
    return answers


@dataclass(frozen=True, kw_only=True)
class _TopicRule:
    answers: Mapping[str, Collection[str]]
    axes: tuple[str, ...]
    k: int
    topic_facet: str | None

    def __call__(self, part: pl.DataFrame, matrix: Vectors) -> Pools:
        shared = passages.SharedText(part["text"].to_list())
        usable = (shared.n_shingles > 0) & part["topic_value"].is_not_null().to_numpy()
        pictures = part["picture_hash"].rank("dense").to_numpy()
        unit_ids = part["unit_id"].to_numpy()
        facts = read_facts(part["facets"].to_list(), self.axes)
        all_facts, stated = facts.all_of(), facts.is_described & bool(self.axes)

        def allow(block: slice) -> npt.NDArray[np.bool_]:
            same_facts = (all_facts[block, None] == all_facts[None, :]) & stated[block, None] & stated[None, :]
            allowed: npt.NDArray[np.bool_] = (
                ~shared.says_same(block) & (pictures[block, None] != pictures[None, :]) & ~same_facts
            )
            for row, unit_id in enumerate(unit_ids[block].tolist()):
                allowed[row] &= ~np.isin(unit_ids, list(self.answers.get(unit_id, ())))
            allowed &= usable[block, None] & usable[None, :]
            return allowed

        lacking = f"missing facet {self.topic_facet}"
        reasons: list[Reasons | str] = [
            REASONS if is_usable else (lacking if n_shingles else NO_TEXT)
            for is_usable, n_shingles in zip(usable.tolist(), shared.n_shingles.tolist(), strict=True)
        ]
        nearest = rank_allowed(matrix=matrix, allow=allow, places=self.k)
        return fill_pools(nearest, axis=AXIS, k=self.k, reasons=reasons)
