"""What a command line or a code location waits for at its start."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import eval_pipeline

ROOT = Path(eval_pipeline.__file__).parents[1]
HEAVY = ("torch", "torchvision", "open_clip", "faiss", "reportlab", "pypdfium2", "bm25s", "playwright")
PROBE = """
import importlib, sys, warnings
warnings.simplefilter("ignore")
importlib.import_module(sys.argv[1])
sys.stdout.write(" ".join(name for name in sys.argv[2:] if name in sys.modules))
"""


@pytest.mark.parametrize(
    ("module", "also"),
    [("eval_pipeline.definitions", ()), ("eval_pipeline.cli", ("dagster", "duckdb", "polars", "pyarrow", "scipy"))],
)
def test_start_loads_nothing_heavy(module, also, tmp_path):
    told = subprocess.run(
        [sys.executable, "-c", PROBE, module, *HEAVY, *also],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "EVAL_PIPELINE_HOME": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == ""
