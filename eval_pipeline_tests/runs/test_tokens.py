import pytest

from eval_pipeline.runs.tokens import tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Net Revenue, FY2024", ["net", "revenue", "fy", "2024"]),
        ("1,204.5 and 1204.5", ["1204.5", "and", "1204.5"]),
        ("12'000'000 CHF", ["12000000", "chf"]),
        ("1,20 and 3.5%", ["1,20", "and", "3.5"]),
        ("$(1,204)", ["1204"]),
        ("ﬁnancial ＲＥＶＥＮＵＥ Straße", ["financial", "revenue", "strasse"]),
        ("snake_case-word", ["snake", "case", "word"]),
        ("the end in 2021.", ["the", "end", "in", "2021"]),
        ("  \n\t", []),
    ],
)
def test_words_and_numbers(text: str, tokens: list[str]) -> None:
    assert tokenize(text) == tokens
