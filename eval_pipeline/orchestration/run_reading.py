"""Which runs are in force, and what they ranked."""

from dataclasses import dataclass

import polars as pl

from eval_pipeline.foundation.ids import content_id
from eval_pipeline.orchestration.arena_reading import random_arenas, read_arenas
from eval_pipeline.orchestration.question_sets import pool_settings, read_asked
from eval_pipeline.orchestration.reading import corpus_snapshot, members_in_force
from eval_pipeline.orchestration.resources import Project
from eval_pipeline.runs.eligibility import Clearance, visible_units
from eval_pipeline.runs.open_work import retrieval_run_id_of
from eval_pipeline.runs.stage import basis_of
from eval_pipeline.runs.variants import APPEARANCE, RUN_FILE, Variant, declare_variants
from eval_pipeline.tasks.contracts import Contract


@dataclass(frozen=True, kw_only=True)
class RunInForce:
    """One variant on the present corpus, asked as one principal.

    Attributes:
        variant: the configuration.
        retrieval_run_id: its run.
        clearance: as whom the questions are asked.
        arena_settings_id: what the arenas were made under.
        depth: places kept per stage.
    """

    variant: Variant
    retrieval_run_id: str
    clearance: Clearance
    arena_settings_id: str
    depth: int

    @property
    def reads_all(self) -> bool:
        """Whether one question's scores depend on the others, so that it is run on all of them or not at all."""
        return self.variant.kind == APPEARANCE


def clearance_of(contract: Contract) -> Clearance:
    """Who asks, under a contract."""
    return Clearance(level=contract.asked_as.clearance, groups=contract.asked_as.groups)


def visible_to(project: Project, contract: Contract, units: pl.DataFrame) -> frozenset[str]:
    """Units that a contract's asker may see."""
    return visible_units(units=units, clearance=clearance_of(contract), levels=project.declared.corpus.access.levels)


def visible_to_all(project: Project, units: pl.DataFrame) -> frozenset[str]:
    """Units that the askers of all contracts may see: what may be shown where it is not known who looks."""
    found = [visible_to(project, contract, units) for contract in project.contracts]
    return frozenset.intersection(*found)


def read_run_arenas(project: Project, contract: Contract) -> pl.DataFrame:
    """Arenas as every run under a contract's asker ranks them: of all questions that any contract asks."""
    with project.together():
        units = project.read("corpus/units_in_force")
        return read_arenas(project, read_asked(project), visible=visible_to(project, contract, units))


def runs_in_force(project: Project, arenas: pl.DataFrame, contract: Contract) -> list[RunInForce]:
    """The run of every variant and control under a contract's asker, whether or not it has been made yet.

    Args:
        project: the project.
        arenas: see `read_run_arenas`.
        contract: who asks, and how deep.
    """
    batch_id, _ = corpus_snapshot(project)
    settings, clearance = arena_settings(project), clearance_of(contract)
    found = []
    encoder_id, home = project.encoder().encoder_id, project.paths.home
    for variant in declare_variants(config=project.declared, encoder_id=encoder_id, home=home):
        run_id = retrieval_run_id_of(
            variant.variant_id,
            batch_id,
            depth=contract.depth,
            clearance=clearance,
            arena_settings_id=settings,
            basis=basis_of(arenas) if variant.kind == APPEARANCE else None,
        )
        found.append(
            RunInForce(
                variant=variant,
                retrieval_run_id=run_id,
                clearance=clearance,
                arena_settings_id=settings,
                depth=contract.depth,
            )
        )
    return found


def run_file_ids(project: Project) -> list[str]:
    """Ids of the runs in force that were brought as files: what their lines are refused under."""
    if all(declared.get("type") != RUN_FILE for declared in project.declared.variants.values()):
        return []
    found = []
    for contract in project.contracts:
        runs = runs_in_force(project, read_run_arenas(project, contract), contract)
        found += [run.retrieval_run_id for run in runs if run.variant.kind == RUN_FILE]
    return sorted(set(found))


def arena_settings(project: Project) -> str:
    """Id of what the arenas are made under: pools, random draws, templates.

    Templates by what is in them, not by their version: a clustering that changes nothing has nothing ranked again.
    """
    placed = members_in_force(project).select("unit_id", "template_id").sort("unit_id")
    return content_id(
        "aset",
        {
            "pools": pool_settings(project),
            "random": [settings_id for _, _, settings_id in random_arenas(project)],
            "templates": content_id("tpls", placed.rows()),
        },
    )


def read_lists(project: Project, run: RunInForce) -> pl.DataFrame:
    """Which lists of a run came back, empty ones too: question_id, stage, ranking_id, n_units, notes, made_at_utc."""
    return project.read("runs/ranked_questions", retrieval_run_id=run.retrieval_run_id)


def read_rankings(project: Project, run: RunInForce) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Ranked units of a run, and which lists came back (empty ones too) with their times."""
    with project.session() as ledger:
        params = {"retrieval_run_id": run.retrieval_run_id}
        return ledger.read("runs/rankings_of_run", params=params), ledger.read("runs/ranked_questions", params=params)


def read_final_rankings(project: Project) -> pl.DataFrame:
    """Final lists of every declared variant (no controls): question_id, variant_name, rank, unit_id."""
    frames = []
    for contract in project.contracts:
        arenas = read_run_arenas(project, contract)
        for run in runs_in_force(project, arenas, contract):
            if not run.variant.is_control:
                ranked, _ = read_rankings(project, run)
                final = ranked.filter(pl.col("stage") == "final")
                frames.append(
                    final.select("question_id", pl.lit(run.variant.name).alias("variant_name"), "rank", "unit_id")
                )
    return pl.concat(frames).unique().sort("question_id", "variant_name", "rank", "unit_id")
