"""The declaration of a project, `eval.yaml`, as frozen records; unknown keys are errors that name the nearest one."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator

from eval_pipeline.foundation.declared import Declared, load_yaml, parse_declared

DEFAULT_VARIANTS: dict[str, dict[str, Any]] = {
    "image": {"type": "image"},
    "text": {"type": "text"},
    "hybrid": {"type": "hybrid", "of": ["image", "text"], "fusion": {"kind": "rrf", "k": 60}},
}


class AccessConfig(Declared):
    """Who may see what.

    Attributes:
        column: metadata column with the access level.
        default: level of documents without one.
        levels: from least to most restricted.
        groups: known groups.
        group_column: metadata column with group names, separated by `;`.
    """

    column: str | None = None
    default: str = "internal"
    levels: tuple[str, ...] = ("public", "internal", "restricted")
    groups: tuple[str, ...] = ()
    group_column: str | None = None

    @model_validator(mode="after")
    def _default_is_a_level(self) -> "AccessConfig":
        if self.default not in self.levels:
            message = f"default access {self.default!r} is none of the levels {', '.join(self.levels)}"
            raise ValueError(message)
        return self


class LimitsConfig(Declared):
    """Bounds on one file or page; what exceeds them is scaled down or quarantined, never fatal.

    Attributes:
        page_pixels: a page that would have more is drawn at a lower resolution.
        image_pixels: an image file that has more is quarantined.
        page_seconds: a page that takes longer is quarantined as `too slow`.
        file_bytes: a larger file is quarantined.
    """

    page_pixels: int = Field(default=12_000_000, gt=0)
    image_pixels: int = Field(default=150_000_000, gt=0)
    page_seconds: float = Field(default=20.0, gt=0)
    file_bytes: int = Field(default=2_000_000_000, gt=0)


class CorpusConfig(Declared):
    """Where documents and their metadata are.

    Attributes:
        documents: glob below the project folder; `{a,b}` alternatives allowed.
        metadata: CSV, Parquet or JSONL table(s); one path, a list of paths, or none.
        id: column that names a document; without it the relative path does.
        path: column that names the file, relative to the table's folder or the project folder; without it the id
            is looked up as a relative path, a file name or a file name without its ending.
        page: column with a page number: its presence makes the table page-level.
        page_base: number of the first page in that column.
        page_id: column with the user's own id of a page.
        encoding: of CSV and JSONL tables.
        resolution_dpi: one raster per page, readable for people and judges.
        access: access levels.
        limits: bounds on one file or page.
    """

    documents: str = "corpus/**/*.{pdf,png,jpg,jpeg,webp,tif,tiff,gif}"
    metadata: str | tuple[str, ...] | None = None
    id: str | None = None
    path: str | None = None
    page: str | None = None
    page_base: Literal[0, 1] = 1
    page_id: str | None = None
    encoding: str = "utf-8"
    resolution_dpi: int = Field(default=100, ge=36, le=600)
    access: AccessConfig = AccessConfig()
    limits: LimitsConfig = LimitsConfig()

    @property
    def metadata_files(self) -> tuple[str, ...]:
        """Metadata tables, as a tuple whatever way they were declared."""
        match self.metadata:
            case None:
                return ()
            case str():
                return (self.metadata,)
            case _:
                return self.metadata


class PatternConfig(Declared):
    """Where to look for a facet when no column holds it.

    Attributes:
        text: regular expression on the page text (first match, multi-line); the group named like the facet, else
            the first group, else the whole match.
        path: the same on the relative path.
    """

    text: str | None = None
    path: str | None = None


class FacetConfig(Declared):
    """How one facet of a unit is found and normalised.

    Attributes:
        column: metadata column.
        columns: several columns, joined by a blank (a year and a quarter).
        pattern: pattern on page text or path, used where no column gives a value.
        parse: how a value is normalised; `text` folds case, blanks and Unicode, `entity` legal suffixes as well,
            `period` reads fiscal and calendar periods, `number` makes `007` and `7.0` one, `verbatim` keeps it byte
            for byte.
        synonyms: CSV with columns `name`, `synonym`; or a mapping name -> list of synonyms.
        fiscal_year_end: `MM-DD` by entity, `default` for the others.
    """

    column: str | None = None
    columns: tuple[str, ...] = ()
    pattern: PatternConfig | None = None
    parse: Literal["verbatim", "text", "entity", "period", "number"] = "text"
    synonyms: str | dict[str, tuple[str, ...]] | None = None
    fiscal_year_end: dict[str, str] = Field(default_factory=dict)


class EncoderConfig(Declared):
    """Which encoder draws vectors.

    Attributes:
        model: open_clip model name, or `local-dir:PATH` of a model directory in the project folder, or `module:Class`.
        pretrained: open_clip tag of the weights.
        checkpoint: path of local weights.
        seed: seed of the weights where there are none (the encoder is then shown as untrained).
        batch_size: pictures per forward pass; batches are padded to it, so a vector does not depend on its batch.
        chunk_pictures: pictures per vector file and commit; a run that is killed does at most these again.
    """

    model: str = "local-dir:models/page-clip"
    pretrained: str | None = None
    checkpoint: str | None = None
    seed: int = 0
    batch_size: int = Field(default=16, ge=1)
    chunk_pictures: int = Field(default=512, ge=1)


class TemplatesConfig(Declared):
    """How units are grouped by look.

    Attributes:
        features: feature families; beside `layout`, `encoder` has a share of 5 % (ADR 0007).
        cut: cosine distance at which average link stops merging groups, or `auto`: chains of near pages (ADR 0007).
        min_members: smallest group that is announced as a template.
        seed: seed of the clustering.
        epoch: raise it to have everything clustered again under the same settings; ids are carried over by members.
    """

    features: tuple[Literal["encoder", "layout"], ...] = ("layout",)
    cut: float | Literal["auto"] = "auto"
    min_members: int = Field(default=2, ge=1)
    seed: int = 0
    epoch: int = Field(default=1, ge=1)


MIN_NEGATIVES = 4
"""Default of the smallest effective pool (MEASURES 1)."""

N_RANDOM = 6
"""Default of the random negatives drawn for a gold unit, unless k is more."""


class NegativesConfig(Declared):
    """How many negatives, of which kind.

    Attributes:
        k: places in the hard-negative pool of a unit, split over the axes.
        random: random negatives drawn for a gold unit, k at least: as many as it has hard ones enter the arena, so that
            both arenas are of one size; 6, or k where that is more.
        random_arenas: sizes N of further arenas `random@N`.
        min_negatives: smallest effective pool with which a question counts; 4, or k where that is less.
        backfill: what fills a short pool.
        strict: whether negatives that can be rejected on appearance block the report.
        seed: seed of the random draws.
    """

    k: int = Field(default=6, ge=1)
    random: int = Field(default=N_RANDOM, ge=1)
    random_arenas: tuple[int, ...] = ()
    min_negatives: int = Field(default=MIN_NEGATIVES, ge=0)
    backfill: Literal["none", "nearest"] = "none"
    strict: bool = False
    seed: int = 0

    @model_validator(mode="before")
    @classmethod
    def _defaults_follow_k(cls, given: Any) -> Any:
        if not isinstance(given, dict) or not isinstance(given.get("k"), int):
            return given
        defaults = {"min_negatives": min(MIN_NEGATIVES, max(given["k"], 0)), "random": max(N_RANDOM, given["k"])}
        return {**defaults, **given}

    @model_validator(mode="after")
    def _minimum_can_be_reached(self) -> "NegativesConfig":
        if self.min_negatives > self.k:
            message = f"min_negatives {self.min_negatives} is more than k {self.k}: no pool could ever be large enough"
            raise ValueError(message)
        return self

    @model_validator(mode="after")
    def _arenas_can_be_of_one_size(self) -> "NegativesConfig":
        if self.random < self.k:
            message = f"random {self.random} is less than k {self.k}: random and siblings would differ in size"
            raise ValueError(message)
        return self


class SampleConfig(Declared):
    """Which pages questions are written from.

    Attributes:
        per_template: pages per template.
        max: questions in all; the rest is left out by hash.
        seed: seed of the hash sampling.
    """

    per_template: int = Field(default=20, ge=0)
    max: int = Field(default=500, ge=0)
    seed: int = 0


class QuestionImportConfig(Declared):
    """A file of people's questions.

    Attributes:
        path: CSV, Parquet or JSONL, relative to the project folder.
        id: column with the question's id.
        text: column with the question.
        answer: column with the expected answer; optional.
        document: column with the id of the document that holds the evidence; optional.
        pages: column with page numbers of the evidence: a list, or numbers separated by `;` or `,`; optional.
        page_base: number of the first page in that column.
        page_id: column with the user's id of the evidence page; optional, instead of document and pages.
        available: column of true and false; rows with false are counted and left out; optional.
    """

    path: str
    id: str = "question_id"
    text: str = "question"
    answer: str | None = None
    document: str | None = None
    pages: str | None = None
    page_base: Literal[0, 1] = 1
    page_id: str | None = None
    available: str | None = None


class QuestionsConfig(Declared):
    """Where questions come from.

    Attributes:
        sample: which pages are asked about.
        writers: writers, each with its `type` and settings.
        imports: people's questions (key `import`).
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    sample: SampleConfig = SampleConfig()
    writers: tuple[dict[str, Any], ...] = ({"type": "rules"},)
    imports: Annotated[tuple[QuestionImportConfig, ...], Field(alias="import")] = ()


