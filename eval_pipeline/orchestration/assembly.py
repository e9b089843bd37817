"""One assembly for the UI, the nightly, the command line and the tests."""

from collections.abc import Mapping
from pathlib import Path

import dagster as dg

from eval_pipeline.foundation.config import ScheduleConfig, load_project
from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.settings import find_project
from eval_pipeline.orchestration.assets import (
    corpus,
    embeddings,
    labels,
    negatives,
    questions,
    receipts,
    report,
    runs,
    templates,
)
from eval_pipeline.orchestration.checks import ALL_CHECKS
from eval_pipeline.orchestration.describing import first_paragraph
from eval_pipeline.orchestration.progress import progress_logger
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.schedules import NIGHTLY_JOB, build_schedule


def build_definitions(*, home: Path | None = None, overrides: Mapping[str, object] | None = None) -> dg.Definitions:
    """A fresh set of definitions.

    Args:
        home: project folder; None for the one that the environment names when a step runs.
        overrides: resources by name, for tests.
    """
    modules = [corpus, embeddings, templates, negatives, questions, runs, labels, receipts, report]
    return dg.Definitions(
        assets=dg.map_asset_specs(
            _without_errors,
            dg.load_assets_from_modules(modules, include_specs=True),  # type: ignore[arg-type]  # no SourceAsset here
        ),
        asset_checks=ALL_CHECKS,
        resources={"project": Project(home=str(home) if home else ""), **(overrides or {})},
        jobs=[
            dg.define_asset_job(
                NIGHTLY_JOB,
                selection=dg.AssetSelection.all(),
                description="The whole road over every bucket: only what is new is worked on.",
            )
        ],
        schedules=[build_schedule(_declared_schedule(home))],
        loggers={"progress": progress_logger, "console": dg.colored_console_logger},
    )


def _without_errors(spec: dg.AssetSpec) -> dg.AssetSpec:
    """What an asset makes is for the UI; what its step raises is for readers of the code."""
    return spec.replace_attributes(description=first_paragraph(spec.description))


def _declared_schedule(home: Path | None) -> ScheduleConfig:
    """The schedule of the project; the default one where no project folder is at hand (a bare code location)."""
    try:
        paths = find_project(home)
    except ConfigError:
        return ScheduleConfig()
    return load_project(paths.config).schedule
