from collections.abc import Callable
from pathlib import Path

import polars as pl

from eval_pipeline.runs.retrieval_corpus import RetrievalCorpus


def test_by_default_everything_may_be_seen_and_templates_are_not_read(make_units: Callable[..., pl.DataFrame]) -> None:
    corpus = RetrievalCorpus(units=make_units("a"), texts={}, vectors=None, encoder=None, home=Path())
    assert corpus.visible is None
    assert corpus.template_of is None
