"""What a report and its templates are called."""

import pytest

from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.orchestration.naming import read_template_names, title_of
from eval_pipeline.orchestration.reading import members_in_force
from eval_pipeline.orchestration.resources import Project


def test_a_report_is_called_by_the_declared_name_else_by_the_folder(tmp_path):
    paths = ProjectPaths(home=tmp_path / "filings")
    assert title_of(paths, ProjectConfig()) == "filings: evaluation of evidence retrieval"
    assert title_of(paths, ProjectConfig(name="Bank reports")) == "Bank reports: evaluation of evidence retrieval"


@pytest.mark.road
def test_every_template_has_a_name_that_ends_in_its_short_id(road_home):
    project = Project(home=str(road_home))
    members = members_in_force(project)
    names = read_template_names(project, members)
    assert set(names) == set(members["template_id"])
    assert all(name.endswith(f"({key[4:10]})") and not name.startswith("tpl_") for key, name in names.items())
    assert len(set(names.values())) == len(names)
    assert read_template_names(project, members.reverse()) == names
