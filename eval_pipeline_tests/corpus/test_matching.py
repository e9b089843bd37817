import itertools
from collections.abc import Sequence
from pathlib import Path

import pytest

from eval_pipeline.corpus.matching import Fault, FileNames, find_doubles, locate_rows, to_refusal
from eval_pipeline.corpus.tables import TextTable
from eval_pipeline.corpus.text_rows import TextRow
from eval_pipeline.foundation.config import CorpusConfig

PATHS = ("corpus/a.pdf", "corpus/b.pdf", "corpus/x/b.pdf", "corpus/Société.pdf")


def a_table(columns: str, *rows: str, path: str = "corpus/m.csv") -> TextTable:
    names = tuple(columns.split(","))
    cells = [dict(zip(names, row.split(","), strict=True)) for row in rows]
    texts = tuple(
        TextRow(line=line, values={name: value for name, value in row.items() if value})
        for line, row in enumerate(cells, start=2)
    )
    return TextTable(path=path, columns=names, rows=texts, refusals=(), content_hash="h")


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("a.pdf", "corpus/a.pdf"),
        ("corpus/a.pdf", "corpus/a.pdf"),
        ("x/b.pdf", "corpus/x/b.pdf"),
        ("./a.pdf", "corpus/a.pdf"),
        ("none.pdf", "no such document"),
        ("../../../etc/hostname", "path leaves the folder"),
        ("/etc/hostname", "path leaves the folder"),
        ("ok/../../secret.pdf", "path leaves the folder"),
        ("file:///etc/hostname", "path leaves the folder"),
        ("a", "no such document"),
    ],
)
def test_find_path_answers(tmp_path: Path, name: str, place: str) -> None:
    found = FileNames(home=tmp_path, paths=PATHS).find_path(name, beside="corpus/m.csv")
    assert (found.reason if isinstance(found, Fault) else found) == place


@pytest.mark.parametrize(
    ("name", "place"),
    [("a", "corpus/a.pdf"), ("a.pdf", "corpus/a.pdf"), ("Société", "corpus/Société.pdf"), ("c", "no such document")],
)
def test_find_id_answers(tmp_path: Path, name: str, place: str) -> None:
    found = FileNames(home=tmp_path, paths=PATHS).find_id(name, beside="m.csv")
    assert (found.reason if isinstance(found, Fault) else found) == place


def test_an_id_that_could_be_several_files_is_none(tmp_path: Path) -> None:
    found = FileNames(home=tmp_path, paths=PATHS).find_id("b", beside="m.csv")
    assert isinstance(found, Fault)
    assert "corpus/b.pdf or corpus/x/b.pdf" in found.detail


def doubles(tables: Sequence[TextTable], config: CorpusConfig, home: Path) -> dict[tuple[str, int], str]:
    located = locate_rows(tables=tables, config=config, files=FileNames(home=home, paths=PATHS))
    return {key: fault.detail for key, fault in find_doubles(located, config).items()}


def test_man_07_repeated_ids_name_both_lines_even_where_one_file_is_missing(tmp_path: Path) -> None:
    table = a_table("page_id,source,page", "p1,a.pdf,1", "p1,none.pdf,2", "p2,a.pdf,3")
    found = doubles([table], CorpusConfig(path="source", page="page", page_id="page_id"), tmp_path)
    said = "page_id 'p1' stands in rows 2 and 3; none is taken"
    assert found == {("corpus/m.csv", 2): said, ("corpus/m.csv", 3): said}


def test_a_document_or_page_described_twice_is_taken_from_neither(tmp_path: Path) -> None:
    table = a_table("id,file", "d1,a.pdf", "d2,b.pdf", "d1,none.pdf")
    assert set(doubles([table], CorpusConfig(id="id", path="file"), tmp_path)) == {
        ("corpus/m.csv", 2),
        ("corpus/m.csv", 4),
    }
    paged = a_table("file,page", "a.pdf,1", "a.pdf,01", "a.pdf,2")
    assert set(doubles([paged], CorpusConfig(path="file", page="page"), tmp_path)) == {
        ("corpus/m.csv", 2),
        ("corpus/m.csv", 3),
    }


def test_one_file_with_two_ids_and_one_id_with_two_files_contradict(tmp_path: Path) -> None:
    table = a_table("id,file,page", "d1,a.pdf,1", "d2,a.pdf,2", "d3,b.pdf,1", "d3,x/b.pdf,2")
    found = doubles([table], CorpusConfig(id="id", path="file", page="page"), tmp_path)
    assert found[("corpus/m.csv", 2)] == "file 'corpus/a.pdf' is given several ids, in rows 2 and 3; none is taken"
    assert found[("corpus/m.csv", 5)] == "id 'd3' is given several files, in rows 4 and 5; none is taken"


def test_a_table_without_paths_finds_files_by_the_ids_of_another(tmp_path: Path) -> None:
    documents = a_table("id,file", "d1,x/b.pdf", path="corpus/documents.csv")
    pages = a_table("id,page", "d1,1", "a,1", ",1", path="corpus/pages.csv")
    config = CorpusConfig(id="id", path="file", page="page")
    for order in itertools.permutations([documents, pages]):
        located = locate_rows(tables=order, config=config, files=FileNames(home=tmp_path, paths=PATHS))
        found = {one.key: one.path or (one.fault.reason if one.fault else "") for one in located}
        assert found == {
            ("corpus/documents.csv", 2): "corpus/x/b.pdf",
            ("corpus/pages.csv", 2): "corpus/x/b.pdf",
            ("corpus/pages.csv", 3): "corpus/a.pdf",
            ("corpus/pages.csv", 4): "no id",
        }
        assert [one.key[0] for one in located[:1]] == [order[0].path]


def test_to_refusal_names_table_and_row(tmp_path: Path) -> None:
    located = locate_rows(
        tables=[a_table("id", "zzz")], config=CorpusConfig(id="id"), files=FileNames(home=tmp_path, paths=PATHS)
    )
    assert located[0].fault is not None
    refusal = to_refusal(located[0], located[0].fault)
    assert (refusal.source_path, refusal.place, refusal.reason) == ("corpus/m.csv", "row 2", "no such document")
