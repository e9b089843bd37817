import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval_pipeline.corpus.cleaning import clean_text


@pytest.mark.parametrize(
    ("given_text", "cleaned"),
    [
        ("co\ufffesourced", "co-sourced"),
        ("a\r\nb\rc\fd", "a\nb\nc\nd"),
        ("Total\u00a0revenue\t$\u2009574", "Total revenue $ 574"),
        ("rene\u00ad\nwable en\u00adergy", "renewable energy"),
        ("nul\x00l", "null"),
        ("\x02\x03abc", "\ufffd\ufffdabc"),
        ("Socie\u0301te\u0301", "Société"),
        ("trailing   \nnext  ", "trailing\nnext"),
        ("", ""),
        ("lone \ud800", "lone \ufffd"),
    ],
)
def test_clean_text_gives(given_text: str, cleaned: str) -> None:
    assert clean_text(given_text) == cleaned


@given(st.text(alphabet=st.characters(), max_size=60))
def test_cleaning_twice_changes_nothing_and_text_can_be_stored(text: str) -> None:
    cleaned = clean_text(text)
    assert clean_text(cleaned) == cleaned
    assert isinstance(cleaned.encode(), bytes)
    assert "\x00" not in cleaned
    assert unicodedata.is_normalized("NFC", cleaned)
