from eval_pipeline.foundation.tables import tasks


def test_registration_is_a_witness():
    assert [column.name for column in tasks.CONTRACT.columns if not column.in_equality] == ["registered_at_utc"]


def test_look_is_counted_once_per_split_contract_and_run():
    assert tasks.LOOK.key == ("split", "contract_id", "retrieval_run_id")
