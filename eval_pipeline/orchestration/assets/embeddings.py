"""Vectors of pictures."""

import dagster as dg

from eval_pipeline.embeddings import stage
from eval_pipeline.foundation.outputs import merge_outputs
from eval_pipeline.orchestration.assets.corpus import pages
from eval_pipeline.orchestration.partitions import BUCKET, CONSTANT_VERSION, IN_ONE_RUN
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.orchestration.showing import counts

GROUP = "embeddings"


@dg.asset(
    group_name=GROUP,
    code_version=stage.CODE_VERSION,
    partitions_def=BUCKET,
    backfill_policy=IN_ONE_RUN,
    deps=[pages],
)
def page_vectors(context: dg.AssetExecutionContext, project: Project) -> None:
    """Vectors of every new picture under the layout signature and the declared encoder. One .npy a commit.

    A commit holds `encoder.chunk_pictures` pictures of a bucket: a run that is killed does at most these again.
    """
    size, home = project.declared.encoder.chunk_pictures, project.paths.home
    for kind, encoder in (("layout", project.encoders()["layout"]), ("open_clip", project.encoder())):
        waiting = project.read(
            "embeddings/pictures_to_embed", encoder_id=encoder.encoder_id, buckets=context.partition_keys
        )
        for (bucket,), to_embed in waiting.sort("bucket", "picture_hash").group_by("bucket", maintain_order=True):
            context.log.info(f"{encoder.name}: {to_embed.height} pictures of bucket {bucket}")
            chunks = []
            for made in stage.embed_in_chunks(
                pictures=to_embed, encoder=encoder, kind=kind, home=home, chunk_pictures=size
            ):
                project.record(context, made, partition=str(bucket))
                chunks.append(made)
            made = merge_outputs(*chunks)
            context.add_asset_metadata({"encoder": encoder.name, **counts(made.summary)}, partition_key=str(bucket))
    context.set_data_version(context.asset_key, CONSTANT_VERSION)
