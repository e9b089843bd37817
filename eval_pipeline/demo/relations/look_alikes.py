"""Pictures that look alike, and copies of some: recompressed, resized, cropped.

Four designs, six originals each. Within a design the originals share colours and places and differ in words and
figures; the last one, the twin, differs from the first in one figure only. Two originals a design have three copies.
"""

import io
from collections.abc import Callable
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from eval_pipeline.demo.names import STEMS
from eval_pipeline.demo.relations.placing import Draw, DrawnSet, place_set

TRUTH = "truth/copies.jsonl"
WIDTH, HEIGHT = 640, 480
N_ORIGINALS = 6
N_COPIED = 2
INK = "#22262c"
PAPER = "#fbfaf6"
ITEMS = ("Rye bread", "Oat milk", "Pears", "Barley", "Butter", "Honey", "Walnuts", "Lentils", "Cider", "Plums")
ROOMS = ("Office", "Archive", "Workshop", "Studio", "Canteen", "Server", "Foyer", "Meeting")
TOWNS = ("Aldersby", "Brockhaven", "Carrick", "Dunmore", "Eastwell", "Fenwick", "Garrow", "Holmstead")


def draw_look_alikes(*, home: Path, seed: int) -> DrawnSet:
    """Draw 24 originals and 24 copies into `corpus/`; the truth names the original of each file.

    Args:
        home: folder; made where it is missing.
        seed: of words and figures.
    """
    files: dict[str, bytes] = {}
    rows: list[dict[str, object]] = []
    for design, paint in DESIGNS.items():
        for number in range(N_ORIGINALS):
            original = f"{design}-{number}"
            picture = _paint(paint, design, number, seed)
            made = {"png": _save(picture, "PNG")}
            if number < N_COPIED:
                made |= _copy(picture, Draw(seed=seed, name=f"{original} copies"))
            for ending, data in made.items():
                path = f"corpus/{original}{'' if ending == 'png' else '-'}{'.png' if ending == 'png' else ending}"
                files[path] = data
                rows.append({"file": path, "original": original, "design": design, "is_copy": ending != "png"})
    return place_set(home=home, files=files, truth=TRUTH, rows=rows)


def _paint(paint: Callable[[ImageDraw.ImageDraw, Draw, str], None], design: str, number: int, seed: int) -> Image.Image:
    picture = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    is_twin = number == N_ORIGINALS - 1
    draw = Draw(seed=seed, name=f"{design} {0 if is_twin else number}")
    paint(ImageDraw.Draw(picture), draw, "twin" if is_twin else "")
    return picture


