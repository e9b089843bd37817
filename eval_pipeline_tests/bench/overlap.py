"""How much sooner pages are embedded when the next ones are decoded while the model runs. Run by hand, never a test.

    python eval_pipeline_tests/bench/overlap.py [PAGES] [ROUNDS]

The ways take turns, so that what else the machine does falls on all of them; the ratio is that of the medians.
"""

import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from eval_pipeline.embeddings.decoding import N_AHEAD
from eval_pipeline.embeddings.loading import load_encoder
from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.foundation.config import EncoderConfig
from eval_pipeline.foundation.protocols import Vectors

PROJECT = Path(__file__).parents[2] / "data"
BATCH = EncoderConfig().batch_size
WORDS = ("revenue", "margin", "segment", "total", "other")


def draw_pages(folder: Path, n: int) -> list[Path]:
    """Letter pages at 100 dpi: a header, sixty lines of words and numbers."""
    rng, paths = random.Random(7), []
    for number in range(n):
        page = Image.new("RGB", (850, 1100), "white")
        draw = ImageDraw.Draw(page)
        draw.rectangle((0, 0, 850, 60), fill=rng.choice(["navy", "darkgreen", "maroon"]))
        for line in range(60):
            words = " ".join(
                f"{rng.choice(['revenue', 'margin', 'segment', 'total', 'other'])} {rng.randrange(99999):,}"
                for _ in range(6)
            )
            draw.text((40, 80 + 16 * line), words, fill="black")
        paths.append(folder / f"{number}.webp")
        page.save(paths[-1], lossless=True, method=1)
    return paths


def one_after_the_other(encoder, paths: list[Path]) -> Vectors:
    """Decode a batch in this thread, then run the model on it."""
    rows = []
    for first in range(0, len(paths), BATCH):
        pictures = [encoder._decode(path) for path in paths[first : first + BATCH]]
        rows.append(encoder._forward("encode_image", [encoder._to_tensor(picture) for picture in pictures]))
    return normalise_rows(np.concatenate(rows))


def with_ahead(encoder, paths: list[Path], n_ahead: int) -> Vectors:
    encoder.n_ahead = n_ahead
    return encoder.encode_pictures(paths)


def main(n_pages: int = 160, n_rounds: int = 7) -> None:
    encoder = load_encoder(config=EncoderConfig(), home=PROJECT)
    ways = {
        "decode here, then run": lambda paths: one_after_the_other(encoder, paths),
        "decode in threads, then run": lambda paths: with_ahead(encoder, paths, 0),
        f"decode {N_AHEAD} batches ahead": lambda paths: with_ahead(encoder, paths, N_AHEAD),
    }
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    with tempfile.TemporaryDirectory() as folder:
        paths = draw_pages(Path(folder), n_pages)
        made = [way(paths) for way in ways.values()]  # the first round warms caches and shows that all are equal
        assert all(np.array_equal(made[0], other) for other in made[1:])
        for turn in range(n_rounds):
            for name in random.Random(turn).sample(list(ways), len(ways)):
                start = time.perf_counter()
                ways[name](paths)
                seconds[name].append(time.perf_counter() - start)
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    slowest = next(iter(medians.values()))
    for name, value in medians.items():
        sys.stdout.write(f"{name:32} {n_pages / value:7.1f} pages/s   {slowest / value:.2f}\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
