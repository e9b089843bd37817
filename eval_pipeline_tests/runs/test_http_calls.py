import socket
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from eval_pipeline.foundation.errors import ConfigError, RetrievalFailed
from eval_pipeline.runs.http_calls import Address, Calling
from eval_pipeline_tests.loopback_retriever import Scripted, serve

GOOD = {"units": []}


@pytest.fixture
def open_address() -> Iterator[Callable[..., Address]]:
    made: list[Address] = []

    def make(url: str, **changes: Any) -> Address:
        waits: list[float] = []
        made.append(Address(name="theirs", url=url, calling=Calling(sleep=waits.append, **changes)))
        return made[-1]

    yield make
    for address in made:
        address.close()


def waits_of(address: Address) -> list[float]:
    return address.calling.sleep.__self__  # type: ignore[attr-defined,no-any-return]  # `append` of the list of waits


def in_turn(*replies: Scripted | Mapping[str, Any]) -> Callable[[Mapping[str, Any]], Scripted | Mapping[str, Any]]:
    left = list(replies)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def test_a_reply_comes_back_whole_with_its_time(open_address: Callable[..., Address]) -> None:
    with serve(in_turn({"units": ["a"]})) as server:
        reply = open_address(server.url).post({"question": "ä?", "depth": 3})
    assert (reply.content, reply.n_requests) == ({"units": ["a"]}, 1)
    assert 0 < reply.elapsed_s < 5
    assert server.bodies[0]["question"] == "ä?"


def test_a_busy_server_is_asked_again_when_it_says(open_address: Callable[..., Address]) -> None:
    busy = Scripted(content="", status=429, headers={"retry-after": "7"})
    with serve(in_turn(busy, Scripted(content=b"", status=503), GOOD)) as server:
        address = open_address(server.url)
        assert address.post({}).n_requests == 3
    assert waits_of(address) == [7.0, 2.0]


@pytest.mark.parametrize(
    ("reply", "reason", "n_requests"),
    [
        (Scripted(content="broken", status=500), "status 500", 3),
        (Scripted(content="what?", status=404), "status 404", 1),
        (Scripted(content="", status=302, headers={"location": "/other"}), "status 302", 1),
        (Scripted(content=b"<html>"), "malformed reply", 1),
        (Scripted(content=[]), "malformed reply", 1),
        (Scripted(content=GOOD, wait_s=1.0), "time-out", 3),
        (Scripted(content={"units": ["a" * 40]}, drip_s=0.02), "time-out", 3),
    ],
)
def test_every_failure_has_its_name(
    open_address: Callable[..., Address], reply: Scripted, reason: str, n_requests: int
) -> None:
    with serve(lambda _: reply) as server:
        address = open_address(server.url, retries=2, timeout_s=0.2 if reason == "time-out" else 30.0)
        with pytest.raises(RetrievalFailed, match=server.url) as caught:
            address.post({})
    assert caught.value.reason == reason
    assert len(server.bodies) == n_requests


def test_after_three_questions_without_a_word_the_others_are_not_asked(open_address: Callable[..., Address]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = open_address(f"http://127.0.0.1:{taken.getsockname()[1]}", retries=1)
        reasons = []
        for _ in range(5):
            with pytest.raises(RetrievalFailed) as caught:
                address.post({})
            reasons.append(caught.value.reason)
    assert reasons == ["unreachable"] * 3 + ["not asked"] * 2


def test_the_key_is_a_header_and_never_part_of_a_message(
    open_address: Callable[..., Address], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RETRIEVER_KEY", raising=False)
    with serve(in_turn(GOOD, Scripted(content="no", status=403))) as server:
        address = open_address(server.url, key_env="RETRIEVER_KEY")
        with pytest.raises(ConfigError, match="the variable RETRIEVER_KEY is not set"):
            address.post({})
        monkeypatch.setenv("RETRIEVER_KEY", "secret-word")
        address.post({})
        with pytest.raises(RetrievalFailed) as caught:
            address.post({})
    assert server.headers[0]["authorization"] == "Bearer secret-word"
    assert "secret" not in str(caught.value) + repr(address)
