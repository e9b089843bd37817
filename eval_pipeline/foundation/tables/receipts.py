"""Tables of receipts and the evidence that they rest on."""

from eval_pipeline.foundation.frames import Table, flag, integer, real, text

RECEIPT = Table(
    name="receipts.receipt",
    grain="one row per measure x question x what it rests on",
    key=("receipt_id",),
    columns=(
        text("receipt_id", "Hash of measure, policies, question, variant, arena members, ranked units read, labels."),
        text("measure", "Name of the measure, which is its whole definition."),
        text("contract_id", "Contract that declared it."),
        text("question_id", "Question."),
        text("variant_id", "Variant."),
        text("arena", "`random`, `siblings` or `corpus`."),
        text("arena_id", "Hash of the candidates of this question in this arena."),
        text("pool_id", "Hard-negative pool behind the arena; null without one.", nullable=True),
        real("value", "Value; null where there is a reason instead.", nullable=True, in_equality=True),
        text("reason", "`scored`, or why there is no value."),
        integer(
            "n_candidates",
            "Units in the arena; null for `corpus`, whose size is that of the night and stands with the figure.",
            nullable=True,
        ),
        integer("n_read", "Ranked units read."),
        integer("n_unjudged", "Of these, without a label."),
        text(
            "stage_loss", "Stage that lost the evidence; null where nothing was lost or it is not known.", nullable=True
        ),
        flag("is_censored", "True when gold was not returned and counts as below all."),
    ),
)

RECEIPT_UNIT = Table(
    name="receipts.receipt_unit",
    grain="one row per receipt x ranked unit read",
    key=("receipt_id", "rank"),
    columns=(
        text("receipt_id", "Receipt."),
        integer("rank", "1-based rank within the arena."),
        text("unit_id", "Unit."),
    ),
)

RECEIPT_LABEL = Table(
    name="receipts.receipt_label",
    grain="one row per receipt x label that it rests on",
    key=("receipt_id", "label_id"),
    columns=(
        text("receipt_id", "Receipt."),
        text("label_id", "Label in force on a unit that was read, or that counts in R."),
    ),
)

RECEIPT_NEGATIVE = Table(
    name="receipts.receipt_negative",
    grain="one row per receipt x negative of its arena",
    key=("receipt_id", "negative_unit_id"),
    columns=(
        text("receipt_id", "Receipt."),
        text("negative_unit_id", "Negative in the arena."),
        text("axis", "Axis it differs on; `random` in the random arena."),
        integer("rank", "Its rank in the pool."),
    ),
)

MEMBER_LIST = Table(
    name="receipts.member_list",
    grain="one row per list of receipts, named by its content",
    key=("list_id",),
    columns=(
        text("list_id", "Hash of the sorted receipt ids."),
        text("receipt_ids", "Sorted receipt ids, as a JSON list."),
        integer("n_receipts", "Length."),
    ),
)

ALL = (RECEIPT, RECEIPT_UNIT, RECEIPT_LABEL, RECEIPT_NEGATIVE, MEMBER_LIST)
