"""`eval-pipeline power`."""

from dataclasses import asdict
from pathlib import Path

from eval_pipeline.cli.commands.compare import tell_detectable
from eval_pipeline.cli.compared import Compared, read_compared
from eval_pipeline.cli.console import say_json, say_plain
from eval_pipeline.foundation.settings import find_project
from eval_pipeline.metrics.planning import PairPlan, Plan, plan_comparison
from eval_pipeline.metrics.sharing import share_questions
from eval_pipeline.report.wording import write_count, write_number


def show_power(
    *,
    home: Path | None,
    contract: str | None,
    measure: str | None,
    arena: str | None,
    difference: float,
    discordance: float | None,
    as_json: bool,
) -> None:
    """Print what the questions of a contract can tell apart.

    Args:
        home: project folder; None for the one in use.
        contract: task name; None where there is one.
        measure: None for the contract's main one at 1.
        arena: None for siblings.
        difference: that should be seen.
        discordance: share of questions on which a pair differs; None for what was found.
        as_json: print JSON for programs.

    Raises:
        InputError: a share is not between 0 and 1.
        UnknownName: a name that nothing answers to.
    """
    found = read_compared(find_project(home), task=contract, sides=(), measure=measure, arena=arena)
    scores = share_questions(found.scores)[1] if len(found.scores) > 1 else dict(found.scores)
    plan = plan_comparison(scores, wanted=difference, slices=found.slices, discordance=discordance)
    if as_json:
        say_json(_to_json(found, plan))
    else:
        _print(found, plan)


def _to_json(found: Compared, plan: Plan) -> dict[str, object]:
    return {
        "task": found.contract.task,
        "measure": found.measure,
        "arena": found.arena,
        "evaluation_id": found.evaluation_id,
        "resampling": found.contract.resampling.unit,
        **asdict(plan),
    }


def _print(found: Compared, plan: Plan) -> None:
    say_plain(f"{found.contract.task} · {found.measure} · arena {found.arena} · {write_count(plan.n, 'question')}")
    say_plain("80 % power, 5 %, one planned pair; drawn: whole " + f"{found.contract.resampling.unit}s")
    share = write_number(plan.n_alike / plan.n) if plan.n else "0"
    say_plain(f"every variant alike on {plan.n_alike:,} of {plan.n:,} ({share}): these tell nothing of a difference")
    for pair in plan.pairs:
        say_plain(f"{pair.one} - {pair.other}: {_tell(pair, plan)}")
    if not plan.pairs:
        say_plain("one variant only: nothing to compare it with, so no discordance was found")
    kind = "stated" if plan.is_stated else "the largest found"
    if not plan.slices or not plan.discordance:
        return
    say_plain(f"slices, at the discordance {write_number(plan.discordance)} ({kind}):")
    for part in plan.slices:
        mark = "speaks   " if part.speaks else "too small"
        say_plain(
            f"  {mark}  {part.slice} = {part.value}: {write_count(part.n, 'question')}, smallest detectable difference "
            f"{tell_detectable(part.detectable)}"
        )
    silent = sum(not part.speaks for part in plan.slices)
    say_plain(f"{silent} of {len(plan.slices)} slices are too small to speak of a difference of {plan.wanted:g}")


def _tell(pair: PairPlan, plan: Plan) -> str:
    needed = "cannot be had at this discordance" if pair.needed is None else f"{pair.needed:,}"
    return (
        f"smallest detectable difference {tell_detectable(pair.detectable)} at the discordance "
        f"{write_number(pair.detectable.discordance)}; needed for {plan.wanted:g}: {needed}"
    )
