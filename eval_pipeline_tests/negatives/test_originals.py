"""Copies and look-alikes told apart: drawn designs, and what cannot be told."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageEnhance

from eval_pipeline.demo.relations.look_alikes import draw_look_alikes
from eval_pipeline.negatives import originals
from eval_pipeline.negatives.alignment import FRAME_ON_FRAME
from eval_pipeline.negatives.originals import PictureComparer, compare_pictures, measure_disagreement, to_grey


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return draw_look_alikes(home=tmp_path_factory.mktemp("look-alikes"), seed=3).home / "corpus"


@pytest.fixture(scope="module")
def comparer(corpus: Path) -> PictureComparer:
    return PictureComparer({path.name: path for path in corpus.iterdir()})


@pytest.mark.parametrize("design", ["prices", "bars", "ticket", "plan"])
def test_every_copy_of_a_drawn_design_is_a_copy_and_its_twin_is_not(comparer: PictureComparer, design: str) -> None:
    first = f"{design}-0.png"
    for copy in ("recompressed", "resized", "cropped"):
        assert comparer.compare(first, f"{design}-0-{copy}.jpg") == "copy", copy
    assert comparer.compare(f"{design}-0-resized.jpg", f"{design}-0-cropped.jpg") == "copy"
    assert comparer.compare(first, f"{design}-5.png") == "other"
    assert comparer.compare(f"{design}-0-recompressed.jpg", f"{design}-5.png") == "other"
    assert comparer.compare(first, f"{design}-2.png") == "other"


def test_brighter_and_grey_copies_are_copies(corpus: Path) -> None:
    with Image.open(corpus / "bars-3.png") as picture:
        plain = picture.convert("RGB")
    lit = ImageEnhance.Contrast(ImageEnhance.Brightness(plain).enhance(0.9)).enhance(0.8)
    assert compare_pictures(to_grey(plain), to_grey(lit.convert("L").convert("RGB"))) == "copy"


def test_a_flat_tiny_or_unreadable_picture_is_unclear_with_every_other(tmp_path: Path, corpus: Path) -> None:
    Image.new("RGB", (200, 100), "white").save(tmp_path / "flat.png")
    (tmp_path / "broken.png").write_bytes(b"no picture")
    paths = {"p": corpus / "bars-1.png", "flat": tmp_path / "flat.png", "broken": tmp_path / "broken.png"}
    comparer = PictureComparer(paths)
    assert {comparer.compare("p", name) for name in ("flat", "broken")} == {"unclear"}
    assert comparer.compare("flat", "broken") == "unclear"
    assert comparer.compare("flat", "flat") == "copy"
    assert compare_pictures(np.eye(4), np.eye(300)) == "unclear"
    with pytest.raises(KeyError, match="elsewhere"):
        comparer.compare("p", "elsewhere")


def test_the_order_does_not_matter_and_a_pair_is_compared_once(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(originals, "compare_pictures", lambda a, b: asked.append((a.shape, b.shape)) or "other")
    comparer = PictureComparer({"a": corpus / "bars-1.png", "b": corpus / "bars-2.png"})
    assert [comparer.compare(*pair) for pair in (("a", "b"), ("b", "a"), ("a", "b"))] == ["other"] * 3
    assert len(asked) == 1


def test_disagreement_is_nothing_for_itself_and_unknown_without_overlap(corpus: Path) -> None:
    with Image.open(corpus / "plan-2.png") as picture:
        grey = to_grey(picture.convert("RGB"))
    found = measure_disagreement(grey, grey, FRAME_ON_FRAME)
    assert found is not None
    assert found.worst < 0.01
    assert found.agreeing == 1.0
    far = originals.Placement(x=0.8)
    assert measure_disagreement(grey, grey, far) is None
