"""Rows of the template tables."""

import json

import numpy as np

from eval_pipeline.foundation.ids import bucket_of
from eval_pipeline.foundation.tables.templates import TEMPLATE_ASSIGNMENT, TEMPLATE_VERSION
from eval_pipeline.templates.founding import Founded
from eval_pipeline.templates.rows import founder_rows, template_rows, to_output

FOUNDED = Founded(
    template_id="tpl_1",
    unit_ids=("a", "b"),
    distances=(0.1, 0.2),
    exemplar_unit_id="a",
    centroid=np.array([0.6, 0.8], dtype=np.float32),
    threshold=0.3,
)


def test_a_template_row_says_bucket_founders_and_centroid() -> None:
    row = template_rows([FOUNDED], version_id="v", sequence=4).row(0, named=True)
    assert (row["bucket"], row["n_founders"], row["announced_sequence"]) == (bucket_of("tpl_1"), 2, 4)
    assert json.loads(row["centroid"]) == [0.6, 0.8]


def test_founders_carry_their_state_and_counts_are_told() -> None:
    rows = founder_rows([FOUNDED], state="new")
    assert [(row["unit_id"], row["state"], row["distance"]) for row in rows] == [("a", "new", 0.1), ("b", "new", 0.2)]
    frame = TEMPLATE_ASSIGNMENT.frame({"template_version_id": "v", "round": 1, **row} for row in rows)
    output = to_output(
        versions=TEMPLATE_VERSION.empty(),
        templates=template_rows([FOUNDED], version_id="v", sequence=1),
        assignments=frame,
        inputs=["b", "a"],
    )
    assert output.inputs == ("a", "b")
    assert output.summary["units_new"] == 2
    assert output.summary["units_buffered"] == 0
