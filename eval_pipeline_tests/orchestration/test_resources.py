"""The project as a resource: read anew at each step, and the door to the ledger."""

from datetime import UTC, datetime

import dagster as dg
import polars as pl
import pytest

from eval_pipeline.foundation.errors import ConfigError, LineageError
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.orchestration.resources import Project, code_version_of


def test_an_empty_home_is_what_the_environment_names(a_project, monkeypatch):
    monkeypatch.setenv("EVAL_PIPELINE_HOME", str(a_project.home))
    assert Project().paths == a_project


def test_declaration_is_read_anew(a_project):
    project = Project(home=str(a_project.home))
    assert project.declared.negatives.k == 3
    a_project.config.write_text(a_project.config.read_text().replace("{k: 3,", "{k: 2,"))
    assert project.declared.negatives.k == 2


def test_without_a_contract_nothing_says_what_to_measure(a_project):
    for path in a_project.contracts.glob("*.yaml"):
        path.unlink()
    with pytest.raises(ConfigError, match="no contract matches"):
        _ = Project(home=str(a_project.home)).contracts


def test_feature_families(a_project):
    encoders = Project(home=str(a_project.home)).encoders()
    assert list(encoders) == ["layout", "encoder"]
    assert encoders["layout"].encoder_id != encoders["encoder"].encoder_id


def _output(text):
    row = {"text_hash": "hash", "text": text}
    return StageOutput(tables={"corpus.layer_text": TABLES["corpus.layer_text"].frame([row])})


def _record(project, output):
    @dg.asset(code_version="7")
    def some_texts(context: dg.AssetExecutionContext) -> None:
        """Texts. One row per text."""
        assert code_version_of(context, "some_texts") == "7"
        context.log.info(f"new: {project.record(context, output, partition='03')}")

    with dg.DagsterInstance.ephemeral() as instance:
        result = dg.materialize([some_texts], instance=instance)
        logs = [record.user_message for record in instance.all_logs(result.run_id)]
    return result.run_id, logs


def test_a_commit_carries_asset_partition_version_and_run(a_project):
    project = Project(home=str(a_project.home))
    run_id, logs = _record(project, _output("hello"))
    assert "new: 1" in logs
    with project.session() as ledger:
        (found,) = ledger.find("corpus.layer_text", "text_hash", ["hash"])["commit_id"]
        (commit,) = ledger.find_commits([found]).rows(named=True)
    assert (commit["asset"], commit["partition"], commit["code_version"]) == ("some_texts", "03", "7")
    assert commit["dagster_run_id"] == run_id
    assert commit["made_at_utc"] <= datetime.now(UTC)


def test_nothing_new_is_no_commit_and_a_conflict_fails_the_step(a_project):
    project = Project(home=str(a_project.home))
    _record(project, _output("hello"))
    assert "new: 0" in _record(project, _output("hello"))[1]
    with pytest.raises(LineageError, match=r"some_texts: rows differ .* \(corpus.layer_text 1\)"):
        _record(project, _output("another text under the same hash"))
    with project.session() as ledger:
        assert ledger.table("corpus.layer_text").select("text").rows() == [("hello",)]


def test_readings_together_share_one_session(a_project):
    project = Project(home=str(a_project.home))
    with project.together():
        assert project.read("corpus/batch_in_force").is_empty()
        assert project.read("corpus/units_in_force").is_empty()


def test_read_opens_a_session_of_its_own(a_project):
    project = Project(home=str(a_project.home))
    assert project.read("corpus/batch_in_force").is_empty()
    wanted = pl.DataFrame({"text_hash": ["nothing"]})
    assert project.read("corpus/texts", frames={"wanted": wanted}).is_empty()
