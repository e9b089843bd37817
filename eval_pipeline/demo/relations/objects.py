"""Views of objects: mugs, lamps, chairs and bottles, each with colours and proportions of its own.

Five objects a type, three views each: shifted, nearer or farther, mirrored, in other light. One view names no object,
as real tables have it, and one picture is handed in under two names.
"""

import io
from collections.abc import Callable, Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageEnhance, ImageOps

from eval_pipeline.demo.relations.placing import Draw, DrawnSet, place_set, write_table

TRUTH = "truth/objects.jsonl"
TABLE = "corpus/objects.csv"
SIDE = 160
N_OBJECTS = 5
N_VIEWS = 3
COLOURS = ("#8c2f39", "#2f5d50", "#274472", "#d9a066", "#5e4b8b", "#3a3a3a", "#b3541e", "#7a9e9f")
ROOMS = ("#f2efe6", "#e3e9ec", "#ece3dd")
Paint = Callable[[ImageDraw.ImageDraw, Draw], None]


def draw_objects(*, home: Path, seed: int) -> DrawnSet:
    """Draw 60 views and one repeated picture into `corpus/`; the truth names object and type of every file.

    Args:
        home: folder; made where it is missing.
        seed: of colours, proportions and views.
    """
    files: dict[str, bytes] = {}
    told: list[dict[str, str]] = []
    rows: list[dict[str, object]] = []
    for kind, paint in TYPES.items():
        for number in range(N_OBJECTS):
            name = f"{kind}-{number}"
            for view in range(N_VIEWS):
                path = f"corpus/{name}-view{view}.png"
                files[path] = _view(paint, Draw(seed=seed, name=name), Draw(seed=seed, name=f"{name} {view}"))
                told.append({"file": path, "type": kind, "object": name})
                rows.append({"file": path, "type": kind, "object": name})
    told[1]["object"] = ""
    again = "corpus/mug-0-second-name.png"
    files[again] = files["corpus/mug-0-view0.png"]
    told.append({"file": again, "type": "mug", "object": "mug-90"})
    rows.append({"file": again, "type": "mug", "object": "mug-0"})
    return place_set(home=home, files={**files, TABLE: write_table(told)}, truth=TRUTH, rows=rows)


def _view(paint: Paint, item: Draw, view: Draw) -> bytes:
    """One view: the object is the same, where it stands and how it is lit is not."""
    picture = Image.new("RGB", (SIDE, SIDE), view.pick("room", ROOMS))
    canvas = Image.new("RGBA", (SIDE, SIDE), (0, 0, 0, 0))
    paint(ImageDraw.Draw(canvas), item)
    size = round(SIDE * (0.75 + 0.25 * view.number("distance")))
    canvas = canvas.resize((size, size), Image.Resampling.BICUBIC)
    if view.number("mirror") > 0.5:
        canvas = ImageOps.mirror(canvas)
    free = SIDE - size
    picture.paste(canvas, (view.between("left", 0, free), view.between("top", 0, free)), canvas)
    lit = ImageEnhance.Brightness(picture).enhance(0.85 + 0.3 * view.number("light"))
    out = io.BytesIO()
    lit.save(out, format="PNG")
    return out.getvalue()


def _colours(item: Draw) -> Sequence[str]:
    first = item.between("colour", 0, len(COLOURS) - 1)
    return COLOURS[first], COLOURS[(first + item.between("other", 1, len(COLOURS) - 1)) % len(COLOURS)]


def _paint_mug(ink: ImageDraw.ImageDraw, item: Draw) -> None:
    body, mark = _colours(item)
    width, height = item.between("width", 56, 84), item.between("height", 60, 100)
    ink.ellipse((30 + width, 50, 58 + width, 50 + height // 2), outline=body, width=8)
    ink.rounded_rectangle((36, 36, 36 + width, 36 + height), radius=10, fill=body)
    for stripe in range(item.between("stripes", 1, 4)):
        ink.rectangle((36, 50 + 12 * stripe, 36 + width, 55 + 12 * stripe), fill=mark)


def _paint_lamp(ink: ImageDraw.ImageDraw, item: Draw) -> None:
    shade, foot = _colours(item)
    spread, stem = item.between("spread", 24, 48), item.between("stem", 40, 80)
    ink.polygon(((80 - spread // 2, 20), (80 + spread // 2, 20), (80 + spread, 64), (80 - spread, 64)), fill=shade)
    ink.rectangle((77, 64, 83, 64 + stem), fill=foot)
    base = item.between("base", 16, 36)
    ink.ellipse((80 - base, 56 + stem, 80 + base, 72 + stem), fill=foot)


def _paint_chair(ink: ImageDraw.ImageDraw, item: Draw) -> None:
    frame, seat = _colours(item)
    back, width = item.between("back", 30, 60), item.between("width", 44, 76)
    ink.rectangle((44, 80 - back, 52, 140), fill=frame)
    ink.rectangle((44 + width, 84, 52 + width, 140), fill=frame)
    ink.rectangle((44, 80, 52 + width, 92), fill=seat)
    for slat in range(item.between("slats", 1, 3)):
        ink.rectangle((52, 78 - back + 14 * slat, 62, 86 - back + 14 * slat), fill=seat)


def _paint_bottle(ink: ImageDraw.ImageDraw, item: Draw) -> None:
    glass, label = _colours(item)
    width, neck = item.between("width", 28, 52), item.between("neck", 20, 48)
    ink.rectangle((74, 16, 86, 16 + neck), fill=glass)
    ink.rounded_rectangle((80 - width // 2, 16 + neck, 80 + width // 2, 146), radius=12, fill=glass)
    ink.rectangle((80 - width // 2, 84, 80 + width // 2, 84 + item.between("label", 14, 36)), fill=label)


TYPES: dict[str, Paint] = {"mug": _paint_mug, "lamp": _paint_lamp, "chair": _paint_chair, "bottle": _paint_bottle}
