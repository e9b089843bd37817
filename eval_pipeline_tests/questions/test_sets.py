"""Which outcomes hold now: by question, the pool of its first gold unit, and on to its children."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.questions.sets import posed_in_force, unposed, with_drawn_pools

POSED = {"question_id": pl.String, "pool_id": pl.String, "child_question_id": pl.String}


def the_roots(*names: str) -> pl.DataFrame:
    return pl.DataFrame({"question_id": list(names)}, schema={"question_id": pl.String})


def the_gold(*rows: tuple[str, int, str]) -> pl.DataFrame:
    schema = {"question_id": pl.String, "position": pl.Int64, "unit_id": pl.String}
    return pl.DataFrame(list(rows), schema=schema, orient="row")


def the_pools(**pool_of: str) -> pl.DataFrame:
    return pl.DataFrame(list(pool_of.items()), schema={"unit_id": pl.String, "pool_id": pl.String}, orient="row")


def the_posed(*rows: tuple[str, str, str | None]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=POSED, orient="row")


def test_an_outcome_counts_under_the_pool_of_the_first_gold_unit_only() -> None:
    given_ = {
        "roots": the_roots("q"),
        "gold": the_gold(("q", 1, "u"), ("q", 2, "v")),
        "unit_pools": the_pools(u="new", v="other"),
    }
    posed = the_posed(("q", "old", None), ("q", "new", None), ("q", "other", None))
    assert posed_in_force(**given_, posed=posed)["pool_id"].to_list() == ["new"]
    assert unposed(**given_, posed=posed).height == 0
    assert unposed(**given_, posed=posed.filter(pl.col("pool_id") != "new"))["question_id"].to_list() == ["q"]


def test_children_are_followed_generation_by_generation() -> None:
    found = posed_in_force(
        roots=the_roots("q", "r"),
        gold=the_gold(("q", 1, "u"), ("r", 1, "w"), ("c", 1, "u"), ("d", 1, "u"), ("x", 1, "u")),
        unit_pools=the_pools(u="p", w="s"),
        posed=the_posed(("q", "p", "c"), ("c", "p", "d"), ("d", "p", None), ("x", "p", None), ("r", "s", None)),
    )
    assert found["question_id"].to_list() == ["c", "d", "q", "r"]


def test_a_child_of_an_earlier_pool_is_out_of_force() -> None:
    found = posed_in_force(
        roots=the_roots("q"),
        gold=the_gold(("q", 1, "u"), ("c", 1, "u")),
        unit_pools=the_pools(u="new"),
        posed=the_posed(("q", "old", "c"), ("c", "old", None), ("q", "new", None)),
    )
    assert found.rows() == [("q", "new", None)]


def test_a_question_without_gold_or_without_pool_stands_under_the_empty_pool() -> None:
    given_ = {"roots": the_roots("bare", "alone"), "gold": the_gold(("alone", 1, "u")), "unit_pools": the_pools()}
    posed = the_posed(("bare", "", None), ("alone", "", None), ("alone", "p", None))
    assert posed_in_force(**given_, posed=posed).rows() == [("alone", "", None), ("bare", "", None)]
    assert unposed(**given_, posed=posed.clear())["question_id"].to_list() == ["alone", "bare"]


def test_a_question_whose_template_waits_for_its_pools_is_not_posed_yet() -> None:
    roots = pl.DataFrame({"question_id": ["q", "r", "s"], "template_id": ["t1", "t2", None]})
    gold = the_gold(("q", 1, "u"), ("r", 1, "v"), ("r", 2, "u"), ("s", 1, "w"))
    ready = with_drawn_pools(roots=roots, gold=gold, unit_pools=the_pools(u="p"))
    assert ready["question_id"].to_list() == ["q", "s"]


def test_no_roots_give_typed_nothing() -> None:
    nothing = {"roots": the_roots(), "gold": the_gold(), "unit_pools": the_pools()}
    found = posed_in_force(**nothing, posed=the_posed(("q", "", None)))
    assert (found.height, dict(found.schema)) == (0, POSED)


@given(st.lists(st.sampled_from(["q0", "q1", "q2", "q3"]), unique=True), st.integers(0, 4))
def test_every_root_is_either_posed_or_still_to_be_posed(names: list[str], n_done: int) -> None:
    given_ = {
        "roots": the_roots(*names),
        "gold": the_gold(*[(name, 1, f"u{name}") for name in names]),
        "unit_pools": the_pools(**{f"u{name}": f"p{name}" for name in names}),
        "posed": the_posed(*[(name, f"p{name}", None) for name in names[:n_done]]),
    }
    done = posed_in_force(**given_)["question_id"].to_list()
    left = unposed(**given_)["question_id"].to_list()
    assert sorted([*done, *left]) == sorted(names)
    assert sorted(done) == sorted(names[:n_done])
