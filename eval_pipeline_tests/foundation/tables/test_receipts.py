from eval_pipeline.foundation.tables import receipts


def test_value_takes_part_in_equality_and_is_null_with_a_reason():
    columns = {column.name: column for column in receipts.RECEIPT.columns}
    assert columns["value"].in_equality
    assert columns["value"].nullable
    assert not columns["reason"].nullable


def test_receipt_names_neither_night_nor_evaluation():
    assert not {"batch_id", "evaluation_id", "retrieval_run_id"} & set(receipts.RECEIPT.schema)
