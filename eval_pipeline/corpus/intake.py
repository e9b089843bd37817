"""Which files can be documents: inside the folder, readable, of a known kind, within the limits."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from eval_pipeline.corpus.globs import FoundFile, find_files
from eval_pipeline.corpus.refusals import Refusal
from eval_pipeline.corpus.sniffing import HEAD_BYTES, MediaType, sniff_media_type
from eval_pipeline.foundation.config import CorpusConfig
from eval_pipeline.foundation.ids import hash_file


@dataclass(frozen=True, kw_only=True)
class DocumentFile:
    """A file that can be a document.

    Attributes:
        relative: POSIX path relative to the project folder, NFC.
        content_hash: SHA-256 of its bytes.
        media_type: as sniffed.
        size_bytes: its size.
    """

    relative: str
    content_hash: str
    media_type: MediaType
    size_bytes: int


def take_files(*, home: Path, config: CorpusConfig) -> tuple[dict[str, DocumentFile], list[Refusal]]:
    """Files that match the declared glob, by relative path; and those that are refused, each with its reason.

    Raises:
        ConfigError: the glob is wrong.
    """
    found = find_files(home=home, pattern=config.documents)
    times = Counter(file.relative for file in found)
    files: dict[str, DocumentFile] = {}
    refusals = []
    for file in found:
        taken = _refuse_place(file, is_twin=times[file.relative] > 1) or _take_file(file, config.limits.file_bytes)
        if isinstance(taken, Refusal):
            refusals.append(taken)
        else:
            files[file.relative] = taken
    return files, refusals


def _refuse_place(file: FoundFile, *, is_twin: bool) -> Refusal | None:
    """Refuse by place and name alone, before anything is opened."""
    if not file.relative.isprintable() and any("\udc80" <= letter <= "\udcff" for letter in file.relative):
        name = file.relative.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        told = FoundFile(path=file.path, relative=name, is_inside=file.is_inside)
        return _refuse(told, "file name is not UTF-8", "its name cannot be written down", "rename the file")
    if not file.is_inside:
        detail = "it is a link that leads out of the project folder"
        return _refuse(file, "path leaves the folder", detail, "copy the file into the folder")
    if is_twin:
        detail = "two file names differ only in how accents are composed"
        return _refuse(file, "same name twice", detail, "rename one of them")
    if not file.path.is_file():
        detail = "it is not a file that can be read (a folder, a pipe, or a link to nothing)"
        return _refuse(file, "not a file", detail, "put the file itself in its place")
    return None


def _take_file(file: FoundFile, limit: int) -> DocumentFile | Refusal:
    try:
        size = file.path.stat().st_size
        if size == 0:
            return _refuse(file, "empty file", "it has zero bytes", "bring it again")
        if size > limit:
            detail = f"it has {size:,} bytes, the limit is {limit:,}"
            return _refuse(file, "file too large", detail, "split it, or raise corpus.limits.file_bytes in eval.yaml")
        with file.path.open("rb") as opened:
            media_type = sniff_media_type(opened.read(HEAD_BYTES))
        content_hash = hash_file(file.path)
    except OSError as error:
        return _refuse(file, "cannot be read", str(error.strerror), "check that the file is there and may be read")
    if media_type is None:
        detail = "its first bytes are neither those of a PDF nor of a known image format"
        return _refuse(file, "unknown format", detail, "bring it as PDF, PNG, JPEG, WebP, TIFF or GIF", content_hash)
    return DocumentFile(relative=file.relative, content_hash=content_hash, media_type=media_type, size_bytes=size)


def _refuse(file: FoundFile, reason: str, detail: str, step: str, content_hash: str | None = None) -> Refusal:
    return Refusal(source_path=file.relative, reason=reason, detail=detail, next_step=step, content_hash=content_hash)
