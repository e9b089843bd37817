"""The project folder as a Dagster resource: declaration, ledger sessions, commits."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

import dagster as dg
import polars as pl

from eval_pipeline.embeddings.layout import LayoutEncoder
from eval_pipeline.embeddings.loading import load_encoder
from eval_pipeline.foundation.config import EncoderConfig, ProjectConfig, load_project
from eval_pipeline.foundation.errors import ConfigError, LineageError
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.protocols import Encoder
from eval_pipeline.foundation.settings import ProjectPaths, Settings, find_project
from eval_pipeline.ledger.connection import session
from eval_pipeline.ledger.sessions import Session
from eval_pipeline.tasks.contracts import Contract, load_contracts


class Project(dg.ConfigurableResource):  # type: ignore[type-arg]  # generic only in what IO managers return
    """A project folder.

    Attributes:
        home: the folder; empty for the one that the environment names.
    """

    home: str = ""

    @property
    def paths(self) -> ProjectPaths:
        """Places inside the folder."""
        return find_project(Path(self.home) if self.home else None)

    @property
    def declared(self) -> ProjectConfig:
        """`eval.yaml`, read anew each time: a step sees it as it is when the step runs."""
        path = self.paths.config
        return _declared_of(str(path), path.read_bytes())

    @property
    def contracts(self) -> list[Contract]:
        """Declared contracts; there must be one, or nothing says what to measure."""
        home, glob = self.paths.home, self.declared.contracts
        found = list(_contracts_of(home, glob, tuple(path.read_bytes() for path in sorted(home.glob(glob)))))
        if not found:
            message = f"no contract matches {self.declared.contracts}; declare one before the run"
            raise ConfigError(message, path=str(self.paths.config), key="contracts")
        return found

    def session(self) -> AbstractContextManager[Session]:
        """A short session on the ledger; nothing long happens inside it. Inside `together` it is that one session."""
        shared = _SHARED.get()
        if shared is not None and shared.paths.home == self.paths.home:
            return nullcontext(shared)
        return session(self.paths, wait_s=Settings().ledger_wait_s)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Let everything that is read inside the block share one session: opening one costs about 50 ms.

        What is read is asked for by ids that the encoder takes part in, and loading it takes seconds, minutes on a busy
        machine: it is loaded before the ledger is opened.
        """
        self.encoder()
        with self.session() as ledger:
            token = _SHARED.set(ledger)
            try:
                yield
            finally:
                _SHARED.reset(token)

    def read(self, name: str, *, frames: Mapping[str, pl.DataFrame] | None = None, **params: object) -> pl.DataFrame:
        """Answer of one named query in a session of its own."""
        with self.session() as ledger:
            return ledger.read(name, params=params, frames=frames)

    def encoder(self) -> Encoder:
        """The declared encoder; loaded once per process."""
        return _encoder_of(self.declared.encoder.model_dump_json(), self.paths.home)

    def encoders(self) -> dict[str, Encoder]:
        """Encoders by feature family: `layout` and `encoder`."""
        return {"layout": LayoutEncoder(), "encoder": self.encoder()}

    def record(
        self,
        context: dg.AssetExecutionContext,
        output: StageOutput,
        *,
        partition: str | None = None,
        asset: str | None = None,
    ) -> int:
        """Record what is new of an output as one commit; return how many rows were new.

        Args:
            context: the step.
            output: rows.
            partition: bucket or part, for the commit header.
            asset: which asset, where a step makes several.
        """
        name = asset or context.asset_key.to_user_string()
        with self.session() as ledger:
            recorded = ledger.record(
                output=output,
                asset=name,
                partition=partition,
                code_version=code_version_of(context, name),
                dagster_run_id=context.run.run_id,
                made_at=datetime.now(UTC),
            )
        if recorded.n_conflicts:
            told = ", ".join(f"{table} {n}" for table, n in recorded.conflicts.items())
            message = (
                f"{name}: rows differ from rows held under the same key ({told}); an id does not cover its content"
            )
            raise LineageError(message)
        return recorded.n_new_rows


def code_version_of(context: dg.AssetExecutionContext, asset: str) -> str:
    """Code version of an asset of the step that runs."""
    return context.assets_def.code_versions_by_key[dg.AssetKey(asset)] or "unversioned"


_SHARED: ContextVar[Session | None] = ContextVar("shared_session", default=None)


@lru_cache(maxsize=8)
def _declared_of(path: str, _content: bytes) -> ProjectConfig:
    """Parsed once per content of the file; the content itself is read anew each time."""
    return load_project(Path(path))


@lru_cache(maxsize=8)
def _contracts_of(home: Path, glob: str, _contents: tuple[bytes, ...]) -> tuple[Contract, ...]:
    return tuple(load_contracts(home, glob))


@lru_cache(maxsize=2)
def _encoder_of(declared: str, home: Path) -> Encoder:
    return load_encoder(config=EncoderConfig.model_validate_json(declared), home=home)
