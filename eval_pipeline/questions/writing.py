"""Sample pages of a template by hash and have questions written from each, one page at a time."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import polars as pl

from eval_pipeline.foundation.config import QuestionsConfig
from eval_pipeline.foundation.ids import canonical_json, content_id, hash_unit
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import PageContent
from eval_pipeline.foundation.tables.questions import (
    CANDIDATE_QUESTION,
    QUESTION,
    QUESTION_GOLD,
    SAMPLED_TEMPLATE,
    WRITTEN_PAGE,
)
from eval_pipeline.judging.asking import PageReader, Recorder
from eval_pipeline.questions.identity import question_id_of
from eval_pipeline.questions.writers.asking import Brought, ask_writers, is_paid
from eval_pipeline.questions.writers.building import Writer, build_writers
from eval_pipeline.questions.writers.written import WrittenQuestion

CODE_VERSION = "2"


def quota_of(config: QuestionsConfig, n_templates: int) -> int:
    """Questions per template: the cap over all templates, spread evenly, and at least one while there is a cap."""
    if config.sample.max == 0 or config.sample.per_template == 0:
        return 0
    return max(1, config.sample.max // max(1, n_templates))


def settings_id_of(config: QuestionsConfig, n_templates: int) -> str:
    """Hash of sampling, writers and code. The number of templates counts only through the quota it leaves."""
    quota = quota_of(config, n_templates)
    ((settings_id, _),) = _settings_by_quota(config, [quota])
    return settings_id


def interchangeable_settings(config: QuestionsConfig) -> pl.DataFrame:
    """Ids of the settings that differ from the declared ones at most in the quota: columns settings_id, quota.

    The quota changes with the number of templates. A sample that was not cut off by one quota is, question for
    question, what another quota gives as long as that one would not cut it off either; so a template that did not
    change keeps its questions when others come and go.
    """
    quotas = sorted({quota_of(config, n_templates) for n_templates in range(1, max(1, config.sample.max) + 1)})
    schema = {"settings_id": pl.String, "quota": pl.Int64}
    return pl.DataFrame(_settings_by_quota(config, quotas), schema=schema, orient="row")


def _settings_by_quota(config: QuestionsConfig, quotas: Sequence[int]) -> list[tuple[str, int]]:
    sample = config.model_dump(mode="json")["sample"]
    writers = [writer.writer_id for writer in build_writers(config.writers)]
    return [(content_id("qs", [sample, writers, quota, CODE_VERSION]), quota) for quota in quotas]


def may_be_cut(config: QuestionsConfig, *, sizes: Sequence[int], quota: int) -> list[bool]:
    """Whether templates can have more questions than the quota; True for all where a writer sets no limit.

    Args:
        config: sample and writers; a writer with an attribute `per_page` writes at most so many questions a page.
        sizes: pages of each template.
        quota: see `quota_of`.
    """
    limits = [getattr(writer, "per_page", None) for writer in build_writers(config.writers)]
    per_page = [limit for limit in limits if isinstance(limit, int)]
    has_limit = len(per_page) == len(limits)
    return [not has_limit or min(n_units, config.sample.per_template) * sum(per_page) > quota for n_units in sizes]


def paid_writers(config: QuestionsConfig) -> pl.DataFrame:
    """Ids of the declared writers that are paid by the page: column writer."""
    ids = [writer.writer_id for writer in build_writers(config.writers) if is_paid(writer)]
    return pl.DataFrame({"writer": sorted(set(ids))}, schema={"writer": pl.String})


@dataclass(frozen=True, kw_only=True)
class _Sample:
    """Pages of one template, in the order in which they are asked about."""

    template_id: str
    members_hash: str
    unit_ids: tuple[str, ...]
    n_readable: int
    n_unreadable: int

    @property
    def inclusion_probability(self) -> float:
        return len(self.unit_ids) / self.n_readable


def write_candidates(
    *,
    members: pl.DataFrame,
    pages: PageReader,
    config: QuestionsConfig,
    n_templates: int,
    known: pl.DataFrame | None = None,
    record: Recorder | None = None,
    now: datetime | None = None,
) -> StageOutput:
    """Write questions from a hash sample of each template's pages.

    Args:
        members: MEMBER and `members_hash`; whole templates.
        pages: reads what a writer may see.
        config: sample and writers.
        n_templates: templates in the whole corpus, over which `sample.max` is spread.
        known: rows of questions.written_page: what paid writers brought before; None where they were never asked.
        record: called with what paid writers bring, as it comes; None records nothing on the way.
        now: aware time at which paid writers are asked; None takes the clock's.

    Returns:
        `questions.question`, `question_gold`, `sampled_template` (also for templates without a question),
        `candidate_question` and `written_page`. A template on whose pages a paid writer has not said its last word is
        left out and counted as `n_waiting`: it comes when nothing waits. The sample of a template is its pages with
        the lowest hash, so that a page that arrives can only take the last place. Pages without readable text are left
        out and counted, unless some writer reads pictures. `named_axes` lists every axis that the writer says the
        text names, whatever axes are declared: a question is the same under all of them.
    """
    writers = build_writers(config.writers)
    settings_id, quota = settings_id_of(config, n_templates), quota_of(config, n_templates)
    rows: dict[str, list[dict[str, Any]]] = {"question": [], "gold": [], "template": [], "candidate": []}
    per_template = _pages_per_template(config, writers, quota)
    needs_text = all(getattr(writer, "needs_text", True) for writer in writers)
    groups = [group for _, group in sorted(members.partition_by("template_id", as_dict=True).items())]
    samples = [_sample(group, config, per_template, needs_text=needs_text) for group in groups]
    wanted = [unit_id for sample in samples for unit_id in sample.unit_ids]
    contents = pages(sorted(wanted)) if wanted else {}
    brought = ask_writers(
        writers=[writer for writer in writers if is_paid(writer)],
        pages=contents,
        known=WRITTEN_PAGE.empty() if known is None else known,
        now=now or datetime.now(UTC),
        record=record,
    )
    complete = [sample for sample in samples if brought.waiting.isdisjoint(sample.unit_ids)]
    for sample in complete:
        written = _write(sample, contents, writers, brought, quota=quota)
        state = {"template_id": sample.template_id, "members_hash": sample.members_hash, "settings_id": settings_id}
        for unit_id, writer, item in written:
            question = _to_question(unit_id, writer, item)
            question_id = question["question_id"]
            rows["question"].append(question)
            rows["gold"].append({"question_id": question_id, "position": 1, "unit_id": unit_id})
            probability = sample.inclusion_probability
            rows["candidate"].append({**state, "question_id": question_id, "inclusion_probability": probability})
        rows["template"].append({**state, "n_pages": len(sample.unit_ids), "n_questions": len(written)})
    return StageOutput(
        tables={
            QUESTION.name: QUESTION.frame(rows["question"]),
            QUESTION_GOLD.name: QUESTION_GOLD.frame(rows["gold"]),
            SAMPLED_TEMPLATE.name: SAMPLED_TEMPLATE.frame(rows["template"]),
            CANDIDATE_QUESTION.name: CANDIDATE_QUESTION.frame(rows["candidate"]),
            WRITTEN_PAGE.name: WRITTEN_PAGE.frame(brought.rows),
        },
        inputs=tuple(sorted({sample.members_hash for sample in samples})),
        summary={
            "n_templates": len(samples),
            "n_pages": len(wanted),
            "n_unreadable": sum(sample.n_unreadable for sample in samples),
            "n_written": len(rows["question"]),
            **_tell_paid(brought, n_waiting=len(samples) - len(complete)),
        },
    )


def _tell_paid(brought: Brought, *, n_waiting: int) -> dict[str, int | float | str]:
    """Counts of what paid writers were asked; nothing where none was."""
    if not brought.rows and not n_waiting:
        return {}
    tokens = sum((row["n_input_tokens"] or 0) + (row["n_output_tokens"] or 0) for row in brought.rows)
    failed = Counter(row["outcome"] for row in brought.rows if row["written"] is None)
    return {
        "n_waiting": n_waiting,
        "n_asked": len(brought.rows),
        "n_tokens": tokens,
        "usd": round(sum(row["usd"] or 0.0 for row in brought.rows), 6),
        **({"failures": ", ".join(f"{reason} {n}" for reason, n in sorted(failed.items()))} if failed else {}),
    }


def _pages_per_template(config: QuestionsConfig, writers: Sequence[Writer], quota: int) -> int:
    """Pages of a template to write from; where a page costs something, no more than there may be questions."""
    is_any_paid = any(is_paid(writer) for writer in writers)
    return min(config.sample.per_template, quota) if is_any_paid else config.sample.per_template


def _sample(group: pl.DataFrame, config: QuestionsConfig, per_template: int, *, needs_text: bool) -> _Sample:
    can_be_read = group.filter(pl.col("text_quality") == "good") if needs_text else group
    readable = can_be_read["unit_id"].to_list()
    ordered = sorted(readable, key=lambda unit_id: (hash_unit(config.sample.seed, unit_id), unit_id))
    return _Sample(
        template_id=group["template_id"][0],
        members_hash=group["members_hash"][0],
        unit_ids=tuple(ordered[:per_template]),
        n_readable=max(1, len(readable)),
        n_unreadable=group.height - len(readable),
    )


def _write(
    sample: _Sample,
    contents: Mapping[str, PageContent],
    writers: Sequence[Writer],
    brought: Brought,
    *,
    quota: int,
) -> list[tuple[str, Writer, WrittenQuestion]]:
    """Questions of one template up to its quota: every page's first question before any page's second."""
    by_place: list[tuple[int, int, str, Writer, WrittenQuestion]] = []
    for position, unit_id in enumerate(sample.unit_ids):
        page = contents.get(unit_id)
        if page is None:
            continue
        items = {item.text: (writer, item) for writer in reversed(writers) for item in _items(writer, page, brought)}
        ordered = sorted(items.values(), key=lambda pair: pair[1].place)
        by_place.extend((place, position, unit_id, writer, item) for place, (writer, item) in enumerate(ordered))
    by_place.sort(key=lambda row: row[:2])
    return [(unit_id, writer, item) for _, _, unit_id, writer, item in by_place[:quota]]


def _items(writer: Writer, page: PageContent, brought: Brought) -> Sequence[WrittenQuestion]:
    """What a writer writes from a page, or has brought where it was asked; nothing from a page it cannot read."""
    if is_paid(writer):
        return brought.questions.get((writer.writer_id, page.unit_id), [])
    return writer.write(page) if page.text_quality == "good" else []


def _to_question(unit_id: str, writer: Writer, item: WrittenQuestion) -> dict[str, Any]:
    return {
        "question_id": question_id_of(text=item.text, gold=[unit_id], writer=writer.writer_id),
        "text": item.text,
        "origin": "written",
        "writer": writer.writer_id,
        "expected_answer": item.expected_answer,
        "subject": item.subject or None,
        "named_axes": canonical_json(sorted(item.named_axes)),
        "query_form": "question text",
        "relation": "evidence",
    }
