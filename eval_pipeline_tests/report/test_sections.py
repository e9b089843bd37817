"""One evaluation, laid out."""

import polars as pl

from eval_pipeline.report.pictures import PictureBook
from eval_pipeline.report.sections import lay_task, name_encoder
from eval_pipeline_tests.report.conftest import CONTRACT, a_corpus, a_figure, a_task, an_example, some_figures


def lay(section=None, **corpus):
    return lay_task(section or a_task(), anchor="task-1", corpus=a_corpus(**corpus), pictures=PictureBook())


def test_every_variant_has_a_table_and_controls_have_none():
    assert [table.variant for table in lay().tables] == ["image", "hybrid"]


def test_the_encoder_is_marked_where_it_is_untrained():
    section = a_task(variant_encoders={"image": "page-clip"})
    assert [table.encoder for table in lay(section, is_trained=False).tables] == ["page-clip (untrained)", ""]
    assert name_encoder(a_corpus(is_trained=True)) == "page-clip"


def test_a_declared_slice_without_a_figure_is_named():
    assert lay().slices_missing == ("template",)


def test_figures_of_slices_that_are_not_charted_are_counted():
    extra = a_figure("image", "corpus", "ap@10", 0.4, slice="axis", slice_value="period")
    frame = pl.concat([some_figures(), pl.DataFrame([extra], schema=some_figures().schema)])
    view = lay(a_task(figures=frame))
    n_empty = some_figures().filter(pl.col("n_scored") == 0).height
    assert len(view.listed) == some_figures().height - n_empty
    assert view.n_unlisted == 1 + n_empty


def test_parts_are_laid_out_and_listed_beside_the_stored_figures():
    stored = some_figures()
    is_moved = (pl.col("variant") == "image") & (pl.col("arena") == "siblings") & (pl.col("measure") == "sufficient@1")
    is_moved &= pl.col("slice") == "all"
    headline = stored.with_columns(estimate=pl.when(is_moved).then(0.3).otherwise("estimate"))
    view = lay(a_task(headline=headline))
    assert view.tables[0].rows[0].cells[1].figure.estimate == 0.3
    assert [(figure.metric_id, figure.estimate) for figure in view.parts] == [
        ("met_image_siblings_sufficient@1_all_all", 0.3)
    ]
    listed = {figure.metric_id: figure.estimate for figure in view.listed}
    assert listed["met_image_siblings_sufficient@1_all_all"] == 0.21


def test_whoever_audited_is_named_by_kind():
    assert lay(a_task(audited_by=("generator-truth",))).auditor == "stand-in reviewer (generator-truth)"
    assert lay(a_task(audited_by=("developer", "human"))).auditor == "developer and person"
    assert lay(a_task()).auditor == "person"


def test_no_figure_is_nothing_to_evaluate():
    view = lay(a_task(figures=some_figures().clear(), funnel={}))
    assert view.is_empty
    assert (view.tables, view.standing, view.slices, view.diagnoses) == ((), (), (), ())
    nought = some_figures().with_columns(
        n_questions=0, n_scored=0, estimate=pl.lit(None, pl.Float64), reason=pl.lit("no_questions")
    )
    assert lay(a_task(figures=nought)).is_empty


def test_the_relation_is_spelled_in_words():
    view = lay()
    assert view.asks.startswith("Could a competent reader")
    assert view.grades[0][0] == "sufficient"
    assert ("questions", "slice: main") in view.declared


def test_the_under_specified_slice_is_read_by_acceptable_pages():
    view = lay(a_task(contract=CONTRACT | {"questions": {"slice": "under-specified"}}))
    assert view.tables[0].rows[0].cells[1].measure == "acceptable@1"


def test_the_lead_picture_is_gold_beside_three():
    assert [card.card.unit_id for card in lay(a_task(examples=(an_example(),))).lead_cards] == ["u_gold", "u_1", "u_2"]
    assert lay(a_task(examples=(an_example(gold=None),))).lead_cards == ()


def test_a_late_run_is_named():
    late = some_figures().with_columns(is_late=pl.col("variant") == "hybrid")
    assert lay(a_task(figures=late)).late == ("hybrid",)
