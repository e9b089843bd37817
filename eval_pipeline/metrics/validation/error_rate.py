"""Error rate: how often equal variants are declared different, and how often a planted difference is seen."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from eval_pipeline.metrics.paired_tests import correct_holm, p_values_of_pairs
from eval_pipeline.metrics.power import mcnemar_power
from eval_pipeline.metrics.validation.lines import Line, Proof, simulation_error

Floats = npt.NDArray[np.float64]

N_VARIANTS, N_QUESTIONS = 10, 200
ALPHA = 0.05
PLANTED, DISCORDANCE = 0.10, 0.20
RESAMPLES = 2_000


def prove_error_rate(*, n_sets: int, seed: int = 0) -> Proof:
    """False alarms of Holm-corrected comparisons, and the power of one planned pair against what `power` predicts.

    Args:
        n_sets: simulated sets for each line.
        seed: of the sets.
    """
    slack = simulation_error(ALPHA, n_sets)
    equal = f"{N_VARIANTS} equal variants, n = {N_QUESTIONS}"
    lines = [
        Line(what=f"{equal}, {kind}: any difference declared", value=value, low=0.0, high=ALPHA, slack=slack)
        for kind, value in (
            ("0/1 values, McNemar and Holm", false_alarms(draw_equal_shares, n_sets=n_sets, seed=seed)),
            ("graded values, sign flips and Holm", false_alarms(draw_equal_grades, n_sets=n_sets, seed=seed)),
            (
                "0/1 values in 60 clusters, clusters flipped and Holm",
                false_alarms(draw_equal_clustered, n_sets=n_sets, seed=seed, n_clusters=60),
            ),
        )
    ]
    predicted = mcnemar_power(n=N_QUESTIONS, difference=PLANTED, discordance=DISCORDANCE)
    pair = f"one planned pair, n = {N_QUESTIONS}, difference {PLANTED:.2f}, discordance {DISCORDANCE:.2f}"
    seen = alarms_of_pair(n_sets=n_sets, seed=seed, difference=PLANTED)
    return Proof(
        name="error rate",
        claim="equal variants are declared different in at most 5 % of sets; a planted difference is seen as predicted",
        lines=(
            *lines,
            Line(
                what=f"{pair}: seen, predicted {predicted:.3f}",
                value=seen,
                low=predicted - 0.05,
                high=predicted + 0.05,
            ),
            Line(
                what="the same pair without a difference: declared",
                value=alarms_of_pair(n_sets=n_sets, seed=seed + 1, difference=0.0),
                low=0.0,
                high=ALPHA,
                slack=slack,
            ),
        ),
    )


def false_alarms(
    draw: Callable[[np.random.Generator], Floats], *, n_sets: int, seed: int, n_clusters: int | None = None
) -> float:
    """Share of sets in which any Holm-corrected pair of equal variants is declared different."""
    rng = np.random.default_rng(seed)
    clusters = None if n_clusters is None else cluster_names(n_clusters)
    alarms = 0
    for _ in range(n_sets):
        p_values, _tests = p_values_of_pairs(draw(rng), clusters=clusters, resamples=RESAMPLES, seed=seed)
        alarms += bool((correct_holm(p_values) <= ALPHA).any())
    return alarms / n_sets


def cluster_names(n_clusters: int) -> npt.NDArray[np.str_]:
    """(n,) names of clusters of nearly equal size."""
    return (np.arange(N_QUESTIONS) % n_clusters).astype(np.str_)


def draw_equal_shares(rng: np.random.Generator) -> Floats:
    """0/1 values of equal variants: a question is as hard for one as for the other, and each has its own luck."""
    hardness = rng.beta(3, 2, (N_QUESTIONS, 1))
    return (rng.random((N_QUESTIONS, N_VARIANTS)) < hardness).astype(np.float64)


def draw_equal_grades(rng: np.random.Generator) -> Floats:
    """Graded values of equal variants, in tenths, so that some are equal."""
    hardness = rng.beta(3, 2, (N_QUESTIONS, 1))
    values = np.clip(hardness + rng.normal(0, 0.2, (N_QUESTIONS, N_VARIANTS)), 0, 1)
    return np.asarray(values.round(1), dtype=np.float64)


def draw_equal_clustered(rng: np.random.Generator) -> Floats:
    """0/1 values of equal variants whose luck is that of the whole document."""
    places = np.arange(N_QUESTIONS) % 60
    document = rng.beta(1.5, 1, (60, N_VARIANTS))[places]
    return (rng.random((N_QUESTIONS, N_VARIANTS)) < document).astype(np.float64)


def alarms_of_pair(*, n_sets: int, seed: int, difference: float) -> float:
    """Share of sets in which one planned pair with the stated discordance is declared different."""
    rng = np.random.default_rng(seed)
    one_better, other_better = (DISCORDANCE + difference) / 2, (DISCORDANCE - difference) / 2
    alarms = 0
    for _ in range(n_sets):
        luck, base = rng.random(N_QUESTIONS), (rng.random(N_QUESTIONS) < 0.5) * 1.0
        is_one, is_other = luck < one_better, (luck >= one_better) & (luck < one_better + other_better)
        one = np.where(is_one, 1.0, np.where(is_other, 0.0, base))
        other = np.where(is_one, 0.0, np.where(is_other, 1.0, base))
        p_values, _tests = p_values_of_pairs(np.column_stack([one, other]), clusters=None, resamples=1, seed=0)
        alarms += bool(p_values[0] <= ALPHA)
    return alarms / n_sets
