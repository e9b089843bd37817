from datetime import UTC, datetime, timedelta

import pytest

from eval_pipeline.labels.pace import measure_pace
from eval_pipeline.labels.rows import to_label_rows

START = datetime(2025, 1, 1, tzinfo=UTC)


@pytest.fixture
def paced(judge):
    def make(*seconds, author="ann", **changes):
        at, rows = START, []
        for number, gap in enumerate((0, *seconds)):
            at += timedelta(seconds=gap)
            rows.append(judge("sufficient", author, unit_id=f"u{number}", decided_at_utc=at, **changes))
        return to_label_rows(rows)

    return make


def test_the_median_gap_is_the_pace_and_a_break_is_no_work(paced):
    found = measure_pace(paced(4, 6, 3600, 8, 5, 7), author="ann")
    assert (found.seconds, found.n_gaps) == (6.0, 5)
    assert found.minutes_for(100) == 10.0
    assert found.minutes_for(0) == 0.0


def test_too_few_decisions_give_no_pace(paced):
    found = measure_pace(paced(4, 6, 8, 5), author="ann")
    assert (found.seconds, found.n_gaps) == (None, 4)
    assert found.minutes_for(3) is None
    assert found.minutes_for(0) == 0.0
    assert measure_pace(to_label_rows([]), author="ann").seconds is None


@pytest.mark.parametrize(
    "changes",
    [{"author": "ben"}, {"author_kind": "judge"}, {"origin_label_id": "lbl_0"}, {"author_kind": "generator-truth"}],
)
def test_only_decisions_of_the_person_count(paced, changes):
    assert measure_pace(paced(5, 5, 5, 5, 5, 5, **changes), author="ann").n_gaps == 0


def test_labels_of_an_imported_file_bear_one_time_and_are_no_pace(paced):
    assert measure_pace(paced(0, 0, 0, 0, 0, 0, 0), author="ann").n_gaps == 0
