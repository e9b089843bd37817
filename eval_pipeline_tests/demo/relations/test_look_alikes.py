"""Originals, their copies and twins."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

from eval_pipeline.demo.relations.look_alikes import draw_look_alikes
from eval_pipeline.demo.relations.placing import DrawnSet, read_lines


def test_24_originals_and_24_copies_of_eight(drawn_twice: Callable[..., DrawnSet]) -> None:
    drawn = drawn_twice(draw_look_alikes)
    truth = read_lines(drawn.home / drawn.truth)
    assert {str(row["file"]) for row in truth} == set(drawn.files)
    assert sum(row["is_copy"] is False for row in truth) == 24
    copied = {row["original"] for row in truth if row["is_copy"]}
    assert len(copied) == 8
    assert sum(row["is_copy"] is True for row in truth) == 24
    sizes = {}
    for name in drawn.files:
        with Image.open(drawn.home / name) as picture:
            sizes[name] = picture.size
    assert sizes["corpus/plan-0-recompressed.jpg"] == sizes["corpus/plan-0.png"] == (640, 480)
    assert sizes["corpus/plan-0-resized.jpg"][0] < 640


def test_a_twin_differs_in_one_place_only(tmp_path: Path) -> None:
    drawn = draw_look_alikes(home=tmp_path, seed=7)
    for design in ("prices", "bars", "ticket", "plan"):
        pair = []
        for number in (0, 5):
            with Image.open(drawn.home / f"corpus/{design}-{number}.png") as picture:
                pair.append(np.asarray(picture, dtype=int))
        differs = np.abs(pair[0] - pair[1]).max(axis=2) > 0
        assert differs.any(), design
        rows, columns = np.nonzero(differs)
        assert np.ptp(columns) < 140, design
        assert differs.mean() < 0.05, design
        assert np.ptp(rows) < (40 if design != "bars" else 300)
