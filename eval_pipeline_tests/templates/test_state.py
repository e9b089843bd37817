"""What a round reads of the rounds before."""

import polars as pl
import pytest

from eval_pipeline.foundation.config import TemplatesConfig
from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.foundation.tables.templates import TEMPLATE, TEMPLATE_ASSIGNMENT
from eval_pipeline.templates.chaining import Reach
from eval_pipeline.templates.state import TemplateState, read_centroids, settings_id_of

BOTH = {"layout": "L", "encoder": "E"}


def a_state(settings: str) -> TemplateState:
    rows = [
        {
            "template_version_id": "v",
            "unit_id": "a",
            "round": 1,
            "template_id": "t",
            "state": "founding",
            "distance": 0.1,
        },
        {
            "template_version_id": "v",
            "unit_id": "b",
            "round": 3,
            "template_id": None,
            "state": "buffered",
            "distance": None,
        },
    ]
    version = {"template_version_id": "v", "settings": settings}
    return TemplateState(version=version, templates=TEMPLATE.empty(), assignments=TEMPLATE_ASSIGNMENT.frame(rows))


def test_known_buffered_and_rounds() -> None:
    state = a_state('{"cut_used":0.2}')
    assert state.reach == Reach(step=0.2)
    assert a_state('{"cut_used":0.2,"widest_used":0.3}').reach == Reach(step=0.2, widest=0.3)
    assert state.known_unit_ids == {"a", "b"}
    assert state.buffered_unit_ids == {"b"}
    assert state.last_rounds == {"a": 1, "b": 3}


def test_a_version_that_does_not_say_its_cut_is_named() -> None:
    with pytest.raises(LineageError, match="version v has no cut_used"):
        _ = a_state("{}").reach


def test_the_settings_id_covers_declared_features_only() -> None:
    layout = TemplatesConfig()
    assert settings_id_of(layout, BOTH) == settings_id_of(layout, {"layout": "L"})
    assert settings_id_of(layout, BOTH) != settings_id_of(layout, {"layout": "other"})
    assert settings_id_of(layout, BOTH) != settings_id_of(TemplatesConfig(cut=0.3), BOTH)
    assert settings_id_of(layout, BOTH) != settings_id_of(TemplatesConfig(features=("layout", "encoder")), BOTH)


def test_centroids_are_read_back() -> None:
    assert read_centroids(pl.DataFrame({"centroid": ["[1,0]", "[0.6,0.8]"]})).tolist() == pytest.approx(
        [pytest.approx([1.0, 0.0]), pytest.approx([0.6, 0.8])]
    )
