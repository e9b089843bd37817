"""Transformed copy: the unit is the same picture after compression, crop or resizing."""

from eval_pipeline.tasks.relations.relation import Relation

RELATION = Relation(
    name="transformed_copy",
    asks="Was this unit made from the same original picture as the query?",
    grades={
        "sufficient": "made from the same original picture, by recompression, crop, resizing or the like",
        "supporting": "shares a part with the original, but is another picture",
        "irrelevant": "made from another picture",
    },
    hard_negatives="confusable non-copies: pictures that look alike and were made from another original",
    answer_units=("page", "image"),
)
