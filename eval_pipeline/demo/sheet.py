"""One page being drawn: text and shapes by distance from the top left, and the facts that were printed."""

from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.pdfbase.pdfmetrics import stringWidth

from eval_pipeline.demo.facts import Fact, Mention, show_value
from eval_pipeline.demo.statements import Line
from eval_pipeline.demo.world import CONSOLIDATED, Company, Quarter, World

INK = "#20242a"
GREY = "#6b7280"
FAMILIES = {
    False: ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique"),
    True: ("Times-Roman", "Times-Bold", "Times-Italic"),
}


class Sheet:
    """A page of a report.

    Attributes:
        world: figures.
        company: whose report it is.
        quarter: period of the report.
        width: points.
        height: points.
        number: 1-based page.
        facts: values printed so far.
        mentions: subjects spoken of so far.
    """

    def __init__(
        self, *, canvas: Any, world: World, company: Company, quarter: Quarter, size: tuple[float, float], number: int
    ) -> None:
        self._canvas = canvas
        self.world = world
        self.company = company
        self.quarter = quarter
        self.width, self.height = size
        self.number = number
        self.facts: list[Fact] = []
        self.mentions: list[Mention] = []

    @property
    def is_wide(self) -> bool:
        """Whether the page is a landscape slide."""
        return self.width > self.height

    def font(self, weight: str = "plain") -> str:
        """Built-in font of this company: weight `plain`, `bold` or `italic`."""
        return FAMILIES[self.company.is_serif][("plain", "bold", "italic").index(weight)]

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 10,
        weight: str = "plain",
        color: str = INK,
        align: str = "left",
    ) -> None:
        """Print one line; y is its baseline, measured from the top."""
        font = self.font(weight)
        shift = {"left": 0.0, "middle": 0.5, "right": 1.0}[align] * stringWidth(words, font, size)
        self._canvas.setFillColor(HexColor(color))
        self._canvas.setFont(font, size)
        self._canvas.drawString(x - shift, self.height - y, words)

    def measure(self, words: str, *, size: float, weight: str = "plain") -> float:
        """Width of a line in points."""
        return float(stringWidth(words, self.font(weight), size))

    def paragraph(self, x: float, y: float, words: str, *, width: float, size: float = 10, lead: float = 1.45) -> float:
        """Print words in lines no wider than `width`; returns the baseline below the last one."""
        line = ""
        for word in words.split():
            longer = f"{line} {word}".strip()
            if line and self.measure(longer, size=size) > width:
                self.text(x, y, line, size=size)
                y, line = y + size * lead, word
            else:
                line = longer
        self.text(x, y, line, size=size)
        return y + size * lead

    def box(self, x: float, y: float, width: float, height: float, color: str) -> None:
        """Fill a rectangle; y is its upper edge."""
        self._canvas.setFillColor(HexColor(color))
        self._canvas.rect(x, self.height - y - height, width, height, stroke=0, fill=1)

    def rule(self, x1: float, y1: float, x2: float, y2: float, *, color: str = GREY, width: float = 0.6) -> None:
        """Draw a straight line."""
        self._canvas.setStrokeColor(HexColor(color))
        self._canvas.setLineWidth(width)
        self._canvas.line(x1, self.height - y1, x2, self.height - y2)

    def disc(self, x: float, y: float, radius: float, color: str) -> None:
        """Fill a circle around a centre."""
        self._canvas.setFillColor(HexColor(color))
        self._canvas.circle(x, self.height - y, radius, stroke=0, fill=1)

    def polygon(self, points: list[tuple[float, float]], color: str) -> None:
        """Fill a closed shape."""
        path = self._canvas.beginPath()
        path.moveTo(points[0][0], self.height - points[0][1])
        for x, y in points[1:]:
            path.lineTo(x, self.height - y)
        path.close()
        self._canvas.setFillColor(HexColor(color))
        self._canvas.drawPath(path, stroke=0, fill=1)

    def note(
        self,
        line: Line,
        *,
        scope: str = CONSOLIDATED,
        quarter: Quarter | None = None,
        is_readable: bool = True,
        revision: str = "original",
    ) -> str:
        """Record a fact that is about to be printed; returns how to print it."""
        shown = show_value(line.value, line.unit)
        self.facts.append(
            Fact(
                entity=self.company.name,
                scope=scope,
                metric=line.metric,
                period=(quarter or self.quarter).name,
                revision=revision,
                value=line.value,
                unit=line.unit,
                shown=shown if is_readable else None,
            )
        )
        return shown

    def mention(self, metric: str) -> None:
        """Record that the page speaks of a metric without its value."""
        self.mentions.append(Mention(entity=self.company.name, metric=metric, period=self.quarter.name))
