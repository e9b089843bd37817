"""What waiting threads cost when other processes want the cores too. Run by hand, never a test.

    python eval_pipeline_tests/bench/contention.py [BUSY] [ROUNDS]

Measures beside BUSY processes that count as fast as they can, in processes that take turns, how many pictures a second
the shipped encoder embeds and how many questions a second faiss answers: once as the product's door sets the
threads (waiting threads sleep), once with `OMP_WAIT_POLICY=ACTIVE` (they spin), which the door leaves as it is. The
ratio is that of the medians. With 0 busy processes it is what sleeping costs on a machine that is otherwise idle.
"""

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORK = """
import json, os, sys, time
import numpy as np
from pathlib import Path
from eval_pipeline.embeddings.index import build_index
from eval_pipeline.embeddings.loading import load_encoder
from eval_pipeline.embeddings.vectors import normalise_rows
from eval_pipeline.foundation.config import EncoderConfig
encoder = load_encoder(config=EncoderConfig(), home=Path(sys.argv[1]) / "data")
index = build_index(normalise_rows(np.random.default_rng(0).normal(size=(20000, 128))))
queries = normalise_rows(np.random.default_rng(1).normal(size=(16, 128)))
import torch
rows = list(torch.zeros(encoder._batch_size, 3, 192, 192))
encoder._forward("encode_image", rows); index.search(queries, 10)
print("ready", flush=True)
sys.stdin.readline()
def rate(do, n, seconds):
    start, done = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        do(); done += n
    return done / (time.perf_counter() - start)
print(json.dumps({
    "policy": os.environ["OMP_WAIT_POLICY"],
    "pictures/s": rate(lambda: encoder._forward("encode_image", rows), len(rows), 3.0),
    "queries/s": rate(lambda: index.search(queries, 10), len(queries), 1.5),
}))
"""
CHOSEN_BY_THE_DOOR = ("OMP_WAIT_POLICY", "OMP_NUM_THREADS", "KMP_BLOCKTIME", "GOMP_SPINCOUNT")


def measure(policy: str | None, n_busy: int) -> dict[str, float]:
    """One process, with busy ones beside it once everything is loaded; None leaves the policy to the door."""
    env = {name: value for name, value in os.environ.items() if name not in CHOSEN_BY_THE_DOOR}
    if policy:
        env |= {"OMP_WAIT_POLICY": policy, "KMP_BLOCKTIME": "200"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", WORK, str(ROOT)], env=env, cwd=ROOT, **pipes) as worker:
        assert worker.stdout.readline() == "ready\n"
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(n_busy)]
        try:
            found = json.loads(worker.communicate("go\n")[0])
        finally:
            for process in busy:
                process.kill()
                process.wait()
    assert found.pop("policy") == (policy or "PASSIVE")
    return found


def main(n_busy: int = 2, n_rounds: int = 3) -> None:
    found: dict[str | None, list[dict[str, float]]] = {None: [], "ACTIVE": []}
    for turn in range(n_rounds):
        for policy in (None, "ACTIVE") if turn % 2 == 0 else ("ACTIVE", None):
            found[policy].append(measure(policy, n_busy))
    sys.stdout.write(f"{os.cpu_count()} cores, {n_busy} busy processes, medians of {n_rounds} rounds\n")
    for what in ("pictures/s", "queries/s"):
        sleeping, spinning = (statistics.median(row[what] for row in found[policy]) for policy in (None, "ACTIVE"))
        sys.stdout.write(
            f"{what:12} sleeping {sleeping:10.1f}   spinning {spinning:10.1f}   {sleeping / spinning:.1f}\n"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
