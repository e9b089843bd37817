"""Put what was drawn into a folder: what the pipeline may see in one place, the truth in another."""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval_pipeline.foundation.files import write_atomically
from eval_pipeline.foundation.ids import hash_unit


@dataclass(frozen=True, kw_only=True)
class DrawnSet:
    """What was drawn.

    Attributes:
        home: folder.
        files: what the pipeline may see, relative to it.
        truth: what is true of them, relative to it; never under `corpus/`.
    """

    home: Path
    files: tuple[str, ...]
    truth: str


@dataclass(frozen=True, kw_only=True)
class Draw:
    """Numbers that depend on a seed and a name only, so that one more item changes no other.

    Attributes:
        seed: of the set.
        name: of the item.
    """

    seed: int
    name: str

    def number(self, what: str) -> float:
        """In [0, 1)."""
        return hash_unit(self.seed, self.name, what)

    def between(self, what: str, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return low + int(self.number(what) * (high - low + 1))

    def pick(self, what: str, options: Sequence[str]) -> str:
        """One of the options."""
        return options[self.between(what, 0, len(options) - 1)]


def place_set(*, home: Path, files: Mapping[str, bytes], truth: str, rows: Iterable[Mapping[str, object]]) -> DrawnSet:
    """Write the files and the truth; the same content, the same bytes.

    Args:
        home: folder; made where it is missing.
        files: content by path relative to it.
        truth: path of the truth.
        rows: what is true, one JSON line each, in the given order.
    """
    for name, data in files.items():
        write_atomically(home / name, data)
    write_atomically(home / truth, write_lines(rows))
    return DrawnSet(home=home, files=tuple(files), truth=truth)


def write_lines(rows: Iterable[Mapping[str, object]]) -> bytes:
    """JSON lines with sorted keys."""
    return "".join(json.dumps(row, sort_keys=True, separators=(",", ":")) + "\n" for row in rows).encode()


def read_lines(path: Path) -> list[dict[str, object]]:
    """Rows of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def write_table(rows: Sequence[Mapping[str, str]]) -> bytes:
    """A CSV table; the columns of its first row."""
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()
