"""Views of objects and the gaps of their table."""

import csv
from collections.abc import Callable

from eval_pipeline.demo.relations.objects import TABLE, draw_objects
from eval_pipeline.demo.relations.placing import DrawnSet, read_lines


def test_three_views_of_twenty_objects_a_gap_and_a_second_name(drawn_twice: Callable[..., DrawnSet]) -> None:
    drawn = drawn_twice(draw_objects)
    truth = {str(row["file"]): row for row in read_lines(drawn.home / drawn.truth)}
    assert set(truth) | {TABLE} == set(drawn.files)
    assert len({row["object"] for row in truth.values()}) == 20
    assert len({row["type"] for row in truth.values()}) == 4
    with (drawn.home / TABLE).open(newline="") as file:
        told = {row["file"]: row for row in csv.DictReader(file)}
    wrong = {name for name, row in told.items() if row["object"] != truth[name]["object"]}
    assert wrong == {"corpus/mug-0-view1.png", "corpus/mug-0-second-name.png"}
    assert told["corpus/mug-0-view1.png"]["object"] == ""
    contents = [(drawn.home / name).read_bytes() for name in truth]
    assert len(set(contents)) == len(contents) - 1  # the second name has the first view's bytes
