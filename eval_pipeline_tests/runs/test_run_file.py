import shutil
from pathlib import Path

import pytest

from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.runs.run_file import RunFile
from eval_pipeline.runs.variants import Variant, declare_variants


def declare(home: Path | None, **settings: object) -> Variant:
    declared = {"theirs": {"type": "run-file", "path": "x.run", **settings}}
    return declare_variants(config=ProjectConfig(variants=declared), encoder_id="enc", home=home)[0]


def test_a_variant_says_all_of_it(tmp_path: Path) -> None:
    for name in ("x.run", "i.run", "s.run"):
        (tmp_path / name).write_text("")
    settings = {
        "units": "path#page",
        "page_base": 0,
        "stages": {"image.exact": "i.run"},
        "scores": "s.run",
        "cut_off": 5,
    }
    found = RunFile.of_variant(declare(tmp_path, **settings))
    assert (found.name, found.path, found.units, found.page_base, found.on_error) == (
        "theirs",
        "x.run",
        "path#page",
        0,
        "stop",
    )
    assert (found.stages, found.scores, found.policy.cut_off) == ({"image.exact": "i.run"}, "s.run", 5)


def test_the_variant_is_another_one_when_a_file_is(tmp_path: Path) -> None:
    (tmp_path / "x.run").write_text("one")
    (tmp_path / "i.run").write_text("one")
    before = declare(tmp_path, stages={"lexical": "i.run"}).variant_id
    moved = tmp_path / "moved"
    shutil.copytree(tmp_path, moved)
    assert declare(moved, stages={"lexical": "i.run"}).variant_id == before
    (tmp_path / "i.run").write_text("two")
    assert declare(tmp_path, stages={"lexical": "i.run"}).variant_id != before


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert declare(None).kind == "run-file"
    with pytest.raises(ConfigError, match=r"variants.theirs: the run file x.run cannot be read") as caught:
        declare(tmp_path)
    assert caught.value.key == "variants.theirs"


@pytest.mark.parametrize(
    ("variants", "key", "words"),
    [
        ({"h": {"type": "hybrid", "of": ["r", "text"]}, "text": {"type": "text"}}, "variants.h.of", "by question id"),
        ({"r": {"rerank": {"type": "json:JSONDecoder"}}}, "variants.r.rerank", "holds what was ranked"),
    ],
)
def test_what_a_run_file_cannot_be(variants: dict[str, dict[str, object]], key: str, words: str) -> None:
    base = {"r": {"type": "run-file", "path": "x.run"}}
    declared = {**variants, "r": {**base["r"], **variants.get("r", {})}}
    with pytest.raises(ConfigError, match=words) as caught:
        declare_variants(config=ProjectConfig(variants=declared), encoder_id="enc")
    assert caught.value.key == key
