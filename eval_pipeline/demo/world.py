"""The made-up companies and their figures: the same seed gives the same world, on every machine.

Figures are whole numbers, made by hashing and by products of floats only (no powers or logarithms, whose last digit
differs between machines). Totals are sums of segments, and statements add up.
"""

from dataclasses import dataclass
from functools import lru_cache

from eval_pipeline.demo.names import AUDITORS, FIRST_NAMES, LAST_NAMES, PALETTES, STEMS, TRADES, Palette
from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.ids import hash_unit

FIRST_YEAR = 2023
N_QUARTERS = 8
CONSOLIDATED = "consolidated"

SEGMENT_METRICS: dict[str, tuple[float, float]] = {  # share of revenue: least and most over companies and segments
    "Operating income": (0.08, 0.27),
    "Capital expenditure": (0.04, 0.14),
    "Research and development": (0.03, 0.12),
    "Depreciation and amortization": (0.03, 0.09),
    "Order backlog": (0.45, 1.60),
}

MONTH_ENDS = ("March 31", "June 30", "September 30", "December 31")
ORDINALS = ("first", "second", "third", "fourth")


@dataclass(frozen=True, kw_only=True, order=True)
class Quarter:
    """A calendar quarter, which is also the fiscal quarter of every company in this world.

    Attributes:
        year: four digits.
        number: 1 to 4.
    """

    year: int
    number: int

    @property
    def name(self) -> str:
        """`2024-Q2`."""
        return f"{self.year}-Q{self.number}"

    @property
    def end(self) -> str:
        """`June 30, 2024`."""
        return f"{MONTH_ENDS[self.number - 1]}, {self.year}"

    @property
    def line(self) -> str:
        """Period line of a report: `Three months ended June 30, 2024`."""
        return f"Three months ended {self.end}"

    @property
    def short(self) -> str:
        """`Q2 2024`."""
        return f"Q{self.number} {self.year}"

    def back(self, steps: int) -> "Quarter":
        """The quarter `steps` quarters earlier."""
        place = self.year * 4 + self.number - 1 - steps
        return Quarter(year=place // 4, number=place % 4 + 1)


QUARTERS = tuple(Quarter(year=FIRST_YEAR + place // 4, number=place % 4 + 1) for place in range(N_QUARTERS))


@dataclass(frozen=True, kw_only=True)
class Company:
    """One company and its look.

    Attributes:
        name: `Halvorsen Marine`.
        ticker: three letters.
        slug: `halvorsen-marine`, for file names.
        segments: four scopes below `consolidated`.
        palette: its colours.
        is_serif: whether it sets its pages in Times.
        mark: number of its logo shape.
        style: house style of its reports: `band`, `rule` or `deck`.
        officer: who signs.
        auditor: who reviews.
    """

    name: str
    ticker: str
    slug: str
    segments: tuple[str, ...]
    palette: Palette
    is_serif: bool
    mark: int
    style: str
    officer: str
    auditor: str


STYLES = ("band", "rule", "deck")
COMPANIES_PER_BLOCK = 3


@dataclass(frozen=True, kw_only=True)
class World:
    """Companies and figures of one seed.

    Attributes:
        seed: what everything hangs on.
        stems: first parts of the company names; 60 for the demo, others for pages that an encoder learns from.
        first_year: year from which the figures grow; quarters seven and more before it stand still but for noise.
    """

    seed: int
    stems: tuple[str, ...] = STEMS
    first_year: int = FIRST_YEAR

    def company(self, number: int) -> Company:
        """The company with this number, from 0; three in a row share a house style.

        Raises:
            InputError: there are fewer names than that.
        """
        names = _names(self.seed, self.stems)
        if number >= len(names):
            message = f"the demo has names for {len(names)} companies, about 90,000 pages; ask for fewer pages"
            raise InputError(message)
        name = names[number]
        trade = name.rsplit(" ", maxsplit=1)[-1]
        draw = _Draw(self.seed, name)
        return Company(
            name=name,
            ticker=_ticker(name),
            slug=name.lower().replace(" ", "-"),
            segments=TRADES[trade],
            palette=PALETTES[number % len(PALETTES)],
            is_serif=number % COMPANIES_PER_BLOCK == 1,
            mark=number % 4,
            style=STYLES[number // COMPANIES_PER_BLOCK % len(STYLES)],
            officer=f"{draw.pick('first', FIRST_NAMES)} {draw.pick('last', LAST_NAMES)}",
            auditor=draw.pick("auditor", AUDITORS),
        )

    def figure(self, company: Company, metric: str, scope: str, quarter: Quarter) -> int:
        """Amount in USD millions of a metric of one segment, or of all (`consolidated`).

        Raises:
            KeyError: the metric has no segments.
        """
        if scope == CONSOLIDATED:
            return sum(self.figure(company, metric, segment, quarter) for segment in company.segments)
        if metric == "Revenue":
            return _segment_revenue(self.seed, company.name, scope, quarter, self.first_year)
        least, most = SEGMENT_METRICS[metric]
        draw = _Draw(self.seed, company.name, scope, metric)
        share = (least + (most - least) * draw.number("share")) * (0.88 + 0.24 * draw.number(quarter.name))
        return max(3, round(self.figure(company, "Revenue", scope, quarter) * share))

    def draw(self, company: Company, *parts: str) -> "_Draw":
        """Seeded numbers for whatever else a page of this company needs."""
        return _Draw(self.seed, company.name, *parts)


@dataclass(frozen=True)
class _Draw:
    parts: tuple[str, ...]
    seed: int

    def __init__(self, seed: int, *parts: str) -> None:
        object.__setattr__(self, "seed", seed)
        object.__setattr__(self, "parts", parts)

    def number(self, *more: str) -> float:
        """In [0, 1)."""
        return hash_unit(self.seed, *self.parts, *more)

    def pick(self, key: str, choices: tuple[str, ...]) -> str:
        """One of the choices."""
        return choices[int(self.number(key) * len(choices))]


@lru_cache(maxsize=8)
def _names(seed: int, given: tuple[str, ...]) -> tuple[str, ...]:
    """Every name, in an order of its seed, without repeating a stem before all stems are used."""
    stems = sorted(given, key=lambda stem: hash_unit(seed, "stem", stem))
    trades = sorted(TRADES, key=lambda trade: hash_unit(seed, "trade", trade))
    return tuple(
        f"{stem} {trades[(place + turn) % len(trades)]}"
        for turn in range(len(trades))
        for place, stem in enumerate(stems)
    )


def _ticker(name: str) -> str:
    letters = [letter for letter in name.upper() if letter.isalpha()]
    consonants = [letter for letter in letters[1:] if letter not in "AEIOUY"]
    return "".join([letters[0], *consonants[:2]])


@lru_cache(maxsize=100_000)
def _segment_revenue(seed: int, company: str, segment: str, quarter: Quarter, first_year: int) -> int:
    draw = _Draw(seed, company, segment)
    amount = 300.0 + 2_400.0 * draw.number("size")
    growth = 0.985 + 0.055 * draw.number("growth")
    steps = (quarter.year - first_year) * 4 + quarter.number + 7  # quarters before the first year are comparatives
    for _ in range(max(steps, 0)):
        amount *= growth
    season = 0.94 + 0.12 * draw.number("season", str(quarter.number))
    return round(amount * season * (0.97 + 0.06 * draw.number("noise", quarter.name)))
