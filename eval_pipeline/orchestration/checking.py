"""Whether everything that is declared can be made, before anything expensive is begun."""

from eval_pipeline.foundation.config import load_project
from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.judging.building import build_judge
from eval_pipeline.labels.reviewers import build_reviewer
from eval_pipeline.questions.writers.building import build_writers
from eval_pipeline.runs.variants import declare_variants
from eval_pipeline.tasks.contracts import load_contracts


def check_declaration(paths: ProjectPaths) -> None:
    """Make every declared variant, judge, writer and reviewer once, and find the judge of every contract.

    Raises:
        ConfigError: names the file, the key and what is allowed.
    """
    declared = load_project(paths.config)
    declare_variants(config=declared, encoder_id="not loaded yet", home=paths.home)
    for name, settings in declared.judges.items():
        build_judge(name=name, declared=settings, path=paths.config.name)
    build_writers(declared.questions.writers)
    build_reviewer(declared=declared.labels.reviewer, home=paths.home)
    for contract in load_contracts(paths.home, declared.contracts):
        if contract.judgment.judge not in declared.judges:
            known = ", ".join(declared.judges)
            message = (
                f"contract {contract.task}: judgment.judge: no judge {contract.judgment.judge!r}; declared: {known}"
            )
            raise ConfigError(message, path=paths.config.name, key="judgment.judge")
