"""`eval-pipeline trace QUESTION --candidates`."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl

from eval_pipeline.cli.console import say_json, say_plain
from eval_pipeline.foundation.settings import find_project


def show_candidates(*, question_id: str, home: Path | None, as_json: bool) -> None:
    """Print every page that a question met: does it look like the answer, and does it contain it?

    Only pages that the asker of the contract may see are among them.

    Raises:
        UnknownName: no contract asks the question now.
    """
    from eval_pipeline.orchestration.candidate_reading import (
        find_ground,
        lay_tables,
        read_candidates,
        read_visible_vectors,
    )
    from eval_pipeline.orchestration.resources import Project

    project = Project(home=str(find_project(home).home))
    ground = find_ground(project, question_id)
    candidates = read_candidates(project, ground, read_visible_vectors(project, ground), [question_id])
    asked = ground.asked.questions.filter(pl.col("question_id") == question_id).item(0, "text")
    if as_json:
        rows = [{**row, "places": json.loads(row["places"])} for row in candidates.to_dicts()]
        say_json({"question_id": question_id, "text": asked, "task": ground.contract.task, "candidates": rows})
        return
    say_plain(f"question {question_id}, asked by {ground.contract.task}: {asked}")
    tables = lay_tables(project, ground, candidates)
    if question_id not in tables:
        say_plain("no page stands against it yet: it has no gold page and nothing came back")
        return
    for line in align(tables[question_id].to_frame()):
        say_plain(line)
    say_plain("looks: place among all pages by similarity to gold, and the similarity; place in VARIANT: whole corpus")


def align(frame: pl.DataFrame) -> Iterator[str]:
    """A frame of text as lines, columns two blanks apart."""
    rows: list[Sequence[str]] = [frame.columns, *frame.rows()]
    widths = [max(len(row[place]) for row in rows) for place in range(frame.width)]
    for row in rows:
        yield "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
