"""Instance: the unit shows the same object."""

from eval_pipeline.tasks.relations.relation import Relation

RELATION = Relation(
    name="instance",
    asks="Does this unit show the very object that the query shows or names?",
    grades={
        "sufficient": "shows the same object, recognisable in this unit alone",
        "supporting": "shows the same object, but too little of it to tell from others of its type",
        "irrelevant": "does not show the object",
    },
    hard_negatives="another object of the same type",
    answer_units=("page", "image"),
)
