from pathlib import Path
from typing import Any

import pytest

from eval_pipeline.corpus.declared_facets import build_readers, check_facets, entity_facet_of, settings_of
from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.errors import ConfigError


def a_config(facets: dict[str, Any], **corpus: Any) -> ProjectConfig:
    return ProjectConfig.model_validate({"facets": facets, "corpus": corpus, "axes": []})


@pytest.mark.parametrize(
    ("facets", "name"),
    [
        ({"period": {}, "entity": {}}, "entity"),
        ({"period": {}, "company": {"parse": "entity"}}, "company"),
        ({"period": {}}, None),
    ],
)
def test_entity_facet_of(facets: dict[str, Any], name: str | None) -> None:
    assert entity_facet_of(a_config(facets)) == name


def test_years_of_entities_are_found_through_their_synonyms() -> None:
    facets = {
        "area": {"column": "area"},
        "entity": {"column": "entity", "parse": "entity", "synonyms": {"Amazon": ["AMZN"]}},
        "period": {"column": "p", "parse": "period", "fiscal_year_end": {"AMZN": "06-30"}},
    }
    readers = build_readers(config=a_config(facets), home=Path())
    assert list(readers) == ["entity", "area", "period"]
    assert readers["period"].normalise("2024Q3", entity="amazon") == "FY2025Q1"


def test_check_facets_names_the_key_and_the_known_columns() -> None:
    config = a_config({"entity": {"column": "entity"}}, access={"column": "access"})
    check_facets(config=config, columns=frozenset({"entity", "access"}), home=Path())
    with pytest.raises(ConfigError, match=r"corpus.access.column: .* 'access'; columns: entity"):
        check_facets(config=config, columns=frozenset({"entity"}), home=Path())
    with pytest.raises(ConfigError, match="no metadata table is declared"):
        check_facets(config=config, columns=None, home=Path())


def test_settings_change_with_what_describes_a_unit_only() -> None:
    base = settings_of(config=a_config({"entity": {"column": "e"}}), home=Path())
    assert settings_of(config=a_config({"entity": {"column": "e"}}, resolution_dpi=200), home=Path()) == base
    assert settings_of(config=a_config({"entity": {"column": "f"}}), home=Path()) != base
    assert settings_of(config=a_config({"entity": {"column": "e"}}, page_base=0), home=Path()) != base
