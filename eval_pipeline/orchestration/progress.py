"""What a person at a terminal sees while a run goes on: one line a step, and what the steps say."""

import logging
import sys
import time

import dagster as dg


class ProgressHandler(logging.Handler):
    """Writes step starts, ends and the messages of assets to standard error; everything else is left to the UI."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self._started_s: dict[str, float] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line, or none."""
        meta = getattr(record, "dagster_meta", {}) or {}
        line = self._line(record, meta)
        if line:
            sys.stderr.write(line + "\n")
            sys.stderr.flush()

    def _line(self, record: logging.LogRecord, meta: dict[str, object]) -> str | None:
        event = meta.get("dagster_event")
        step = str(meta.get("step_key") or "")
        if event is None:
            return f"    {meta.get('orig_message') or record.getMessage()}" if record.levelno >= logging.INFO else None
        kind = getattr(event, "event_type_value", "")
        if kind == "STEP_START":
            self._started_s[step] = time.monotonic()
            return f"  {step}"
        if kind == "STEP_SUCCESS":
            now = time.monotonic()
            return f"    done in {now - self._started_s.get(step, now):.1f} s"
        if kind == "STEP_FAILURE":
            return f"    FAILED: {step}"
        return None


def _make_logger(_context: dg.InitLoggerContext) -> logging.Logger:
    logger = logging.Logger("eval_pipeline.progress", logging.DEBUG)
    logger.addHandler(ProgressHandler())
    return logger


progress_logger = dg.LoggerDefinition(logger_fn=_make_logger, description="One line a step, for terminals.")
