"""Definitions as a bare code location loads them."""

import dagster as dg
import pytest

from eval_pipeline.demo.project import demo_declaration
from eval_pipeline.orchestration.assembly import build_definitions


@pytest.fixture(scope="session")
def definitions(tmp_path_factory: pytest.TempPathFactory) -> dg.Definitions:
    """The whole graph, loaded where there is no project folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("bare"))
        patch.delenv("EVAL_PIPELINE_HOME", raising=False)
        return build_definitions()


@pytest.fixture(scope="session")
def twelve_declaration() -> str:
    """Text of the demo's eval.yaml."""
    return demo_declaration()
