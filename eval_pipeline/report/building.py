"""The report: one HTML file without a script, a link outward or a clock."""

from datetime import timedelta

import jinja2

from eval_pipeline.report.cards import show_sheet
from eval_pipeline.report.data import QUARANTINED, ReportData, fit_frame
from eval_pipeline.report.pictures import PictureBook
from eval_pipeline.report.sections import lay_task, name_encoder
from eval_pipeline.report.two_columns import NO_DIFFERENCE
from eval_pipeline.report.wording import explain_measure, write_count

CODE_VERSION = "3"
"""Raised when the same data may give other bytes."""

MAX_QUARANTINED = 200
"""Rows printed; the rest is counted and the command that lists it is named."""

_UNPRINTABLE = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127), "�")


def build_report(data: ReportData) -> str:
    """Write the page.

    Args:
        data: everything that it shows.

    Returns:
        HTML, to be stored as UTF-8; the same data and pictures give the same text.

    Raises:
        LineageError: a frame does not fit its schema, or a figure contradicts itself.
        ValueError: `made_at_utc` is not in UTC.
    """
    if data.made_at_utc.utcoffset() != timedelta(0):
        message = f"made_at_utc is {data.made_at_utc.isoformat()}; give a time in UTC"
        raise ValueError(message)
    pictures = PictureBook()
    tasks = tuple(
        lay_task(section, anchor=f"task-{number}", corpus=data.corpus, pictures=pictures)
        for number, section in enumerate(data.tasks, start=1)
    )
    quarantine = fit_frame(data.corpus.quarantine, QUARANTINED)
    html = (
        _make_environment()
        .get_template("report.html")
        .render(
            data=data,
            encoder=name_encoder(data.corpus),
            is_empty=all(task.is_empty for task in tasks),
            lead=next((task for task in tasks if task.tables and not task.is_empty), None),
            no_difference=NO_DIFFERENCE,
            made_at=data.made_at_utc.strftime("%Y-%m-%d %H:%M UTC"),
            quarantine=quarantine.head(MAX_QUARANTINED).rows(named=True),
            n_quarantine_left=max(0, quarantine.height - MAX_QUARANTINED),
            sheets=tuple(show_sheet(sheet, pictures) for sheet in data.templates),
            tasks=tasks,
        )
    )
    return html.translate(_UNPRINTABLE).encode("utf-8", "backslashreplace").decode("utf-8")


def _make_environment() -> jinja2.Environment:
    """Everything is escaped, and a name that is not there is an error."""
    environment = jinja2.Environment(
        autoescape=True,
        loader=jinja2.PackageLoader("eval_pipeline.report", "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(axis=_to_axis, count=write_count, measure_words=explain_measure)
    return environment


def _to_axis(value: float) -> str:
    """A number from 0 to 1 as a place on a chart that is 100 wide."""
    return f"{100.0 * min(1.0, max(0.0, value)):.2f}"
