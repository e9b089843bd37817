"""What is shown of a page."""

import pytest

from eval_pipeline.foundation.errors import JudgeFailed
from eval_pipeline.judging.endpoint_settings import EndpointSettings
from eval_pipeline.judging.showing import count_picture_tokens, show_page, unreadable
from eval_pipeline_tests.judging.conftest import a_page, draw_picture


def settings_of(*sees: str) -> EndpointSettings:
    return EndpointSettings.model_validate({"base_url": "http://127.0.0.1:9/v1", "model": "m", "sees": sees})


def test_text_picture_or_both(tmp_path) -> None:
    page = a_page(picture=draw_picture(tmp_path / "p.png", 800, 700))
    text, picture, both = (show_page(settings_of(*sees), page) for sees in (["text"], ["picture"], ["text", "picture"]))
    assert (text.text, text.picture) == ("Revenue 5", None)
    assert (picture.text, picture.picture.size) == (None, "800x700")
    assert (both.text, both.picture.size) == ("Revenue 5", "800x700")
    assert len({text.page_id, picture.page_id, both.page_id}) == 3
    assert count_picture_tokens([text, picture, both]) == 2 * picture.picture.n_tokens_at_most


def test_garbled_text_is_not_shown(tmp_path) -> None:
    page = a_page(text="#", text_quality="garbled", picture=draw_picture(tmp_path / "p.png", 800, 700))
    assert show_page(settings_of("text", "picture"), page).text is None
    assert show_page(settings_of("text"), page) is None
    assert unreadable(page) == "The text of the page is garbled."
    assert unreadable(a_page(text="  ")) == "The text of the page is missing."


def test_a_picture_that_is_not_there_is_a_failure_not_a_page() -> None:
    with pytest.raises(JudgeFailed, match="unit u1 has no picture"):
        show_page(settings_of("picture", "text"), a_page())
