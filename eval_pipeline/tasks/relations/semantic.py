"""Semantic: the unit is about what the question asks."""

from eval_pipeline.tasks.relations.relation import Relation

RELATION = Relation(
    name="semantic",
    asks="Does this unit answer what the query is about?",
    grades={
        "sufficient": "about the topic asked for and answers it",
        "supporting": "about the topic, but does not answer what is asked",
        "irrelevant": "about something else altogether",
    },
    hard_negatives="topically near, not answering",
    answer_units=("page", "image"),
)
