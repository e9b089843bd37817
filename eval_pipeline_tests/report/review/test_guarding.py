import pytest
from starlette.datastructures import Headers

from eval_pipeline.report.review.guarding import LoopbackGuard

OWN = {"host": "127.0.0.1:3001"}


@pytest.fixture
def guard():
    return LoopbackGuard(lambda *_: None, port=3001)


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("GET", OWN),
        ("GET", {"host": "localhost:3001"}),
        ("GET", {**OWN, "sec-fetch-site": "same-origin"}),
        ("GET", {**OWN, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}),
        ("POST", {**OWN, "origin": "http://127.0.0.1:3001"}),
        ("POST", {"host": "localhost:3001", "origin": "http://localhost:3001"}),
    ],
)
def test_the_own_pages_and_links_to_them_are_let_through(guard, method, headers):
    assert guard.fault_of(method, Headers(headers)) == ""


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("GET", {}),
        ("GET", {"host": "evil.example:3001"}),
        ("GET", {"host": "127.0.0.1:3002"}),
        ("GET", {"host": "127.0.0.1"}),
        ("GET", {**OWN, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}),
        ("GET", {**OWN, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}),
        ("POST", OWN),
        ("POST", {**OWN, "origin": "null"}),
        ("POST", {**OWN, "origin": "http://evil.example"}),
        ("POST", {**OWN, "origin": "http://127.0.0.1:3000"}),
        ("POST", {**OWN, "origin": "http://localhost:3001"}),
        ("POST", {**OWN, "origin": "http://127.0.0.1:3001", "content-length": "70000"}),
        ("DELETE", {**OWN, "origin": "http://evil.example"}),
    ],
)
def test_everybody_else_is_refused_with_a_reason(guard, method, headers):
    assert guard.fault_of(method, Headers(headers)) != ""
