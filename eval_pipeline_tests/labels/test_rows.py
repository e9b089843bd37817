from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from eval_pipeline.labels.rows import Judgment, standing_labels, to_label_rows

Make = Callable[..., Judgment]


def test_the_id_covers_all_but_the_time(judge: Make) -> None:
    first = judge("sufficient")
    assert replace(first, decided_at_utc=first.decided_at_utc + timedelta(days=1)).label_id == first.label_id
    others = [
        judge("supporting"),
        judge("sufficient", "ben"),
        judge("sufficient", unit_id="w"),
        judge("sufficient", author_kind="developer"),
        judge("sufficient", replaces_label_id="lbl_0"),
        judge("sufficient", origin_label_id="lbl_0"),
    ]
    assert len({first.label_id, *(other.label_id for other in others)}) == 7


def test_lab_03_a_double_click_stores_one_decision_and_keeps_the_earlier_time(judge: Make) -> None:
    first = judge("sufficient")
    again = replace(first, decided_at_utc=first.decided_at_utc + timedelta(seconds=1))
    rows = to_label_rows([again, first])
    assert rows["decided_at_utc"].to_list() == [first.decided_at_utc]


def test_only_the_same_author_on_the_same_pair_can_replace(judge: Make) -> None:
    first = judge("sufficient")
    own = judge("irrelevant", replaces_label_id=first.label_id)
    foreign = judge("irrelevant", "ben", replaces_label_id=first.label_id)
    elsewhere = judge("irrelevant", unit_id="w", replaces_label_id=first.label_id)
    assert standing_labels(to_label_rows([first, own]))["label_id"].to_list() == [own.label_id]
    standing = standing_labels(to_label_rows([first, foreign, elsewhere]))["label_id"].to_list()
    assert sorted(standing) == sorted([first.label_id, foreign.label_id, elsewhere.label_id])


def test_no_rows_is_an_empty_frame_of_the_schema() -> None:
    assert standing_labels(to_label_rows([])).height == 0
