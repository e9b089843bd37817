"""Templates in a trace: under which versions they stood, what became of them, which pages they hold."""

from eval_pipeline.receipts.trace_lookup import Lookup
from eval_pipeline.receipts.trace_nodes import TraceNode, heading

VERSION = ("sequence", "parent_version_id", "settings", "reason")
FATE = (
    "template_version_id",
    "parent_version_id",
    "kind",
    "related_template_id",
    "n_before",
    "n_after",
    "n_shared",
    "parent_template_ids",
    "child_template_ids",
    "is_touched",
)


def trace_template(lookup: Lookup, identity: str) -> TraceNode:
    """A template: its facts under the newest version that has it, its versions and fates oldest first, its pages.

    Raises:
        UnknownName: no template has this id.
    """
    lookup.row("templates.template", "template_id", identity)
    rows = lookup.rows("templates.template", "template_id", [identity])
    order = lookup.version_order(row["template_version_id"] for row in rows)
    newest = max(rows, key=lambda row: order[row["template_version_id"]])
    versions = lookup.rows("templates.template_version", "template_version_id", order)
    versions.sort(key=lambda row: order[row["template_version_id"]])
    placed = lookup.rows("templates.template_assignment", "template_id", [identity])
    children = (
        *(lookup.node("template version", row["template_version_id"], row, VERSION) for row in versions),
        *heading("fates", fates_of(lookup, "template_id", identity)),
        *heading("pages", list(lookup.pages(row["unit_id"] for row in placed).values())),
    )
    names = ("bucket", "announced_sequence", "n_founders", "exemplar_unit_id", "threshold")
    return lookup.node("template", identity, newest, names, children=children)


def trace_template_version(lookup: Lookup, identity: str) -> TraceNode:
    """A version of the clustering: what became of every template when it was made, and the versions before it.

    Raises:
        UnknownName: no version has this id.
    """
    row = lookup.row("templates.template_version", "template_version_id", identity)
    before, parent = [], row["parent_version_id"]
    while parent:
        older = lookup.row("templates.template_version", "template_version_id", parent)
        before.append(lookup.node("template version", parent, older, VERSION))
        parent = older["parent_version_id"]
    children = (
        *heading("fates", fates_of(lookup, "template_version_id", identity)),
        *heading("versions before", before),
    )
    return lookup.node("template version", identity, row, VERSION, children=children)


def fates_of(lookup: Lookup, column: str, identity: str) -> list[TraceNode]:
    """What became of templates when they were clustered again, oldest version first.

    Args:
        lookup: reads rows.
        column: `template_id`: fates of one template; `template_version_id`: of all, when that version was made.
        identity: its id.
    """
    rows = lookup.rows("templates.template_succession", column, [identity])
    order = lookup.version_order(row["template_version_id"] for row in rows)
    rows.sort(key=lambda row: (order[row["template_version_id"]], row["template_id"]))
    return [lookup.node("fate", row["template_id"], row, FATE) for row in rows]
