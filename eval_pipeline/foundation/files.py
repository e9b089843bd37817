"""Files that are named by their content, written so that no reader ever sees half of one."""

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from eval_pipeline.foundation.errors import InputError, LineageError


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file beside its place, sync it, then rename it into place; the folder is made where it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".part-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@dataclass(frozen=True, kw_only=True)
class FileStore:
    """Content-named files under `derived/`; stored paths are relative to the project folder, so it can be moved.

    Attributes:
        home: the project folder.
    """

    home: Path

    def path_of(self, kind: str, name: str, suffix: str) -> str:
        """Relative POSIX path of a file: `derived/<kind>/<two digits>/<name><suffix>`."""
        shard = name.rsplit("_", maxsplit=1)[-1][:2]
        return f"derived/{kind}/{shard}/{name}{suffix}"

    def put(self, kind: str, name: str, suffix: str, data: bytes) -> str:
        """Store bytes under a content name unless they are there; return the relative path."""
        relative = self.path_of(kind, name, suffix)
        if not (self.home / relative).exists():
            write_atomically(self.home / relative, data)
        return relative

    def locate(self, relative: str) -> Path:
        """Absolute path of a stored file.

        Raises:
            LineageError: the file is gone; names the command that finds what can be made again.
        """
        path = self.home / relative
        if not path.exists():
            message = f"{relative} is in the ledger but not on disk; run 'eval-pipeline doctor'"
            raise LineageError(message)
        return path


def resolve_inside(folder: Path, relative: str) -> Path:
    """Absolute path of a file named by the user, refused before any open() when it leaves the folder.

    Raises:
        InputError: the name is absolute, has a scheme, climbs out, or follows a link out of the folder.
    """
    root = folder.resolve()
    if "://" in relative or relative.startswith(("/", "\\")) or Path(relative).is_absolute() or "\0" in relative:
        message = f"{relative!r} is not a path relative to {folder.name}/; give one inside that folder"
        raise InputError(message)
    if ".." in Path(relative.replace("\\", "/")).parts:
        message = f"{relative!r} climbs out of {folder.name}/; give a path inside that folder"
        raise InputError(message)
    target = (root / relative).resolve()
    if not target.is_relative_to(root):
        message = f"{relative!r} leads out of {folder.name}/ through a link; copy the file into the folder"
        raise InputError(message)
    return target
