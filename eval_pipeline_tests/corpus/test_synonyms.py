from pathlib import Path

import pytest

from eval_pipeline.corpus.normalising import fold_entity
from eval_pipeline.corpus.synonyms import load_synonyms
from eval_pipeline.foundation.errors import ConfigError, TableError


def load(declared: object, home: Path = Path()) -> dict[str, str]:
    return load_synonyms(declared=declared, home=home, fold=fold_entity, key="facets.entity.synonyms")  # type: ignore[arg-type]


def test_a_mapping_and_a_table_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "names.csv").write_text('name,synonym\nAmazon,"Amazon.com, Inc."\nAmazon,AMZN\n,\n')
    wanted = {"amazon com": "amazon", "amzn": "amazon"}
    assert load({"Amazon": ["Amazon.com, Inc.", "AMZN", "AMAZON"]}) == wanted
    assert load("names.csv", tmp_path) == wanted
    assert load(None) == {}


@pytest.mark.parametrize("declared", [{"A": ["X"], "B": ["X"]}, {"A": ["B"], "B": ["C"]}])
def test_a_synonym_of_two_names_is_refused(declared: dict[str, list[str]]) -> None:
    with pytest.raises(ConfigError, match="stands for both") as caught:
        load(declared)
    assert caught.value.key == "facets.entity.synonyms"


def test_a_table_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "names.csv").write_text("a,b\n1,2\n")
    with pytest.raises(TableError, match="columns name and synonym"):
        load("names.csv", tmp_path)
    (tmp_path / "names.csv").write_text("name,synonym\n1\n")
    with pytest.raises(TableError, match="row 2"):
        load("names.csv", tmp_path)
    with pytest.raises(ConfigError, match="climbs out"):
        load("../names.csv", tmp_path)
