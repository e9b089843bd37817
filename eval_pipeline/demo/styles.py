"""House styles: the frame that a report puts around each of its pages, and where the body may go."""

from dataclasses import dataclass

from eval_pipeline.demo.sheet import GREY, Sheet

LETTER = (612.0, 792.0)
SLIDE = (792.0, 612.0)


@dataclass(frozen=True, kw_only=True)
class Body:
    """Free part of a page, in points from the top left.

    Attributes:
        left: left edge.
        top: upper edge, below the title.
        width: width.
        height: height.
    """

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Lower edge."""
        return self.top + self.height


def size_of(style: str) -> tuple[float, float]:
    """Page size of a style in points."""
    return SLIDE if style == "deck" else LETTER


def frame_page(sheet: Sheet, *, title: str, subtitle: str, period_in: str = "header") -> Body:
    """Draw header, title and footer; returns the body.

    Args:
        sheet: the page.
        title: heading of the page.
        subtitle: line below it, often the unit; may be empty.
        period_in: `header` prints the period line in the running header only, `title` below the title only, `none`
            leaves it to the body.
    """
    header = sheet.quarter.line if period_in == "header" else "Quarterly report"
    below = f"{sheet.quarter.line}, {subtitle}" if period_in == "title" else subtitle
    draw = {"band": _band, "rule": _rule, "deck": _deck}[sheet.company.style]
    return draw(sheet, title, below, header)


def draw_mark(sheet: Sheet, x: float, y: float, size: float, color: str) -> None:
    """The company's logo in a square whose upper left corner is given."""
    half = size / 2
    match sheet.company.mark:
        case 0:
            sheet.disc(x + half, y + half, half, color)
            sheet.disc(x + half * 1.3, y + half * 0.8, half * 0.45, sheet.company.palette.dark)
        case 1:
            sheet.polygon([(x + half, y), (x + size, y + size), (x, y + size)], color)
        case 2:
            sheet.box(x, y, size * 0.44, size, color)
            sheet.box(x + size * 0.56, y + size * 0.3, size * 0.44, size * 0.7, color)
        case _:
            sheet.polygon([(x + half, y), (x + size, y + half), (x + half, y + size), (x, y + half)], color)


def _band(sheet: Sheet, title: str, below: str, header: str) -> Body:
    palette = sheet.company.palette
    sheet.box(0, 0, sheet.width, 54, palette.soft)
    sheet.box(0, 54, sheet.width, 2, palette.accent)
    draw_mark(sheet, 48, 16, 22, palette.accent)
    sheet.text(80, 33, sheet.company.name, size=15, weight="bold", color=palette.dark)
    sheet.text(sheet.width - 48, 33, header, size=10, color=palette.dark, align="right")
    sheet.text(48, 104, title, size=21, weight="bold", color=palette.dark)
    sheet.text(48, 124, below, size=10.5, color=GREY)
    return Body(left=48, top=150, width=sheet.width - 96, height=560)


def _rule(sheet: Sheet, title: str, below: str, header: str) -> Body:
    palette = sheet.company.palette
    draw_mark(sheet, 54, 34, 16, palette.accent)
    sheet.text(78, 47, sheet.company.name, size=12, weight="bold", color=palette.dark)
    sheet.text(sheet.width - 54, 47, header, size=9.5, color=GREY, align="right")
    sheet.rule(54, 58, sheet.width - 54, 58, color=palette.dark, width=1.6)
    sheet.rule(54, 61, sheet.width - 54, 61, color=palette.dark, width=0.5)
    sheet.text(sheet.width / 2, 108, title, size=18, weight="bold", color=palette.dark, align="middle")
    sheet.text(sheet.width / 2, 126, below, size=10, weight="italic", color=GREY, align="middle")
    return Body(left=72, top=156, width=sheet.width - 144, height=550)


def _deck(sheet: Sheet, title: str, below: str, header: str) -> Body:
    palette = sheet.company.palette
    sheet.box(0, 0, 30, sheet.height, palette.dark)
    sheet.box(30, 0, 6, sheet.height, palette.accent)
    sheet.text(64, 58, title, size=24, weight="bold", color=palette.dark)
    sheet.text(64, 80, below, size=11, color=GREY)
    draw_mark(sheet, sheet.width - 70, 34, 22, palette.accent)
    sheet.text(sheet.width - 82, 46, sheet.company.name, size=12, weight="bold", color=palette.dark, align="right")
    sheet.text(sheet.width - 82, 61, header, size=9, color=GREY, align="right")
    return Body(left=64, top=106, width=sheet.width - 112, height=440)


def draw_foot(sheet: Sheet) -> None:
    """Company and page number; drawn last, so that they end the text of the page."""
    margin = {"band": 48, "rule": 54, "deck": 64}[sheet.company.style]
    y = sheet.height - 34
    sheet.rule(margin, y - 14, sheet.width - margin, y - 14, color="#c8ccd2", width=0.5)
    sheet.text(margin, y, f"{sheet.company.name} ({sheet.company.ticker})", size=8, color=GREY)
    sheet.text(sheet.width - margin, y, str(sheet.number), size=8, color=GREY, align="right")
