"""Several pages in one call: shuffled by seed, shown in both orders where that is declared, costs shared out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.foundation.ids import hash_unit
from eval_pipeline.foundation.protocols import PaidCall, Verdict
from eval_pipeline.judging.prompts import ShownPage
from eval_pipeline.judging.sharing import add_calls, split_call, with_call

Outcomes = dict[str, Verdict | JudgeFailed]
DIFFERS = "The verdict depends on the order in which pages are shown"


def ask_in_orders(
    *, ask: Callable[[Sequence[str]], Outcomes], shown: Mapping[str, ShownPage], seed: int, is_checked: bool
) -> Outcomes:
    """Ask about pages in a seeded order and, where it is checked, in the opposite one.

    Args:
        ask: one call for units in the order to be shown; an outcome for each of them.
        shown: pages by unit id; their order here does not matter.
        seed: of the order.
        is_checked: whether both orders are asked. A single page has one order.

    Returns:
        By unit id. Where the two verdicts differ, the judge abstains and says what it said when; a failure in either
        order is a failure.
    """
    order = sorted(shown, key=lambda unit_id: (hash_unit(seed, shown[unit_id].page_id), unit_id))
    first = ask(order)
    if not is_checked or len(order) == 1:
        return first
    second = ask(order[::-1])
    return {unit_id: _reconcile(unit_id, order, first[unit_id], second[unit_id]) for unit_id in order}


def _reconcile(
    unit_id: str, order: Sequence[str], first: Verdict | JudgeFailed, second: Verdict | JudgeFailed
) -> Verdict | JudgeFailed:
    call = _both(first.call, second.call)
    for said in (first, second):
        if isinstance(said, JudgeFailed):
            return JudgeFailed(str(said), reason=said.reason, call=call)
    assert isinstance(first, Verdict) and isinstance(second, Verdict)  # noqa: PT018  # both, or the loop returned
    tokens, seconds = (None, None) if call is None else (call.n_tokens, call.elapsed_s)
    paid = replace(first, call=call, n_tokens=tokens, elapsed_s=seconds)
    if first.outcome == second.outcome:
        return paid
    place = order.index(unit_id) + 1
    reason = (
        f"{DIFFERS}: {first.outcome} as number {place} of {len(order)}, {second.outcome} as number "
        f"{len(order) + 1 - place}."
    )
    return replace(paid, outcome="abstain", reason=reason, confidence=None)


def _both(first: PaidCall | None, second: PaidCall | None) -> PaidCall | None:
    return (first or second) if first is None or second is None else add_calls(first, second)


def share_verdicts(
    said: Mapping[str, Verdict | JudgeFailed], call: PaidCall, shown: Mapping[str, ShownPage], order: Sequence[str]
) -> Outcomes:
    """Outcomes by unit id, each with its part of what the call took and the order in which pages were shown."""
    parts = split_call(replace(call, shown_order=tuple(order)), len(order))
    return {
        unit_id: with_call(said[shown[unit_id].page_id], part, picture_size=_size(shown[unit_id]))
        for unit_id, part in zip(order, parts, strict=True)
    }


def share_failure(error: JudgeFailed, shown: Mapping[str, ShownPage], order: Sequence[str]) -> Outcomes:
    """The same failure for every page, each with its part of what was paid all the same."""
    call = error.call or PaidCall()
    failed = {shown[unit_id].page_id: JudgeFailed(str(error), reason=error.reason) for unit_id in order}
    return share_verdicts(failed, call, shown, order)


def _size(page: ShownPage) -> str | None:
    return None if page.picture is None else page.picture.size
