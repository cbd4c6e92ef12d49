"""Expected: the error that the reference itself has, signal by signal and over time.

The reference was made by DASSL, a BDF method of variable order, with a known tolerance and a
known number of steps. How far such a method comes from the exact solution of this very model,
motorik tells by a BDF method that begins as the reference's does: some runs with tolerances up
to SPREAD times tighter and looser than the one that suits, and of each signal the largest
deviation from the converged solution among them, up to each time and SOON after it; at least
LEAST of that of the whole run.

The tolerance that suits is the reference's; or, if the reference took somewhat more steps than
motorik's BDF method does with it, those of its starts taken off (it begins anew at every event),
the tighter one with which both take as many. If it took more
than MOST_STEPS times as many, it was not more exact but began anew again and again, as where
states are exchanged on the way; then motorik's runs begin anew as often as makes the same
number of steps.

Four things more set a bound to what a comparison can tell: the reference's absolute tolerance;
rounding, that is how far the signals change if the times change by their last digits; what
motorik's own runs leave open; and, if the reference took no more steps than its start takes,
and so was integrated exactly, its first steps, which are of order one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from validation.deviation import Signals, deviations, differences, largest, scales
from validation.reference_solver import NAME
from validation.runs import TIGHTEST, Runs

SOLVED = 1000  # units in the last place that linear equations of a mechanism lose
FACTOR = 4.8  # by which the reference may exceed the largest error of motorik's runs
LARGEST_LIMIT = 0.1  # part of a signal's range beyond which agreement means nothing
SPREAD = 2.0
SOON = 0.1  # part of the run
LEAST = 0.01  # part of the largest error
OUTPUTS = 500  # intervals of the reference's output
FIRST_STEP = 1e-3 / OUTPUTS  # of the run: DASSL begins with a thousandth of an interval
START_STEPS = math.ceil(math.log2(1 / FIRST_STEP)) + 6  # doubling it, order 1 to 5, the end
OWN_START = 10  # steps that DASSL takes more than motorik's method at a start
MOST_STEPS = 1.5
MANY_STARTS = 5  # a run of fewer steps than so many starts tells little by their number
TIGHTER = tuple(2.0 ** (-k / 2) for k in range(1, 29))
MOST_PIECES = 256
LAST_DIGITS = (4, 16)  # multiples of the distance of two numbers
BDF = "a BDF method"


@dataclass(frozen=True)
class Expected:
    """The reference's own error by what it is due to, over time; `cause` in words."""

    parts: dict[str, dict[str, np.ndarray]]
    cause: str = ""

    def limits(self) -> dict[str, np.ndarray]:
        """Return the deviation that is allowed of each signal at each row."""
        first, *others = self.parts.values()
        return {
            name: np.minimum(
                FACTOR * np.max([values, *(part[name] for part in others)], axis=0),
                LARGEST_LIMIT,
            )
            for name, values in first.items()
        }

    def due_to(self, signal: str, row: int) -> str:
        """Return the part that decides the limit of a signal at a row."""
        return max(self.parts, key=lambda part: self.parts[part][signal][row])


def expected(runs: Runs, exact: Signals, unsure: dict[str, float]) -> Expected:
    """Return the reference's own error; `unsure` is how far `exact` may be off."""
    reference = runs.reference
    constant = {"motorik's own error": unsure, "rounding": rounding(runs, exact)}
    parts: dict[str, dict[str, np.ndarray]] = {}
    if reference.steps <= START_STEPS:
        cause = f"the reference took only the {reference.steps:.0f} steps of its start"
        constant["the reference's first steps"] = start_error(exact)
    else:
        widths = scales(exact)
        constant["the reference's absolute tolerance"] = {
            name: reference.tolerance / widths[name] / FACTOR for name in exact
        }
        parts[BDF], cause = method_error(runs, exact)
    rows = reference.time.size
    parts |= {
        what: {name: np.full(rows, value) for name, value in values.items()}
        for what, values in constant.items()
    }
    return Expected(parts, cause)


def start_error(exact: Signals) -> dict[str, float]:
    """Return the error of the first steps: of order one, (h/T)² of what a signal goes through.

    The second step is twice as long and of order one too.
    """
    widths = scales(exact)
    share = (1 + 2**2) * FIRST_STEP**2
    return {name: share * float(np.ptp(v)) / widths[name] for name, v in exact.items()}


