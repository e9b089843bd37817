"""Make the reviewer that eval.yaml names under `labels.reviewer`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.plugins import load_class, split_type
from eval_pipeline.foundation.protocols import Reviewer

CONFIG_FILE = "eval.yaml"
KEY = "labels.reviewer"


def build_reviewer(*, declared: Mapping[str, Any] | None, home: Path) -> Reviewer | None:
    """Make a reviewer, or None where none is declared and people do all the work.

    The class is called with `home` (the project folder) and its declared settings as keyword arguments.

    Raises:
        ConfigError: the class cannot be loaded, does not take its settings or has no method `adjudicate`.
    """
    if declared is None:
        return None
    kind, settings = split_type(declared, path=CONFIG_FILE, key=KEY)
    loaded = load_class(kind, path=CONFIG_FILE, key=f"{KEY}.type")
    try:
        reviewer: Reviewer = loaded(home=home, **settings)
    except TypeError as error:
        message = f"{CONFIG_FILE}: {KEY}: {kind} does not take home and {sorted(settings)}: {error}"
        raise ConfigError(message, path=CONFIG_FILE, key=KEY) from error
    if not callable(getattr(reviewer, "adjudicate", None)):
        message = f"{CONFIG_FILE}: {KEY}: {kind} has no method 'adjudicate'"
        raise ConfigError(message, path=CONFIG_FILE, key=f"{KEY}.type")
    return reviewer
