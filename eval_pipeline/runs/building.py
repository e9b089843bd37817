"""From a declared variant to the thing that ranks."""

from collections.abc import Mapping
from typing import Any

from eval_pipeline.foundation.errors import ConfigError, InputError
from eval_pipeline.foundation.plugins import load_class
from eval_pipeline.foundation.protocols import Retriever
from eval_pipeline.runs.controls import Control, build_control
from eval_pipeline.runs.declared import FusionSettings, PolicySettings
from eval_pipeline.runs.hybrid import HybridRetriever
from eval_pipeline.runs.image import ImageRetriever
from eval_pipeline.runs.policy import FinalRetriever
from eval_pipeline.runs.retrieval_corpus import RetrievalCorpus
from eval_pipeline.runs.text import TextRetriever
from eval_pipeline.runs.variants import CONFIG_FILE, Variant

__all__ = ["RetrievalCorpus", "build_retriever"]


def build_retriever(*, variant: Variant, corpus: RetrievalCorpus) -> Retriever | Control:
    """Make a variant ready to rank.

    A user's class is called with `corpus` (a RetrievalCorpus) and its declared settings as keyword arguments. It has
    `rank` and `score`, and may have `announce_questions(questions, depth)`, called before a series of `rank`.

    Returns:
        A retriever whose stages end in `eligible`, `final`; for a control, what scores arenas.

    Raises:
        ConfigError: the user's class cannot be loaded or does not take its settings.
        InputError: the variant searches pictures and the corpus has no vectors or no encoder.
    """
    if variant.is_control:
        return build_control(kind=variant.kind, corpus=corpus)
    configuration = variant.configuration
    policy = PolicySettings(**{name: configuration[name] for name in PolicySettings.model_fields})
    source = _build_source(variant.name, configuration, corpus)
    return FinalRetriever(name=variant.name, source=source, corpus=corpus, policy=policy)


def _build_source(name: str, configuration: Mapping[str, Any], corpus: RetrievalCorpus) -> Retriever:
    match configuration["type"]:
        case "image":
            return _build_image(name, corpus)
        case "text":
            return TextRetriever(corpus=corpus, k1=configuration["k1"], b=configuration["b"])
        case "hybrid":
            parts = {part: _build_source(part, inner, corpus) for part, inner in configuration["parts"].items()}
            fusion = FusionSettings(**configuration["fusion"])
            return HybridRetriever(parts=parts, fusion=fusion, pool=configuration["pool"])
        case kind:
            return _build_class(name, kind, configuration["settings"], corpus)


def _build_image(name: str, corpus: RetrievalCorpus) -> ImageRetriever:
    if corpus.vectors is None or corpus.encoder is None:
        message = (
            f"variant {name!r} searches pictures, but there are no vectors or no encoder; run 'page_vectors' first"
        )
        raise InputError(message)
    return ImageRetriever(vectors=corpus.vectors, encoder=corpus.encoder)


def _build_class(name: str, kind: str, settings: Mapping[str, Any], corpus: RetrievalCorpus) -> Retriever:
    key = f"variants.{name}"
    loaded = load_class(kind, path=CONFIG_FILE, key=f"{key}.type")
    try:
        built: Retriever = loaded(corpus=corpus, **settings)
    except TypeError as error:
        message = f"{CONFIG_FILE}: {key}: {kind} does not take corpus and {sorted(settings)}: {error}"
        raise ConfigError(message, path=CONFIG_FILE, key=key) from error
    missing = [verb for verb in ("rank", "score") if not callable(getattr(built, verb, None))]
    if missing:
        message = f"{CONFIG_FILE}: {key}: {kind} has no method {', '.join(missing)}; a retriever has rank and score"
        raise ConfigError(message, path=CONFIG_FILE, key=key)
    return built