class LabelsConfig(Declared):
    """How pairs are labelled.

    Attributes:
        pool_depth: ranks of each variant that enter the candidate pool.
        audit_questions: expected number of questions in the random audit.
        audit_seed: seed of that sample.
        blind: whether people decide before they see the model's answer; labels of others take no part in agreement.
        people_per_pair: people that label a pair before it counts as done; contested ones go on to a third.
        reviewer: `type: module:Class` and settings of a reviewer that adjudicates the audit; None for people only.
    """

    pool_depth: int = Field(default=10, ge=1)
    audit_questions: int = Field(default=60, ge=0)
    audit_seed: int = 0
    blind: bool = True
    people_per_pair: int = Field(default=1, ge=1)
    reviewer: dict[str, Any] | None = None


class ScheduleConfig(Declared):
    """When the nightly runs.

    Attributes:
        cron: five fields.
        timezone: IANA name.
    """

    cron: str = "0 2 * * *"
    timezone: str = "UTC"


class ProjectConfig(Declared):
    """Everything that a user declares in `eval.yaml`.

    Attributes:
        name: what the project is called in its report; the folder's name without it.
        corpus: documents and metadata.
        facets: how facets are found, by name.
        axes: facets along which hard negatives vary; remainders of k go to the first ones.
        encoder: encoder of templates, negatives and the image variant.
        templates: clustering.
        negatives: pools.
        questions: writers and imports.
        judges: judges by name, each with `type` and settings.
        variants: retrievers by name, each with `type` and settings.
        labels: labelling.
        schedule: the nightly.
        contracts: glob of contract files.
    """

    name: str | None = None
    corpus: CorpusConfig = CorpusConfig()
    facets: dict[str, FacetConfig] = Field(default_factory=dict)
    axes: tuple[str, ...] = ("period", "metric", "entity")
    encoder: EncoderConfig = EncoderConfig()
    templates: TemplatesConfig = TemplatesConfig()
    negatives: NegativesConfig = NegativesConfig()
    questions: QuestionsConfig = QuestionsConfig()
    judges: dict[str, dict[str, Any]] = Field(default_factory=lambda: {"text": {"type": "text-match"}})
    variants: dict[str, dict[str, Any]] = Field(default_factory=lambda: dict(DEFAULT_VARIANTS))
    labels: LabelsConfig = LabelsConfig()
    schedule: ScheduleConfig = ScheduleConfig()
    contracts: str = "contracts/*.yaml"

    @model_validator(mode="after")
    def _axes_are_facets(self) -> "ProjectConfig":
        twice = sorted({axis for axis in self.axes if self.axes.count(axis) > 1})
        if twice:
            message = f"axes names {', '.join(twice)} twice; each axis once"
            raise ValueError(message)
        unknown = [axis for axis in self.axes if self.facets and axis not in self.facets]
        if unknown:
            message = f"axes {unknown} have no entry under facets ({', '.join(self.facets)})"
            raise ValueError(message)
        return self


def load_project(path: Path) -> ProjectConfig:
    """Read and check `eval.yaml`.

    Raises:
        ConfigError: see `load_yaml` and `parse_declared`.
    """
    return parse_declared(ProjectConfig, load_yaml(path), path=str(path))
