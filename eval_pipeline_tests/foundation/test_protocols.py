import numpy as np
import pytest

from eval_pipeline.foundation.protocols import PageContent, PaidCall, StagedRanking, UnitVectors, Verdict

VECTORS = UnitVectors(unit_ids=np.array(["u1", "u2", "u3"]), matrix=np.eye(3, dtype=np.float32), encoder_id="encoder_1")


def test_rows_come_in_the_order_asked_for():
    assert VECTORS.rows_of(["u3", "u1", "u3"]).tolist() == [[0, 0, 1], [1, 0, 0], [0, 0, 1]]
    assert VECTORS.rows_of([]).shape == (0, 3)


def test_unit_without_a_vector_is_named():
    with pytest.raises(KeyError, match="u9"):
        VECTORS.rows_of(["u1", "u9"])


def test_what_is_not_known_is_none_and_not_zero():
    verdict = Verdict(outcome="abstain", reason="unreadable")
    assert (verdict.confidence, verdict.n_tokens, verdict.elapsed_s) == (None, None, None)
    assert PageContent(unit_id="u", text="", text_quality="missing").picture is None
    assert StagedRanking(stages={"final": []}).notes == ()


def test_tokens_of_a_call_are_known_only_where_both_kinds_are():
    assert PaidCall(n_input_tokens=5, n_output_tokens=2).n_tokens == 7
    assert PaidCall(n_input_tokens=5).n_tokens is None
    assert PaidCall().n_requests == 0
