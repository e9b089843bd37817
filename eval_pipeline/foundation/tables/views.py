"""Frames that rooms hand on and that are views in the ledger: what is in force now."""

from eval_pipeline.foundation.frames import Table, integer, text

UNIT_IN_FORCE = Table(
    name="corpus.unit_in_force",
    grain="one row per unit of a document in force that has been described",
    key=("unit_id",),
    columns=(
        text("unit_id", "Unit."),
        text("document_id", "Its document."),
        text("document_version_id", "Version of the document in force."),
        text("source_path", "File of the document, relative to the project folder."),
        text("media_type", "pdf or image."),
        text("bucket", "Partition of the document."),
        text("locator", "Place in the document."),
        integer("page_number", "1-based page."),
        text("picture_hash", "Hash of the raster."),
        text("picture_path", "Relative path of the stored picture."),
        text("text_hash", "Hash of the text layer."),
        text("text_quality", "good, garbled or missing."),
        text("facets", "Normalised facets as canonical JSON object."),
        text("declared_id", "The user's own id of the page; null without one.", nullable=True),
        text("access", "Access level."),
        text("access_groups", "Groups, as a JSON list."),
    ),
)

MEMBER = Table(
    name="templates.member",
    grain="one row per unit in force that has a template",
    key=("unit_id",),
    columns=(
        *UNIT_IN_FORCE.columns,
        text("template_id", "Template."),
        text("template_version_id", "Version of the clustering."),
        text("template_bucket", "Partition of the template."),
    ),
)
