"""Loads: given wrenches, and springs with dampers along joints and chords."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from motorik.algebra.motor import Motor
from motorik.algebra.scalar import Scalar, add, mul, neg, sub
from motorik.algebra.vector import ZERO, Vector, VectorLike
from motorik.errors import ParameterError
from motorik.mobile.chords.scalar import ScalarChord
from motorik.mobile.elements.chain import MapChain
from motorik.mobile.elements.joint_element import ElementaryJoint
from motorik.mobile.states.energy import Energy, Field
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.mutable import (
    Mutable,
    MutableAngle,
    MutableScalar,
    current,
    mutable_among,
)
from motorik.mobile.states.preserved import loads_set_aside
from motorik.mobile.states.transmission import (
    Element,
    State,
    Subtask,
    already_computed,
    unique,
)
from motorik.mobile.states.variable import StateVariable

LOCAL, GLOBAL = False, True
"""Where a `ConstantWrench` is resolved: in the frame it loads, or in the inertial frame."""


class ForceElement(Element):
    """A source of force, computed and applied together or in two traversals."""

    @property
    def outputs(self) -> Sequence[State]:
        """None: a force element moves nothing."""
        return ()

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Do nothing."""

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Compute the force, and add it to the loads of the mechanism."""
        if Subtask.COMPUTE_INTERNAL in subtasks:
            self.compute()
        if Subtask.USE_INTERNAL in subtasks:
            self.apply()

    @abstractmethod
    def compute(self) -> None:
        """Find the force and keep it."""

    @abstractmethod
    def apply(self) -> None:
        """Add the force that was kept."""


class ConstantWrench(ForceElement):
    """A force f [N] at the origin of a frame and a moment t [N·m]: F += (f, t).

    Resolved in the frame, which they follow (`LOCAL`), or in the inertial frame: a fourth
    argument `GLOBAL`, or ``is_global=True``.
    """

    def __init__(
        self,
        frame: Frame,
        f: VectorLike = ZERO,
        t: VectorLike = ZERO,
        is_global: bool = LOCAL,
    ) -> None:
        if not isinstance(is_global, bool):
            raise ParameterError(
                "ConstantWrench",
                f"is_global = {is_global!r} is neither true nor false.",
                "Write is_global=True for the inertial frame, else leave it out.",
                parameter="is_global",
                value=is_global,
            )
        self.frame, self.f, self.t, self.is_global = frame, f, t, is_global
        self._wrench: Motor | None = None

    @property
    def inputs(self) -> Sequence[State]:
        """The frame loaded."""
        return (self.frame,)

    @property
    def parameters(self) -> Sequence[Mutable]:
        """Those of force and moment that may be changed."""
        return mutable_among(self.f, self.t)

    def compute(self) -> None:
        """Find the wrench in the axes of the frame."""
        f, t = Vector.of(self.f), Vector.of(self.t)
        if self.is_global:
            f, t = self.frame.R.T @ f, self.frame.R.T @ t
        self._wrench = Motor(f, t)

    def apply(self) -> None:
        """Load the frame."""
        self.frame.add_force(already_computed(self._wrench, "INTERNAL", self))

    def __repr__(self) -> str:
        return f"ConstantWrench({self.frame!r}, {self.f!r}, {self.t!r})"


class LinearSpringDamper(ForceElement):
    """A linear spring and damper: Q −= c (q − q_rest) + d q̇.

    c [N/m or N·m/rad], d [N·s/m or N·m·s/rad], q_rest [m or rad]. Along an elementary joint
    or a variable, it loads the variable. Along a scalar chord, which it then moves itself,
    it loads the frames between which the chord measures.
    """

    def __init__(
        self,
        on: ScalarChord | ElementaryJoint | StateVariable,
        c: Scalar | MutableScalar = 0.0,
        d: Scalar | MutableScalar = 0.0,
        q_rest: Scalar | MutableScalar | MutableAngle = 0.0,
    ) -> None:
        self.on, self.c, self.d, self.q_rest = on, c, d, q_rest
        variable = getattr(on, "variable", getattr(on, "state", on))
        if not isinstance(variable, StateVariable):
            raise ParameterError(
                "LinearSpringDamper",
                f"{on!r} has no single variable to act on.",
                "Give a scalar chord, an elementary joint or a variable.",
                parameter="on",
                value=on,
            )
        self.variable = variable
        self._chord: Element = on if isinstance(on, ScalarChord) else MapChain()
        self._load: Scalar | None = None

    @property
    def inputs(self) -> Sequence[State]:
        """The loaded variable, or the measure of the chord."""
        return self._chord.inputs or (self.variable,)

    @property
    def outputs(self) -> Sequence[State]:
        """The states that the chord moves, if there is one."""
        return self._chord.outputs

    @property
    def touched(self) -> Sequence[State]:
        """All state objects that a traversal may change."""
        return unique((self.variable,), self._chord.touched)

    @property
    def parameters(self) -> Sequence[Mutable]:
        """Those of stiffness, damping and rest, and of the chord, that may be changed."""
        own = mutable_among(self.c, self.d, self.q_rest)
        return (*own, *self._chord.parameters)

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Have the chord measure, if there is one."""
        self._chord.motion(subtasks)

    def compute(self) -> None:
        """Find the force along the variable."""
        variable = self.variable
        spring = mul(current(self.c), sub(variable.q, current(self.q_rest)))
        self._load = neg(add(spring, mul(current(self.d), variable.qd)))

    def apply(self) -> None:
        """Load the variable, or by the chord its frames."""
        load = already_computed(self._load, "INTERNAL", self)
        if self.on is not self._chord:
            self.variable.add_force(load)
            return
        with loads_set_aside(self._chord.outputs):
            self.variable.Q = load
            self._chord.force(Subtask.EXTERNAL)
            for state in self._chord.outputs:
                state.clear_force()

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Compute the force and apply it; other loads on the chord are transmitted too."""
        super().force(subtasks)
        self._chord.force(subtasks)

    @property
    def inner(self) -> Sequence[Element]:
        """The chord, if there is one."""
        return (self._chord,)

    def energy(self, field: Field) -> Energy:
        """Return ½ c (q − q_rest)² of the spring."""
        stretch = sub(self.variable.q, current(self.q_rest))
        return Energy(stored=mul(mul(0.5, current(self.c)), mul(stretch, stretch)))

    def __repr__(self) -> str:
        return f"LinearSpringDamper({self.on!r}, c={self.c}, d={self.d})"
