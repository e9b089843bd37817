"""Where text goes: tables and facts to standard output, progress and errors to standard error."""

import json
import sys
from collections.abc import Mapping, Sequence

from rich.console import Console

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)


def say(text: str = "") -> None:
    """One line for a person; markup of Rich is read."""
    out.print(text)


def say_plain(text: str) -> None:
    """Text as it stands: brackets in it are no markup."""
    out.print(text, markup=False)


def say_error(text: str) -> None:
    """One error, on standard error."""
    err.print(f"error: {text}", markup=False, style="red")


def say_json(content: Mapping[str, object] | Sequence[object]) -> None:
    """JSON for programs, keys in the given order."""
    sys.stdout.write(json.dumps(content, ensure_ascii=False, indent=2, default=str, allow_nan=False) + "\n")
