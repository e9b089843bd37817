"""Globs with `{a,b}` alternatives, walked without leaving the project folder."""

import os
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from eval_pipeline.foundation.errors import ConfigError

_OURS = ("derived", "dagster_home")


@dataclass(frozen=True, kw_only=True)
class FoundFile:
    """A file that matches the glob.

    Attributes:
        path: absolute path, as it is on disk.
        relative: POSIX path relative to the project folder, NFC.
        is_inside: False where the path leads out of the project folder through a link.
    """

    path: Path
    relative: str
    is_inside: bool


def expand_braces(pattern: str) -> list[str]:
    """Every alternative of a glob: `a.{x,y}` gives `a.x` and `a.y`; braces may nest.

    Raises:
        ConfigError: a brace is not closed.
    """
    opened = pattern.find("{")
    if opened < 0:
        return [pattern]
    depth, starts, parts = 0, opened + 1, []
    for place in range(opened, len(pattern)):
        letter = pattern[place]
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if (letter == "," and depth == 1) or (letter == "}" and depth == 0):
            parts.append(pattern[starts:place])
            starts = place + 1
        if depth == 0:
            tail = pattern[place + 1 :]
            return [full for part in parts for full in expand_braces(f"{pattern[:opened]}{part}{tail}")]
    message = f"eval.yaml: corpus.documents: {pattern!r} opens a brace that it does not close"
    raise ConfigError(message, path="eval.yaml", key="corpus.documents")


def compile_glob(pattern: str) -> re.Pattern[str]:
    """Regular expression of a glob over relative POSIX paths: `*` and `?` stay inside a folder, `**/` crosses folders.

    Letter case does not matter: `*.pdf` finds `A.PDF`.

    Raises:
        ConfigError: the glob is absolute, climbs out of the project folder or has an open brace.
    """
    if pattern.startswith("/") or ".." in pattern.split("/"):
        message = f"eval.yaml: corpus.documents: {pattern!r} should be a glob inside the project folder"
        raise ConfigError(message, path="eval.yaml", key="corpus.documents")
    plain = unicodedata.normalize("NFC", pattern).removeprefix("./")
    return re.compile("|".join(f"(?:{_translate(one)})" for one in expand_braces(plain)), re.IGNORECASE)


def _translate(pattern: str) -> str:
    pieces = re.findall(r"\*\*/|\*\*|\*|\?|\[!?[^\]]+\]|.", pattern, re.DOTALL)
    known = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    out = []
    for piece in pieces:
        if len(piece) > 1 and piece.startswith("["):
            inner = piece[1:-1].replace("\\", "\\\\")
            out.append(f"[^{inner[1:]}]" if inner.startswith("!") else f"[{inner}]")
        else:
            out.append(known.get(piece, re.escape(piece)))
    return "".join(out)


def find_files(*, home: Path, pattern: str) -> list[FoundFile]:
    """Files below the project folder that match the glob, sorted by relative path.

    Hidden files and folders and what the product itself makes are left out; linked folders are not entered.

    Raises:
        ConfigError: see `compile_glob`.
    """
    glob, root = compile_glob(pattern), home.resolve()
    found = []
    for path, relative in _walk(home):
        if glob.fullmatch(relative):
            found.append(FoundFile(path=path, relative=relative, is_inside=path.resolve().is_relative_to(root)))
    return sorted(found, key=lambda file: (file.relative, str(file.path)))


def _walk(home: Path) -> Iterator[tuple[Path, str]]:
    for folder, folders, names in os.walk(home):
        at_home = Path(folder) == home
        folders[:] = sorted(name for name in folders if not name.startswith(".") and not (at_home and name in _OURS))
        linked = [name for name in folders if (Path(folder) / name).is_symlink()]
        for name in sorted([*names, *linked]):
            path = Path(folder) / name
            if not name.startswith("."):
                yield path, unicodedata.normalize("NFC", path.relative_to(home).as_posix())


def locate_document(*, home: Path, source_path: str) -> Path | None:
    """Absolute path of a document, whichever way its name composes its accents on disk; None where it is gone.

    Args:
        home: the project folder.
        source_path: relative POSIX path, NFC, as in `corpus.document`.
    """
    direct = home / source_path
    if direct.is_file():
        return direct
    place = home
    for part in source_path.split("/"):
        if not place.is_dir():
            return None
        same = (child for child in place.iterdir() if unicodedata.normalize("NFC", child.name) == part)
        found = next(same, None)
        if found is None:
            return None
        place = found
    return place if place.is_file() else None
