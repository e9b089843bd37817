"""Names of the stages that a run stores, in the order in which they may come."""

IMAGE_EXACT = "image.exact"
LEXICAL = "lexical"
FUSED = "fused"
ELIGIBLE = "eligible"
FINAL = "final"
ARENA_PREFIX = "arena:"
"""An arena that was scored is stored as `arena:NAME`; the arena `corpus` is the stage `final`."""
