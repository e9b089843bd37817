from eval_pipeline.runs.retrieval_corpus import RetrievalCorpus


def test_by_default_everything_may_be_seen_and_no_template_is_known(corpus: RetrievalCorpus) -> None:
    assert corpus.visible is None
    assert corpus.template_of == {}
