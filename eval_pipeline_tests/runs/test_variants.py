from pathlib import Path
from typing import Any

import pytest

import eval_pipeline
from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.declared import load_yaml
from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.runs.variants import CONTROL_KINDS, Variant, declare_variants


def declare(encoder_id: str = "enc_1", **variants: dict[str, Any]) -> dict[str, Variant]:
    config = ProjectConfig(variants=variants) if variants else ProjectConfig()
    return {variant.name: variant for variant in declare_variants(config=config, encoder_id=encoder_id)}


def test_declared_variants_come_first_then_the_controls() -> None:
    declared = declare()
    assert list(declared) == ["image", "text", "hybrid", *CONTROL_KINDS]
    assert [variant.is_control for variant in declared.values()] == [False] * 3 + [True] * 4
    users = {name for name, variant in declared.items() if variant.encoder_id == "enc_1"}
    assert users == {"image", "hybrid", "control-appearance"}


def test_the_id_covers_settings_encoder_and_parts_and_nothing_else() -> None:
    one, again = declare(), declare()
    assert {name: variant.variant_id for name, variant in one.items()} == {
        name: variant.variant_id for name, variant in again.items()
    }
    other_encoder = declare("enc_2")
    changed = {name for name in one if one[name].variant_id != other_encoder[name].variant_id}
    assert changed == {"image", "hybrid", "control-appearance"}

    hybrid = {"type": "hybrid", "of": ["image", "text"]}
    usual = declare(image={"type": "image"}, text={"type": "text"}, hybrid=hybrid)
    other_part = declare(image={"type": "image"}, text={"type": "text", "k1": 1.2}, hybrid=hybrid)
    assert usual["hybrid"].variant_id != other_part["hybrid"].variant_id
    spelled_out = declare(image={"type": "image"}, text={"type": "text", "k1": 1.5}, hybrid=hybrid)
    assert usual["text"].variant_id == spelled_out["text"].variant_id


def test_a_row_of_the_table() -> None:
    row = declare()["hybrid"].to_table_row().row(0, named=True)
    assert row["kind"] == "hybrid"
    assert '"kind":"rrf"' in row["configuration"]
    assert '"k":60' in row["configuration"]


@pytest.mark.parametrize(
    ("variants", "key", "words"),
    [
        ({"v": {"type": "bm52"}}, "variants.v.type", "allowed: image, text, hybrid, http, run-file or 'module:Class'"),
        ({"v": {}}, "variants.v.type", "required"),
        ({"v": {"type": "text", "cutoff": 1}}, "variants.v.cutoff", "did you mean 'cut_off'"),
        ({"v": {"type": "text", "b": 2}}, "variants.v.b", "less than or equal to 1"),
        ({"v": {"type": "hybrid", "of": ["v", "w"]}, "w": {"type": "text"}}, "variants.v", "cannot hold itself"),
        ({"v": {"type": "hybrid", "of": ["w", "x"]}, "w": {"type": "text"}}, "variants.v.of", "no variant 'x'"),
        ({"control-mine": {"type": "text"}}, "variants.control-mine", "kept for controls"),
        ({"v": {"type": "no_such_module:Thing"}}, "variants.v.type", "cannot load"),
        ({"v": {"type": "json:JSONDecoder", "cut_off": 0}}, "variants.v.cut_off", "greater than or equal to 1"),
    ],
)
def test_a_wrong_declaration_names_file_key_and_what_is_allowed(
    variants: dict[str, dict[str, Any]], key: str, words: str
) -> None:
    with pytest.raises(ConfigError, match=words) as caught:
        declare(**variants)
    assert caught.value.key == key
    assert str(caught.value).startswith(f"eval.yaml: {key}")


def test_a_users_class_keeps_its_own_settings_and_may_state_its_version() -> None:
    configuration = declare(v={"type": "json:JSONDecoder", "strict": False, "cut_off": 5})["v"].configuration
    assert configuration["settings"] == {"strict": False}
    assert configuration["cut_off"] == 5
    assert configuration["code_version"] == "undeclared"


def test_the_examples_can_be_declared() -> None:
    example = Path(eval_pipeline.__file__).parents[1] / "docs" / "examples" / "variants.yaml"
    config = ProjectConfig(variants=load_yaml(example)["variants"])
    found = {variant.name: variant for variant in declare_variants(config=config, encoder_id="enc")}
    assert [name for name in found if not name.startswith("control-")] == list(config.variants)
    assert len({variant.variant_id for variant in found.values()}) == len(found)
    assert found["image-hnsw"].configuration["index"]["ef_search"] == 64
    assert found["service"].configuration["calling"]["concurrency"] == 8
    assert found["hybrid-rawsum"].configuration["parts"]["hybrid"]["parts"].keys() == {"image", "text"}


def test_settings_that_came_later_leave_older_ids_alone() -> None:
    """What is stored under a variant stays in force: a default that is new takes no part in the id."""
    found = declare()
    assert "index" not in found["image"].configuration
    assert "rerank" not in found["hybrid"].configuration["parts"]["image"]
