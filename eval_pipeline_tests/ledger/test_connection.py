import json
import subprocess
import sys
import time

import pytest

from eval_pipeline.foundation.errors import LedgerBusy
from eval_pipeline.ledger import commits
from eval_pipeline.ledger.connection import session
from eval_pipeline.ledger.tally import read_tally


@pytest.mark.parametrize("place", ["before apply", "inside the transaction", "before the tally", "before the move"])
def test_killed_recording_is_completed_at_the_next_session(paths, record_and_die, place):
    record_and_die(paths, place)
    assert len(commits.list_pending(paths)) == 1
    with session(paths) as opened:
        assert len(opened.completed) == 1
        assert opened.table("corpus.layer_text").height == 100
    assert commits.list_pending(paths) == []
    assert len(commits.list_applied(paths)) == 2 == read_tally(paths)


def test_commit_of_a_worker_elsewhere_is_applied_by_the_next_session(paths, write_pending, read_texts):
    write_pending(paths, {"far": "away"})
    assert read_texts(paths) == {"far": "away"}


def test_deleted_ledger_comes_back_at_the_next_session(paths, record_texts, read_texts):
    with session(paths) as opened:
        record_texts(opened, {"a": "1"})
    paths.ledger.unlink()
    assert read_texts(paths) == {"a": "1"}


def test_session_inside_a_session_gives_up_by_name(paths):
    with session(paths), pytest.raises(LedgerBusy, match="is held by process"), session(paths, wait_s=0.01):
        pass


def test_what_was_recorded_before_an_error_stays(paths, record_texts, read_texts):
    def work():
        with session(paths) as opened:
            record_texts(opened, {"a": "1"})
            raise RuntimeError

    with pytest.raises(RuntimeError):
        work()
    assert read_texts(paths) == {"a": "1"}


WORKER = """
import json, sys
from datetime import UTC, datetime
from pathlib import Path
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.ledger.connection import session

paths, name, acknowledged = ProjectPaths(home=Path(sys.argv[1])), sys.argv[2], []
for number in range(5):
    rows = [{"text_hash": f"{name}-{number}", "text": name}, {"text_hash": f"shared-{number}", "text": "same"}]
    output = StageOutput(tables={"corpus.layer_text": TABLES["corpus.layer_text"].frame(rows)})
    with session(paths, wait_s=60) as opened:
        recorded = opened.record(output=output, asset="pages", partition=name, code_version="1", dagster_run_id=None,
                                 made_at=datetime.now(UTC))
    acknowledged.append(recorded.commit_id)
print(json.dumps(acknowledged))
"""


def test_store_01_four_processes_take_turns_while_a_reader_looks(paths, record_texts):
    """STO-01: every partition succeeds, no label and no acknowledged commit is lost, readers only wait."""
    workers = [
        subprocess.Popen([sys.executable, "-c", WORKER, str(paths.home), f"{name}"], stdout=subprocess.PIPE, text=True)
        for name in range(4)
    ]
    seen, saved = [], 0
    while any(worker.poll() is None for worker in workers):
        with session(paths, wait_s=60) as opened:
            seen.append(opened.table("corpus.layer_text").height)
            record_texts(opened, {f"label-{saved}": "by a person"}, hour=saved)
            saved += 1
        time.sleep(0.05)
    acknowledged = [commit_id for worker in workers for commit_id in json.loads(worker.communicate()[0])]
    assert [worker.returncode for worker in workers] == [0, 0, 0, 0]
    assert seen == sorted(seen)
    assert len(set(acknowledged)) == 20
    applied = {folder.name for folder in commits.list_applied(paths)}
    assert set(acknowledged) <= applied
    assert len(applied) == 20 + saved
    with session(paths) as opened:
        assert opened.mended == ()
        assert opened.table("corpus.layer_text").height == 20 + 5 + saved
