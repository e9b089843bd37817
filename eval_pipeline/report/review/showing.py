"""What the templates are given: words, addresses and numbers, ready to print."""

from collections.abc import Mapping
from datetime import datetime
from urllib.parse import quote

import jinja2

from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.labels.deciding import Voice
from eval_pipeline.labels.pace import MIN_GAPS
from eval_pipeline.labels.queues import AUDIT, BOUNDARY, DISAGREE, PRIORITY, RETRIEVED, UNGRADED
from eval_pipeline.report.review.basis import Pair
from eval_pipeline.report.review.desk import Desk
from eval_pipeline.report.review.history import history_of, pairs_of
from eval_pipeline.report.review.records import QueueState
from eval_pipeline.report.wording import explain_author
from eval_pipeline.tasks.relations.registry import get_relation

KEYS = {"sufficient": "1", "supporting": "2", "irrelevant": "3"}

QUEUE_WORDS: Mapping[str, tuple[str, str]] = {
    AUDIT: (
        "Audit",
        "Questions drawn by hash, with every page that some retriever brought among its first ones. Only these say how "
        "far the model's labels can be trusted.",
    ),
    PRIORITY: (
        "Priority",
        "Pairs that can change a result: judges that disagree, the line between sufficient and supporting, pages that "
        "many retrievers bring. They take no part in agreement.",
    ),
}

URGENCY_WORDS = {
    DISAGREE: "the judges disagree",
    UNGRADED: "no judge could grade it",
    BOUNDARY: "between sufficient and supporting",
    RETRIEVED: "brought back among the first ones",
}


def make_environment() -> jinja2.Environment:
    """Everything is escaped, and a name that is not there is an error."""
    return jinja2.Environment(
        autoescape=True,
        loader=jinja2.PackageLoader("eval_pipeline.report.review", "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def show_home(desk: Desk, reviewer: str) -> dict[str, object]:
    """Both queues, with what is left."""
    pace = desk.pace_of(reviewer)
    return {
        "reviewer": reviewer,
        "finished": "",
        "queues": [_show_queue(state) for state in desk.queues_for(reviewer)],
        "pace": f"{pace.seconds:.0f} s a pair" if pace.seconds is not None else "",
        "decisions_to_pace": MIN_GAPS + 1,
        "is_blind": desk.settings.is_blind,
        "author_kind": desk.settings.author_kind,
        "people_per_pair": desk.settings.people_per_pair,
    }


def show_pair(desk: Desk, pair: Pair, reviewer: str, asked_from: str) -> dict[str, object]:
    """One pair, the keys and what stands behind them."""
    view = desk.view(pair, reviewer)
    relation = get_relation(view.question.relation)
    states = {state.name: _show_queue(state) for state in desk.queues_for(reviewer)}
    last = desk.last_of(reviewer)
    return {
        "reviewer": reviewer,
        "view": view,
        "asked_from": asked_from if asked_from in states else "",
        "asks": relation.asks,
        "grades": [{"grade": grade, "key": KEYS[grade], "means": relation.grades[grade]} for grade in KEYS],
        "left": states.get(asked_from),
        "mine": show_voice(view.mine) if view.mine else None,
        "others": [show_voice(voice) for voice in view.others],
        "urgency": URGENCY_WORDS.get(view.is_urgent_for) if view.is_urgent_for is not None else None,
        "last": _show_last(desk, *last, here=pair) if last and last[0] != pair else None,
        "is_blind": desk.settings.is_blind,
    }


def show_question(desk: Desk, question_id: str, reviewer: str) -> dict[str, object]:
    """The pages of a question.

    Raises:
        UnknownName: there is no such question, or it may not be shown.
    """
    basis = desk.basis
    if question_id not in basis.questions:
        message = f"no question {question_id!r} is up for review here"
        raise UnknownName(message, name=question_id)
    kind = desk.settings.author_kind
    found = pairs_of(question_id, queued=basis.queued, labels=desk.labels, author=reviewer, author_kind=kind)
    rows = [
        {
            "address": address_of(pair, ""),
            "page": basis.pages[pair[1]],
            "queue": queue,
            "mine": show_voice(mine) if mine else None,
        }
        for pair, queue, mine in found
    ]
    return {"question": basis.questions[question_id], "rows": rows, "reviewer": reviewer}


def show_history(desk: Desk, reviewer: str) -> list[dict[str, object]]:
    """Label rows of people, newest first."""
    basis = desk.basis
    rows = history_of(desk.labels, author=reviewer, author_kind=desk.settings.author_kind)
    return [
        {
            **row,
            "question": basis.questions.get(row["question_id"]),
            "is_shown": row["unit_id"] in basis.pages,
            "said": row["grade"] or "taken back",
            "who": f"{row['author']}, {explain_author(row['author_kind'])}",
            "when": _tell(row["decided_at_utc"]),
            "address": address_of((row["question_id"], row["unit_id"]), ""),
        }
        for row in rows
    ]


def address_of(pair: Pair, queue: str) -> str:
    """Where a pair is shown; `queue` is where to go on after it."""
    asked = f"?queue={quote(queue, safe='')}" if queue else ""
    return f"/pair/{quote(pair[0], safe='')}/{quote(pair[1], safe='')}{asked}"


def show_voice(voice: Voice) -> dict[str, str]:
    """Who says what, since when; a stand-in reviewer is never called a person."""
    return {
        "label_id": voice.label_id,
        "grade": voice.grade,
        "author": voice.author,
        "kind": explain_author(voice.author_kind),
        "when": _tell(voice.decided_at_utc),
    }


def tell_minutes(minutes: float | None) -> str:
    """`about 12 minutes`, `under a minute`, `about 3 hours`; empty where it is not known.

    >>> [tell_minutes(value) for value in (None, 0.0, 0.4, 12.3, 200.0)]
    ['', 'nothing left', 'under a minute', 'about 12 minutes', 'about 3.3 hours']
    """
    if minutes is None:
        return ""
    if minutes == 0:
        return "nothing left"
    if minutes < 1:
        return "under a minute"
    if minutes >= 120:
        return f"about {minutes / 60:.1f} hours"
    return f"about {minutes:.0f} minute{'' if round(minutes) == 1 else 's'}"


def _show_queue(state: QueueState) -> dict[str, object]:
    name, about = QUEUE_WORDS[state.name]
    total = state.n_open + state.n_done
    return {
        "key": state.name,
        "name": name,
        "about": about,
        "n_open": state.n_open,
        "n_contested": state.n_contested,
        "n_done": state.n_done,
        "share": round(100 * state.n_done / total) if total else 100,
        "minutes": tell_minutes(state.minutes_left),
    }


def _show_last(desk: Desk, pair: Pair, voice: Voice, *, here: Pair) -> dict[str, str]:
    """The decision before this one; its question only where it was another one."""
    question = desk.basis.questions.get(pair[0]) if pair[0] != here[0] else None
    return {
        **show_voice(voice),
        "question": question.text if question else "",
        "question_id": pair[0],
        "unit_id": pair[1],
        "address": address_of(pair, ""),
    }


def _tell(moment: object) -> str:
    return moment.strftime("%Y-%m-%d %H:%M:%S UTC") if isinstance(moment, datetime) else ""
