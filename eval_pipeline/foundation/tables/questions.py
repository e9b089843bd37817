"""Tables of questions, their gold units and whether they are well posed."""

from eval_pipeline.foundation.frames import Table, flag, integer, moment, real, text
from eval_pipeline.foundation.tables.judging import CALL_OUTCOMES, COST, witness

QUESTION = Table(
    name="questions.question",
    grain="one row per question, by content",
    key=("question_id",),
    columns=(
        text("question_id", "Hash of text, gold units, writer, parent and of a user's id and answer."),
        text("text", "The question as a retriever gets it."),
        text("origin", "Where it came from.", allowed=("written", "qualified", "import", "ticket")),
        text("writer", "Writer and version, or the file that was imported."),
        text("parent_question_id", "Question that this one qualifies; null otherwise.", nullable=True),
        text("declared_id", "The user's own question id; null for written ones.", nullable=True),
        text("expected_answer", "Answer as the writer or the user gave it; no judge ever sees it.", nullable=True),
        text("subject", "Metric phrase asked for, as the writer read it; null where unknown.", nullable=True),
        text("named_axes", "Axes that the text names, declared or not, sorted, as a JSON list."),
        text("query_form", "How it is asked: `question text`, ..."),
        text("relation", "Relation of the task: `evidence`, ..."),
    ),
)

QUESTION_GOLD = Table(
    name="questions.question_gold",
    grain="one row per question x gold unit; questions without any have no row",
    key=("question_id", "position"),
    columns=(
        text("question_id", "Question."),
        integer("position", "1-based, in declared order; the first draws the negatives."),
        text("unit_id", "Gold unit."),
    ),
)

SAMPLED_TEMPLATE = Table(
    name="questions.sampled_template",
    grain="one row per template state x sampling settings that was worked through",
    key=("template_id", "members_hash", "settings_id"),
    columns=(
        text("template_id", "Template."),
        text("members_hash", "State of the template."),
        text("settings_id", "Hash of sampling settings and writers."),
        integer("n_pages", "Pages sampled."),
        integer("n_questions", "Questions written."),
    ),
)

CANDIDATE_QUESTION = Table(
    name="questions.candidate_question",
    grain="one row per template state x sampling settings x question",
    key=("template_id", "members_hash", "settings_id", "question_id"),
    columns=(
        text("template_id", "Template of the page that the question was written from."),
        text("members_hash", "State of the template."),
        text("settings_id", "Sampling settings."),
        text("question_id", "Question."),
        real("inclusion_probability", "Chance of its page to be sampled."),
    ),
)

WRITTEN_PAGE = Table(
    name="questions.written_page",
    grain="one row per time that a paid writer was asked about a page",
    key=("writer", "unit_id", "attempt"),
    columns=(
        text("writer", "Writer and version."),
        text("unit_id", "The one page that it saw."),
        integer("attempt", "1 for the first time; 0 where it was not asked and the page waits."),
        witness("outcome", "`written`, or why nothing was.", allowed=("written", *CALL_OUTCOMES[1:])),
        witness("detail", "The failure in words, or what of the reply was left out and why; may be empty."),
        witness(
            "written",
            "Questions as a JSON list: text, expected_answer, evidence, named (words by axis); null after a failure.",
            nullable=True,
        ),
        *COST,
        moment("asked_at_utc", "When."),
    ),
)

IMPORTED_QUESTION = Table(
    name="questions.imported_question",
    grain="one row per import source x corpus snapshot x question",
    key=("source_id", "batch_id", "question_id"),
    columns=(
        text("source_id", "Hash of the import file's content and mapping, or of the ticket."),
        text("batch_id", "Corpus snapshot against which its gold units were looked up."),
        text("question_id", "Question."),
        text("kind", "What it is.", allowed=("import", "ticket")),
    ),
)

WELL_POSEDNESS = Table(
    name="questions.well_posedness",
    grain="one row per question x pool x judge version x policy x version of the rules",
    key=("question_id", "pool_id", "judge_id", "policy", "posing_version"),
    columns=(
        text("question_id", "Question."),
        text("pool_id", "Pool that was judged; empty text where the question has no gold unit."),
        text("judge_id", "Judge version."),
        text("policy", "`drop` or `promote`: what a still answerable child means."),
        text("posing_version", "Version of the code that asked, decided and qualified."),
        text(
            "outcome",
            "What became of it.",
            allowed=("well_posed", "gold_fails", "answerable", "unresolved", "no_gold", "waiting"),
        ),
        text(
            "slice",
            "Slice it belongs to; null when it is in none.",
            nullable=True,
            allowed=("main", "under-specified", "regression"),
        ),
        text("reason", "The reason in words, as MEASURES 2 spells it; `well posed` for well-posed ones."),
        text("failing_axes", "Axes with a yes, in declared order, as a JSON list."),
        text("failing_unit_id", "First negative with a yes; null without one.", nullable=True),
        text("promoted_unit_ids", "Negatives promoted to sufficient, as a JSON list."),
        text("child_question_id", "Question that qualifies this one; null without one.", nullable=True),
        integer("n_judged", "Negatives judged."),
        integer("n_abstained", "Of these, abstentions."),
        flag("gold_abstained", "True when the judge abstained on the gold unit."),
    ),
)

ALL = (
    QUESTION,
    QUESTION_GOLD,
    SAMPLED_TEMPLATE,
    CANDIDATE_QUESTION,
    WRITTEN_PAGE,
    IMPORTED_QUESTION,
    WELL_POSEDNESS,
)
