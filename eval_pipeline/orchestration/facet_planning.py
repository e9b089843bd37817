"""Which declared facets the next run will not find, before it reads a page."""

from collections.abc import Mapping, Sequence

from eval_pipeline.corpus.metadata import read_metadata
from eval_pipeline.corpus.proposing.coverage import Coverage, measure_coverage
from eval_pipeline.corpus.proposing.page_reading import read_texts, sample_pages
from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.negatives.coverage import LOW, AxisCoverage, count_coverage
from eval_pipeline.negatives.facts import DEFAULTS
from eval_pipeline.orchestration.resources import Project

N_PAGES_READ = 60
"""Pages whose text is read where a facet comes from page text."""


def foresee_coverage(paths: ProjectPaths, declared: ProjectConfig, *, pages: Mapping[str, int]) -> dict[str, Coverage]:
    """Coverage of each axis in the documents to be read, from tables, file names and the text of some pages.

    Args:
        paths: the project.
        declared: its declaration.
        pages: pages by document, of the documents to be read.

    Raises:
        TableError: a declared table cannot be used.
    """
    facets = {name: facet for name, facet in declared.facets.items() if name in declared.axes}
    if not facets or not pages:
        return {}
    metadata = read_metadata(home=paths.home, config=declared.corpus, paths=pages)
    has_text = any(facet.pattern is not None and facet.pattern.text for facet in facets.values())
    wanted = sample_pages(pages=pages, n=N_PAGES_READ) if has_text else {}
    found = measure_coverage(
        config=declared,
        home=paths.home,
        documents=sorted(pages),
        metadata=metadata,
        texts=read_texts(home=paths.home, wanted=wanted),
    )
    return {axis: found[axis] for axis in declared.axes if axis in found}


def tell_missing(coverage: Mapping[str, Coverage]) -> tuple[str, ...]:
    """Warnings, one for each axis that too many of those looked at have no usable value for.

    Args:
        coverage: by axis; an axis with a default, such as `revision`, lacks nothing.
    """
    return tuple(
        f"{axis}: {1 - found.share:.0%} of {found.n_total:,} {found.of} have no usable value; a page that lacks a "
        "facet takes part in no axis, and its hard negatives only look alike"
        for axis, found in coverage.items()
        if axis not in DEFAULTS and found.share is not None and 1 - found.share > LOW
    )


def held_coverage(project: Project, axes: Sequence[str]) -> AxisCoverage:
    """Coverage of the pages in force."""
    return count_coverage(project.read("corpus/units_in_force")["facets"].to_list(), axes)
