import json

from eval_pipeline.demo.truth import read_truth, write_truth


def test_truth_survives_the_file(truths, tmp_path):
    path = write_truth(tmp_path, reversed(list(truths.values())))
    assert read_truth(path) == truths
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(row["document"], row["page"]) for row in rows] == sorted(truths)
    assert len(rows) == 60


def test_absent_truth_is_empty(tmp_path):
    assert read_truth(tmp_path / "none.jsonl") == {}
