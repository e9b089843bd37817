"""Tables of variants, runs and rankings."""

from eval_pipeline.foundation.frames import Table, flag, integer, real, text

VARIANT = Table(
    name="runs.variant",
    grain="one row per variant, by full configuration",
    key=("variant_id",),
    columns=(
        text("variant_id", "Hash of the full configuration, encoder included."),
        text("name", "Name in eval.yaml, or `control-...`."),
        text("kind", "Type of retriever."),
        text("configuration", "Canonical JSON."),
        flag("is_control", "True for controls."),
        text("encoder_id", "Encoder that it uses; null without one.", nullable=True),
    ),
)

RETRIEVAL_RUN = Table(
    name="runs.retrieval_run",
    grain="one row per variant x corpus snapshot",
    key=("retrieval_run_id",),
    columns=(
        text("retrieval_run_id", "Hash of variant and corpus snapshot."),
        text("variant_id", "Variant."),
        text("batch_id", "Corpus snapshot that was searched."),
        integer("depth", "Places stored per stage."),
    ),
)

QUESTION_RANKING = Table(
    name="runs.question_ranking",
    grain="one row per run x question x stage",
    key=("retrieval_run_id", "question_id", "stage"),
    columns=(
        text("retrieval_run_id", "Run."),
        text("question_id", "Question."),
        text(
            "stage",
            "`image.exact`, `image.ann`, `lexical`, `returned`, `fused`, `reranked`, `eligible`, `final`, a name of "
            "an outside retriever, or `arena:NAME` for scored arenas.",
        ),
        text("ranking_id", "Hash of variant, question, stage and the unit ids in order."),
        integer("n_units", "Length of the list; 0 is an empty answer, no row is a question not run."),
        text("notes", "`truncated`, `single-source`, ... as a JSON list."),
    ),
)

RANKING = Table(
    name="runs.ranking",
    grain="one row per ranking x rank",
    key=("ranking_id", "rank"),
    columns=(
        text("ranking_id", "Ranking."),
        integer("rank", "1-based."),
        text("unit_id", "Unit."),
        real("score", "Score of the retriever at this stage: higher is better."),
    ),
)

FAILED_QUESTION = Table(
    name="runs.failed_question",
    grain="one row per run x question x way in which it was not answered",
    key=("failure_id",),
    columns=(
        text("failure_id", "Hash of run, question, reason and detail."),
        text("retrieval_run_id", "Run."),
        text("question_id", "Question; it has no ranking in this run until it is asked again and answered."),
        text("reason", "`time-out`, `status 503`, `unreachable`, `not asked`, `malformed reply`, ..."),
        text("detail", "What was found."),
    ),
)

TIMING = Table(
    name="runs.timing",
    grain="one row per run x question x stage that was measured",
    key=("retrieval_run_id", "question_id", "stage"),
    columns=(
        text("retrieval_run_id", "Run."),
        text("question_id", "Question."),
        text("stage", "Stage, or `all` for the whole answer."),
        real("elapsed_s", "Seconds; questions that are searched together share alike."),
    ),
)

ALL = (VARIANT, RETRIEVAL_RUN, QUESTION_RANKING, RANKING, FAILED_QUESTION, TIMING)
