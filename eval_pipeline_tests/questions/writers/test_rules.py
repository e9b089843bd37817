"""The rules writer."""

from eval_pipeline.foundation.protocols import PageContent
from eval_pipeline.questions.writers.rules import RulesWriter, possessive

TEXT = """Acme Works Three months ended June 30, 2024
Key figures
Revenue 1,034
Operating income 162
Order backlog 2,660
Capital expenditure 45
Acme Works 3"""


def a_page(unit_id: str = "u1", text: str = TEXT) -> PageContent:
    return PageContent(unit_id=unit_id, text=text, text_quality="good")


def test_writes_a_few_questions_per_page_and_the_same_ones_each_time() -> None:
    writer = RulesWriter(per_page=2)
    first = writer.write(a_page())
    assert len(first) == 2
    assert first == RulesWriter(per_page=2).write(a_page())
    assert [item.place for item in first] == sorted(item.place for item in first)


def test_a_question_names_what_its_axes_say() -> None:
    for number in range(40):
        for item in RulesWriter(per_page=4).write(a_page(f"u{number}")):
            assert ("in Q2 2024" in item.text) is ("period" in item.named_axes)
            assert ("Acme Works'" in item.text) is ("entity" in item.named_axes)
            assert "metric" in item.named_axes
            assert item.subject in item.text
            assert item.text.startswith(("What was ", "What were "))
            assert item.text.endswith("?")


def test_period_free_and_company_free_questions_arise_in_their_share() -> None:
    items = [item for number in range(200) for item in RulesWriter(per_page=4).write(a_page(f"u{number}"))]
    without_period = sum("period" not in item.named_axes for item in items) / len(items)
    without_entity = sum("entity" not in item.named_axes for item in items) / len(items)
    assert len(items) == 800
    assert 0.2 < without_period < 0.3
    assert 0.15 < without_entity < 0.25


def test_figures_of_earlier_periods_are_asked_for_by_period_and_seldom() -> None:
    text = "ACME, INC.\nStatements of income\n2024 2023\nRevenue 9 8\nNet income 5 4\nGross profit 3 2\nDone."
    items = [item for number in range(100) for item in RulesWriter(per_page=1).write(a_page(f"u{number}", text))]
    earlier = [item for item in items if item.expected_answer in ("8", "4", "2")]
    assert all("in 2023" in item.text for item in earlier)
    assert 0 < len(earlier) < 40
    assert any("period" not in item.named_axes for item in items)


def test_seed_changes_the_choice_and_the_writer_id() -> None:
    one, other = RulesWriter(), RulesWriter(seed=1)
    assert one.writer_id != other.writer_id
    texts = {tuple(item.text for item in writer.write(a_page())) for writer in (one, other)}
    assert len(texts) == 2


def test_pages_that_cannot_be_read_or_say_nothing_give_no_question() -> None:
    garbled = PageContent(unit_id="u", text=TEXT, text_quality="garbled")
    assert RulesWriter().write(garbled) == []
    assert RulesWriter().write(a_page(text="Risk factors\nDemand may fall.")) == []


def test_possessive() -> None:
    assert (possessive("Acme"), possessive("Harris")) == ("Acme's", "Harris'")
