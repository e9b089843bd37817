import pytest
from pydantic import ValidationError

from eval_pipeline.runs.declared import BUILT_IN, HybridSettings, TextSettings


def test_defaults_are_the_usual_ones() -> None:
    assert sorted(BUILT_IN) == ["hybrid", "image", "text"]
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
