"""What an imported question says about its own evidence."""

from collections import Counter
from datetime import datetime

import polars as pl

from eval_pipeline.foundation import ids
from eval_pipeline.foundation.outputs import StageOutput
from eval_pipeline.foundation.tables import labels as tables
from eval_pipeline.labels.rows import GIVEN_KINDS, Judgment, to_label_rows

CODE_VERSION = "1"


def labels_from_imports(*, gold: pl.DataFrame, questions: pl.DataFrame, now: datetime) -> StageOutput:
    """Labels of the evidence that people named with their questions, and of the units that tickets should have got.

    One gold unit is labelled `sufficient`. Several are a jointly sufficient set, and each is labelled `supporting`:
    none was said to be enough alone.

    Args:
        gold: question_id, position, unit_id; rows of written questions are passed over (being gold is no label).
        questions: rows of `questions.question`: question_id, origin, writer, relation.
        now: when they were taken in; a witness.

    Returns:
        labels.label and labels.joint_set, author kind `import` or `ticket`, author the file or ticket.
    """
    given = questions.filter(pl.col("origin").is_in(list(GIVEN_KINDS)))
    rows = given.select("question_id", "origin", "writer", "relation").join(
        gold.select("question_id", "unit_id").unique(), on="question_id"
    )
    n_gold = Counter(rows["question_id"].to_list())
    judgments, members = [], []
    for row in rows.sort("question_id", "unit_id").iter_rows(named=True):
        is_alone = n_gold[row["question_id"]] == 1
        judgments.append(
            Judgment(
                question_id=row["question_id"],
                unit_id=row["unit_id"],
                relation=row["relation"],
                grade="sufficient" if is_alone else "supporting",
                author_kind=row["origin"],
                author=row["writer"],
                reason="named as evidence" if is_alone else "named as evidence together with other units",
                decided_at_utc=now,
            )
        )
        if not is_alone:
            members.append({key: row[key] for key in ("question_id", "unit_id", "origin", "writer")})
    joint = _joint_sets(
        pl.DataFrame(members, schema=dict.fromkeys(("question_id", "unit_id", "origin", "writer"), pl.String))
    )
    return StageOutput(
        tables={tables.LABEL.name: to_label_rows(judgments), tables.JOINT_SET.name: joint},
        summary={"labels": len(judgments), "joint sets": joint["joint_set_id"].n_unique()},
    )


def _joint_sets(members: pl.DataFrame) -> pl.DataFrame:
    rows = []
    for (question_id,), part in members.partition_by("question_id", as_dict=True, maintain_order=True).items():
        units, origin, writer = part["unit_id"].to_list(), part["origin"][0], part["writer"][0]
        name = ids.content_id(
            "jnt", {"question_id": question_id, "unit_ids": sorted(units), "author": [origin, writer]}
        )
        rows += [
            {"joint_set_id": name, "question_id": question_id, "unit_id": unit, "author_kind": origin, "author": writer}
            for unit in units
        ]
    return tables.JOINT_SET.frame(rows)
