"""`eval-pipeline init`."""

import shutil
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from eval_pipeline.cli.console import say, say_plain
from eval_pipeline.foundation.config import load_project
from eval_pipeline.foundation.errors import ConfigError
from eval_pipeline.foundation.files import write_atomically
from eval_pipeline.foundation.settings import ProjectPaths
from eval_pipeline.report.wording import write_percent

if TYPE_CHECKING:
    from eval_pipeline.corpus.proposing.coverage import Coverage
    from eval_pipeline.corpus.proposing.proposal import Proposal

ENCODER = "page-clip"
CONTRACT = "first-look.yaml"
_WIDTHS = (9, 46, 33)


def init_project(folder: Path, *, models: Path | None = None) -> None:
    """Make a folder of documents a project: propose a declaration, write it, and say what could not be read.

    Args:
        folder: documents, and perhaps tables; none of them is moved or changed.
        models: folder of models from which the small encoder is copied; None for the one that ships.

    Raises:
        ConfigError: the folder has an `eval.yaml`; it is left as it is.
        InputError: it is no folder, or holds no document.
    """
    from eval_pipeline.corpus.proposing.declaration import spell_contract, spell_declaration
    from eval_pipeline.corpus.proposing.proposal import propose_project
    from eval_pipeline.tasks.contracts import load_contracts

    paths = ProjectPaths(home=folder.resolve())
    if paths.config.exists():
        message = f"{paths.config} is there already; edit it, or move it away to have it proposed anew"
        raise ConfigError(message, path=str(paths.config))
    proposal = propose_project(paths.home)
    contract = paths.contracts / CONTRACT
    written = [] if contract.exists() else [f"contracts/{CONTRACT}"]
    if written:
        write_atomically(contract, spell_contract(proposal).encode())
    encoder = _bring_encoder(paths.home, models or _shipped_models())
    write_atomically(paths.config, spell_declaration(proposal).encode())
    load_contracts(paths.home, load_project(paths.config).contracts)
    _say_found(proposal)
    _say_facets(proposal)
    _say_attention(proposal)
    say_plain(f"\nwritten   {', '.join([paths.config.name, *written])}; {encoder}")
    say(f"next      eval-pipeline plan --home {folder}")
    say(f"          eval-pipeline run --home {folder}")


def _shipped_models() -> Path:
    from eval_pipeline.demo.project import REPOSITORY_MODELS

    return REPOSITORY_MODELS


def _bring_encoder(home: Path, models: Path) -> str:
    """Copy the small encoder into the project where it has none; say what there is now."""
    from eval_pipeline.embeddings.sources import WEIGHT_NAMES

    source, place = models / ENCODER, home / "models" / ENCODER
    if not place.is_dir() and not source.is_dir():
        return f"no encoder: models/{ENCODER} does not ship here, name another under encoder in eval.yaml"
    said = f"models/{ENCODER} was there" if place.is_dir() else f"models/{ENCODER} copied"
    if not place.is_dir():
        shutil.copytree(source, place)
    if any((place / name).is_file() for name in WEIGHT_NAMES):
        return said
    return f"{said}; it has no weights, so it is used untrained and shown as such"


def _say_found(proposal: "Proposal") -> None:
    folder, roles = proposal.folder, proposal.roles
    kinds = ", ".join(f"{n} {ending}" for ending, n in folder.endings.items())
    say_plain(f"documents {len(folder.documents)} ({kinds}), {proposal.pages.n_pages} pages, as {folder.glob}")
    for path, reason in proposal.pages.refused.items():
        say_plain(f"          {path} is not taken: {reason}")
    for one in roles.metadata:
        columns = one.columns
        named = " and ".join(
            f"{name} ({what})"
            for what, name in (("id", columns.id), ("path", columns.path), ("page", columns.page))
            if name is not None
        )
        say_plain(
            f"metadata  {one.table.path}: {columns.n_named} of {len(one.table.rows)} rows name a document, by {named}"
        )
    for asked in proposal.questions:
        count = f"{asked.n_rows} questions, {asked.n_with_evidence} with evidence pages"
        say_plain(f"questions {asked.path}: {count if asked.config else 'not imported'}; {asked.told}")
    for table in roles.synonyms:
        say_plain(f"synonyms  {table.path}")
    for path, reason in [*roles.unused, *((one.path, one.reason) for one in folder.unread)]:
        say_plain(f"unused    {path}: {reason}")
    if not roles.metadata:
        say_plain("metadata  no table describes these documents: facets come from file names and page text")


def _say_facets(proposal: "Proposal") -> None:
    say_plain("")
    say_plain(_cells("facet", "where from", "coverage", "not parsed"))
    for name, facet in proposal.sources.items():
        coverage = proposal.coverage[name]
        share = coverage.share
        counted = f"{coverage.n_parsed} of {coverage.n_total} {coverage.of}"
        covered = "not checked" if share is None else f"{write_percent(share)}, {counted}"
        if name in proposal.left_out:
            covered += ": left out"
        say_plain(_cells(name, facet.source, covered, _say_unparsed(coverage)))
        if coverage.values:
            more = ", ..." if coverage.n_distinct > len(coverage.values) else ""
            say_plain(_cells("", f"{coverage.n_distinct} values: {', '.join(coverage.values)}{more}"))
    for name in ("period", "metric", "entity"):
        if name not in proposal.sources:
            say_plain(_cells(name, "nothing found", "-", "-"))


def _say_unparsed(coverage: "Coverage") -> str:
    """Values that could not be parsed, else documents without a value."""
    n_shown = len(coverage.unparsed)
    if n_shown:
        shown = ", ".join(repr(value) for value in coverage.unparsed)
        return f"{shown}{', ...' if coverage.n_unparsed > n_shown else ''}"
    names = ", ".join(PurePosixPath(path).name for path in coverage.missing)
    return f"no value: {names}{', ...' if coverage.n_missing > len(coverage.missing) else ''}" if names else "-"


def _cells(*texts: str) -> str:
    padded = [text.ljust(width) for text, width in zip(texts, _WIDTHS, strict=False)]
    return " ".join([*padded, *texts[len(_WIDTHS) :]]).rstrip()


def _say_attention(proposal: "Proposal") -> None:
    """What a person should look at before the first run."""
    from eval_pipeline.orchestration.facet_planning import tell_missing

    notes = list(proposal.notes)
    notes += tell_missing({axis: proposal.coverage[axis] for axis in proposal.config.axes if axis in proposal.coverage})
    notes += [f"{name}: {facet.source}; check it" for name, facet in proposal.sources.items() if facet.is_guess]
    notes += [
        f"{one.path}: {one.told}; check page_base in eval.yaml"
        for one in proposal.questions
        if one.config is not None and not one.is_sure
    ]
    refused = Counter(one.reason for one in proposal.metadata.refusals)
    notes += [f"{n} metadata rows will be refused: {reason}" for reason, n in sorted(refused.items())]
    if not proposal.config.facets:
        notes.append("no facet was found: declare one under facets in eval.yaml, or there are no hard negatives")
    if any(facet.config.pattern for facet in proposal.sources.values()):
        notes.append("patterns stand under facets.<name>.pattern in eval.yaml; edit them there")
    for place, note in enumerate(notes):
        say_plain(("\n" if place == 0 else "") + f"look at   {note}")
