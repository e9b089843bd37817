"""Every module has a test file that mirrors it, and every test file a module."""

from pathlib import Path

import eval_pipeline

PACKAGE = Path(eval_pipeline.__file__).parent
TESTS = Path(__file__).parents[1]

WITHOUT_MIRROR = {
    "definitions.py": "three lines for Dagster; orchestration/test_assembly.py loads it in a process of its own",
    "cli/commands/demo.py": "draws and runs sixty pages; CI runs the README's command",
    "cli/commands/run.py": "hands on to orchestration.running and to the metric table, which are tested",
}
WITHOUT_MODULE = ("browser", "guards", "road")
"""Folders of tests that look at the whole."""


def _modules():
    return sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py") if not path.name.startswith("__"))


def _mirror(module):
    return module.parent / f"test_{module.name}"


def test_every_module_has_its_mirror():
    missing = [module.as_posix() for module in _modules() if not (TESTS / _mirror(module)).is_file()]
    assert sorted(set(missing) - set(WITHOUT_MIRROR)) == []


def test_exceptions_are_needed_and_short():
    modules = {module.as_posix() for module in _modules()}
    assert set(WITHOUT_MIRROR) <= modules
    assert len(WITHOUT_MIRROR) <= 5


def test_every_test_file_mirrors_a_module():
    found = {path.relative_to(TESTS) for path in TESTS.rglob("test_*.py")}
    found = {path for path in found if path.parts[0] not in WITHOUT_MODULE}
    stray = found - {_mirror(module) for module in _modules()}
    assert sorted(path.as_posix() for path in stray if not _tells_of_its_package(path)) == []


def _tells_of_its_package(path):
    """`test_queries.py` or `test_tables.py` looks at the files or the modules of a folder of that name."""
    folder = PACKAGE / path.parent
    named = path.stem.removeprefix("test_")
    return (folder / named).is_dir() or folder.name == named
