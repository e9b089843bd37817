"""Audit: what 200 adjudicated questions add to the labels of a model that is right in 84 of 100 pairs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from eval_pipeline.labels.auditing import AuditDraw
from eval_pipeline.metrics.intervals import interval_of_mean
from eval_pipeline.metrics.prediction_powered import correct_mean
from eval_pipeline.metrics.validation.coverage import HIGH, LEVEL, LOW
from eval_pipeline.metrics.validation.lines import Line, Proof, simulation_error

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

N_QUESTIONS, N_AUDITED, AGREEMENT = 1_000, 200, 0.84


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """One simulated set under both kinds of label.

    Attributes:
        truth: (n,) value of each question under people's labels of its first k.
        guess: (n,) value under the model's labels of the same units.
    """

    truth: Floats
    guess: Floats


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What simulated sets showed.

    Attributes:
        powered: share of sets whose prediction-powered interval holds the truth.
        narrower: mean width of these over that of the audit's own intervals.
        model: share of sets in which the interval of the model's labels alone holds the truth.
    """

    powered: float
    narrower: float
    model: float


@dataclass(frozen=True, kw_only=True)
class _World:
    """A kind of figure and of model.

    Attributes:
        what: in words.
        draw: one set of labelled questions.
        mean: its true mean.
    """

    what: str
    draw: Callable[[np.random.Generator], Labelled]
    mean: float


def prove_audit(*, n_sets: int, seed: int = 0) -> Proof:
    """Coverage and width of prediction-powered intervals, beside the audit alone and the model alone.

    Args:
        n_sets: simulated sets for each line.
        seed: of the sets; the audits are drawn as a project's audit is, by hash of the question.
    """
    draws = [_is_drawn(seed + number) for number in range(min(n_sets, 50))]
    return Proof(
        name="audit",
        claim="200 of 1,000 questions audited: prediction-powered intervals cover, and are narrower than the audit's",
        lines=tuple(line for world in _worlds() for line in _lines(world, draws, n_sets, seed)),
    )


def _lines(world: _World, draws: list[Flags], n_sets: int, seed: int) -> Iterator[Line]:
    outcome = run_audits(world.draw, world.mean, draws=draws, n_sets=n_sets, seed=seed)
    slack = simulation_error(LOW, n_sets)
    yield Line(what=f"{world.what}: prediction-powered covers", value=outcome.powered, low=LOW, high=HIGH, slack=slack)
    yield Line(what=f"{world.what}: width, the audit alone being 1", value=outcome.narrower, low=0.0, high=0.99)
    yield Line(
        what=f"{world.what}: the model's labels alone cover",
        value=outcome.model,
        low=0.0,
        high=LOW,
        is_default=False,
    )


def run_audits(
    draw: Callable[[np.random.Generator], Labelled], mean: float, *, draws: list[Flags], n_sets: int, seed: int
) -> Outcome:
    """Simulate sets and audit each.

    Args:
        draw: makes one set.
        mean: true mean.
        draws: audits; set i takes the i-th in turn.
        n_sets: sets.
        seed: of the sets.
    """
    rng = np.random.default_rng(seed)
    settings = {"level": LEVEL, "resamples": 1, "seed": 0}
    powered, model, widths, alone = 0, 0, 0.0, 0.0
    for number in range(n_sets):
        labelled, is_audited = draw(rng), draws[number % len(draws)]
        found = correct_mean(predicted=labelled.guess, adjudicated=labelled.truth, is_audited=is_audited, level=LEVEL)
        audit = interval_of_mean(labelled.truth[is_audited], **settings)  # type: ignore[arg-type]  # by name
        guessed = interval_of_mean(labelled.guess, **settings)  # type: ignore[arg-type]  # by name
        powered += _holds(found.low, found.high, mean)
        model += _holds(guessed.low, guessed.high, mean)
        widths += (found.high or 0.0) - (found.low or 0.0)
        alone += (audit.high or 0.0) - (audit.low or 0.0)
    return Outcome(powered=powered / n_sets, narrower=widths / alone, model=model / n_sets)


def _holds(low: float | None, high: float | None, mean: float) -> bool:
    return low is not None and high is not None and low <= mean <= high


def _is_drawn(seed: int) -> Flags:
    """Which questions an audit draws: by hash of the question, each with the chance 200 / 1,000."""
    audit = AuditDraw(share=N_AUDITED / N_QUESTIONS, seed=seed)
    return np.array([audit.is_drawn(f"question {number:04d}") for number in range(N_QUESTIONS)])


def _worlds() -> tuple[_World, ...]:
    return (
        _World(what="sufficient@1, errs both ways", draw=lambda rng: draw_labelled(rng, k=1, share=0.6), mean=0.6),
        _World(
            what="sufficient@5, errs both ways",
            draw=lambda rng: draw_labelled(rng, k=5, share=0.2),
            mean=1 - 0.8**5,
        ),
        _World(
            what="sufficient@1, errs towards yes",
            draw=lambda rng: draw_labelled(rng, k=1, share=0.6, is_lenient=True),
            mean=0.6,
        ),
    )


def draw_labelled(rng: np.random.Generator, *, k: int, share: float, is_lenient: bool = False) -> Labelled:
    """Label the first k units of every question twice: rightly, and by a model that agrees in 84 of 100 pairs.

    Args:
        rng: chance.
        k: units that count.
        share: chance of a unit to be sufficient.
        is_lenient: True for a model that takes insufficient units for sufficient ones and never the other way.
    """
    truth = rng.random((N_QUESTIONS, k)) < share
    errs = rng.random((N_QUESTIONS, k)) < ((1 - AGREEMENT) / (1 - share) if is_lenient else 1 - AGREEMENT)
    guess = truth | errs if is_lenient else truth ^ errs
    return Labelled(
        truth=np.asarray(truth.any(axis=1), dtype=np.float64), guess=np.asarray(guess.any(axis=1), dtype=np.float64)
    )
