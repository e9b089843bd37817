from collections.abc import Callable
from datetime import datetime

import polars as pl

from eval_pipeline.labels.carrying import carry_labels
from eval_pipeline.labels.rows import Judgment, to_label_rows

Make = Callable[..., Judgment]


def units(**content: tuple[str, str]) -> pl.DataFrame:
    rows = [(unit, picture, text) for unit, (picture, text) in content.items()]
    return pl.DataFrame(rows, schema=["unit_id", "picture_hash", "text_hash"], orient="row")


MOVED = units(new=("p", "t"), other_text=("p", "t2"), other_picture=("p2", "t"))
KNOWN = pl.concat([MOVED, units(u=("p", "t"))])


def carry(labels: pl.DataFrame, now: datetime, in_force: pl.DataFrame = MOVED) -> pl.DataFrame:
    return carry_labels(labels=labels, units=in_force, known_units=KNOWN, now=now).tables["labels.label"]


def test_a_moved_page_keeps_its_label_and_names_the_origin(judge: Make, now: datetime) -> None:
    first = judge("sufficient", reason="the table")
    carried = carry(to_label_rows([first]), now).row(0, named=True)
    assert (carried["unit_id"], carried["grade"], carried["author"]) == ("new", "sufficient", "ann")
    assert carried["origin_label_id"] == first.label_id
    assert carried["replaces_label_id"] is None


def test_once_carried_nothing_more_is_added(judge: Make, now: datetime) -> None:
    labels = to_label_rows([judge("sufficient")])
    assert carry(pl.concat([labels, carry(labels, now)]), now).is_empty()


def test_an_author_who_judged_the_new_page_is_not_spoken_for(judge: Make, now: datetime) -> None:
    assert carry(to_label_rows([judge("sufficient"), judge("irrelevant", unit_id="new")]), now).is_empty()
    own = judge("irrelevant", unit_id="new")
    taken_back = judge(None, unit_id="new", replaces_label_id=own.label_id)
    assert carry(to_label_rows([judge("sufficient"), own, taken_back]), now).is_empty()


def test_a_page_still_in_force_keeps_its_labels_to_itself(judge: Make, now: datetime) -> None:
    assert carry(to_label_rows([judge("sufficient")]), now, in_force=KNOWN).is_empty()


def test_what_was_taken_back_or_replaced_is_not_carried(judge: Make, now: datetime) -> None:
    first = judge("sufficient")
    undone = judge(None, replaces_label_id=first.label_id)
    assert carry(to_label_rows([first, undone]), now).is_empty()
    changed = judge("irrelevant", replaces_label_id=first.label_id)
    assert carry(to_label_rows([first, changed]), now)["grade"].to_list() == ["irrelevant"]
