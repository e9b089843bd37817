"""Thread settings stand before torch and faiss are loaded, and nothing heavy is loaded by importing the room."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import eval_pipeline.embeddings as room
from eval_pipeline.embeddings.threads import prepare_threads

HEAVY = ("torch", "open_clip", "faiss", "torchvision")


def run_fresh(code: str, **env: str) -> str:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "KMP_", "EVAL_PIPELINE_"))}
    root = str(Path(room.__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        check=False,
        env={**clean, **env},
        cwd=root,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_every_module_of_the_room_loads_no_heavy_library() -> None:
    folder = Path(room.__file__).parent
    names = [f"eval_pipeline.embeddings.{path.stem}" for path in folder.glob("*.py") if path.stem != "__init__"]
    names += ["eval_pipeline.templates.stage", "eval_pipeline.negatives.pools", "eval_pipeline.negatives.hardness"]
    code = (
        f"import importlib, sys\nfor n in {names!r}: importlib.import_module(n)\n"
        f"print([h for h in {HEAVY!r} if h in sys.modules])"
    )
    assert run_fresh(code).strip() == "[]"


def test_env_01_waiting_threads_sleep_and_are_bounded_and_the_duplicate_switch_is_not_set() -> None:
    code = (
        "import os, json\nfrom eval_pipeline.embeddings.threads import import_faiss\n"
        "f = import_faiss()\nprint(json.dumps([os.environ['OMP_WAIT_POLICY'], f.omp_get_max_threads(),"
        " 'KMP_DUPLICATE_LIB_OK' in os.environ]))"
    )
    assert json.loads(run_fresh(code, EVAL_PIPELINE_THREADS="1")) == ["PASSIVE", 1, False]


def test_env_01_either_import_order_gives_the_same_vectors_and_neighbours(tmp_path: Path) -> None:
    assert len({_embed_and_search(first, tmp_path) for first in ("torch", "faiss")}) == 1


def _embed_and_search(first: str, folder: Path) -> str:
    code = f"""
import numpy as np
from pathlib import Path
from PIL import Image
from eval_pipeline.embeddings import threads
getattr(threads, "import_{first}")()
from eval_pipeline.embeddings.index import search_exact
from eval_pipeline.embeddings.loading import load_encoder
from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.foundation.config import EncoderConfig
from eval_pipeline.foundation.ids import hash_bytes
from eval_pipeline.foundation.protocols import UnitVectors
paths = []
for shade in (40, 90):
    paths.append(Path({str(folder)!r}) / f"{{shade}}.png")
    Image.linear_gradient("L").point(lambda v: max(v, shade)).save(paths[-1])
pages = load_encoder(config=EncoderConfig(), home=Path("data")).encode_pictures(paths)
raw = normalise_rows(np.random.default_rng(0).normal(size=(200, 128)))
corpus = UnitVectors(unit_ids=np.array([f"u{{i:03d}}" for i in range(200)]), matrix=raw, encoder_id="e")
found = search_exact(corpus=corpus, queries=np.concatenate([raw[:28], pages]), depth=10)
print(hash_bytes(pages.tobytes() + repr(found).encode()))
"""
    return run_fresh(code, EVAL_PIPELINE_THREADS="2")


def test_what_the_user_set_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_WAIT_POLICY", "ACTIVE")
    monkeypatch.setenv("EVAL_PIPELINE_THREADS", "3")
    assert prepare_threads() == 3
    assert os.environ["OMP_WAIT_POLICY"] == "ACTIVE"
