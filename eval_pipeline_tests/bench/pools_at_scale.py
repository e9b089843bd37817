"""Pools of all units of a large corpus, beside the bare matrix products, in one run. Run by hand, never a test.

    python -m eval_pipeline_tests.bench.pools_at_scale [--units N] [--templates N]

Figures are CPU seconds of this process, threads bounded to one where not told otherwise; ratios are what counts.
"""

import argparse
import os

os.environ.setdefault("EVAL_PIPELINE_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from eval_pipeline.foundation.config import NegativesConfig
from eval_pipeline.foundation.protocols import UnitVectors, Vectors
from eval_pipeline.foundation.tables.views import MEMBER
from eval_pipeline.negatives.facts import read_facts
from eval_pipeline.negatives.pools import draw_hard_negatives
from eval_pipeline.negatives.siblings import TemplateMembers, list_negatives, places_of
from eval_pipeline.negatives.updating import PooledBefore, find_earlier, read_before, update_negatives

K = 10
DIM = 512
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line of the table.

    Attributes:
        what: what was done.
        cpu_s: CPU seconds.
        peer: of what the ratio is.
        ratio: to that peer.
    """

    what: str
    cpu_s: float
    peer: str
    ratio: float


def make_corpus(sizes: Sequence[int], seed: int = 0) -> Vectors:
    """(sum of sizes, 512) unit vectors, each near the centre of its template."""
    rng = np.random.default_rng(seed)
    matrix = np.empty((sum(sizes), DIM), dtype=np.float32)
    for rows in slices_of(sizes):
        part = matrix[rows]
        rng.standard_normal(out=part, dtype=np.float32)
        part += 1.5 * rng.standard_normal(DIM, dtype=np.float32)
        part /= np.linalg.norm(part, axis=1, keepdims=True)
    return matrix


def slices_of(sizes: Sequence[int]) -> Iterator[slice]:
    """Rows of each template."""
    start = 0
    for size in sizes:
        yield slice(start, start + size)
        start += size


def skewed(n_units: int, n_templates: int) -> list[int]:
    """Template sizes that fall as one over the rank, at least 2."""
    shares = 1 / np.arange(1, n_templates + 1)
    return [max(2, int(size)) for size in n_units * shares / shares.sum()]


def members_of(matrix: Vectors, facets: Sequence[str] | None = None, axes: tuple[str, ...] = ()) -> TemplateMembers:
    """A template of different pages."""
    n_members = len(matrix)
    return TemplateMembers(
        unit_ids=tuple(f"u{row:07d}" for row in range(n_members)),
        pictures=np.arange(n_members),
        facts=read_facts(facets or ["{}"] * n_members, axes),
        matrix=matrix,
    )


def cpu_of(work: Callable[[], object]) -> float:
    """CPU seconds of a call."""
    started = time.process_time()
    work()
    return time.process_time() - started


def multiply(matrix: Vectors, sizes: Sequence[int]) -> None:
    """The bare products, in the blocks that pools use."""
    for rows in slices_of(sizes):
        part = matrix[rows]
        for start in range(0, len(part), 1024):
            part[start : start + 1024] @ part.T


def multiply_and_partition(matrix: Vectors, sizes: Sequence[int]) -> None:
    """Products and numpy's argpartition: the least that finds ten neighbours."""
    for rows in slices_of(sizes):
        part = matrix[rows]
        for start in range(0, len(part), 1024):
            product = part[start : start + 1024] @ part.T
            np.argpartition(product, -min(K + 1, len(part)), axis=1)


def pool_all(matrix: Vectors, sizes: Sequence[int]) -> None:
    """Lists of all units, ten nearest each."""
    for rows in slices_of(sizes):
        list_negatives(members_of(matrix[rows]), k=K, backfill=False)


def pool_some(matrix: Vectors, sizes: Sequence[int], asked: Rows) -> None:
    """Lists of some units."""
    for rows in slices_of(sizes):
        mine = asked[(asked >= rows.start) & (asked < rows.stop)] - rows.start
        if len(mine):
            list_negatives(members_of(matrix[rows]), k=K, backfill=False, rows=mine)


def grow(matrix: Vectors, sizes: Sequence[int], n_new: int) -> float:
    """CPU seconds to bring pools up to date after the last n_new pages of each of the given templates came."""
    parts = [np.ascontiguousarray(matrix[rows]) for rows in slices_of(sizes)]
    named = [f"t{number:05d}" for number in range(len(parts))]
    pooled = [_pools_before(name, part[: len(part) - n_new]) for name, part in zip(named, parts, strict=True)]
    before = PooledBefore(units=pl.concat(unit for unit, _ in pooled), negatives=pl.concat(had for _, had in pooled))
    members = pl.concat(_units_of(name, len(part)) for name, part in zip(named, parts, strict=True))
    templates = [members_of(part) for part in parts]

    def update() -> None:
        earlier = find_earlier(members, before)
        for name, template in zip(named, templates, strict=True):
            was = read_before(earlier[name], places=places_of(K, ()), is_lacking=template.is_lacking, k=K)
            update_negatives(template, was, k=K, backfill=False)

    return cpu_of(update)


def _units_of(template: str, n_members: int) -> pl.DataFrame:
    ids = [f"{template}u{row:06d}" for row in range(n_members)]
    return pl.DataFrame({"template_id": [template] * n_members, "unit_id": ids, "state_hash": ids})


def _pools_before(template: str, part: Vectors) -> tuple[pl.DataFrame, pl.DataFrame]:
    lists = list_negatives(members_of(part), k=K, backfill=False).by_axis["appearance"]
    rows, spots = np.nonzero(lists.columns >= 0)
    units = _units_of(template, len(part)).with_columns(pool_id=pl.lit("pool of ") + pl.col("unit_id"))
    negatives = {
        "pool_id": units["pool_id"].gather(rows),
        "axis": ["appearance"] * len(rows),
        "rank": spots + 1,
        "negative_unit_id": units["unit_id"].gather(lists.columns[rows, spots]),
        "similarity": lists.similarities[rows, spots].astype(np.float64),
    }
    return units, pl.DataFrame(negatives)


def draw_rows(matrix: Vectors, sizes: Sequence[int], axes: tuple[str, ...], n_new: int) -> tuple[float, float]:
    """CPU seconds of the whole stage (facets, lists, reasons, ids, rows), and after n_new pages more a template."""
    rng = np.random.default_rng(1)
    parts = []
    for number, size in enumerate(sizes):
        ids = [f"t{number:05d}u{row:06d}" for row in range(size)]
        facets = [f'{{"entity":"e{row % 20}","period":"q{row // 20}"}}' for row in rng.permutation(size)]
        text = {name: ["x"] * size for name in MEMBER.schema if MEMBER.schema[name] == pl.String}
        named = {**text, "unit_id": ids, "picture_hash": ids, "facets": facets, "template_id": [f"t{number}"] * size}
        parts.append(pl.DataFrame(named).with_columns(members_hash=pl.lit("m")))
    members = pl.concat(parts)
    vectors = UnitVectors(unit_ids=np.array(members["unit_id"].to_list()), matrix=matrix, encoder_id="enc_bench")
    given = {"vectors": vectors, "refused": (), "axes": axes, "config": NegativesConfig(k=K)}
    earlier = pl.concat(part.head(part.height - n_new) for part in parts)
    drawn = draw_hard_negatives(members=earlier, **given)
    before = PooledBefore(
        units=drawn.tables["negatives.unit_pool"].select("template_id", "unit_id", "state_hash", "pool_id"),
        negatives=drawn.tables["negatives.negative"].drop("unit_id"),
    )
    full = cpu_of(lambda: draw_hard_negatives(members=members, **given))
    return full, cpu_of(lambda: draw_hard_negatives(members=members, before=before, **given))


def run(n_units: int, n_templates: int) -> Iterator[Line]:
    """All lines for one size of corpus."""
    sizes = [n_units // n_templates] * n_templates
    matrix = make_corpus(sizes)
    multiply(matrix, sizes[:20])
    pool_all(matrix, sizes[:20])
    bare = cpu_of(lambda: multiply(matrix, sizes))
    yield Line(
        what=f"bare products, {n_units:,} units in {n_templates:,} templates", cpu_s=bare, peer="itself", ratio=1.0
    )
    peer = cpu_of(lambda: multiply_and_partition(matrix, sizes))
    yield Line(what="products and argpartition (numpy)", cpu_s=peer, peer="bare products", ratio=peer / bare)
    full = cpu_of(lambda: pool_all(matrix, sizes))
    yield Line(what="pools of all units", cpu_s=full, peer="bare products", ratio=full / bare)
    asked = np.sort(np.random.default_rng(2).choice(n_units, size=500, replace=False))
    some = cpu_of(lambda: pool_some(matrix, sizes, asked))
    yield Line(what="pools of 500 units", cpu_s=some, peer="pools of all units", ratio=some / full)
    n_new = max(1, n_units // 100 // n_templates)
    spread = grow(matrix, sizes, n_new)
    yield Line(what=f"{n_new * n_templates:,} new pages in all templates", cpu_s=spread, peer="pools of all units",
               ratio=spread / full)  # fmt: skip
    in_ten = [size + (n_units // 1000 if number < 10 else 0) for number, size in enumerate(sizes[:10])]
    ten = grow(make_corpus(in_ten, seed=3), in_ten, n_units // 1000)
    yield Line(
        what=f"{n_units // 100:,} new pages in ten templates", cpu_s=ten, peer="pools of all units", ratio=ten / full
    )
    uneven = skewed(n_units, n_templates)
    matrix = make_corpus(uneven, seed=4)
    bare = cpu_of(lambda: multiply(matrix, uneven))
    full = cpu_of(lambda: pool_all(matrix, uneven))
    yield Line(
        what=f"pools of all units, sizes 2 to {max(uneven):,}", cpu_s=full, peer="bare products", ratio=full / bare
    )
    few = sizes[: max(1, 20_000 // sizes[0])]
    matrix = make_corpus(few)
    bare = cpu_of(lambda: multiply(matrix, few))
    for axes in ((), ("period", "entity")):
        full, grown = draw_rows(matrix, few, axes, n_new)
        what = f"whole stage with ids and rows, {sum(few):,} units, {len(axes)} axes"
        yield Line(what=what, cpu_s=full, peer="bare products", ratio=full / bare)
        what = f"the same, {n_new} new in each template"
        yield Line(what=what, cpu_s=grown, peer="the whole stage", ratio=grown / full)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=int, default=400_000)
    parser.add_argument("--templates", type=int, default=1_000)
    asked = parser.parse_args()
    print("| what | CPU s | ratio | of |\n| --- | --- | --- | --- |")  # noqa: T201
    for line in run(asked.units, asked.templates):
        print(f"| {line.what} | {line.cpu_s:.2f} | {line.ratio:.2f} | {line.peer} |", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
