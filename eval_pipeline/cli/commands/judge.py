"""`eval-pipeline judge calibrate`: a judge against people's labels, before it is used."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from eval_pipeline.cli.console import say_json, say_plain
from eval_pipeline.foundation.settings import find_project

if TYPE_CHECKING:
    from eval_pipeline.labels.agreement import Agreement, Figure
    from eval_pipeline.metrics.judge_trust import Trust
    from eval_pipeline.orchestration.calibrating import Calibration
    from eval_pipeline.orchestration.judge_costs import Foreseen

judge_app = typer.Typer(no_args_is_help=True, help="Judges: how far they can be trusted, and what they cost.")


@judge_app.callback()
def _judge() -> None:
    """Keep `calibrate` a command of its own, also while it is the only one."""


@judge_app.command()
def calibrate(
    *,
    name: Annotated[str, typer.Argument(metavar="JUDGE", help="Name of a judge in eval.yaml.")],
    pairs: Annotated[int, typer.Option(min=1, help="Pairs to ask about, at least; whole questions.")] = 200,
    repeat: Annotated[int, typer.Option(min=0, help="Of these, pairs to ask about twice.")] = 20,
    seed: Annotated[int, typer.Option(help="Seed of both draws.")] = 0,
    only_cost: Annotated[
        bool, typer.Option("--only-cost", help="Ask nothing; tell what is known of the cost.")
    ] = False,
    home: Annotated[
        Path | None,
        typer.Option("--home", help="Project folder; default: EVAL_PIPELINE_HOME, then ./data.", show_default=False),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Ask a judge about pairs that people have labelled: how far it agrees, and what a run would cost.

    Example: eval-pipeline judge calibrate vlm --pairs 200
    """
    from eval_pipeline.orchestration.calibrating import calibrate_judge

    found = calibrate_judge(
        find_project(home), name=name, n_pairs=pairs, n_repeated=repeat, seed=seed, only_cost=only_cost
    )
    if json:
        say_json(to_json(found))
        return
    for title, told in tell(found):
        say_plain(f"{title:<11} {told}")


def to_json(found: "Calibration") -> dict[str, Any]:
    """Plain values by name; the table of grades as `person/judge`."""
    plain = asdict(found)
    for part in ("all", "boundary"):
        if plain["trust"] is not None:
            cells = plain["trust"][part]["table"]
            plain["trust"][part]["table"] = {f"{person}/{judge}": n for (person, judge), n in cells.items()}
    return plain


def tell(found: "Calibration") -> list[tuple[str, str]]:
    """Lines for a person, each with a title."""
    kinds = ", ".join(f"{n} by {kind}" for kind, n in found.n_labelled.items())
    model = f", model {found.settings['model']}" if "model" in found.settings else ""
    lines = [
        ("judge", f"{found.judge} ({found.judge_id}{model})"),
        ("labels", f"{sum(found.n_labelled.values())} pairs were labelled: {kinds}"),
        ("drawn", f"{found.n_pairs} pairs of {found.n_questions} questions"),
    ]
    if found.trust is not None:
        lines += _tell_trust(found, found.trust)
    return [*lines, *_tell_cost(found)]


def _tell_trust(found: "Calibration", trust: "Trust") -> list[tuple[str, str]]:
    failed = f" ({found.outcome['failures']})" if found.outcome.get("failures") else ""
    flips = trust.flips
    return [
        ("graded", f"{trust.all.n_pairs}; abstained on {trust.n_abstained}, no verdict on {trust.n_without}{failed}"),
        (
            "agreement",
            f"{_tell(trust.all)}; kappa {_figure(trust.all.kappa)}{_bounds(trust.kappa_low, trust.kappa_high)}",
        ),
        ("boundary", f"{_tell(trust.boundary)} that people graded sufficient or supporting"),
        *_tell_table(trust.all),
        ("flips", f"{_figure(flips)} of the pairs that were asked twice"),
        ("note", "these are the labels there are, not a random audit: they tell of pairs like these and no others"),
    ]


def _tell(agreement: "Agreement") -> str:
    return f"{_figure(agreement.raw)}{_bounds(agreement.low, agreement.high)} on {agreement.n_pairs} pairs"


def _figure(figure: "Figure") -> str:
    return f"{figure.value:.2f}" if figure.value is not None else str(figure.reason).replace("_", " ")


def _bounds(low: "Figure", high: "Figure") -> str:
    if low.value is None or high.value is None:
        return f" (no interval: {str(low.reason).replace('_', ' ')})"
    return f" [{low.value:.2f}, {high.value:.2f}]"


def _tell_table(agreement: "Agreement") -> list[tuple[str, str]]:
    grades = list(dict.fromkeys(person for person, _ in agreement.table))
    head = "people \\ judge".ljust(16) + "".join(grade.rjust(12) for grade in grades)
    rows = [
        person.ljust(16) + "".join(str(agreement.table[person, judge]).rjust(12) for judge in grades)
        for person in grades
    ]
    return [("table", head), *(("", row) for row in rows)]


def _tell_cost(found: "Calibration") -> list[tuple[str, str]]:
    cost = found.per_verdict
    if cost is None:
        return [("cost", "nothing was ever paid for this judge version"), ("a run", _tell_run(found.run))]
    return [
        ("paid now", f"{found.paid['n_tokens']:,.0f} tokens, {found.paid['usd']:.4f} USD"),
        ("a verdict", f"{_number(cost.n_tokens, 'tokens')}, {_money(cost.usd)}, {_seconds(cost.seconds)}"),
        ("a run", _tell_run(found.run)),
    ]


def _tell_run(run: "Foreseen") -> str:
    hours = "hours not known" if run.hours is None else f"{run.hours:.1f} hours"
    told = f"at most {run.n_calls:,} calls if no question is reworded: {_number(run.n_tokens, 'tokens')}"
    return f"{told}, {_money(run.usd)}, {hours}"


def _number(value: float | None, what: str) -> str:
    return f"{what} not known" if value is None else f"{value:,.0f} {what}"


def _money(value: float | None) -> str:
    return "money not known" if value is None else f"{value:,.4f} USD"


def _seconds(value: float | None) -> str:
    return "time not known" if value is None else f"{value:.1f} s"
