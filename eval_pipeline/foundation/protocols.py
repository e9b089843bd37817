"""What rooms offer each other without importing each other, and what users may bring: all small."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from eval_pipeline.foundation.errors import JudgeFailed

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
class PaidCall:
    """What one question put to a paid endpoint took, whatever came of it.

    Attributes:
        n_requests: requests sent, retries among them; 0 where none was.
        n_input_tokens: tokens read, over all requests; None where the endpoint does not tell.
        n_output_tokens: tokens written, likewise.
        usd: money, by the endpoint's word or the declared price; None where neither is known.
        elapsed_s: seconds from the first request to the last reply, waiting included.
        finish_reason: why the last reply ended, in the endpoint's word; None without a reply.
        model: model that served it, in the endpoint's word; None without a reply.
        picture_size: `WIDTHxHEIGHT` of the page picture as it was sent; None where none was.
        shown_order: units in the order in which they were shown; empty for a single one.
    """

    n_requests: int = 0
    n_input_tokens: int | None = None
    n_output_tokens: int | None = None
    usd: float | None = None
    elapsed_s: float | None = None
    finish_reason: str | None = None
    model: str | None = None
    picture_size: str | None = None
    shown_order: tuple[str, ...] = ()

    @property
    def n_tokens(self) -> int | None:
        """Tokens read and written; None where either is not known."""
        if self.n_input_tokens is None or self.n_output_tokens is None:
            return None
        return self.n_input_tokens + self.n_output_tokens


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a judge said.

    Attributes:
        outcome: yes, no, abstain; or a grade.
        reason: one or two sentences that a person can check against the page.
        confidence: 0 to 1, or None.
        n_tokens: tokens paid, or None where there are none.
        elapsed_s: seconds, or None where not measured.
        call: how a paid endpoint was asked, or None for judges that pay for nothing.
    """

    outcome: Literal["yes", "no", "sufficient", "supporting", "irrelevant", "abstain"]
    reason: str
    confidence: float | None = None
    n_tokens: int | None = None
    elapsed_s: float | None = None
    call: PaidCall | None = None


class Judge(Protocol):
    """Reads one question and one page. It never sees gold flags, answers, facets or the writer's slots.

    A judge may have more: `concurrency` (calls at one time; its verbs are then called in threads), `record_every`
    (verdicts after which they are recorded), `asks` (runs in which a pair is asked whose replies were no verdicts) and
    `candidates` above 1 with `answers_many` and `label_many` (`ManyJudge`).
    """

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


class ManyJudge(Protocol):
    """Reads one question and several pages at a time.

    Attributes:
        candidates: pages shown at one time, at most.
    """

    candidates: int

    def answers_many(self, question: str, pages: Sequence[PageContent]) -> Mapping[str, Verdict | JudgeFailed]:
        """By unit id, for every page that was given: whether it alone answers the question, or why nothing was said."""
        ...

    def label_many(self, question: str, pages: Sequence[PageContent]) -> Mapping[str, Verdict | JudgeFailed]:
        """By unit id, for every page that was given: its grade, or why nothing was said."""
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
        elapsed_s: seconds by stage, of stages that were measured apart.
    """

    stages: Mapping[str, Sequence[RankedUnit]]
    notes: tuple[str, ...] = field(default=())
    elapsed_s: Mapping[str, float] = field(default_factory=dict, compare=False)


class Retriever(Protocol):
    """One way to retrieve. Ours and theirs answer the same two calls.

    A retriever may have more: `announce_questions(questions, depth)` and `announce_scores(wanted)`, called before a
    series of `rank` and `score`.
    """

    def rank(self, question: str, depth: int) -> StagedRanking:
        """The best `depth` units of the corpus, per stage; RetrievalFailed where there is no answer."""
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
