"""JSON objects, one a line, read as text."""

import json
import unicodedata
from typing import Any

from eval_pipeline.corpus.text_rows import BadRow, TextRow, TextRows, fault_of_values


def read_jsonl(text: str) -> TextRows:
    """Read JSON objects, one a line; numbers stay as they are written, null and an empty text are missing."""
    rows, bad = [], []
    columns: dict[str, None] = {}
    for line, content in enumerate(text.split("\n"), start=1):
        if not content.strip():
            continue
        try:
            values = _json_values(content)
        except ValueError as error:
            bad.append(BadRow(line=line, detail=f"not a JSON object of values: {error}"))
            continue
        columns.update(dict.fromkeys(values))
        rows.append(TextRow(line=line, values={name: value for name, value in values.items() if value}))
    return TextRows(columns=tuple(columns), rows=tuple(rows), bad=tuple(bad))


def _json_values(content: str) -> dict[str, str]:
    def refuse(name: str) -> str:
        message = f"{name} is not a JSON value"
        raise ValueError(message)

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        named = {unicodedata.normalize("NFC", name): value for name, value in pairs}
        if len(named) < len(pairs):
            message = "a key stands twice"
            raise ValueError(message)
        return named

    parsed = json.loads(content, parse_int=str, parse_float=str, parse_constant=refuse, object_pairs_hook=once)
    if not isinstance(parsed, dict):
        message = f"found a {type(parsed).__name__}"
        raise ValueError(message)
    values = {name: _json_text(value) for name, value in parsed.items()}
    if fault := fault_of_values(tuple(values.values())):
        raise ValueError(fault)
    "".join(values.values()).encode()  # a lone surrogate is a UnicodeEncodeError, which is a ValueError
    return values


def _json_text(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case str():
            return value
        case list() if all(isinstance(item, str) for item in value):
            return ";".join(value)
        case _:
            return json.dumps(value, ensure_ascii=False, sort_keys=True)
