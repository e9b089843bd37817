"""Turn what `eval.yaml` declares under `judges` into a judge."""

from collections.abc import Mapping
from typing import Any, cast

from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.plugins import load_class, split_type
from eval_pipeline.foundation.protocols import Judge
from eval_pipeline.judging.text_match import TextMatchJudge
from eval_pipeline.judging.vlm import build_vlm

BUILT_IN = ("text-match", "vlm")


def build_judge(*, name: str, declared: Mapping[str, Any], path: str) -> Judge:
    """Build one declared judge; no endpoint is asked, and no key is read before the first question.

    Args:
        name: its name in `eval.yaml`.
        declared: `type` (`text-match`, `vlm`, or `module:Class` called with `name` and the settings) and settings.
        path: the file that declared it, for messages.

    Raises:
        ConfigError: the type is unknown, or it does not take these settings.
    """
    key = f"judges.{name}"
    kind, settings = split_type(declared, path=path, key=key)
    if kind == "vlm":
        return build_vlm(name=name, declared=settings, path=path)
    if kind == "text-match":
        made: type = TextMatchJudge
    elif ":" in kind:
        made = load_class(kind, path=path, key=f"{key}.type")
    else:
        message = f"{path}: {key}.type: unknown judge {kind!r}; allowed: {', '.join(BUILT_IN)} or 'module:Class'"
        raise ConfigError(message, path=path, key=f"{key}.type")
    try:
        return cast("Judge", made(name=name, **settings))
    except TypeError as error:
        message = f"{path}: {key}: {kind} does not take these settings: {error}"
        raise ConfigError(message, path=path, key=key) from error
