"""Which pages and which of their captions meet in a training step: a fixed sequence of its seed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Batch:
    """One training step.

    Attributes:
        pages: (batch,) rows of the pages, none twice.
        captions: (batch,) which caption of each page, as a place in its list.
    """

    pages: Rows
    captions: Rows


def draw_batches(
    *, templates: Sequence[str], n_captions: Sequence[int], n_steps: int, batch_size: int, seed: int
) -> Iterator[Batch]:
    """Draw batches, in turn from all pages and from two templates.

    In a batch of all pages the layout tells most pages apart; among pages of two templates only what is written on
    them does. Templates are drawn in proportion to the square of their pages: where many pages look alike there is
    most to read, and drawn in plain proportion 1,400 steps taught nothing of what stands on charts.

    Args:
        templates: template of each page.
        n_captions: captions of each page, at least 1.
        n_steps: batches wanted.
        batch_size: pages in a batch; fewer where there are not so many.
        seed: of every draw.
    """
    rng = np.random.default_rng(seed)
    names = np.array(templates)
    counts = np.array(n_captions)
    everything = np.arange(len(names))
    for step in range(n_steps):
        among = everything if step % 2 == 0 else _pages_of_two(rng, names)
        pages = rng.choice(among, size=min(batch_size, len(among)), replace=False)
        yield Batch(pages=pages, captions=rng.integers(0, counts[pages]))


def _pages_of_two(rng: np.random.Generator, names: npt.NDArray[np.str_]) -> Rows:
    templates, counts = np.unique(names, return_counts=True)
    weights = counts.astype(np.float64) ** 2
    n_drawn = min(2, len(templates))
    drawn = rng.choice(len(templates), size=n_drawn, replace=False, p=weights / weights.sum())
    return np.flatnonzero(np.isin(names, templates[drawn]))
