"""One frame of an image file, as an upright RGB picture."""

import warnings
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from eval_pipeline.corpus.pdfs import DrawnPage, PageRefused
from eval_pipeline.corpus.pictures import fit_scale

_DAMAGED = (OSError, SyntaxError, ValueError, EOFError)
"""What Pillow raises on damaged files, by format."""
_UNKNOWN_DEPTH = ("I", "F")
"""Modes of 32 bit a pixel whose white is not known; `I;16` and its kin have 65,535."""


def open_image(path: Path, *, max_pixels: int) -> Image.Image:
    """Open an image file; nothing is decoded yet.

    Raises:
        PageRefused: it has more pixels than the limit, or Pillow cannot read it. Pillow's own limit stays on.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # our own limit, below, decides
            image = Image.open(path)
    except Image.DecompressionBombError as error:
        raise _too_large(str(error)) from error
    except (UnidentifiedImageError, *_DAMAGED) as error:
        raise _damaged(error) from error
    if image.width * image.height > max_pixels:
        image.close()
        raise _too_large(f"it has {image.width} x {image.height} pixels, the limit is {max_pixels:,}")
    return image


def count_frames(image: Image.Image) -> int:
    """Pages of an image file: the frames of a TIFF; 1 for everything else (a moving picture is one page)."""
    return int(getattr(image, "n_frames", 1)) if image.format == "TIFF" else 1


def draw_frame(image: Image.Image, *, index: int, max_pixels: int, image_pixels: int) -> DrawnPage:
    """Decode one frame: upright by EXIF, 16-bit grey scaled, transparency on white, three channels.

    Args:
        image: from `open_image`.
        index: 0-based frame.
        max_pixels: cap on the stored picture.
        image_pixels: limit on the frame as it is in the file.

    Raises:
        PageRefused: the frame is damaged, has no area or has more pixels than the limit.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image.seek(index)
            if image.width * image.height > image_pixels:
                raise _too_large(f"it has {image.width} x {image.height} pixels, the limit is {image_pixels:,}")
            upright = ImageOps.exif_transpose(image)
            factor = int(1 / fit_scale(width=upright.width, height=upright.height, scale=1.0, max_pixels=max_pixels))
            picture = to_rgb(_shrink(upright, factor))
    except Image.DecompressionBombError as error:
        raise _too_large(str(error)) from error
    except _DAMAGED as error:
        raise _damaged(error) from error
    size, notes = upright.size, []
    if image.format != "TIFF" and int(getattr(image, "n_frames", 1)) > 1:
        notes.append(f"first of {getattr(image, 'n_frames', 1)} frames")
    if image.mode in _UNKNOWN_DEPTH:
        notes.append("grey of unknown depth, stretched from its darkest to its lightest value")
    scale = fit_scale(width=picture.width, height=picture.height, scale=1.0, max_pixels=max_pixels)
    if scale < 1.0:
        smaller = (max(1, int(picture.width * scale)), max(1, int(picture.height * scale)))
        picture = picture.resize(smaller, Image.Resampling.LANCZOS)
    if picture.size != size:
        notes.append(f"scaled from {size[0]} x {size[1]} pixels to stay within the pixel cap")
    return DrawnPage(picture=picture, text="", dpi=None, notes=tuple(notes))


def _shrink(image: Image.Image, factor: int) -> Image.Image:
    """Shrink by a whole factor before the mode is widened, so that a large scan stays small in memory."""
    if factor < 2 or image.mode not in {"1", "L", "RGB", "CMYK"}:
        return image
    return (image.convert("L") if image.mode == "1" else image).reduce(factor)


def to_rgb(image: Image.Image) -> Image.Image:
    """Any mode as RGB: deep grey is scaled to 8 bit instead of clipped, alpha is laid on white."""
    if image.mode.startswith(("I", "F")):
        image = _scale_deep_grey(image)
    if image.mode in {"LA", "PA", "RGBA", "RGBa", "La"} or "transparency" in image.info:
        layer = image.convert("RGBA")
        ground = Image.new("RGBA", layer.size, (255, 255, 255, 255))
        return Image.alpha_composite(ground, layer).convert("RGB")
    return image.convert("RGB")


def _scale_deep_grey(image: Image.Image) -> Image.Image:
    values = np.nan_to_num(np.asarray(image, dtype=np.float64))
    if image.mode in _UNKNOWN_DEPTH:
        low, high = float(values.min()), float(values.max())
        values = (values - low) / (high - low) * 255.0 if high > low else np.full_like(values, 255.0)
    else:
        values = values / 257.0
    return Image.fromarray(np.clip(np.rint(values), 0, 255).astype(np.uint8))


def _too_large(detail: str) -> PageRefused:
    step = "bring a smaller picture, or raise corpus.limits.image_pixels in eval.yaml"
    return PageRefused(detail, reason="too many pixels", next_step=step)


def _damaged(error: BaseException) -> PageRefused:
    step = "check that the file is complete and opens in a viewer, then bring it again"
    return PageRefused(f"Pillow cannot read it: {error}", reason="damaged file", next_step=step)
