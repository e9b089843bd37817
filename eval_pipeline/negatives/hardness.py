"""Hardness of negatives: where each stands among all pages by similarity to gold (MEASURES 5)."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from eval_pipeline.embeddings.index import SLACK, score_pairs
from eval_pipeline.foundation.frames import Table, integer, real, text
from eval_pipeline.foundation.protocols import UnitVectors, Vectors

CODE_VERSION = "2"
TOP_SHARE = 0.01
"""The top of the corpus: of random pages, this share stands there."""
GOLD_BLOCK = 512
PAGE_BLOCK = 16_384
"""Gold pages and corpus pages of one matrix product: 32 MB of float32."""

RANKED = Table(
    name="negatives.ranked_pair",
    grain="one row per gold unit x other unit",
    key=("unit_id", "negative_unit_id"),
    columns=(
        text("unit_id", "Gold unit."),
        text("negative_unit_id", "The other one."),
        real("similarity", "Cosine similarity of the two pictures."),
        integer("corpus_rank", "Place of the other among all pages but gold by similarity to it; 1 is most like it."),
        integer("n_corpus", "Pages ranked: all but gold."),
    ),
)

HARDNESS = Table(
    name="negatives.hardness",
    grain="one row per axis",
    key=("axis",),
    columns=(
        text("axis", "Axis on which the negatives differ, `appearance`, or `random` for random pages beside them."),
        integer("n_questions", "Questions that have such negatives."),
        integer("n_negatives", "Negatives, counted once per question."),
        integer("n_corpus", "Pages ranked: all but gold."),
        real("median_rank", "Median corpus rank."),
        integer("rank_p10", "A tenth of the negatives stands at this corpus rank or before it."),
        integer("rank_p90", "Nine tenths stand at this corpus rank or before it."),
        real("top_share", "Share among the first 1 % of all pages; random pages have about 0.01."),
    ),
)

Rows = npt.NDArray[np.int64]


def measure_hardness(*, negatives: pl.DataFrame, vectors: UnitVectors) -> pl.DataFrame:
    """Rank every negative among all other pages by similarity to its gold page.

    Costs one matrix product of the distinct gold pages with the corpus, in blocks, whatever the number of negatives.

    Args:
        negatives: `unit_id` (gold) and `negative_unit_id`; further columns stay, a `similarity` is replaced.
        vectors: the whole corpus, by the encoder of the pools.

    Returns:
        The rows, in their order, with `similarity`, `corpus_rank` and `n_corpus` of RANKED: ties go to the smaller unit
        id. A corpus rank of 1 is as hard as it gets; one near `n_corpus` / 2 is no harder than a random page. Rows
        whose gold or negative has no vector here are left out.
    """
    pairs = negatives.select("unit_id", "negative_unit_id").unique()
    return negatives.drop("similarity", strict=False).join(
        rank_pairs(pairs=pairs, vectors=vectors), on=["unit_id", "negative_unit_id"], maintain_order="left"
    )


def rank_pairs(*, pairs: pl.DataFrame, vectors: UnitVectors) -> pl.DataFrame:
    """Where one page stands among all pages by similarity to another.

    Args:
        pairs: unique `unit_id`, `negative_unit_id`.
        vectors: the whole corpus.

    Returns:
        RANKED, sorted by key; pairs of a page with itself or without a vector are left out.
    """
    rows = pl.DataFrame({"name": vectors.unit_ids.tolist()}, schema={"name": pl.String}).with_row_index("row")
    rows = rows.with_columns(pl.col("row").cast(pl.Int64))
    known = (
        pairs.filter(pl.col("unit_id") != pl.col("negative_unit_id"))
        .join(rows.rename({"name": "unit_id", "row": "gold"}), on="unit_id")
        .join(rows.rename({"name": "negative_unit_id", "row": "other"}), on="negative_unit_id")
        .sort("unit_id", "negative_unit_id")
    )
    if known.is_empty():
        return RANKED.empty()
    gold, other = known["gold"].to_numpy(), known["other"].to_numpy()
    own = score_pairs(vectors.matrix[other], vectors.matrix[gold])
    ranks = np.ones(known.height, dtype=np.int64)
    for block in _cut(gold, other, own):
        ranks[block.pairs] += _count_ahead(block, vectors)
    ranked = known.select("unit_id", "negative_unit_id").with_columns(
        similarity=pl.Series(own.astype(np.float64)),
        corpus_rank=pl.Series(ranks),
        n_corpus=pl.lit(len(vectors.unit_ids) - 1, dtype=pl.Int64),
    )
    return RANKED.validate(ranked)


def summarise_hardness(ranked: pl.DataFrame) -> pl.DataFrame:
    """How hard the negatives of each axis are.

    Args:
        ranked: question_id, axis, corpus_rank, n_corpus: one row per question and negative.

    Returns:
        HARDNESS, sorted by axis, `random` last.
    """
    top = (pl.col("n_corpus") * TOP_SHARE).ceil().cast(pl.Int64)
    found = ranked.group_by("axis").agg(
        n_questions=pl.col("question_id").n_unique().cast(pl.Int64),
        n_negatives=pl.len().cast(pl.Int64),
        n_corpus=pl.col("n_corpus").first(),
        median_rank=pl.col("corpus_rank").median(),
        rank_p10=_reached(0.1),
        rank_p90=_reached(0.9),
        top_share=(pl.col("corpus_rank") <= top).mean(),
    )
    return HARDNESS.validate(found).sort(pl.col("axis") == "random", "axis")


def _reached(share: float) -> pl.Expr:
    """The rank at which a share of the negatives stands or before: the smallest that holds, so it is one of theirs."""
    ranks = pl.col("corpus_rank").sort()
    return ranks.get((pl.len() * share).ceil().cast(pl.Int64) - 1)


@dataclass(frozen=True, kw_only=True)
class _Block:
    """Pairs of up to GOLD_BLOCK gold pages.

    Attributes:
        pairs: (n,) places of its pairs; those of one gold page stand together.
        golds: (g,) rows of the gold pages.
        bounds: (g + 1,) where the pairs of each gold page begin, counted within the block.
        others: (n,) rows of the other pages.
        own: (n,) canonical similarity of each pair.
    """

    pairs: Rows
    golds: Rows
    bounds: Rows
    others: Rows
    own: npt.NDArray[np.float32]


def _cut(gold: Rows, other: Rows, own: npt.NDArray[np.float32]) -> Iterator[_Block]:
    """Blocks of gold pages; pairs of one gold page must stand together."""
    starts = np.flatnonzero(np.concatenate([[True], gold[1:] != gold[:-1]]))
    for part in np.array_split(starts, math.ceil(len(starts) / GOLD_BLOCK)):
        after = int(np.searchsorted(starts, part[-1], side="right"))
        end = int(starts[after]) if after < len(starts) else len(gold)
        yield _Block(
            pairs=np.arange(part[0], end),
            golds=gold[part],
            bounds=np.append(part, end) - part[0],
            others=other[part[0] : end],
            own=own[part[0] : end],
        )


def _count_ahead(block: _Block, vectors: UnitVectors) -> Rows:
    """Pages that are more like gold than each pair's other page."""
    ahead = np.zeros(len(block.pairs), dtype=np.int64)
    golds = vectors.matrix[block.golds]
    for start in range(0, len(vectors.matrix), PAGE_BLOCK):
        rough = golds @ vectors.matrix[start : start + PAGE_BLOCK].T
        for place, row in enumerate(block.golds.tolist()):
            if start <= row < start + rough.shape[1]:
                rough[place, row - start] = -np.inf
            inside = slice(int(block.bounds[place]), int(block.bounds[place + 1]))
            ahead[inside] += _count_line(
                rough[place], start, golds[place], vectors, own=block.own[inside], others=block.others[inside]
            )
    return ahead


def _count_line(
    rough: npt.NDArray[np.float32],
    start: int,
    gold: Vectors,
    vectors: UnitVectors,
    *,
    own: npt.NDArray[np.float32],
    others: Rows,
) -> Rows:
    """Clear winners go by the product; pages within its error are compared by canonical scores and unit ids."""
    within = np.flatnonzero(rough >= own.min() - SLACK)
    if not len(within):
        return np.zeros(len(own), dtype=np.int64)
    told = rough[within]
    clear, lost = told > own[:, None] + SLACK, told < own[:, None] - SLACK
    is_near = ~(clear | lost)
    close = np.flatnonzero(is_near.any(axis=0))
    rows = start + within[close]
    matrix = vectors.matrix[rows]
    scores = score_pairs(matrix, np.broadcast_to(gold, matrix.shape))
    is_first = vectors.unit_ids[rows] < vectors.unit_ids[others][:, None]
    wins = (scores > own[:, None]) | ((scores == own[:, None]) & is_first)
    return np.asarray(clear.sum(axis=1) + (wins & is_near[:, close]).sum(axis=1), dtype=np.int64)
