"""Somebody labels by keyboard: five pairs, one of them undone; what the ledger then holds."""

import os
import signal
import subprocess
import sys

import polars as pl
import pytest

from eval_pipeline.labels.in_force import labels_in_force
from eval_pipeline.ledger.connection import session
from eval_pipeline.ledger.locking import hold_lock
from eval_pipeline_tests.browser.conftest import ROOT, free_port

KEYS = {"1": "sufficient", "2": "supporting", "3": "irrelevant"}
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def reviewed(copy_road, tmp_path, wait_until):
    """`eval-pipeline review` on the small project that was run once: its paths, address and process."""
    paths, port, log = copy_road(), free_port(), tmp_path / "review.log"
    known = {key: value for key, value in os.environ.items() if key not in ("DAGSTER_HOME", "EVAL_PIPELINE_HOME")}
    command = [sys.executable, "-m", "eval_pipeline", "review", "--home", str(paths.home), "--port", str(port)]
    with log.open("wb") as said:
        process = subprocess.Popen(command, env={**known, "PYTHONPATH": str(ROOT)}, stdout=said, stderr=said)
    try:
        wait_until(
            lambda: b"http://" in log.read_bytes(), what=f"it serves; log: {log}", limit_s=120, while_lives=process
        )
        yield paths, f"http://127.0.0.1:{port}", process
    finally:
        process.kill()
        process.wait(timeout=30)


def test_five_pairs_by_keyboard_one_undone(reviewed, visit):
    paths, url, process = reviewed
    before = labels_of(paths)
    page = visit.page
    page.goto(url)
    page.get_by_label("Your name").fill("Ann")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Label").first.click()
    decided = [press(page, key) for key in ("1", "2", "3", "1", "2")]
    undone = undo(page)
    assert undone == decided[4][:2]
    skip(page)
    see_model_only_after_the_decision(page, url, decided[0], paths)
    extra = decide_while_the_ledger_is_held(page, paths, url)
    see_phone(page, visit, url)
    assert visit.outside() == []
    assert [said for said in visit.complaints if "503" not in said] == []  # a busy ledger, wanted above
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) == 0
    check_ledger(paths, before, [*decided[:4], extra], undone)


def labels_of(paths):
    with session(paths) as ledger:
        return ledger.table("labels.label")


def ready(page):
    page.locator("body[data-ready]").wait_for()
    told = page.locator("body")
    return told.get_attribute("data-question"), told.get_attribute("data-unit")


def press(page, key):
    """Decide by one key, pressed twice as people do; returns the pair and the grade once the next page is there."""
    pair = ready(page)
    assert page.locator("#picture").evaluate("one => one.decode().then(() => one.naturalWidth > 0)")
    assert page.locator("#answers").is_hidden()
    with page.expect_navigation():
        page.keyboard.press(key)
        page.keyboard.press(key)
    page.wait_for_load_state()
    assert ready(page) != pair
    return *pair, KEYS[key]


def undo(page):
    """Take the last decision back; returns its pair, which is shown again."""
    ready(page)
    with page.expect_navigation():
        page.keyboard.press("u")
    return ready(page)


def skip(page):
    pair = ready(page)
    with page.expect_navigation():
        page.keyboard.press("s")
    assert ready(page) != pair


def see_model_only_after_the_decision(page, url, decided, paths):
    """The answer is in no page before the key is pressed that asks for it."""
    model = labels_of(paths).filter(
        (pl.col("question_id") == decided[0]) & (pl.col("unit_id") == decided[1]) & (pl.col("author_kind") == "judge")
    )
    reason = model.item(0, "reason")
    assert reason not in page.content()
    page.goto(f"{url}/pair/{decided[0]}/{decided[1]}")
    ready(page)
    assert reason not in page.content()
    page.keyboard.press("m")
    page.locator("#answers").get_by_text(reason).first.wait_for()
    page.keyboard.press("z")
    assert page.locator("#zoom-told").inner_text() == "150 %"


def decide_while_the_ledger_is_held(page, paths, url):
    """A decision waits in the page while another process holds the ledger, and is stored after that."""
    page.goto(f"{url}/queue/audit")
    pair = ready(page)
    with hold_lock(paths.lock, wait_s=30):
        page.keyboard.press("3")
        page.get_by_text("Not stored yet").wait_for()
        assert page.evaluate("Object.keys(localStorage).length") == 1
    page.wait_for_function("unit => document.body.dataset.unit !== unit", arg=pair[1])
    ready(page)
    assert page.evaluate("Object.keys(localStorage).length") == 0
    return *pair, "irrelevant"


def see_phone(page, visit, url):
    """On a phone nothing is wider than the screen, and the keys are within reach."""
    page.set_viewport_size(PHONE)
    page.goto(f"{url}/queue/audit")
    ready(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for name in KEYS.values():
        box = page.locator(f'[data-grade="{name}"]').bounding_box()
        assert box["y"] + box["height"] <= PHONE["height"]
        assert box["height"] >= 44
    visit.photograph("phone")


def check_ledger(paths, before, decided, undone):
    after = labels_of(paths)
    new = after.join(before, on="label_id", how="anti")
    assert new.select("author", "author_kind", "is_blind").unique().rows() == [("Ann", "human", True)]
    in_force = labels_in_force(labels=new, judge_name="")
    assert set(in_force.select("question_id", "unit_id", "grade").iter_rows()) == set(decided)
    assert in_force.height == 5
    rows = new.filter((pl.col("question_id") == undone[0]) & (pl.col("unit_id") == undone[1]))
    (label,), (retraction,) = (rows.filter(pl.col("grade").is_not_null() == flag).to_dicts() for flag in (True, False))
    assert (label["grade"], retraction["replaces_label_id"]) == ("supporting", label["label_id"])
    assert new.height == 7
