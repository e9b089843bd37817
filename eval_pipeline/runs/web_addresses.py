"""What a declared address and the name of a variable with a key must look like."""

import re
from urllib.parse import urlsplit

LOOPBACK = ("127.0.0.1", "localhost", "::1")
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
KEY_LIKE = re.compile(r"^(sk|pk|key|gsk|hf|xai)[-_]", re.IGNORECASE)


def check_address(value: str) -> str:
    """The address as it was given.

    Raises:
        ValueError: it is no http address, or holds a name, a password or a fragment.
    """
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        message = "should be an address such as http://127.0.0.1:8000/rank"
        raise ValueError(message)
    if parts.username or parts.password or parts.fragment:
        message = "an address without name, password or fragment: a key belongs into the variable of key_env"
        raise ValueError(message)
    return value


def check_variable(value: str) -> str:
    """The name of an environment variable as it was given.

    Raises:
        ValueError: it cannot be one, or looks like a key itself.
    """
    if not VARIABLE.fullmatch(value) or KEY_LIKE.match(value):
        message = "should be the name of an environment variable, such as RETRIEVER_KEY, and never the key itself"
        raise ValueError(message)
    return value


def is_loopback(url: str) -> bool:
    """Whether an address is on this machine, so that no proxy of the environment may stand in between."""
    return urlsplit(url).hostname in LOOPBACK
