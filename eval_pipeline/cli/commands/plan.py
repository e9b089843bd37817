"""`eval-pipeline plan`."""

from pathlib import Path
from typing import TYPE_CHECKING

from eval_pipeline.cli.console import say_json, say_plain
from eval_pipeline.foundation.settings import find_project
from eval_pipeline.report.wording import write_percent

if TYPE_CHECKING:
    from eval_pipeline.orchestration.planning import Plan


def show_plan(*, home: Path | None, as_json: bool) -> None:
    """Print what the next run will do and cost.

    Args:
        home: project folder; None for the one in use.
        as_json: print JSON for programs.
    """
    from eval_pipeline.orchestration.planning import plan_next_run

    plan = plan_next_run(find_project(home))
    if as_json:
        say_json(plan.to_json())
        return
    for name, told in _lines(plan):
        say_plain(f"{name:<11} {told}")


def _lines(plan: "Plan") -> list[tuple[str, str]]:
    lines = [
        ("documents", ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in plan.documents.items())),
        ("pages", f"{plan.n_pages:,} to read"),
        *(("", f"{path} is not taken: {reason}") for path, reason in plan.unreadable.items()),
        ("pictures", "not known" if plan.n_pictures is None else f"{plan.n_pictures:,} to embed"),
        (
            "questions",
            f"at most {plan.questions['written_at_most']:,} written, {plan.questions['imported']:,} imported",
        ),
        ("judge calls", _say_calls(plan)),
        ("money", ", ".join(f"{name}: {_say_price(price)}" for name, price in plan.money.items())),
        ("hours", "not known" if plan.hours is None else f"at most about {plan.hours:.2f}, if no question is reworded"),
        ("disk", f"about {plan.disk_bytes / 1e6:,.0f} MB more"),
    ]
    for name, rate in plan.rates.items():
        lines.append(
            ("rate" if rate.is_measured else "assumption", f"{name}: {rate.value:,.1f} {rate.unit}, {rate.source}")
        )
    facets = ", ".join(f"{axis} {_say_share(share)}" for axis, share in plan.facets.items())
    return [
        *lines,
        *([("facets", f"usable in what is to be read: {facets}")] if facets else []),
        *(("not known", what) for what in plan.unknown),
        *(("look at", what) for what in plan.warnings),
    ]


def _say_share(share: float | None) -> str:
    return "not known" if share is None else write_percent(share)


def _say_calls(plan: "Plan") -> str:
    calls = plan.calls
    parts = f"{calls['gold']:,} on gold pages, {calls['negatives']:,} on negatives, {calls['labels']:,} for labels"
    return f"at most {parts}; {calls['at_most']:,} if every question is reworded along every axis"


def _say_price(price: float | None) -> str:
    return "not known" if price is None else f"{price:g}"
