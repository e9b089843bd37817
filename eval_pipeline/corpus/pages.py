"""Read documents: a picture and a text layer per page, in processes of their own, each page within its time."""

import json
import threading
from collections import deque
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from eval_pipeline.corpus.globs import locate_document
from eval_pipeline.corpus.processes import WorkerDied, WorkerProcess, WorkerSilent
from eval_pipeline.corpus.refusals import Refusal, to_quarantine
from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.errors import EvalPipelineError
from eval_pipeline.foundation.ids import content_id
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables.corpus import LAYER_TEXT, RENDITION, RENDITION_UNIT, UNIT

CODE_VERSION = "1"
"""Raised when the same file may give other pictures or texts; takes part in every `rendition_id`."""
NOT_READ = ("file is gone", "file changed")
"""Reasons after which a rendition is not recorded as read, so that a later run reads it."""
CHUNK_PAGES = 8
"""Pages of one document that a process reads in a row before the next is dealt out."""

Reply = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class _Task:
    """Pages of one document that are still to be read; no pages yet means that it is still to be opened."""

    rendition_id: str
    path: str
    media_type: str
    content_hash: str
    indices: range | None = None


@dataclass(kw_only=True)
class _Desk:
    """Where the threads take tasks from and put answers; each thread only waits for its own process."""

    tasks: deque[_Task]
    limit_s: float
    open_tasks: int = 0
    replies: dict[str, dict[int, Reply]] = field(default_factory=dict)
    n_pages: dict[str, int] = field(default_factory=dict)
    file_notes: dict[str, list[str]] = field(default_factory=dict)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def take(self) -> _Task | None:
        with self.changed:
            while not self.tasks and self.open_tasks:
                self.changed.wait()
            if not self.tasks:
                return None
            self.open_tasks += 1
            return self.tasks.popleft()

    def give_up(self) -> None:
        with self.changed:
            self.tasks.clear()

    def finish(self, *, new: list[_Task]) -> None:
        with self.changed:
            self.tasks.extendleft(reversed(new))
            self.open_tasks -= 1
            self.changed.notify_all()


def read_documents(*, documents: pl.DataFrame, home: Path, config: ProjectConfig, workers: int) -> StageOutput:
    """Draw and read every page of the given documents.

    Args:
        documents: rows of `corpus.document`; removed ones are passed over, equal renditions are read once.
        home: the project folder; pictures are stored under `derived/pictures/`.
        config: resolution and limits.
        workers: processes that read at the same time.

    Returns:
        corpus.rendition, rendition_unit, unit, layer_text and quarantine. A page that takes longer than
        `corpus.limits.page_seconds` is refused as `too slow`, one that ends the process as `reader crashed`; the
        pages after it are read by a new process. The rows do not depend on the number of workers.

    Raises:
        EvalPipelineError: pictures cannot be written (a full disk).
    """
    given = documents.filter(pl.col("change") != "removed").unique("rendition_id").sort("rendition_id")
    rows = given.to_dicts()
    by_size = sorted(rows, key=lambda row: (-row["size_bytes"], row["rendition_id"]))
    tasks = [
        _Task(
            rendition_id=row["rendition_id"],
            path=str(locate_document(home=home.resolve(), source_path=row["source_path"]) or ""),
            media_type=row["media_type"],
            content_hash=row["content_hash"],
        )
        for row in by_size
    ]
    desk = _Desk(tasks=deque(tasks), limit_s=config.corpus.limits.page_seconds)
    _serve(desk, settings=_reader_settings(home, config), workers=workers)
    return _to_output(rows, desk)


def _reader_settings(home: Path, config: ProjectConfig) -> dict[str, object]:
    limits = config.corpus.limits
    return {
        "home": str(home.resolve()),
        "dpi": config.corpus.resolution_dpi,
        "page_pixels": limits.page_pixels,
        "image_pixels": limits.image_pixels,
    }


def _serve(desk: _Desk, *, settings: Mapping[str, object], workers: int) -> None:
    if not desk.tasks:
        return
    with ThreadPoolExecutor(max_workers=workers, thread_name_prefix="reader") as threads:
        for done in [threads.submit(_work, desk, settings) for _ in range(workers)]:
            done.result()


def _work(desk: _Desk, settings: Mapping[str, object]) -> None:
    process = WorkerProcess(settings)
    try:
        while (task := desk.take()) is not None:
            new: list[_Task] = []
            try:
                new = _open(desk, process, task) if task.indices is None else _read(desk, process, task)
            except BaseException:
                desk.give_up()
                raise
            finally:
                desk.finish(new=new)
    finally:
        process.stop()


