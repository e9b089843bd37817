"""Tables of declared contracts and of looks at held-out splits."""

from eval_pipeline.foundation.frames import Table, integer, moment, text

CONTRACT = Table(
    name="tasks.contract",
    grain="one row per task contract, by content",
    key=("contract_id",),
    columns=(
        text("contract_id", "Hash of the canonical content of the contract."),
        text("task", "Name of the task, as people call it."),
        text("content", "The whole contract as canonical JSON."),
        moment("registered_at_utc", "When the contract was first recorded; decides whether a receipt is late."),
    ),
)

LOOK = Table(
    name="tasks.look",
    grain="one row per read of a held-out split: split x contract x run",
    key=("split", "contract_id", "retrieval_run_id"),
    columns=(
        text("split", "Name of the split that was read."),
        text("contract_id", "Contract under which it was read."),
        text("retrieval_run_id", "Run that was scored."),
        integer("n_questions", "Questions of the split that were scored."),
    ),
)

ALL = (CONTRACT, LOOK)
