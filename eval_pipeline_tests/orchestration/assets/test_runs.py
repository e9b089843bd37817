"""Runs of every variant, and the contracts they were declared under."""

import pytest

from eval_pipeline.orchestration.assets.runs import read_corpus, register
from eval_pipeline.orchestration.resources import Project


def test_contracts_are_registered_as_they_are_declared(a_project):
    project = Project(home=str(a_project.home))
    (table,) = register(project.contracts).tables.values()
    assert sorted(table["contract_id"]) == sorted(contract.contract_id for contract in project.contracts)
    assert table["registered_at_utc"].null_count() == 0


@pytest.mark.road
def test_a_retriever_gets_what_the_asker_may_see(road_home):
    project = Project(home=str(road_home))
    corpus = read_corpus(project, project.contracts[0])
    assert corpus.units.height == len(corpus.texts) == 12
    assert set(corpus.visible) == set(corpus.units["unit_id"])
    assert set(corpus.template_of) <= set(corpus.units["unit_id"])


@pytest.mark.road
def test_no_contract_was_late(road_home):
    with Project(home=str(road_home)).session() as ledger:
        assert not ledger.table("metrics.metric")["is_late"].any()
