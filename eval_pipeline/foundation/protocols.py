"""What rooms offer each other without importing each other, and what users may bring: all small."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
Answer = Literal["yes", "no", "abstain"]
Grade = Literal["sufficient", "supporting", "irrelevant", "abstain"]


@dataclass(frozen=True, kw_only=True)
class UnitVectors:
    """Vectors that travel with the ids of their rows.

    Attributes:
        unit_ids: (n,) text; row i of the matrix belongs to unit_ids[i].
        matrix: (n, dim) float32, C order, finite, rows of unit length.
        encoder_id: encoder that made them.
    """

    unit_ids: npt.NDArray[np.str_]
    matrix: Vectors
    encoder_id: str

    def rows_of(self, unit_ids: Sequence[str]) -> Vectors:
        """Rows of the given units, in the given order; KeyError names the first unit without a vector."""
        places = {unit_id: row for row, unit_id in enumerate(self.unit_ids.tolist())}
        return self.matrix[[places[unit_id] for unit_id in unit_ids]]


@dataclass(frozen=True, kw_only=True)
class EncodedTexts:
    """Vectors of texts.

    Attributes:
        matrix: (n, dim) float32, rows of unit length.
        is_truncated: (n,) True where the text was longer than the encoder reads.
    """

    matrix: Vectors
    is_truncated: npt.NDArray[np.bool_]


class Encoder(Protocol):
    """Draws vectors of pictures and texts in one space."""

    encoder_id: str
    name: str
    dim: int
    is_trained: bool

    def describe(self) -> Mapping[str, str | int | float | bool | None]:
        """Everything that could change a vector: config, weights hash, transform, precision."""
        ...

    def encode_pictures(self, paths: Sequence[Path]) -> Vectors:
        """(n, dim) float32 of unit length; a row of NaN where the picture cannot be read or has no direction."""
        ...

    def encode_texts(self, texts: Sequence[str]) -> EncodedTexts:
        """Vectors of texts; InputError for an empty or blank one."""
        ...


@dataclass(frozen=True, kw_only=True)
class PageContent:
    """All that a judge or a writer may see of a unit.

    Attributes:
        unit_id: for the record only.
        text: text of the page; may be empty.
        text_quality: `good`, `garbled` or `missing`.
        picture: path of the stored picture; None where only text is at hand.
    """

    unit_id: str
    text: str
    text_quality: Literal["good", "garbled", "missing"]
    picture: Path | None = None


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a judge said.

    Attributes:
        outcome: yes, no, abstain; or a grade.
        reason: one or two sentences that a person can check against the page.
        confidence: 0 to 1, or None.
        n_tokens: tokens paid, or None where there are none.
        elapsed_s: seconds, or None where not measured.
    """

    outcome: Literal["yes", "no", "sufficient", "supporting", "irrelevant", "abstain"]
    reason: str
    confidence: float | None = None
    n_tokens: int | None = None
    elapsed_s: float | None = None


class Judge(Protocol):
    """Reads one question and one page. It never sees gold flags, answers, facets or the writer's slots."""

    judge_id: str
    name: str
    kind: str

    def settings(self) -> Mapping[str, str | int | float | bool | None]:
        """Everything that could change a verdict."""
        ...

    def answers(self, question: str, page: PageContent) -> Verdict:
        """Whether the page alone answers the question: yes, no or abstain."""
        ...

    def label(self, question: str, page: PageContent) -> Verdict:
        """Grade of the page for the question, or abstain."""
        ...


@dataclass(frozen=True, kw_only=True)
class RankedUnit:
    """One place in a ranking.

    Attributes:
        unit_id: unit.
        score: finite; higher is better.
    """

    unit_id: str
    score: float


@dataclass(frozen=True, kw_only=True)
class StagedRanking:
    """What a retriever answers to one question.

    Attributes:
        stages: by stage name, best first, in the order in which the stages ran; the last one is `final`.
        notes: words for the record: `truncated`, `single-source`, ...
    """

    stages: Mapping[str, Sequence[RankedUnit]]
    notes: tuple[str, ...] = field(default=())


class Retriever(Protocol):
    """One way to retrieve. Ours and theirs answer the same two calls."""

    def rank(self, question: str, depth: int) -> StagedRanking:
        """The best `depth` units of the corpus, per stage."""
        ...

    def score(self, question: str, unit_ids: Sequence[str]) -> Mapping[str, float] | None:
        """Scores of given units, or None where the retriever cannot score units on demand."""
        ...


@dataclass(frozen=True, kw_only=True)
class Adjudication:
    """What a reviewer decided on a pair.

    Attributes:
        grade: sufficient, supporting or irrelevant.
        author_kind: `human`, `developer` or `generator-truth`.
        author: name.
        reason: may be empty.
    """

    grade: Literal["sufficient", "supporting", "irrelevant"]
    author_kind: Literal["human", "developer", "generator-truth"]
    author: str
    reason: str = ""


class Reviewer(Protocol):
    """Adjudicates pairs without seeing the model's answer; None leaves the pair to others."""

    def adjudicate(self, question: str, document_path: str, page_number: int) -> Adjudication | None:
        """Decide on one page, named by its document's path in the project folder and its 1-based page."""
        ...
