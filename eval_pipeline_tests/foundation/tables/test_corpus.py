import pytest

from eval_pipeline.foundation.tables import corpus


def test_document_states_are_keyed_by_batch_and_units_by_content():
    assert corpus.DOCUMENT.key == ("document_id", "batch_id")
    assert corpus.UNIT.key == ("unit_id",)
    assert corpus.UNIT_FACETS.key == ("document_version_id", "unit_id")


def test_facets_paths_and_access_are_no_part_of_a_unit():
    assert not {"facets", "source_path", "access", "document_version_id"} & set(corpus.UNIT.schema)


@pytest.mark.parametrize("change", ["new", "changed", "removed"])
def test_changes_of_a_document(change):
    (column,) = [column for column in corpus.DOCUMENT.columns if column.name == "change"]
    assert change in column.allowed
