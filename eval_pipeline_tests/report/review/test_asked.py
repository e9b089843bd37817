import pytest

from eval_pipeline.report.review.asked import own_path, pair_of, text_of


@pytest.mark.parametrize("address", ["/", "/pair/q/u?queue=audit", "/queue/audit"])
def test_own_addresses_stay(address):
    assert own_path(address) == address


@pytest.mark.parametrize("address", ["", "pair", "//evil.example", "/\\evil.example", "http://evil.example", "/a\nb"])
def test_other_addresses_are_the_first_page(address):
    assert own_path(address) == "/"


def test_what_is_no_text_is_empty():
    assert [text_of({"a": value}, "a") for value in ("x", None, 3, ["x"])] == ["x", "", "", ""]
    assert pair_of({"question_id": "q"}) == ("q", "")
