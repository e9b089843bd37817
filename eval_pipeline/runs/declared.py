"""What may be declared under `variants` in eval.yaml, per type of retriever."""

from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from eval_pipeline.foundation.declared import Declared
from eval_pipeline.runs.stage_names import ARENA_PREFIX, RESERVED_STAGES
from eval_pipeline.runs.unit_names import UnitStyle
from eval_pipeline.runs.web_addresses import check_address, check_variable


class PolicySettings(Declared):
    """The final policy, which every variant may declare.

    Attributes:
        max_per_document: units of one document that may stand in the final list; None for no bound.
        cut_off: length of the final list; None for the depth that was asked for.
        rerank: `type: module:Class` of a reranker, `top` (units that it scores, 50 by default) and its own settings.
    """

    max_per_document: int | None = Field(default=None, ge=1)
    cut_off: int | None = Field(default=None, ge=1)
    rerank: dict[str, Any] | None = None


class IndexSettings(Declared):
    """The index that is asked. Beside an approximate one the exact search runs as well, to tell what it missed.

    Attributes:
        kind: `flat` is exact; `hnsw` and `ivf-pq` are faiss's approximate ones.
        m: hnsw: links of a page per level.
        ef_construction: hnsw: candidates while linking.
        ef_search: hnsw: candidates while searching; faiss takes the depth where that is more.
        n_lists: ivf-pq: cells.
        n_probes: ivf-pq: cells that are searched.
        n_parts: ivf-pq: parts of a vector that are coded one by one; they divide its dimension.
        n_bits: ivf-pq: bits of a code.
    """

    kind: Literal["flat", "hnsw", "ivf-pq"] = "flat"
    m: int = Field(default=32, ge=2)
    ef_construction: int = Field(default=40, ge=1)
    ef_search: int = Field(default=64, ge=1)
    n_lists: int = Field(default=64, ge=1)
    n_probes: int = Field(default=8, ge=1)
    n_parts: int = Field(default=16, ge=1)
    n_bits: int = Field(default=8, ge=1, le=12)


class ImageSettings(PolicySettings):
    """A text query against vectors of pictures.

    Attributes:
        index: what is asked; exact by default.
    """

    index: IndexSettings = IndexSettings()


class TextSettings(PolicySettings):
    """BM25 over the text of a page.

    Attributes:
        k1: saturation of term frequency.
        b: weight of text length, 0 to 1.
    """

    k1: float = Field(default=1.5, ge=0)
    b: float = Field(default=0.75, ge=0, le=1)


class FusionSettings(Declared):
    """How lists become one.

    Attributes:
        kind: `rrf` adds 1 / (k + rank); `sum` adds scores.
        k: constant of `rrf`; ranks start at 1.
        normalize: what is done to the scores of each list before `sum` adds them.
        weights: weight by name of the part; 1 where none is given.
    """

    kind: Literal["rrf", "sum"] = "rrf"
    k: int = Field(default=60, ge=0)
    normalize: Literal["none", "minmax", "zscore", "rank"] = "minmax"
    weights: dict[str, float] = Field(default_factory=dict)


class HybridSettings(PolicySettings):
    """Several named variants fused into one list.

    Attributes:
        of: names of the variants, at least two.
        fusion: how.
        pool: places of each part that are fused. Fixed here and not taken from the depth asked for, so that a
            shorter answer is always the beginning of a longer one.
    """

    of: tuple[str, ...] = Field(min_length=2)
    fusion: FusionSettings = FusionSettings()
    pool: int = Field(default=1000, ge=1)

    @model_validator(mode="after")
    def _parts_are_distinct(self) -> "HybridSettings":
        if len(set(self.of)) != len(self.of):
            message = f"a part is named twice in {list(self.of)}"
            raise ValueError(message)
        unknown = sorted(set(self.fusion.weights) - set(self.of))
        if unknown:
            message = f"weights name {unknown}, which are not among the parts {list(self.of)}"
            raise ValueError(message)
        return self


class NamingSettings(PolicySettings):
    """How an outside retriever names units, and what happens where a name is nobody's.

    Attributes:
        units: `unit_id`, `declared_id`, `document#page` or `path#page`.
        page_base: number of the first page, where units are named by page.
        on_error: `stop` refuses the file, or the reply, at the first bad place; `go_on` takes what is good and counts
            the rest.
    """

    units: UnitStyle = "unit_id"
    page_base: Literal[0, 1] = 1
    on_error: Literal["stop", "go_on"] = "stop"


class RunFileSettings(NamingSettings):
    """Rankings that an outside retriever wrote into files, relative to the project folder.

    Attributes:
        path: its answers.
        stages: a file per stage before the answer, in the order in which they ran (`image.exact`, `lexical`, ...).
        scores: a file with scores of arena candidates, see `arenas export`; without it arenas are read from `path`.
        corpus_snapshot: snapshot that was searched, where it is known; None for not known.
        on_other_snapshot: what happens where that is not the present one.
    """

    path: str = Field(min_length=1)
    stages: dict[str, str] = Field(default_factory=dict)
    scores: str | None = None
    corpus_snapshot: str | None = None
    on_other_snapshot: Literal["stop", "go_on"] = "stop"

    @field_validator("stages")
    @classmethod
    def _stages_have_names_of_their_own(cls, value: dict[str, str]) -> dict[str, str]:
        taken = sorted(name for name in value if name in RESERVED_STAGES or name.startswith(ARENA_PREFIX))
        if taken:
            message = f"{taken} are ours: {', '.join(RESERVED_STAGES)} and names that begin with {ARENA_PREFIX!r}"
            raise ValueError(message)
        return value


class HttpSettings(NamingSettings):
    """A retriever behind an address.

    Attributes:
        url: where a question is posted.
        score_url: where units are posted to be scored; None where it is not offered.
        max_depth: places asked for, at most.
        version: of what is behind the address: raise it when that changes, and everything is asked again.
        concurrency: requests at one time.
        timeout_s: of one request, from first to last byte.
        retries: further requests after 429, 5xx, time-outs and broken connections.
        key_env: name of the environment variable with a bearer token; None where none is wanted.
    """

    url: str
    score_url: str | None = None
    max_depth: int = Field(default=1000, ge=1)
    version: str = "1"
    concurrency: int = Field(default=4, ge=1, le=256)
    timeout_s: float = Field(default=30.0, gt=0)
    retries: int = Field(default=3, ge=0, le=20)
    key_env: str | None = None

    @field_validator("url", "score_url")
    @classmethod
    def _is_a_plain_address(cls, value: str | None) -> str | None:
        return None if value is None else check_address(value)

    @field_validator("key_env")
    @classmethod
    def _names_a_variable(cls, value: str | None) -> str | None:
        return None if value is None else check_variable(value)


CALLING = ("concurrency", "timeout_s", "retries", "key_env")
"""Settings of `http` that change no ranking: they take no part in the variant's id."""

BUILT_IN: dict[str, type[PolicySettings]] = {
    "image": ImageSettings,
    "text": TextSettings,
    "hybrid": HybridSettings,
    "http": HttpSettings,
    "run-file": RunFileSettings,
}