def _figure(draw: Draw, what: str, twin: str, low: int, high: int) -> int:
    """A figure; the twin's is another one by at least a tenth of the range."""
    figure = draw.between(what, low, high)
    span = high - low + 1
    return low + (figure - low + span // 10 + draw.between(f"{what} twin", 0, span // 2)) % span if twin else figure


def _text(ink: ImageDraw.ImageDraw, at: tuple[float, float], words: str, size: float, *, color: str = INK) -> None:
    ink.text(at, words, fill=color, font=ImageFont.load_default(size=size))


def _paint_prices(ink: ImageDraw.ImageDraw, draw: Draw, twin: str) -> None:
    ink.rectangle((0, 0, WIDTH, 76), fill="#2f5d50")
    _text(ink, (24, 20), f"{draw.pick('shop', STEMS)} market hall", 30, color=PAPER)
    for row in range(7):
        y = 108 + row * 50
        figure = _figure(draw, f"price {row}", twin if row == 3 else "", 110, 999)
        _text(ink, (40, y), draw.pick(f"item {row}", ITEMS), 24)
        _text(ink, (500, y), f"{figure / 100:.2f}", 24)
        ink.line((40, y + 38, 600, y + 38), fill="#c9c4b8", width=1)


def _paint_bars(ink: ImageDraw.ImageDraw, draw: Draw, twin: str) -> None:
    _text(ink, (40, 24), f"{draw.pick('firm', STEMS)}: orders by region", 26)
    ink.line((40, 420, 600, 420), fill=INK, width=2)
    for bar in range(6):
        figure = _figure(draw, f"bar {bar}", twin if bar == 4 else "", 12, 96)
        x, top = 60 + bar * 90, 420 - 3 * figure
        ink.rectangle((x, top, x + 54, 419), fill="#b3541e" if bar % 2 else "#d9a066")
        _text(ink, (x + 12, top - 26), str(figure), 20)
        _text(ink, (x, 432), draw.pick(f"town {bar}", TOWNS)[:6], 16)


def _paint_ticket(ink: ImageDraw.ImageDraw, draw: Draw, twin: str) -> None:
    ink.rounded_rectangle((24, 60, 616, 420), radius=24, fill="#e8eef5", outline="#274472", width=4)
    _text(ink, (60, 90), draw.pick("from", TOWNS), 34, color="#274472")
    _text(ink, (60, 140), f"to {draw.pick('to', TOWNS)}", 34, color="#274472")
    _text(ink, (60, 230), f"Seat {draw.between('seat', 1, 88)}   Car {draw.between('car', 1, 9)}", 28)
    _text(ink, (60, 300), f"No. {_figure(draw, 'number', twin, 10_000, 99_999)}", 40)
    for stripe in range(40):
        width = 2 + 6 * (draw.number(f"stripe {stripe}") > 0.5)
        ink.rectangle((400 + 5 * stripe, 120, 400 + 5 * stripe + width // 2, 260), fill=INK)


def _paint_plan(ink: ImageDraw.ImageDraw, draw: Draw, twin: str) -> None:
    _text(ink, (40, 16), f"{draw.pick('house', STEMS)} house, floor {draw.between('floor', 1, 7)}", 24)
    for room in range(8):
        x, y = 40 + (room % 4) * 142, 70 + (room // 4) * 196
        ink.rectangle((x, y, x + 134, y + 188), outline=INK, width=4)
        door = 20 + draw.between(f"door {room}", 0, 70)
        ink.line((x + door, y + 188, x + door + 32, y + 188), fill=PAPER, width=6)
        _text(ink, (x + 14, y + 30), draw.pick(f"room {room}", ROOMS), 20)
        area = _figure(draw, f"area {room}", twin if room == 5 else "", 10, 96)
        _text(ink, (x + 14, y + 80), f"{area} m2", 24)


DESIGNS: dict[str, Callable[[ImageDraw.ImageDraw, Draw, str], None]] = {
    "prices": _paint_prices,
    "bars": _paint_bars,
    "ticket": _paint_ticket,
    "plan": _paint_plan,
}


def _copy(picture: Image.Image, draw: Draw) -> dict[str, bytes]:
    """Three copies by name ending: recompressed; resized and recompressed; cropped, resized and recompressed."""
    scale = 0.55 + 0.35 * draw.number("scale")
    share = 0.78 + 0.14 * draw.number("share")
    left = draw.number("left") * (1 - share) * WIDTH
    top = draw.number("top") * (1 - share) * HEIGHT
    cut = picture.crop((round(left), round(top), round(left + share * WIDTH), round(top + share * HEIGHT)))
    return {
        "recompressed.jpg": _save(picture, "JPEG", draw.between("quality", 30, 60)),
        "resized.jpg": _save(_resize(picture, scale), "JPEG", 70),
        "cropped.jpg": _save(_resize(cut, 0.7 + 0.5 * draw.number("cut scale")), "JPEG", 65),
    }


def _resize(picture: Image.Image, scale: float) -> Image.Image:
    return picture.resize((round(picture.width * scale), round(picture.height * scale)), Image.Resampling.BICUBIC)


def _save(picture: Image.Image, kind: str, quality: int = 90) -> bytes:
    out = io.BytesIO()
    picture.save(out, format=kind, quality=quality)
    return out.getvalue()
