import pytest

from eval_pipeline.cli.compared import parse_side, read_compared
from eval_pipeline.foundation.errors import InputError, LineageError, UnknownName
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.ledger.sessions import Session

ASK = {"task": "quarterly-evidence", "sides": (), "measure": None, "arena": None}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("image", ("image", None, None)),
        ("image:random", ("image", "random", None)),
        ("image:random@499", ("image", "random@499", None)),
        ("image@evl_0123", ("image", None, "evl_0123")),
        ("image:random@499@evl_0123", ("image", "random@499", "evl_0123")),
    ],
)
def test_a_side_is_a_variant_with_its_arena_and_evaluation(text, expected):
    side = parse_side(text)
    assert (side.variant, side.arena, side.evaluation_id) == expected
    assert side.name == text


def test_every_variant_that_is_no_control_is_read(road_home):
    found = read_compared(ProjectPaths(home=road_home), **ASK)
    assert (found.measure, found.arena) == ("sufficient@1", "siblings")
    assert {"hybrid", "image", "text"} <= set(found.scores)
    assert not any(name.startswith("control-") for name in found.scores)
    assert set(found.slices["slice"]) <= set(found.contract.slices)
    assert found.texts.height >= next(iter(found.scores.values())).denominator.n


def test_names_that_nothing_answers_to(road_home):
    paths = ProjectPaths(home=road_home)
    with pytest.raises(InputError, match="several contracts are evaluated; name one with --contract"):
        read_compared(paths, **{**ASK, "task": None})
    with pytest.raises(UnknownName, match="no evaluation of a contract 'nonsense'"):
        read_compared(paths, **{**ASK, "task": "nonsense"})
    with pytest.raises(UnknownName, match="no variant 'nobody' in siblings; there are "):
        read_compared(paths, **{**ASK, "sides": ("nobody", "image")})
    with pytest.raises(UnknownName, match="has no ndcg@77 in arena siblings"):
        read_compared(paths, **{**ASK, "measure": "ndcg@77"})
    with pytest.raises(UnknownName, match="no evaluation evl_gone"):
        read_compared(paths, **{**ASK, "sides": ("image", "image@evl_gone")})


def test_values_that_do_not_add_up_to_the_stored_denominator_are_told(road_home, monkeypatch):
    read = Session.read

    def less(self, name, **options):
        rows = read(self, name, **options)
        return rows.head(rows.height - 1) if name == "receipts/compared_values" else rows

    monkeypatch.setattr(Session, "read", less)
    with pytest.raises(LineageError, match="stored values add up to the denominator"):
        read_compared(ProjectPaths(home=road_home), **ASK)


def test_clusters_are_named_where_the_contract_draws_whole_ones(road_home, monkeypatch):
    import eval_pipeline.cli.compared as compared

    declared = compared.declared_contracts

    def by_document(paths):
        contracts = declared(paths)
        return {
            name: one.model_copy(update={"resampling": one.resampling.model_copy(update={"unit": "document"})})
            for name, one in contracts.items()
        }

    monkeypatch.setattr(compared, "declared_contracts", by_document)
    side = read_compared(ProjectPaths(home=road_home), **ASK).scores["image"]
    named = side.values.join(side.clusters, on="question_id")
    assert named.height == side.values.height
    assert named["cluster"].null_count() == 0
