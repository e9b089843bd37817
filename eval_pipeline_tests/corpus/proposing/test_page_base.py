from eval_pipeline.corpus.proposing.page_base import NamedPage, find_page_base, pages_to_read

TEXTS = {("a", 0): "cover page", ("a", 1): "balance sheets 1,234", ("a", 2): "cash flows 9,876", ("a", 3): "signatures"}


def named(page, words=""):
    return NamedPage(document="a", page=page, words=words)


def base_of(*pages, texts=TEXTS):
    found = find_page_base(named=pages, n_pages={"a": 4}, texts=texts)
    return found.base, found.is_sure


def test_page_zero_says_so():
    assert base_of(named(0), named(3)) == (0, True)


def test_a_last_page_says_so():
    assert base_of(named(4)) == (1, True)


def test_words_on_the_page_speak_for_it():
    assert base_of(named(1, "Balance sheets: 1,234?"), named(2, "cash flows of 9,876")) == (0, True)
    assert base_of(named(2, "Balance sheets: 1,234?"), named(3, "cash flows of 9,876")) == (1, True)


def test_words_that_disagree_are_not_sure():
    assert base_of(named(1, "Balance sheets"), named(2, "balance sheets")) == (1, False)
    pages = [named(1, "balance"), named(2, "flows"), named(2, "balance")]
    assert base_of(*pages) == (0, False)


def test_unreadable_pages_say_nothing():
    assert base_of(named(1, "Balance sheets"), texts={}) == (1, False)
    assert base_of() == (1, False)


def test_the_page_and_the_one_before_are_read():
    assert pages_to_read([named(0), named(3)]) == {"a": (0, 2, 3)}
