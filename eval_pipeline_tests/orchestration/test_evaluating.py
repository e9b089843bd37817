"""What the figures of a contract rest on."""

from datetime import UTC, datetime

import polars as pl
import pytest

from eval_pipeline.foundation.errors import LineageError
from eval_pipeline.orchestration.evaluating import is_late, lay_ground, score_runs
from eval_pipeline.orchestration.resources import Project

EARLY, LATE = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("registered", "ranked", "expected"),
    [
        ([EARLY], [LATE, LATE], False),
        ([LATE], [EARLY, LATE], True),
        ([EARLY], [EARLY], False),
        ([LATE], [], False),
    ],
)
def test_late_is_registered_after_the_first_list(registered, ranked, expected):
    schema = {"made_at_utc": pl.Datetime("us", "UTC")}
    frames = [pl.DataFrame({"made_at_utc": times}, schema=schema) for times in (registered, ranked)]
    assert is_late(*frames) is expected


def test_a_contract_that_was_never_registered_cannot_be_scored():
    frame = pl.DataFrame(schema={"made_at_utc": pl.Datetime("us", "UTC")})
    with pytest.raises(LineageError, match="never registered"):
        is_late(frame, frame)


@pytest.mark.road
def test_ground_of_every_contract_is_the_evaluation_in_force(road_home):
    project = Project(home=str(road_home))
    grounds = [lay_ground(project, contract) for contract in project.contracts]
    asked = [contract.contract_id for contract in project.contracts]
    stored = project.read("metrics/evaluations_in_force", contract_ids=asked)
    assert {ground.basis.evaluation_id for ground in grounds} == set(stored["evaluation_id"])
    for ground in grounds:
        assert ground.waiting.is_empty()
        assert len(ground.runs) == 8
        assert ground.funnel["written"] > 0


@pytest.mark.road
def test_scoring_again_gives_the_rows_that_are_stored(road_home):
    project = Project(home=str(road_home))
    ground = lay_ground(project, project.contracts[0])
    made = score_runs(project, ground)
    with project.session() as ledger:
        stored = ledger.table("metrics.metric").filter(evaluation_id=ground.basis.evaluation_id)
    mine = made.tables["metrics.metric"].sort("metric_id")
    assert mine.equals(stored.select(mine.columns).sort("metric_id"))
