from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.corpus.metadata import read_metadata
from eval_pipeline.foundation.config import AccessConfig, CorpusConfig
from eval_pipeline.foundation.errors import TableError


def test_rows_reach_their_files_and_refused_ones_mark_them(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("id,file,access\nd1,a.pdf,public\nd2,b.pdf,secret\nd3,none.pdf,public\nd4\n")
    config = CorpusConfig(metadata="m.csv", id="id", path="file", access=AccessConfig(column="access"))
    metadata = read_metadata(home=tmp_path, config=config, paths=["a.pdf", "b.pdf"])
    first, second = metadata.by_path["a.pdf"], metadata.by_path["b.pdf"]
    assert (first.document_id, first.is_refused, first.rows[0].line) == ("d1", False, 2)
    assert first.rows[0].access is not None
    assert first.rows[0].access.level == "public"
    assert (second.document_id, second.is_refused, second.rows) == (None, True, [])
    assert [refusal.place for refusal in metadata.refusals] == ["row 5", "row 3", "row 4"]
    assert metadata.has_stray_refusals
    assert metadata.columns == {"id", "file", "access"}


def test_no_table_describes_nothing(tmp_path: Path) -> None:
    metadata = read_metadata(home=tmp_path, config=CorpusConfig(), paths=["a.pdf"])
    assert (metadata.by_path, metadata.refusals, metadata.has_stray_refusals) == ({}, (), False)


@pytest.mark.parametrize(
    ("config", "match"),
    [
        ({"id": "doc"}, r"m.csv has no column 'doc' \(corpus.id in eval.yaml\); its columns: id, file"),
        ({"id": "id", "path": "where"}, "no column 'where'"),
        ({"path": "where"}, "no column 'where'"),
        ({"id": "id", "page": "page"}, "no column 'page'"),
        ({"id": "id", "page_id": "pid"}, "no column 'pid'"),
        ({}, "declare corpus.id or corpus.path"),
        ({"metadata": "gone.csv", "id": "id"}, "gone.csv is declared but not there"),
    ],
)
def test_a_table_that_does_not_fit_the_declaration_stops(tmp_path: Path, config: dict[str, Any], match: str) -> None:
    (tmp_path / "m.csv").write_text("id,file\nd1,a.pdf\n")
    with pytest.raises(TableError, match=match):
        read_metadata(home=tmp_path, config=CorpusConfig(**{"metadata": "m.csv", **config}), paths=["a.pdf"])


def test_a_reserved_column_is_refused(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("id,__line__\nd1,1\n")
    with pytest.raises(TableError, match="'__line__' is reserved"):
        read_metadata(home=tmp_path, config=CorpusConfig(metadata="m.csv", id="id"), paths=[])


def test_a_glob_of_tables_stands_for_every_file_that_it_matches(tmp_path):
    (tmp_path / "corpus" / "drawn").mkdir(parents=True)
    for folder, name in (("corpus", "a.pdf"), ("corpus/drawn", "b.pdf")):
        (tmp_path / folder / "metadata.csv").write_text(f"file,company\n{name},Acme\n")
    config = CorpusConfig(metadata="corpus/**/metadata.csv", path="file")
    found = read_metadata(home=tmp_path, config=config, paths=["corpus/a.pdf", "corpus/drawn/b.pdf"])
    assert [table.path for table in found.tables] == ["corpus/drawn/metadata.csv", "corpus/metadata.csv"]
    assert sorted(found.by_path) == ["corpus/a.pdf", "corpus/drawn/b.pdf"]
    assert not found.refusals


def test_a_glob_without_a_table_is_an_error(tmp_path):
    with pytest.raises(TableError, match="no metadata table matches"):
        read_metadata(home=tmp_path, config=CorpusConfig(metadata="corpus/*.csv"), paths=[])
