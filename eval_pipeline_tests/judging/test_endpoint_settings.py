"""Settings of an endpoint: refused by name, and never with a secret in the message."""

import pytest

from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.judging.endpoint_settings import EndpointSettings, check_prompt, parse_endpoint

BASE = {"base_url": "http://127.0.0.1:8000/v1/", "model": "my-vlm"}


def parse(**more: object) -> EndpointSettings:
    return parse_endpoint(EndpointSettings, {**BASE, **more}, path="eval.yaml", key="judges.vlm")


def test_what_the_example_declares_is_taken() -> None:
    settings = parse(key_env="VLM_API_KEY", image_px=1600, concurrency=4, budget={"usd": 20})
    assert (settings.base_url, settings.budget.usd, settings.sees) == (
        "http://127.0.0.1:8000/v1",
        20,
        ("picture", "text"),
    )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"api_key": "sk-secret"}, "judges.vlm.api_key: unknown key"),
        ({"key_env": "sk-secret-1234"}, "judges.vlm.key_env: should be the name of an environment variable"),
        ({"key_env": "sk_secret_1234"}, "never the key itself"),
        ({"base_url": "http://me:secret@127.0.0.1/v1"}, "without name, password or query"),
        ({"base_url": "https://host/v1?key=secret"}, "without name, password or query"),
        ({"base_url": "host/v1"}, "should be an address such as"),
        ({"image_px": 500}, "min_image_px 600 is more than image_px 500"),
        ({"detail": "low"}, "low shrinks pictures to 512 px"),
        ({"sees": []}, "judges.vlm.sees"),
        ({"concurrency": 0}, "judges.vlm.concurrency"),
        ({"model": ""}, "judges.vlm.model"),
    ],
)
def test_a_wrong_setting_is_told_by_its_key_and_no_secret_is_repeated(given: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(**given)
    assert words in str(caught.value)
    assert "judges.vlm" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_low_detail_is_allowed_where_small_is_declared_enough() -> None:
    assert parse(detail="low", min_image_px=400, image_px=512).detail == "low"
    assert parse(detail="low", sees=["text"]).detail == "low"


def test_what_is_asked_leaves_out_key_and_limits() -> None:
    asked = parse(key_env="VLM_API_KEY").asked()
    assert not {"key_env", "concurrency", "budget", "price", "retries"} & set(asked)
    assert parse(sees=["text"]).asked()["image_px"] is None


def test_an_unknown_prompt_names_the_known_ones() -> None:
    check_prompt("v1", ["v1"], path="eval.yaml", key="judges.vlm")
    with pytest.raises(ConfigError, match=r"judges\.vlm\.prompt: no prompt 'v0'; allowed: v1, v2"):
        check_prompt("v0", ["v1", "v2"], path="eval.yaml", key="judges.vlm")
