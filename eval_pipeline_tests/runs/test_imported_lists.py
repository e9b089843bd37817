import polars as pl
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from eval_pipeline.foundation.config import ProjectConfig
from eval_pipeline.runs.declared import PolicySettings
from eval_pipeline.runs.imported_lists import ImportedLists
from eval_pipeline.runs.policy import FinalRetriever
from eval_pipeline.runs.ranking_rows import RankingRows
from eval_pipeline.runs.retrieval_corpus import RetrievalCorpus
from eval_pipeline.runs.run_file import RunFile
from eval_pipeline.runs.run_lines import LookedUp
from eval_pipeline.runs.text import TextRetriever
from eval_pipeline.runs.variants import declare_variants

VARIANT = declare_variants(config=ProjectConfig(), encoder_id="enc")[1]
REFUSED = pl.DataFrame(schema={"line": pl.Int64, "reason": pl.String, "detail": pl.String})


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    scores=st.dictionaries(st.sampled_from("abcd"), st.integers(-2, 2).map(float), min_size=1),
    most=st.none() | st.integers(1, 2),
    cut=st.none() | st.integers(1, 3),
    depth=st.integers(1, 5),
    visible=st.frozensets(st.sampled_from("abcd")),
)
def test_files_are_treated_as_retrievers_are(
    corpus: RetrievalCorpus,
    scores: dict[str, float],
    most: int | None,
    cut: int | None,
    depth: int,
    visible: frozenset[str],
) -> None:
    """The slow oracle is the policy that every retriever goes through."""
    policy = PolicySettings(max_per_document=most, cut_off=cut)
    rows = [("q", unit, score) for unit, score in scores.items()]
    good = pl.DataFrame(
        rows, schema={"question_id": pl.String, "unit_id": pl.String, "score": pl.Float64}, orient="row"
    )
    found = LookedUp(path="x", content_hash="h", good=good, refused=REFUSED)
    lists = ImportedLists(
        declared=RunFile(name="v", path="x", policy=policy),
        files={"x": found},
        units=corpus.units,
        visible=visible,
        notes=(),
        rows=RankingRows(variant=VARIANT),
    )
    lists.add_stages(depth)
    limited = RetrievalCorpus(
        units=corpus.units, texts={}, vectors=None, encoder=None, home=corpus.home, visible=visible
    )
    answer = FinalRetriever(name="v", source=Fixed(scores), corpus=limited, policy=policy).rank("q", depth)
    assert dict(zip(lists.rows.stages, map(list, lists.rows.lists), strict=True)) == {
        stage: list(units) for stage, units in answer.stages.items()
    }


class Fixed(TextRetriever):
    """Answers what it is told to."""

    def __init__(self, scores: dict[str, float]) -> None:
        object.__setattr__(self, "scores", scores)

    def rank(self, question: str, depth: int):  # type: ignore[no-untyped-def]
        from eval_pipeline.foundation.protocols import RankedUnit, StagedRanking

        units = [RankedUnit(unit_id=unit, score=score) for unit, score in self.scores.items()]  # type: ignore[attr-defined]
        return StagedRanking(stages={"returned": units})
