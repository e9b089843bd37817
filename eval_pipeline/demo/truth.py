"""The truth as a file beside the corpus, never in it: one JSON line a page."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from eval_pipeline.demo.facts import Fact, Mention, PageTruth
from eval_pipeline.foundation.files import write_atomically

TRUTH_FILE = "truth/facts.jsonl"


def write_truth(home: Path, truths: Iterable[PageTruth]) -> Path:
    """Write `<home>/truth/facts.jsonl`, sorted by document and page; returns its path."""
    ordered = sorted(truths, key=lambda truth: (truth.document, truth.page))
    lines = [json.dumps(asdict(truth), sort_keys=True, separators=(",", ":")) for truth in ordered]
    path = home / TRUTH_FILE
    write_atomically(path, ("\n".join(lines) + "\n").encode())
    return path


def read_truth(path: Path) -> dict[tuple[str, int], PageTruth]:
    """Truth by document path and page; empty where there is no such file."""
    if not path.is_file():
        return {}
    pages = [_page_of(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return {(page.document, page.page): page for page in pages}


def _page_of(row: dict[str, object]) -> PageTruth:
    facts = tuple(Fact(**fact) for fact in row.pop("facts"))  # type: ignore[attr-defined]
    mentions = tuple(Mention(**mention) for mention in row.pop("mentions"))  # type: ignore[attr-defined]
    return PageTruth(**row, facts=facts, mentions=mentions)  # type: ignore[arg-type]
