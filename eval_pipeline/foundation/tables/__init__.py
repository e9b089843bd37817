"""Every table of the ledger, by stage: names, keys, columns, meanings.

Belongs here: the shape of what crosses a room's boundary. Does not belong here: how it is computed or stored.
"""

from eval_pipeline.foundation.frames import Table
from eval_pipeline.foundation.tables import (
    corpus,
    embeddings,
    judging,
    labels,
    metrics,
    negatives,
    questions,
    receipts,
    runs,
    tasks,
    templates,
)

TABLES: dict[str, Table] = {
    table.name: table
    for module in (
        tasks,
        corpus,
        embeddings,
        templates,
        negatives,
        judging,
        questions,
        runs,
        labels,
        metrics,
        receipts,
    )
    for table in module.ALL
}
