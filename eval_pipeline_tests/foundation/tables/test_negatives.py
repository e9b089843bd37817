from eval_pipeline.foundation.tables import negatives


def test_pool_has_places_by_axis_and_shortfalls_beside_them():
    assert negatives.NEGATIVE.key == ("pool_id", "axis", "rank")
    assert negatives.SHORTFALL.key == ("pool_id", "axis")
    assert negatives.UNIT_POOL.key == ("unit_id", "members_hash", "settings_id")


def test_similarity_is_a_float_payload():
    assert [column.name for column in negatives.NEGATIVE.columns if not column.in_equality] == ["similarity"]
