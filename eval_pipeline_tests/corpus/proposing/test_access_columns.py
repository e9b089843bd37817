from eval_pipeline.corpus.proposing.access_columns import propose_access


def propose(*values, column="Access Level"):
    return propose_access(columns=["doc", column], rows=[{column: value} if value else {} for value in values])


def test_known_levels_are_put_in_order_and_the_unknown_is_closed():
    access, unknown = propose("Restricted", "public", "")
    assert unknown is None
    assert (access.column, access.default, access.levels) == ("Access Level", "restricted", ("public", "restricted"))


def test_a_slip_does_not_undo_the_column():
    access, _ = propose(*["public"] * 10, "pubic")
    assert access.levels == ("public",)


def test_levels_of_unknown_order_are_told_not_declared():
    assert propose("green", "red") == (None, "Access Level")
    assert propose("green", "red", column="colour") == (None, None)
