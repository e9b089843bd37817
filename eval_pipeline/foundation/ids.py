"""Ids from content: the same content has the same id on every machine, in every order, on every night.

An id is a short type prefix, an underscore and 20 hex digits (80 bits) of a SHA-256 over canonical JSON.
"""

import hashlib
import json
import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

Jsonable: TypeAlias = "bool | int | float | str | Sequence[Jsonable] | Mapping[str, Jsonable] | None"

ID_HEX_DIGITS = 20
N_BUCKETS = 16


def canonical_json(value: "Jsonable") -> str:
    """Spell a value in the one way that is hashed: sorted keys, no blanks, NFC text, floats by shortest repr.

    Raises:
        ValueError: a float is NaN or infinite; such a value has no canonical spelling and must be a named reason.
    """
    return json.dumps(_canonical(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _canonical(value: "Jsonable") -> "Jsonable":
    match value:
        case None | bool() | int():
            return value
        case str():
            return unicodedata.normalize("NFC", value)
        case float():
            if not math.isfinite(value):
                message = f"{value!r} has no canonical spelling; store a reason instead of a number"
                raise ValueError(message)
            return int(value) if value.is_integer() and abs(value) < 2**53 else value
        case Mapping():
            return {unicodedata.normalize("NFC", str(key)): _canonical(item) for key, item in value.items()}
        case _:
            return [_canonical(item) for item in value]


def content_id(prefix: str, content: "Jsonable") -> str:
    """Return `prefix_` and 20 hex digits of the hash of the canonical content; the prefix takes part in the hash."""
    digest = hashlib.sha256(f"{prefix}\n{canonical_json(content)}".encode()).hexdigest()
    return f"{prefix}_{digest[:ID_HEX_DIGITS]}"


def text_id(prefix: str, text: str) -> str:
    """Return `prefix_` and 20 hex digits of the hash of a text as it stands: for ids that are made by the million.

    The caller sees to it that different contents have different texts.
    """
    digest = hashlib.sha256(f"{prefix}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"{prefix}_{digest[:ID_HEX_DIGITS]}"


def set_id(prefix: str, members: Iterable[str]) -> str:
    """Id of a set: order and repetition of the members do not matter."""
    return content_id(prefix, sorted(set(members)))


def hash_bytes(data: bytes) -> str:
    """Full SHA-256 of bytes, as 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def hash_text(text: str) -> str:
    """Full SHA-256 of text as it stands (UTF-8, not normalised), as 64 hex digits."""
    return hash_bytes(text.encode("utf-8", "surrogatepass"))


def hash_file(path: Path) -> str:
    """Full SHA-256 of a file's bytes, read in blocks, as 64 hex digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def bucket_of(identity: str) -> str:
    """Name of the bucket (`00` to `15`) into which a document or a template falls, by hash of its id."""
    return f"{int(hashlib.sha256(identity.encode()).hexdigest()[:8], 16) % N_BUCKETS:02d}"


BUCKETS: tuple[str, ...] = tuple(f"{number:02d}" for number in range(N_BUCKETS))


def hash_unit(seed: int, *parts: str) -> float:
    """A number in [0, 1) that depends on the seed and the parts only.

    Sampling by it is stable as a corpus grows: an id is in or out whatever else there is.
    """
    digest = hashlib.sha256("\x1f".join([str(seed), *parts]).encode()).hexdigest()
    return int(digest[:13], 16) / 16**13
