import json

import polars as pl
import pytest

from eval_pipeline.cli.commands.arenas import write_arenas
from eval_pipeline.foundation.errors import LineageError, UnknownName
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.ledger.connection import session


@pytest.mark.road
@pytest.mark.parametrize("file_format", ["jsonl", "parquet", "csv"])
def test_the_files_hold_every_page_question_and_pair(road_home, tmp_path, file_format):
    told = write_arenas(
        home=road_home, folder=tmp_path, contract=None, file_format=file_format, style="path#page", page_base=1
    )
    read = {"jsonl": pl.read_ndjson, "parquet": pl.read_parquet, "csv": pl.read_csv}[file_format]
    frames = {name: read(tmp_path / f"{name}.{file_format}") for name in ("questions", "units", "candidates")}
    assert {name: frame.height for name, frame in frames.items()} == {name: told[name] for name in frames}
    assert set(frames["candidates"]["unit"]) <= set(frames["units"]["unit"])
    assert set(frames["candidates"]["question_id"]) <= set(frames["questions"]["question_id"])
    with session(ProjectPaths(home=road_home)) as ledger:
        stored = ledger.table("runs.question_ranking").filter(pl.col("stage").str.starts_with("arena:"))
        assert told["corpus_snapshot"] in ledger.table("corpus.batch")["batch_id"].to_list()
    assert set(frames["candidates"]["question_id"]) == set(stored["question_id"])
    about = json.loads((tmp_path / "about.json").read_text())
    assert about == told
    assert f"corpus_snapshot: {told['corpus_snapshot']}" in about["declare"]


@pytest.mark.road
def test_a_contract_that_is_not_there_is_named(road_home, tmp_path):
    with pytest.raises(UnknownName, match="no contract 'other'; declared: "):
        write_arenas(home=road_home, folder=tmp_path, contract="other", file_format="csv", style="unit_id", page_base=1)


@pytest.mark.road
def test_without_questions_the_next_command_is_told(copy_road, tmp_path):
    paths = copy_road()
    declared = paths.config.read_text()
    paths.config.write_text(declared.replace("seed: 7}", "seed: 8}"))
    with pytest.raises(LineageError, match="run 'eval-pipeline run' first"):
        write_arenas(
            home=paths.home, folder=tmp_path / "out", contract=None, file_format="csv", style="unit_id", page_base=1
        )
    assert not (tmp_path / "out").exists()
