"""Task contracts: what is measured, on what, under which policies, declared before any run is read."""

from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from eval_pipeline.foundation.declared import Declared, load_yaml, parse_declared
from eval_pipeline.foundation.errors import ConfigError, InputError
from eval_pipeline.foundation.ids import canonical_json, content_id
from eval_pipeline.tasks.measure_names import EXTRACTION_MEASURES, MeasureName, parse_measure_name
from eval_pipeline.tasks.relations.registry import get_relation
from eval_pipeline.tasks.relations.relation import GRADE_NAMES, AnswerUnit

QuestionSlice = Literal["main", "under-specified", "regression"]
UNDER_SPECIFIED = "under-specified"


class Selector(Declared):
    """Which questions are asked: a selector, never ids.

    Attributes:
        slice: slices are never pooled, so exactly one.
    """

    slice: QuestionSlice


class Judgment(Declared):
    """Which labels count.

    Attributes:
        grades: the grades of the relation, best first.
        judge: name of the judge in eval.yaml whose pre-labels count where no person and no ticket has spoken.
    """

    grades: tuple[str, ...]
    judge: str

    @field_validator("grades")
    @classmethod
    def _grades_are_known(cls, grades: tuple[str, ...]) -> tuple[str, ...]:
        if grades != GRADE_NAMES:
            message = f"grades are {', '.join(GRADE_NAMES)}, in this order"
            raise ValueError(message)
        return grades


class Policies(Declared):
    """What happens where there is no plain answer; how many questions each touched stands with the figure.

    Attributes:
        unjudged: a unit without a label: counted as irrelevant, taken out of the list, or an error.
        no_relevant: no sufficient unit among the candidates (R = 0): counts as it falls (0 for ap and the like),
            left out, or an error.
        missing_question: a question that was not run: counted as an empty answer, left out, or an error.
        unretrieved: gold that a retriever did not return in a restricted arena: below all others, or an error.
        answerable_distractor: what becomes of a fully qualified question that a negative still answers.
    """

    unjudged: Literal["irrelevant", "condense", "error"]
    no_relevant: Literal["zero", "exclude", "error"]
    missing_question: Literal["zero", "exclude", "error"]
    unretrieved: Literal["below", "error"]
    answerable_distractor: Literal["drop", "promote"]


class Resampling(Declared):
    """How uncertainty is computed.

    Attributes:
        unit: what is drawn anew: questions, or whole documents or entities.
        level: of the intervals.
        resamples: of the bootstrap.
        seed: of the bootstrap.
    """

    unit: Literal["question", "document", "entity"]
    level: float = Field(gt=0.5, lt=1)
    resamples: int = Field(ge=100, le=1_000_000)
    seed: int


class Asker(Declared):
    """On whose behalf it is asked.

    Attributes:
        clearance: access level; units above it may not come back.
        groups: groups of the asker.
    """

    clearance: str
    groups: tuple[str, ...]


class Split(Declared):
    """A share of the questions, drawn by hash.

    Attributes:
        share: from 0 to 1.
        seed: of the hash.
        looks: how often the split may be read before the report marks it.
    """

    share: float = Field(gt=0, lt=1)
    seed: int
    looks: int = Field(ge=1)


