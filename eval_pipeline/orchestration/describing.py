"""The asset graph in words: the table in the README, and the snapshot that a test compares.

`python -m eval_pipeline.orchestration.describing README.md` writes the table anew between its two marks;
without a file it prints the snapshot.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg

from eval_pipeline.foundation.errors import InputError
from eval_pipeline.foundation.files import write_atomically

BEGIN, END = "<!-- assets -->", "<!-- /assets -->"
ROAD = (
    "corpus",
    "embeddings",
    "templates",
    "negatives",
    "questions",
    "runs",
    "labels",
    "receipts",
    "metrics",
    "report",
)
"""Asset groups from left to right."""


def describe_assets(definitions: dg.Definitions) -> str:
    """A Markdown table, one row per asset, groups as on the road: asset, group, partitions, checks, what it makes."""
    rows = ["| asset | group | partitions | blocking checks | makes |", "| --- | --- | --- | --- | --- |"]
    for node in _nodes(definitions):
        told = first_paragraph(node.description)
        partitions = "bucket" if node.partitions_def else "-"
        checks = ", ".join(f"`{name}`" for name in sorted(key.name for key in node.check_keys)) or "-"
        rows.append(f"| `{node.key.to_user_string()}` | {node.group_name} | {partitions} | {checks} | {told} |")
    return "\n".join(rows) + "\n"


def first_paragraph(description: str | None) -> str:
    """What an asset makes, and its grain: the first paragraph of its docstring, on one line."""
    return " ".join((description or "").split("\n\n", maxsplit=1)[0].split())


def spell_graph(definitions: dg.Definitions) -> str:
    """The graph as text: every asset with group, partitions, dependencies and checks; then jobs and schedules."""
    return "\n".join([*_asset_lines(definitions), *_job_lines(definitions)]) + "\n"


def _asset_lines(definitions: dg.Definitions) -> Iterator[str]:
    graph = definitions.resolve_asset_graph()
    for node in _nodes(definitions):
        kind = "asset" if node.is_executable else "external asset"
        partitions = "by bucket" if node.partitions_def else "unpartitioned"
        yield f"{kind} {node.key.to_user_string()}: group {node.group_name}, {partitions}"
        yield from (f"  after {name}" for name in sorted(key.to_user_string() for key in node.parent_keys))
        for key in sorted(node.check_keys, key=lambda key: key.name):
            yield f"  check {key.name}, {'blocking' if graph.get_check_spec(key).blocking else 'not blocking'}"


def _job_lines(definitions: dg.Definitions) -> Iterator[str]:
    repository = definitions.get_repository_def()
    for job in sorted(repository.get_all_jobs(), key=lambda job: job.name):
        if not job.name.startswith("__"):
            n_assets = len(list(job.asset_layer.executable_asset_keys))
            yield f"job {job.name}: {n_assets} assets, {job.description}"
    for schedule in sorted(repository.schedule_defs, key=lambda schedule: schedule.name):
        told = f"{schedule.cron_schedule} {schedule.execution_timezone}"
        yield f"schedule {schedule.name}: job {schedule.job_name}, {told}, {schedule.default_status.value.lower()}"


def _nodes(definitions: dg.Definitions) -> list[Any]:
    """Assets, groups from left to right, inside a group each after those that it rests on."""
    graph = definitions.resolve_asset_graph()
    order = {key: place for place, key in enumerate(graph.toposorted_asset_keys)}
    return sorted(graph.asset_nodes, key=lambda node: (ROAD.index(node.group_name), order[node.key]))


def write_table(readme: Path, definitions: dg.Definitions) -> bool:
    """Write the table between the marks of a file; returns whether the file changed.

    Raises:
        InputError: the file lacks the marks.
    """
    text = readme.read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        message = f"{readme}: expected one line {BEGIN} and one line {END}; add them where the table belongs"
        raise InputError(message)
    head, rest = text.split(BEGIN)
    tail = rest.split(END)[1]
    new = f"{head}{BEGIN}\n{describe_assets(definitions)}{END}{tail}"
    if new != text:
        write_atomically(readme, new.encode())
    return new != text


if __name__ == "__main__":
    from eval_pipeline.orchestration.assembly import build_definitions

    if sys.argv[1:]:
        write_table(Path(sys.argv[1]), build_definitions())
    else:
        sys.stdout.write(spell_graph(build_definitions()))
