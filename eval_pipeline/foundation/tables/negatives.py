"""Tables of hard-negative pools, their shortfalls and random draws."""

from eval_pipeline.foundation.frames import Table, integer, real, text

POOLED_TEMPLATE = Table(
    name="negatives.pooled_template",
    grain="one row per template state x pool settings that was worked through",
    key=("template_id", "members_hash", "settings_id"),
    columns=(
        text("template_id", "Template."),
        text("members_hash", "Hash over its members: unit ids, normalised facets, picture hashes."),
        text("settings_id", "Hash of axes, k and the encoder."),
        integer("n_units", "Members."),
    ),
)

UNIT_POOL = Table(
    name="negatives.unit_pool",
    grain="one row per unit x template state x pool settings",
    key=("unit_id", "members_hash", "settings_id"),
    columns=(
        text("unit_id", "Unit whose negatives these are."),
        text("template_id", "Template they come from."),
        text("template_version_id", "Version of the clustering."),
        text("members_hash", "State of the template."),
        text("settings_id", "Pool settings."),
        text("pool_id", "Hash of the pool's content: unit, axes, ranks, negatives, shortfalls."),
        integer("n_negatives", "Distinct negatives in it."),
        text("state_hash", "Hash of what the rule reads of the unit; empty where it has no vector."),
    ),
    version=2,
)

NEGATIVE = Table(
    name="negatives.negative",
    grain="one row per pool x axis x rank",
    key=("pool_id", "axis", "rank"),
    columns=(
        text("pool_id", "Pool."),
        text("unit_id", "Unit whose negative it is."),
        text("axis", "Axis on which the two differ, or `appearance`."),
        integer("rank", "1-based, nearest by appearance first, within the axis."),
        text("negative_unit_id", "The sibling."),
        real("similarity", "Cosine similarity of the two pictures."),
    ),
)

SHORTFALL = Table(
    name="negatives.shortfall",
    grain="one row per pool x axis with fewer negatives than places",
    key=("pool_id", "axis"),
    columns=(
        text("pool_id", "Pool."),
        text("unit_id", "Unit."),
        text("axis", "Axis with missing places, or `appearance`."),
        integer("n_wanted", "Places."),
        integer("n_found", "Negatives found."),
        text("reason", "Why: no sibling differs on this axis alone, all are copies, missing facet NAME, ..."),
    ),
)

RANDOM_NEGATIVE = Table(
    name="negatives.random_negative",
    grain="one row per gold unit x arena x settings x corpus snapshot x drawn unit",
    key=("unit_id", "arena", "settings_id", "batch_id", "rank"),
    columns=(
        text("unit_id", "Gold unit."),
        text("arena", "`random`, or `random@499` and the like."),
        text("settings_id", "Hash of size and seed."),
        text("batch_id", "Corpus snapshot of the draw."),
        integer("rank", "1-based, by seeded hash."),
        text("negative_unit_id", "Drawn unit."),
    ),
)

ALL = (POOLED_TEMPLATE, UNIT_POOL, NEGATIVE, SHORTFALL, RANDOM_NEGATIVE)
