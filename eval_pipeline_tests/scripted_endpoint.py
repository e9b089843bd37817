"""An OpenAI-compatible endpoint on loopback that answers by script, and counts what it was asked."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PAGE = re.compile(r"^page_id (\S+)")
FENCED = re.compile(r"<(question|page) (\w+)>\n(.*)\n</\1 \2>", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What one request shows to the model."""

    body: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def rules(self) -> str:
        return str(self.body["messages"][0]["content"])

    @property
    def parts(self) -> list[Mapping[str, Any]]:
        return list(self.body["messages"][1]["content"])

    @property
    def texts(self) -> list[str]:
        return [part["text"] for part in self.parts if part["type"] == "text"]

    @property
    def question(self) -> str:
        found = FENCED.search(self.texts[0])
        return found[3] if found and found[1] == "question" else ""

    @property
    def pages(self) -> dict[str, str]:
        """Text between the marks by page id, in the order shown."""
        shown = {}
        for text in self.texts:
            if named := PAGE.match(text):
                inside = FENCED.search(text)
                shown[named[1]] = inside[3] if inside else ""
        return shown

    @property
    def page_id(self) -> str:
        return next(iter(self.pages))

    @property
    def outside(self) -> str:
        """All that is said outside the marks."""
        return "\n".join([self.rules, *(FENCED.sub("", text) for text in self.texts)])

    @property
    def verb(self) -> str:
        return "label" if "Grade each page" in self.rules else "answers"


@dataclass(frozen=True, kw_only=True)
class Scripted:
    """One scripted answer."""

    status: int = 200
    body: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0


def completion(
    content: str | None,
    *,
    finish_reason: str = "stop",
    refusal: str | None = None,
    n_input: int | None = 1000,
    n_output: int = 50,
    model: str = "scripted-1",
    **usage: Any,
) -> Scripted:
    """A reply of status 200."""
    message = {"role": "assistant", "content": content, "refusal": refusal}
    body: dict[str, Any] = {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "finish_reason": finish_reason, "message": message}],
    }
    if n_input is not None:
        total = n_input + n_output
        body["usage"] = {"prompt_tokens": n_input, "completion_tokens": n_output, "total_tokens": total, **usage}
    return Scripted(body=body)


def says(outcome: str, shown: Shown, *, reason: str = "The page says so.", **more: Any) -> Scripted:
    """A whole, well-formed reply on the one page that is shown."""
    field_name = "label" if shown.verb == "label" else "answer"
    item = {"page_id": shown.page_id, field_name: outcome, "reason": reason, "confidence": 0.9}
    return completion(json.dumps(item), **more)


def lists(outcomes: Sequence[tuple[str, str]], shown: Shown, **more: Any) -> Scripted:
    """A reply on several pages: (page id, outcome)."""
    field_name = "label" if shown.verb == "label" else "answer"
    items = [{"page_id": page, field_name: said, "reason": "So.", "confidence": None} for page, said in outcomes]
    return completion(json.dumps({"verdicts": items}), **more)


def fails(status: int, *, retry_after: str | None = None) -> Scripted:
    """An error."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return Scripted(status=status, body={"error": {"message": "scripted"}}, headers=headers)


Script = Callable[[Shown, int], Scripted]


@dataclass(kw_only=True)
class ScriptedEndpoint:
    """A running endpoint.

    Attributes:
        base_url: with /v1.
        script: (what is shown, number of earlier requests that showed the same) -> answer; may be replaced.
        requests: all that came, in order.
    """

    base_url: str
    script: Script
    requests: list[Shown] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def n_requests(self) -> int:
        return len(self.requests)

    def answer(self, shown: Shown) -> Scripted:
        with self.lock:
            before = sum(earlier.body["messages"] == shown.body["messages"] for earlier in self.requests)
            self.requests.append(shown)
        return self.script(shown, before)


@contextmanager
def serve() -> Iterator[ScriptedEndpoint]:
    """An endpoint that says yes, or sufficient, until its script is replaced."""
    endpoint = ScriptedEndpoint(base_url="", script=lambda shown, _: agree(shown))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body in one piece: in two, each reply waits 40 ms for the other side

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer = endpoint.answer(Shown(body=body, headers=dict(self.headers.items())))
            time.sleep(answer.delay_s)
            data = json.dumps(answer.body).encode()
            try:
                self.send_response(answer.status)
                for name, value in {**answer.headers, "Content-Type": "application/json"}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
            except OSError:
                self.close_connection = True  # who asked has gone

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    endpoint.base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def agree(shown: Shown) -> Scripted:
    """Yes, or sufficient, to whatever is asked."""
    outcome = "sufficient" if shown.verb == "label" else "yes"
    if "verdicts" in shown.rules:
        return lists([(page, outcome) for page in shown.pages], shown)
    return says(outcome, shown)
