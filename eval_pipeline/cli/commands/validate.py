"""`eval-pipeline validate`."""

import sys
from pathlib import Path

from eval_pipeline.cli.console import say_json, say_plain
from eval_pipeline.foundation.errors import GateFailed
from eval_pipeline.metrics.validation.lines import Line, Proof
from eval_pipeline.metrics.validation.running import FULL_SETS, QUICK_SETS, Validation, validate_measures


def run_validation(*, is_quick: bool, seed: int, picture: Path | None, as_json: bool) -> None:
    """Prove by simulation that the figures mean what they say; exit code 3 where a line is outside its bound.

    Args:
        is_quick: 100 simulated sets instead of 1,000, and wider bounds.
        seed: of everything that is drawn.
        picture: SVG of the first proof; None for none.
        as_json: print JSON for programs.
    """
    found = validate_measures(n_sets=QUICK_SETS if is_quick else FULL_SETS, seed=seed)
    if picture is not None:
        from eval_pipeline.report.connection_chart import draw_connection

        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.write_text(draw_connection(found.family), encoding="utf-8")
    if as_json:
        say_json(_to_json(found))
    else:
        _print(found, picture)
    if not found.holds:
        sys.exit(GateFailed.exit_code)


def _print(found: Validation, picture: Path | None) -> None:
    for number, proof in enumerate(found.proofs, start=1):
        say_plain(f"{number} {proof.name}: {proof.claim}")
        for line in proof.lines:
            say_plain(f"  {_mark(line):<8}{line.value:>8.3f}  {_bound(line):<24}{line.what}")
    n_lines = sum(len(proof.lines) for proof in found.proofs)
    n_inside = sum(line.is_inside for proof in found.proofs for line in proof.lines)
    say_plain(f"{n_inside} of {n_lines} lines inside their bounds; {found.n_sets:,} simulated sets a line")
    if picture is not None:
        say_plain(f"picture  {picture}")


def _mark(line: Line) -> str:
    if not line.is_inside:
        return "OUTSIDE"
    return "inside" if line.is_default else "fails"


def _bound(line: Line) -> str:
    """A line that shows a failing method says so: its bound is where it is expected to fall short."""
    bound = f"{line.low:g} to {line.high:.3g}" if line.is_default else f"below {line.high:g}: no default"
    return f"{bound} ± {line.slack:.3f}" if line.slack else bound


def _to_json(found: Validation) -> dict[str, object]:
    return {
        "holds": found.holds,
        "n_sets": found.n_sets,
        "proofs": [_proof_to_json(proof) for proof in found.proofs],
        "family": [
            {
                "skill": point.skill,
                "naive_top@1": point.naive.estimate,
                "siblings_sufficient@1": point.siblings.estimate,
            }
            for point in found.family
        ],
    }


def _proof_to_json(proof: Proof) -> dict[str, object]:
    return {
        "name": proof.name,
        "claim": proof.claim,
        "holds": proof.holds,
        "lines": [{**vars(line), "is_inside": line.is_inside} for line in proof.lines],
    }
