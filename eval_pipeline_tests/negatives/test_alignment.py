"""Placements: known crops are found again."""

import numpy as np
import pytest
from PIL import Image

from eval_pipeline.negatives.alignment import FRAME_ON_FRAME, Grey, Placement, grid_of, read_through, refine, search


@pytest.fixture(scope="module")
def blots() -> Grey:
    """A picture without repeats: blots of ink of many sizes."""
    rng = np.random.default_rng(5)
    ground = np.ones((240, 320))
    for _ in range(60):
        y, x, size = rng.integers(0, 230), rng.integers(0, 310), rng.integers(4, 40)
        ground[y : y + size, x : x + size] = rng.random()
    return ground


def cut(picture: Grey, left: float, top: float, share: float, size: tuple[int, int]) -> Grey:
    height, width = picture.shape
    box = (left * width, top * height, (left + share) * width, (top + share) * height)
    small = Image.fromarray(picture.astype(np.float32)).resize(size, Image.Resampling.BICUBIC, box=box)
    return np.asarray(small, dtype=np.float64)


def test_reading_frame_on_frame_gives_the_picture_back(blots: Grey) -> None:
    seen, inside = read_through(blots, blots.shape, FRAME_ON_FRAME, blur=1.0)
    np.testing.assert_allclose(seen, blots)
    assert inside.all()


def test_points_outside_are_marked(blots: Grey) -> None:
    _, inside = read_through(blots, (10, 10), Placement(x=0.5, y=-0.5), blur=1.0)
    assert inside[5:, :5].all()
    assert not inside[:, 5:].any()
    assert not inside[:5].any()


def test_a_grid_keeps_proportions(blots: Grey) -> None:
    assert grid_of(blots, 80) == (60, 80)


@pytest.mark.parametrize(("left", "top", "share"), [(0.0, 0.0, 0.9), (0.12, 0.05, 0.8), (0.3, 0.35, 0.6)])
def test_a_crop_is_found_and_its_place_is_exact(blots: Grey, left: float, top: float, share: float) -> None:
    crop = cut(blots, left, top, share, (200, 150))
    expected = (share, left, share, top)
    for first, second, place in ((blots, crop, expected), (crop, blots, (1 / share, -left / share, 1 / share, None))):
        found = refine(first, second, search(first, second, 1)[0])
        numbers = (found.scale_x, found.x, found.scale_y, found.y)
        assert all(want is None or abs(got - want) < 0.004 for got, want in zip(numbers, place, strict=True)), numbers


def test_searching_gives_the_same_placements_again(blots: Grey) -> None:
    crop = cut(blots, 0.1, 0.1, 0.7, (180, 140))
    assert search(blots, crop, 3) == search(blots, crop, 3)
    assert len(search(blots, crop, 3)) == 3
