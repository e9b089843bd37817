"""Canonical JSON that keeps text as it was written."""

import json


def spell_json(value: object) -> str:
    """Sorted keys, no blanks, text byte for byte (ids use NFC; what a user wrote stays as written)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
