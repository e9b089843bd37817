"""The connection as one picture: both figures of a family of retrievers against the skill that sets them apart."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from eval_pipeline.metrics.aggregate import SliceFigure
from eval_pipeline.metrics.validation.connection import SkillPoint

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 430, 64, 212, 62, 58
INK, QUIET, LINE = "#1d2430", "#5b6574", "#d5dae1"
NAIVE_COLOUR, OURS_COLOUR = "#5f6f8a", "#c2500f"


@dataclass(frozen=True, kw_only=True)
class _Curve:
    """One figure over the family.

    Attributes:
        label: beside its end.
        colour: of line and band.
        dash: stroke pattern, so that colour alone does not tell the curves apart.
        points: skill, estimate, low, high.
    """

    label: tuple[str, str]
    colour: str
    dash: str
    points: tuple[tuple[float, float, float, float], ...]


def draw_connection(points: Sequence[SkillPoint]) -> str:
    """Draw the family as SVG text; the same points give the same text.

    Args:
        points: by rising skill, each with both estimates and their intervals.
    """
    curves = (
        _Curve(
            label=("top@1", "among random pages"),
            colour=NAIVE_COLOUR,
            dash="7 4",
            points=tuple(_read(point.skill, point.naive) for point in points),
        ),
        _Curve(
            label=("sufficient@1", "among siblings"),
            colour=OURS_COLOUR,
            dash="none",
            points=tuple(_read(point.skill, point.siblings) for point in points),
        ),
    )
    n = points[0].siblings.n_scored
    size = points[0].siblings.rows["n_candidates"].to_list()[0]
    told = (
        f"Simulated retrievers that all know the template. {n:,} questions, {size} candidates in either test; "
        "bands are 95 % intervals."
    )
    described = "; ".join(
        f"skill {one[0]:.1f}: {one[1]:.2f} among random pages, {two[1]:.2f} among siblings"
        for one, two in zip(curves[0].points, curves[1].points, strict=True)
    )
    title = "Skill that shows among siblings does not show among random pages"
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'role="img" aria-labelledby="t d" font-family="system-ui, sans-serif">',
        f'<title id="t">{escape(title)}</title><desc id="d">{escape(described)}</desc>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="16" y="24" font-size="16" font-weight="600" fill="{INK}">{escape(title)}</text>',
        f'<text x="16" y="44" font-size="12" fill="{QUIET}">{escape(told)}</text>',
        *_axes(),
        *(part for curve in curves for part in _draw(curve)),
        "</svg>",
    ]
    return "\n".join(body) + "\n"


def _read(skill: float, figure: SliceFigure) -> tuple[float, float, float, float]:
    estimate, interval = float(figure.estimate or 0.0), figure.interval
    low = estimate if interval.low is None else interval.low
    high = estimate if interval.high is None else interval.high
    return skill, estimate, low, high


def _x(skill: float) -> float:
    return LEFT + skill * (WIDTH - LEFT - RIGHT)


def _y(value: float) -> float:
    return TOP + (1 - value) * (HEIGHT - TOP - BOTTOM)


def _axes() -> Iterator[str]:
    for number in range(0, 11, 2):
        at = number / 10
        yield f'<line x1="{LEFT}" x2="{_x(1):.0f}" y1="{_y(at):.1f}" y2="{_y(at):.1f}" stroke="{LINE}"/>'
        yield (
            f'<text x="{LEFT - 10}" y="{_y(at) + 4:.1f}" font-size="12" text-anchor="end" fill="{QUIET}">'
            f"{at:.1f}</text>"
        )
        yield (
            f'<text x="{_x(at):.1f}" y="{_y(0) + 20:.1f}" font-size="12" text-anchor="middle" fill="{QUIET}">'
            f"{at:.1f}</text>"
        )
    yield (
        f'<text x="{_x(0.5):.1f}" y="{HEIGHT - 14}" font-size="13" text-anchor="middle" fill="{INK}">'
        "chance to tell a sibling apart from the page that answers</text>"
    )


def _draw(curve: _Curve) -> Iterator[str]:
    upper = [f"{_x(skill):.1f},{_y(high):.1f}" for skill, _, _, high in curve.points]
    lower = [f"{_x(skill):.1f},{_y(low):.1f}" for skill, _, low, _ in reversed(curve.points)]
    yield f'<polygon points="{" ".join(upper + lower)}" fill="{curve.colour}" opacity="0.16"/>'
    line = " ".join(f"{_x(skill):.1f},{_y(value):.1f}" for skill, value, _, _ in curve.points)
    yield (
        f'<polyline points="{line}" fill="none" stroke="{curve.colour}" stroke-width="2.5" '
        f'stroke-dasharray="{curve.dash}"/>'
    )
    for skill, value, _, _ in curve.points:
        yield f'<circle cx="{_x(skill):.1f}" cy="{_y(value):.1f}" r="3.5" fill="{curve.colour}"/>'
    # Both curves end at 1, so each is named where it stands alone.
    skill, value = curve.points[-1][0], curve.points[-1][1]
    first = curve.points[0][1]
    spread = value - first
    at = _y(value) + 4 if spread < 0.5 else _y(curve.points[-2][1]) + 4
    name, place = curve.label
    yield (
        f'<text x="{_x(skill) + 14:.1f}" y="{at:.1f}" font-size="13" fill="{curve.colour}">'
        f'<tspan font-weight="600">{name}</tspan> {place}</text>'
    )
    yield (
        f'<text x="{_x(skill) + 14:.1f}" y="{at + 17:.1f}" font-size="12" fill="{QUIET}">'
        f"{first:.2f} to {value:.2f}</text>"
    )
