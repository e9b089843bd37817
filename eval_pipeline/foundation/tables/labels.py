"""Tables of candidate pairs, labels, joint sets, audit samples and effective pools."""

from eval_pipeline.foundation.frames import Table, flag, integer, moment, real, text

GRADES = ("sufficient", "supporting", "irrelevant")
AUTHOR_KINDS = ("human", "developer", "generator-truth", "ticket", "import", "judge")

CANDIDATE = Table(
    name="labels.candidate",
    grain="one row per question x unit x source that put it into the pool",
    key=("question_id", "unit_id", "source"),
    columns=(
        text("question_id", "Question."),
        text("unit_id", "Unit to be labelled for it."),
        text("source", "`gold`, `negative:AXIS`, `random`, or `variant:NAME`."),
        integer("rank", "Best rank in that source; null for gold.", nullable=True, in_equality=False),
    ),
)

LABEL = Table(
    name="labels.label",
    grain="one row per judgment of a pair",
    key=("label_id",),
    columns=(
        text("label_id", "Hash of the pair, grade, author and the label it replaces."),
        text("question_id", "Question."),
        text("unit_id", "Unit."),
        text("relation", "Relation under which it was judged."),
        text("grade", "Grade; null for a retraction of the replaced label.", nullable=True, allowed=GRADES),
        text("author_kind", "Who judged.", allowed=AUTHOR_KINDS),
        text("author", "Name: person, ticket, file or judge."),
        text("judge_id", "Judge version; null for others.", nullable=True),
        text("reason", "Why, in the author's words; may be empty."),
        flag("is_blind", "True when the author had not seen the model's answer."),
        text(
            "replaces_label_id", "Label of the same author that this one replaces; null for the first.", nullable=True
        ),
        text("origin_label_id", "Label from which this one was carried; null otherwise.", nullable=True),
        moment("decided_at_utc", "When."),
    ),
)

JOINT_SET = Table(
    name="labels.joint_set",
    grain="one row per set of jointly sufficient units x unit",
    key=("joint_set_id", "unit_id"),
    columns=(
        text("joint_set_id", "Hash of question, units and author."),
        text("question_id", "Question."),
        text("unit_id", "Unit in the set."),
        text("author_kind", "Who said so.", allowed=AUTHOR_KINDS),
        text("author", "Name."),
    ),
)

AUDIT_QUESTION = Table(
    name="labels.audit_question",
    grain="one row per question x audit settings: whether it was drawn",
    key=("question_id", "settings_id"),
    columns=(
        text("question_id", "Question."),
        text("settings_id", "Hash of share and seed."),
        real("inclusion_probability", "Chance of this question to be drawn.", in_equality=False),
        flag("is_drawn", "True for questions in the audit."),
    ),
)

EFFECTIVE_POOL = Table(
    name="labels.effective_pool",
    grain="one row per question x pool x promotions",
    key=("question_id", "pool_id", "promoted_id"),
    columns=(
        text("question_id", "Question."),
        text("pool_id", "Pool of its first gold unit."),
        text("promoted_id", "Hash of the promoted unit ids."),
        text("promoted_unit_ids", "Units taken out because they are sufficient, as a JSON list."),
        integer("n_effective", "Hard negatives left."),
    ),
)

ALL = (CANDIDATE, LABEL, JOINT_SET, AUDIT_QUESTION, EFFECTIVE_POOL)
