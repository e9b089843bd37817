"""Every relation's generator of hard negatives, by name.

Each module offers the same two names: `draw_hard_negatives` and `settings_id_of`. What a relation has to know differs:
`evidence` the declared axes, `transformed_copy` how to compare two pictures, `instance` which facets name object and
type, `semantic` the texts and the answers known so far, `localization` the judged intervals and the contract's IoU. All
return the same four tables.
"""

from collections.abc import Callable, Mapping

from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.negatives import instance, localization, pools, semantic, transformed_copy

DrawNegatives = Callable[..., StageOutput]
"""Keyword arguments as the relation's module says; rows of pooled_template, unit_pool, negative and shortfall."""

GENERATORS: Mapping[str, DrawNegatives] = {
    "evidence": pools.draw_hard_negatives,
    "transformed_copy": transformed_copy.draw_hard_negatives,
    "instance": instance.draw_hard_negatives,
    "semantic": semantic.draw_hard_negatives,
    "localization": localization.draw_hard_negatives,
}


def find_generator(relation: str) -> DrawNegatives:
    """Generator of a relation.

    Raises:
        UnknownName: no generator draws negatives for it.
    """
    if relation not in GENERATORS:
        message = f"no generator draws negatives for the relation {relation!r}; there are: {', '.join(GENERATORS)}"
        raise UnknownName(message, name=relation)
    return GENERATORS[relation]
