"""Tables of template versions, templates and the units in them."""

from eval_pipeline.foundation.frames import Table, flag, integer, real, text

TEMPLATE_VERSION = Table(
    name="templates.template_version",
    grain="one row per clustering state; the highest sequence of the settings in use is in force",
    key=("template_version_id",),
    columns=(
        text("template_version_id", "Hash of parent, settings and founding units."),
        text("parent_version_id", "Version before; null for the first.", nullable=True),
        integer("sequence", "1 for the first, then one more than the parent's."),
        text("settings_id", "Hash of encoder ids and clustering settings."),
        text("settings", "The settings, as canonical JSON."),
        text("reason", "Why it was made: first clustering, new settings, ..."),
    ),
)

TEMPLATE = Table(
    name="templates.template",
    grain="one row per template x version",
    key=("template_version_id", "template_id"),
    columns=(
        text("template_version_id", "Version."),
        text("template_id", "Hash of the founding members; carried over re-clustering."),
        text("bucket", "Partition, from the hash of the template id."),
        integer("announced_sequence", "Sequence of the batch in which it first appeared."),
        integer("n_founders", "Units from which it was made."),
        text("exemplar_unit_id", "Founding unit nearest to the centroid."),
        text("centroid", "Centroid in the clustering space, as a JSON list of numbers."),
        real("threshold", "Largest cosine distance at which a new unit is assigned."),
    ),
)

TEMPLATE_ASSIGNMENT = Table(
    name="templates.template_assignment",
    grain="one row per version x unit x round; the highest round is in force",
    key=("template_version_id", "unit_id", "round"),
    columns=(
        text("template_version_id", "Version."),
        text("unit_id", "Unit."),
        integer("round", "Sequence of the batch after which this was decided."),
        text("template_id", "Template; null while the unit waits in the buffer.", nullable=True),
        text("state", "How it got there.", allowed=("founding", "assigned", "new", "buffered")),
        real("distance", "Cosine distance to the centroid; null in the buffer without any template.", nullable=True),
    ),
)

TEMPLATE_SUCCESSION = Table(
    name="templates.template_succession",
    grain="one row per version that was made from another x template of either of the two",
    key=("template_version_id", "template_id"),
    columns=(
        text("template_version_id", "The new version."),
        text("template_id", "Template of the new version, of the one before, or of both."),
        text("parent_version_id", "The version before."),
        text("bucket", "Partition of the template."),
        text(
            "kind",
            "What became of it: in both; gone, most members in another; new, most members from another; neither.",
            allowed=("kept", "merged", "split", "new", "retired"),
        ),
        text(
            "related_template_id",
            "Kept: itself; merged: into which; split: from which; null for new and retired.",
            nullable=True,
        ),
        integer("n_before", "Members in the version before that are in the corpus; 0 where it was not there."),
        integer("n_after", "Members in the new version, arrivals too; 0 where it is gone."),
        integer("n_shared", "Members that it has in common with the related template."),
        text("parent_template_ids", "Old templates that its members come from, most first, as a JSON list."),
        text("child_template_ids", "New templates that its old members went to, most first, as a JSON list."),
        flag("is_touched", "Whether its members are others than before, so that what rests on it is stale."),
    ),
)

ALL = (TEMPLATE_VERSION, TEMPLATE, TEMPLATE_ASSIGNMENT, TEMPLATE_SUCCESSION)
