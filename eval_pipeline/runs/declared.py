"""What may be declared under `variants` in eval.yaml, per type of retriever."""

from typing import Literal

from pydantic import Field, model_validator

from eval_pipeline.foundation.declared import Declared


class PolicySettings(Declared):
    """The final policy, which every variant may declare.

    Attributes:
        max_per_document: units of one document that may stand in the final list; None for no bound.
        cut_off: length of the final list; None for the depth that was asked for.
    """

    max_per_document: int | None = Field(default=None, ge=1)
    cut_off: int | None = Field(default=None, ge=1)


class ImageSettings(PolicySettings):
    """A text query against vectors of pictures, searched exactly. It has no settings of its own yet."""


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


BUILT_IN: dict[str, type[PolicySettings]] = {"image": ImageSettings, "text": TextSettings, "hybrid": HybridSettings}
