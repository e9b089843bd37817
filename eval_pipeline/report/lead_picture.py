"""The argument in one picture: a page beside its look-alikes, and what one retriever is worth against either kind."""

from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from eval_pipeline.foundation.errors import MeasureUndefined
from eval_pipeline.report.cards import say_axis
from eval_pipeline.report.data import PageCard, QuestionExample, ReportData, TaskSection
from eval_pipeline.report.figures import Figure, FigureBook

WIDTH, PAGE_WIDTH, PAGE_HEIGHT, GAP, MARGIN = 1240, 280, 362, 26, 24
INK, QUIET, PAPER, LINE = "#1d2430", "#5b6574", "#ffffff", "#d5dae1"
FLOOR = "control-template"
NAIVE_COLOUR, OURS_COLOUR, GOLD_COLOUR = "#5f6f8a", "#c2500f", "#1d2430"
BAR_LEFT, BAR_WIDTH, BAR_HEIGHT = 330, 700, 30


@dataclass(frozen=True, kw_only=True)
class LeadBar:
    """One bar: where it is from, the figure, and the same figure of control-template (None where it was not run)."""

    label: str
    colour: str
    figure: Figure
    floor: float | None


def draw_lead(data: ReportData, *, variant: str) -> Image.Image:
    """Draw the picture from the first task that has an example and both figures.

    Args:
        data: the report's data.
        variant: the retriever whose bars are drawn.

    Returns:
        RGB picture; the same data give the same pixels.

    Raises:
        MeasureUndefined: no task has an example with negatives and both figures.
    """
    for section in data.tasks:
        example = _choose(section.examples)
        bars = _bars(section, variant)
        if example is not None and len(bars) == 2:
            return _draw(example, bars, variant)
    message = f"no task has an example with three negatives and figures of {variant!r} in both tests"
    raise MeasureUndefined(message, reason="no_example")


def _choose(examples: tuple[QuestionExample, ...]) -> QuestionExample | None:
    """The first example whose negatives differ on the most axes, among those with a gold page and three negatives."""
    fitting = [item for item in examples if item.gold and len(item.negatives) >= 3]
    return max(fitting, key=lambda item: len({card.axis for card in item.negatives}), default=None)


def _bars(section: TaskSection, variant: str) -> list[LeadBar]:
    book = FigureBook.from_frame(section.figures if section.headline is None else section.headline)
    wanted = (
        ("naive test: top@1 among random pages", NAIVE_COLOUR, "random", "top@1"),
        ("this test: sufficient@1 among siblings", OURS_COLOUR, "siblings", "sufficient@1"),
    )
    bars = []
    for label, colour, arena, measure in wanted:
        figure = book.find(variant=variant, arena=arena, measure=measure)
        if figure is not None and figure.estimate is not None:
            floor = book.find(variant=FLOOR, arena=arena, measure=measure)
            bars.append(LeadBar(label=label, colour=colour, figure=figure, floor=floor.estimate if floor else None))
    return bars


def _draw(example: QuestionExample, bars: list[LeadBar], variant: str) -> Image.Image:
    top = MARGIN + 62
    height = top + PAGE_HEIGHT + 86 + 2 * (BAR_HEIGHT + 18) + 52
    canvas = Image.new("RGB", (WIDTH, height), PAPER)
    pen = ImageDraw.Draw(canvas)
    pen.text((MARGIN, MARGIN), example.text, fill=INK, font=_font(26))
    assert example.gold is not None
    cards = [(example.gold, "the page that answers"), *((card, say_axis(card.axis)) for card in _spread(example))]
    for number, (card, head) in enumerate(cards):
        _draw_card(canvas, card, head, left=MARGIN + number * (PAGE_WIDTH + GAP), top=top, is_gold=number == 0)
    bar_top = top + PAGE_HEIGHT + 78
    for number, bar in enumerate(bars):
        _draw_bar(pen, bar, top=bar_top + number * (BAR_HEIGHT + 18))
    note = (
        f"retriever: {variant}. Thin line: chance; thick line: a control that knows the template only. "
        "Two denominators; no difference is shown."
    )
    pen.text((MARGIN, height - 36), note, fill=QUIET, font=_font(17))
    return canvas


def _spread(example: QuestionExample) -> list[PageCard]:
    """Three negatives, one of each axis first."""
    first: dict[str | None, PageCard] = {}
    for card in example.negatives:
        first.setdefault(card.axis, card)
    rest = [card for card in example.negatives if card not in first.values()]
    return [*first.values(), *rest][:3]


def _draw_card(canvas: Image.Image, card: PageCard, head: str, *, left: int, top: int, is_gold: bool) -> None:
    pen = ImageDraw.Draw(canvas)
    box = (left, top, left + PAGE_WIDTH, top + PAGE_HEIGHT)
    if card.picture is not None:
        canvas.paste(_fit(card.picture), (left, top))
    pen.rectangle(box, outline=GOLD_COLOUR if is_gold else LINE, width=4 if is_gold else 1)
    pen.text((left, top + PAGE_HEIGHT + 8), head, fill=INK, font=_font(20))
    pen.text((left, top + PAGE_HEIGHT + 36), _shorten(card.caption, pen), fill=QUIET, font=_font(16))


def _fit(path: Path) -> Image.Image:
    with Image.open(path) as picture:
        page = picture.convert("RGB")
    scale = PAGE_WIDTH / page.width
    page = page.resize((PAGE_WIDTH, max(1, round(page.height * scale))), Image.Resampling.LANCZOS)
    whole = Image.new("RGB", (PAGE_WIDTH, PAGE_HEIGHT), PAPER)
    whole.paste(page.crop((0, 0, PAGE_WIDTH, min(PAGE_HEIGHT, page.height))), (0, 0))
    return whole


def _shorten(text: str, pen: ImageDraw.ImageDraw) -> str:
    font = _font(16)
    if pen.textlength(text, font=font) <= PAGE_WIDTH:
        return text
    while text and pen.textlength(text + "…", font=font) > PAGE_WIDTH:
        text = text[:-1]
    return text.rstrip(" ·") + "…"


def _draw_bar(pen: ImageDraw.ImageDraw, bar: LeadBar, *, top: int) -> None:
    middle = top + BAR_HEIGHT // 2
    pen.text((MARGIN, middle), bar.label, fill=INK, font=_font(16), anchor="lm")
    pen.rectangle((BAR_LEFT, top, BAR_LEFT + BAR_WIDTH, top + BAR_HEIGHT), fill="#eef1f5")
    estimate = float(bar.figure.estimate or 0.0)
    pen.rectangle((BAR_LEFT, top, BAR_LEFT + round(BAR_WIDTH * estimate), top + BAR_HEIGHT), fill=bar.colour)
    for value, name in ((bar.figure.chance, "chance"), (bar.floor, "floor")):
        if value is not None:
            x = BAR_LEFT + round(BAR_WIDTH * value)
            pen.line((x, top - 5, x, top + BAR_HEIGHT + 5), fill=INK, width=3 if name == "floor" else 1)
    if bar.figure.low is not None and bar.figure.high is not None:
        low, high = (BAR_LEFT + round(BAR_WIDTH * value) for value in (bar.figure.low, bar.figure.high))
        pen.line((low, middle, high, middle), fill=INK, width=2)
        for x in (low, high):
            pen.line((x, middle - 6, x, middle + 6), fill=INK, width=2)
    told = f"{estimate:.2f}  (n = {bar.figure.n_scored:,})"
    pen.text((BAR_LEFT + BAR_WIDTH + 16, middle), told, fill=INK, font=_font(20), anchor="lm")


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
