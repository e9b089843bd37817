import polars as pl

from eval_pipeline.foundation.tables import embeddings


def test_vectors_are_keyed_by_picture_and_encoder_and_hold_no_floats():
    assert embeddings.UNIT_VECTOR.key == ("picture_hash", "encoder_id", "vector_file_id")
    assert embeddings.REFUSED_VECTOR.key == ("picture_hash", "encoder_id")
    assert pl.Float64 not in [dtype for table in embeddings.ALL for dtype in table.schema.values()]
