import sys
import types
from pathlib import Path

import pytest

from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.protocols import Adjudication
from eval_pipeline.labels.reviewers import build_reviewer


class Everything:
    """Finds every page sufficient."""

    def __init__(self, *, home: Path, name: str = "everything") -> None:
        self.home, self.name = home, name

    def adjudicate(self, question: str, document_path: str, page_number: int) -> Adjudication | None:
        return Adjudication(grade="sufficient", author_kind="developer", author=self.name)


class Nobody:
    def __init__(self, *, home: Path) -> None:
        self.home = home


@pytest.fixture(autouse=True)
def user_package(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("users_reviewers")
    module.Everything, module.Nobody = Everything, Nobody  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "users_reviewers", module)


def test_a_class_by_name_gets_home_and_its_settings(tmp_path: Path) -> None:
    reviewer = build_reviewer(declared={"type": "users_reviewers:Everything", "name": "eve"}, home=tmp_path)
    assert isinstance(reviewer, Everything)
    assert (reviewer.home, reviewer.name) == (tmp_path, "eve")


def test_none_declared_is_none(tmp_path: Path) -> None:
    assert build_reviewer(declared=None, home=tmp_path) is None


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        ({"type": "users_reviewers:Everything", "seed": 1}, "does not take home and"),
        ({"type": "users_reviewers:Nobody"}, "has no method 'adjudicate'"),
        ({"type": "users_reviewers"}, "should be 'module:Class'"),
        ({"name": "eve"}, r"labels\.reviewer\.type is required"),
    ],
)
def test_what_does_not_fit_is_named(tmp_path: Path, declared: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        build_reviewer(declared=declared, home=tmp_path)
