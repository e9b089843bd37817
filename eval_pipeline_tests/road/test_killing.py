"""A run that is killed three times and started again ends where an undisturbed one ends."""

import json
import signal
import time

import pytest

from eval_pipeline.demo.twelve import make_twelve
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.ledger.doctor import examine
from eval_pipeline.orchestration.running import run_project

RUN = """
import sys
from pathlib import Path
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.orchestration.running import run_project
run_project(ProjectPaths(home=Path(sys.argv[1])), quiet=True)
"""
MOMENTS = ("page_vectors", "well_posed_questions", "receipts")
PATIENCE_S = 240


def _kill_at_first_commit_of(asset, process, paths):
    """Kill when a commit of the asset is seen, be it waiting or applied; most often in the middle of applying it."""
    end, known = time.monotonic() + PATIENCE_S, set()
    while time.monotonic() < end and process.poll() is None:
        for header in [*paths.commits.glob("pending/*/header.json"), *paths.commits.glob("applied/*/*/header.json")]:
            if header.parent.name in known:
                continue
            try:
                made_by = json.loads(header.read_text())["asset"]
            except FileNotFoundError:  # it was moved from pending to applied just now
                continue
            known.add(header.parent.name)
            if made_by == asset:
                process.send_signal(signal.SIGKILL)
                process.wait()
                return
        time.sleep(0.002)
    process.kill()
    told = process.stdout.read()
    pytest.fail(f"no commit of {asset} came in time: {told[-2000:]}")


def test_killed_and_resumed_is_as_never_killed(road_home, tmp_path, start_python, rows_of, commits_of):
    paths, undisturbed = ProjectPaths(home=tmp_path / "killed"), ProjectPaths(home=road_home)
    make_twelve(home=paths.home)
    for asset in MOMENTS:
        process = start_python("-c", RUN, str(paths.home))
        with process:
            _kill_at_first_commit_of(asset, process, paths)
        assert process.returncode == -signal.SIGKILL
        assert not paths.report.exists()
    run_project(paths, quiet=True)
    assert paths.report.exists()
    assert examine(paths) == []
    mine, theirs = rows_of(paths), rows_of(undisturbed)
    assert [name for name in theirs if mine[name] != theirs[name]] == []
    assert commits_of(paths) == commits_of(undisturbed)
