import pytest

from eval_pipeline.runs.web_addresses import check_address, check_variable, is_loopback


@pytest.mark.parametrize("good", ["http://127.0.0.1:8000/rank", "https://host/rank?index=new"])
def test_an_address_stays_as_it_is(good: str) -> None:
    assert check_address(good) == good


@pytest.mark.parametrize(
    "bad", ["", "host/rank", "file:///etc/passwd", "http://", "http://a:b@host/", "http://host/#x"]
)
def test_what_is_no_plain_address_is_refused(bad: str) -> None:
    with pytest.raises(ValueError, match="address"):
        check_address(bad)


def test_the_name_of_a_variable_is_no_key() -> None:
    assert check_variable("RETRIEVER_KEY") == "RETRIEVER_KEY"
    for bad in ("sk-abc", "two words", "", "1X"):
        with pytest.raises(ValueError, match="never the key itself"):
            check_variable(bad)


def test_loopback_is_this_machine() -> None:
    assert is_loopback("http://127.0.0.1:1/x")
    assert is_loopback("http://[::1]:1/x")
    assert not is_loopback("http://127.0.0.1.example.org/x")
