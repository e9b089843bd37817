"""Facets as numbers that can be compared."""

from eval_pipeline.negatives.facts import read_facts


def test_equal_values_have_equal_numbers_and_missing_ones_are_named() -> None:
    facts = read_facts(
        ['{"entity":"a","period":"q1"}', '{"period":"q1"}', '{"entity":"b","period":"q1"}', "{}"], ("period", "entity")
    )
    assert facts.codes.tolist() == [[0, 0], [0, -1], [0, 1], [-1, -1]]
    assert facts.is_described.tolist() == [True, False, True, False]
    assert facts.missing_of(3) == ("period", "entity")
    others = facts.others_of("entity").tolist()
    assert others[0] == others[1] == others[2] != others[3]


def test_only_revision_has_a_default() -> None:
    facts = read_facts(['{"revision":"original"}', "{}", '{"revision":"restated"}'], ("revision",))
    assert facts.codes.tolist() == [[0], [0], [1]]
    assert facts.all_of().tolist() == [0, 0, 1]
    assert facts.others_of("revision").tolist() == [0, 0, 0]


def test_facets_that_are_no_axes_do_not_count() -> None:
    facts = read_facts(['{"period":"q1","scope":"a"}', '{"period":"q1","scope":"b"}'], ("period",))
    assert facts.all_of().tolist() == [0, 0]
