import doctest

from eval_pipeline.labels.queues import QUEUES
from eval_pipeline.report.review import showing


def test_examples_in_docstrings():
    assert doctest.testmod(showing).failed == 0


def test_every_queue_and_urgency_has_words(basis):
    assert set(showing.QUEUE_WORDS) == set(QUEUES)
    used = set(basis.queued["urgency"].drop_nulls().to_list())
    assert used <= set(showing.URGENCY_WORDS)


def test_addresses_are_quoted():
    assert showing.address_of(("q/1", "u?#"), "audit") == "/pair/q%2F1/u%3F%23?queue=audit"


def test_a_stand_in_is_never_called_a_person(desk, memory, judge):
    memory.add(judge("sufficient", "demo generator", author_kind="generator-truth"), judge("irrelevant", "ann"))
    desk.read_labels()
    rows = showing.show_history(desk, "ann")
    assert sorted(str(row["who"]) for row in rows) == [
        "ann, person",
        "demo generator, stand-in reviewer (generator-truth)",
    ]
    shown = showing.show_pair(desk, ("q1", "unit_a"), "ann", "audit")
    assert [one["kind"] for one in shown["others"]] == ["stand-in reviewer (generator-truth)"]
