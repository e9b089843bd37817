from eval_pipeline.foundation.tables import corpus, views


def test_member_is_a_unit_in_force_with_its_template():
    assert list(views.MEMBER.schema)[: len(views.UNIT_IN_FORCE.schema)] == list(views.UNIT_IN_FORCE.schema)
    assert list(views.MEMBER.schema)[-3:] == ["template_id", "template_version_id", "template_bucket"]


def test_columns_mean_what_they_mean_in_the_tables():
    for column in views.UNIT_IN_FORCE.columns:
        sources = [table.schema[column.name] for table in corpus.ALL if column.name in table.schema]
        assert sources, column.name
        assert set(map(str, sources)) == {str(column.dtype)}
