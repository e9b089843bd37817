from eval_pipeline.foundation.tables import templates


def test_assignment_is_kept_by_round_and_waits_without_a_template():
    assert templates.TEMPLATE_ASSIGNMENT.key == ("template_version_id", "unit_id", "round")
    columns = {column.name: column for column in templates.TEMPLATE_ASSIGNMENT.columns}
    assert columns["template_id"].nullable
    assert columns["state"].allowed == ("founding", "assigned", "new", "buffered")
