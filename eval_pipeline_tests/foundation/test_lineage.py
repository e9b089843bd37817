import polars as pl

from eval_pipeline.foundation.lineage import LineageReader


class Frames:
    """Reader over frames, as a test may hold them."""

    def find(self, table, column, values):
        rows = {
            "corpus.layer_text": pl.DataFrame({"text_hash": ["a", "b"], "text": ["", "x"], "commit_id": ["c", "c"]})
        }
        return rows[table].filter(pl.col(column).is_in(list(values)))

    def find_commits(self, commit_ids):
        return pl.DataFrame({"commit_id": sorted(commit_ids)})


def test_a_reader_over_frames_answers_like_one_over_the_ledger():
    reader: LineageReader = Frames()
    assert reader.find("corpus.layer_text", "text_hash", ["b"]).rows() == [("b", "x", "c")]
    assert reader.find("corpus.layer_text", "text_hash", []).height == 0
    assert reader.find_commits(["c2", "c1"])["commit_id"].to_list() == ["c1", "c2"]
