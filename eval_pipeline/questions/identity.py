"""Ids of questions."""

from collections.abc import Sequence

from eval_pipeline.foundation.ids import content_id


def question_id_of(
    *,
    text: str,
    gold: Sequence[str],
    writer: str,
    parent: str | None = None,
    declared_id: str | None = None,
    answer: str | None = None,
) -> str:
    """Hash of the text, the gold units in order, the writer, the parent, the user's own id and the user's answer.

    A written question's answer follows from its page and writer; a user may correct one, which makes another question.
    """
    return content_id("qu", [text, list(gold), writer, parent, declared_id, *([] if answer is None else [answer])])
