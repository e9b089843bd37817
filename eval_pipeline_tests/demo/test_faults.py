import pypdfium2 as pdfium
import pytest

from eval_pipeline.demo.faults import make_faults
from eval_pipeline.demo.plan import plan_committed


@pytest.fixture(scope="module")
def faults(world):
    return make_faults(world, plan_committed(world, 60)[0])


@pytest.mark.parametrize("name", ["board-minutes-locked.pdf", "placeholder.pdf", "meeting-notes.pdf"])
def test_these_cannot_be_opened(faults, name, tmp_path):
    (tmp_path / name).write_bytes(faults[name])
    with pytest.raises(pdfium.PdfiumError):
        pdfium.PdfDocument(tmp_path / name)


def test_a_truncated_file_has_lost_its_end(faults):
    data = faults["upload-interrupted.pdf"]
    assert data.startswith(b"%PDF")
    assert b"%%EOF" not in data


def test_the_locked_file_opens_with_its_password_and_is_the_same_each_time(faults, world, tmp_path):
    path = tmp_path / "locked.pdf"
    path.write_bytes(faults["board-minutes-locked.pdf"])
    assert len(pdfium.PdfDocument(path, password="correct horse")) == 1
    assert make_faults(world, plan_committed(world, 60)[0]) == faults
