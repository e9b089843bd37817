"""One line a step, and what the steps say; nothing else."""

import logging
from types import SimpleNamespace

from eval_pipeline.orchestration.progress import ProgressHandler, progress_logger


def _record(level=logging.DEBUG, message="", **meta):
    record = logging.LogRecord("x", level, "", 0, message, None, None)
    record.dagster_meta = meta
    return record


def _event(kind, step):
    return _record(dagster_event=SimpleNamespace(event_type_value=kind), step_key=step)


def test_steps_start_end_and_fail(capsys):
    handler = ProgressHandler()
    for kind in ("STEP_START", "STEP_OUTPUT", "ASSET_MATERIALIZATION", "STEP_SUCCESS"):
        handler.emit(_event(kind, "pages"))
    handler.emit(_event("STEP_FAILURE", "labels"))
    assert capsys.readouterr().err == "  pages\n    done in 0.0 s\n    FAILED: labels\n"


def test_messages_of_assets_pass_and_engine_chatter_does_not(capsys):
    handler = ProgressHandler()
    handler.emit(_record(logging.INFO, orig_message="reading 2 documents of bucket 01"))
    handler.emit(_record(logging.DEBUG, orig_message="chatter"))
    handler.emit(_record(logging.WARNING, message="7 rows differ"))
    assert capsys.readouterr().err == "    reading 2 documents of bucket 01\n    7 rows differ\n"


def test_a_step_that_ends_without_start_has_no_duration(capsys):
    ProgressHandler().emit(_event("STEP_SUCCESS", "pages"))
    assert capsys.readouterr().err == "    done in 0.0 s\n"


def test_logger_is_declared(definitions):
    assert definitions.loggers["progress"] is progress_logger
    made = progress_logger.logger_fn(None)
    assert [type(handler) for handler in made.handlers] == [ProgressHandler]
