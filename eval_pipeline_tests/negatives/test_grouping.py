"""Groups and the hash of their state."""

import polars as pl

from eval_pipeline.negatives.grouping import facet_of, group_units


def grouped(rows: list[tuple[str, str, str | None]], relation: str = "instance", **knowledge: str) -> pl.DataFrame:
    units = pl.DataFrame(rows, schema=["unit_id", "facets", "key"], orient="row")
    return group_units(units=units, keys=units["key"], relation=relation, state=("facets",), knowledge=knowledge)


def test_members_of_a_group_share_id_and_state() -> None:
    found = grouped([("a", "{}", "mug"), ("b", "{}", "lamp"), ("c", "{}", "mug"), ("d", "{}", None)])
    names = found["template_id"].to_list()
    assert names[0] == names[2]
    assert len(set(names)) == 3
    assert found["members_hash"][0] == found["members_hash"][2]
    assert found["template_version_id"].n_unique() == 1


def test_the_state_follows_members_facets_and_knowledge_and_not_the_order() -> None:
    rows: list[tuple[str, str, str | None]] = [("a", "{}", "mug"), ("b", "{}", "mug")]
    plain = grouped(rows)["members_hash"][0]
    assert grouped(rows[::-1])["members_hash"].to_list() == [plain, plain]
    assert grouped([*rows, ("c", "{}", "mug")])["members_hash"][0] != plain
    assert grouped([("a", '{"x":"1"}', "mug"), rows[1]])["members_hash"][0] != plain
    assert grouped(rows, a="answers")["members_hash"][0] != plain
    assert grouped(rows, z="of no member")["members_hash"][0] == plain
    assert grouped(rows, "semantic")["template_id"][0] != grouped(rows)["template_id"][0]


def test_a_missing_or_empty_facet_is_null() -> None:
    assert facet_of(['{"type":"mug"}', "{}", '{"type":""}', '{"type":4}'], "type").to_list() == ["mug", None, None, "4"]
