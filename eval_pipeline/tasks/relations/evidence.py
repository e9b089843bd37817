"""Evidence: the unit lets a reader derive the answer."""

from eval_pipeline.tasks.relations.relation import Relation

RELATION = Relation(
    name="evidence",
    asks="Could a competent reader derive the answer to the question from this unit alone?",
    grades={
        "sufficient": "a competent reader could derive the answer from this unit alone",
        "supporting": "relevant, mentions the subject, but insufficient alone",
        "irrelevant": "does not help to answer the question",
    },
    hard_negatives="look-alike siblings: same template, another value on one declared axis",
    answer_units=("page", "image"),
)
