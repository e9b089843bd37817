"""What an asset shows in the UI: counts, small tables and pictures."""

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path

import dagster as dg
import polars as pl

PREVIEW_ROWS = 12
IN_A_ROW = 4
"""Pictures; the UI's window is as wide as five of them."""
Summary = Mapping[str, int | float | str]
"""Counts and short facts of a stage, in the order to show them."""


def counts(summary: Summary) -> dict[str, dg.MetadataValue]:
    """Metadata from a stage's summary, in its order, named in words: `n_posed` reads "posed"."""
    shown: dict[str, dg.MetadataValue] = {}
    for key, value in summary.items():
        name = in_words(key)
        match value:
            case int():
                shown[name] = dg.MetadataValue.int(value)
            case float():
                shown[name] = dg.MetadataValue.float(value)
            case _:
                shown[name] = dg.MetadataValue.text(value)
    return shown


def in_words(name: str) -> str:
    """A column's or count's name as people read it."""
    return name.removeprefix("n_").replace("_", " ")


def by_bucket(summaries: Mapping[str, Summary]) -> dict[str, dg.MetadataValue]:
    """What a step did, bucket by bucket, to stand beside every bucket of it.

    The UI opens an asset at whichever bucket came last, and most hold nothing new: without this it says "no metadata".

    Args:
        summaries: of each bucket that was worked on.
    """
    rows = [{"bucket": bucket, **summaries[bucket]} for bucket in sorted(summaries)]
    if not rows:
        return {"this run": dg.MetadataValue.text("nothing new in any bucket")}
    return {"this run": table(pl.DataFrame(rows, infer_schema_length=None).rename(in_words), rows=len(rows))}


def table(frame: pl.DataFrame, *, rows: int = PREVIEW_ROWS) -> dg.MetadataValue:
    """A Markdown table of the first rows; "none" where there is no row."""
    if frame.is_empty():
        return dg.MetadataValue.md("none")
    head = frame.head(rows)
    lines = [_row(head.columns), _row(["---"] * len(head.columns))]
    lines += [_row([_cell(value) for value in row]) for row in head.rows()]
    if frame.height > rows:
        lines.append(f"\n{frame.height - rows:,} more rows")
    return dg.MetadataValue.md("\n".join(lines))


def _cell(value: object) -> str:
    match value:
        case None:
            return "-"
        case float():
            return f"{value:.3f}"
        case _:
            return str(value).replace("|", "\\|").replace("\n", " ")[:120]


def pictures(paths: Sequence[tuple[str, Path]], *, height_px: int = 220) -> dg.MetadataValue:
    """Small pages, each under its caption, four in a row; inside the metadata itself: no server, no network."""
    if not paths:
        return dg.MetadataValue.md("no pages")
    lines: list[str] = []
    for row in (paths[first : first + IN_A_ROW] for first in range(0, len(paths), IN_A_ROW)):
        cells = [f"**{_cell(caption)}**" for caption, _ in row]
        drawn = [_draw(caption, path, height_px) for caption, path in row]
        lines += [_row(cells), *([] if lines else [_row(["---"] * len(cells))]), _row(drawn)]
    return dg.MetadataValue.md("\n".join(lines))


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _draw(caption: str, path: Path, height_px: int) -> str:
    from io import BytesIO

    from PIL import Image

    if not path.exists():
        return "picture missing, see 'eval-pipeline doctor'"
    with Image.open(path) as image:
        small = image.convert("RGB")
        small.thumbnail((height_px * 2, height_px))
    data = BytesIO()
    small.save(data, "JPEG", quality=80)
    encoded = base64.b64encode(data.getvalue()).decode()
    return f"![{_cell(caption)}](data:image/jpeg;base64,{encoded})"
