"""Read several buckets of documents in one go, and record what came of them bucket by bucket all the same."""

import polars as pl

from eval_pipeline.foundation.outputs import StageOutput

WORTH_A_START = 40
"""Documents for which starting the reading processes is a small cost."""


def group_buckets(documents: pl.DataFrame, *, at_least: int = WORTH_A_START) -> list[pl.DataFrame]:
    """Whole buckets, in order, put together until a group holds enough documents.

    Args:
        documents: rows of corpus.document.
        at_least: documents of a group; only the last group may have fewer.

    Returns:
        The documents in groups, each sorted by bucket and document id. No documents give no groups.
    """
    groups: list[pl.DataFrame] = []
    waiting: list[pl.DataFrame] = []
    for _, part in documents.sort("bucket", "document_id").group_by("bucket", maintain_order=True):
        waiting.append(part)
        if sum(frame.height for frame in waiting) >= at_least:
            groups.append(pl.concat(waiting))
            waiting = []
    return [*groups, pl.concat(waiting)] if waiting else groups


def split_by_bucket(output: StageOutput, *, documents: pl.DataFrame) -> list[tuple[str, StageOutput]]:
    """Split what `read_documents` gave into one output per bucket, as if each bucket had been read alone.

    Args:
        output: tables corpus.rendition, rendition_unit, unit, layer_text and quarantine.
        documents: rows of corpus.document that were read; each bucket of theirs gets an output, if an empty one.

    Returns:
        (bucket, output) by bucket. A text that stands in documents of several buckets is in each of their outputs.
    """
    parts = documents.sort("bucket", "document_id").partition_by("bucket", as_dict=True, maintain_order=True)
    return [(str(key[0]), _part_of(output, part)) for key, part in parts.items()]


def _part_of(output: StageOutput, documents: pl.DataFrame) -> StageOutput:
    wanted = documents.select("rendition_id").unique()
    tables = {
        name: output.tables[name].join(wanted, on="rendition_id", how="semi", maintain_order="left")
        for name in ("corpus.rendition", "corpus.rendition_unit", "corpus.quarantine")
    }
    tables["corpus.unit"] = _rows_with(output, "corpus.unit", "unit_id", tables["corpus.rendition_unit"])
    tables["corpus.layer_text"] = _rows_with(output, "corpus.layer_text", "text_hash", tables["corpus.unit"])
    inputs = set(wanted["rendition_id"].to_list())
    return StageOutput(
        tables={name: tables[name] for name in output.tables},
        inputs=tuple(item for item in output.inputs if item in inputs),
        summary={
            "documents": wanted.height,
            "pages": int(tables["corpus.rendition"]["n_pages"].sum()),
            "units": tables["corpus.rendition_unit"].height,
            "quarantined": tables["corpus.quarantine"].filter(~pl.col("is_warning")).height,
        },
    )


def _rows_with(output: StageOutput, table: str, column: str, wanted: pl.DataFrame) -> pl.DataFrame:
    keys = wanted.select(column).unique()
    return output.tables[table].join(keys, on=column, how="semi", maintain_order="left")
