"""From a declared variant to the thing that ranks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from eval_pipeline.embeddings.approximate import Hnsw, IvfPq
from eval_pipeline.foundation.errors import ConfigError, InputError
from eval_pipeline.foundation.ids import canonical_json
from eval_pipeline.foundation.plugins import load_class
from eval_pipeline.foundation.protocols import Retriever
from eval_pipeline.runs.controls import Control, build_control
from eval_pipeline.runs.declared import FusionSettings, IndexSettings, PolicySettings
from eval_pipeline.runs.http_calls import Address, Calling
from eval_pipeline.runs.http_replies import ReplyReader
from eval_pipeline.runs.http_retriever import HttpRetriever
from eval_pipeline.runs.hybrid import HybridRetriever
from eval_pipeline.runs.image import ImageRetriever
from eval_pipeline.runs.policy import FinalRetriever
from eval_pipeline.runs.reranking import RerankingRetriever
from eval_pipeline.runs.retrieval_corpus import RetrievalCorpus
from eval_pipeline.runs.text import TextRetriever
from eval_pipeline.runs.unit_names import name_units
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
    policy = PolicySettings(
        **{name: configuration[name] for name in PolicySettings.model_fields if name in configuration}
    )
    source = _Builder(corpus=corpus).build(variant.name, configuration)
    return FinalRetriever(name=variant.name, source=source, corpus=corpus, policy=policy)


@dataclass(frozen=True, kw_only=True)
class _Builder:
    """Builds a variant's retriever; parts that are declared alike are one, so that a nested hybrid searches once.

    Attributes:
        corpus: what is searched.
        built: retrievers by what they were built from.
    """

    corpus: RetrievalCorpus
    built: dict[str, Retriever] = field(default_factory=dict)

    def build(self, name: str, configuration: Mapping[str, Any]) -> Retriever:
        key = canonical_json(configuration)
        if key not in self.built:
            self.built[key] = self._rerank(name, configuration, self._build(name, configuration))
        return self.built[key]

    def _rerank(self, name: str, configuration: Mapping[str, Any], source: Retriever) -> Retriever:
        declared = configuration.get("rerank")
        if declared is None:
            return source
        place, verbs = f"{name}.rerank", ("rerank",)
        reranker = _build_class(place, declared["type"], declared["settings"], self.corpus, verbs=verbs)
        return RerankingRetriever(name=name, source=source, reranker=reranker, top=declared["top"])

    def _build(self, name: str, configuration: Mapping[str, Any]) -> Retriever:
        match configuration["type"]:
            case "image":
                return _build_image(name, configuration, self.corpus)
            case "text":
                return TextRetriever(corpus=self.corpus, k1=configuration["k1"], b=configuration["b"])
            case "http":
                return _build_http(name, configuration, self.corpus)
            case "hybrid":
                parts = {part: self.build(part, inner) for part, inner in configuration["parts"].items()}
                fusion = FusionSettings(**configuration["fusion"])
                return HybridRetriever(parts=parts, fusion=fusion, pool=configuration["pool"])
            case "run-file":
                message = f"variant {name!r} is a run file, which holds rankings: it is taken in by 'import_run'"
                raise InputError(message)
            case kind:
                settings, verbs = configuration["settings"], ("rank", "score")
                theirs: Retriever = _build_class(name, kind, settings, self.corpus, verbs=verbs)
                return theirs


def _build_image(name: str, configuration: Mapping[str, Any], corpus: RetrievalCorpus) -> ImageRetriever:
    if corpus.vectors is None or corpus.encoder is None:
        message = (
            f"variant {name!r} searches pictures, but there are no vectors or no encoder; run 'page_vectors' first"
        )
        raise InputError(message)
    declared = IndexSettings(**configuration.get("index", {}))
    return ImageRetriever(
        vectors=corpus.vectors,
        encoder=corpus.encoder,
        approximate=_parameters_of(declared),
        encoded=corpus.encoded,
    )


def _parameters_of(declared: IndexSettings) -> Hnsw | IvfPq | None:
    match declared.kind:
        case "hnsw":
            return Hnsw(m=declared.m, ef_construction=declared.ef_construction, ef_search=declared.ef_search)
        case "ivf-pq":
            return IvfPq(
                n_lists=declared.n_lists,
                n_probes=declared.n_probes,
                n_parts=declared.n_parts,
                n_bits=declared.n_bits,
            )
        case _:
            return None


def _build_http(name: str, configuration: Mapping[str, Any], corpus: RetrievalCorpus) -> HttpRetriever:
    calling = Calling(**configuration["calling"])
    names = name_units(units=corpus.units, style=configuration["units"], page_base=configuration["page_base"])
    score_url = configuration["score_url"]
    return HttpRetriever(
        address=Address(name=name, url=configuration["url"], calling=calling),
        scoring=Address(name=name, url=score_url, calling=calling) if score_url else None,
        reader=ReplyReader(names=names, on_error=configuration["on_error"]),
        max_depth=configuration["max_depth"],
    )


def _build_class(
    name: str, kind: str, settings: Mapping[str, Any], corpus: RetrievalCorpus, *, verbs: tuple[str, ...]
) -> Any:
    key = f"variants.{name}"
    loaded = load_class(kind, path=CONFIG_FILE, key=f"{key}.type")
    try:
        built = loaded(corpus=corpus, **settings)
    except TypeError as error:
        message = f"{CONFIG_FILE}: {key}: {kind} does not take corpus and {sorted(settings)}: {error}"
        raise ConfigError(message, path=CONFIG_FILE, key=key) from error
    missing = [verb for verb in verbs if not callable(getattr(built, verb, None))]
    if missing:
        message = (
            f"{CONFIG_FILE}: {key}: {kind} has no method {', '.join(missing)}; it should have {' and '.join(verbs)}"
        )
        raise ConfigError(message, path=CONFIG_FILE, key=key)
    return built
