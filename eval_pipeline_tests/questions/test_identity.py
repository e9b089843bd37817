"""Ids of questions."""

from eval_pipeline.questions.identity import question_id_of


def test_every_part_counts() -> None:
    base = question_id_of(text="Q?", gold=["a", "b"], writer="w")
    others = [
        question_id_of(text="Q!", gold=["a", "b"], writer="w"),
        question_id_of(text="Q?", gold=["b", "a"], writer="w"),
        question_id_of(text="Q?", gold=["a", "b"], writer="v"),
        question_id_of(text="Q?", gold=["a", "b"], writer="w", parent="p"),
        question_id_of(text="Q?", gold=["a", "b"], writer="w", declared_id="d"),
        question_id_of(text="Q?", gold=["a", "b"], writer="w", answer="5"),
    ]
    assert len({base, *others}) == 7
    assert base == question_id_of(text="Q?", gold=["a", "b"], writer="w")
