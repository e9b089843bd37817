"""Tables of judges, their verdicts, and what was paid for them."""

from eval_pipeline.foundation.frames import Column, Table, integer, moment, real, text

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

CONTENT_FAILURES = (
    "cut",
    "filtered",
    "refused",
    "empty",
    "malformed",
    "other pages",
    "missing",
    "doubled",
    "not a verdict",
    "rejected",
)
"""What the endpoint said and what was no verdict: asked at most as often as the judge declares (`asks`)."""
PASSING_FAILURES = (
    "rate limited",
    "server error",
    "timed out",
    "unreachable",
    "no page content",
    "too small to read",
    "failed",
)
"""What may be otherwise next time: asked again in every run."""
NOT_ASKED = ("over budget", "stopped")
"""Pairs that wait because the run stopped asking: one row each, under attempt 0, however many runs stop there."""
GAVE = "verdict"
CALL_OUTCOMES = (GAVE, *CONTENT_FAILURES, *PASSING_FAILURES, *NOT_ASKED)


def witness(name: str, doc: str, *, nullable: bool = False, allowed: tuple[str, ...] = ()) -> Column:
    """Text about one event, which is no part of row equality."""
    return Column(
        name=name, dtype=text(name, doc).dtype, doc=doc, nullable=nullable, allowed=allowed, in_equality=False
    )


COST = (
    witness("finish_reason", "Why the last reply ended, in the endpoint's word; null without one.", nullable=True),
    witness("model", "Model that served it, in the endpoint's word; null without a reply.", nullable=True),
    witness("picture_size", "`WIDTHxHEIGHT` as sent; null where no picture was.", nullable=True),
    witness("shown_order", "Units in the order shown, as a JSON list; null for a single one.", nullable=True),
    integer("n_requests", "Requests sent, retries among them.", in_equality=False),
    integer("n_input_tokens", "Tokens read; null where not told.", nullable=True, in_equality=False),
    integer("n_output_tokens", "Tokens written; null where not told.", nullable=True, in_equality=False),
    real("usd", "Money; null where neither the endpoint nor eval.yaml tells a price.", nullable=True),
    real("elapsed_s", "Seconds, waiting included; null where nothing was asked.", nullable=True),
)
"""What a paid call took: the same columns wherever a call is told of."""

CALL = Table(
    name="judging.call",
    grain="one row per time that a paid judge was asked, or any judge failed, on a verdict",
    key=("verdict_id", "attempt"),
    columns=(
        text("verdict_id", "The verdict that was asked for; there is one of that id where the outcome is `verdict`."),
        integer("attempt", "1 for the first time it was asked; 0 where it was not asked and waits."),
        text("verb", "What was asked.", allowed=("answers", "label")),
        witness("question_id", "Question under which it was asked; another of the same wording may come next time."),
        witness("unit_id", "Unit under which it was asked; likewise."),
        text("judge_id", "Judge version."),
        witness("outcome", "`verdict`, or why there is none.", allowed=CALL_OUTCOMES),
        witness("detail", "The failure in words; empty where there is a verdict."),
        *COST,
        moment("called_at_utc", "When."),
    ),
)

ALL = (JUDGE, VERDICT, CALL)
