from eval_pipeline.cli.declared import declared_contract_ids
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.tasks.contracts import load_contracts


def test_ids_are_those_of_the_contracts_in_the_folder(road_home, tmp_path):
    declared = declared_contract_ids(ProjectPaths(home=road_home))
    assert declared == [item.contract_id for item in load_contracts(road_home, "contracts/*.yaml")]
    (tmp_path / "eval.yaml").write_text("contracts: nowhere/*.yaml\n")
    assert declared_contract_ids(ProjectPaths(home=tmp_path)) == []