def _open(desk: _Desk, process: WorkerProcess, task: _Task) -> list[_Task]:
    reply = _ask(process, _request(task), desk.limit_s)
    if "n_pages" not in reply:
        desk.replies[task.rendition_id] = {-1: reply}
        desk.n_pages[task.rendition_id] = 0
        return []
    desk.n_pages[task.rendition_id] = n_pages = reply["n_pages"]
    desk.replies[task.rendition_id] = {}
    desk.file_notes[task.rendition_id] = reply["notes"]
    chunks = [range(start, min(start + CHUNK_PAGES, n_pages)) for start in range(0, n_pages, CHUNK_PAGES)]
    return [
        _Task(
            rendition_id=task.rendition_id,
            path=task.path,
            media_type=task.media_type,
            content_hash=task.content_hash,
            indices=chunk,
        )
        for chunk in chunks
    ]


def _read(desk: _Desk, process: WorkerProcess, task: _Task) -> list[_Task]:
    assert task.indices is not None
    for index in task.indices:
        desk.replies[task.rendition_id][index] = _ask(process, _request(task, index), desk.limit_s)
    return []


def _request(task: _Task, index: int = -1) -> dict[str, object]:
    """What a process is asked: a page, or (-1) to open the document and count its pages."""
    return {"path": task.path, "media_type": task.media_type, "content_hash": task.content_hash, "index": index}


def _ask(process: WorkerProcess, request: Mapping[str, object], limit_s: float) -> Reply:
    try:
        reply = process.ask(request, limit_s=limit_s)
    except WorkerSilent:
        return {
            "reason": "too slow",
            "detail": f"it took longer than {limit_s:g} s",
            "next_step": "simplify the page, or raise corpus.limits.page_seconds in eval.yaml",
        }
    except WorkerDied as died:
        return {
            "reason": "reader crashed",
            "detail": f"the reading process ended: {died}",
            "next_step": "check the page in a viewer; export the file anew",
        }
    if "cannot_store" in reply:
        message = f"cannot write pictures under derived/pictures: {reply['cannot_store']}; make room and run again"
        raise EvalPipelineError(message)
    return reply


def _to_output(rows: list[dict[str, Any]], desk: _Desk) -> StageOutput:
    units: list[dict[str, object]] = []
    links, renditions, refusals = [], [], []
    texts: dict[str, str] = {}
    for row in rows:
        replies = sorted(desk.replies[row["rendition_id"]].items())
        taken = [(index, reply) for index, reply in replies if "reason" not in reply]
        for index, reply in taken:
            unit = _to_unit(row["document_id"], index, reply)
            units.append(unit)
            links.append({"rendition_id": row["rendition_id"], "unit_id": unit["unit_id"]})
            texts[reply["text_hash"]] = reply["text"]
        refusals += _to_refusals(row, -1, {"notes": desk.file_notes.get(row["rendition_id"], [])})
        refusals += [refusal for index, reply in replies for refusal in _to_refusals(row, index, reply)]
        if any(reply.get("reason") in NOT_READ for _, reply in replies):
            continue
        renditions.append(
            {
                "rendition_id": row["rendition_id"],
                "document_id": row["document_id"],
                "n_pages": desk.n_pages[row["rendition_id"]],
                "n_units": len(taken),
                "n_quarantined": len(replies) - len(taken),
            }
        )
    return StageOutput(
        tables={
            RENDITION.name: RENDITION.frame(renditions),
            RENDITION_UNIT.name: RENDITION_UNIT.frame(links),
            UNIT.name: UNIT.frame({str(unit["unit_id"]): unit for unit in units}.values()),
            LAYER_TEXT.name: LAYER_TEXT.frame([{"text_hash": key, "text": texts[key]} for key in sorted(texts)]),
            "corpus.quarantine": to_quarantine(refusals),
        },
        inputs=tuple(row["rendition_id"] for row in rows),
        summary={
            "documents": len(rows),
            "pages": sum(desk.n_pages.values()),
            "units": len(links),
            "quarantined": sum(not refusal.is_warning for refusal in refusals),
        },
    )


def _to_unit(document_id: str, index: int, reply: Reply) -> dict[str, object]:
    locator = f"page={index + 1}"
    return {
        "unit_id": content_id("unit", [document_id, locator, reply["picture_hash"], reply["text_hash"]]),
        "document_id": document_id,
        "locator": locator,
        "page_number": index + 1,
        "picture_hash": reply["picture_hash"],
        "text_hash": reply["text_hash"],
        "picture_path": reply["picture_path"],
        "width_px": reply["width_px"],
        "height_px": reply["height_px"],
        "dpi": reply["dpi"],
        "notes": json.dumps(reply["notes"]),
    }


def _to_refusals(row: Mapping[str, Any], index: int, reply: Reply) -> list[Refusal]:
    place = f"page {index + 1}" if index >= 0 else ""
    where = {
        "source_path": row["source_path"],
        "place": place,
        "content_hash": row["content_hash"],
        "rendition_id": row["rendition_id"],
    }
    if "reason" in reply:
        said = {name: reply[name] for name in ("reason", "detail", "next_step")}
        return [Refusal(**where, **said)]
    step = "look at it; corpus.limits in eval.yaml holds the caps on pictures"
    return [
        Refusal(**where, reason="taken with a note", detail=note, next_step=step, is_warning=True)
        for note in reply["notes"]
    ]
