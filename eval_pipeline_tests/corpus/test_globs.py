import unicodedata
from pathlib import Path

import pytest

from eval_pipeline.corpus.globs import compile_glob, expand_braces, find_files, locate_document
from eval_pipeline.foundation.errors import ConfigError


def test_expand_braces_gives_every_alternative() -> None:
    assert expand_braces("corpus/**/*.{pdf,png}") == ["corpus/**/*.pdf", "corpus/**/*.png"]
    assert expand_braces("{a,b{c,d}}.x") == ["a.x", "bc.x", "bd.x"]
    assert expand_braces("a{,.bak}") == ["a", "a.bak"]
    assert expand_braces("plain.pdf") == ["plain.pdf"]


@pytest.mark.parametrize("pattern", ["*.{pdf,png", "/etc/*.pdf", "../*.pdf", "a/../../*.pdf"])
def test_compile_glob_refuses(pattern: str) -> None:
    with pytest.raises(ConfigError) as caught:
        compile_glob(pattern)
    assert caught.value.key == "corpus.documents"
    assert pattern in str(caught.value)


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("corpus/**/*.{pdf,png}", "corpus/a.pdf", True),
        ("corpus/**/*.{pdf,png}", "corpus/x/y/a.PNG", True),
        ("corpus/**/*.{pdf,png}", "corpus/a.jpg", False),
        ("pdfs/*.pdf", "pdfs/x/a.pdf", False),
        ("pdfs/?.pdf", "pdfs/a.pdf", True),
        ("pdfs/[ab].pdf", "pdfs/c.pdf", False),
        ("pdfs/[!ab].pdf", "pdfs/c.pdf", True),
        ("./**/*.pdf", "a.pdf", True),
        ("a+b/*.pdf", "aab/x.pdf", False),
    ],
)
def test_compile_glob_matches(pattern: str, path: str, matches: bool) -> None:
    assert (compile_glob(pattern).fullmatch(path) is not None) is matches


def test_find_files_passes_over_hidden_and_own_files(tmp_path: Path) -> None:
    for name in ("b/x.pdf", "a.pdf", ".part-1.pdf", ".git/y.pdf", "derived/pictures/z.pdf", "dagster_home/q.pdf"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = find_files(home=tmp_path, pattern="**/*.pdf")
    assert [file.relative for file in found] == ["a.pdf", "b/x.pdf"]
    assert all(file.is_inside for file in found)


def test_links_out_of_the_folder_are_marked_and_linked_folders_not_entered(tmp_path: Path) -> None:
    outside, home = tmp_path / "outside", tmp_path / "home"
    for folder in (outside, home):
        folder.mkdir()
    (outside / "secret.pdf").touch()
    (home / "link.pdf").symlink_to(outside / "secret.pdf")
    (home / "folder").symlink_to(outside, target_is_directory=True)
    assert [(file.relative, file.is_inside) for file in find_files(home=home, pattern="**/*.pdf")] == [
        ("link.pdf", False)
    ]


def test_locate_document_finds_either_composition(tmp_path: Path) -> None:
    name = "Société/été.pdf"
    on_disk = tmp_path / unicodedata.normalize("NFD", name)
    on_disk.parent.mkdir()
    on_disk.touch()
    assert find_files(home=tmp_path, pattern="**/*.pdf")[0].relative == unicodedata.normalize("NFC", name)
    assert locate_document(home=tmp_path, source_path=unicodedata.normalize("NFC", name)) == on_disk
    assert locate_document(home=tmp_path, source_path="Société/nein.pdf") is None
    assert locate_document(home=tmp_path, source_path="x/y/z.pdf") is None
