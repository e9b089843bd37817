import xml.etree.ElementTree as ET

import pytest

from eval_pipeline.metrics.validation.connection import trace_family
from eval_pipeline.report.connection_chart import draw_connection


@pytest.fixture(scope="module")
def family():
    return trace_family(seed=1, n_templates=20)[0]


def test_both_curves_are_drawn_and_told_in_words(family):
    root = ET.fromstring(draw_connection(family))
    tag = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{tag}polyline")) == len(root.findall(f"{tag}polygon")) == 2
    assert len(root.findall(f"{tag}circle")) == 22
    told = root.find(f"{tag}desc").text
    assert "skill 0.0: " in told
    assert "skill 1.0: 1.00 among random pages, 1.00 among siblings" in told
    dashes = {line.get("stroke-dasharray") for line in root.findall(f"{tag}polyline")}
    assert len(dashes) == 2


def test_the_same_points_give_the_same_picture_inside_its_frame(family):
    text = draw_connection(family)
    assert text == draw_connection(list(family))
    root = ET.fromstring(text)
    for circle in root.findall("{http://www.w3.org/2000/svg}circle"):
        assert 0 < float(circle.get("cx")) < 760
        assert 0 < float(circle.get("cy")) < 430
