"""A small project folder to put files into, and the three calls of the room on it."""

import io
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import settings
from reportlab.pdfgen.canvas import Canvas

from eval_pipeline.corpus.arrivals import take_arrivals
from eval_pipeline.corpus.facets import describe_units
from eval_pipeline.corpus.pages import CODE_VERSION, read_documents
from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.declared import parse_declared
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables.corpus import DOCUMENT

settings.register_profile("unhurried", deadline=None)  # a loaded machine makes no test wrong
settings.load_profile("unhurried")


def a_pdf(*texts: str, size: tuple[float, float] = (200, 100)) -> bytes:
    """A PDF with one line of text a page."""
    data = io.BytesIO()
    canvas = Canvas(data, pagesize=size, invariant=True)
    for text in texts:
        canvas.drawString(10, 50, text)
        canvas.showPage()
    canvas.save()
    return data.getvalue()


class Project:
    """A project folder under test."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.declared: dict[str, Any] = {"corpus": {"resolution_dpi": 36}, "axes": []}

    def declare(self, *, facets: Mapping[str, Any] | None = None, axes: Sequence[str] = (), **corpus: Any) -> None:
        self.declared = {
            "corpus": {"resolution_dpi": 36, **corpus},
            "facets": facets or {},
            "axes": list(axes),
        }

    @property
    def config(self) -> ProjectConfig:
        return parse_declared(ProjectConfig, self.declared, path="eval.yaml")

    def put(self, relative: str, content: bytes | str) -> Path:
        path = self.home / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def put_pdf(self, relative: str, *texts: str) -> Path:
        return self.put(relative, a_pdf(*(texts or ("one",))))

    def put_copy(self, source: Path, relative: str | None = None) -> Path:
        path = self.home / (relative or f"corpus/{source.name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, path)
        return path

    def arrive(self, in_force: pl.DataFrame | None = None, parent: tuple[str, int] | None = None) -> StageOutput:
        frame = DOCUMENT.empty() if in_force is None else in_force
        return take_arrivals(
            home=self.home, config=self.config, in_force=frame, parent=parent, code_version=CODE_VERSION
        )

    def documents(self) -> dict[str, dict[str, Any]]:
        return {row["document_id"]: row for row in self.arrive().tables["corpus.document"].to_dicts()}

    def read(self, documents: pl.DataFrame | None = None, workers: int = 1) -> StageOutput:
        frame = self.arrive().tables["corpus.document"] if documents is None else documents
        return read_documents(documents=frame, home=self.home, config=self.config, workers=workers)

    def describe(self, documents: pl.DataFrame, read: StageOutput) -> StageOutput:
        links = read.tables["corpus.rendition_unit"].join(
            documents.select("rendition_id", "document_version_id"), on="rendition_id"
        )
        units = read.tables["corpus.unit"].join(links, on="unit_id")
        texts = read.tables["corpus.layer_text"]
        return describe_units(documents=documents, units=units, texts=texts, home=self.home, config=self.config)

    def ingest(self) -> "Ingested":
        arrived = self.arrive()
        read = self.read(arrived.tables["corpus.document"])
        return Ingested(arrived, read, self.describe(arrived.tables["corpus.document"], read))


class Ingested:
    """What the three calls gave, laid side by side."""

    def __init__(self, arrived: StageOutput, read: StageOutput, described: StageOutput) -> None:
        self.arrived, self.read, self.described = arrived, read, described

    @property
    def units(self) -> list[dict[str, Any]]:
        frame = (
            self.described.tables["corpus.unit_facets"]
            .join(self.read.tables["corpus.unit"], on="unit_id")
            .join(self.read.tables["corpus.layer_text"], on="text_hash")
            .sort("document_id", "page_number")
        )
        return [{**row, "facets": json.loads(row["facets"])} for row in frame.to_dicts()]

    @property
    def refusals(self) -> list[dict[str, Any]]:
        frames = [output.tables["corpus.quarantine"] for output in (self.arrived, self.read, self.described)]
        return pl.concat(frames).filter(~pl.col("is_warning")).to_dicts()

    @property
    def warnings(self) -> list[dict[str, Any]]:
        frames = [output.tables["corpus.quarantine"] for output in (self.arrived, self.read, self.described)]
        return pl.concat(frames).filter(pl.col("is_warning")).to_dicts()


def refusals_of(output: StageOutput) -> list[dict[str, Any]]:
    """Quarantine rows of one output, without warnings."""
    return output.tables["corpus.quarantine"].filter(~pl.col("is_warning")).to_dicts()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    home = tmp_path / "project"
    home.mkdir()
    return Project(home)
