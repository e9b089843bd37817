import pytest
from pydantic import ValidationError

from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.settings import ProjectPaths, Settings, find_project, read_secret


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch, tmp_path):
    for name in ("HOME", "WORKERS", "THREADS", "LEDGER_WAIT_S"):
        monkeypatch.delenv(f"EVAL_PIPELINE_{name}", raising=False)
    monkeypatch.chdir(tmp_path)


def a_project(path):
    path.mkdir(parents=True, exist_ok=True)
    (path / "eval.yaml").touch()
    return path


def test_environment_is_read_and_checked(monkeypatch):
    assert (Settings().workers, Settings().ledger_wait_s, Settings().home) == (2, 120.0, None)
    monkeypatch.setenv("EVAL_PIPELINE_WORKERS", "5")
    assert Settings().workers == 5
    monkeypatch.setenv("EVAL_PIPELINE_WORKERS", "0")
    with pytest.raises(ValidationError):
        Settings()


def test_explicit_folder_then_environment_then_data_then_here(monkeypatch, tmp_path):
    here, data = a_project(tmp_path), None
    assert find_project().home == here.resolve()
    data = a_project(tmp_path / "data")
    assert find_project().home == data.resolve()
    named = a_project(tmp_path / "named")
    monkeypatch.setenv("EVAL_PIPELINE_HOME", str(named))
    assert find_project().home == named.resolve()
    given = a_project(tmp_path / "given")
    assert find_project(given).home == given.resolve()


def test_missing_project_tells_where_it_looked(tmp_path):
    with pytest.raises(ConfigError, match=r"looked for data/eval\.yaml, eval\.yaml; give --home DIR"):
        find_project()
    with pytest.raises(ConfigError, match=r"other/eval\.yaml"):
        find_project(tmp_path / "other")


def test_places_lie_inside_the_project(tmp_path):
    paths = ProjectPaths(home=tmp_path)
    names = ["config", "contracts", "derived", "commits", "ledger", "lock", "report", "dagster_home"]
    assert [getattr(paths, name).relative_to(tmp_path).as_posix() for name in names] == [
        "eval.yaml", "contracts", "derived", "derived/commits", "ledger.duckdb", "ledger.lock",
        "derived/report/report.html", "dagster_home",
    ]  # fmt: skip


def test_a_secret_is_read_by_the_name_of_its_variable(monkeypatch):
    monkeypatch.setenv("A_KEY_OF_OURS", " abc\n")
    assert read_secret("A_KEY_OF_OURS") == "abc"
    monkeypatch.setenv("A_KEY_OF_OURS", "  ")
    assert read_secret("A_KEY_OF_OURS") is None
    monkeypatch.delenv("A_KEY_OF_OURS")
    assert read_secret("A_KEY_OF_OURS") is None
