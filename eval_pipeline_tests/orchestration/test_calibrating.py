"""A judge against the labels that people gave, on the project that was run once."""

import polars as pl
import pytest

from eval_pipeline.demo.twelve import make_twelve
from eval_pipeline.foundation.errors import InputError, UnknownName
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.ledger.connection import session
from eval_pipeline.orchestration.calibrating import calibrate_judge, draw_pairs
from eval_pipeline_tests.scripted_endpoint import completion, says


def declare(paths: ProjectPaths, base_url: str, **more: object) -> None:
    settings = {"type": "vlm", "base_url": base_url, "model": "m", "price": {"input": 1.0, "output": 2.0}, **more}
    said = paths.config.read_text(encoding="utf-8")
    told = "\n".join(f"    {name}: {value}" for name, value in settings.items())
    paths.config.write_text(said.replace("judges:\n", f"judges:\n  eye:\n{told}\n"), encoding="utf-8")


def test_whole_questions_are_drawn_by_hash_until_there_are_enough() -> None:
    person = pl.DataFrame({"question_id": list("aaabbbcccddd"), "unit_id": [str(n) for n in range(12)]})
    drawn = draw_pairs(person, n_pairs=5, seed=1)
    assert drawn.height == 6
    assert drawn.equals(draw_pairs(person.reverse(), n_pairs=5, seed=1))
    assert draw_pairs(person, n_pairs=100, seed=1).height == 12
    assert len({tuple(draw_pairs(person, n_pairs=3, seed=seed)["question_id"]) for seed in range(9)}) > 1


@pytest.mark.road
def test_calibrating_asks_compares_records_and_tells_the_cost(copy_road, endpoint) -> None:
    paths = copy_road()
    declare(paths, endpoint.base_url)
    endpoint.script = lambda shown, _: says("irrelevant", shown)
    before = calibrate_judge(paths, name="eye", n_pairs=30, n_repeated=0, only_cost=True)
    assert (endpoint.n_requests, before.trust, before.per_verdict) == (0, None, None)
    assert before.run.n_calls > 0
    assert set(before.n_labelled) == {"generator-truth"}

    found = calibrate_judge(paths, name="eye", n_pairs=30, n_repeated=5)
    assert found.n_pairs >= 30
    assert endpoint.n_requests == found.outcome["n_pairs"] + 5
    assert found.trust.flips.value == 0.0
    assert found.trust.all.table["irrelevant", "irrelevant"] > 0
    assert found.trust.all.table["sufficient", "sufficient"] == 0
    assert found.trust.boundary.raw.value == 0.0
    assert (found.per_verdict.n_tokens, found.per_verdict.usd) == (1050, pytest.approx(0.0011))
    assert found.run.usd == pytest.approx(found.run.n_calls * 0.0011)
    assert found.paid["n_tokens"] == endpoint.n_requests * 1050

    n_asked = endpoint.n_requests
    again = calibrate_judge(paths, name="eye", n_pairs=30, n_repeated=0)
    assert endpoint.n_requests == n_asked
    assert again.trust.all == found.trust.all
    with session(paths) as ledger:
        verdicts = ledger.table("judging.verdict").filter(pl.col("judge_id") == found.judge_id)
        calls = ledger.table("judging.call")
        labels = ledger.table("labels.label")
    assert verdicts.height == found.outcome["n_pairs"]
    assert calls["n_requests"].sum() == n_asked
    assert labels.filter(pl.col("judge_id") == found.judge_id).is_empty()


@pytest.mark.road
def test_what_gave_no_verdict_is_told_and_no_grade(copy_road, endpoint) -> None:
    paths = copy_road()
    declare(paths, endpoint.base_url)
    endpoint.script = lambda *_: completion(None, refusal="I cannot")
    found = calibrate_judge(paths, name="eye", n_pairs=10, n_repeated=3)
    assert found.trust.n_without == found.n_pairs
    assert found.trust.all.raw.reason == "no_audited_pairs"
    assert found.trust.flips.reason == "none_asked_twice"
    assert str(found.outcome["failures"]).startswith("refused ")


def test_an_undeclared_judge_is_named(tmp_path) -> None:
    make_twelve(home=tmp_path / "twelve")
    with pytest.raises(UnknownName, match=r"no judge 'eye' in eval\.yaml; declared: text"):
        calibrate_judge(ProjectPaths(home=tmp_path / "twelve"), name="eye", n_pairs=5, n_repeated=0)


def test_without_labels_of_people_there_is_nothing_to_compare_with(tmp_path) -> None:
    make_twelve(home=tmp_path / "twelve")
    with pytest.raises(InputError, match="labels import"):
        calibrate_judge(ProjectPaths(home=tmp_path / "twelve"), name="text", n_pairs=5, n_repeated=0)
