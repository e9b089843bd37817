from eval_pipeline.foundation.tables import metrics


def test_figure_takes_part_in_equality_with_its_interval():
    compared = {column.name for column in metrics.METRIC.columns if column.in_equality}
    assert {"estimate", "low", "high", "reason", "n_scored", "denominator_id"} <= compared


def test_figure_is_a_number_or_a_reason():
    columns = {column.name: column for column in metrics.METRIC.columns}
    assert columns["estimate"].nullable
    assert not columns["reason"].nullable
