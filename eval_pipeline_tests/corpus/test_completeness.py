import polars as pl

from eval_pipeline.corpus.completeness import lost_pages, unread_documents


def test_unread_documents_names_what_no_rendition_covers() -> None:
    documents = pl.DataFrame(
        {
            "document_id": ["b", "a"],
            "source_path": ["b.pdf", "a.pdf"],
            "bucket": ["00", "01"],
            "rendition_id": ["r2", "r1"],
        }
    )
    renditions = pl.DataFrame({"rendition_id": ["r1"]})
    assert unread_documents(documents, renditions).rows() == [("b", "b.pdf", "00")]


def test_lost_pages_names_renditions_that_do_not_add_up() -> None:
    renditions = pl.DataFrame(
        {"rendition_id": ["r1", "r2", "r3"], "n_pages": [3, 3, 0], "n_units": [2, 2, 0], "n_quarantined": [1, 0, 1]}
    )
    assert lost_pages(renditions)["rendition_id"].to_list() == ["r2"]
