"""Labels as JSON tasks of Label Studio (its documented task format), and the labelling interface they fit."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from eval_pipeline.corpus.refusals import Refusal
from eval_pipeline.foundation.errors import TableError
from eval_pipeline.foundation.ids import hash_bytes
from eval_pipeline.foundation.tables.labels import GRADES
from eval_pipeline.labels.exchange.rows import PICTURES, InRow, OutRow, ReadFile

GRADE, REASON = "grade", "reason"
LOCAL_FILES = "/data/local-files/?d="
"""Where Label Studio serves files below its document root (LABEL_STUDIO_LOCAL_FILES_DOCUMENT_ROOT)."""

INTERFACE = """\
<View>
  <Header value="$question"/>
  <Image name="page" value="$picture" zoom="true" zoomControl="true"/>
  <Choices name="grade" toName="page" choice="single" required="true">
    <Choice value="sufficient" hotkey="1"/>
    <Choice value="supporting" hotkey="2"/>
    <Choice value="irrelevant" hotkey="3"/>
  </Choices>
  <TextArea name="reason" toName="page" rows="2" maxSubmissions="1"/>
  <Text name="text" value="$text"/>
</View>
"""


def write_tasks(rows: list[OutRow]) -> bytes:
    """JSON list of tasks, in the order of the rows; labels that were given are annotations of their pair's task."""
    tasks: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        task = tasks.setdefault((row.question_id, row.unit_id), _task(row))
        if row.grade:
            task["annotations"].append(_annotation(row))
    return (json.dumps(list(tasks.values()), ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def read_tasks(path: Path, *, name: str) -> ReadFile:
    """Read an export of Label Studio (JSON, not JSON-MIN) back; cancelled annotations and drafts say nothing.

    Raises:
        TableError: the file is no JSON list.
    """
    data = path.read_bytes()
    try:
        tasks = json.loads(data.decode("utf-8-sig"))
    except ValueError as error:
        message = f"{name} is no JSON in UTF-8: {error}; export from Label Studio as JSON"
        raise TableError(message, path=name) from error
    if not isinstance(tasks, list):
        message = f"{name}: a list of tasks is expected, found {type(tasks).__name__}; export as JSON, not JSON-MIN"
        raise TableError(message, path=name)
    content_hash = hash_bytes(data)
    rows: list[InRow] = []
    refused: list[Refusal] = []
    for number, task in enumerate(tasks, start=1):
        for read in _read_task(task, f"task {number}"):
            if isinstance(read, InRow):
                rows.append(read)
            else:
                place, detail = read
                refused.append(_refuse(name, place, detail, content_hash))
    return ReadFile(name=name, content_hash=content_hash, rows=tuple(rows), refused=tuple(refused))


def _task(row: OutRow) -> dict[str, Any]:
    data = {
        "question_id": row.question_id,
        "unit_id": row.unit_id,
        "question": row.question,
        "relation": row.relation,
        "source": row.source,
        "queue": row.queue,
        "picture": f"{LOCAL_FILES}{PICTURES}/{row.picture_name}",
        "text": row.text,
        "blind": row.is_blind,
    }
    predictions = [
        {"model_version": judge, "result": [_choice(grade)]}
        for judge, grade in sorted(row.model_answers.items())
        if grade in GRADES
    ]
    return {"data": data, "annotations": [], **({"predictions": predictions} if predictions else {})}


def _annotation(row: OutRow) -> dict[str, Any]:
    result = [_choice(row.grade)]
    if row.reason:
        text = {"from_name": REASON, "to_name": "page", "type": "textarea", "value": {"text": [row.reason]}}
        result.append(text)
    return {
        "completed_by": {"email": row.reviewer},
        "was_cancelled": False,
        "created_at": row.decided_at,
        "author_kind": row.author_kind,
        "blind": row.is_blind,
        "result": result,
    }


def _choice(grade: str) -> dict[str, Any]:
    return {"from_name": GRADE, "to_name": "page", "type": "choices", "value": {"choices": [grade]}}


def _read_task(task: Any, place: str) -> Iterator[InRow | tuple[str, str]]:
    data = task.get("data") if isinstance(task, Mapping) else None
    annotations = task.get("annotations") if isinstance(task, Mapping) else None
    if not isinstance(data, Mapping) or not isinstance(annotations, list):
        yield place, "a task with 'data' and a list of 'annotations' is expected"
        return
    for number, annotation in enumerate(annotations, start=1):
        where = f"{place}, annotation {number}"
        if not isinstance(annotation, Mapping) or not isinstance(annotation.get("result"), list):
            yield where, "an annotation with a list 'result' is expected"
        elif not annotation.get("was_cancelled"):
            yield _read_annotation(data, annotation, where)


def _read_annotation(data: Mapping[str, Any], annotation: Mapping[str, Any], place: str) -> InRow | tuple[str, str]:
    chosen = _values(annotation["result"], GRADE, "choices")
    if len(chosen) > 1:
        return place, f"one grade is expected, found {', '.join(chosen)}"
    return InRow(
        place=place,
        question_id=_text(data.get("question_id")),
        unit_id=_text(data.get("unit_id")),
        grade=chosen[0] if chosen else "",
        reviewer=_who(annotation.get("completed_by")),
        author_kind=_text(annotation.get("author_kind")),
        reason="\n".join(_values(annotation["result"], REASON, "text")),
        blind=_text(annotation.get("blind", data.get("blind"))).lower(),
        decided_at=_text(annotation.get("updated_at") or annotation.get("created_at")),
    )


def _values(result: list[Any], control: str, key: str) -> list[str]:
    found: list[str] = []
    for part in result:
        value = part.get("value") if isinstance(part, Mapping) and part.get("from_name") == control else None
        given = value.get(key) if isinstance(value, Mapping) else None
        found += [_text(one) for one in (given if isinstance(given, list) else [given]) if one is not None]
    return found


def _who(completed_by: Any) -> str:
    """An address where there is one, else the number that Label Studio gives its users."""
    if isinstance(completed_by, Mapping):
        return _text(completed_by.get("email") or completed_by.get("username") or completed_by.get("id"))
    return _text(completed_by)


def _text(value: Any) -> str:
    return "" if value is None else str(value).strip()


def _refuse(name: str, place: str, detail: str, content_hash: str) -> Refusal:
    return Refusal(
        source_path=name,
        place=place,
        reason="unreadable row",
        detail=detail,
        next_step="export the tasks again as JSON",
        content_hash=content_hash,
    )
