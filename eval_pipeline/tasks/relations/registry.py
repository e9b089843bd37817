"""Every relation by name."""

import difflib

from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.tasks.relations import evidence, instance, localization, semantic, transformed_copy
from eval_pipeline.tasks.relations.relation import Relation

RELATIONS: dict[str, Relation] = {
    module.RELATION.name: module.RELATION for module in (evidence, transformed_copy, instance, semantic, localization)
}


def get_relation(name: str) -> Relation:
    """The relation of that name.

    Raises:
        UnknownName: there is none; names the nearest one and all that there are.
    """
    if (found := RELATIONS.get(name)) is not None:
        return found
    near = difflib.get_close_matches(name, list(RELATIONS), n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    message = f"{name!r} is no relation; {hint}allowed: {', '.join(RELATIONS)}"
    raise UnknownName(message, name=name)
