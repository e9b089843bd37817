"""Facts of a page, for the writer."""

from eval_pipeline.questions.writers.page_facts import read_facts

SEGMENTS = """Acme Works Three months ended June 30, 2024
Revenue by segment
USD millions
Cloud 1,034
Devices 1,626
Total revenue 2,660
Acme Works 3"""


def test_rows_by_segment_name_segment_and_metric() -> None:
    facts = {fact.subject: fact for fact in read_facts(SEGMENTS)}
    assert list(facts) == ["Cloud segment revenue", "Devices segment revenue", "total revenue"]
    cloud = facts["Cloud segment revenue"]
    assert (cloud.answer, cloud.period, cloud.entity) == ("1,034 (in millions)", "Q2 2024", "Acme Works")


def test_comparative_columns_give_one_fact_a_period() -> None:
    text = "\n".join(
        [
            "ACME, INC.",
            "Balance sheets",
            "(in thousands)",
            "June 30, 2024 June 30, 2023",
            "Total assets $ 9 $ 8",
            "Earnings per share 1 2",
        ]
    )
    facts = [(fact.subject, fact.answer, fact.preposition, fact.period) for fact in read_facts(text)]
    assert [fact.is_current for fact in read_facts(text)] == [True, False, True, False]
    assert facts == [
        ("total assets", "$ 9 (in thousands)", "as of", "June 30, 2024"),
        ("total assets", "$ 8 (in thousands)", "as of", "June 30, 2023"),
        ("earnings per share", "1", "as of", "June 30, 2024"),
        ("earnings per share", "2", "as of", "June 30, 2023"),
    ]


def test_pairs_and_cards() -> None:
    facts = read_facts(
        "Acme Corp.\nOrder backlog in Q3 2024: 11,472. Earlier quarters are drawn.\nOn-time delivery\n95.3%"
    )
    assert [(fact.subject, fact.answer, fact.period) for fact in facts] == [
        ("order backlog", "11,472", "Q3 2024"),
        ("on-time delivery", "95.3%", ""),
    ]


def test_what_is_no_fact() -> None:
    text = "Acme Works\nPART II\nItem 8\nNotes to statements 62\nSee page 5\nTotal 9\nAcme Works (ACM) 3"
    assert read_facts(text) == []


def test_a_page_about_one_segment_says_so() -> None:
    (fact,) = read_facts("Acme Corp.\nCloud segment\nQ3 2024\nOperating income 7\nend of page")
    assert fact.subject == "Cloud segment operating income"
