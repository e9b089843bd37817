"""Which templates the report shows a contact sheet of."""

from collections.abc import Sequence

import polars as pl

N_SHEETS = 12


def choose_sheets(members: pl.DataFrame, axes: Sequence[str]) -> list[tuple[str, int]]:
    """Templates to show, with their numbers of pages: half are those whose pages take part in the declared axes.

    Of filings the largest templates are running text; statements, which questions are asked about, are few pages each.

    Args:
        members: columns template_id, facets (canonical JSON).
        axes: declared axes; a page that bears all of them takes part in them.

    Returns:
        At most N_SHEETS, largest first.
    """
    bears_all = pl.all_horizontal(
        pl.lit(value=True), *(pl.col("facets").str.json_path_match(f"$['{axis}']").is_not_null() for axis in axes)
    )
    counts = members.group_by("template_id").agg(n=pl.len(), n_bearing=bears_all.sum())
    bearing = counts.filter(pl.col("n_bearing") > 1).sort("n_bearing", "template_id", descending=[True, False])
    chosen = bearing["template_id"].head(N_SHEETS // 2).to_list()
    largest = counts.filter(~pl.col("template_id").is_in(chosen)).sort("n", "template_id", descending=[True, False])
    chosen += largest["template_id"].head(N_SHEETS - len(chosen)).to_list()
    shown = counts.filter(pl.col("template_id").is_in(chosen)).sort("n", "template_id", descending=[True, False])
    return list(shown.select("template_id", "n").iter_rows())
