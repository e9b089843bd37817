import polars as pl

from eval_pipeline.runs.page_numbers import suggest_page_base

UNITS = pl.DataFrame(
    [(f"d{doc}p{page}", f"d{doc}", page) for doc in range(20) for page in (1, 2, 3)],
    schema=["unit_id", "document_id", "page_number"],
    orient="row",
)
GOLD = pl.DataFrame({"question_id": [f"q{doc}" for doc in range(20)], "unit_id": [f"d{doc}p2" for doc in range(20)]})


def listed(page: int, n: int = 20) -> pl.DataFrame:
    """What the declared numbering makes of a file that lists one page a question."""
    rows = [(f"q{doc}", f"d{doc}p{page}") for doc in range(n)]
    return pl.DataFrame(rows, schema=["question_id", "unit_id"], orient="row")


def test_the_right_number_is_left_alone() -> None:
    for base in (0, 1):
        assert suggest_page_base(ranked=listed(2), gold=GOLD, units=UNITS, page_base=base) is None


def test_pages_from_0_that_are_read_from_1_stand_one_too_early() -> None:
    told = suggest_page_base(ranked=listed(1), gold=GOLD, units=UNITS, page_base=1)
    assert told == ("with page_base: 1 the gold unit of 0 of 20 questions is listed, with page_base: 0 that of 20")
    assert suggest_page_base(ranked=listed(3), gold=GOLD, units=UNITS, page_base=1) is None


def test_pages_from_1_that_are_read_from_0_stand_one_too_late() -> None:
    told = suggest_page_base(ranked=listed(3), gold=GOLD, units=UNITS, page_base=0)
    assert told is not None
    assert told.endswith("with page_base: 1 that of 20")


def test_few_questions_say_nothing() -> None:
    assert suggest_page_base(ranked=listed(1, n=9), gold=GOLD, units=UNITS, page_base=1) is None
