"""The asset graph as a committed text: what changes there is seen in review."""

from pathlib import Path

import pytest

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.orchestration.describing import (
    BEGIN,
    END,
    describe_assets,
    first_paragraph,
    spell_graph,
    write_table,
)

SNAPSHOT = Path(__file__).with_name("asset_graph.txt")


def test_graph_is_the_committed_one(definitions):
    """After a wanted change, in a folder without a project (its schedule would be shown):
    `python -m eval_pipeline.orchestration.describing > <this folder>/asset_graph.txt`.
    """
    assert spell_graph(definitions) == SNAPSHOT.read_text(encoding="utf-8")


def test_template_members_is_external_and_partitioned_by_bucket(definitions):
    """Without this, nothing downstream of templates can be stale bucket by bucket."""
    assert "external asset template_members: group templates, by bucket" in spell_graph(definitions)


def test_table_has_a_row_per_asset(definitions):
    table = describe_assets(definitions)
    assert table.count("\n") == 2 + len(definitions.resolve_asset_graph().get_all_asset_keys())
    assert "| `documents` | corpus | - | - | What arrived, changed or went since the last batch." in table


def test_first_paragraph_stops_at_the_blank_line():
    assert first_paragraph("One page.\n  One file.\n\nRaises:\n    GateFailed: so.") == "One page. One file."
    assert first_paragraph(None) == ""


def test_table_is_written_between_marks_once(definitions, tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{BEGIN}\nstale row\n{END}\nafter\n")
    assert write_table(readme, definitions)
    assert not write_table(readme, definitions)
    text = readme.read_text()
    assert text.startswith("before\n")
    assert text.endswith(f"{END}\nafter\n")
    assert "stale row" not in text
    assert describe_assets(definitions) in text


def test_a_file_without_marks_is_refused(definitions, tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text("nothing here\n")
    with pytest.raises(InputError, match="<!-- assets -->"):
        write_table(readme, definitions)
