"""`eval-pipeline compare`."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from eval_pipeline.cli.compared import Compared, read_compared
from eval_pipeline.cli.console import say_json, say_plain
from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.settings import find_project
from eval_pipeline.metrics.comparing import Comparison, Scores, compare_all, tabulate
from eval_pipeline.metrics.power import NO_DIFFERENCES, TOO_FEW, Detectable
from eval_pipeline.metrics.sharing import SharedSet, share_questions
from eval_pipeline.report.wording import explain_reason, write_count, write_number

NOT_COVERED = (
    "An interval covers the drawing of questions and nothing else: not wrong labels, leakage, a shifted corpus, or a "
    "measure that was chosen after looking."
)

WITHOUT_DIFFERENCE = {
    TOO_FEW: "too few questions at this discordance",
    NO_DIFFERENCES: "the two never differ",
}


def compare_variants(
    *,
    home: Path | None,
    sides: Sequence[str],
    contract: str | None,
    measure: str | None,
    arena: str | None,
    on: str | None,
    n_listed: int,
    as_json: bool,
) -> None:
    """Print the difference of every pair with interval, test and discordant questions.

    Args:
        home: project folder; None for the one in use.
        sides: variants, see `compared.Side`; none for every variant that is no control.
        contract: task name; None where there is one.
        measure: None for the contract's main one at 1.
        arena: None for siblings.
        on: `shared` for the questions that every side scores over the same candidates; None for whole denominators.
        n_listed: discordant questions printed per direction.
        as_json: print JSON for programs.

    Raises:
        InputError: denominators differ (the message names every part), or there is nothing to compare.
        UnknownName: a name that nothing answers to.
    """
    if on not in (None, "shared"):
        message = f"--on {on}: write --on shared, or leave it out"
        raise InputError(message)
    found = read_compared(find_project(home), task=contract, sides=sides, measure=measure, arena=arena)
    if len(found.scores) < 2:
        message = f"one side only, {', '.join(found.scores)}; name two variants or more"
        raise InputError(message)
    shared, scores = (None, dict(found.scores)) if on is None else _share(found, home)
    resampling = found.contract.resampling
    pairs = compare_all(scores, level=resampling.level, resamples=resampling.resamples, seed=resampling.seed)
    if as_json:
        say_json(_to_json(found, scores, shared, pairs))
        return
    _print(found, scores, shared, pairs, n_listed=n_listed)


def _share(found: Compared, home: Path | None) -> tuple[SharedSet, dict[str, Scores]]:
    """The shared set; nights under other labels or another corpus are scored again under tonight's first."""
    snapshots = {(one.denominator.batch_id, one.denominator.label_snapshot_id) for one in found.scores.values()}
    contracts = {one.denominator.contract_id for one in found.scores.values()}
    if len(snapshots) == 1 or len(contracts) > 1:
        return share_questions(found.scores)
    from eval_pipeline.orchestration.nights import compare_nights
    from eval_pipeline.orchestration.resources import Project

    project = Project(home=str(find_project(home).home))
    again = compare_nights(project, found.contract, found.sides, arena=found.arena, measure=found.measure)
    clustered = {name: replace(one, clusters=found.scores[name].clusters) for name, one in again.items()}
    return share_questions(clustered)


def count_alike(scores: Mapping[str, Scores]) -> tuple[int, int]:
    """Questions on which every side has the same value, and all questions."""
    values = tabulate(scores).values
    return int((values.max(axis=1) == values.min(axis=1)).sum()) if values.size else 0, len(values)


def tell_detectable(found: Detectable) -> str:
    """The smallest detectable difference, or why there is none."""
    if found.difference is None:
        return f"none ({WITHOUT_DIFFERENCE.get(found.reason, explain_reason(found.reason))})"
    return write_number(found.difference)


