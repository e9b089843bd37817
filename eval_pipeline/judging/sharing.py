"""What a call took, put down beside each verdict or failure that came of it; sums stay what was paid."""

from dataclasses import replace
from typing import TypeVar, cast

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.foundation.protocols import PaidCall, Verdict

V = TypeVar("V", bound=Verdict | JudgeFailed)


def with_call(said: V, call: PaidCall, *, picture_size: str | None = None) -> V:
    """The same verdict or failure with what it took.

    Args:
        said: from a reply.
        call: what the reply took.
        picture_size: of the page's picture as sent.
    """
    told = replace(call, picture_size=picture_size)
    if isinstance(said, Verdict):
        return cast("V", replace(said, n_tokens=told.n_tokens, elapsed_s=told.elapsed_s, call=told))
    return cast("V", JudgeFailed(str(said), reason=said.reason, call=told))


def split_call(call: PaidCall, n: int) -> list[PaidCall]:
    """A call that served several pages, in parts that add up to it; the first parts carry what does not divide."""
    return [
        replace(
            call,
            n_requests=_part(call.n_requests, n, place),
            n_input_tokens=None if call.n_input_tokens is None else _part(call.n_input_tokens, n, place),
            n_output_tokens=None if call.n_output_tokens is None else _part(call.n_output_tokens, n, place),
            usd=None if call.usd is None else call.usd / n,
            elapsed_s=None if call.elapsed_s is None else call.elapsed_s / n,
        )
        for place in range(n)
    ]


def add_calls(first: PaidCall, second: PaidCall) -> PaidCall:
    """Two calls as one: counts are added, words are those of the second, the order shown is the first one's."""
    return replace(
        second,
        n_requests=first.n_requests + second.n_requests,
        n_input_tokens=_add(first.n_input_tokens, second.n_input_tokens),
        n_output_tokens=_add(first.n_output_tokens, second.n_output_tokens),
        usd=None if first.usd is None or second.usd is None else first.usd + second.usd,
        elapsed_s=None if first.elapsed_s is None or second.elapsed_s is None else first.elapsed_s + second.elapsed_s,
        shown_order=first.shown_order,
    )


def _part(total: int, n: int, place: int) -> int:
    return total // n + (1 if place < total % n else 0)


def _add(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second
