"""Page pictures as an endpoint gets them: small enough to pay for, large enough to read."""

import base64
import math
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from eval_pipeline.foundation.errors import JudgeFailed

PIXELS_A_TOKEN = 750
"""Rough, on the dear side of what common models count for a picture; for what is set aside of a budget only."""


@dataclass(frozen=True, kw_only=True)
class SentPicture:
    """A picture ready to be sent.

    Attributes:
        data_url: PNG as a data address.
        width_px: as sent.
        height_px: as sent.
    """

    data_url: str
    width_px: int
    height_px: int

    @property
    def size(self) -> str:
        """`WIDTHxHEIGHT`."""
        return f"{self.width_px}x{self.height_px}"

    @property
    def n_tokens_at_most(self) -> int:
        """What it may count for."""
        return math.ceil(self.width_px * self.height_px / PIXELS_A_TOKEN) + 100


@lru_cache(maxsize=32)
def prepare_picture(path: Path, *, image_px: int, min_image_px: int) -> SentPicture:
    """Scale a picture down to the longer side that is allowed; never up.

    Args:
        path: stored picture, named by its content.
        image_px: longer side, at most.
        min_image_px: shorter side, at least.

    Raises:
        JudgeFailed: `too small to read`, naming both sizes; or `no page content` where the file is gone.
    """
    from PIL import Image

    try:
        with Image.open(path) as opened:
            image = opened.convert("RGB")
    except OSError as error:
        message = f"picture {path.name} cannot be opened: {error}; run 'eval-pipeline doctor'"
        raise JudgeFailed(message, reason="no page content") from error
    width, height = image.size
    share = min(1.0, image_px / max(width, height))
    sent = (max(1, round(width * share)), max(1, round(height * share)))
    if min(sent) < min_image_px:
        message = (
            f"the page is {width}x{height} and would be sent as {sent[0]}x{sent[1]}: the shorter side has fewer than "
            f"min_image_px {min_image_px} pixels; raise image_px or corpus.resolution_dpi, or lower min_image_px"
        )
        raise JudgeFailed(message, reason="too small to read")
    if sent != image.size:
        image = image.resize(sent, Image.Resampling.LANCZOS)
    data = BytesIO()
    image.save(data, "PNG")
    encoded = base64.b64encode(data.getvalue()).decode()
    return SentPicture(data_url=f"data:image/png;base64,{encoded}", width_px=sent[0], height_px=sent[1])
