"""Pictures stored twice are copies; look-alikes that differ in one digit are not."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from PIL import Image, ImageDraw, ImageFont

from eval_pipeline.foundation.errors import EvalPipelineError
from eval_pipeline.foundation.protocols import UnitVectors
from eval_pipeline.negatives.copies import apply_looks, are_copies, find_looks, measure_difference

SIZE = (850, 1100)
Again = Callable[[Image.Image], Image.Image]


def a_page(digit: str = "8", *, size_px: int = 10, ink: int = 0, n_lines: int = 40) -> Image.Image:
    """A page of figures; the digit stands once, in the middle."""
    page = Image.new("RGB", SIZE, "white")
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(size_px)
    for line in range(n_lines):
        text = f"Operating income {line * 37} and {line * 91 % 1000} of {1000 + line}"
        middle = f"Revenue was 4{digit}7 million"
        draw.text((60, 60 + 24 * line), middle if line == n_lines // 2 else text, fill=(ink, ink, ink), font=font)
    return page


def stored(form: str, quality: int) -> Again:
    def store(page: Image.Image) -> Image.Image:
        data = io.BytesIO()
        page.save(data, form, quality=quality)
        return Image.open(data).convert("RGB")

    return store


def scaled(factor: float, by: Image.Resampling = Image.Resampling.BICUBIC) -> Again:
    return lambda page: page.resize((round(page.width * factor), round(page.height * factor)), by)


KEPT: dict[str, Again] = {
    "jpeg75": stored("JPEG", 75),
    "jpeg90": stored("JPEG", 90),
    "webp50": stored("WEBP", 50),
    "0.75": scaled(0.75),
    "0.75 bilinear": scaled(0.75, Image.Resampling.BILINEAR),
    "double": scaled(2.0, Image.Resampling.NEAREST),
    "grey": lambda page: page.convert("L").convert("RGB"),
}


@pytest.mark.parametrize("how", sorted(KEPT))
@pytest.mark.parametrize("n_lines", [40, 3])
def test_a_page_stored_again_is_a_copy(how: str, n_lines: int) -> None:
    page = a_page(n_lines=n_lines)
    assert are_copies(page, KEPT[how](page))
    assert are_copies(KEPT[how](page), page)


@pytest.mark.parametrize("digit", ["6", "3", "0"])
@pytest.mark.parametrize("how", ["as it is", *sorted(KEPT)])
def test_one_digit_makes_no_copy_however_it_is_stored(digit: str, how: str) -> None:
    other = a_page(digit)
    assert not are_copies(a_page("8"), KEPT[how](other) if how in KEPT else other)


@pytest.mark.parametrize(("size_px", "ink"), [(9, 0), (10, 110), (14, 0), (30, 0)])
def test_small_faint_and_large_digits_count(size_px: int, ink: int) -> None:
    for how in ("jpeg75", "0.75"):
        assert not are_copies(a_page("6", size_px=size_px, ink=ink), KEPT[how](a_page("8", size_px=size_px, ink=ink)))


def test_where_digits_cannot_be_told_apart_no_call_is_made() -> None:
    page = a_page()
    assert not are_copies(page, scaled(0.5)(page))  # a thumbnail
    assert not are_copies(page, stored("JPEG", 20)(page))  # noise as loud as a digit
    assert not are_copies(page, page.crop((0, 0, 850, 1000)))  # another page format


def test_a_colour_of_equal_grey_counts() -> None:
    one, other = a_page(), a_page()
    ImageDraw.Draw(one).rectangle((400, 300, 500, 400), fill=(200, 0, 0))
    grey = one.convert("L").getpixel((450, 350))
    ImageDraw.Draw(other).rectangle((400, 300, 500, 400), fill=(grey, grey, grey))
    assert not are_copies(one, other)


def test_the_difference_is_what_a_loop_finds() -> None:
    rng = np.random.default_rng(0)
    one = rng.integers(0, 256, (19, 23)).astype(np.float32)
    other = rng.integers(0, 256, (19, 23)).astype(np.float32)
    means = [
        abs(float((one - other)[row : row + 3, column : column + 3].mean()))
        for row in range(17)
        for column in range(21)
    ]
    found = measure_difference(one, other)
    assert found.peak == pytest.approx(max(means), rel=1e-5)
    assert found.noise == pytest.approx(sorted(means)[-150], rel=1e-5)


# Templates

PAGES: dict[str, Callable[[], Image.Image]] = {
    "p1": a_page,
    "p2": lambda: KEPT["jpeg75"](a_page()),
    "p3": lambda: KEPT["0.75"](a_page()),
    "p4": lambda: a_page("3"),
}


@pytest.fixture
def members(tmp_path: Path, a_member: Callable[..., dict[str, Any]]) -> pl.DataFrame:
    rows = []
    for name, draw in PAGES.items():
        draw().save(tmp_path / f"{name}.png")
        row = a_member(f"u-{name}", picture=f"pic-{name}") | {"picture_path": f"{name}.png", "text_quality": "missing"}
        rows.append(row)
    return pl.DataFrame(rows)


def alike(members: pl.DataFrame) -> UnitVectors:
    ids = members["unit_id"].unique().sort().to_list()
    matrix = np.tile(np.array([[1.0, 0.0]], dtype=np.float32), (len(ids), 1))
    return UnitVectors(unit_ids=np.array(ids, dtype=np.str_), matrix=matrix, encoder_id="enc_t")


def test_copies_of_a_template_share_the_smallest_hash(tmp_path: Path, members: pl.DataFrame) -> None:
    looks = find_looks(members=members, vectors=alike(members), home=tmp_path)
    assert looks == dict.fromkeys(("pic-p1", "pic-p2", "pic-p3"), "pic-p1")
    assert find_looks(members=members[::-1], vectors=alike(members), home=tmp_path) == looks
    assert apply_looks(members["picture_hash"], looks).to_list() == ["pic-p1", "pic-p1", "pic-p1", "pic-p4"]


def test_legible_texts_that_differ_settle_it_without_a_look(tmp_path: Path, members: pl.DataFrame) -> None:
    said = members.with_columns(text_quality=pl.lit("good"), text_hash=pl.col("unit_id"))
    assert find_looks(members=said, vectors=alike(said), home=tmp_path / "nowhere") == {}
    half = members.with_columns(text_hash=pl.col("unit_id"), text_quality=pl.Series(["good", "missing"] * 2))
    assert set(find_looks(members=half, vectors=alike(half), home=tmp_path)) == {"pic-p1", "pic-p2"}


def test_units_of_other_templates_far_apart_or_without_a_vector_are_not_looked_at(
    tmp_path: Path, members: pl.DataFrame
) -> None:
    nowhere = tmp_path / "nowhere"
    apart = members.with_columns(template_id=pl.col("unit_id"))
    assert find_looks(members=apart, vectors=alike(members), home=nowhere) == {}
    assert find_looks(members=members, vectors=alike(members[:1]), home=nowhere) == {}
    angles = np.arange(4, dtype=np.float32)
    far = UnitVectors(
        unit_ids=alike(members).unit_ids,
        matrix=np.stack([np.cos(angles), np.sin(angles)], axis=1),
        encoder_id="enc_t",
    )
    assert find_looks(members=members, vectors=far, home=nowhere) == {}


def test_a_picture_that_is_gone_is_named_with_what_to_do(tmp_path: Path, members: pl.DataFrame) -> None:
    (tmp_path / "p2.png").unlink()
    with pytest.raises(EvalPipelineError, match=r"p2\.png cannot be read.*doctor"):
        find_looks(members=members, vectors=alike(members), home=tmp_path)
