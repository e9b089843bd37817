"""`eval-pipeline metrics`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from eval_pipeline.cli.console import say, say_json, say_plain
from eval_pipeline.cli.declared import declared_contracts
from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.foundation.settings import find_project
from eval_pipeline.labels.rows import PERSON_KINDS
from eval_pipeline.ledger.connection import session
from eval_pipeline.ledger.sessions import Session
from eval_pipeline.metrics.parts import main_measure, separate
from eval_pipeline.metrics.tables import Figure, TableColumn, VariantTable, lay_table
from eval_pipeline.report.wording import explain_author, explain_reason, write_count, write_percent
from eval_pipeline.tasks.contracts import Contract

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
    contracts = declared_contracts(paths)
    params = {"contract_ids": list(contracts)}
    with session(paths) as ledger:
        evaluations = ledger.read("metrics/evaluations_in_force", params=params)
        figures = {
            row["evaluation_id"]: ledger.read("metrics/figures_of", params={"evaluation_id": row["evaluation_id"]})
            for row in evaluations.iter_rows(named=True)
        }
        told = {name: _read_told(ledger, name) for name in figures}
        encoders = ledger.table("embeddings.encoder")
        variants = ledger.table("runs.variant")
    chosen = evaluations.filter(pl.col("task") == contract) if contract else evaluations
    if contract and chosen.is_empty():
        known = ", ".join(evaluations["task"]) or "none yet; run 'eval-pipeline run'"
        message = f"no evaluation of a contract {contract!r}; evaluated: {known}"
        raise UnknownName(message, name=contract)
    names = _encoder_names(variants, encoders)
    if as_json:
        rows = list(chosen.iter_rows(named=True))
        laid = {row["evaluation_id"]: _lay(row, figures, told, contracts) for row in rows}
        say_json(
            [
                _to_json(row, figures[name], laid[name], told[name].authors)
                for row in rows
                for name in (row["evaluation_id"],)
            ]
        )
        return
    if chosen.is_empty():
        say("nothing to evaluate yet; run 'eval-pipeline run'")
    shown = chosen.head(1) if only_first else chosen
    for row in shown.iter_rows(named=True):
        _print_evaluation(row, _lay(row, figures, told, contracts), names, told[row["evaluation_id"]].authors)
    for task in chosen["task"][shown.height :]:
        say_plain(f"also evaluated: eval-pipeline metrics --contract {task}")


@dataclass(frozen=True, kw_only=True)
class _Told:
    """What is printed of an evaluation beside its figures: values by question, and who labelled what came back."""

    values: pl.DataFrame
    authors: pl.DataFrame


def _read_told(ledger: Session, evaluation_id: str) -> _Told:
    params = {"evaluation_id": evaluation_id}
    return _Told(
        values=ledger.read("receipts/values_of", params=params),
        authors=ledger.read("labels/behind_figures", params=params),
    )


def _lay(
    evaluation: Mapping[str, Any],
    figures: Mapping[str, pl.DataFrame],
    told: Mapping[str, _Told],
    contracts: Mapping[str, Contract],
) -> pl.DataFrame:
    """Figures of one evaluation with parts of their questions, see `metrics.parts`."""
    name = evaluation["evaluation_id"]
    mine, resampling = figures[name], contracts[evaluation["contract_id"]].resampling
    return separate(mine, told[name].values, main=main_measure(mine["measure"]), resampling=resampling)


def _encoder_names(variants: pl.DataFrame, encoders: pl.DataFrame) -> dict[str, str]:
    named = variants.join(encoders.select("encoder_id", encoder="name"), on="encoder_id", how="inner")
    return dict(named.select("variant_id", "encoder").iter_rows())


def _to_json(
    evaluation: Mapping[str, Any], figures: pl.DataFrame, laid: pl.DataFrame, authors: pl.DataFrame
) -> dict[str, Any]:
    parts = laid.join(figures, on=["metric_id", "denominator_id"], how="anti", maintain_order="left")
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
        "parts": [{**row, "policy_counts": json.loads(row["policy_counts"])} for row in parts.iter_rows(named=True)],
        "labels_behind": authors.to_dicts(),
    }


def _print_evaluation(
    evaluation: Mapping[str, Any], figures: pl.DataFrame, encoders: Mapping[str, str], authors: pl.DataFrame
) -> None:
    declared = figures.filter(~pl.col("is_control")).select("variant", "variant_id").unique().sort("variant")
    if declared.is_empty():
        say(f"{evaluation['task']}: nothing to evaluate: no question came through; {_funnel(evaluation)}")
    for variant, variant_id in declared.iter_rows():
        encoder = encoders.get(variant_id)
        title = f"{evaluation['task']} · variant {variant}" + (f" · encoder {encoder}" if encoder else "")
        say(f"\n[bold]{title}[/bold]")
        _print_table(lay_table(figures, variant=variant, main=main_measure(figures["measure"])))
        say_plain(tell_authors(authors.filter(pl.col("variant") == variant)))
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
        if number == 0 and table.shared:
            rows.append(_shared_row(table))
    rows.append(_cells(["control floor (template)", *(_floor(column) for column in table.columns)]))
    rows.append(_cells(["chance", *(_chance(column) for column in table.columns)]))
    rows.append(_cells(["questions", *(f"{column.n_scored} of {column.n_questions}" for column in table.columns)]))
    for row in rows:
        say_plain(row)
    for column in table.columns:
        if column.removed:
            removed = ", ".join(f"{explain_reason(reason)} {n}" for reason, n in column.removed.items())
            say_plain(f"  removed from {column.title}: {removed}")
    if table.apart is not None:
        say_plain(_apart(table.apart))
    say_plain(table.note)
    for arena, diagnosis in table.diagnoses.items():
        say_plain(f"{arena}: {diagnosis.sentence}")


def _shared_row(table: VariantTable) -> str:
    """The same questions under the same measure in every column: only the candidates differ."""
    shared = dict(table.shared)
    cells = [
        f"{shared[column.title].measure:<20}{_value(shared[column.title])}" if column.title in shared else ""
        for column in table.columns
    ]
    n = table.shared[0][1].n_scored
    return _cells([f"same {n} questions", *cells])


def _apart(column: TableColumn) -> str:
    first = column.figures[0]
    return (
        f"apart, {column.title}: {first.measure} {_value(first)}, "
        f"{column.n_scored} of {write_count(column.n_questions, 'question')}"
    )


TEXT_JUDGES = ("text-match",)
"""Types of judge that read the text layer and never the picture."""


def tell_authors(authors: pl.DataFrame) -> str:
    """Who labelled what one variant brought back, as shares.

    Args:
        authors: k, author_kind, author, judge_kind, n of one variant, as `labels/behind_figures` gives them.
    """
    if authors.is_empty():
        return "labels behind these figures: not counted, as no question has a value in the whole corpus"
    total = int(authors["n"].sum())
    counts: dict[str, int] = {}
    for kind, judge_kind, n in authors.select("author_kind", "judge_kind", "n").iter_rows():
        name = "text judge" if judge_kind in TEXT_JUDGES else explain_author(kind or "unjudged")
        counts[name] = counts.get(name, 0) + n
    ranked = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    said = ", ".join(f"{write_percent(n / total)} {name}" for name, n in ranked)
    audited = sum(n for kind, n in authors.select("author_kind", "n").iter_rows() if kind in PERSON_KINDS)
    return (
        f"labels behind the first {authors.item(0, 'k')} of the whole corpus: {said}; "
        f"audited {write_percent(audited / total)} of {total:,}"
    )


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
        return explain_reason(figure.reason)
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
