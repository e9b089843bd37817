"""Templates against the truth of drawn corpora, with everything chosen without it. Run by hand, never a test.

    python eval_pipeline_tests/bench/clusterings.py SEED [SEED ...]

Prints a Markdown table: one row per seed, size and feature set. Truth is (layout, house style). The last
columns are shares of new pages: a fifth of the reports arrives later; of these, pages of old layouts that are refused
and pages that are put into another layout; and pages of layouts never seen, one at a time, that are taken for old ones.
"""

import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium

from eval_pipeline.demo.corpus import draw_demo
from eval_pipeline.demo.truth import read_truth
from eval_pipeline.demo.world import World
from eval_pipeline.embeddings.layout import LayoutEncoder
from eval_pipeline.embeddings.loading import load_encoder
from eval_pipeline.foundation.config import EncoderConfig
from eval_pipeline.foundation.protocols import UnitVectors, Vectors
from eval_pipeline.templates.assigning import find_nearest
from eval_pipeline.templates.chaining import Reach, group_units
from eval_pipeline.templates.cuts import adjusted_rand, choose_reach
from eval_pipeline.templates.founding import found_templates
from eval_pipeline.templates.grouping import grow_tree
from eval_pipeline.templates.space import join_features

SIZES = (60, 100, 200, 300, 1500)
DATA = Path(__file__).parents[2] / "data"
BOTH = ("layout", "encoder")
WAYS = (
    ("layout", ("layout",), None),
    ("layout + page-clip", BOTH, "page-clip"),
    ("layout + untrained", BOTH, "untrained"),
    ("page-clip alone", ("encoder",), "page-clip"),
    ("untrained alone", ("encoder",), "untrained"),
)

Labels = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """A corpus: names of the true templates, (n,) their numbers and those of documents, and vectors by name."""

    names: list[str]
    truth: Labels
    documents: Labels
    vectors: dict[str, Vectors]


def draw(seed: int, folder: Path) -> Drawn:
    """Draw the largest corpus and read its pages; smaller ones are its first pages."""
    corpus = draw_demo(home=folder, n_pages=max(SIZES), seed=seed)
    truths, world = read_truth(corpus.truth), World(seed=seed)
    styles = {company.name: company.style for company in (world.company(number) for number in range(100))}
    names, documents, pictures = [], [], []
    for number, document in enumerate(corpus.documents):
        for page, drawn in enumerate(pdfium.PdfDocument(folder / document), start=1):
            truth = truths[document, page]
            names.append(f"{truth.layout}/{styles[truth.entity]}")
            documents.append(number)
            pictures.append(folder / f"page-{len(pictures):05d}.png")
            drawn.render(scale=100 / 72).to_pil().convert("RGB").save(pictures[-1], compress_level=1)
    model = folder / "models" / "untrained"
    shutil.copytree(DATA / "models" / "page-clip", model)
    (model / "open_clip_model.safetensors").unlink()
    untrained = EncoderConfig(model="local-dir:models/untrained", seed=1)
    encoders = {
        "layout": LayoutEncoder(),
        "page-clip": load_encoder(config=EncoderConfig(), home=DATA),
        "untrained": load_encoder(config=untrained, home=folder),
    }
    _, truth_numbers = np.unique(names, return_inverse=True)
    return Drawn(
        names=names,
        truth=truth_numbers.astype(np.int64),
        documents=np.array(documents, dtype=np.int64),
        vectors={name: encoder.encode_pictures(pictures) for name, encoder in encoders.items()},
    )


def make_space(drawn: Drawn, features: tuple[str, ...], encoder: str | None, n: int) -> UnitVectors:
    """The clustering space of the first pages."""
    sources = {"layout": "layout", "encoder": encoder}
    ids = [f"u{row:05d}" for row in range(n)]
    vectors = {
        feature: UnitVectors(
            unit_ids=np.array(ids), matrix=drawn.vectors[str(sources[feature])][:n], encoder_id=feature
        )
        for feature in features
    }
    return join_features(vectors=vectors, features=features, unit_ids=ids)


def count_purity(groups: Labels, truth: Labels) -> float:
    """Share of pages that belong to the most frequent truth of their group."""
    table = np.zeros((int(groups.max()) + 1, int(truth.max()) + 1))
    np.add.at(table, (groups, truth), 1)
    return float(table.max(axis=1).sum() / len(truth))


def cluster(space: UnitVectors, features: tuple[str, ...]) -> tuple[Labels, Reach]:
    """Groups, and how near is near, as the stage makes them."""
    tree = grow_tree(space.matrix, seed=0)
    reach = choose_reach(tree, features=features, seed=0)
    return group_units(tree, reach=reach), reach


def part(space: UnitVectors, rows: npt.NDArray[np.bool_]) -> UnitVectors:
    """Some rows of a space."""
    return UnitVectors(unit_ids=space.unit_ids[rows], matrix=space.matrix[rows], encoder_id=space.encoder_id)


def arrive(space: UnitVectors, drawn: Drawn, features: tuple[str, ...]) -> tuple[float, float, float]:
    """Shares of new pages: refused though their layout is old, put into another layout, unseen but taken for old."""
    truth = drawn.truth[: len(space.unit_ids)]
    documents = drawn.documents[: len(truth)]
    later = np.isin(documents, np.random.default_rng(1).permutation(np.unique(documents))[::5])
    old = part(space, ~later)
    groups, reach = cluster(old, features)
    founded = found_templates(space=old, groups=groups, cut=reach.step, min_members=2)
    of_unit = dict(zip(old.unit_ids.tolist(), truth[~later].tolist(), strict=True))
    majority = np.array([np.bincount([of_unit[unit] for unit in template.unit_ids]).argmax() for template in founded])
    centroids = np.stack([template.centroid for template in founded])
    thresholds = np.array([template.threshold for template in founded])
    new = find_nearest(space=part(space, later), centroids=centroids, thresholds=thresholds)
    known = np.isin(truth[later], majority)
    refused = float((~new.is_within & known).sum() / known.sum())
    wrong = float((new.is_within & (majority[new.templates] != truth[later])).mean())
    smuggled = 0
    for layout in np.unique(truth):
        others = majority != layout
        unseen = part(space, truth == layout)
        smuggled += int(
            find_nearest(space=unseen, centroids=centroids[others], thresholds=thresholds[others]).is_within.sum()
        )
    return refused, wrong, smuggled / len(truth)


def tell(line: str) -> None:
    """A line on the terminal, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """One table for all seeds."""
    tell("| seed | pages | features | step chosen | truth | groups | ARI | purity | refused | wrong | smuggled |")
    tell("|---|---|---|---|---|---|---|---|---|---|---|")
    for seed in map(int, sys.argv[1:]):
        with tempfile.TemporaryDirectory() as folder:
            drawn = draw(seed, Path(folder))
        for n in SIZES:
            truth = drawn.truth[:n]
            for name, features, encoder in WAYS:
                space = make_space(drawn, features, encoder, n)
                groups, reach = cluster(space, features)
                figures = [adjusted_rand(groups, truth), count_purity(groups, truth), *arrive(space, drawn, features)]
                told = " | ".join(f"{figure:.3f}" for figure in figures)
                counts = f"{len(np.unique(truth))} | {int(groups.max()) + 1}"
                tell(f"| {seed} | {n} | {name} | {reach.step:.4f} | {counts} | {told} |")


if __name__ == "__main__":
    main()
