"""Lost pictures and vectors are made again, or the reason why not is named."""

import pytest

from eval_pipeline.ledger import doctor
from eval_pipeline.ledger.connection import session
from eval_pipeline.orchestration.mending_files import MadeFile, embed_again, redraw_pictures


@pytest.fixture
def paths(copy_road):
    return copy_road()


def a_picture(paths):
    """Path of a picture and the file that it was drawn from."""
    with session(paths) as ledger:
        unit = ledger.read("corpus/units_in_force").filter(media_type="pdf").sort("unit_id").row(0, named=True)
    return unit["picture_path"], unit["source_path"]


def rewrite(paths, old, new):
    text = paths.config.read_text(encoding="utf-8")
    assert old in text
    paths.config.write_text(text.replace(old, new), encoding="utf-8")


def test_a_lost_picture_is_drawn_again_byte_for_byte(paths):
    lost, _ = a_picture(paths)
    before = (paths.home / lost).read_bytes()
    (paths.home / lost).unlink()
    assert [item.kind for item in doctor.examine(paths)] == ["picture missing"]
    assert redraw_pictures(paths, [lost]) == [MadeFile(path=lost)]
    assert (paths.home / lost).read_bytes() == before
    assert doctor.examine(paths) == []


def test_a_document_that_changed_is_named_and_not_drawn(paths):
    lost, source = a_picture(paths)
    (paths.home / lost).unlink()
    (paths.home / source).write_bytes(b"another")
    (made,) = redraw_pictures(paths, [lost])
    assert made.reason == f"it cannot be drawn: {source}: file changed"
    (paths.home / source).unlink()
    (made,) = redraw_pictures(paths, [lost])
    assert made.reason == f"it cannot be drawn: {source}: file is gone"


def test_another_picture_does_not_pass_for_the_lost_one_and_is_not_left_behind(paths):
    lost, source = a_picture(paths)
    (paths.home / lost).unlink()
    before = set((paths.home / "derived" / "pictures").rglob("*.webp"))
    rewrite(paths, "resolution_dpi: 100", "resolution_dpi: 72")
    (made,) = redraw_pictures(paths, [lost])
    assert made.reason.startswith(f"{source} gives another picture now: resolution_dpi")
    assert set((paths.home / "derived" / "pictures").rglob("*.webp")) == before


def test_a_picture_that_nothing_names_has_no_document(paths):
    (made,) = redraw_pictures(paths, ["derived/pictures/00/00.webp"])
    assert made.reason == "no document in the ledger says which file it was drawn from"


def test_lost_vectors_are_drawn_again_with_the_encoder_that_made_them(paths):
    lost = sorted(
        path.relative_to(paths.home).as_posix() for path in (paths.home / "derived" / "vectors").rglob("*.npy")
    )
    before = {path: (paths.home / path).read_bytes() for path in lost}
    for path in lost:
        (paths.home / path).unlink()
    assert embed_again(paths, lost) == [MadeFile(path=path) for path in lost]
    assert {path: (paths.home / path).read_bytes() for path in lost} == before


def test_vectors_without_their_pictures_wait_for_these(paths):
    lost = next((paths.home / "derived" / "vectors").rglob("*.npy")).relative_to(paths.home).as_posix()
    (paths.home / lost).unlink()
    for picture in (paths.home / "derived" / "pictures").rglob("*.webp"):
        picture.unlink()
    (made,) = embed_again(paths, [lost])
    assert "of its pictures are missing, such as derived/pictures/" in made.reason


def test_nothing_lost_is_nothing_made(paths):
    assert redraw_pictures(paths, []) == embed_again(paths, []) == []
