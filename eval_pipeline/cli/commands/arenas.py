"""`eval-pipeline arenas export`."""

import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from eval_pipeline.cli.console import say_json, say_plain
from eval_pipeline.foundation.errors import LineageError, UnknownName
from eval_pipeline.foundation.files import write_atomically
from eval_pipeline.foundation.ids import canonical_json
from eval_pipeline.foundation.settings import find_project

if TYPE_CHECKING:
    import polars as pl

arenas_app = typer.Typer(no_args_is_help=True, help="What an outside retriever should search and score.")

Home = Annotated[
    Path | None,
    typer.Option("--home", help="Project folder; default: EVAL_PIPELINE_HOME, then ./data.", show_default=False),
]


@arenas_app.callback()
def _group() -> None:
    """What an outside retriever should search and score."""


@arenas_app.command("export")
def export(
    *,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder for the files.")],
    home: Home = None,
    contract: Annotated[str | None, typer.Option(help="Task name; default: the first contract.")] = None,
    file_format: Annotated[
        Literal["jsonl", "parquet", "csv"], typer.Option("--format", help="Kind of file.")
    ] = "jsonl",
    units: Annotated[
        Literal["unit_id", "declared_id", "document#page", "path#page"], typer.Option(help="How pages are named.")
    ] = "path#page",
    page_base: Annotated[int, typer.Option(min=0, max=1, help="Number of the first page, where pages are named.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Write questions, pages and the candidates to score, as whoever asks under a contract may see them.

    Example: eval-pipeline arenas export to-score/ --units path#page
    """
    told = write_arenas(
        home=home, folder=folder, contract=contract, file_format=file_format, style=units, page_base=page_base
    )
    if json:
        say_json(told)
        return
    for name in ("questions", "units", "candidates"):
        say_plain(f"{told[name]:,} {name} in {folder / f'{name}.{file_format}'}")
    say_plain(f"corpus snapshot {told['corpus_snapshot']}")
    say_plain("Then declare what comes back in eval.yaml under variants:")
    say_plain(str(told["declare"]))


def write_arenas(
    *,
    home: Path | None,
    folder: Path,
    contract: str | None,
    file_format: Literal["jsonl", "parquet", "csv"],
    style: Literal["unit_id", "declared_id", "document#page", "path#page"],
    page_base: int,
) -> dict[str, int | str]:
    """Write the files and `about.json`; return what stands there.

    Raises:
        UnknownName: no contract has that name.
        LineageError: there is no question to score for.
        InputError: pages have no name of their own in that style.
    """
    from eval_pipeline.orchestration.question_sets import read_asked
    from eval_pipeline.orchestration.reading import corpus_snapshot
    from eval_pipeline.orchestration.resources import Project
    from eval_pipeline.orchestration.run_reading import read_run_arenas, visible_to
    from eval_pipeline.runs.exporting import export_arenas

    project = Project(home=str(find_project(home).home))
    chosen = [item for item in project.contracts if contract in (None, item.task)]
    if not chosen:
        known = ", ".join(item.task for item in project.contracts)
        message = f"no contract {contract!r}; declared: {known}"
        raise UnknownName(message, name=str(contract))
    asked = read_asked(project).questions
    if asked.is_empty():
        message = "no question is in force under the present declaration; run 'eval-pipeline run' first, then export"
        raise LineageError(message)
    pages = project.read("corpus/units_in_force")
    found = export_arenas(
        questions=asked,
        arenas=read_run_arenas(project, chosen[0]),
        units=pages,
        visible=visible_to(project, chosen[0], pages),
        style=style,
        page_base=0 if page_base == 0 else 1,
    )
    frames = {"questions": found.questions, "units": found.units, "candidates": found.candidates}
    for name, frame in frames.items():
        write_atomically(folder / f"{name}.{file_format}", _to_bytes(frame, file_format))
    snapshot, _ = corpus_snapshot(project)
    about: dict[str, int | str] = {
        "task": chosen[0].task,
        "corpus_snapshot": snapshot,
        "style": style,
        "page_base": page_base,
        **{name: frame.height for name, frame in frames.items()},
        "declare": (
            f"  theirs: {{type: run-file, path: runs/theirs.run, scores: runs/scores.run, units: '{style}', "
            f"page_base: {page_base}, corpus_snapshot: {snapshot}}}"
        ),
    }
    write_atomically(folder / "about.json", canonical_json(dict(about)).encode() + b"\n")
    return about


def _to_bytes(frame: "pl.DataFrame", file_format: str) -> bytes:
    out = io.BytesIO()
    match file_format:
        case "parquet":
            frame.write_parquet(out)
        case "csv":
            frame.write_csv(out)
        case _:
            frame.write_ndjson(out)
    return out.getvalue()
