from typing import Any

import pytest

from eval_pipeline.corpus.metadata import read_metadata
from eval_pipeline.corpus.same_facets import find_same_facets

ROWS = "a.pdf,1,Acme Inc,FY24 Q1\na.pdf,2,ACME,FY2024Q1\na.pdf,3,Acme,FY2024Q2\na.pdf,4,,FY2024Q2\na.pdf,5,,FY2024Q2\n"
FACETS = {"entity": {"column": "entity", "parse": "entity"}, "period": {"column": "period", "parse": "period"}}


def find(project: Any, **facets: Any) -> list[tuple[str, str]]:
    project.put("m.csv", "file,page,entity,period\n" + ROWS)
    declared = {**FACETS, **facets}
    project.declare(metadata="m.csv", path="file", page="page", facets=declared, axes=list(declared))
    metadata = read_metadata(home=project.home, config=project.config.corpus, paths=["a.pdf"])
    return [
        (one.place, one.detail) for one in find_same_facets(config=project.config, metadata=metadata, home=project.home)
    ]


def test_rows_that_normalise_to_the_same_axes_are_named_and_missing_values_equal_nothing(project: Any) -> None:
    assert find(project) == [
        ("rows 2 and 3", "2 pages share entity 'acme', period 'FY2024Q1': they are no negatives of each other")
    ]


@pytest.mark.parametrize("metric", [{"pattern": {"text": "Revenue"}}])
def test_nothing_is_said_where_an_axis_is_read_from_the_page(project: Any, metric: dict[str, Any]) -> None:
    assert find(project, metric=metric) == []
