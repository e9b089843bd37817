"""What a request says: who asks, and of which pair."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from starlette.requests import Request

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.report.review.basis import Pair
from eval_pipeline.report.review.records import read_name

COOKIE = "eval_pipeline_reviewer"


def reviewer_of(request: Request) -> str | None:
    """The name in the cookie; None where there is none, or it is no name."""
    try:
        return read_name(unquote(request.cookies.get(COOKIE, "")))
    except InputError:
        return None


def own_path(address: str) -> str:
    """An address of these pages; anything that leads elsewhere is the first page."""
    is_own = address.startswith("/") and not address.startswith(("//", "/\\")) and address.isprintable()
    return address if is_own else "/"


def pair_of(given: Mapping[str, Any]) -> Pair:
    """Question and unit as they were given; empty text for what is missing."""
    return text_of(given, "question_id"), text_of(given, "unit_id")


def text_of(given: Mapping[str, Any], name: str) -> str:
    """A text that was given; empty for anything else."""
    value = given.get(name, "")
    return value if isinstance(value, str) else ""


async def read_body(request: Request) -> Mapping[str, Any]:
    """The JSON object that was sent.

    Raises:
        InputError: it is something else.
    """
    try:
        given = json.loads(await request.body())
    except ValueError as error:
        message = "a JSON object is expected"
        raise InputError(message) from error
    if not isinstance(given, dict):
        message = "a JSON object is expected"
        raise InputError(message)
    return given
