"""Other names of the same thing, declared by the user, as one unambiguous mapping."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from eval_pipeline.corpus.tables import read_table
from eval_pipeline.foundation.errors import ConfigError, InputError, TableError
from eval_pipeline.foundation.files import resolve_inside


def load_synonyms(
    *, declared: str | Mapping[str, Sequence[str]] | None, home: Path, fold: Callable[[str], str], key: str
) -> dict[str, str]:
    """Mapping from each folded synonym to its folded name; applying it twice changes nothing.

    Args:
        declared: a CSV with columns `name` and `synonym` (path relative to the project folder), or name -> synonyms.
        home: the project folder.
        fold: how values of the facet are folded.
        key: key in eval.yaml, for messages.

    Raises:
        ConfigError: a synonym stands for two names, or a name is itself a synonym of another.
        TableError: the CSV cannot be used.
    """
    mapping: dict[str, str] = {}
    pairs = _pairs(declared, home, key)
    names = {fold(name) for name, _ in pairs}
    for name, synonym in pairs:
        folded, target = fold(synonym), fold(name)
        if folded == target:
            continue
        taken = mapping.setdefault(folded, target)
        if taken != target or folded in names:
            other = taken if taken != target else folded
            message = f"eval.yaml: {key}: {synonym!r} stands for both {other!r} and {target!r}; keep one"
            raise ConfigError(message, path="eval.yaml", key=key)
    return mapping


def _pairs(declared: str | Mapping[str, Sequence[str]] | None, home: Path, key: str) -> list[tuple[str, str]]:
    if declared is None:
        return []
    if not isinstance(declared, str):
        return [(name, synonym) for name, synonyms in declared.items() for synonym in synonyms]
    try:
        resolve_inside(home, declared)
    except InputError as error:
        message = f"eval.yaml: {key}: {error}"
        raise ConfigError(message, path="eval.yaml", key=key) from error
    table = read_table(home=home, relative=declared)
    if not {"name", "synonym"} <= set(table.columns):
        message = f"{declared} should have the columns name and synonym, found {', '.join(table.columns)}"
        raise TableError(message, path=declared)
    if table.refusals:
        first = table.refusals[0]
        message = f"{declared}, {first.place}: {first.detail}; mend the row"
        raise TableError(message, path=declared)
    return [(row.values.get("name", ""), row.values.get("synonym", "")) for row in table.rows if len(row.values) > 1]
