"""Queries by name: `queries/<stage>/<name>.sql`, whose first comment tells purpose, inputs and grain."""

import difflib
from functools import cache
from pathlib import Path

from eval_pipeline.foundation.errors import UnknownName

QUERIES = Path(__file__).with_name("queries")


def list_queries() -> list[str]:
    """Names of all queries, as `stage/name`, sorted."""
    return sorted(path.relative_to(QUERIES).with_suffix("").as_posix() for path in QUERIES.glob("*/*.sql"))


@cache
def load_query(name: str) -> str:
    """Text of a query.

    Raises:
        UnknownName: there is no such query; names the nearest one.
    """
    known = list_queries()
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
        message = f"no query {name!r} in the ledger; {hint}"
        raise UnknownName(message, name=name)
    return (QUERIES / f"{name}.sql").read_text(encoding="utf-8")
