"""A retriever on loopback that answers by script, and remembers what it was asked."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Scripted:
    """What the server sends: a JSON value or bytes, late by some seconds, or dripping byte by byte."""

    content: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    wait_s: float = 0.0
    drip_s: float = 0.0


Script = Callable[[Mapping[str, Any]], Scripted | Mapping[str, Any]]


@dataclass(kw_only=True)
class Loopback:
    """A running server: its address, the bodies it got, the headers, and how many requests it had at one time."""

    url: str
    bodies: list[Mapping[str, Any]] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    most: int = 0
    _now: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def enter(self, body: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        with self._lock:
            self.bodies.append(body)
            self.headers.append(headers)
            self._now += 1
            self.most = max(self.most, self._now)

    def leave(self) -> None:
        with self._lock:
            self._now -= 1


@contextmanager
def serve(script: Script) -> Iterator[Loopback]:
    """Serve on a free port of 127.0.0.1 until the block ends."""
    loopback = Loopback(url="")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            loopback.enter({**body, "path": self.path}, {k.lower(): v for k, v in self.headers.items()})
            try:
                said = script({**body, "path": self.path})
                self._send(said if isinstance(said, Scripted) else Scripted(content=said))
            finally:
                loopback.leave()

        def _send(self, said: Scripted) -> None:
            data = said.content if isinstance(said.content, bytes) else json.dumps(said.content).encode()
            time.sleep(said.wait_s)
            try:
                self.send_response(said.status)
                for name, value in {"content-length": str(len(data)), **said.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                for place in range(len(data) if said.drip_s else 0):
                    self.wfile.write(data[place : place + 1])
                    self.wfile.flush()
                    time.sleep(said.drip_s)
                if not said.drip_s:
                    self.wfile.write(data)
            except OSError:
                self.close_connection = True  # the other side had enough

        def log_message(self, *_: object) -> None:
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    loopback.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield loopback
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
