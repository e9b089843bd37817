"""Hand-made report data, small enough to check by eye, and a strict reader of the page that it becomes."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
from PIL import Image, ImageDraw

from eval_pipeline.report.data import (
    CorpusFacts,
    PageCard,
    QuestionExample,
    ReportData,
    TaskSection,
    TemplateSheet,
)

MADE_AT = datetime(2025, 3, 4, 2, 15, tzinfo=UTC)
CONTRACT = {
    "task": "quarterly-evidence",
    "relation": "evidence",
    "query_form": "question text",
    "answer_unit": "page",
    "questions": {"slice": "main"},
    "judgment": {"grades": ["sufficient", "supporting", "irrelevant"], "judge": "text"},
    "measures": ["top@1", "top@5", "sufficient@1", "sufficient@5", "supporting_only@5", "neither@5", "judged@5"],
    "arenas": ["random", "siblings", "corpus"],
    "policies": {"unjudged": "irrelevant", "no_relevant": "exclude"},
    "slices": ["axis", "template"],
}
FUNNEL = {
    "written": 500,
    "gold_fails": 0,
    "answerable": 305,
    "answerable_axis=entity": 120,
    "answerable_axis=period": 240,
    "unresolved": 0,
    "main": 195,
}
NO_LOSSES = pl.DataFrame(schema={"variant": pl.String, "stage": pl.String, "n": pl.Int64})
NO_SHARES = pl.DataFrame(schema={"variant": pl.String, "author_kind": pl.String, "n": pl.Int64})
NO_QUARANTINE = pl.DataFrame(
    schema={"source_path": pl.String, "place": pl.String, "reason": pl.String, "next_step": pl.String}
)


def a_figure(variant: str, arena: str, measure: str, estimate: float | None, **changes: object) -> dict[str, object]:
    """One row of `report.figure`."""
    n = 500 if arena == "random" else 195
    slice_name, value = changes.get("slice", "all"), changes.get("slice_value", "all")
    row = {
        "metric_id": f"met_{variant}_{arena}_{measure}_{slice_name}_{value}",
        "variant": variant,
        "is_control": variant.startswith("control-"),
        "arena": arena,
        "slice": "all",
        "slice_value": "all",
        "measure": measure,
        "estimate": estimate,
        "reason": "scored",
        "low": None if estimate is None else max(0.0, estimate - 0.06),
        "high": None if estimate is None else min(1.0, estimate + 0.06),
        "interval": "wilson",
        "n_questions": n,
        "n_scored": n,
        "n_candidates_min": 1500 if arena == "corpus" else 7,
        "n_candidates_max": 1500 if arena == "corpus" else 7,
        "policy_counts": "{}",
        "chance": None if arena == "corpus" else 1 / 7 if measure.endswith("@1") else 5 / 7,
        "denominator_id": f"den_{arena}",
        "is_late": False,
    }
    return row | changes


def figures_of(variant: str, *, naive: tuple[float, float], siblings: tuple[float, ...], corpus: tuple[float, ...]):
    """Rows of the whole set of one variant: top@1, top@5; sufficient@1, sufficient@5, supporting_only@5, neither@5."""
    rows = [a_figure(variant, "random", name, value) for name, value in zip(("top@1", "top@5"), naive, strict=True)]
    names = ("sufficient@1", "sufficient@5", "supporting_only@5", "neither@5")
    for arena, values in (("siblings", siblings), ("corpus", corpus)):
        rows += [a_figure(variant, arena, name, value) for name, value in zip(names, values, strict=True)]
    return rows


def some_figures() -> pl.DataFrame:
    """Two variants and the controls, with slices."""
    rows = figures_of("image", naive=(0.93, 0.99), siblings=(0.21, 0.83, 0.15, 0.02), corpus=(0.18, 0.43, 0.32, 0.25))
    rows += figures_of("hybrid", naive=(0.96, 1.0), siblings=(0.58, 0.94, 0.05, 0.01), corpus=(0.52, 0.81, 0.1, 0.09))
    rows += [a_figure("image", "corpus", "judged@5", 0.97), a_figure("hybrid", "corpus", "judged@5", 0.99)]
    for name, (naive, ours, corpus) in {
        "control-random": (0.143, 0.143, 0.001),
        "control-template": (0.96, 0.14, 0.04),
        "control-facets": (1.0, 0.99, 0.97),
        "control-appearance": (0.5, 0.17, None),
    }.items():
        rows.append(a_figure(name, "random", "top@1", naive))
        rows.append(a_figure(name, "siblings", "sufficient@1", ours))
        rows.append(
            a_figure(name, "corpus", "sufficient@1", corpus, reason="scored" if corpus else "not_in_this_arena")
        )
    for value, n in (("period", 80), ("metric", 70), ("entity", 45), ("revision", 0)):
        for variant, base in (("image", 0.1), ("hybrid", 0.5)):
            estimate = base + n / 400 if n else None
            reason = "scored" if n else "no_questions"
            rows.append(
                a_figure(
                    variant,
                    "siblings",
                    "sufficient@1",
                    estimate,
                    slice="axis",
                    slice_value=value,
                    n_scored=n,
                    n_questions=n,
                    reason=reason,
                )
            )
    return pl.DataFrame(rows, infer_schema_length=None)


def a_task(**changes: object) -> TaskSection:
    """One evaluation."""
    fields: dict[str, object] = {
        "contract": CONTRACT,
        "contract_id": "ctr_00000000000000000001",
        "evaluation_id": "eval_00000000000000000001",
        "figures": some_figures(),
        "funnel": FUNNEL,
        "agreement": "fewer than 50 audited questions",
        "losses": NO_LOSSES,
        "label_shares": NO_SHARES,
        "variant_encoders": {"image": "page-clip", "hybrid": "page-clip"},
    }
    return TaskSection(**(fields | changes))  # type: ignore[arg-type]


def a_corpus(**changes: object) -> CorpusFacts:
    """What was read."""
    fields: dict[str, object] = {
        "n_documents": 120,
        "n_pages": 1500,
        "n_quarantined": 0,
        "quarantine": NO_QUARANTINE,
        "batch_id": "batch_00000000000000000001",
        "n_templates": 24,
        "encoder": "page-clip",
        "is_trained": True,
    }
    return CorpusFacts(**(fields | changes))  # type: ignore[arg-type]


def a_report(*tasks: TaskSection, **changes: object) -> ReportData:
    """A report of the given evaluations."""
    fields: dict[str, object] = {"project": "demo", "made_at_utc": MADE_AT, "corpus": a_corpus(), "tasks": tasks}
    return ReportData(**(fields | changes))  # type: ignore[arg-type]


def a_card(unit_id: str, *, picture: Path | None = None, **changes: object) -> PageCard:
    """One page."""
    fields: dict[str, object] = {
        "unit_id": unit_id,
        "caption": f"page {unit_id}",
        "picture": picture,
        "source": f"{unit_id}.pdf p. 3",
    }
    return PageCard(**(fields | changes))  # type: ignore[arg-type]


def an_example(**changes: object) -> QuestionExample:
    """One question with two negatives and what two variants returned."""
    fields: dict[str, object] = {
        "question_id": "q_1",
        "text": "What was the revenue of the segment?",
        "slice": "main",
        "gold": a_card("u_gold", grade="sufficient", author_kind="judge"),
        "negatives": (
            a_card("u_1", axis="period", rank=1, grade="supporting", author_kind="human"),
            a_card("u_2", axis="appearance", rank=1),
        ),
        "returned": {"image": (a_card("u_1", rank=1, receipt_id="rcp_1"), a_card("u_gold", rank=2)), "text": ()},
    }
    return QuestionExample(**(fields | changes))  # type: ignore[arg-type]


def a_sheet(**changes: object) -> TemplateSheet:
    """One template with two pages."""
    fields: dict[str, object] = {"template_id": "tpl_1", "n_units": 40, "cards": (a_card("u_1"), a_card("u_2"))}
    return TemplateSheet(**(fields | changes))  # type: ignore[arg-type]


def draw_page(path: Path, *, title: str, bars: tuple[int, ...], size: tuple[int, int] = (827, 1169)) -> Path:
    """A picture of a page with a heading and bars."""
    page = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(page)
    draw.rectangle((0, 0, size[0], 70), fill="#21456b")
    draw.text((40, 26), title, fill="white", font_size=24)
    for number, height in enumerate(bars):
        draw.rectangle((90 + 130 * number, 900 - height * 6, 180 + 130 * number, 900), fill="#7a9cc0")
    page.save(path)
    return path


def spell_counts(**counts: int) -> str:
    """Policy counts as they are stored."""
    return json.dumps(counts)


VOID = {"meta", "link", "img", "br", "wbr", "rect", "line"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    children: list["Element"] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join("".join(self.pieces).split())

    def find_all(self, tag: str, **attributes: str) -> list["Element"]:
        found = []
        for child in self.children:
            if child.tag == tag and all(child.attributes.get(key.rstrip("_")) == v for key, v in attributes.items()):
                found.append(child)
            found += child.find_all(tag, **attributes)
        return found

    def walk(self) -> list["Element"]:
        return [self, *(each for child in self.children for each in child.walk())]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("root", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.pieces.append(data)


def read_html(html: str) -> Element:
    """The tree of a page; a tag that does not close what is open fails."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert len(reader.open) == 1, [element.tag for element in reader.open]
    return reader.open[0]


def body_text(html: str) -> str:
    """Everything that a reader sees."""
    return read_html(html).find_all("body")[0].text
