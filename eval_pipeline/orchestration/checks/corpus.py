"""Nothing that arrived is lost in silence."""

import dagster as dg
import polars as pl

from eval_pipeline.corpus.completeness import lost_pages, unread_documents
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.showing import table


def lost_documents(project: Project) -> pl.DataFrame:
    """Documents in force that are neither read nor refused, and those with pages that are neither."""
    with project.session() as ledger:
        documents = ledger.read("corpus/documents_in_force")
        renditions = ledger.table("corpus.rendition")
    halves = lost_pages(renditions.join(documents, on="rendition_id", how="semi"))
    partly = documents.join(halves, on="rendition_id", how="semi").select("document_id", "source_path", "bucket")
    return pl.concat([unread_documents(documents, renditions), partly]).unique().sort("document_id")


@dg.asset_check(asset="pages", blocking=True)
def every_page_accounted_for(project: Project) -> dg.AssetCheckResult:
    """Every document in force was read or refused, and each of its pages is a unit or in quarantine."""
    lost = lost_documents(project)
    return dg.AssetCheckResult(passed=lost.is_empty(), metadata={"lost": lost.height, "documents": table(lost)})


ALL = [every_page_accounted_for]
