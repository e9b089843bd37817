"""Questions and what became of each."""

import pytest

from eval_pipeline.orchestration.question_sets import read_asked, read_roots
from eval_pipeline.orchestration.reading import members_in_force
from eval_pipeline.orchestration.resources import Project

pytestmark = pytest.mark.road


def test_every_root_has_an_outcome(road_home):
    project = Project(home=str(road_home))
    roots, gold = read_roots(project, members_in_force(project))
    asked = read_asked(project)
    assert roots.height > 0
    assert roots.join(asked.posed, on="question_id", how="anti").is_empty()
    assert roots.join(gold, on="question_id", how="anti").is_empty()


def test_questions_are_committed_in_the_bucket_of_their_template(road_home):
    project = Project(home=str(road_home))
    roots, _ = read_roots(project, members_in_force(project))
    with project.session() as ledger:
        found = ledger.find("questions.question", "question_id", roots["question_id"].to_list())
        commits = ledger.find_commits(found["commit_id"].unique().to_list()).select("commit_id", "asset", "partition")
    rows = found.join(commits, on="commit_id").join(roots.select("question_id", "template_bucket"), on="question_id")
    assert set(rows["asset"]) == {"candidate_questions"}
    assert rows["partition"].to_list() == rows["template_bucket"].to_list()
