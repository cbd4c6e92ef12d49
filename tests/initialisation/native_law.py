"""The law of native starts: native code finds the start of the full search, or none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from motorik.compiled_model import CompiledModel
from motorik.errors import MotorikError
from motorik.initialisation.initialise import given_values, initialise
from motorik.initialisation.native import NativeStart
from motorik.initialisation.request import InitialStateRequest
from motorik.initialisation.search import InitialState, InitialStateSearch

SAME = 1e-12  # of the scales, or of larger values
NOTHING: dict[str, float] = {}
REFERENCE = 1.5 / 1024  # references of angles are rounded, and tell full turns only


Values = Mapping[str, float]


def _begin(
    system: CompiledModel, given: Values, guessed: Values
) -> tuple[np.ndarray, np.ndarray]:
    """Return the motion to begin with and what of it is fixed: what is given, not guesses."""
    X, fixed = given_values(system, given)
    X = X.copy()
    for name, value in guessed.items():
        X[system.layout.index[name]] = value
    return X, fixed


def searched(
    system: CompiledModel,
    given: Values,
    live: np.ndarray,
    branch: Mapping[str, str] | None = None,
    guessed: Values = NOTHING,
) -> InitialState | None:
    """Return the start by the full search, None if it refuses."""
    X, fixed = _begin(system, given, guessed)
    try:
        return InitialStateSearch(system, fixed, live, 0.0, initialise).run(
            X, branch or {}, given
        )
    except MotorikError:
        return None


def by_code(
    start: NativeStart,
    given: Values,
    live: np.ndarray,
    branch: Mapping[str, str] | None = None,
    guessed: Values = NOTHING,
) -> tuple[np.ndarray, ...] | None:
    """Return motion, state and parameters by native code, None if it is not certain."""
    X, fixed = _begin(start.system, given, guessed)
    return start.find(InitialStateRequest(X, fixed, live, 0.0, branch or {}))


def check_same(
    start: NativeStart, found: tuple[np.ndarray, ...], wanted: InitialState
) -> None:
    """Raise if two starts are not the same: motion, state, parameters, sides, windings."""
    system, layout = start.system, start.layout
    assert wanted.system is system
    blocks = np.ones(len(layout.blocks))
    scale = np.concatenate([system.scales.coordinates, system.scales.speeds, blocks])
    X, x, p = found
    unit = np.maximum(scale, np.abs(wanted.X))
    np.testing.assert_array_less(np.abs(X - wanted.X) / unit, SAME)
    np.testing.assert_array_less(np.abs(x - wanted.x) / layout.state_of(unit), SAME)
    n, sides = layout.n_live, layout.branch.branches.stop
    np.testing.assert_allclose(p[:n], wanted.p[:n], rtol=SAME, atol=0.0)
    np.testing.assert_array_equal(p[n:sides], wanted.p[n:sides])
    rest, other = p[sides:], wanted.p[sides:]
    allowed = REFERENCE * np.maximum(1.0, 1e-9 * np.abs(other))
    np.testing.assert_array_less(np.abs(rest - other), allowed)


def compare(
    start: NativeStart,
    given: Values,
    live: np.ndarray,
    branch: Mapping[str, str] | None = None,
    guessed: Values = NOTHING,
) -> bool | None:
    """Check that native code gives the same start or none; tell whether it gave one.

    None where the search refuses, and native code has no answer either.
    """
    found = by_code(start, given, live, branch, guessed)
    wanted = searched(start.system, given, live, branch, guessed)
    if wanted is None:
        assert found is None, given
        return None
    if found is None:
        return False
    check_same(start, found, wanted)
    return True


@dataclass
class Share:
    """How many of the starts that exist were found natively."""

    native: int = 0
    possible: int = 0

    def note(self, answer: bool | None) -> None:
        """Count an answer of `compare`."""
        self.native += bool(answer)
        self.possible += answer is not None

    def __str__(self) -> str:
        return f"{100 * self.native / max(self.possible, 1):.0f} % of {self.possible}"


def prepared(system: CompiledModel) -> tuple[NativeStart, np.ndarray, np.ndarray]:
    """Return native starts of a system, its live parameters and its own start."""
    live = system.parameter_values()
    middle = initialise(system, {}, live).X
    assert NativeStart.suits(system)
    return NativeStart(system, initialise), live, middle


def draws(
    system: CompiledModel, middle: np.ndarray, count: int
) -> Iterator[dict[str, float]]:
    """Yield other values of what is fixed, of any one coordinate or speed, near and far."""
    rng = np.random.default_rng(5)
    layout, names = system.layout, system.layout.motion_names
    n_q, fixed = layout.n_q, layout.starts[1]
    unit = np.concatenate([system.scales.coordinates, np.ones(layout.n_u)])
    kept = [k for k in range(n_q + layout.n_u) if fixed[k]]
    q = [k for k in kept if k < n_q] or list(layout.state_q[:1])
    u = [k for k in kept if k >= n_q] or [n_q + k for k in layout.state_u[:1]]
    for k in range(count):
        width = (0.05, 0.4)[int(rng.integers(2))]
        one = [int(rng.integers(n_q))]
        speed = [n_q + int(rng.integers(layout.n_u))]
        chosen = (q, u, one, q + u, speed)[k % 5]
        yield {names[i]: float(middle[i] + width * rng.normal() * unit[i]) for i in chosen}


def share_of(system: CompiledModel, count: int) -> Share:
    """Return how many of drawn starts native code finds, all of them as the search does.

    Where demands or time tell the motion, other values are only guesses.
    """
    start, live, middle = prepared(system)
    share = Share()
    for drawn in draws(system, middle, count):
        if system.mechanism.initial_conditions or not system.freedom:
            share.note(compare(start, {}, live, guessed=drawn))
        else:
            share.note(compare(start, drawn, live))
    return share
