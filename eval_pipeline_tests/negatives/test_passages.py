"""Passages that say the same in the same words."""

from hypothesis import given, settings
from hypothesis import strategies as st

from eval_pipeline.negatives.passages import SAME_SHARE, SHINGLE_WORDS, SharedText

GOLD = "From May until the end of September the ferry of Aldersby crosses 12 times a day and carries no cars."


def same(*texts: str) -> list[list[bool]]:
    return SharedText(texts).says_same(slice(0, len(texts))).tolist()


def test_reprints_extracts_and_small_edits_say_the_same() -> None:
    for other in (
        GOLD,
        GOLD.upper(),
        f"{GOLD} The notice hangs in the town hall.",
        "The ferry of Aldersby crosses 12 times a day and carries no cars.",
        GOLD.replace("no cars", "no lorries"),
    ):
        assert same(GOLD, other) == [[True, True], [True, True]], other


def test_another_subject_or_other_words_do_not() -> None:
    for other in (
        GOLD.replace("12", "13"),
        "From May until the end of September the ferry of Carrick crosses 3 times a day and carries no cars.",
        "Travellers without a vehicle can count on 12 daily sailings out of Aldersby harbour in the warm months.",
        "The council of Aldersby elected Ada Marsh as its mayor last spring, by a majority of two votes.",
    ):
        assert same(GOLD, other) == [[True, False], [False, True]], other


def test_an_empty_text_is_like_no_other_not_even_an_empty_one() -> None:
    assert same("", "", "two words", "Two words!") == [
        [False, False, False, False],
        [False, False, False, False],
        [False, False, True, True],
        [False, False, True, True],
    ]


WORDS = st.lists(st.sampled_from(["a", "b", "3", "4.5"]), max_size=9).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(texts=st.lists(WORDS, min_size=1, max_size=6))
def test_equals_comparing_sets_of_runs(texts: list[str]) -> None:
    runs, numbers = [], [{word for word in text.split() if word[0].isdigit()} for text in texts]
    for text in texts:
        words = text.split()
        size = min(SHINGLE_WORDS, len(words))
        runs.append({tuple(words[k : k + size]) for k in range(len(words) - size + 1)} if size else set())

    def by_definition(one: int, other: int) -> bool:
        pairs = [(one, other), (other, one)]
        return bool(runs[one] and runs[other]) and any(
            len(runs[a]) <= len(runs[b])
            and len(runs[a] & runs[b]) >= SAME_SHARE * len(runs[a])
            and numbers[a] <= numbers[b]
            for a, b in pairs
        )

    places = range(len(texts))
    assert same(*texts) == [[by_definition(one, other) for other in places] for one in places]
