"""Looking things up for a trace: rows with the commit that made them, pages with their files and templates."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from eval_pipeline.foundation.errors import UnknownName
from eval_pipeline.foundation.lineage import LineageReader
from eval_pipeline.receipts.trace_nodes import TraceNode, fact, heading
from eval_pipeline.receipts.trace_roles import Role, roles_of

Row = Mapping[str, Any]

PREFIXES: dict[str, tuple[str, str, str]] = {
    "rcp": ("receipt", "receipts.receipt", "receipt_id"),
    "met": ("metric", "metrics.metric", "metric_id"),
    "lst": ("member list", "receipts.member_list", "list_id"),
    "lbl": ("label", "labels.label", "label_id"),
    "unit": ("page", "corpus.unit", "unit_id"),
    "qu": ("question", "questions.question", "question_id"),
    "tpl": ("template", "templates.template", "template_id"),
    "tver": ("template version", "templates.template_version", "template_version_id"),
    "pool": ("pool", "negatives.unit_pool", "pool_id"),
    "vd": ("verdict", "judging.verdict", "verdict_id"),
    "var": ("variant", "runs.variant", "variant_id"),
    "run": ("run", "runs.retrieval_run", "retrieval_run_id"),
    "enc": ("encoder", "embeddings.encoder", "encoder_id"),
    "ctr": ("contract", "tasks.contract", "contract_id"),
    "batch": ("batch", "corpus.batch", "batch_id"),
}
"""What an id is, by its prefix: kind, table and column."""


class Lookup:
    """Reads through a LineageReader and keeps what it has read, so that a trace asks for each row once."""

    def __init__(self, reader: LineageReader) -> None:
        self._reader = reader
        self._commits: dict[str, Row] = {}

    def rows(self, table: str, column: str, values: Iterable[str | None]) -> list[dict[str, Any]]:
        """Rows whose column holds one of the values; their commits are at hand afterwards."""
        wanted = sorted({value for value in values if value})
        if not wanted:
            return []
        found = self._reader.find(table, column, wanted).to_dicts()
        missing = sorted({row["commit_id"] for row in found} - set(self._commits))
        if missing:
            self._commits.update({row["commit_id"]: row for row in self._reader.find_commits(missing).to_dicts()})
        return found

    def row(self, table: str, column: str, value: str) -> dict[str, Any]:
        """The first row of that value.

        Raises:
            UnknownName: there is none.
        """
        found = self.rows(table, column, [value])
        if not found:
            message = f"nothing in the ledger is called {value}; 'eval-pipeline metrics --json' lists ids of figures"
            raise UnknownName(message, name=value)
        return found[0]

    def made_by(self, row: Row) -> tuple[TraceNode, ...]:
        """The commit that made a row first: asset, code version, Dagster run, time."""
        commit = self._commits.get(row["commit_id"])
        if commit is None:
            return ()
        names = ("asset", "partition", "code_version", "dagster_run_id", "made_at_utc")
        facts = {name: fact(commit[name]) for name in names}
        return (TraceNode(kind="made by commit", identity=row["commit_id"], facts=facts),)

    def node(
        self,
        kind: str,
        identity: str,
        row: Row,
        names: Sequence[str],
        *,
        children: Sequence[TraceNode] = (),
        **more: Any,
    ) -> TraceNode:
        """A node of a row: the named columns as facts, further facts before them, its commit as the last child."""
        facts = {**{name: fact(value) for name, value in more.items()}, **{name: fact(row[name]) for name in names}}
        return TraceNode(kind=kind, identity=identity, facts=facts, children=(*children, *self.made_by(row)))

    def pages(self, unit_ids: Iterable[str]) -> dict[str, TraceNode]:
        """Pages by unit id: file and page, facets, picture, template; the way ends at the source document.

        A page names its template under every version of the clustering, oldest first.
        """
        units = {row["unit_id"]: row for row in self.rows("corpus.unit", "unit_id", unit_ids)}
        documents: dict[str, dict[str, Any]] = {}
        for row in self.rows("corpus.document", "document_id", (unit["document_id"] for unit in units.values())):
            if row["document_id"] not in documents or row["sequence"] > documents[row["document_id"]]["sequence"]:
                documents[row["document_id"]] = row
        facets = _last_by(self.rows("corpus.unit_facets", "unit_id", units), "unit_id", "document_version_id")
        placed = self._placed(units)
        return {
            unit_id: self._page(unit, documents.get(unit["document_id"]), facets.get(unit_id), placed.get(unit_id, []))
            for unit_id, unit in units.items()
        }

    def _placed(self, unit_ids: Iterable[str]) -> dict[str, list[Row]]:
        """Where each page stands under each template version, by the last round of that version; oldest first."""
        last: dict[tuple[str, str], Row] = {}
        for row in self.rows("templates.template_assignment", "unit_id", unit_ids):
            key = (row["unit_id"], row["template_version_id"])
            if key not in last or row["round"] > last[key]["round"]:
                last[key] = row
        order = self.version_order(version for _, version in last)
        found: dict[str, list[Row]] = {}
        for (unit_id, _), place in sorted(last.items(), key=lambda item: (order[item[0][1]], item[0])):
            found.setdefault(unit_id, []).append(place)
        return found

    def version_order(self, version_ids: Iterable[str]) -> dict[str, tuple[int, str]]:
        """Sort key of template versions: older ones first."""
        wanted = sorted(set(version_ids))
        rows = self.rows("templates.template_version", "template_version_id", wanted)
        sequences = {row["template_version_id"]: int(row["sequence"]) for row in rows}
        return {version: (sequences.get(version, 0), version) for version in wanted}

    def _page(self, unit: Row, document: Row | None, facets: Row | None, placed: Sequence[Row]) -> TraceNode:
        children: list[TraceNode] = []
        if document is not None:
            names = ("document_id", "document_version_id", "content_hash", "change", "access")
            children.append(self.node("source file", document["source_path"], document, names))
        told = ("template_version_id", "state", "round", "distance")
        children += [self.node("template", row["template_id"] or "(buffered)", row, told) for row in placed]
        return self.node(
            "page",
            unit["unit_id"],
            unit,
            ("picture_path", "picture_hash", "text_hash"),
            children=children,
            file=document["source_path"] if document else None,
            page=unit["page_number"],
            facets=facets["facets"] if facets else None,
        )

    def verdicts(self, question_id: str) -> list[TraceNode]:
        """Verdicts on a question: what each is on, judge and version, answer, reason, time.

        Whether a page answers comes first, then what it is worth; within each gold, the hard negatives by axis and
        rank, then what came back by rank.
        """
        rows = self.rows("judging.verdict", "question_id", [question_id])
        judges = {row["judge_id"]: row for row in self.rows("judging.judge", "judge_id", (r["judge_id"] for r in rows))}
        roles = roles_of(self, question_id)
        places = self.places(row["unit_id"] for row in rows)
        names = ("verb", "unit_id", "outcome", "reason", "judge_id", "decided_at_utc")
        other = Role(order=(9, "", 0), told="further page")
        rows.sort(
            key=lambda row: (row["verb"], roles.get(row["unit_id"], other).order, row["unit_id"], row["judge_id"])
        )
        return [
            self.node(
                "verdict",
                row["verdict_id"],
                row,
                names,
                on=f"{roles.get(row['unit_id'], other).told}, {places.get(row['unit_id'], row['unit_id'])}",
                judge=judges.get(row["judge_id"], {}).get("name"),
            )
            for row in rows
        ]

    def places(self, unit_ids: Iterable[str]) -> dict[str, str]:
        """File name and page of units."""
        units = self.rows("corpus.unit", "unit_id", unit_ids)
        documents = self.rows("corpus.document", "document_id", (unit["document_id"] for unit in units))
        names = {row["document_id"]: row["source_path"].rpartition("/")[2] for row in documents}
        return {
            row["unit_id"]: f"{names.get(row['document_id'], row['document_id'])} p. {row['page_number']}"
            for row in units
        }

    def labels(self, label_ids: Iterable[str]) -> list[TraceNode]:
        """Labels with author, judge version and time; jointly sufficient sets among them."""
        wanted = list(label_ids)
        names = (
            "unit_id",
            "grade",
            "author_kind",
            "author",
            "judge_id",
            "reason",
            "decided_at_utc",
            "replaces_label_id",
            "origin_label_id",
        )
        found = [
            self.node("label", row["label_id"], row, names) for row in self.rows("labels.label", "label_id", wanted)
        ]
        sets = self.rows("labels.joint_set", "joint_set_id", wanted)
        told = ("unit_id", "author_kind", "author")
        return found + [self.node("jointly sufficient set", row["joint_set_id"], row, told) for row in sets]

    def question(self, question_id: str) -> TraceNode:
        """A question with its gold units, verdicts, outcome and the questions that it qualifies."""
        row = self.row("questions.question", "question_id", question_id)
        gold = self.rows("questions.question_gold", "question_id", [question_id])
        pages = self.pages(item["unit_id"] for item in gold)
        posed = self.rows("questions.well_posedness", "question_id", [question_id])
        names = ("outcome", "slice", "reason", "failing_axes", "failing_unit_id", "pool_id", "judge_id", "policy")
        outcomes = [self.node("well-posedness", "", item, names) for item in posed]
        parent = [self.question(row["parent_question_id"])] if row["parent_question_id"] else []
        children = (
            *heading("gold", [pages[item["unit_id"]] for item in gold if item["unit_id"] in pages]),
            *heading("outcomes", outcomes),
            *heading("verdicts", self.verdicts(question_id)),
            *heading("parent", parent),
        )
        told = ("text", "origin", "writer", "expected_answer", "named_axes", "declared_id")
        return self.node("question", question_id, row, told, children=children)


def _last_by(rows: Iterable[dict[str, Any]], key: str, order: str) -> dict[str, dict[str, Any]]:
    """The row with the highest order per key."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        if row[key] not in found or row[order] > found[row[key]][order]:
            found[row[key]] = row
    return found


def kind_of(identity: str) -> tuple[str, str, str]:
    """Kind, table and column of an id, by its prefix.

    Raises:
        UnknownName: the prefix is of nothing that can be traced.
    """
    prefix = identity.rpartition("_")[0]
    if prefix not in PREFIXES:
        kinds = ", ".join(f"{name}_ ({kind})" for name, (kind, _, _) in PREFIXES.items())
        message = f"{identity!r} is no id that can be traced; ids begin with {kinds}"
        raise UnknownName(message, name=identity)
    return PREFIXES[prefix]
