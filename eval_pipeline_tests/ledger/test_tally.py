import pytest

from eval_pipeline.ledger.connection import session
from eval_pipeline.ledger.tally import count_commits, read_tally, write_tally


def test_tally_follows_every_commit_at_once(paths, record_texts):
    assert read_tally(paths) == 0
    with session(paths) as opened:
        for number in range(2):
            record_texts(opened, {str(number): "x"})
            assert read_tally(paths) == number + 1 == count_commits(opened._con)


def test_tally_is_not_touched_where_it_is_right(paths, record_texts):
    with session(paths) as opened:
        record_texts(opened, {"a": "x"})
        before = (paths.commits / "tally.json").stat()
        write_tally(opened._con, paths)
        assert (paths.commits / "tally.json").stat() == before


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"n_commits": null}', "x"])
def test_unreadable_tally_agrees_with_nothing(paths, content):
    paths.commits.mkdir(parents=True)
    (paths.commits / "tally.json").write_text(content, encoding="utf-8")
    assert read_tally(paths) == -1
