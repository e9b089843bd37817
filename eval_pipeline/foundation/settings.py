"""Where the project folder is: the only place that reads the environment."""

import os
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from eval_pipeline.foundation.errors import ConfigError

CONFIG_NAME = "eval.yaml"


class Settings(BaseSettings):
    """Environment variables, all with the prefix `EVAL_PIPELINE_`.

    Attributes:
        home: the project folder; None looks for `./data/eval.yaml`, then `./eval.yaml`.
        workers: processes that read documents.
        threads: threads of torch and faiss together.
        ledger_wait_s: seconds that a session waits for the ledger's lock before it gives up by name.
        test_shared: folder with the real filings and the fault cases, for tests only.
        test_chromium: the browser of the browser tests; None looks for one on the path.
    """

    model_config = SettingsConfigDict(env_prefix="EVAL_PIPELINE_", env_ignore_empty=True, extra="ignore")

    home: Path | None = None
    workers: int = Field(default=2, ge=1)
    threads: int = Field(default=2, ge=1)
    ledger_wait_s: float = Field(default=120.0, gt=0)
    test_shared: Path | None = None
    test_chromium: Path | None = None


@dataclass(frozen=True, kw_only=True)
class ProjectPaths:
    """Places inside a project folder (DESIGN 1).

    Attributes:
        home: the project folder, absolute.
    """

    home: Path

    @property
    def config(self) -> Path:
        """The declaration, `eval.yaml`."""
        return self.home / CONFIG_NAME

    @property
    def contracts(self) -> Path:
        """Task contracts."""
        return self.home / "contracts"

    @property
    def derived(self) -> Path:
        """Everything the product makes as files."""
        return self.home / "derived"

    @property
    def commits(self) -> Path:
        """The record: one folder per commit."""
        return self.derived / "commits"

    @property
    def ledger(self) -> Path:
        """The DuckDB file that answers questions about the record."""
        return self.home / "ledger.duckdb"

    @property
    def lock(self) -> Path:
        """Side file whose lock every ledger session holds."""
        return self.home / "ledger.lock"

    @property
    def report(self) -> Path:
        """The report of the last evaluation."""
        return self.derived / "report" / "report.html"

    @property
    def dagster_home(self) -> Path:
        """Dagster's own storage for this project."""
        return self.home / "dagster_home"


def read_secret(name: str) -> str | None:
    """Value of the environment variable that a declaration names; None where it is not set or blank.

    The value is for one request header: it is never stored, logged or part of a message.
    """
    return os.environ.get(name, "").strip() or None


def find_project(home: Path | None = None) -> ProjectPaths:
    """Find the project folder: an explicit one, else `EVAL_PIPELINE_HOME`, else `./data`, else the current folder.

    Raises:
        ConfigError: there is no `eval.yaml` in any of these places.
    """
    given = home or Settings().home
    candidates = [given] if given else [Path("data"), Path()]
    for candidate in candidates:
        if (candidate / CONFIG_NAME).is_file():
            return ProjectPaths(home=candidate.resolve())
    looked = ", ".join(str(candidate / CONFIG_NAME) for candidate in candidates)
    message = f"no project folder: looked for {looked}; give --home DIR or set EVAL_PIPELINE_HOME"
    raise ConfigError(message, path=looked)
