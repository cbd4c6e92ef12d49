"""ChainHand: a chain of transmission elements that is moved by hand, its loops kept closed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.analysis.manipulator.felt import DEAD_CENTRE, Felt, felt_at_end
from motorik.analysis.manipulator.follow import Follower
from motorik.analysis.manipulator.grip import Grip, Held
from motorik.errors import ParameterError
from motorik.mobile import (
    ConstraintSolver,
    Element,
    Frame,
    JointElement,
    StateVariable,
    Subtask,
)
from motorik.mobile.elements.motion_source import MotionSource
from motorik.mobile.states.transmission import walk
from motorik.mobile.states.variable import PlainVariable
from motorik.view.chains.native import NativeLooks
from motorik.view.chains.ways import ChainWays

PAST = 4  # movements from which the speed of a hand is found


@dataclass
class ChainGrip(Grip):
    """What a hand holds of a chain, and the inputs by which it moves it."""

    ways: ChainWays = field(kw_only=True)
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
        self._moved: ChainWays | None = None
        self._native: NativeLooks | None = None
        self.not_compiled: Exception | None = None

    def compile(self) -> None:
        """Let movements be found by machine code, if the chain can be compiled.

        That takes some tenths of a second, and may be done in another thread. Elements that
        cannot be traced are moved as they are: `not_compiled` is what they said.
        """
        if not self.inputs:
            return
        try:
            self._native = NativeLooks(self.chain, self.inputs, self._unknowns)
        except Exception as error:  # elements of users may raise anything on symbols
            self.not_compiled = error

    @property
    def _unknowns(self) -> list[StateVariable]:
        """What the solvers of the chain move."""
        solvers = [e for e in walk(self.chain) if isinstance(e, ConstraintSolver)]
        return [unknown for solver in solvers for unknown in solver.unknowns]

    # --- what is held ----------------------------------------------------------------------------

    def grip_of_frame(
        self,
        frame: Frame,
        point: Sequence[float] | np.ndarray,
        joint: JointElement | None = None,
    ) -> ChainGrip:
        """Hold a point [m] of a frame; of a `joint` that is given only its variables move."""
        own = [] if joint is None else joint.variables
        inputs = [v for v in self.inputs if any(v is mine for mine in own)]
        ways = self._ways(inputs or self.inputs, frame)
        x, y, z = (float(value) for value in point)
        c = Vector(x, y, z)
        _, J = ways.point(ways.present, c)
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
            return ways.point(q, c)

        return self._held(name, "m", function, self.length, ways)

    def grip_of(self, variable: StateVariable) -> ChainGrip:
        """Hold a variable of the chain, an input or one that a solver moves."""
        own = [v for v in self.inputs if v is variable]
        ways = self._ways(own or self.inputs)
        if not own and not any(variable is unknown for unknown in ways.unknowns):
            raise ParameterError(
                variable.name or "variable",
                "is neither an input of the chain nor moved by a solver in it.",
                "Hold a variable that the chain reads.",
                parameter="variable",
                value=variable,
            )

        def function(q: np.ndarray, _: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            return ways.variable(q, variable)

        name, scale = variable.name or "variable", ways.unit_of(variable)
        return self._held(name, variable.unit, function, scale, ways)

    def _held(
        self, name: str, unit: str, function: Held, scale: float, ways: ChainWays
    ) -> ChainGrip:
        q, turns = ways.present, unit == "rad"
        ways.look(q)
        follower = Follower(ways, q)
        grip = ChainGrip(
            name, unit, function, scale, turns=turns, ways=ways, follower=follower
        )
        grip.take(grip.at(q, ways.moment)[0])
        self._history.clear()
        return grip

    def _ways(
        self, inputs: Sequence[StateVariable], frame: Frame | None = None
    ) -> ChainWays:
        if not inputs:
            raise ParameterError(
                "chain",
                "no hand can move it: it reads no angle and no length that nothing else sets.",
                "Give drivers and integrators to `add_animation_object`, not to the chain.",
                parameter="chain",
                value=self.chain,
            )
        self.chain.motion(Subtask.POSITION)
        return ChainWays(self.chain, inputs, self.length, frame, self._native)

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
    ) -> Felt:
        """Move what is held to a target in SI units, at rest; return what was felt.

        Positions alone follow until `let_go`. Once `is_over` it stops on its way.
        """
        ways, follower = grip.ways, grip.follower
        wanted = grip.in_scales(target)
        stopped = follower.follow(grip, wanted, is_over)
        ways.settle(follower.q)
        for variable in (*self.inputs, *ways.unknowns):
            variable.qd = variable.qdd = 0.0
        past = (time.perf_counter(), follower.q.copy())
        self._history = [*self._history[1 - PAST :], past]
        self._moved = ways
        if not stopped.is_reached and ways.refusal is not None:
            error = ways.refusal
            left = float(np.linalg.norm(stopped.left)) * grip.scale
            text = f"{grip.name} stops where a loop closes no further: {error.reason}"
            return Felt(False, left, DEAD_CENTRE, (error.place,), text)
        moves = "" if stopped.singular is None else self._moving(ways, stopped.singular)
        return felt_at_end(grip, stopped, (), moves)

    def turn(self, variable: StateVariable, value: float) -> Felt:
        """Move a variable to a value [rad or m] and let go; the inputs keep their speeds."""
        speeds = [own.qd for own in self.inputs]
        felt = self.move(self.grip_of(variable), [value])
        self._finish(self.inputs, speeds)
        return felt

    def let_go(self) -> None:
        """Let what was moved rest, or have the speed of the last movements, and all else follow."""
        ways, past = self._moved, self._history
        if ways is None:
            return
        speeds = np.zeros(len(ways.inputs))
        if self.keep_speed and past and past[-1][0] > past[0][0]:
            (first, before), (last, q) = past[0], past[-1]
            speeds = (q - before) / (last - first)
        self._finish(ways.inputs, speeds.tolist())

    def _finish(self, inputs: Sequence[StateVariable], speeds: Sequence[Scalar]) -> None:
        """Give inputs their speeds, and let velocities and accelerations follow."""
        self.forget()
        for variable, speed in zip(inputs, speeds, strict=True):
            variable.qd = speed
        self.chain.motion(Subtask.VELOCITY | Subtask.ACCELERATION)

    def forget(self) -> None:
        """Let go of what was moved, without any motion."""
        self._moved = None
        self._history.clear()

    def _moving(self, ways: ChainWays, direction: np.ndarray) -> str:
        """Return the name of the input that moves most in a direction."""
        return ways.inputs[int(np.argmax(np.abs(direction)))].name or "an input"


def find_inputs(chain: Element) -> list[StateVariable]:
    """Return the angles and lengths that a chain reads and nothing in it moves.

    None where a driver or an integrator is in the chain: each traversal would be a step of it.
    Components of quaternions, which are no free numbers, are left out.
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
