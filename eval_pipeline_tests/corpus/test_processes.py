import time
from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.corpus.processes import WorkerDied, WorkerProcess, WorkerSilent
from eval_pipeline.foundation.ids import hash_file


def settings(home: Path) -> dict[str, object]:
    return {"home": str(home), "dpi": 36, "page_pixels": 1_000_000, "image_pixels": 1_000_000}


def request(path: Path, index: int = -1) -> dict[str, Any]:
    return {"path": str(path), "media_type": "pdf", "content_hash": hash_file(path), "index": index}


def test_a_process_answers_and_is_gone_after_stop(project: Any) -> None:
    path = project.put_pdf("a.pdf", "one", "two")
    process = WorkerProcess(settings(project.home))
    assert process.ask(request(path), limit_s=60) == {"n_pages": 2, "notes": []}
    assert process.ask(request(path, 1), limit_s=60)["text"] == "two"
    child = process._process
    assert child is not None
    process.stop()
    assert child.poll() is not None
    process.stop()


def test_a_silent_process_is_ended_and_the_next_question_gets_a_new_one(project: Any, case_files: Path) -> None:
    slow = case_files / "ING-09_slow_page.pdf"
    process = WorkerProcess(settings(project.home))
    process.ask(request(slow), limit_s=60)
    child = process._process
    assert child is not None
    started = time.monotonic()
    with pytest.raises(WorkerSilent):
        process.ask(request(slow, 1), limit_s=0.05)
    assert time.monotonic() - started < 5
    assert child.poll() is not None
    assert process.ask(request(slow, 2), limit_s=60)["width_px"] > 0
    process.stop()


def test_a_process_that_dies_says_its_last_words(project: Any) -> None:
    path = project.put_pdf("a.pdf")
    process = WorkerProcess(settings(project.home))
    with pytest.raises(WorkerDied, match="KeyError: 'content_hash'"):
        process.ask({"path": str(path), "media_type": "pdf", "index": 0}, limit_s=60)
    assert process.ask(request(path), limit_s=60)["n_pages"] == 1
    process.stop()
