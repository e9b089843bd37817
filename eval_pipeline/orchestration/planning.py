"""What the next run would do, and what it would cost, before it does it; nothing is recorded."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import polars as pl

from eval_pipeline.corpus import pages as page_reading
from eval_pipeline.corpus.arrivals import take_arrivals
from eval_pipeline.corpus.proposing.page_reading import PageCounts, count_pages
from eval_pipeline.embeddings.layout import LayoutEncoder
from eval_pipeline.embeddings.sources import LOCAL_PREFIX, find_source
from eval_pipeline.foundation.config import ProjectConfig, QuestionImportConfig
from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.files import resolve_inside
from eval_pipeline.foundation.ids import BUCKETS
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.foundation.tables.corpus import DOCUMENT
from eval_pipeline.orchestration.checking import check_declaration
from eval_pipeline.orchestration.facet_planning import foresee_coverage, held_coverage, tell_missing
from eval_pipeline.orchestration.judge_costs import foresee_judge
from eval_pipeline.orchestration.question_sets import read_sampled
from eval_pipeline.orchestration.reading import members_in_force, untouched
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.run_rates import Rate, bytes_per_page, find_rates
from eval_pipeline.questions.importing import source_ids
from eval_pipeline.questions.question_files import read_question_file
from eval_pipeline.questions.writing import quota_of

OVERHEAD_S = 120.0
"""Starting the steps, clustering, metrics and the report: an assumption."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What the next run would do.

    Attributes:
        documents: how many are new, changed, removed, unchanged, refused.
        n_pages: pages to read.
        unreadable: why a document to be read does not open, by path.
        n_pictures: pictures to embed, equal ones counted once where they are known; None where it cannot be known.
        questions: at most how many are written, and how many are imported anew.
        calls: at most how many judge calls, over all judges: `gold`, `negatives` and `labels` for questions as they
            are first worded, and `at_most`, where every question is reworded along every axis.
        money: by judge, at what its verdicts have cost so far; None where it was never asked or no price is known.
        hours: for all these calls without rewording; None where a step cannot be known.
        disk_bytes: that will be added.
        rates: what hours and disk rest on.
        unknown: what cannot be known before the run, in words.
        facets: share of what was looked at that has a usable value, by axis, for the documents to be read; what has
            none takes part in no axis.
        warnings: what a person should look at first, in words.
    """

    documents: Mapping[str, int]
    n_pages: int
    unreadable: Mapping[str, str]
    n_pictures: int | None
    questions: Mapping[str, int]
    calls: Mapping[str, int]
    money: Mapping[str, float | None]
    hours: float | None
    disk_bytes: int
    rates: Mapping[str, Rate]
    unknown: tuple[str, ...]
    facets: Mapping[str, float | None] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain values by name."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class _Held:
    """What the ledger holds; empty before the first run."""

    documents: pl.DataFrame
    n_units: int
    renditions: frozenset[str]
    sources: frozenset[str]
    commits: pl.DataFrame


def plan_next_run(paths: ProjectPaths) -> Plan:
    """Count what the next run would do.

    Files are hashed and documents to be read are opened, as a run would; pages are not drawn. Where pages are in force
    already, the encoder is loaded, as only it says which pictures it has seen.

    Args:
        paths: the project.

    Raises:
        ConfigError: `eval.yaml`, a contract or the encoder is not as a run needs it.
        TableError: a declared table cannot be used.
    """
    check_declaration(paths)
    project = Project(home=str(paths.home))
    declared, contracts = project.declared, project.contracts
    _check_encoder(project, declared)
    held = _read_held(project)
    arrived = take_arrivals(
        home=paths.home,
        config=declared,
        in_force=held.documents,
        parent=None,
        code_version=page_reading.CODE_VERSION,
    )
    counted = _count_pages(project, declared, held, arrived)
    unknown = ["how many pages a question can be written from, before they are read"] if counted.n_pages else []
    n_pictures = _count_pictures(project, declared, held, counted.n_pages)
    if n_pictures is None:
        unknown.append("which pictures the encoder has seen: its weights would have to be fetched to tell")
    changes = arrived.tables[DOCUMENT.name].height
    questions = {
        "written_at_most": _count_written(project, declared, held, counted.n_pages, has_changes=changes > 0),
        "imported": sum(_count_imported(project, declared, held)),
    }
    judges = sorted({contract.judgment.judge for contract in contracts})
    calls = count_calls(
        declared, n_questions=sum(questions.values()), n_judges=len(judges), n_pages=_all(held, counted)
    )
    rates = {**find_rates(held.commits), "disk": _disk_rate(project, declared, held)}
    asked = calls["gold"] + calls["negatives"] + calls["labels"]
    foreseen = {
        name: foresee_judge(project, name, n_calls=asked // len(judges), rate=rates["judge"], is_new=not held.n_units)
        for name in judges
    }
    unknown += [
        f"what judge {name} costs and how long it takes: 'eval-pipeline judge calibrate {name}' finds out"
        for name, judging in foreseen.items()
        if None in (judging.usd, judging.hours)
    ]
    if questions["written_at_most"]:
        unknown.append("how many questions have to be reworded, and how many pairs several variants bring together")
    facets = foresee_coverage(paths, declared, pages=counted.pages)
    return Plan(
        documents=_count_documents(arrived, held),
        n_pages=counted.n_pages,
        unreadable=dict(counted.refused),
        n_pictures=n_pictures,
        questions=questions,
        calls=calls,
        money={name: judging.usd for name, judging in foreseen.items()},
        hours=_hours(counted.n_pages, n_pictures, [judging.hours for judging in foreseen.values()], rates),
        disk_bytes=round(counted.n_pages * rates["disk"].value),
        rates=rates,
        unknown=tuple(unknown),
        facets={axis: found.share for axis, found in facets.items()},
        warnings=(*tell_missing(facets), *_tell_held(project, declared, held)),
    )


def _tell_held(project: Project, declared: ProjectConfig, held: _Held) -> list[str]:
    """What is said of pages that are in force already."""
    if not held.n_units:
        return []
    coverage = held_coverage(project, declared.axes)
    return [coverage.tell("pages in force")] if coverage.is_low else []


def _check_encoder(project: Project, declared: ProjectConfig) -> None:
    """Fail now where a run would fail after hours; only what costs no look outside."""
    if declared.encoder.model.startswith(LOCAL_PREFIX):
        find_source(config=declared.encoder, home=project.paths.home)
    for contract in project.contracts:
        if contract.judgment.judge not in declared.judges:
            message = f"contract {contract.task}: judge {contract.judgment.judge!r} is not declared under judges"
            raise ConfigError(message, path=project.paths.config.name, key="judges")


def _read_held(project: Project) -> _Held:
    if not project.paths.ledger.exists() and not project.paths.commits.exists():
        nothing = pl.DataFrame(schema=["dagster_run_id", "asset", "made_at_utc", "tables"])
        none: frozenset[str] = frozenset()
        return _Held(documents=DOCUMENT.empty(), n_units=0, renditions=none, sources=none, commits=nothing)
    with project.session() as ledger:
        return _Held(
            documents=ledger.read("corpus/documents_in_force"),
            n_units=ledger.read("corpus/units_in_force").height,
            renditions=frozenset(ledger.table("corpus.rendition")["rendition_id"]),
            sources=frozenset(ledger.table("questions.imported_question")["source_id"]),
            commits=ledger.read("ledger/commit_times"),
        )


def _all(held: _Held, counted: PageCounts) -> int:
    return held.n_units + counted.n_pages


def _count_documents(arrived: StageOutput, held: _Held) -> dict[str, int]:
    changes = {name: int(str(arrived.summary[name])) for name in ("new", "changed", "removed")}
    gone = changes["changed"] + changes["removed"]
    refused = arrived.tables["corpus.quarantine"].filter(~pl.col("is_warning")).height
    return {**changes, "unchanged": held.documents.height - gone, "files_and_rows_refused": refused}


def _count_pages(project: Project, declared: ProjectConfig, held: _Held, arrived: StageOutput) -> PageCounts:
    """Pages of documents whose pages were not made yet."""
    changed = arrived.tables[DOCUMENT.name]
    same = held.documents.select(list(DOCUMENT.schema)).join(changed, on="document_id", how="anti")
    now = pl.concat([same, changed.filter(pl.col("change") != "removed")])
    waiting = now.filter(~pl.col("rendition_id").is_in(sorted(held.renditions)))
    return count_pages(
        home=project.paths.home,
        paths=waiting["source_path"].sort().to_list(),
        image_pixels=declared.corpus.limits.image_pixels,
    )


def _count_pictures(project: Project, declared: ProjectConfig, held: _Held, n_pages: int) -> int | None:
    if not held.n_units:
        return n_pages
    if declared.encoder.pretrained:
        return None
    waiting = [
        project.read("embeddings/pictures_to_embed", encoder_id=encoder_id, buckets=list(BUCKETS)).height
        for encoder_id in (LayoutEncoder().encoder_id, project.encoder().encoder_id)
    ]
    return max(waiting) + n_pages


def _count_written(project: Project, declared: ProjectConfig, held: _Held, n_pages: int, *, has_changes: bool) -> int:
    """At most how many questions are written: a template is asked about again when one of its pages changes."""
    config = declared.questions
    if not config.writers or quota_of(config, 1) == 0:
        return 0
    if not held.n_units or has_changes or n_pages or declared.encoder.pretrained:
        return config.sample.max
    members = members_in_force(project)
    n_templates = members["template_id"].n_unique()
    if not n_templates:
        return config.sample.max
    n_waiting = untouched(members, read_sampled(project, members), BUCKETS)["template_id"].n_unique()
    return n_waiting * quota_of(config, n_templates)


def _count_imported(project: Project, declared: ProjectConfig, held: _Held) -> list[int]:
    """Questions of each declared file, as it is now; 0 for one that was taken before."""
    ids = source_ids(home=project.paths.home, config=declared) if _are_there(project, declared) else []
    counts = []
    for place, item in enumerate(declared.questions.imports):
        rows = read_question_file(resolve_inside(project.paths.home, item.path), item)
        counts.append(0 if ids[place] in held.sources else _count_available([row for _, row in rows], item))
    return counts


def _are_there(project: Project, declared: ProjectConfig) -> bool:
    """Whether every question file is there; a missing one is named by whoever reads it."""
    return all(resolve_inside(project.paths.home, item.path).is_file() for item in declared.questions.imports)


def _count_available(rows: Sequence[Mapping[str, Any]], declared: QuestionImportConfig) -> int:
    if declared.available is None:
        return len(rows)
    return sum(str(row[declared.available]).strip().lower() not in ("false", "0", "no") for row in rows)


def count_calls(declared: ProjectConfig, *, n_questions: int, n_judges: int, n_pages: int) -> dict[str, int]:
    """Judge calls of a number of questions.

    Args:
        declared: width of the pools, depth of labelling, variants and axes.
        n_questions: questions as first worded.
        n_judges: judges that are asked.
        n_pages: pages of the corpus, of which one is gold: no pool is larger than the rest.
    """
    rest = max(0, n_pages - 1)
    negatives = min(declared.negatives.k, rest) if declared.axes else 0
    labels = min(1 + negatives + declared.labels.pool_depth * len(declared.variants), n_pages)
    per_question = {"gold": 1, "negatives": negatives, "labels": labels}
    calls = {name: n * n_questions * n_judges for name, n in per_question.items()}
    return {**calls, "at_most": sum(calls.values()) * (1 + len(declared.axes))}


def _disk_rate(project: Project, declared: ProjectConfig, held: _Held) -> Rate:
    return bytes_per_page(home=project.paths.home, n_pages=held.n_units, dpi=declared.corpus.resolution_dpi)


def _hours(
    n_pages: int, n_pictures: int | None, judging: Sequence[float | None], rates: Mapping[str, Rate]
) -> float | None:
    """Hours of reading, embedding under two encoders and judging, and what is assumed for the rest."""
    judged = [hours for hours in judging if hours is not None]
    if n_pictures is None or len(judged) < len(judging):
        return None
    seconds = n_pages / rates["read"].value + 2 * n_pictures / rates["embed"].value
    return (OVERHEAD_S + seconds) / 3600 + sum(judged)
