import pytest

from eval_pipeline.corpus.globs import find_files
from eval_pipeline.corpus.metadata import read_metadata
from eval_pipeline.demo.project import TEMPLATES, demo_declaration, make_project
from eval_pipeline.foundation.config import load_project
from eval_pipeline.foundation.errors import InputError


def tables_of(home):
    config = load_project(home / "eval.yaml")
    paths = [file.relative for file in find_files(home=home, pattern=config.corpus.documents)]
    return tuple(table.path for table in read_metadata(home=home, config=config.corpus, paths=paths).tables)


def test_data_holds_the_same_bytes_as_the_package(repository):
    data = repository / "data"
    assert (data / "eval.yaml").read_text(encoding="utf-8") == demo_declaration()
    names = sorted(path.name for path in (data / "contracts").glob("*.yaml"))
    assert names == sorted(path.name for path in (TEMPLATES / "contracts").glob("*.yaml"))
    assert names == ["quarterly-evidence.yaml", "questions-as-asked.yaml"]
    for name in names:
        assert (data / "contracts" / name).read_bytes() == (TEMPLATES / "contracts" / name).read_bytes()


def test_a_project_is_complete_and_loads(tmp_path):
    models = tmp_path / "models"
    (models / "tiny").mkdir(parents=True)
    (models / "tiny" / "open_clip_config.json").write_text("{}")
    home = tmp_path / "project"
    drawn = make_project(home=home, n_pages=60, models=models)
    config = load_project(home / "eval.yaml")
    assert config.axes == ("period", "metric", "entity")
    assert config.negatives.strict
    assert tables_of(home) == drawn.metadata == ("corpus/metadata.csv",)
    assert (home / "models/tiny/open_clip_config.json").is_file()
    assert (home / "contracts/quarterly-evidence.yaml").is_file()
    assert (home / config.labels.reviewer["truth"]) == drawn.truth
    again = make_project(home=home, n_pages=60, models=models)
    assert again.documents == drawn.documents


def test_a_folder_with_an_eval_yaml_of_its_own_is_left_alone(tmp_path):
    (tmp_path / "eval.yaml").write_text("corpus: {}\n")
    with pytest.raises(InputError, match="not the demo's"):
        make_project(home=tmp_path, n_pages=60)
    assert not (tmp_path / "corpus").exists()


def test_a_larger_project_reads_both_tables(tmp_path):
    drawn = make_project(home=tmp_path, n_pages=70, models=tmp_path / "none")
    assert tables_of(tmp_path) == tuple(sorted(drawn.metadata))
    assert len(drawn.metadata) == 2