class Contract(Declared):
    """A task contract (MEASURES 6).

    Attributes:
        task: name, as people call it.
        relation: one of the five relations.
        query_form: how it is asked, in words.
        answer_unit: what a ranked unit is.
        iou: smallest intersection over union of an interval that counts; required for intervals, else absent.
        questions: selector of the questions.
        judgment: which labels count.
        measures: names, each a whole definition.
        arenas: `random`, `siblings`, `corpus`, or `random@N`.
        depth: places that a retriever is asked for.
        limit: ranked units read per question; at least the largest cut-off.
        policies: what happens where there is no plain answer.
        slices: columns by which figures are split; asking for another one is refused.
        resampling: how uncertainty is computed.
        asked_as: on whose behalf.
        splits: shares of the questions that are held out; optional.
    """

    task: str = Field(min_length=1)
    relation: str
    query_form: str = Field(min_length=1)
    answer_unit: AnswerUnit
    iou: float | None = Field(default=None, gt=0, le=1)
    questions: Selector
    judgment: Judgment
    measures: tuple[str, ...] = Field(min_length=1)
    arenas: tuple[str, ...] = Field(min_length=1)
    depth: int = Field(ge=1)
    limit: int = Field(ge=1)
    policies: Policies
    slices: tuple[str, ...]
    resampling: Resampling
    asked_as: Asker
    splits: dict[str, Split] = Field(default_factory=dict)

    @field_validator("relation")
    @classmethod
    def _relation_is_known(cls, relation: str) -> str:
        try:
            return get_relation(relation).name
        except InputError as error:
            raise ValueError(str(error)) from error

    @field_validator("measures")
    @classmethod
    def _measures_are_known(cls, measures: tuple[str, ...]) -> tuple[str, ...]:
        try:
            names = [parse_measure_name(measure) for measure in measures]
        except InputError as error:
            raise ValueError(str(error)) from error
        extraction = [str(name) for name in names if name.kind in EXTRACTION_MEASURES]
        if extraction:
            message = f"{', '.join(extraction)} measures extracted text, not a ranking; leave it out"
            raise ValueError(message)
        return _once("measure", measures)

    @field_validator("arenas")
    @classmethod
    def _arenas_are_known(cls, arenas: tuple[str, ...]) -> tuple[str, ...]:
        for arena in arenas:
            name, _, size = arena.partition("@")
            if arena not in ("random", "siblings", "corpus") and not (name == "random" and size.isdecimal()):
                message = f"{arena!r} is no arena; allowed: random, siblings, corpus, random@N such as random@499"
                raise ValueError(message)
        return _once("arena", arenas)

    @field_validator("slices")
    @classmethod
    def _slices_are_named_once(cls, slices: tuple[str, ...]) -> tuple[str, ...]:
        return _once("slice", slices)

    @model_validator(mode="after")
    def _parts_fit(self) -> "Contract":
        fitting = get_relation(self.relation).answer_units
        if self.answer_unit not in fitting:
            raise ValueError(f"answer_unit {self.answer_unit!r} does not fit {self.relation}: {', '.join(fitting)}")
        if (self.answer_unit == "interval") != (self.iou is not None):
            need = "is required for answer_unit interval" if self.iou is None else "is for answer_unit interval only"
            raise ValueError(f"iou {need}; write iou: 0.5 beside an interval and nowhere else")
        largest = max(name.cut or 0 for name in self.parsed_measures)
        if not largest <= self.limit <= self.depth:
            raise ValueError(
                f"limit {self.limit} must be at least the largest k, {largest}, and at most depth {self.depth}"
            )
        acceptable = [str(name) for name in self.parsed_measures if name.kind == "acceptable"]
        if acceptable and self.questions.slice != UNDER_SPECIFIED:
            raise ValueError(f"{', '.join(acceptable)} is a measure of the under-specified slice only")
        return self

    @property
    def parsed_measures(self) -> tuple[MeasureName, ...]:
        """The measures, taken apart, in declared order."""
        return tuple(parse_measure_name(measure) for measure in self.measures)

    @property
    def content(self) -> dict[str, Any]:
        """What is hashed: everything declared; an optional part that is absent takes no part."""
        content = self.model_dump(mode="json", exclude_none=True)
        return {key: value for key, value in content.items() if key != "splits" or value}

    @cached_property
    def contract_id(self) -> str:
        """`ctr_` and the hash of the canonical content; order of keys and comments do not matter."""
        return content_id("ctr", self.content)

    def to_table_row(self, *, registered_at_utc: datetime) -> dict[str, object]:
        """Row of `tasks.contract`."""
        return {
            "contract_id": self.contract_id,
            "task": self.task,
            "content": canonical_json(self.content),
            "registered_at_utc": registered_at_utc,
        }

    def require_slice(self, name: str) -> str:
        """The name of a declared slice; `all` is always there.

        Raises:
            ConfigError: the contract does not declare it.
        """
        if name != "all" and name not in self.slices:
            message = f"slice {name!r} is not declared by {self.task}; declared: all, {', '.join(self.slices)}"
            raise ConfigError(message, path=self.task, key="slices")
        return name


def _once(what: str, names: tuple[str, ...]) -> tuple[str, ...]:
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        message = f"{what} {', '.join(repeated)} is named twice"
        raise ValueError(message)
    return names


def parse_contract(content: Mapping[str, Any], *, path: str) -> Contract:
    """A contract from a mapping.

    Raises:
        ConfigError: names the file, the key, what was found and what is allowed; a missing key is named.
    """
    return parse_declared(Contract, content, path=path)


def load_contracts(home: Path, glob: str) -> list[Contract]:
    """Every contract file of a project, by path; none where no file matches.

    Raises:
        ConfigError: a file is wrong, or two files name the same task.
    """
    contracts: dict[str, tuple[Path, Contract]] = {}
    for path in sorted(home.glob(glob)):
        contract = parse_contract(load_yaml(path), path=str(path))
        if contract.task in contracts:
            other = contracts[contract.task][0].name
            message = f"{path.name}: task {contract.task!r} is declared by {other} as well; rename one of them"
            raise ConfigError(message, path=str(path), key="task")
        contracts[contract.task] = (path, contract)
    return [contract for _, contract in contracts.values()]


def read_contract_row(content: str) -> Contract:
    """The contract back from the `content` of its row."""
    return Contract.model_validate_json(content)
