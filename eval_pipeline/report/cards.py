"""Pages as cards: picture, what it is, what it was judged to be."""

from dataclasses import dataclass

from eval_pipeline.report.data import PageCard, QuestionExample, TemplateSheet
from eval_pipeline.report.pictures import Picture, PictureBook

LARGE_PX = 640
SMALL_PX = 340
SHEET_PX = 220


@dataclass(frozen=True, kw_only=True)
class CardView:
    """One card.

    Attributes:
        card: what it is of.
        picture: its picture, or why there is none.
        badge: grade in words, `unjudged` without one; empty on contact sheets.
        kind: grade as a colour: `sufficient`, `supporting`, `irrelevant` or `unjudged`.
        place: `differs on period`, `place 2`; empty for gold.
        is_gold: whether it is the gold unit.
        alt: what a screen reader says.
    """

    card: PageCard
    picture: Picture
    badge: str
    kind: str
    place: str
    is_gold: bool
    alt: str


@dataclass(frozen=True, kw_only=True)
class ExampleView:
    """One question with its cards; `gold` is None for a question without gold, `returned` is by variant."""

    example: QuestionExample
    gold: CardView | None
    more_gold: tuple[CardView, ...]
    negatives: tuple[CardView, ...]
    returned: tuple[tuple[str, tuple[CardView, ...]], ...]


@dataclass(frozen=True, kw_only=True)
class SheetView:
    """One template with its cards."""

    sheet: TemplateSheet
    cards: tuple[CardView, ...]


def show_example(example: QuestionExample, book: PictureBook) -> ExampleView:
    """Lay out one question: gold, the pages that look like it, and what came back."""
    gold_ids = {card.unit_id for card in (example.gold, *example.more_gold) if card}
    return ExampleView(
        example=example,
        gold=_show(example.gold, book, width_px=LARGE_PX, is_gold=True) if example.gold else None,
        more_gold=tuple(_show(card, book, width_px=SMALL_PX, is_gold=True) for card in example.more_gold),
        negatives=tuple(_show(card, book, width_px=SMALL_PX) for card in example.negatives),
        returned=tuple(
            (variant, tuple(_show(card, book, width_px=SMALL_PX, is_gold=card.unit_id in gold_ids) for card in cards))
            for variant, cards in example.returned.items()
        ),
    )


def show_sheet(sheet: TemplateSheet, book: PictureBook) -> SheetView:
    """Lay out the contact sheet of one template."""
    cards = tuple(
        CardView(
            card=card,
            picture=book.show(card.picture, width_px=SHEET_PX),
            badge="",
            kind="plain",
            place="",
            is_gold=False,
            alt=f"{card.caption}, {card.source}",
        )
        for card in sheet.cards
    )
    return SheetView(sheet=sheet, cards=cards)


def _show(card: PageCard, book: PictureBook, *, width_px: int, is_gold: bool = False) -> CardView:
    place = _place(card)
    kind = {"generator-truth": "stand-in reviewer"}.get(card.author_kind or "", card.author_kind)
    badge = f"{card.grade} ({kind})" if card.grade and kind else card.grade or "unjudged"
    said = [
        f"Page: {card.caption}",
        card.source,
        place,
        "gold" if is_gold else "",
        f"labelled {badge}" if card.grade else "unjudged",
    ]
    return CardView(
        card=card,
        picture=book.show(card.picture, width_px=width_px),
        badge=badge,
        kind=card.grade or "unjudged",
        place=place,
        is_gold=is_gold,
        alt=", ".join(part for part in said if part),
    )


def say_axis(axis: str | None) -> str:
    """In what a hard negative differs; one drawn for its looks alone differs in nothing that is declared."""
    return "nearest by appearance" if axis in (None, "appearance") else f"other {axis}"


def _place(card: PageCard) -> str:
    if card.axis is not None:
        return say_axis(card.axis)
    return f"place {card.rank}" if card.rank is not None else ""
