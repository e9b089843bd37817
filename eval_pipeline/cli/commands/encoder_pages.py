"""Pages for `eval-pipeline encoder train`: drawn, rendered and captioned, in processes of their own."""

import multiprocessing
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from eval_pipeline.corpus.pdfs import DrawnPage, draw_pdf_page, open_pdf
from eval_pipeline.corpus.pictures import hash_picture, store_picture
from eval_pipeline.demo.drawing import draw_document
from eval_pipeline.demo.facts import PageTruth
from eval_pipeline.demo.metadata import topic_of
from eval_pipeline.demo.plan import DocumentPlan, PagePlan
from eval_pipeline.demo.stand_in import StandInReviewer
from eval_pipeline.demo.training_captions import write_captions
from eval_pipeline.demo.training_world import (
    LATER_LAYOUTS,
    held_out_world,
    plan_held_out,
    plan_training,
    training_companies,
    training_world,
)
from eval_pipeline.demo.truth import TRUTH_FILE, write_truth
from eval_pipeline.demo.world import World
from eval_pipeline.embeddings.pictures import squash_picture
from eval_pipeline.embeddings.reading_skill import SkillPage, SkillQuestion
from eval_pipeline.embeddings.training import TrainingPage
from eval_pipeline.foundation.files import FileStore
from eval_pipeline.foundation.protocols import PageContent
from eval_pipeline.questions.qualifying import add_phrase, phrase_of
from eval_pipeline.questions.writers.rules import RulesWriter
from eval_pipeline.questions.writers.written import WrittenQuestion

DPI = 100  # of the rasters that encoders read in a project, unless it declares another
MAX_PIXELS = 40_000_000
CAPTION_SEED = 3
AXES = ("period", "metric", "entity")


@dataclass(frozen=True, kw_only=True)
class HeldOut:
    """Pages and questions of companies and years that no training page shows.

    Attributes:
        pages: their pictures, templates and facets.
        questions: written from them by the rules writer and qualified to name company and quarter; its page answers it.
    """

    pages: tuple[SkillPage, ...]
    questions: tuple[SkillQuestion, ...]


def draw_training_pages(*, n_reports: int, size: int, workers: int) -> Iterator[TrainingPage]:
    """Draw training pages, in a fixed order.

    Args:
        n_reports: reports, one a company; 26 pages each.
        size: pixels of the encoder's square input.
        workers: processes.
    """
    world = training_world()
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        draw = partial(_draw_training_report, world, size)
        for pages in pool.map(draw, plan_training(world, n_reports), chunksize=4):
            yield from pages


def draw_held_out(*, home: Path, workers: int) -> HeldOut:
    """Draw the held-out reports into a folder and have questions written from them.

    Args:
        home: takes `derived/pictures/` and the truth.
        workers: processes.
    """
    world = held_out_world()
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        reports = pool.map(partial(_draw_held_out_report, world, home), plan_held_out(world), chunksize=4)
        drawn = [page for report in reports for page in report]
    write_truth(home, [page.truth for page in drawn])
    return HeldOut(pages=tuple(page.page for page in drawn), questions=tuple(_check_questions(drawn, home)))


@dataclass(frozen=True, kw_only=True)
class _HeldOutPage:
    page: SkillPage
    truth: PageTruth
    questions: tuple[WrittenQuestion, ...]


def _draw_training_report(world: World, size: int, plan: DocumentPlan) -> list[TrainingPage]:
    truths, pictures = _render(world, plan)
    strangers = training_companies(world)
    return [
        TrainingPage(
            pixels=squash_picture(drawn.picture, size),
            captions=write_captions(truth, _subject_of(page, plan), seed=CAPTION_SEED),
            renamed=write_captions(truth, _subject_of(page, plan), seed=CAPTION_SEED, strangers=strangers),
            template=f"{truth.layout}/{plan.company.style}",
            is_first=truth.layout not in LATER_LAYOUTS,
        )
        for page, truth, drawn in zip(plan.pages, truths, pictures, strict=True)
    ]


def _subject_of(page: PagePlan, plan: DocumentPlan) -> str | None:
    """What a caption fills in: the metric of a chart, the segment of a page of one segment."""
    return plan.company.segments[page.segment] if page.layout == "segment_page" else page.metric


def _draw_held_out_report(world: World, home: Path, plan: DocumentPlan) -> list[_HeldOutPage]:
    truths, pictures = _render(world, plan)
    store, writer = FileStore(home=home), RulesWriter(per_page=2)
    found = []
    for page, truth, drawn in zip(plan.pages, truths, pictures, strict=True):
        path = store_picture(store=store, picture=drawn.picture, picture_hash=hash_picture(drawn.picture))
        facets = {"period": truth.period, "metric": topic_of(page, plan.company), "entity": truth.entity}
        content = PageContent(unit_id=f"{truth.document}/{truth.page}", text=drawn.text, text_quality="good")
        found.append(
            _HeldOutPage(
                page=SkillPage(picture=home / path, template=f"{truth.layout}/{plan.company.style}", facets=facets),
                truth=truth,
                questions=tuple(writer.write(content)),
            )
        )
    return found


def _render(world: World, plan: DocumentPlan) -> tuple[list[PageTruth], list[DrawnPage]]:
    data, truths = draw_document(world, plan, f"{plan.name}.pdf")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.pdf"
        file.write_bytes(data)
        document = open_pdf(file)
        try:
            pages = [
                draw_pdf_page(document, index=index, dpi=DPI, max_pixels=MAX_PIXELS) for index in range(len(document))
            ]
        finally:
            document.close()
    return truths, pages


def _check_questions(drawn: list[_HeldOutPage], home: Path) -> Iterator[SkillQuestion]:
    """Keep questions that their own page answers, and find who else answers them."""
    reviewer = StandInReviewer(truth=TRUTH_FILE, home=home)
    by_entity: dict[str, list[int]] = {}
    for row, item in enumerate(drawn):
        by_entity.setdefault(item.truth.entity, []).append(row)
    for gold, item in enumerate(drawn):
        for question in item.questions:
            text = _complete(question, item.page)
            rows = by_entity[item.truth.entity]
            answering = {row for row in rows if _answers(reviewer, text, drawn[row].truth)}
            if gold in answering:
                yield SkillQuestion(text=text, gold=gold, answering=frozenset(answering - {gold}))


def _complete(question: WrittenQuestion, page: SkillPage) -> str:
    """The question with quarter and company named, in the words in which the pipeline qualifies a question.

    The writer leaves one out in a share of its questions, and cannot read the company in one of the house styles; a
    trial without those would ask for pages of some styles only.
    """
    text = question.text
    for axis in ("period", "entity"):
        if axis not in question.named_axes:
            text = add_phrase(text, phrase_of(axis, page.facets[axis], page_text=page.facets[axis]))
    return text


def _answers(reviewer: StandInReviewer, question: str, page: PageTruth) -> bool:
    said = reviewer.adjudicate(question, page.document, page.page)
    return said is not None and said.grade == "sufficient"
