"""Costs of a call that served several pages."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.foundation.protocols import PaidCall, Verdict
from eval_pipeline.judging.sharing import add_calls, split_call, with_call

CALL = PaidCall(n_requests=2, n_input_tokens=10, n_output_tokens=3, usd=0.5, elapsed_s=1.0, model="m")


@given(n=st.integers(1, 9), tokens=st.integers(0, 1000))
def test_parts_add_up(n: int, tokens: int) -> None:
    parts = split_call(replace(CALL, n_input_tokens=tokens), n)
    assert len(parts) == n
    assert sum(part.n_input_tokens or 0 for part in parts) == tokens
    assert sum(part.n_requests for part in parts) == 2
    assert abs(sum(part.usd or 0 for part in parts) - 0.5) < 1e-12
    assert {part.model for part in parts} == {"m"}


def test_unknown_stays_unknown() -> None:
    unknown = replace(CALL, n_input_tokens=None, usd=None)
    assert {(part.n_input_tokens, part.usd) for part in split_call(unknown, 2)} == {(None, None)}
    both = add_calls(CALL, unknown)
    assert (both.n_input_tokens, both.usd, both.n_output_tokens, both.n_requests) == (None, None, 6, 4)


def test_a_verdict_and_a_failure_carry_what_they_took() -> None:
    said = with_call(Verdict(outcome="yes", reason="r"), CALL, picture_size="7x9")
    assert (said.n_tokens, said.elapsed_s, said.call.picture_size) == (13, 1.0, "7x9")
    failed = with_call(JudgeFailed("cut it was", reason="cut"), CALL)
    assert (str(failed), failed.reason, failed.call) == ("cut it was", "cut", CALL)
