import os

import pytest

from eval_pipeline.foundation.errors import InputError, LineageError
from eval_pipeline.foundation.files import FileStore, resolve_inside, write_atomically


def test_file_is_written_whole_and_readable_by_others(tmp_path):
    path = tmp_path / "a" / "b.bin"
    write_atomically(path, b"one")
    write_atomically(path, b"two")
    assert path.read_bytes() == b"two"
    assert path.stat().st_mode & 0o777 == 0o644
    assert list(path.parent.iterdir()) == [path]


def test_failed_write_leaves_the_old_file_and_no_part(tmp_path, monkeypatch):
    path = tmp_path / "b.bin"
    write_atomically(path, b"one")

    def fail(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, b"two")
    assert path.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [path]


def test_store_names_files_by_content_and_writes_them_once(tmp_path):
    store = FileStore(home=tmp_path)
    relative = store.put("pictures", "abcd", ".webp", b"1")
    assert relative == "derived/pictures/ab/abcd.webp"
    assert store.put("pictures", "abcd", ".webp", b"other bytes under one name") == relative
    assert store.locate(relative).read_bytes() == b"1"
    assert store.path_of("vectors", "vectors_f00d", ".npy") == "derived/vectors/f0/vectors_f00d.npy"


def test_lost_file_is_named_with_the_next_command(tmp_path):
    with pytest.raises(LineageError, match=r"derived/x\.npy is in the ledger but not on disk.*doctor"):
        FileStore(home=tmp_path).locate("derived/x.npy")


@pytest.mark.parametrize(
    "relative",
    ["/etc/passwd", "\\etc\\passwd", "../secret", "a/../../secret", "a\\..\\..\\secret", "file:///etc/passwd",
     "http://host/x", "a\0b"],
)  # fmt: skip
def test_man_06_path_that_leaves_the_folder_is_refused(tmp_path, relative):
    """MAN-06: refused before any file is opened, with the reason."""
    with pytest.raises(InputError):
        resolve_inside(tmp_path, relative)


def test_man_06_link_that_leaves_the_folder_is_refused(tmp_path):
    """MAN-06: a link is followed before it is judged."""
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "secret").write_text("x", encoding="utf-8")
    (home / "link").symlink_to(tmp_path / "secret")
    with pytest.raises(InputError, match="through a link"):
        resolve_inside(home, "link")


def test_path_inside_is_resolved(tmp_path):
    assert resolve_inside(tmp_path, "a/b c.pdf") == (tmp_path / "a" / "b c.pdf").resolve()
    (tmp_path / "real").mkdir()
    (tmp_path / "alias").symlink_to(tmp_path / "real")
    assert resolve_inside(tmp_path, "alias/x") == (tmp_path / "real" / "x").resolve()
