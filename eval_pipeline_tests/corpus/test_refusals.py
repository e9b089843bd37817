from eval_pipeline.corpus.refusals import Refusal, to_quarantine


def a_refusal(place: str = "", reason: str = "too slow") -> Refusal:
    return Refusal(source_path="a.pdf", place=place, reason=reason, detail="d", next_step="n")


def test_equal_refusals_are_one_row_in_a_fixed_order() -> None:
    refusals = [a_refusal("page 2"), a_refusal("page 1"), a_refusal("page 2")]
    frame = to_quarantine(refusals)
    assert frame["place"].to_list() == ["page 1", "page 2"]
    assert frame.equals(to_quarantine(reversed(refusals)))


def test_the_id_covers_where_and_why() -> None:
    ids = {str(a_refusal(place, reason).to_row()["quarantine_id"]) for place in ("", "page 1") for reason in ("a", "b")}
    assert len(ids) == 4


def test_nothing_refused_is_an_empty_frame() -> None:
    assert to_quarantine([]).height == 0
