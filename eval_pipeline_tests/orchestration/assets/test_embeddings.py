"""One .npy a commit, keyed by picture and encoder."""

import pytest

from eval_pipeline.orchestration.resources import Project

pytestmark = pytest.mark.road


def test_every_picture_has_one_vector_per_encoder_and_every_file_one_commit(road_home):
    project = Project(home=str(road_home))
    with project.session() as ledger:
        vectors, files = ledger.table("embeddings.unit_vector"), ledger.table("embeddings.vector_file")
        found = ledger.find("embeddings.vector_file", "vector_file_id", files["vector_file_id"].to_list())
        commits = ledger.find_commits(found["commit_id"].unique().to_list())
        pictures = ledger.table("corpus.unit")["picture_hash"].n_unique()
    encoders = {encoder.encoder_id for encoder in project.encoders().values()}
    assert set(files["encoder_id"]) == encoders
    assert vectors.height == pictures * len(encoders)
    assert commits.height == files.height == len(list((road_home / "derived" / "vectors").rglob("*.npy")))
    assert set(commits["asset"]) == {"page_vectors"}
