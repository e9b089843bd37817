"""Only this machine's own browser, and only from these pages: what a page elsewhere sends is refused.

A name that another site points at 127.0.0.1 arrives with that site's name as Host; a form or a script of another site
arrives with its Origin. Both are refused before anything is looked up.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

NAMES = ("127.0.0.1", "localhost")
SAFE = ("GET", "HEAD")
LONGEST_BODY = 64 * 1024

HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)


class LoopbackGuard:
    """Lets through what was asked of this server by its own name, and changes only from its own pages.

    Args:
        app: what is guarded.
        port: port of the server, as it stands in Host and Origin.
    """

    def __init__(self, app: App, *, port: int) -> None:
        self._app = app
        self._hosts = {f"{name}:{port}" for name in NAMES}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 403 with the reason, or hand on; every answer carries HEADERS."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS]
            await send(message)

        fault = self.fault_of(scope["method"], Headers(scope=scope))
        answer = PlainTextResponse(fault + "\n", status_code=403) if fault else self._app
        await answer(scope, receive, send_with_headers)

    def fault_of(self, method: str, headers: Headers) -> str:
        """Why a request is refused; empty where it is not."""
        host = headers.get("host", "")
        if host not in self._hosts:
            return f"host {host!r} is not this server; open it as {min(self._hosts)}"
        if method in SAFE:
            return (
                "" if headers.get("sec-fetch-site") != "cross-site" or _is_navigation(headers) else "another site asks"
            )
        origin = headers.get("origin", "")
        if origin != f"http://{host}":
            return f"origin {origin!r} is not this server"
        if int(headers.get("content-length", "0") or 0) > LONGEST_BODY:
            return "too long"
        return ""


def _is_navigation(headers: Headers) -> bool:
    """A person following a link, as from the report; not a picture or a script that another page pulls in."""
    return headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
