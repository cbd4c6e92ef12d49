"""ChainHand: a chain of transmission elements that is moved by hand, its loops kept closed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from motorik.algebra.matrix import Matrix
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.analysis.manipulator.follow import Follower
from motorik.analysis.manipulator.grip import Grip, Held
from motorik.analysis.manipulator.outcome import DEAD_CENTRE, MoveOutcome, outcome_at_end
from motorik.errors import LoopError, MotorikError, ParameterError
from motorik.immutable import immutable
from motorik.mobile import (
    ConstraintSolver,
    Element,
    Frame,
    ImplicitConstraintSolver,
    JointElement,
    StateVariable,
    Subtask,
    compile_chain,
    jacobian_by_columns,
)
from motorik.mobile.elements.motion_source import MotionSource
from motorik.mobile.solvers.newton import NearMethod
from motorik.mobile.solvers.tracing import recording
from motorik.mobile.states.transmission import walk
from motorik.mobile.states.variable import AngularVariable, LinearVariable, PlainVariable
from motorik.numerics.tolerances import SAME_POSITION

# --- native kinematics of a chain ----------------------------------------------------------


OF_FRAME = ("p", "R", "ang_a", "lin_a")
POSITION_AND_SLOPES = Subtask.POSITION | Subtask.EULER  # slopes are unit accelerations


class NativeKinematics:
    """Positions of unknowns and frames of a chain, and their slopes, compiled once.

    Parameters that are references are read in each call; all other numbers, and the branches
    of explicit solvers, are those of the time when it was compiled.
    """

    def __init__(
        self,
        chain: Element,
        inputs: Sequence[StateVariable],
        unknowns: Sequence[StateVariable],
    ) -> None:
        self._inputs, self._unknowns = tuple(inputs), tuple(unknowns)
        frames = [state for state in chain.touched if isinstance(state, Frame)]
        self._frames = {id(frame): number for number, frame in enumerate(frames)}
        given = [(variable, name) for name in ("q", "qdd") for variable in inputs]
        wanted = [(unknown, name) for name in ("q", "qdd") for unknown in unknowns]
        wanted += [(frame, name) for frame in frames for name in OF_FRAME]
        self._chain = compile_chain(
            chain, given, wanted, motion=POSITION_AND_SLOPES, force=Subtask.NOTHING
        )
        places = {id(unknown): k for k, unknown in enumerate(unknowns)}
        self._guessed = [places[id(own.state)] for own in self._chain.unknowns]

    def evaluate(
        self, moved: dict[int, float], guess: np.ndarray, frame: Frame | None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray] | None:
        """Return unknowns, slopes, place and rotation of a frame; None where nothing closes.

        `moved` are the positions of inputs by their identity, all others are where they are;
        `guess` is where iterations begin. Slopes have a column for each of `moved` in order:
        rows of the unknowns, then of the frame, angular and linear in its own axes.
        """
        q = [moved.get(id(variable), float(variable.q)) for variable in self._inputs]
        columns, found, p, R = [], np.zeros(0), np.zeros(3), np.eye(3)
        count = len(self._unknowns)
        for variable in self._inputs:
            if id(variable) not in moved:
                continue
            self._chain.guess[:] = guess[self._guessed]
            unit = [float(own is variable) for own in self._inputs]
            made = self._chain.attempt(q, unit)
            if made is None:
                return None
            found = np.array([float(x) for x in made[:count]])
            column = [float(x) for x in made[count : 2 * count]]
            if frame is not None:
                at = 2 * count + len(OF_FRAME) * self._frames[id(frame)]
                p, R, turns, moves = made[at : at + len(OF_FRAME)]
                column += [*turns.tolist(), *moves.tolist()]
            columns.append(column)
        slopes = np.array(columns).T.reshape(-1, len(columns))
        if not all(np.isfinite(numbers).all() for numbers in (found, slopes, p, R)):
            return None
        return found, slopes, p, R


# --- motions that a chain allows a hand ---------------------------------------------------


NONE: frozenset[int] = frozenset()
TURN = 2.0 * np.pi
NEAR = (
    1e-3  # of unknowns, in scales: solutions so near to where they lead are of one branch
)
FAR = 1.0  # of unknowns, in scales: solutions farther apart are not of one motion
LEAD = 0.5  # how far iterations are led, in scales: at dead centres slopes are steep


@immutable
class ChainPose:
    """A closed pose: how unknowns and the watched frame move there, and where they are."""

    q: np.ndarray
    slopes: np.ndarray
    unknowns: np.ndarray
    branches: tuple[float, ...]
    X: Pose | None


class ChainConstraints:
    """The inputs of a chain, which move freely, and its solvers, which close the loops.

    A pose is the vector of the inputs [rad, m]. It is closed where all solvers find a solution
    of the same branch, and where velocities are determined. Explicit solvers keep to their
    branch; that of an implicit one is the sign of its determinant, which vanishes at dead
    centres alone. `refusal` is why the last pose that was tried is not closed. The protocol is
    `ConstraintManifold`.

    Poses are found by machine code where there is some (`native`) and it agrees with the chain
    at the first one; where it finds none, or one that might be on another branch, the chain
    itself decides.
    """

    moment = np.zeros(0)
    rolls = False

    def __init__(
        self,
        chain: Element,
        inputs: Sequence[StateVariable],
        length: float,
        frame: Frame | None = None,
        native: NativeKinematics | None = None,
    ) -> None:
        self.chain, self.inputs, self.length = chain, tuple(inputs), length
        solvers = [e for e in walk(chain) if isinstance(e, ConstraintSolver)]
        self._iterating = [s for s in solvers if isinstance(s, ImplicitConstraintSolver)]
        self.unknowns = [unknown for solver in solvers for unknown in solver.unknowns]
        self.frame, self._native = frame, native
        self._sampled = [*self.unknowns, *([] if frame is None else [frame])]
        self._near = NearMethod(FAR * max(1.0, length))
        self.n_u = len(self.inputs)
        self._units = np.array([self.unit_of(variable) for variable in self.inputs])
        self._turns = np.array(
            [isinstance(u, AngularVariable) for u in self.unknowns], bool
        )
        self._scales = np.array([self.unit_of(unknown) for unknown in self.unknowns])
        self._where: np.ndarray | None = None  # the pose at which the chain is
        self._seen: ChainPose | None = None
        self.refusal: MotorikError | None = None

    def unit_of(self, variable: StateVariable) -> float:
        """Return the unit that makes a variable a plain number: a length, or one radian."""
        return self.length if isinstance(variable, LinearVariable) else 1.0

    @property
    def present(self) -> np.ndarray:
        """The pose that the inputs now have."""
        return np.array([float(variable.q) for variable in self.inputs])

    # --- traversals ------------------------------------------------------------------------------

    def _place(self, q: np.ndarray) -> None:
        """Move the chain to a pose."""
        if self._where is not None and np.array_equal(q, self._where):
            return
        self._where = None
        for variable, value in zip(self.inputs, q.tolist(), strict=True):
            variable.q = value
        with recording(self._near):
            self.chain.motion(Subtask.POSITION)
        self._where = q.copy()

    def evaluate(self, q: np.ndarray) -> ChainPose:
        """Return a closed pose; of one that does not close, the last one that did."""
        seen = self._seen
        if seen is not None and np.array_equal(q, seen.q):
            return seen
        if seen is not None:
            found = self._native_pose(q, seen)
            if found is not None:
                self._seen = found
                return found
        try:
            self._place(q)
            J = np.array(jacobian_by_columns(self.chain, self.inputs, self._sampled))
        except LoopError:
            if seen is None:
                raise
            self._return_to(seen)
            return seen
        slopes = J.reshape(-1, self.n_u).astype(float) * self._units
        X = None if self.frame is None else self.frame.X
        pose = ChainPose(q.copy(), slopes, self._found, self._branches, X)
        if seen is None and not self._agrees(pose):
            self._native = None
        self._seen = pose
        return pose

    def _native_pose(
        self, q: np.ndarray, base: ChainPose, most: float = NEAR
    ) -> ChainPose | None:
        """Return a pose by machine code, None where that is not sure to be on the same branch."""
        if self._native is None:
            return None
        lead = base.slopes[: len(self.unknowns)] @ ((q - base.q) / self._units)
        moved = {id(v): x for v, x in zip(self.inputs, q.tolist(), strict=True)}
        made = self._native.evaluate(moved, base.unknowns + lead, self.frame)
        if made is None:
            return None
        found, slopes, p, R = made
        missed = self._apart(found, base.unknowns + lead)
        if self._iterating and not missed <= most:
            return None
        X = None if self.frame is None else Pose(Matrix.of(R), Vector.of(p))
        return ChainPose(q.copy(), slopes * self._units, found, base.branches, X)

    def _agrees(self, pose: ChainPose) -> bool:
        """Return whether machine code finds the same as the chain."""
        found = self._native_pose(pose.q, pose)
        if found is None or self._apart(found.unknowns, pose.unknowns) > SAME_POSITION:
            return False
        size = max(1.0, float(np.abs(pose.slopes).max(initial=0.0)))
        return bool(
            np.abs(found.slopes - pose.slopes).max(initial=0.0) <= SAME_POSITION * size
        )

    def _apart(self, a: np.ndarray, b: np.ndarray) -> float:
        """Return how far unknowns are apart, in scales; full turns do not count."""
        gone = a - b
        gone[self._turns] -= TURN * np.round(gone[self._turns] / TURN)
        return float(np.abs(gone / self._scales).max(initial=0.0))

    @property
    def _branches(self) -> tuple[float, ...]:
        """The signs of the determinants of solvers that iterate."""
        return tuple(float(np.linalg.slogdet(s.jacobian)[0]) for s in self._iterating)

    @property
    def _found(self) -> np.ndarray:
        return np.array([float(unknown.q) for unknown in self.unknowns])

    def _return_to(self, pose: ChainPose) -> None:
        """Let solvers that iterate begin at a pose before."""
        self._where, self._seen = None, pose
        self._start_at(pose.unknowns)

    def settle(self, q: np.ndarray) -> None:
        """Leave the chain at a closed pose."""
        if self._where is None or not np.array_equal(q, self._where):
            self._start_at(self.evaluate(q).unknowns)
            self._where = None
            self._place(q)

    def _start_at(self, guess: np.ndarray) -> None:
        for unknown, value in zip(self.unknowns, guess.tolist(), strict=True):
            unknown.q = value

    # --- continuation ----------------------------------------------------------------------------

    def at(self, q: np.ndarray, active: frozenset[int]) -> tuple[np.ndarray, np.ndarray]:
        """Return that nothing is left that must vanish: the inputs are free."""
        self.evaluate(q)
        return np.zeros(0), np.zeros((0, self.n_u))

    def moved(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Return the inputs after a step, in scales."""
        return q + step * self._units

    def rolled(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Return the step: nothing rolls."""
        return step

    def close(
        self, q: np.ndarray, active: frozenset[int] = NONE, most: float = np.inf
    ) -> np.ndarray | None:
        """Return the pose, if its loops close on the present branch."""
        base = self._seen
        if base is None:
            return self.evaluate(q).q
        found = self._native_pose(q, base, most)
        if found is not None:
            self._seen, self.refusal = found, None
            return q
        lead = base.slopes[: len(self.unknowns)] @ ((q - base.q) / self._units)
        longest = float(np.abs(lead / self._scales).max(initial=0.0))
        self._start_at(base.unknowns + lead * min(1.0, LEAD / max(longest, LEAD)))
        self.refusal = None
        try:
            self._place(q)
            if self._is_near(base) and self.evaluate(q) is not base:
                return q
        except LoopError as error:
            self.refusal = error
        self._return_to(base)
        return None

    def _is_near(self, base: ChainPose) -> bool:
        """Return whether what iterating solvers have found is of the motion from a pose before."""
        if not self._iterating:
            return True
        is_near = self._apart(self._found, base.unknowns) <= FAR
        return is_near and self._branches == base.branches

    def reach(
        self, q: np.ndarray, step: np.ndarray, active: frozenset[int]
    ) -> tuple[float, int | None]:
        """Return that there is no limit."""
        return 1.0, None

    def allow(self, q: np.ndarray) -> bool:
        """Return that there is no limit."""
        return True

    # --- the dragged point -----------------------------------------------------------------------

    def point(self, q: np.ndarray, c: Vector) -> tuple[np.ndarray, np.ndarray]:
        """Return where a point c [m] of the watched frame is, and its slopes, in scales."""
        pose = self.evaluate(q)
        assert pose.X is not None
        turns, moves = np.split(pose.slopes[len(self.unknowns) :], 2)
        J = pose.X.R.numpy() @ (moves + np.cross(turns.T, c.numpy()).T)
        return pose.X(c).numpy() / self.length, J / self.length

    def variable(
        self, q: np.ndarray, variable: StateVariable
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return a variable and its slopes, in scales."""
        scale = self.unit_of(variable)
        for k, own in enumerate(self.inputs):
            if own is variable:
                J = np.diag(self._units)[k : k + 1]
                return q[k : k + 1] / scale, J / scale
        pose = self.evaluate(q)
        k = next(k for k, unknown in enumerate(self.unknowns) if unknown is variable)
        return pose.unknowns[k : k + 1] / scale, pose.slopes[k : k + 1] / scale


PAST = 4  # movements from which the speed of a hand is found


@dataclass
class ChainGrip(Grip):
    """A dragged point of a chain, and the inputs that move it."""

    constraints: ChainConstraints = field(kw_only=True)
    follower: Follower = field(kw_only=True)


class ChainHand:
    """Moves the inputs of a chain so that a point or a variable goes where a hand leads it.

    Its solvers close the loops, as in any traversal of positions; a pose at which one cannot
    close is not taken, nor one on another branch. `inputs` are the variables that move: all
    that the chain reads and none of its elements moves.
    """

    def __init__(self, chain: Element, length: float) -> None:
        self.chain, self.length = chain, length
        self.keep_speed = False
        self.inputs = find_inputs(chain)
        self._history: list[tuple[float, np.ndarray]] = []
        self._moved: ChainConstraints | None = None
        self._native: NativeKinematics | None = None
        self.not_compiled: Exception | None = None

    def compile(self) -> None:
        """Let movements be found by machine code, if the chain can be compiled.

        That takes some tenths of a second, and may be done in another thread. Elements that
        cannot be traced are evaluated in Python: `not_compiled` is the reason.
        """
        if not self.inputs:
            return
        try:
            self._native = NativeKinematics(self.chain, self.inputs, self._unknowns)
        except Exception as error:  # elements of users may raise anything on symbols
            self.not_compiled = error

    @property
    def _unknowns(self) -> list[StateVariable]:
        """The variables that the solvers of the chain determine."""
        solvers = [e for e in walk(self.chain) if isinstance(e, ConstraintSolver)]
        return [unknown for solver in solvers for unknown in solver.unknowns]

    # --- the dragged point -----------------------------------------------------------------------

    def grip_of_frame(
        self,
        frame: Frame,
        point: Sequence[float] | np.ndarray,
        joint: JointElement | None = None,
    ) -> ChainGrip:
        """Hold a point [m] of a frame; of a `joint` that is given only its variables move."""
        own = [] if joint is None else joint.variables
        inputs = [v for v in self.inputs if any(v is mine for mine in own)]
        constraints = self._constraints_of(inputs or self.inputs, frame)
        x, y, z = (float(value) for value in point)
        c = Vector(x, y, z)
        _, J = constraints.point(constraints.present, c)
        name = frame.name or "frame"
        if not np.abs(J).max(initial=0.0) > 0.0:
            raise ParameterError(
                name,
                "does not move with the inputs of the chain.",
                "Drag a frame that a joint moves.",
                parameter="frame",
                value=frame,
            )

        def function(q: np.ndarray, _: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            return constraints.point(q, c)

        return self._held(name, "m", function, self.length, constraints)

    def grip_of(self, variable: StateVariable) -> ChainGrip:
        """Hold a variable of the chain, an input or one that a solver moves."""
        own = [v for v in self.inputs if v is variable]
        constraints = self._constraints_of(own or self.inputs)
        if not own and not any(variable is unknown for unknown in constraints.unknowns):
            raise ParameterError(
                variable.name or "variable",
                "is neither an input of the chain nor moved by a solver in it.",
                "Hold a variable that the chain reads.",
                parameter="variable",
                value=variable,
            )

        def function(q: np.ndarray, _: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            return constraints.variable(q, variable)

        name, scale = variable.name or "variable", constraints.unit_of(variable)
        return self._held(name, variable.unit, function, scale, constraints)

    def _held(
        self,
        name: str,
        unit: str,
        function: Held,
        scale: float,
        constraints: ChainConstraints,
    ) -> ChainGrip:
        q, turns = constraints.present, unit == "rad"
        constraints.evaluate(q)
        follower = Follower(constraints, q)
        grip = ChainGrip(
            name,
            unit,
            function,
            scale,
            turns=turns,
            constraints=constraints,
            follower=follower,
        )
        grip.take(grip.at(q, constraints.moment)[0])
        self._history.clear()
        return grip

    def _constraints_of(
        self, inputs: Sequence[StateVariable], frame: Frame | None = None
    ) -> ChainConstraints:
        if not inputs:
            raise ParameterError(
                "chain",
                "no hand can move it: it reads no angle and no length that nothing else sets.",
                "Give drivers and integrators to `add_animation_object`, not to the chain.",
                parameter="chain",
                value=self.chain,
            )
        self.chain.motion(Subtask.POSITION)
        return ChainConstraints(self.chain, inputs, self.length, frame, self._native)

    def holds(self, variable: StateVariable) -> bool:
        """Return whether a variable is an input of the chain or moved by a solver in it."""
        unknowns = self._unknowns if self.inputs else []
        return any(variable is own for own in (*self.inputs, *unknowns))

    # --- moving ----------------------------------------------------------------------------------

    def move(
        self,
        grip: ChainGrip,
        target: Sequence[float] | np.ndarray,
        is_over: Callable[[], bool] | None = None,
    ) -> MoveOutcome:
        """Move the dragged point to a target in SI units, at rest; return the drag outcome.

        Positions alone follow until `let_go`. Once `is_over` it stops on its way.
        """
        constraints, follower = grip.constraints, grip.follower
        wanted = grip.in_scales(target)
        stopped = follower.follow(grip, wanted, is_over)
        constraints.settle(follower.q)
        for variable in (*self.inputs, *constraints.unknowns):
            variable.qd = variable.qdd = 0.0
        past = (time.perf_counter(), follower.q.copy())
        self._history = [*self._history[1 - PAST :], past]
        self._moved = constraints
        if not stopped.is_reached and constraints.refusal is not None:
            error = constraints.refusal
            left = float(np.linalg.norm(stopped.left)) * grip.scale
            text = f"{grip.name} stops where a loop closes no further: {error.reason}"
            return MoveOutcome(False, left, DEAD_CENTRE, (error.place,), text)
        moves = (
            "" if stopped.singular is None else self._moving(constraints, stopped.singular)
        )
        return outcome_at_end(grip, stopped, (), moves)

    def turn(self, variable: StateVariable, value: float) -> MoveOutcome:
        """Move a variable to a value [rad or m] and let go; the inputs keep their speeds."""
        speeds = [own.qd for own in self.inputs]
        outcome = self.move(self.grip_of(variable), [value])
        self._finish(self.inputs, speeds)
        return outcome

    def let_go(self) -> None:
        """Bring the moved inputs to rest, or keep the speed of the last movements."""
        constraints, past = self._moved, self._history
        if constraints is None:
            return
        speeds = np.zeros(len(constraints.inputs))
        if self.keep_speed and past and past[-1][0] > past[0][0]:
            (first, before), (last, q) = past[0], past[-1]
            speeds = (q - before) / (last - first)
        self._finish(constraints.inputs, speeds.tolist())

    def _finish(self, inputs: Sequence[StateVariable], speeds: Sequence[Scalar]) -> None:
        """Give inputs their speeds, and let velocities and accelerations follow."""
        self.forget()
        for variable, speed in zip(inputs, speeds, strict=True):
            variable.qd = speed
        self.chain.motion(Subtask.VELOCITY | Subtask.ACCELERATION)

    def forget(self) -> None:
        """Release the moved inputs, without any motion."""
        self._moved = None
        self._history.clear()

    def _moving(self, constraints: ChainConstraints, direction: np.ndarray) -> str:
        """Return the name of the input that moves most in a direction."""
        return constraints.inputs[int(np.argmax(np.abs(direction)))].name or "an input"


def find_inputs(chain: Element) -> list[StateVariable]:
    """Return the angles and lengths that a chain reads and nothing in it moves.

    None where a driver or an integrator is in the chain: each traversal would be a step of it.
    Components of quaternions, which are not free, are excluded.
    """
    elements = list(walk(chain))
    if any(isinstance(element, MotionSource) for element in elements):
        return []
    joints = [element for element in elements if isinstance(element, JointElement)]
    bound = {
        id(variable)
        for joint in joints
        if joint.speeds != joint.variables
        for variable in (*joint.variables, *joint.speeds)
    }
    return [
        state
        for state in chain.inputs
        if isinstance(state, StateVariable)
        and not isinstance(state, PlainVariable)
        and not state.is_dependent
        and id(state) not in bound
    ]
