"""What somebody does who opens the UI for the first time: looks, materialises everything, reads, and stops it."""

import signal

import pytest

from eval_pipeline.orchestration.describing import ROAD

STATES = """{
  partitionBackfillsOrError { ... on PartitionBackfills { results { id status } } }
  runsOrError { ... on Runs { results { runId status } } }
}"""
DECODE = "images => Promise.all(images.map(one => one.decode().then(() => one.naturalWidth > 0, () => false)))"


def test_first_look(up, visit, wait_until):
    open_graph(up, visit)
    backfill = materialise_all(up, visit, wait_until)
    see_success(up, visit, backfill)
    see_table(up, visit)
    see_pictures(up, visit)
    assert visit.outside() == []
    assert visit.complaints == []
    read_report(up, visit)
    stop(up, wait_until)


def open_graph(up, visit):
    """The graph of all groups is there, and nobody is asked to join anything."""
    page = visit.page
    page.goto(f"{up.url}/asset-groups", wait_until="domcontentloaded")
    page.get_by_role("button", name="Materialize all").wait_for()
    for group in ROAD:
        page.locator("svg foreignObject").get_by_text(group, exact=True).first.wait_for()
    page.wait_for_timeout(2000)  # the modal of Dagster's first visit, where it is not switched off, takes half a second
    assert page.get_by_role("dialog").count() == 0
    assert page.get_by_text("Join the Dagster community").count() == 0


def materialise_all(up, visit, wait_until):
    """Everything, over all buckets; returns the id of the backfill once all its runs have succeeded."""
    page = visit.page
    page.get_by_role("button", name="Materialize all").click()
    page.get_by_role("button", name="All", exact=True).click()
    page.get_by_role("button", name="Launch backfill").click()
    page.get_by_role("button", name="Launch backfill").wait_for(state="detached")

    def is_over():
        told = up.ask(STATES)
        for run in told["runsOrError"]["results"]:
            if run["status"] in ("FAILURE", "CANCELED"):
                page.goto(f"{up.url}/runs/{run['runId']}", wait_until="domcontentloaded")
                page.wait_for_timeout(5000)
                pytest.fail(f"run {run['runId']}: {run['status']}; the log of all processes is {up.log}")
        return [one["status"] for one in told["partitionBackfillsOrError"]["results"]] == ["COMPLETED_SUCCESS"]

    wait_until(is_over, what=f"all runs of the backfill succeed; log: {up.log}", limit_s=1800, while_lives=up.process)
    told = up.ask(STATES)
    assert {run["status"] for run in told["runsOrError"]["results"]} == {"SUCCESS"}
    return told["partitionBackfillsOrError"]["results"][0]["id"]


def see_success(up, visit, backfill):
    """The list of runs and the backfill's own page say so as well."""
    page = visit.page
    page.goto(f"{up.url}/runs", wait_until="domcontentloaded")
    row = page.get_by_role("link", name=backfill).locator("xpath=ancestor::*[.//text()='Success'][1]")
    row.wait_for()
    page.goto(f"{up.url}/runs/b/{backfill}", wait_until="domcontentloaded")
    page.get_by_role("link", name="evaluation_report").wait_for()
    page.get_by_text("100% completed").nth(15).wait_for()


def see_table(up, visit):
    """An asset by bucket shows what its run did as a table, whichever bucket came last."""
    page = visit.page
    page.goto(f"{up.url}/assets/hard_negatives", wait_until="domcontentloaded")
    page.get_by_text("Look-alikes of every unit", exact=False).wait_for()
    shown = page.get_by_role("table").filter(has_text="units pooled").last
    shown.wait_for()
    assert shown.locator("thead").inner_text().split()[:3] == ["bucket", "templates", "pooled"]
    assert shown.locator("tbody tr").count() == 2
    assert page.get_by_text("No metadata found").count() == 0


def see_pictures(up, visit):
    """Pictures of pages stand inside an asset's metadata, each under its caption."""
    page = visit.page
    page.goto(f"{up.url}/assets/page_templates", wait_until="domcontentloaded")
    page.get_by_text("[Show Markdown]").last.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("one page of each").wait_for()
    dialog.locator("img").nth(1).wait_for()
    assert dialog.locator("img").evaluate_all(DECODE) == [True, True]
    assert dialog.locator("th").count() == 2


def read_report(up, visit):
    """The report opens from the disk: tables and pictures are there, and it asks nobody for anything."""
    page, report = visit.page, up.home / "derived" / "report" / "report.html"
    visit.requests.clear()
    page.goto(report.as_uri())
    assert page.get_by_role("heading", level=1).inner_text() == "twelve: evaluation of evidence retrieval"
    assert page.get_by_role("table").first.is_visible()
    assert page.get_by_role("table").filter(has_text="Naive test").get_by_role("cell").count() > 20
    drawn = page.locator("img").evaluate_all(DECODE)
    assert len(drawn) > 20
    assert all(drawn)
    assert page.locator("img").first.is_visible()
    assert page.locator("svg").first.is_visible()
    assert [address for address in visit.requests if not address.startswith("data:")] == [report.as_uri()]
    assert visit.complaints == []


def stop(up, wait_until):
    """SIGTERM ends the command and all that it started."""
    assert len(up.left()) > 2
    up.process.send_signal(signal.SIGTERM)
    assert up.process.wait(timeout=120) == 0
    wait_until(lambda: up.left() == [], what="no process is left", limit_s=60)
