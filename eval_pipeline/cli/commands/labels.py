"""`eval-pipeline labels export` and `labels import`."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from eval_pipeline.cli.console import say_error, say_json, say_plain
from eval_pipeline.foundation.errors import TableError
from eval_pipeline.foundation.settings import ProjectPaths, Settings, find_project

if TYPE_CHECKING:
    from eval_pipeline.foundation.outputs import StageOutput

labels_app = typer.Typer(no_args_is_help=True, help="People's labels out to files and back in.")

Home = Annotated[
    Path | None,
    typer.Option("--home", help="Project folder; default: EVAL_PIPELINE_HOME, then ./data.", show_default=False),
]
NEXT = {
    "csv": "fill in the columns grade and reviewer, then: eval-pipeline labels import {target}",
    "label-studio": "set up Label Studio with label-studio.xml, serve the folder as its local files, export as "
    "JSON, then: eval-pipeline labels import THAT.json",
}
MAX_TOLD = 20
"""Refused rows that are told on a terminal; `--json` and the quarantine hold all."""


@labels_app.command("export")
def export(
    *,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder for the file and the page pictures.")],
    home: Home = None,
    file_format: Annotated[Literal["csv", "label-studio"], typer.Option("--format", help="Kind of file.")] = "csv",
    queue: Annotated[Literal["audit", "priority", "all"], typer.Option(help="Which pairs.")] = "all",
    decided: Annotated[bool, typer.Option("--decided", help="People's labels instead of pairs to label.")] = False,
    with_model: Annotated[
        bool, typer.Option("--with-model", help="Show the model's answers: labels are then not blind.")
    ] = False,
    clearance: Annotated[str | None, typer.Option(help="Leave out pages above this access level.")] = None,
    group: Annotated[list[str] | None, typer.Option(help="Group of whoever looks; with --clearance.")] = None,
) -> None:
    """Write pairs to label (or people's labels) as CSV or Label Studio JSON, with the page pictures.

    Example: eval-pipeline labels export to-label/ --queue audit
    """
    target, n_rows = export_labels(
        home=home,
        folder=folder,
        kind=file_format,
        queue=queue,
        decided=decided,
        with_model=with_model,
        clearance=clearance,
        groups=group or [],
    )
    say_plain(f"{n_rows} rows in {target}")
    if not decided:
        say_plain(NEXT[file_format].format(target=target))


@labels_app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="CSV, or JSON of Label Studio.")],
    home: Home = None,
    kind: Annotated[
        Literal["human", "developer"], typer.Option("--kind", help="Author kind of rows that do not say.")
    ] = "human",
    json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Take in people's labels; rows that cannot be used are listed in the quarantine, the others count.

    Example: eval-pipeline labels import to-label/labels.csv
    """
    paths = find_project(home)
    made = import_labels(paths, file=file, author_kind=kind)
    refused = made.tables["corpus.quarantine"].to_dicts()
    if json:
        say_json({**made.summary, "refused rows": refused})
        return
    say_plain(", ".join(f"{what} {n}" for what, n in made.summary.items()))
    for row in refused[:MAX_TOLD]:
        say_error(f"{row['source_path']}, {row['place']}: {row['reason']}: {row['detail']}; {row['next_step']}")
    if len(refused) > MAX_TOLD:
        say_error(f"{len(refused) - MAX_TOLD} more refused rows are in the quarantine")


def export_labels(
    *,
    home: Path | None,
    folder: Path,
    kind: Literal["csv", "label-studio"],
    queue: str,
    decided: bool,
    with_model: bool,
    clearance: str | None,
    groups: Sequence[str],
) -> tuple[Path, int]:
    """Write the file; return it and its number of rows."""
    import polars as pl

    from eval_pipeline.cli.commands.review import clearance_for
    from eval_pipeline.foundation.config import load_project
    from eval_pipeline.labels.exchange.exporting import rows_of_labels, rows_to_label, write_export
    from eval_pipeline.labels.queues import open_pairs
    from eval_pipeline.orchestration.resources import Project
    from eval_pipeline.orchestration.review_reading import LedgerDesk, export_ground

    paths = find_project(home)
    ledger = LedgerDesk(project=Project(home=str(paths.home)), clearance=clearance_for(paths, clearance, groups))
    basis = ledger.read_basis()
    labels = ledger.read_labels(list(basis.questions), is_patient=True)
    ground = export_ground(basis, with_model=with_model)
    if decided:
        queues = {(q, u): name for q, u, name in basis.queued.select("question_id", "unit_id", "queue").iter_rows()}
        rows = rows_of_labels(labels, queues, ground)
    else:
        wanted = load_project(paths.config).labels.people_per_pair
        pairs = open_pairs(basis.queued, labels=labels, author="", author_kind="", people_per_pair=wanted)
        rows = rows_to_label(pairs if queue == "all" else pairs.filter(pl.col("queue") == queue), ground)
    if decided and queue != "all":
        rows = [row for row in rows if row.queue == queue]
    return write_export(folder=folder, rows=rows, kind=kind), len(rows)


def import_labels(paths: ProjectPaths, *, file: Path, author_kind: str) -> "StageOutput":
    """Read a file, check its rows and record what they give; the summary counts what became of them.

    Raises:
        TableError: the file as a whole cannot be read.
    """
    from eval_pipeline.labels.exchange import csv_files, label_studio, taking
    from eval_pipeline.ledger.connection import session

    if not file.is_file():
        message = f"{file} is not there"
        raise TableError(message, path=str(file))
    resolved = file.resolve()
    name = resolved.relative_to(paths.home).as_posix() if resolved.is_relative_to(paths.home) else file.name
    reader = label_studio.read_tasks if file.suffix.lower() == ".json" else csv_files.read_csv_labels
    read = reader(file, name=name)
    now = datetime.now(UTC)
    with session(paths, wait_s=Settings().ledger_wait_s) as ledger:
        questions = ledger.table("questions.question")
        made = taking.take_labels(
            read,
            relation_of=dict(questions.select("question_id", "relation").iter_rows()),
            unit_ids=set(ledger.table("corpus.unit")["unit_id"].to_list()),
            existing=ledger.read("labels/labels_of", frames={"wanted": questions.select("question_id")}),
            author_kind=author_kind,
            now=now,
        )
        ledger.record(
            output=made,
            asset="labels",
            partition="people",
            code_version=taking.CODE_VERSION,
            dagster_run_id=None,
            made_at=now,
        )
    return made
