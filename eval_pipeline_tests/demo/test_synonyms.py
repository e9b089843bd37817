from eval_pipeline.demo.plan import plan_committed
from eval_pipeline.demo.synonyms import write_synonyms


def test_one_trading_symbol_a_company(world):
    lines = write_synonyms(plan_committed(world, 60)).decode().splitlines()
    assert lines == ["name,synonym", "Dunmore Ash Energy,DNM", "Gatesby Marine,GTS", "Juniper Fold Logistics,JNP"]
