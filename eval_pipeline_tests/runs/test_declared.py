import pytest
from pydantic import ValidationError

from eval_pipeline.runs.declared import (
    BUILT_IN,
    HttpSettings,
    HybridSettings,
    ImageSettings,
    RunFileSettings,
    TextSettings,
)


def test_defaults_are_the_usual_ones() -> None:
    assert sorted(BUILT_IN) == ["http", "hybrid", "image", "run-file", "text"]
    assert ImageSettings().index.kind == "flat"
    assert (TextSettings().k1, TextSettings().b) == (1.5, 0.75)
    hybrid = HybridSettings(of=("image", "text"))
    assert (hybrid.fusion.kind, hybrid.fusion.k, hybrid.pool) == ("rrf", 60, 1000)


@pytest.mark.parametrize(
    "wrong",
    [
        {"of": ("image",)},
        {"of": ("image", "image")},
        {"of": ("image", "text"), "fusion": {"weights": {"txt": 2}}},
        {"of": ("image", "text"), "fusion": {"normalize": "softmax"}},
        {"of": ("image", "text"), "max_per_document": 0},
    ],
)
def test_what_makes_no_sense_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        HybridSettings.model_validate(wrong)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"url": "ftp://host/rank"}, "should be an address"),
        ({"url": "http://name:word@host/rank"}, "without name, password"),
        ({"url": "http://host/rank", "key_env": "sk-123"}, "never the key itself"),
        ({"url": "http://host/rank", "retries": -1}, "greater than or equal to 0"),
        ({}, "Field required"),
    ],
)
def test_an_address_and_the_name_of_a_variable_are_checked(wrong: dict[str, object], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        HttpSettings.model_validate(wrong)


def test_stages_of_a_run_file_have_names_of_their_own() -> None:
    assert RunFileSettings(path="runs/x.run", stages={"image.exact": "runs/i.run"}).units == "unit_id"
    for taken in ("final", "eligible", "returned", "arena:siblings"):
        with pytest.raises(ValidationError, match="are ours"):
            RunFileSettings(path="runs/x.run", stages={taken: "runs/i.run"})
