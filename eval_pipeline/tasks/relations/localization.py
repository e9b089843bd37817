"""Localization: the unit is the right interval of the right medium."""

from eval_pipeline.tasks.relations.relation import Relation

RELATION = Relation(
    name="localization",
    asks="Does this interval overlap a judged interval of the right medium by at least the contract's IoU?",
    grades={
        "sufficient": "its intersection over union with a judged interval reaches the contract's threshold",
        "supporting": "overlaps a judged interval, below the threshold",
        "irrelevant": "does not overlap any judged interval",
    },
    hard_negatives="the right file with the wrong interval",
    answer_units=("interval",),
)
