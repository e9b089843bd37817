"""Turn what `eval.yaml` declares under `questions.writers` into writers."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.plugins import load_class, split_type
from eval_pipeline.foundation.protocols import PageContent
from eval_pipeline.questions.writers.rules import RulesWriter
from eval_pipeline.questions.writers.vlm import build_vlm_writer
from eval_pipeline.questions.writers.written import WrittenQuestion

BUILT_IN: dict[str, type] = {"rules": RulesWriter}


class Writer(Protocol):
    """Writes questions from one page.

    A writer may have `per_page` (it writes no more of a page), `needs_text` (False where it reads pictures: pages
    without a legible text layer are then sampled too), and, where every page costs something, what
    `asking.PaidWriter` names.
    """

    writer_id: str

    def write(self, page: PageContent) -> Sequence[WrittenQuestion]:
        """Questions that the page answers, the most telling first; none where it says too little."""
        ...


def build_writers(declared: Sequence[Mapping[str, Any]], *, path: str = "eval.yaml") -> tuple[Writer, ...]:
    """Build the declared writers, in order.

    Raises:
        ConfigError: a type is unknown or does not take its settings.
    """
    return tuple(_build(item, path=path, key=f"questions.writers.{place}") for place, item in enumerate(declared))


def _build(declared: Mapping[str, Any], *, path: str, key: str) -> Writer:
    kind, settings = split_type(declared, path=path, key=key)
    if kind == "vlm":
        return build_vlm_writer(declared=settings, path=path, key=key)
    made = BUILT_IN.get(kind)
    if made is None:
        if ":" not in kind:
            allowed = ", ".join([*BUILT_IN, "vlm"])
            message = f"{path}: {key}.type: unknown writer {kind!r}; allowed: {allowed} or 'module:Class'"
            raise ConfigError(message, path=path, key=f"{key}.type")
        made = load_class(kind, path=path, key=f"{key}.type")
    try:
        return cast("Writer", made(**settings))
    except TypeError as error:
        message = f"{path}: {key}: {kind} does not take these settings: {error}"
        raise ConfigError(message, path=path, key=key) from error
