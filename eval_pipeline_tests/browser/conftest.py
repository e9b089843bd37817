"""A real Chromium, a small project, and `eval-pipeline up` on it.

The browser is `EVAL_PIPELINE_TEST_CHROMIUM`, else the first of `BROWSERS` on the path; without one every test here is
skipped, and says so.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import eval_pipeline
from eval_pipeline.foundation.settings import Settings

ROOT = Path(eval_pipeline.__file__).parents[1]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
"""The last one: whatever a page asks for elsewhere is refused, and noted like every other request."""

IMPATIENT = """\
# The daemon looks for backfills every 30 s, which nothing in dagster.yaml sets; the test has no time for that.
import sys

if "dagster._daemon" in sys.orig_argv:
    from dagster._daemon import controller

    assert controller.DEFAULT_DAEMON_INTERVAL_SECONDS == 30
    controller.DEFAULT_DAEMON_INTERVAL_SECONDS = 2
"""
ONE_VARIANT = (
    ("  text: {type: text}\n  hybrid: {type: hybrid, of: [image, text], fusion: {kind: rrf, k: 60}}\n", ""),
    ("  hybrid-rawsum: {type: hybrid, of: [image, text, hybrid], fusion: {kind: sum, normalize: none}}\n", ""),
    ("per_template: 20, max: 500", "per_template: 4, max: 12"),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here is marked `browser`, and skipped by name where there is none."""
    skip = pytest.mark.skip(
        reason=f"no browser: none of {', '.join(BROWSERS)} is on the path and EVAL_PIPELINE_TEST_CHROMIUM is not set; "
        "with one: apt-get install chromium"
    )
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")
            if find_browser() is None:
                item.add_marker(skip)


def find_browser() -> str | None:
    """Path of the browser; None where there is none. One that is named is taken at its word."""
    if named := Settings().test_chromium:
        return str(named)
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """A test that fails leaves a picture of what was to be seen, and says where."""
    visit = getattr(item, "funcargs", {}).get("visit")
    if call.when == "call" and call.excinfo is not None and visit is not None:
        call.excinfo.value.add_note(f"what was to be seen: {visit.photograph('failure')}")
    return (yield)


@dataclass(frozen=True, kw_only=True)
class Visit:
    """A browser window and what it did.

    Attributes:
        page: Playwright's page.
        folder: where pictures go.
        requests: addresses that it asked for.
        complaints: errors on its console, and exceptions of the page.
    """

    page: Any
    folder: Path
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def photograph(self, name: str) -> Path:
        """A picture of the window."""
        place = self.folder / f"{name}.png"
        self.page.screenshot(path=place)
        return place

    def outside(self) -> list[str]:
        """Requests that are neither for 127.0.0.1 nor for what the page itself holds."""
        inside = ("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:http://127.0.0.1:", "file:")
        return [address for address in self.requests if not address.startswith(inside)]


@pytest.fixture
def visit(tmp_path: Path) -> Iterator[Visit]:
    """A window of a browser that was never used before."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            tmp_path / "profile",
            executable_path=find_browser(),
            headless=True,
            args=list(FLAGS),
            viewport={"width": 1600, "height": 1000},
        )
        context.set_default_timeout(120_000)
        page = context.pages[0]
        visit = Visit(page=page, folder=tmp_path)
        page.on("request", lambda request: visit.requests.append(request.url))
        page.on("websocket", lambda socket: visit.requests.append(socket.url))
        page.on("pageerror", lambda error: visit.complaints.append(str(error)))
        page.on("console", lambda said: visit.complaints.append(said.text) if said.type == "error" else None)
        yield visit
        context.close()


@dataclass(frozen=True, kw_only=True)
class Up:
    """`eval-pipeline up` on a project.

    Attributes:
        home: the project folder.
        url: where the UI answers.
        process: the command's own process; it leads a session, so that all that it starts can be found.
        log: what all of them said.
    """

    home: Path
    url: str
    process: subprocess.Popen[bytes]
    log: Path

    def ask(self, query: str) -> Any:
        """Ask Dagster in GraphQL."""
        request = urllib.request.Request(
            f"{self.url}/graphql",
            data=json.dumps({"query": query}).encode(),
            headers={"content-type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())["data"]

    def left(self) -> list[str]:
        """Processes of the session that still live: the state, the command."""
        told = subprocess.run(
            ["ps", "-A", "-o", "sess=,stat=,args="], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        rows = [line.split(maxsplit=2) for line in told]
        mine = [row for row in rows if row[0] == str(self.process.pid)]
        return [" ".join(row[1:]) for row in mine if not row[1].startswith("Z")]

    def is_ready(self) -> bool:
        """Whether the UI answers."""
        try:
            with urllib.request.urlopen(f"{self.url}/server_info", timeout=5):
                return True
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False


@pytest.fixture
def up(small_project: Path, tmp_path: Path) -> Iterator[Up]:
    """`up` on the small project, once its UI answers."""
    (tmp_path / "impatient").mkdir()
    (tmp_path / "impatient" / "sitecustomize.py").write_text(IMPATIENT)
    known = {key: value for key, value in os.environ.items() if key not in ("DAGSTER_HOME", "EVAL_PIPELINE_HOME")}
    port, log = free_port(), tmp_path / "up.log"
    review = ["--review-port", str(free_port())]
    with log.open("wb") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "eval_pipeline", "up", "--home", str(small_project), "--port", str(port), *review],
            env={**known, "PYTHONPATH": f"{tmp_path / 'impatient'}{os.pathsep}{ROOT}"},
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    up = Up(home=small_project, url=f"http://127.0.0.1:{port}", process=process, log=log)
    try:
        _wait_until(up.is_ready, what=f"the UI answers; its log is {log}", limit_s=180, while_lives=process)
        yield up
    finally:
        if up.left():
            os.killpg(process.pid, 9)
        process.wait(timeout=30)


@pytest.fixture
def small_project(tmp_path: Path) -> Path:
    """Twelve pages, one contract, one variant beside the controls, a dozen questions."""
    from eval_pipeline.demo.twelve import make_twelve

    home = tmp_path / "twelve"
    make_twelve(home=home)
    declared = (home / "eval.yaml").read_text()
    for old, new in ONE_VARIANT:
        assert old in declared
        declared = declared.replace(old, new)
    (home / "eval.yaml").write_text(declared)
    (home / "contracts" / "questions-as-asked.yaml").unlink()
    return home


@pytest.fixture(scope="session")
def wait_until() -> Callable[..., None]:
    """Wait with a limit and a name."""
    return _wait_until


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _wait_until(
    holds: Callable[[], bool],
    *,
    what: str,
    limit_s: float,
    while_lives: subprocess.Popen[bytes] | None = None,
) -> None:
    """Look every half second; fails by name where it takes too long or the process has ended."""
    end = time.monotonic() + limit_s
    while not holds():
        if while_lives is not None and while_lives.poll() is not None:
            pytest.fail(f"ended with exit code {while_lives.returncode} before this held: {what}")
        if time.monotonic() > end:
            pytest.fail(f"did not come to hold within {limit_s:.0f} s: {what}")
        time.sleep(0.5)
