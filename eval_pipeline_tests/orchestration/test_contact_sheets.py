"""Contact sheets show the largest templates, and those that negatives along axes come from."""

import polars as pl

from eval_pipeline.orchestration.contact_sheets import N_SHEETS, choose_sheets

AXES = ("period", "metric")
FULL, PART = '{"metric":"revenue","period":"FY2024"}', '{"period":"FY2024"}'


def members(sizes: dict[str, tuple[int, str]]) -> pl.DataFrame:
    rows = [(name, facets) for name, (size, facets) in sizes.items() for _ in range(size)]
    return pl.DataFrame(rows, schema={"template_id": pl.String, "facets": pl.String}, orient="row")


def test_small_templates_of_pages_with_every_facet_are_shown_beside_large_ones_without() -> None:
    large = {f"tpl_text{number:02d}": (40 - number, PART) for number in range(20)}
    shown = choose_sheets(members({**large, "tpl_sheet": (3, FULL), "tpl_lone": (1, FULL)}), AXES)
    assert len(shown) == N_SHEETS
    assert shown[0] == ("tpl_text00", 40)
    assert shown[-1] == ("tpl_sheet", 3)
    assert "tpl_lone" not in dict(shown)


def test_where_all_pages_bear_all_facets_the_largest_are_shown() -> None:
    every = members({f"tpl_{number:02d}": (30 - number, FULL) for number in range(20)})
    assert choose_sheets(every, AXES) == [(f"tpl_{number:02d}", 30 - number) for number in range(N_SHEETS)]
    assert choose_sheets(every.reverse(), AXES) == choose_sheets(every, AXES)


def test_few_templates_and_no_axes() -> None:
    assert choose_sheets(members({"tpl_b": (2, PART), "tpl_a": (2, PART)}), ()) == [("tpl_a", 2), ("tpl_b", 2)]
    assert choose_sheets(members({}), AXES) == []
