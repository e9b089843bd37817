"""What founding templates of many vectors costs beside faiss k-means, and what new ones add. Run by hand, never a test.

    python eval_pipeline_tests/bench/templates_at_scale.py [VECTORS]

Both split into the same number of groups on the same threads; faiss on its default subsample. Processor time is told
beside the clock, for a machine that others use too; memory is what the process held at most beyond the vectors.
"""

import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from eval_pipeline.embeddings.threads import import_faiss
from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.foundation.protocols import UnitVectors, Vectors
from eval_pipeline.templates.assigning import find_nearest
from eval_pipeline.templates.chaining import group_units
from eval_pipeline.templates.cuts import choose_reach
from eval_pipeline.templates.founding import found_templates
from eval_pipeline.templates.grouping import MAX_LEAVES, grow_tree

DIM = 512
N_LAYOUTS = 600
N_NEW = 4000
NOISE = 0.02


def draw_vectors(n: int, seed: int) -> Vectors:
    """Vectors around directions, block by block, so that drawing them needs no second copy."""
    rng = np.random.default_rng(seed)
    layouts = np.random.default_rng(0).normal(size=(N_LAYOUTS, DIM)) / np.sqrt(DIM)
    matrix = np.empty((n, DIM), dtype=np.float32)
    for start in range(0, n, 10_000):
        rows = slice(start, min(start + 10_000, n))
        size = rows.stop - rows.start
        near = layouts[rng.integers(N_LAYOUTS, size=size)] + rng.normal(scale=NOISE, size=(size, DIM))
        matrix[rows] = normalise_rows(near)
    return matrix


def timed(what: str, work: Callable[[], Any]) -> tuple[Any, float]:
    """Result and processor seconds; prints both times and the most memory held so far."""
    wall, busy = time.perf_counter(), time.process_time()
    result = work()
    busy = time.process_time() - busy
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    tell(f"{what}: {time.perf_counter() - wall:.1f} s, {busy:.1f} s of processor, at most {held:.2f} GiB held")
    return result, busy


def tell(line: str) -> None:
    """A line on the terminal, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Found, assign, then let faiss do its k-means."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 400_000
    matrix = draw_vectors(n, 1)
    tell(f"{n} x {DIM} float32: {matrix.nbytes / 1024**3:.2f} GiB")
    space = UnitVectors(unit_ids=np.array([f"u{row:07d}" for row in range(n)]), matrix=matrix, encoder_id="bench")
    timed("before", lambda: None)

    def found() -> Any:
        tree = grow_tree(matrix, seed=0)
        reach = choose_reach(tree, features=("layout",), seed=0)
        return found_templates(space=space, groups=group_units(tree, reach=reach), cut=reach.step, min_members=2)

    founded, founding = timed("founding", found)
    new = UnitVectors(
        unit_ids=np.array([f"n{row:05d}" for row in range(N_NEW)]), matrix=draw_vectors(N_NEW, 2), encoder_id="bench"
    )
    centroids = np.stack([template.centroid for template in founded])
    thresholds = np.array([template.threshold for template in founded])
    nearest, assigning = timed(
        f"assigning {N_NEW}", lambda: find_nearest(space=new, centroids=centroids, thresholds=thresholds)
    )
    tell(f"{len(founded)} templates; {nearest.is_within.mean():.1%} of new vectors assigned")
    kmeans = import_faiss().Kmeans(DIM, MAX_LEAVES, niter=15, seed=0, spherical=True)

    def by_faiss() -> None:
        kmeans.train(matrix)
        kmeans.index.search(matrix, 1)

    _, faiss_busy = timed("faiss k-means", by_faiss)
    tell(f"founding / faiss: {founding / faiss_busy:.2f}; assigning / founding: {assigning / founding:.2%}")


if __name__ == "__main__":
    main()
