"""Tables of judges and their verdicts."""

from eval_pipeline.foundation.frames import Table, integer, moment, real, text

JUDGE = Table(
    name="judging.judge",
    grain="one row per judge version",
    key=("judge_id",),
    columns=(
        text("judge_id", "Hash of everything that could change a verdict."),
        text("name", "Name in eval.yaml."),
        text("kind", "Type of judge: text-match, vlm, ..."),
        text("settings", "Settings as canonical JSON."),
    ),
)

VERDICT = Table(
    name="judging.verdict",
    grain="one row per verb x question x unit content x judge version",
    key=("verdict_id",),
    columns=(
        text("verdict_id", "Hash of verb, question text, picture hash, text hash and judge."),
        text("verb", "What was asked.", allowed=("answers", "label")),
        text("question_id", "Question."),
        text("unit_id", "Unit that was judged first under this id."),
        text("judge_id", "Judge version."),
        text(
            "outcome",
            "yes, no or abstain for `answers`; a grade or abstain for `label`.",
            allowed=("yes", "no", "sufficient", "supporting", "irrelevant", "abstain"),
        ),
        text("reason", "The judge's words."),
        real("confidence", "0 to 1; null where the judge gives none.", nullable=True),
        integer("n_tokens", "Tokens paid; null for judges that cost none.", nullable=True, in_equality=False),
        real("elapsed_s", "Seconds taken; null where not measured.", nullable=True),
        moment("decided_at_utc", "When it was decided."),
    ),
)

ALL = (JUDGE, VERDICT)
