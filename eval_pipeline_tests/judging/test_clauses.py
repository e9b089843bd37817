"""Running text as statements."""

from eval_pipeline.judging.clauses import read_clauses
from eval_pipeline.judging.period_mentions import Period

Q3 = Period(year=2024, part="Q3")


def test_a_comparison_is_a_clause_of_its_own() -> None:
    text = "Revenue of the Cloud segment was $4.2 billion in Q3 2024, up from $3.9 billion in Q3 2023 as demand grew."
    clauses = list(read_clauses([text], heading_periods=()))
    assert [(one.figures[0].shown, str(one.periods[0][0])) for one in clauses] == [
        ("$4.2 billion", "Q3 2024"),
        ("$3.9 billion", "Q3 2023"),
    ]


def test_wrapped_lines_are_one_sentence_and_take_the_period_of_the_heading() -> None:
    lines = ["In the quarter the order backlog of the group as a whole came to", "about 11,472 million."]
    (clause,) = read_clauses(lines, heading_periods=(Q3,))
    assert clause.line.startswith("In the quarter")
    assert clause.heading_periods == (Q3,)


def test_short_lines_stand_alone() -> None:
    assert list(read_clauses(["Revenue", "grew a lot"], heading_periods=())) == []
