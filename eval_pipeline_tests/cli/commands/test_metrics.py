import json

import polars as pl
import pytest

from eval_pipeline.cli.commands.metrics import show_metrics, tell_authors
from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.orchestration.report_reading import read_report
from eval_pipeline.orchestration.resources import Project


def test_the_table_has_both_tests_with_their_own_denominators(road_home, call):
    called = call("metrics", home=road_home)
    assert called.returncode == 0, called.stderr
    told = called.stdout
    for words in ("naive test", "this test", "whole corpus", "control floor (template)", "no difference is shown"):
        assert words in told


def test_json_holds_every_figure_and_no_not_a_number(road_home, call):
    evaluations = json.loads(call("metrics", "--json", home=road_home).stdout)
    assert [item["task"] for item in evaluations] == ["quarterly-evidence", "questions-as-asked"]
    for evaluation in evaluations:
        assert {"task", "funnel", "figures", "evaluation_id"} <= set(evaluation)
        for figure in evaluation["figures"]:
            assert (figure["estimate"] is None) == (figure["reason"] != "scored")


def test_an_unknown_contract_is_named(road_home):
    with pytest.raises(UnknownName, match="no evaluation of a contract 'nonsense'"):
        show_metrics(home=road_home, contract="nonsense", as_json=False)


def some_authors(*rows):
    schema = {"k": pl.Int64, "author_kind": pl.String, "author": pl.String, "judge_kind": pl.String, "n": pl.Int64}
    return pl.DataFrame([(5, *row) for row in rows], schema=schema, orient="row")


def test_shares_of_labels_name_the_text_judge_and_whoever_audited():
    authors = some_authors(
        ("generator-truth", "demo generator", None, 60), ("judge", "text", "text-match", 30), (None, None, None, 10)
    )
    assert tell_authors(authors) == (
        "labels behind the first 5 of the whole corpus: 60% stand-in reviewer (generator-truth), 30% text judge, "
        "10% no label; audited 60% of 100"
    )


def test_a_judge_of_pictures_is_no_text_judge_and_a_person_audits():
    authors = some_authors(("judge", "eyes", "vlm", 3), ("human", "ann", None, 1))
    assert tell_authors(authors) == (
        "labels behind the first 5 of the whole corpus: 75% model judge, 25% person; audited 25% of 4"
    )


def test_no_labels_are_said_to_be_none():
    assert "not counted" in tell_authors(some_authors())


def test_the_console_says_beside_each_variant_who_labelled(road_home, call):
    told = call("metrics", "--contract", "quarterly-evidence", home=road_home).stdout
    assert told.count("labels behind the first 5 of the whole corpus: ") == told.count("· variant ")
    assert "well_posed" not in told


def test_shares_are_those_of_the_report(road_home, call):
    evaluation = json.loads(call("metrics", "--json", home=road_home).stdout)[0]
    told = {}
    for row in evaluation["labels_behind"]:
        key = (row["variant"], row["author_kind"] or "unjudged")
        told[key] = told.get(key, 0) + row["n"]
    section = read_report(Project(home=str(road_home))).tasks[0]
    assert told == {(variant, kind): n for variant, kind, n in section.label_shares.iter_rows()}


def test_parts_carry_the_id_of_the_figure_that_they_are_a_part_of(road_home, call):
    evaluation = json.loads(call("metrics", "--json", home=road_home).stdout)[0]
    stored = {figure["metric_id"] for figure in evaluation["figures"]}
    shared = [part for part in evaluation["parts"] if part["slice"] == "same questions"]
    assert {part["metric_id"] for part in evaluation["parts"]} <= stored
    assert len({(part["variant"], part["n_scored"]) for part in shared}) == len({part["variant"] for part in shared})
