"""Pictures inside the page: made small, as data URIs, so that no file name ever stands in a link."""

import base64
import io
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image, ImageOps, UnidentifiedImageError

QUALITY = 72
METHOD = 4


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A picture to show, or why there is none.

    Attributes:
        uri: `data:image/webp;base64,...`; empty where there is none.
        width_px: of the picture inside the page.
        height_px: the same.
        reason: why there is none; empty where there is one.
    """

    uri: str
    width_px: int
    height_px: int
    reason: str


@dataclass(frozen=True, kw_only=True, eq=False)
class PictureBook:
    """Makes each picture once per size.

    Attributes:
        made: what was made so far, by file and width.
    """

    made: dict[tuple[Path, int], Picture] = field(default_factory=dict)

    def show(self, path: Path | None, *, width_px: int) -> Picture:
        """The picture at most `width_px` wide, upright, on white; a file that cannot be read is named, not fatal.

        Args:
            path: any name, also one with `%`, `#`, `?` or quotes: it is opened, never put into a link.
            width_px: of the result; smaller pictures keep their size.
        """
        if path is None:
            return _missing("no picture of this page is stored")
        if (path, width_px) not in self.made:
            self.made[path, width_px] = _read(path, width_px)
        return self.made[path, width_px]


def _read(path: Path, width_px: int) -> Picture:
    try:
        with Image.open(path) as opened:
            upright = ImageOps.exif_transpose(opened)
            flat = _flatten(upright)
    except FileNotFoundError:
        return _missing(f"{path.name} is not on disk; run 'eval-pipeline doctor'")
    except (UnidentifiedImageError, OSError, SyntaxError) as error:
        return _missing(f"{path.name} cannot be read as a picture ({type(error).__name__}); run 'eval-pipeline doctor'")
    if flat.width > width_px:
        height_px = max(1, round(flat.height * width_px / flat.width))
        flat = flat.resize((width_px, height_px), Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    flat.save(buffer, format="WEBP", quality=QUALITY, method=METHOD)
    encoded = base64.b64encode(buffer.getvalue()).decode("ascii")
    return Picture(uri=f"data:image/webp;base64,{encoded}", width_px=flat.width, height_px=flat.height, reason="")


def _flatten(image: Image.Image) -> Image.Image:
    """RGB on white: a page with a transparent ground reads the same in the dark."""
    if image.mode in ("RGB", "L"):
        return image.convert("RGB")
    layered = image.convert("RGBA")
    ground = Image.new("RGBA", layered.size, "white")
    return Image.alpha_composite(ground, layered).convert("RGB")


def _missing(reason: str) -> Picture:
    return Picture(uri="", width_px=0, height_px=0, reason=reason)
