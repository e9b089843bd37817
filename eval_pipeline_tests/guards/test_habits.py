"""Habits that no linter asks for."""

import ast
import re
from pathlib import Path

import eval_pipeline
from eval_pipeline.foundation import errors

PACKAGE = Path(eval_pipeline.__file__).parent
ROOT = PACKAGE.parent
SOURCES = sorted(PACKAGE.rglob("*.py"))
OPEN_WORK = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")


def _calls(tree):
    return {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}


def test_no_print_no_open_work():
    texts = {path: path.read_text(encoding="utf-8") for path in SOURCES}
    assert len(texts) > 100
    assert [path for path, text in texts.items() if OPEN_WORK.search(text)] == []
    assert [path for path, text in texts.items() if "print" in _calls(ast.parse(text))] == []


def test_no_open_work_in_queries_and_templates():
    files = [path for suffix in ("sql", "html", "css", "js", "yaml") for path in PACKAGE.rglob(f"*.{suffix}")]
    assert files
    assert [path for path in files if OPEN_WORK.search(path.read_text(encoding="utf-8"))] == []


def _raised_or_made():
    """Names that some module raises, or calls to make what another line raises."""
    found = set()
    for path in SOURCES:
        if path.name == "errors.py":
            continue
        found |= _calls(ast.parse(path.read_text(encoding="utf-8")))
    return found


def test_every_error_class_is_raised_somewhere():
    declared = {name for name, item in vars(errors).items() if isinstance(item, type) and issubclass(item, Exception)}
    assert declared - _raised_or_made() <= {"EvalPipelineError"}


def test_errors_stand_in_the_tree_drawn_on_top():
    declared = {name for name, item in vars(errors).items() if isinstance(item, type) and issubclass(item, Exception)}
    assert errors.__doc__ is not None
    assert [name for name in sorted(declared) if name not in errors.__doc__] == []


def test_every_package_says_what_belongs_there():
    for init in sorted(PACKAGE.rglob("__init__.py")):
        told = ast.get_docstring(ast.parse(init.read_text(encoding="utf-8"))) or ""
        if init.parent != PACKAGE:
            assert "Belongs here" in told, init
            assert "Does not belong here" in told or "does not belong here" in told, init


def test_changelog_has_unreleased_with_numbers_change():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    unreleased = text.split("## Unreleased", maxsplit=1)[1].split("\n## ", maxsplit=1)[0]
    told = unreleased.split("### Numbers change", maxsplit=1)[1].split("\n### ", maxsplit=1)[0]
    assert re.search(r"^- \S", told, re.MULTILINE)
