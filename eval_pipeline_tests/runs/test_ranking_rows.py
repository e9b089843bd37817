from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.foundation.protocols import RankedUnit
from eval_pipeline.runs.ranking_rows import RankingRows
from eval_pipeline.runs.variants import declare_variants

VARIANTS = {variant.name: variant for variant in declare_variants(config=ProjectConfig(), encoder_id="enc")}


def ranking_id(name: str, *pairs: tuple[str, float], question: str = "q", stage: str = "final") -> str:
    rows = RankingRows(variant=VARIANTS[name])
    rows.add(question, stage, [RankedUnit(unit_id=unit, score=score) for unit, score in pairs], ())
    return str(rows.question_rankings("run")["ranking_id"].item())


def test_the_id_covers_variant_question_stage_and_order_but_no_score() -> None:
    usual = ranking_id("text", ("a", 2.0), ("b", 1.0))
    assert ranking_id("text", ("a", 0.2), ("b", 0.1)) == usual
    others = {
        ranking_id("image", ("a", 2.0), ("b", 1.0)),
        ranking_id("text", ("b", 2.0), ("a", 1.0)),
        ranking_id("text", ("a", 2.0)),
        ranking_id("text", ("a", 2.0), ("b", 1.0), question="r"),
        ranking_id("text", ("a", 2.0), ("b", 1.0), stage="eligible"),
        usual,
    }
    assert len(others) == 6


def test_ties_of_controls_take_part() -> None:
    tied = ranking_id("control-template", ("a", 1.0), ("b", 1.0), ("c", 0.0))
    assert tied != ranking_id("control-template", ("a", 1.0), ("b", 0.0), ("c", 0.0))
    assert tied == ranking_id("control-template", ("a", 0.5), ("b", 0.5), ("c", 0.1))


def test_places_are_numbered_from_one_and_an_empty_list_is_a_row_without_places() -> None:
    rows = RankingRows(variant=VARIANTS["text"])
    rows.add("q", "lexical", [], ("truncated",))
    rows.add("q", "final", [RankedUnit(unit_id="a", score=2.0), RankedUnit(unit_id="b", score=2.0)], ())
    assert rows.question_rankings("run").select("stage", "n_units", "notes").rows() == [
        ("lexical", 0, '["truncated"]'),
        ("final", 2, "[]"),
    ]
    assert rows.rankings().select("rank", "unit_id", "score").rows() == [(1, "a", 2.0), (2, "b", 2.0)]