def rounding(runs: Runs, exact: Signals) -> dict[str, float]:
    """Return by how much the signals change with the last digits of the times."""
    times = np.unique(runs.reference.time)
    seen = []
    for digits in LAST_DIGITS:
        shifted = times - digits * np.spacing(np.abs(times))
        shifted[0] = times[0]
        values = runs.signals(runs.simulate(TIGHTEST, "dop853", shifted))
        seen.append(deviations(runs.reference.time, exact, runs.spread(values)))
    widths, eps = scales(exact), float(np.finfo(float).eps)
    seen.append(
        {
            name: SOLVED * eps * max(1.0, float(np.abs(values).max()) / widths[name])
            for name, values in exact.items()
        }
    )
    return largest(seen)


def method_error(runs: Runs, exact: Signals) -> tuple[dict[str, np.ndarray], str]:
    """Return the largest error of each signal over time among runs like the reference's."""
    reference = runs.reference
    tolerance = reference.tolerance
    own = runs.simulate(tolerance, NAME).info.steps
    starts = 1 + reference.events + runs.time_events()
    wanted = reference.steps - OWN_START * starts
    pieces, cause = 1, ""
    if wanted > MOST_STEPS * own:
        pieces = pieces_for(runs, wanted)
        cause = f"the reference's {reference.steps:.0f} steps tell of {pieces} fresh starts"
    elif wanted > own:
        tolerance = matched_tolerance(runs, wanted)
        if reference.steps < MANY_STARTS * START_STEPS:
            tolerance = max(tolerance, reference.tolerance / SPREAD)
    found = [
        differences(reference.time, exact, in_pieces(runs, pieces, factor * tolerance)[0])
        for factor in SPREAD ** np.linspace(-1.0, 1.0, runs.tolerances)
    ]
    return {
        name: envelope(reference.time, [run[name] for run in found]) for name in exact
    }, cause


def envelope(times: np.ndarray, errors: list[np.ndarray]) -> np.ndarray:
    """Return the largest of several errors up to each time and SOON after it."""
    rising = np.maximum.accumulate(np.abs(errors).max(axis=0))
    soon = np.searchsorted(times, times + SOON * (times[-1] - times[0]))
    return np.maximum(rising[np.minimum(soon, times.size - 1)], LEAST * rising[-1])


def matched_tolerance(runs: Runs, wanted: float) -> float:
    """Return the tolerance with which motorik's BDF method takes as many steps."""
    tolerance = runs.reference.tolerance
    for factor in TIGHTER:
        tolerance = factor * runs.reference.tolerance
        if tolerance < TIGHTEST or runs.simulate(tolerance, NAME).info.steps >= wanted:
            break
    return max(tolerance, TIGHTEST)


def pieces_for(runs: Runs, wanted: float) -> int:
    """Return how often the BDF method must begin anew to take as many steps."""
    most = min(MOST_PIECES, np.unique(runs.reference.time).size - 1)
    pieces = 1
    while pieces < most:
        steps = in_pieces(runs, pieces, runs.reference.tolerance)[1]
        if steps >= wanted:
            break
        pieces = min(2 * pieces, most)
    return pieces


def in_pieces(runs: Runs, pieces: int, tolerance: float) -> tuple[Signals, int]:
    """Return the signals and steps of a BDF run that begins anew at equal intervals."""
    if pieces == 1:
        result = runs.simulate(tolerance, NAME)
        return runs.rows(result), result.info.steps
    times = np.unique(runs.reference.time)
    edges = np.linspace(0, times.size - 1, pieces + 1).astype(int)
    start: dict[str, float] | None = None
    steps = 0
    parts: list[dict[str, np.ndarray]] = []
    for first, last in pairwise(edges.tolist()):
        result = runs.simulate(tolerance, NAME, times[first : last + 1], start)
        start = dict(zip(result.state_names, result.states[-1].tolist(), strict=True))
        steps += result.info.steps
        values = runs.signals(result)
        parts.append({n: v if first == 0 else v[1:] for n, v in values.items()})
    return runs.spread(_joined(parts)), steps


def _joined(parts: Iterable[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    every = list(parts)
    return {name: np.concatenate([part[name] for part in every]) for name in every[0]}
