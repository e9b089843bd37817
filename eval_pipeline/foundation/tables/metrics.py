"""Tables of figures and of the evaluations that made them."""

from eval_pipeline.foundation.frames import Table, flag, integer, real, text

EVALUATION = Table(
    name="metrics.evaluation",
    grain="one row per contract x corpus snapshot x label snapshot x question set x variants",
    key=("evaluation_id",),
    columns=(
        text("evaluation_id", "Hash of all that the figures rest on."),
        text("contract_id", "Contract."),
        text("batch_id", "Corpus snapshot."),
        text("label_snapshot_id", "Hash of the labels in force."),
        text("question_set_id", "Hash of the questions of the contract's slice."),
        text("template_version_id", "Clustering behind the negatives; null without templates.", nullable=True),
        text("funnel", "Counts from written to well posed, as canonical JSON."),
        text("stamps", "What every figure must carry, such as a failed control check, as a JSON list."),
    ),
)

EVALUATION_TURN = Table(
    name="metrics.evaluation_turn",
    grain="one row per contract x time that another evaluation came into force; the highest turn is in force",
    key=("contract_id", "turn"),
    columns=(
        text("contract_id", "Contract."),
        integer("turn", "1 for the first, one more whenever what is in force changed, back to an earlier one too."),
        text("evaluation_id", "Evaluation in force from then on."),
    ),
)

METRIC = Table(
    name="metrics.metric",
    grain="one row per evaluation x variant x arena x slice x measure",
    key=("metric_id",),
    columns=(
        text("metric_id", "Hash of measure, contract, variant, arena, slice, denominator and members."),
        text("evaluation_id", "Evaluation."),
        text("variant_id", "Variant."),
        text("retrieval_run_id", "Run that was scored."),
        text("arena", "Arena."),
        text("slice", "Declared slice, `all` for the whole set."),
        text("slice_value", "Value of the slice, `all` for the whole set."),
        text("measure", "Measure."),
        real("estimate", "Mean over questions with a value; null with a reason.", nullable=True, in_equality=True),
        text("reason", "`scored`, or why there is no estimate."),
        real("low", "Lower end of the interval; null with an interval reason.", nullable=True, in_equality=True),
        real("high", "Upper end of the interval; null with an interval reason.", nullable=True, in_equality=True),
        text("interval", "Method (`wilson`, `bca`, `cluster-bootstrap`) or why there is none."),
        integer("n_questions", "Questions in the slice."),
        integer("n_scored", "Of these, with a value: the denominator."),
        integer(
            "n_candidates_min", "Units in the smallest arena of a scored question; null without one.", nullable=True
        ),
        integer("n_candidates_max", "Units in the largest one; null without one.", nullable=True),
        text("policy_counts", "How many questions each policy touched, as canonical JSON."),
        text("denominator_id", "Hash of question set, arena, corpus snapshot, label snapshot and contract."),
        real(
            "chance",
            "Value of a coin of the arena's sizes; null where it has no meaning.",
            nullable=True,
            in_equality=True,
        ),
        text("member_list_id", "Content-named list of the receipts behind it."),
        flag("is_late", "True when the contract was registered after the run's first ranking."),
    ),
)

ALL = (EVALUATION, EVALUATION_TURN, METRIC)
