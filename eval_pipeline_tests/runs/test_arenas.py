import polars as pl

from eval_pipeline.runs.arenas import build_arenas

GOLD = pl.DataFrame({"question_id": ["q1", "q2"], "position": [1, 1], "unit_id": ["g", "h"]})
HARD = pl.DataFrame({"unit_id": ["g", "g", "g", "h"], "negative_unit_id": ["n1", "n2", "n1", "n3"]})


def draws(**units: list[str]) -> pl.DataFrame:
    rows = [(unit, "random", rank, name) for unit, names in units.items() for rank, name in enumerate(names, 1)]
    return pl.DataFrame(rows, schema=["unit_id", "arena", "rank", "negative_unit_id"], orient="row")


def members(arenas: pl.DataFrame) -> dict[tuple[str, str], list[str]]:
    grouped = arenas.group_by("question_id", "arena").agg(pl.col("unit_id").sort())
    return {(question, arena): names for question, arena, names in grouped.iter_rows()}


def test_both_arenas_have_the_same_size_per_question() -> None:
    arenas = build_arenas(gold=GOLD, hard=HARD, random=draws(g=["r1", "r2", "r3"], h=["r4", "r5", "r6"]))
    assert members(arenas) == {
        ("q1", "siblings"): ["g", "n1", "n2"],
        ("q1", "random"): ["g", "r1", "r2"],
        ("q2", "siblings"): ["h", "n3"],
        ("q2", "random"): ["h", "r4"],
    }


def test_a_question_without_hard_negatives_has_no_siblings_arena_and_keeps_all_random_ones() -> None:
    arenas = build_arenas(gold=GOLD, hard=HARD.clear(), random=draws(g=["r1", "r2"], h=[]))
    assert members(arenas) == {("q1", "random"): ["g", "r1", "r2"]}


def test_arenas_of_other_sizes_are_taken_whole() -> None:
    large = draws(g=["r1", "r2", "r3", "r4"]).with_columns(arena=pl.lit("random@4"))
    assert members(build_arenas(gold=GOLD, hard=HARD, random=large))[("q1", "random@4")] == [
        "g",
        "r1",
        "r2",
        "r3",
        "r4",
    ]


def test_other_gold_units_are_candidates_and_never_negatives() -> None:
    gold = pl.DataFrame({"question_id": ["q", "q"], "position": [2, 1], "unit_id": ["n1", "g"]})
    arenas = build_arenas(gold=gold, hard=HARD, random=draws(g=["n1", "r2"]))
    assert members(arenas) == {("q", "siblings"): ["g", "n1", "n2"], ("q", "random"): ["g", "n1", "r2"]}
