"""The fixed word lists."""

from eval_pipeline.judging import vocabulary


def test_lists_are_folded_words() -> None:
    for name in ("STOP_WORDS", "HARMLESS", "LEGAL_SUFFIXES", "PLAIN_HEADING_WORDS", "LINKS", "MODIFIERS"):
        words = getattr(vocabulary, name)
        assert words
        assert all(word == word.casefold() and " " not in word for word in words), name


def test_a_metric_word_is_never_a_little_word() -> None:
    metric = vocabulary.word_set("revenue income cost asset liability debt margin headcount cash equity backlog")
    assert not metric & (vocabulary.STOP_WORDS | vocabulary.HARMLESS)
