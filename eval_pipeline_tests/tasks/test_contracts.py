"""Contracts name what is missing, what is unknown and what does not fit; the id is the content's."""

from copy import deepcopy
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.tables import TABLES
from eval_pipeline.tasks.contracts import load_contracts, parse_contract, read_contract_row

EVIDENCE = yaml.safe_load("""
task: quarterly-evidence
relation: evidence
query_form: question text
answer_unit: page
questions: {slice: main}
judgment: {grades: [sufficient, supporting, irrelevant], judge: text}
measures: [top@1, top@5, sufficient@1, sufficient@5, supporting_only@5, neither@5, ap@10]
arenas: [random, siblings, corpus, random@499]
depth: 100
limit: 10
policies: {unjudged: irrelevant, no_relevant: exclude, missing_question: zero, unretrieved: below,
  answerable_distractor: drop}
slices: [template, axis]
resampling: {unit: question, level: 0.95, resamples: 10000, seed: 7}
asked_as: {clearance: restricted, groups: [finance]}
splits: {held_out: {share: 0.3, seed: 3, looks: 5}}
""")


def changed(**changes):
    content = deepcopy(EVIDENCE)
    for key, value in changes.items():
        if value is None:
            del content[key]
        else:
            content[key] = value
    return content


def test_the_example_is_a_contract(shared_dir):
    contract = load_contracts(shared_dir / "examples", "contracts/*.yaml")[0]
    assert contract.task == "quarterly-evidence"
    assert contract.limit == 10
    assert contract.splits["held_out"].looks == 5


@pytest.mark.parametrize("key", sorted(set(EVIDENCE) - {"splits"}))
def test_every_key_is_required_and_named(key):
    with pytest.raises(ConfigError, match=rf"c.yaml: {key}: this key is required") as caught:
        parse_contract(changed(**{key: None}), path="x/c.yaml")
    assert caught.value.key == key


def test_splits_are_optional_and_absent_ones_take_no_part_in_the_id():
    without = parse_contract(changed(splits=None), path="c.yaml")
    assert without.splits == {}
    assert "splits" not in without.content
    assert without.contract_id != parse_contract(EVIDENCE, path="c.yaml").contract_id


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"relatoin": "evidence"}, "unknown key; did you mean 'relation'"),
        ({"relation": "evidense"}, "did you mean 'evidence'"),
        ({"measures": ["sufficent@5"]}, "did you mean 'sufficient'"),
        ({"measures": ["sufficient"]}, "such as sufficient@5"),
        ({"measures": ["sufficient@0"]}, "such as sufficient@5"),
        ({"measures": ["word_recall"]}, "extracted text"),
        ({"measures": ["top@1", "top@1"]}, "measure top@1 is named twice"),
        ({"measures": ["acceptable@5"]}, "under-specified slice only"),
        ({"arenas": ["sibling"]}, "'sibling' is no arena"),
        ({"limit": 5}, "at least the largest k, 10"),
        ({"depth": 8}, "at most depth 8"),
        ({"answer_unit": "interval", "relation": "localization"}, "iou is required for answer_unit interval"),
        ({"answer_unit": "interval", "iou": 0.5}, "does not fit evidence"),
        ({"iou": 0.5}, "iou is for answer_unit interval only"),
        ({"judgment": {"grades": ["good", "bad"], "judge": "text"}}, "grades are sufficient, supporting, irrelevant"),
        ({"policies": {**EVIDENCE["policies"], "unjudged": "skip"}}, "policies.unjudged"),
        ({"questions": {"slice": "main", "ids": ["q1"]}}, "questions.ids: unknown key"),
        ({"slices": ["axis", "axis"]}, "slice axis is named twice"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(changes, says):
    with pytest.raises(ConfigError, match=says):
        parse_contract(changed(**changes), path="c.yaml")


def test_intervals_and_under_specified_questions_are_allowed_where_they_fit():
    interval = changed(relation="localization", answer_unit="interval", iou=0.5)
    assert parse_contract(interval, path="c.yaml").iou == 0.5
    under = changed(questions={"slice": "under-specified"}, measures=["acceptable@5"])
    assert parse_contract(under, path="c.yaml").measures == ("acceptable@5",)


def test_the_id_is_the_hash_of_the_content_whatever_the_order_of_keys():
    contract = parse_contract(EVIDENCE, path="c.yaml")
    turned = parse_contract(dict(reversed(list(EVIDENCE.items()))), path="other.yaml")
    assert contract.contract_id == turned.contract_id
    assert contract.contract_id.startswith("ctr_")
    assert parse_contract(changed(limit=11), path="c.yaml").contract_id != contract.contract_id


def test_the_row_holds_the_whole_contract():
    contract = parse_contract(EVIDENCE, path="c.yaml")
    frame = TABLES["tasks.contract"].frame([contract.to_table_row(registered_at_utc=datetime(2026, 1, 2, tzinfo=UTC))])
    assert frame["task"].to_list() == ["quarterly-evidence"]
    assert read_contract_row(frame["content"][0]) == contract
    assert read_contract_row(frame["content"][0]).contract_id == contract.contract_id


def test_undeclared_slices_are_refused():
    contract = parse_contract(EVIDENCE, path="c.yaml")
    assert contract.require_slice("all") == "all"
    assert contract.require_slice("axis") == "axis"
    with pytest.raises(ConfigError, match="slice 'language' is not declared"):
        contract.require_slice("language")


def test_contracts_are_read_by_path_and_a_task_is_declared_once(tmp_path: Path):
    assert load_contracts(tmp_path, "contracts/*.yaml") == []
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts" / "b.yaml").write_text(yaml.safe_dump(EVIDENCE), encoding="utf-8")
    (tmp_path / "contracts" / "a.yaml").write_text(yaml.safe_dump(changed(task="other")), encoding="utf-8")
    assert [c.task for c in load_contracts(tmp_path, "contracts/*.yaml")] == ["other", "quarterly-evidence"]
    (tmp_path / "contracts" / "c.yaml").write_text(yaml.safe_dump(EVIDENCE), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"c\.yaml: task 'quarterly-evidence' is declared by b\.yaml as well"):
        load_contracts(tmp_path, "contracts/*.yaml")
