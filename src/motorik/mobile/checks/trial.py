"""Trial: an element in one motion under one load, and the motion and force it transmits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from motorik.algebra.matrix import Matrix
from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import angular_velocity_from, rotation_about
from motorik.algebra.vector import Vector, X
from motorik.immutable import immutable
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.transmission import Element, State, Subtask
from motorik.mobile.states.variable import PlainVariable, StateVariable
from motorik.numerics.tolerances import TRIAL_ZERO

STEP = 1e-3  # s; what is left of differences of two sizes is its fourth power
MOVING = Subtask.POSITION | Subtask.VELOCITY

Place = Pose | float
"""Where a state object is: the pose of a frame, the position of a variable."""


@immutable
class TrialSample:
    """Where the inputs are, how they move and accelerate, and the loads on the outputs."""

    places: tuple[Place, ...]
    velocities: tuple[np.ndarray, ...]
    accelerations: tuple[np.ndarray, ...]
    loads: tuple[np.ndarray, ...]


def make_sample(element: Element, rng: np.random.Generator, spread: float) -> TrialSample:
    """Return a random sample with the inputs near to where they are now."""

    def numbers(state: State) -> np.ndarray:
        return rng.normal(size=6 if isinstance(state, Frame) else 1)

    def near(state: State) -> Place:
        if isinstance(state, Frame):
            w, v = (Vector.of(rng.uniform(-spread, spread, 3)) for _ in range(2))
            return state.X @ Pose(rotation_about(w.normalized(), w.norm()), v)
        assert isinstance(state, StateVariable)
        q = float(
            state.q
        )  # numbers without unit may depend on each other, as in quaternions
        return q if isinstance(state, PlainVariable) else q + rng.uniform(-spread, spread)

    inputs, outputs = element.inputs, element.outputs
    return TrialSample(
        places=tuple(near(state) for state in inputs),
        velocities=tuple(numbers(state) for state in inputs),
        accelerations=tuple(numbers(state) for state in inputs),
        loads=tuple(numbers(state) for state in outputs),
    )


class Trial:
    """An element at a sample; each method starts from there again."""

    def __init__(self, element: Element, sample: TrialSample) -> None:
        self.element, self.sample = element, sample
        self.inputs, self.outputs = tuple(element.inputs), tuple(element.outputs)

    def put(self, t: float = 0.0, subtasks: Subtask = Subtask.ALL) -> None:
        """Move the inputs to where they are at the time t [s], without any load.

        To second order in t: differences of two sizes leave nothing of the third.
        """
        self.element.clear_forces()
        self._write(self.sample.places, 0.0, subtasks)
        if t:
            # by the speeds in the middle, which an element may write itself (quaternions)
            self.element.motion(MOVING)
            self._write(self._moved(0.5 * t), 0.5 * t, subtasks)
            self.element.motion(MOVING)
            self._write(self._moved(t), t, subtasks)

    def _moved(self, t: float) -> list[Place]:
        """Return where the inputs are at t, variables moving at the speeds they have now."""
        moved: list[Place] = []
        for i, state in enumerate(self.inputs):
            at = self.sample.places[i]
            if isinstance(at, Pose):
                V, A = (self.sample.velocities[i], self.sample.accelerations[i])
                moved.append(at @ _displacement(Motor.of(V), Motor.of(A), t))
            else:
                assert isinstance(state, StateVariable)
                moved.append(at + t * float(state.qd))
        return moved

    def _write(self, places: Sequence[Place], t: float, subtasks: Subtask) -> None:
        rows = zip(
            self.inputs,
            places,
            self.sample.velocities,
            self.sample.accelerations,
            strict=True,
        )
        for state, at, V, A in rows:
            speed = V + t * A
            if isinstance(state, Frame):
                assert isinstance(at, Pose)
                state.X, state.V = at, Motor.of(speed)
                state.accelerate(Motor.of(A), subtasks)
            else:
                assert isinstance(state, StateVariable)
                state.q, state.qd, state.qdd = at, float(speed[0]), float(A[0])

    def load(self, factor: float = 1.0) -> None:
        """Apply the loads to the outputs."""
        for state, load in zip(self.outputs, self.sample.loads, strict=True):
            write_force(state, factor * load)

    # --- observations --------------------------------------------------------------------------

    def read(self, level: str, states: Sequence[State] | None = None) -> np.ndarray:
        """Return the numbers of the outputs, or other states, at a level."""
        chosen = self.outputs if states is None else states
        rows = [READERS[level](state) for state in chosen]
        return np.concatenate(rows) if rows else np.zeros(0)

    def largest(self) -> float:
        """Return the largest number that inputs and outputs hold now."""
        found = [
            np.abs(self.read(level, (*self.inputs, *self.outputs))).max(initial=0.0)
            for level in READERS
        ]
        return max(map(float, found))

    def deviation(self, seen: np.ndarray, right: np.ndarray) -> float:
        """Return the largest difference, relative to the largest number; NaN if there is one."""
        if not seen.size:
            return 0.0
        size = max(np.abs(seen).max(), np.abs(right).max(), TRIAL_ZERO * self.largest())
        difference = float(np.abs(seen - right).max())
        return difference / float(size) if size > 0.0 else difference

    def rate_of_places(self) -> np.ndarray:
        """Return the velocities of the outputs by differences of their positions."""
        self.put()
        self.element.motion(MOVING)
        now = [_place(state) for state in self.outputs]
        seen: dict[int, list[np.ndarray]] = {}
        for k in (-2, -1, 1, 2):
            self.put(k * STEP)
            self.element.motion(MOVING)
            seen[k] = [READERS["position"](state) for state in self.outputs]
        rates = [_slope({k: seen[k][i] for k in seen}) for i in range(len(now))]
        found = [_velocity(at, rate) for at, rate in zip(now, rates, strict=True)]
        return np.concatenate(found) if found else np.zeros(0)

    def rate_of_velocities(self) -> np.ndarray:
        """Return the accelerations of the outputs by differences of their velocities."""
        seen: dict[int, np.ndarray] = {}
        for k in (-2, -1, 1, 2):
            self.put(k * STEP)
            self.element.motion(MOVING)
            seen[k] = self.read("velocity")
        return _slope(seen)


def _slope(at: dict[int, np.ndarray]) -> np.ndarray:
    return (8.0 * (at[1] - at[-1]) - (at[2] - at[-2])) / (12.0 * STEP)


def _displacement(V: Motor, A: Motor, t: float) -> Pose:
    """Return the way of a frame in the time t, to second order."""
    w, v = V.resultant, V.moment
    turn = t * w + (0.5 * t * t) * A.resultant
    angle = turn.norm()
    axis = turn / angle if float(angle) > 0.0 else X
    way = t * v + (0.5 * t * t) * (A.moment + w.cross(v))
    return Pose(rotation_about(axis, angle), way)


def _place(state: State) -> Place:
    if isinstance(state, Frame):
        return state.X
    assert isinstance(state, StateVariable)
    return float(state.q)


def _velocity(at: Place, rate: np.ndarray) -> np.ndarray:
    """Return the velocity motor, or the speed, of a place that changes at this rate."""
    if not isinstance(at, Pose):
        return rate
    matrix = rate.reshape(4, 4)
    w = angular_velocity_from(at.R, Matrix.of(matrix[:3, :3]))
    return Motor(w, at.R.T @ Vector.of(matrix[:3, 3])).numpy()


def _reader(of_frame: str, of_variable: str) -> Callable[[State], np.ndarray]:
    def read(state: State) -> np.ndarray:
        if isinstance(state, Frame):
            return np.asarray(getattr(state, of_frame).numpy(), dtype=float).ravel()
        return np.array([float(getattr(state, of_variable))])

    return read


READERS = {
    "position": _reader("X", "q"),
    "velocity": _reader("V", "qd"),
    "acceleration": _reader("A", "qdd"),
    "force": _reader("F", "Q"),
}
"""The numbers of a state object at each level."""


def write_force(state: State, load: np.ndarray) -> None:
    """Replace the force of a state object."""
    if isinstance(state, Frame):
        state.F = Motor.of(load)
    else:
        assert isinstance(state, StateVariable)
        state.Q = float(load[0])


def power(state: State, load: np.ndarray) -> float:
    """Return the power of a load at the velocity that a state object has."""
    if isinstance(state, Frame):
        return float(Motor.of(load) @ state.V)
    assert isinstance(state, StateVariable)
    return float(load[0]) * float(state.qd)
