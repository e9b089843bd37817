"""Twin run: the pipeline does not know the demo's truth. Only adjudications, and what rests on them, may feel it."""

import json

import pytest

from eval_pipeline.demo.truth import TRUTH_FILE
from eval_pipeline.demo.twelve import make_twelve
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.orchestration.running import run_project

UP_TO_CANDIDATE_POOL = (
    "documents",
    "pages",
    "page_text",
    "page_vectors",
    "page_templates",
    "candidate_questions",
    "hard_negatives",
    "imported_questions",
    "well_posed_questions",
    "random_negatives",
    "variant_runs",
    "candidate_pool",
)


def _delete(truth):
    truth.unlink()


def _scramble(truth):
    """Every page gets the facts of another one."""
    pages = [json.loads(line) for line in truth.read_text().splitlines()]
    told = [(page["facts"], page["mentions"]) for page in pages]
    for page, (facts, mentions) in zip(pages, [*told[5:], *told[:5]], strict=True):
        page["facts"], page["mentions"] = facts, mentions
    truth.write_text("".join(json.dumps(page, sort_keys=True) + "\n" for page in pages))


def _blind(commits):
    """Commits that must not depend on the truth: up to the candidate pool, and the judge's pre-labels."""
    return {
        commit_id: made
        for commit_id, made in commits.items()
        if made[0] in UP_TO_CANDIDATE_POOL or made == ("labels", "pre-labels")
    }


def _adjudications(commits):
    return {commit_id for commit_id, made in commits.items() if made == ("labels", "adjudications")}


@pytest.mark.parametrize(("spoil", "has_grades"), [(_delete, False), (_scramble, True)])
def test_first_run_is_the_same_up_to_the_candidate_pool(road_home, tmp_path, commits_of, rows_of, spoil, has_grades):
    paths, honest = ProjectPaths(home=tmp_path / "twin"), ProjectPaths(home=road_home)
    make_twelve(home=paths.home)
    spoil(paths.home / TRUTH_FILE)
    run_project(paths, select=[*UP_TO_CANDIDATE_POOL, "labels"], quiet=True)
    mine, theirs = commits_of(paths), commits_of(honest)
    assert _blind(mine) == _blind(theirs)
    assert {made[0] for made in _blind(mine).values()} >= {"documents", "candidate_pool", "labels"}
    assert _adjudications(mine) != _adjudications(theirs)
    kinds = [row[4:6] for row in rows_of(paths)["labels.label"] if "generator-truth" in row]
    assert bool(kinds) == has_grades
