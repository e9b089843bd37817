"""Pools of all units of a large corpus, beside the bare matrix products, in one run. Run by hand, never a test.

    python -m eval_pipeline_tests.bench.pools_at_scale [--units N] [--templates N]

Figures are CPU seconds of this process, threads bounded to one where not told otherwise; ratios are what counts. The
peer, `mine_hard_negatives` of sentence-transformers, is measured where it is installed (with `datasets`), on vectors
of fewer templates. `--plot FILE.svg` draws how the cost grows with the corpus.
"""

import argparse
import os

os.environ.setdefault("EVAL_PIPELINE_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("POLARS_MAX_THREADS", "1")

import importlib
import importlib.util
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
GROWTH = (10_000, 50_000, 100_000, 200_000, 400_000)
PER_TEMPLATE = 400
PEER_UNITS, PEER_TEMPLATES = 40_000, 100
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
    given: dict[str, Any] = {"vectors": vectors, "refused": (), "axes": axes, "config": NegativesConfig(k=K)}
    earlier = pl.concat(part.head(part.height - n_new) for part in parts)
    drawn = draw_hard_negatives(members=earlier, **given)
    before = PooledBefore(
        units=drawn.tables["negatives.unit_pool"].select("template_id", "unit_id", "state_hash", "pool_id"),
        negatives=drawn.tables["negatives.negative"].drop("unit_id"),
    )
    full = cpu_of(lambda: draw_hard_negatives(members=members, **given))
    return full, cpu_of(lambda: draw_hard_negatives(members=members, before=before, **given))


@dataclass(frozen=True, kw_only=True)
class ReadyVectors:
    """Stands in for a model of sentence-transformers: a text is the number of its vector."""

    matrix: Vectors
    torch: Any

    @property
    def device(self) -> Any:
        """The processor."""
        return self.torch.device("cpu")

    def get_embedding_dimension(self) -> int:
        """Length of a vector."""
        return int(self.matrix.shape[1])

    def encode_document(self, texts: Sequence[str], **_: object) -> Vectors:
        """(n, dim)."""
        return self.matrix[[int(text[1:]) for text in texts]]

    encode_query = encode_document

    def similarity(self, one: Any, other: Any) -> Any:
        """(n, m) inner products."""
        return self.torch.as_tensor(one) @ self.torch.as_tensor(other).T

    def similarity_pairwise(self, one: Any, other: Any) -> Any:
        """(n,) inner products."""
        return (self.torch.as_tensor(one) * self.torch.as_tensor(other)).sum(1)


def mine(matrix: Vectors, sizes: Sequence[int]) -> None:
    """Ten hard negatives of every unit by `mine_hard_negatives`, template by template; no text is encoded."""
    torch, datasets = importlib.import_module("torch"), importlib.import_module("datasets")
    torch.set_num_threads(1)
    util = importlib.import_module("sentence_transformers.util")
    for rows in slices_of(sizes):
        n_members = rows.stop - rows.start
        pairs = datasets.Dataset.from_dict(
            {"anchor": [f"q{row}" for row in range(n_members)], "positive": [f"d{row}" for row in range(n_members)]}
        )
        util.mine_hard_negatives(
            pairs,
            ReadyVectors(matrix=matrix[rows], torch=torch),
            num_negatives=K,
            output_format="n-tuple",
            output_scores=True,
            verbose=False,
        )


def beside_peer() -> Iterator[Line]:
    """Pools and the peer on the same vectors, of even and of skewed templates."""
    if importlib.util.find_spec("sentence_transformers") is None or importlib.util.find_spec("datasets") is None:
        return
    even = [PEER_UNITS // PEER_TEMPLATES] * PEER_TEMPLATES
    uneven = [size for size in skewed(PEER_UNITS, PEER_TEMPLATES) if size > K + 2]  # the peer asks for more than k
    for sizes in (even, uneven):
        matrix = make_corpus(sizes)
        mine(matrix[: sizes[-1]], sizes[-1:])
        ours, peer = cpu_of(lambda: pool_all(matrix, sizes)), cpu_of(lambda: mine(matrix, sizes))  # noqa: B023
        what = f"mine_hard_negatives, {sum(sizes):,} units, sizes {min(sizes)} to {max(sizes):,}"
        yield Line(what=what, cpu_s=peer, peer=f"our pools of them ({ours:.2f} s)", ratio=peer / ours)


def even_templates(n_units: int, n_templates: int) -> Iterator[Line]:
    """Lines for templates of one size: all units, some, and new pages."""
    sizes = [n_units // n_templates] * n_templates
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    matrix = make_corpus(sizes)
    multiply(matrix, sizes[:20])
    pool_all(matrix, sizes[:20])
    bare = cpu_of(lambda: multiply(matrix, sizes))
    what = f"bare products, {n_units:,} units in {n_templates:,} templates"
    yield Line(what=what, cpu_s=bare, peer="itself", ratio=1.0)
    peer = cpu_of(lambda: multiply_and_partition(matrix, sizes))
    yield Line(what="products and argpartition (numpy)", cpu_s=peer, peer="bare products", ratio=peer / bare)
    full = cpu_of(lambda: pool_all(matrix, sizes))
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held) * 1024 / matrix.nbytes
    what = f"pools of all units (vectors and all else at most {grown:.2f} x the vectors)"
    yield Line(what=what, cpu_s=full, peer="bare products", ratio=full / bare)
    asked = np.sort(np.random.default_rng(2).choice(n_units, size=500, replace=False))
    some = cpu_of(lambda: pool_some(matrix, sizes, asked))
    yield Line(what="pools of 500 units", cpu_s=some, peer="pools of all units", ratio=some / full)
    n_new = max(1, n_units // 100 // n_templates)
    spread = grow(matrix, sizes, n_new)
    what = f"{n_new * n_templates:,} new pages in all templates"
    yield Line(what=what, cpu_s=spread, peer="pools of all units", ratio=spread / full)
    in_ten = [size + n_units // 1000 for size in sizes[:10]]
    ten = grow(make_corpus(in_ten, seed=3), in_ten, n_units // 1000)
    what = f"{n_units // 100:,} new pages in ten templates"
    yield Line(what=what, cpu_s=ten, peer="pools of all units", ratio=ten / full)


def skewed_templates(n_units: int, n_templates: int) -> Iterator[Line]:
    """The line for templates of very different sizes."""
    sizes = skewed(n_units, n_templates)
    matrix = make_corpus(sizes, seed=4)
    bare = cpu_of(lambda: multiply(matrix, sizes))
    full = cpu_of(lambda: pool_all(matrix, sizes))
    what = f"pools of all units, {n_units:,} in {n_templates:,} templates, sizes 2 to {max(sizes):,}"
    yield Line(what=what, cpu_s=full, peer="bare products", ratio=full / bare)


def whole_stage(n_units: int) -> Iterator[Line]:
    """Lines for all that the stage does but reading and recording."""
    few = [PER_TEMPLATE] * (n_units // PER_TEMPLATE)
    matrix = make_corpus(few)
    bare = cpu_of(lambda: multiply(matrix, few))
    for axes in ((), ("period", "entity")):
        full, grown = draw_rows(matrix, few, axes, PER_TEMPLATE // 100)
        what = f"whole stage with ids and rows, {sum(few):,} units, {len(axes)} axes"
        yield Line(what=what, cpu_s=full, peer="bare products", ratio=full / bare)
        what = f"the same, {PER_TEMPLATE // 100} new in each template"
        yield Line(what=what, cpu_s=grown, peer="the whole stage", ratio=grown / full)


def measure_growth(largest: int) -> list[tuple[int, float]]:
    """CPU seconds of the pools of all units, by size of the corpus."""
    found = []
    for n_units in (size for size in GROWTH if size <= largest):
        sizes = [PER_TEMPLATE] * (n_units // PER_TEMPLATE)
        matrix = make_corpus(sizes)
        found.append((n_units, cpu_of(lambda: pool_all(matrix, sizes))))  # noqa: B023
    return found


def draw_growth(found: Sequence[tuple[int, float]]) -> str:
    """The growth as SVG, with the line from nothing to the largest corpus."""
    (most, longest), width, height, left, foot = found[-1], 560, 300, 60, 40

    def at(n_units: float, cpu_s: float) -> tuple[float, float]:
        return left + (width - left - 60) * n_units / most, height - foot - (height - foot - 40) * cpu_s / longest

    marks = []
    for n_units, cpu_s in found:
        x, y = at(n_units, cpu_s)
        marks.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#1f5fa8"/>')
        marks.append(f'<text x="{x - 4:.1f}" y="{y - 10:.1f}" text-anchor="end">{cpu_s:.2f} s</text>')
        if n_units != GROWTH[0]:
            marks.append(f'<text x="{x:.1f}" y="{height - foot + 18}" text-anchor="middle">{n_units // 1000}k</text>')
    (x0, y0), (x1, y1) = at(0, 0), at(most, longest)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
            'font-size="12">',
            f'<rect width="{width}" height="{height}" fill="white"/>',
            f'<text x="{left}" y="18">CPU seconds for the pools of all units, by units (400 a template)</text>',
            f'<path d="M{x0} {y0}H{x1} M{x0} {y0}V{y1}" stroke="#888" fill="none"/>',
            f'<path d="M{x0} {y0}L{x1} {y1}" stroke="#bbb" stroke-dasharray="4 4"/>',
            *marks,
            "</svg>\n",
        ]
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=int, default=400_000)
    parser.add_argument("--templates", type=int, default=1_000)
    parser.add_argument("--plot", type=Path)
    asked = parser.parse_args()
    print("| what | CPU s | ratio | of |\n| --- | --- | --- | --- |")  # noqa: T201
    for lines in (
        even_templates(asked.units, asked.templates),
        skewed_templates(asked.units // 4, asked.templates // 4),
        whole_stage(20_000),
        beside_peer(),
    ):
        for line in lines:
            print(f"| {line.what} | {line.cpu_s:.2f} | {line.ratio:.2f} | {line.peer} |", flush=True)  # noqa: T201
    if asked.plot:
        found = measure_growth(asked.units)
        asked.plot.write_text(draw_growth(found), encoding="utf-8")
        print("; ".join(f"{n_units:,}: {cpu_s:.2f} s" for n_units, cpu_s in found))  # noqa: T201


if __name__ == "__main__":
    main()
