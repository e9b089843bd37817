"""One .npy a commit, keyed by picture and encoder; a killed step loses one chunk and nothing else."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

import eval_pipeline
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.ledger.doctor import examine
from eval_pipeline.orchestration.resources import Project

pytestmark = pytest.mark.road

CHUNK = 2
PATIENCE_S = 240
ENCODER = """
import os, time
from pathlib import Path
import numpy as np

class Slow:
    '''Draws a vector from the bytes of a picture, writes down that it did, and hangs at the picture it is told.'''
    encoder_id, name, dim, is_trained = "enc_slow", "slow", 8, True

    def __init__(self, *, config, home):
        self.log = Path(os.environ["SLOW_LOG"])
        self.hang_at = int(os.environ.get("SLOW_HANG_AT", "0"))

    def describe(self):
        return {"family": "slow"}

    def encode_pictures(self, paths):
        rows = []
        for path in paths:
            with self.log.open("a") as log:
                log.write(path.stem + "\\n")
            if len(self.log.read_text().splitlines()) == self.hang_at:
                time.sleep(600)
            rows.append(np.random.default_rng(list(path.read_bytes()[-64:])).normal(size=self.dim))
        return np.array(rows, dtype=np.float32)
"""
RUN = """
import sys
from pathlib import Path
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.orchestration.running import run_project
run_project(ProjectPaths(home=Path(sys.argv[1])), select=["page_vectors"], quiet=True)
"""


def test_every_picture_has_one_vector_per_encoder_and_every_file_one_commit(road_home):
    project = Project(home=str(road_home))
    with project.session() as ledger:
        vectors, files = ledger.table("embeddings.unit_vector"), ledger.table("embeddings.vector_file")
        found = ledger.find("embeddings.vector_file", "vector_file_id", files["vector_file_id"].to_list())
        commits = ledger.find_commits(found["commit_id"].unique().to_list())
        pictures = ledger.table("corpus.unit")["picture_hash"].n_unique()
    encoders = {encoder.encoder_id for encoder in project.encoders().values()}
    assert set(files["encoder_id"]) == encoders
    assert vectors.height == pictures * len(encoders)
    assert commits.height == files.height == len(list((road_home / "derived" / "vectors").rglob("*.npy")))
    assert set(commits["asset"]) == {"page_vectors"}


def _copy(road_home, home):
    """The project with an encoder of one's own, none of whose vectors are there."""
    shutil.copytree(road_home, home)
    (home / "slow_encoder.py").write_text(ENCODER)
    declared = yaml.safe_load((home / "eval.yaml").read_text())
    declared["encoder"] = {"model": "slow_encoder:Slow", "chunk_pictures": CHUNK}
    (home / "eval.yaml").write_text(yaml.safe_dump(declared))
    return ProjectPaths(home=home)


def _start(paths, **environment):
    known = {name: value for name, value in os.environ.items() if name not in ("DAGSTER_HOME", "EVAL_PIPELINE_HOME")}
    root = Path(eval_pipeline.__file__).parents[1]
    places = {"PYTHONPATH": f"{root}{os.pathsep}{paths.home}", "SLOW_LOG": str(paths.home / "slow.log")}
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", RUN, str(paths.home)],
        env={**known, **places, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def _finish(paths):
    with _start(paths) as process:
        told = process.communicate(timeout=PATIENCE_S)[0]
    assert process.returncode == 0, told[-2000:]


def _drawn(paths):
    log = paths.home / "slow.log"
    return log.read_text().splitlines() if log.exists() else []


def _vectors_of(paths):
    """Rows and commits of this encoder, and the bytes of its files."""
    with Project(home=str(paths.home)).session() as ledger:
        places = ledger.find("embeddings.unit_vector", "encoder_id", ["enc_slow"])
        files = ledger.find("embeddings.vector_file", "encoder_id", ["enc_slow"])
    return places.to_dicts(), files.to_dicts(), [(paths.home / path).read_bytes() for path in files["path"]]


def test_a_step_that_is_killed_among_its_pictures_does_at_most_one_chunk_again(road_home, tmp_path):
    undisturbed, killed = _copy(road_home, tmp_path / "undisturbed"), _copy(road_home, tmp_path / "killed")
    _finish(undisturbed)
    order = _drawn(undisturbed)
    assert len(order) == len(set(order))
    hang_at = len(order) - 1
    with _start(killed, SLOW_HANG_AT=str(hang_at)) as process:
        end = time.monotonic() + PATIENCE_S
        while len(_drawn(killed)) < hang_at and process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        told = process.communicate()[0]
    assert len(_drawn(killed)) == hang_at, told[-2000:]
    kept = _vectors_of(killed)[0]
    assert len(kept) >= hang_at - CHUNK
    _finish(killed)
    assert len(_drawn(killed)) - len(order) <= CHUNK
    assert _vectors_of(killed) == _vectors_of(undisturbed)
    assert max(file["n_rows"] for file in _vectors_of(killed)[1]) == CHUNK
    assert examine(killed) == []
