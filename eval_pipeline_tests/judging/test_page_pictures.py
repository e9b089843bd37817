"""Pictures as they are sent."""

import base64
from io import BytesIO

import pytest
from PIL import Image

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.judging.page_pictures import prepare_picture
from eval_pipeline_tests.judging.conftest import draw_picture


@pytest.mark.parametrize(
    ("size", "limit", "expected"),
    [((1000, 1400), 1600, (1000, 1400)), ((1654, 2339), 1600, (1131, 1600)), ((3200, 1800), 1600, (1600, 900))],
)
def test_never_larger_than_allowed_and_never_enlarged(tmp_path, size, limit, expected) -> None:
    sent = prepare_picture(draw_picture(tmp_path / "p.png", *size), image_px=limit, min_image_px=600)
    assert (sent.width_px, sent.height_px) == expected
    assert sent.size == f"{expected[0]}x{expected[1]}"
    assert sent.n_tokens_at_most >= expected[0] * expected[1] / 1000
    data = base64.b64decode(sent.data_url.removeprefix("data:image/png;base64,"))
    assert Image.open(BytesIO(data)).size == expected


def test_what_is_sent_unscaled_is_sent_pixel_for_pixel(tmp_path) -> None:
    image = Image.effect_noise((640, 700), 80).convert("RGB")
    image.save(tmp_path / "n.webp", lossless=True)
    sent = prepare_picture(tmp_path / "n.webp", image_px=1600, min_image_px=600)
    data = base64.b64decode(sent.data_url.split(",")[1])
    assert Image.open(BytesIO(data)).tobytes() == image.tobytes()


def test_too_small_a_picture_is_refused_with_what_to_do(tmp_path) -> None:
    with pytest.raises(
        JudgeFailed, match=r"min_image_px 600 pixels; raise image_px or corpus\.resolution_dpi"
    ) as caught:
        prepare_picture(draw_picture(tmp_path / "s.png", 599, 2000), image_px=4000, min_image_px=600)
    assert caught.value.reason == "too small to read"


def test_a_picture_that_is_gone_or_broken_is_told_by_name(tmp_path) -> None:
    (tmp_path / "b.png").write_bytes(b"no picture")
    for name in ("gone.png", "b.png"):
        with pytest.raises(JudgeFailed, match=name) as caught:
            prepare_picture(tmp_path / name, image_px=1600, min_image_px=600)
        assert caught.value.reason == "no page content"
