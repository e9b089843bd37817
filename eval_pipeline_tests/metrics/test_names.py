"""Every declared name has its measure, and a measure prints its name."""

import pytest

from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.metrics.names import KINDS, parse_measure
from eval_pipeline.tasks.measure_names import RANKING_MEASURES


def test_the_names_of_contracts_are_the_measures():
    assert tuple(KINDS) == RANKING_MEASURES


@pytest.mark.parametrize("kind", RANKING_MEASURES)
def test_parse_and_print(kind):
    measure = parse_measure(f"{kind}@5")
    assert (str(measure), measure.cut, measure.kind.name) == (f"{kind}@5", 5, kind)
    assert measure.kind.definition


def test_text_measures_do_not_score_rankings():
    with pytest.raises(UnknownName, match="extracted text"):
        parse_measure("word_recall")
    with pytest.raises(UnknownName, match="did you mean 'ndcg'"):
        parse_measure("ndgc@10")
