"""A declared run file: which files, how they name units, and what happens where they do not fit."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from eval_pipeline.runs.declared import PolicySettings
from eval_pipeline.runs.unit_names import UnitStyle
from eval_pipeline.runs.variants import Variant


@dataclass(frozen=True, kw_only=True)
class RunFile:
    """A declared run file; see `declared.RunFileSettings` for what each setting means.

    Attributes:
        name: name of the variant.
        path: its answers, relative to the project folder.
        units: how it names units.
        page_base: number of the first page, where units are named by page.
        on_error: `stop` refuses the file at the first bad line; `go_on` takes the good lines and stores the bad ones.
        stages: a file per stage before the answer, in the order in which they ran.
        scores: a file with scores of arena candidates; None where arenas are read from the answers.
        corpus_snapshot: snapshot that was searched; None where it is not known.
        on_other_snapshot: what happens where that is not the present one.
        policy: the final policy.
    """

    name: str
    path: str
    units: UnitStyle = "unit_id"
    page_base: Literal[0, 1] = 1
    on_error: Literal["stop", "go_on"] = "stop"
    stages: Mapping[str, str] = field(default_factory=dict)
    scores: str | None = None
    corpus_snapshot: str | None = None
    on_other_snapshot: Literal["stop", "go_on"] = "stop"
    policy: PolicySettings = field(default_factory=PolicySettings)

    @classmethod
    def of_variant(cls, variant: Variant) -> "RunFile":
        """The run file that a variant of the type `run-file` declares."""
        declared = variant.configuration
        policy = {name: declared[name] for name in PolicySettings.model_fields if name in declared}
        own = {name: declared[name] for name in cls.__dataclass_fields__ if name in declared}
        return cls(name=variant.name, policy=PolicySettings(**policy), **own)
