"""`eval-pipeline metrics`."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from eval_pipeline.cli.console import say, say_json, say_plain
from eval_pipeline.cli.declared import declared_contract_ids
from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.foundation.settings import find_project
from eval_pipeline.ledger.connection import session
from eval_pipeline.metrics.tables import Figure, TableColumn, VariantTable, lay_table

LABEL_WIDTH, COLUMN_WIDTH = 25, 41


def show_metrics(*, home: Path | None, contract: str | None, as_json: bool, only_first: bool = False) -> None:
    """Print the two-column table of every variant of the evaluations in force.

    Args:
        home: project folder; None for the one in use.
        contract: task name; None for all.
        as_json: print JSON for programs.
        only_first: print the first task and name the commands for the others.

    Raises:
        UnknownName: no contract of that name was evaluated.
    """
    paths = find_project(home)
    params = {"contract_ids": declared_contract_ids(paths)}
    with session(paths) as ledger:
        evaluations = ledger.read("metrics/evaluations_in_force", params=params)
        figures = {
            row["evaluation_id"]: ledger.read("metrics/figures_of", params={"evaluation_id": row["evaluation_id"]})
            for row in evaluations.iter_rows(named=True)
        }
        encoders = ledger.table("embeddings.encoder")
        variants = ledger.table("runs.variant")
    chosen = evaluations.filter(pl.col("task") == contract) if contract else evaluations
    if contract and chosen.is_empty():
        known = ", ".join(evaluations["task"]) or "none yet; run 'eval-pipeline run'"
        message = f"no evaluation of a contract {contract!r}; evaluated: {known}"
        raise UnknownName(message, name=contract)
    names = _encoder_names(variants, encoders)
    if as_json:
        say_json([_to_json(row, figures[row["evaluation_id"]]) for row in chosen.iter_rows(named=True)])
        return
    if chosen.is_empty():
        say("nothing to evaluate yet; run 'eval-pipeline run'")
    shown = chosen.head(1) if only_first else chosen
    for row in shown.iter_rows(named=True):
        _print_evaluation(row, figures[row["evaluation_id"]], names)
    for task in chosen["task"][shown.height :]:
        say_plain(f"also evaluated: eval-pipeline metrics --contract {task}")


def _encoder_names(variants: pl.DataFrame, encoders: pl.DataFrame) -> dict[str, str]:
    named = variants.join(encoders.select("encoder_id", encoder="name"), on="encoder_id", how="inner")
    return dict(named.select("variant_id", "encoder").iter_rows())


def _to_json(evaluation: Mapping[str, Any], figures: pl.DataFrame) -> dict[str, Any]:
    return {
        "task": evaluation["task"],
        "contract_id": evaluation["contract_id"],
        "evaluation_id": evaluation["evaluation_id"],
        "corpus_snapshot": evaluation["batch_id"],
        "label_snapshot_id": evaluation["label_snapshot_id"],
        "funnel": json.loads(evaluation["funnel"]),
        "stamps": json.loads(evaluation["stamps"]),
        "figures": [
            {**row, "policy_counts": json.loads(row["policy_counts"])} for row in figures.iter_rows(named=True)
        ],
    }


def _print_evaluation(evaluation: Mapping[str, Any], figures: pl.DataFrame, encoders: Mapping[str, str]) -> None:
    declared = figures.filter(~pl.col("is_control")).select("variant", "variant_id").unique().sort("variant")
    if declared.is_empty():
        say(f"{evaluation['task']}: nothing to evaluate: no question came through; {_funnel(evaluation)}")
    for variant, variant_id in declared.iter_rows():
        encoder = encoders.get(variant_id)
        title = f"{evaluation['task']} · variant {variant}" + (f" · encoder {encoder}" if encoder else "")
        say(f"\n[bold]{title}[/bold]")
        is_open = figures["measure"].str.starts_with("acceptable@").any()
        _print_table(lay_table(figures, variant=variant, main="acceptable" if is_open else "sufficient"))
        _print_losses(figures, variant)
    say()
    say_plain(f"questions: {_funnel(evaluation)}")
    for stamp in json.loads(evaluation["stamps"]):
        say(f"[yellow]{stamp}[/yellow]")


def _funnel(evaluation: Mapping[str, Any]) -> str:
    counts = json.loads(evaluation["funnel"])
    return ", ".join(f"{name.replace('_', ' ')} {n}" for name, n in counts.items() if n)


def _print_table(table: VariantTable) -> None:
    rows = [_cells(["", *(column.title for column in table.columns)])]
    rows.append(_cells(["arena", *(_arena(column) for column in table.columns)]))
    for number in range(max((len(column.figures) for column in table.columns), default=0)):
        rows.append(_cells(["", *(_figure(column, number) for column in table.columns)]))
    rows.append(_cells(["control floor (template)", *(_floor(column) for column in table.columns)]))
    rows.append(_cells(["chance", *(_chance(column) for column in table.columns)]))
    rows.append(_cells(["questions", *(f"{column.n_scored} of {column.n_questions}" for column in table.columns)]))
    for row in rows:
        say_plain(row)
    for column in table.columns:
        if column.removed:
            removed = ", ".join(f"{reason} {n}" for reason, n in column.removed.items())
            say_plain(f"  removed from {column.title}: {removed}")
    say_plain(table.note)
    for arena, diagnosis in table.diagnoses.items():
        say_plain(f"{arena}: {diagnosis.sentence}")


def _cells(texts: list[str]) -> str:
    return texts[0].ljust(LABEL_WIDTH) + "".join(text.ljust(COLUMN_WIDTH) for text in texts[1:]).rstrip()


def _arena(column: TableColumn) -> str:
    if column.size_min is None:
        return column.arena
    size = str(column.size_min) if column.size_min == column.size_max else f"{column.size_min} to {column.size_max}"
    return f"{column.arena}, {size} candidates"


def _figure(column: TableColumn, number: int) -> str:
    if number >= len(column.figures):
        return ""
    figure = column.figures[number]
    mark = "" if figure.is_headline else "†"
    return f"{figure.measure + mark:<20}{_value(figure)}"


def _value(figure: Figure) -> str:
    if figure.estimate is None:
        return figure.reason
    bounds = "" if figure.low is None or figure.high is None else f" [{figure.low:.2f}, {figure.high:.2f}]"
    return f"{figure.estimate:.2f}{bounds}"


def _floor(column: TableColumn) -> str:
    floor = column.figures[0].floor
    return "not run" if floor is None else f"{column.figures[0].measure:<20}{floor:.2f}"


def _chance(column: TableColumn) -> str:
    chance = column.figures[0].chance
    return "" if chance is None else f"{column.figures[0].measure:<20}{chance:.2f}"


def _print_losses(figures: pl.DataFrame, variant: str) -> None:
    late = figures.filter((pl.col("variant") == variant) & pl.col("is_late"))
    if late.height:
        say_plain("late: the contract was registered after the run's first ranking")
