import os
import threading
import time

import pytest

from eval_pipeline.foundation.errors import LedgerBusy
from eval_pipeline.ledger.locking import hold_lock, holder_of


def test_lock_names_its_holder_and_refuses_a_second_one(tmp_path):
    path = tmp_path / "ledger.lock"
    with hold_lock(path, wait_s=1):
        assert holder_of(path) == os.getpid()
        with pytest.raises(LedgerBusy, match=f"process {os.getpid()}"), hold_lock(path, wait_s=0.01):
            pass
    with hold_lock(path, wait_s=0.01):
        pass


def test_waiting_ends_when_the_holder_lets_go(tmp_path):
    path, order = tmp_path / "ledger.lock", []

    def hold():
        with hold_lock(path, wait_s=1):
            order.append("first")
            entered.set()
            time.sleep(0.1)
            order.append("first done")

    entered, other = threading.Event(), threading.Thread(target=hold)
    other.start()
    entered.wait(5)
    with hold_lock(path, wait_s=5):
        order.append("second")
    other.join()
    assert order == ["first", "first done", "second"]


def test_lock_is_free_after_an_error_inside(tmp_path):
    path = tmp_path / "ledger.lock"
    with pytest.raises(RuntimeError), hold_lock(path, wait_s=1):
        raise RuntimeError
    with hold_lock(path, wait_s=0.01):
        pass


def test_no_holder_without_a_file_or_with_other_words(tmp_path):
    assert holder_of(tmp_path / "none") is None
    (tmp_path / "words").write_text("x", encoding="utf-8")
    assert holder_of(tmp_path / "words") is None
