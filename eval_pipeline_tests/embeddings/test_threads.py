"""Thread settings stand before torch and faiss are loaded, and nothing heavy is loaded by importing the room."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import eval_pipeline.embeddings as room
from eval_pipeline.corpus.processes import WorkerProcess
from eval_pipeline.embeddings.threads import prepare_threads

HEAVY = ("torch", "open_clip", "faiss", "torchvision")
PACKAGE = Path(room.__file__).parents[1]
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc and the report of GNU's OpenMP")

TOLD = re.compile(r"OPENMP DISPLAY ENVIRONMENT BEGIN(.*?)OPENMP DISPLAY ENVIRONMENT END", re.DOTALL)
LOADED = """
import json, multiprocessing, os
import numpy as np

def measure():
    from eval_pipeline.embeddings.threads import import_faiss, import_torch
    torch, faiss = import_torch(), import_faiss()
    torch.nn.functional.conv2d(torch.zeros(16, 3, 192, 192), torch.zeros(8, 3, 3, 3))
    index = faiss.IndexFlatIP(64)
    index.add(np.eye(64, dtype=np.float32).repeat(40, axis=0))
    index.search(np.eye(64, dtype=np.float32), 5)
    return {
        "torch": torch.get_num_threads(),
        "faiss": faiss.omp_get_max_threads(),
        "running": len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 0,
        "blocktime": os.environ["KMP_BLOCKTIME"],
    }

if __name__ == "__main__":
    found = [measure()]
    if os.environ.get("WITH_CHILD"):
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            found.append(pool.apply(measure))
    print(json.dumps(found))
"""


def run_fresh(code: str, **env: str) -> str:
    return start_fresh("-W", "error", "-c", code, **env).stdout


def start_fresh(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "KMP_", "EVAL_PIPELINE_"))}
    done = subprocess.run(
        [sys.executable, *arguments],
        check=False,
        env={**clean, "PYTHONPATH": str(PACKAGE.parent), **env},
        cwd=PACKAGE.parent,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done


def load_libraries(folder: Path, **env: str) -> tuple[list[dict[str, object]], list[dict[str, str]]]:
    """What torch and faiss say in a fresh process, and what each OpenMP runtime told of itself when it was loaded."""
    (folder / "loaded.py").write_text(LOADED)
    done = start_fresh(str(folder / "loaded.py"), OMP_DISPLAY_ENV="true", **env)
    told = [dict(re.findall(r"(\w+) = '(.*)'", block)) for block in TOLD.findall(done.stderr)]
    return json.loads(done.stdout), told


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


@linux_only
def test_env_01_the_loaded_runtimes_of_torch_and_faiss_sleep_in_this_process_and_in_those_it_starts(
    tmp_path: Path,
) -> None:
    """Not what we put into the environment, but what the libraries read of it; the child is as a step of Dagster."""
    found, told = load_libraries(tmp_path, EVAL_PIPELINE_THREADS="3", WITH_CHILD="1")
    assert len(told) == 4  # torch and faiss, in both processes
    assert {(one["OMP_WAIT_POLICY"], one["OMP_NUM_THREADS"]) for one in told} == {("PASSIVE", "3")}
    assert [(one["torch"], one["faiss"], one["blocktime"]) for one in found] == [(3, 3, "0")] * 2
    for one in found:  # teams of three in torch and in faiss, numpy's own, and what multiprocessing needs
        assert int(str(one["running"])) <= 2 * 3 + (os.cpu_count() or 1) + 4


@linux_only
def test_env_01_what_the_user_set_reaches_the_libraries(tmp_path: Path) -> None:
    theirs = {"OMP_WAIT_POLICY": "ACTIVE", "KMP_BLOCKTIME": "7", "OMP_NUM_THREADS": "1"}
    found, told = load_libraries(tmp_path, **theirs)
    assert [(one["OMP_WAIT_POLICY"], one["OMP_NUM_THREADS"]) for one in told] == [("ACTIVE", "1")] * 2
    assert [(one["torch"], one["faiss"], one["blocktime"]) for one in found] == [(1, 1, "7")]


@pytest.mark.parametrize(("set_by_user", "n_threads"), [("5", 5), ("4,2", 4), ("0", 2), ("many", 2), (None, 2)])
def test_threads_of_openmp_count_where_ours_are_not_set(
    monkeypatch: pytest.MonkeyPatch, set_by_user: str | None, n_threads: int
) -> None:
    monkeypatch.delenv("EVAL_PIPELINE_THREADS", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", set_by_user or "")
    if set_by_user is None:
        monkeypatch.delenv("OMP_NUM_THREADS")
    assert prepare_threads() == n_threads
    assert os.environ["OMP_NUM_THREADS"] == (set_by_user or "2")


def test_env_01_there_is_one_door() -> None:
    """No module imports torch, open_clip or faiss by itself, and none sets the switch that hides a clash."""
    through, switched = set(), set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            named = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            named += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            named += _called_with(node, "import_module") + _called_with(node, "__import__")
            if {name.split(".")[0] for name in named} & set(HEAVY):
                through.add(path.name)
            if isinstance(node, ast.Constant) and node.value == "KMP_DUPLICATE_LIB_OK":
                switched.add(path.name)
    assert through == {"threads.py"}
    assert switched == set()


def _called_with(node: ast.AST, name: str) -> list[str]:
    """Literal arguments of a call of that function, however it is reached."""
    if not isinstance(node, ast.Call):
        return []
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return [str(one.value) for one in node.args if isinstance(one, ast.Constant)] if called == name else []


@linux_only
def test_a_process_that_reads_pages_loads_no_openmp_and_starts_no_teams(tmp_path: Path) -> None:
    reader = WorkerProcess({"home": str(tmp_path), "dpi": 36, "page_pixels": 10_000, "image_pixels": 10_000})
    reader._start()
    try:
        assert reader._process is not None
        process = Path(f"/proc/{reader._process.pid}")
        loaded = {Path(line.split()[-1]).name for line in (process / "maps").read_text().splitlines() if "/" in line}
        assert [name for name in loaded if re.search(r"gomp|iomp|libomp|torch|faiss|polars|duckdb", name)] == []
        n_threads = len(list((process / "task").iterdir()))
        assert n_threads <= 1 + (os.cpu_count() or 1)  # itself, and the pool that numpy's own BLAS keeps asleep
    finally:
        reader.stop()
