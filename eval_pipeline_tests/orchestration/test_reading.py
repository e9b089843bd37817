"""What assets read before their one domain call, from an empty ledger and from one that was filled."""

import polars as pl
import pytest

from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.orchestration import reading
from eval_pipeline.orchestration.resources import Project


@pytest.fixture
def empty(a_project):
    """A project whose ledger holds nothing."""
    return Project(home=str(a_project.home))


@pytest.fixture(scope="module")
def filled(road_home):
    """The twelve pages after one run."""
    return Project(home=str(road_home))


def test_before_the_first_batch(empty):
    assert reading.batch_in_force(empty).is_empty()
    with pytest.raises(LineageError, match="materialise 'documents' first"):
        reading.corpus_snapshot(empty)
    assert reading.template_state(empty) is None
    assert reading.template_state(empty, or_parent=True) is None
    members = reading.members_in_force(empty)
    assert members.is_empty()
    assert {"template_id", "members_hash", "unit_id"} <= set(members.columns)


def test_untouched_leaves_out_done_states_and_other_buckets():
    members = pl.DataFrame(
        {
            "unit_id": ["a", "b", "c", "d"],
            "template_id": ["t1", "t1", "t2", "t3"],
            "members_hash": ["m1", "m1", "m2", "m3"],
            "template_bucket": ["00", "00", "01", "02"],
        }
    )
    done = pl.DataFrame({"template_id": ["t2", "t1"], "members_hash": ["m2", "older"]})
    assert reading.untouched(members, done, ["00", "01"])["unit_id"].to_list() == ["a", "b"]


@pytest.mark.road
def test_after_a_run(filled):
    batch_id, sequence = reading.corpus_snapshot(filled)
    assert batch_id.startswith("batch_")
    assert sequence == 1
    state = reading.template_state(filled)
    assert state is not None
    members = reading.members_in_force(filled)
    assert members["unit_id"].is_sorted()
    assert members["members_hash"].null_count() == 0
    per_template = members.group_by("template_id").agg(pl.col("members_hash").n_unique())
    assert set(per_template["members_hash"]) == {1}


@pytest.mark.road
def test_vectors_of_all_units_under_each_encoder(filled):
    units = filled.read("corpus/units_in_force")["unit_id"].sort().to_list()
    for encoder in filled.encoders().values():
        vectors = reading.read_vectors(filled, encoder)
        assert sorted(vectors.unit_ids.tolist()) == units
        assert vectors.encoder_id == encoder.encoder_id


@pytest.mark.road
def test_page_reader_gives_text_and_picture_only_of_what_is_asked(filled):
    units = filled.read("corpus/units_in_force")["unit_id"].head(2).to_list()
    pages = reading.page_reader(filled)([*units, units[0]])
    assert sorted(pages) == sorted(units)
    for page in pages.values():
        assert page.text
        assert page.picture is not None
        assert page.picture.is_file()
