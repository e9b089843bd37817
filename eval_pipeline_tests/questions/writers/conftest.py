"""A writer that asks the scripted endpoint; nobody sleeps."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from eval_pipeline.judging.endpoint import Endpoint
from eval_pipeline.questions.writers.vlm import VlmWriter, VlmWriterSettings
from eval_pipeline_tests.scripted_endpoint import Scripted, ScriptedEndpoint, Shown, completion


@pytest.fixture
def make_writer(endpoint: ScriptedEndpoint) -> Callable[..., VlmWriter]:
    """A writer that reads text only, unless told otherwise."""

    def make(**settings: Any) -> VlmWriter:
        declared = {"base_url": endpoint.base_url, "model": "m", "sees": ["text"], "timeout_s": 5.0, **settings}
        checked = VlmWriterSettings.model_validate(declared)
        key = "questions.writers.0"
        return VlmWriter(checked, endpoint=Endpoint(checked, path="eval.yaml", key=key, sleep=lambda _: None))

    return make


def an_item(question: str, *, answer: str = "5", evidence: str = "Revenue 5", **named: str) -> dict[str, Any]:
    told = [{"axis": axis, "words": words} for axis, words in named.items()]
    return {"question": question, "answer": answer, "evidence": evidence, "named": told}


def writes(*items: dict[str, Any], shown: Shown, **more: Any) -> Scripted:
    """A well-formed reply."""
    return completion(json.dumps({"page_id": shown.page_id, "questions": list(items)}), **more)
