"""The one door to torch, open_clip and faiss: their thread settings stand before they are loaded.

torch and faiss each bring an OpenMP runtime. Waiting threads that spin take the cores from those that work, so they are
told to sleep (ADR 0006). `KMP_DUPLICATE_LIB_OK` is never set: it hides a clash of runtimes that may give wrong results.
"""

import importlib
import os
from typing import Any

from eval_pipeline.foundation.settings import Settings

WAIT_SETTINGS = {"OMP_WAIT_POLICY": "PASSIVE", "KMP_BLOCKTIME": "0", "TOKENIZERS_PARALLELISM": "false"}


def prepare_threads() -> int:
    """Tell OpenMP runtimes that are not loaded yet to sleep while they wait, and to use the declared thread count.

    Values that the user has already put into the environment are kept, and `OMP_NUM_THREADS` counts where
    `EVAL_PIPELINE_THREADS` is not set. Processes that are started from here inherit all of it.

    Returns:
        Threads that torch and faiss may use.
    """
    settings = Settings()
    for name, value in {**WAIT_SETTINGS, "OMP_NUM_THREADS": str(settings.threads)}.items():
        os.environ.setdefault(name, value)
    if "threads" in settings.model_fields_set:
        return settings.threads
    outermost = os.environ["OMP_NUM_THREADS"].split(",")[0].strip()  # one number for each level of nesting
    return int(outermost) if outermost.isdecimal() and int(outermost) else settings.threads


def import_torch() -> Any:
    """Return the module torch, with bounded threads."""
    n_threads = prepare_threads()
    torch = importlib.import_module("torch")
    if torch.get_num_threads() != n_threads:
        torch.set_num_threads(n_threads)
    return torch


def import_open_clip() -> Any:
    """Return the module open_clip; torch is imported first."""
    import_torch()
    return importlib.import_module("open_clip")


def import_faiss() -> Any:
    """Return the module faiss, with bounded threads."""
    n_threads = prepare_threads()
    faiss = importlib.import_module("faiss")
    faiss.omp_set_num_threads(n_threads)
    return faiss
