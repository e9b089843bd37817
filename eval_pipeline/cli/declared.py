"""What the project declares now: figures of contracts that are gone are kept, but not shown as today's."""

from eval_pipeline.foundation.config import load_project
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.tasks.contracts import Contract, load_contracts


def declared_contracts(paths: ProjectPaths) -> dict[str, Contract]:
    """Contracts that the project folder holds, by id."""
    return {item.contract_id: item for item in load_contracts(paths.home, load_project(paths.config).contracts)}


def declared_contract_ids(paths: ProjectPaths) -> list[str]:
    """Ids of the contracts that the project folder holds."""
    return list(declared_contracts(paths))
