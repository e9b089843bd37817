import unicodedata
from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.corpus.intake import take_files
from eval_pipeline.foundation.config import CorpusConfig, LimitsConfig

CONFIG = CorpusConfig(documents="corpus/**/*.{pdf,png}", limits=LimitsConfig(file_bytes=5000))


def reasons(home: Path) -> dict[str, str]:
    return {refusal.source_path: refusal.reason for refusal in take_files(home=home, config=CONFIG)[1]}


def test_the_kind_is_told_from_the_bytes(project: Any) -> None:
    project.put("corpus/is_pdf.png", b"%PDF-1.4\n")
    project.put("corpus/is_png.pdf", b"\x89PNG\r\n\x1a\n")
    files, refusals = take_files(home=project.home, config=CONFIG)
    assert {name: file.media_type for name, file in files.items()} == {
        "corpus/is_pdf.png": "pdf",
        "corpus/is_png.pdf": "image",
    }
    assert refusals == []


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", "empty file"), (b"hello", "unknown format"), (b"%PDF-" + b" " * 5000, "file too large")],
)
def test_a_file_that_cannot_be_a_document_is_refused(project: Any, content: bytes, reason: str) -> None:
    project.put("corpus/a.pdf", content)
    assert reasons(project.home) == {"corpus/a.pdf": reason}


def test_man_06_a_link_out_of_the_folder_is_refused(project: Any, tmp_path: Path) -> None:
    (tmp_path / "secret.pdf").write_bytes(b"%PDF-1.4 secret")
    project.put_pdf("corpus/real.pdf")
    (project.home / "corpus" / "out.pdf").symlink_to(tmp_path / "secret.pdf")
    (project.home / "corpus" / "in.pdf").symlink_to(project.home / "corpus" / "real.pdf")
    (project.home / "corpus" / "gone.pdf").symlink_to(project.home / "corpus" / "nothing.pdf")
    assert reasons(project.home) == {"corpus/out.pdf": "path leaves the folder", "corpus/gone.pdf": "not a file"}


def test_names_that_differ_in_composition_only_are_both_refused(project: Any) -> None:
    for form in ("NFC", "NFD"):
        project.put(unicodedata.normalize(form, "corpus/été.pdf"), b"%PDF-")  # type: ignore[arg-type]
    files, refusals = take_files(home=project.home, config=CONFIG)
    assert files == {}
    assert [refusal.reason for refusal in refusals] == ["same name twice"] * 2
