from eval_pipeline.corpus.described import LINE_KEY, TABLE_KEY, Described, MetadataRow


def test_a_page_level_row_keeps_its_empty_page_and_a_document_row_has_none() -> None:
    values = {"id": "d1"}
    paged = MetadataRow(table="m.csv", line=2, values=values, page_column="page", access=None)
    whole = MetadataRow(table="m.csv", line=2, values=values, page_column=None, access=None)
    assert paged.to_object() == {"id": "d1", "page": "", TABLE_KEY: "m.csv", LINE_KEY: "2"}
    assert whole.to_object() == {"id": "d1", TABLE_KEY: "m.csv", LINE_KEY: "2"}
    filled = MetadataRow(table="m.csv", line=2, values={"page": "3"}, page_column="page", access=None)
    assert filled.to_object()["page"] == "3"


def test_nothing_is_described_at_first() -> None:
    about = Described()
    assert (about.document_id, about.rows, about.is_refused) == (None, [], False)