def _to_json(
    found: Compared, scores: Mapping[str, Scores], shared: SharedSet | None, pairs: Sequence[Comparison]
) -> dict[str, object]:
    alike, n = count_alike(scores)
    denominator = next(iter(scores.values())).denominator
    return {
        "task": found.contract.task,
        "contract_id": found.contract.contract_id,
        "measure": found.measure,
        "arena": found.arena,
        "evaluation_id": found.evaluation_id,
        "denominator": {"denominator_id": denominator.denominator_id, **asdict(denominator)},
        "shared_set": None if shared is None else asdict(shared),
        "n": n,
        "n_alike": alike,
        "pairs": [{**asdict(pair), "discordant": list(pair.discordant)} for pair in pairs],
        "not_covered": NOT_COVERED,
    }


def _print(
    found: Compared,
    scores: Mapping[str, Scores],
    shared: SharedSet | None,
    pairs: Sequence[Comparison],
    *,
    n_listed: int,
) -> None:
    alike, n = count_alike(scores)
    denominator = next(iter(scores.values())).denominator
    say_plain(f"{found.contract.task} · {found.measure} · arena {found.arena} · {write_count(n, 'question')}")
    if shared is not None:
        _print_shared(shared)
    say_plain(f"denominator {denominator.denominator_id}")
    if not pairs:
        say_plain("no question has a value, so there is nothing to compare")
        return
    width = max(len(f"{pair.one} - {pair.other}") for pair in pairs)
    for pair in pairs:
        say_plain(f"{f'{pair.one} - {pair.other}':<{width}}  {_tell(pair)}")
        say_plain(f"{'':<{width}}  {_tell_test(pair, len(pairs))}")
    say_plain(
        f"every variant has the same value on {alike:,} of {write_count(n, 'question')}: these tell nothing apart"
    )
    texts = dict(found.texts.iter_rows())
    for pair in pairs:
        _print_discordant(pair, texts, n_listed)
    say_plain(NOT_COVERED)


def _print_shared(shared: SharedSet) -> None:
    left = ", ".join(f"{name} {n}" for name, n in shared.left_out.items() if n) or "none"
    say_plain(
        f"shared set {shared.shared_set_id}: {write_count(len(shared.question_ids), 'question')} with a value on every "
        f"side over the same candidates; left out: {left}"
        + (f"; {shared.other_candidates} of these over other candidates" if shared.other_candidates else "")
    )


def _tell(pair: Comparison) -> str:
    interval = pair.interval
    bounds = (
        f"no interval: {explain_reason(interval.method)}"
        if interval.low is None or interval.high is None
        else f"[{interval.low:+.3f}, {interval.high:+.3f}] {interval.method}"
    )
    return f"{write_number(pair.mean_one)} - {write_number(pair.mean_other)} = {pair.difference:+.3f} {bounds}"


def _tell_test(pair: Comparison, n_pairs: int) -> str:
    corrected = f", Holm over {n_pairs} pairs {_p(pair.p_holm)}" if n_pairs > 1 else ""
    return (
        f"{pair.test} p {_p(pair.p_value)}{corrected}; alike on {pair.n_alike:,} of {pair.n:,}; smallest detectable "
        f"difference {tell_detectable(pair.detectable)} (80 % power, 5 %, one planned pair, discordance "
        f"{write_number(pair.detectable.discordance)})"
    )


def _p(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 else f"{value:.1e}"


def _print_discordant(pair: Comparison, texts: Mapping[str, str], n_listed: int) -> None:
    for name, other, ids in ((pair.one, pair.other, pair.one_better), (pair.other, pair.one, pair.other_better)):
        if not ids or not n_listed:
            continue
        say_plain(f"{name} above {other} on {write_count(len(ids), 'question')}:")
        for question_id in ids[:n_listed]:
            say_plain(f"  {question_id}  {texts.get(question_id, '')}")
        if len(ids) > n_listed:
            say_plain(f"  and {len(ids) - n_listed:,} more; --list {len(ids)} or --json shows all")
