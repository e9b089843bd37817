"""All four proofs, one after the other."""

from dataclasses import dataclass

from eval_pipeline.metrics.validation.audits import prove_audit
from eval_pipeline.metrics.validation.connection import SkillPoint, prove_connection, trace_family
from eval_pipeline.metrics.validation.coverage import prove_coverage
from eval_pipeline.metrics.validation.error_rate import prove_error_rate
from eval_pipeline.metrics.validation.lines import Proof

FULL_SETS, QUICK_SETS = 1_000, 100


@dataclass(frozen=True, kw_only=True)
class Validation:
    """What the simulations showed.

    Attributes:
        proofs: connection, coverage, error rate, audit.
        family: both figures of every retriever of the connection.
        n_sets: simulated sets behind each line that has no exact sum.
    """

    proofs: tuple[Proof, ...]
    family: tuple[SkillPoint, ...]
    n_sets: int

    @property
    def holds(self) -> bool:
        """Whether every line of every proof is inside its bound."""
        return all(proof.holds for proof in self.proofs)


def validate_measures(*, n_sets: int = FULL_SETS, seed: int = 0) -> Validation:
    """Run the four proofs on one core; some 20 seconds for 1,000 sets.

    Args:
        n_sets: simulated sets for each line that has no exact sum; bounds are widened by two standard errors of it.
        seed: of everything that is drawn. The same seed gives the same lines.
    """
    points, n_short = trace_family(seed=seed)
    return Validation(
        proofs=(
            prove_connection(points, n_short),
            prove_coverage(n_sets=n_sets, seed=seed),
            prove_error_rate(n_sets=n_sets, seed=seed),
            prove_audit(n_sets=n_sets, seed=seed),
        ),
        family=tuple(points),
        n_sets=n_sets,
    )
