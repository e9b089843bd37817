import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.corpus.worker import DocumentReader, answer
from eval_pipeline.foundation.ids import hash_file, hash_text


def a_reader(home: Path) -> DocumentReader:
    return DocumentReader(home=home, dpi=36, page_pixels=1_000_000, image_pixels=1_000_000)


def request(path: Path, index: int = -1, media_type: str = "pdf") -> dict[str, Any]:
    return {"path": str(path), "media_type": media_type, "content_hash": hash_file(path), "index": index}


def test_a_page_is_stored_and_described(project: Any) -> None:
    path = project.put_pdf("a.pdf", "one", "two")
    reader = a_reader(project.home)
    page = answer(reader, request(path, 1))
    assert (page["text"], page["text_hash"]) == ("two", hash_text("two"))
    assert (page["width_px"], page["height_px"], page["dpi"]) == (100, 50, 36.0)
    assert (project.home / page["picture_path"]).is_file()
    reader.close()


def test_a_file_that_went_or_changed_is_refused(project: Any) -> None:
    path = project.put_pdf("a.pdf", "one")
    asked = request(path)
    project.put_pdf("a.pdf", "other")
    assert answer(a_reader(project.home), asked)["reason"] == "file changed"
    path.unlink()
    assert answer(a_reader(project.home), asked)["reason"] == "file is gone"


def test_a_picture_that_cannot_be_written_is_no_fault_of_the_page(project: Any) -> None:
    path = project.put_pdf("a.pdf", "one")
    (project.home / "derived").write_text("a file where a folder should be")
    assert "Not a directory" in answer(a_reader(project.home), request(path, 0))["cannot_store"]


_PEAK = """
import resource, sys
from pathlib import Path
from eval_pipeline.corpus.worker import DocumentReader, answer
from eval_pipeline.foundation.ids import hash_file
path, home, n = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
reader = DocumentReader(home=home, dpi=36, page_pixels=1_000_000, image_pixels=1_000_000)
content_hash = hash_file(path)
for index in range(n):
    asked = {"path": str(path), "media_type": "pdf", "content_hash": content_hash, "index": index}
    assert "picture_hash" in answer(reader, asked)
sys.stdout.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))
"""


@pytest.mark.skipif(not hasattr(resource, "getrusage"), reason="no getrusage")
def test_ing_08_memory_does_not_grow_with_pages(tmp_path: Path, case_files: Path) -> None:
    path = str(case_files / "ING-08_400_pages.pdf")
    peaks = [
        int(
            subprocess.run(
                [sys.executable, "-c", _PEAK, path, str(tmp_path), str(n)], check=True, capture_output=True
            ).stdout
        )
        for n in (20, 400)
    ]
    assert peaks[1] - peaks[0] < 30 * 1024  # kB; the case allows 150 MB
