"""Joint elements: any joint as a transmission element between two frames."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra.motor import Motor
from motorik.algebra.pose import IDENTITY_POSE, Pose
from motorik.algebra.scalar import Scalar, add, is_number
from motorik.algebra.vector import Vector, Z
from motorik.elements.joint import Coordinate, Joint, combine
from motorik.errors import ParameterError
from motorik.mobile.elements.link import place, refuse_same_frame
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.transmission import Element, State, Subtask, already_computed
from motorik.mobile.states.variable import StateVariable, kind_for, variable_for

_POSITION, _VELOCITY = Subtask.POSITION.value, Subtask.VELOCITY.value
_EULER, _EXTERNAL = Subtask.EULER.value, Subtask.EXTERNAL.value
_COMPUTE_CORIOLIS = Subtask.COMPUTE_CORIOLIS.value
_USE_CORIOLIS = Subtask.USE_CORIOLIS.value
_MOVING = _VELOCITY | _COMPUTE_CORIOLIS
_ACCELERATION = _EULER | _USE_CORIOLIS


class JointElement(Element):
    """A joint that carries frame b on frame a, moved by its variables.

        X_0b = X_0a X_ab(q)
        V_b = X_ba V_a + S u
        A_b = X_ba A_a + S u̇ + (V_b × S u + Ṡ u)
        F_a += X_ab F_b,  Q += Sᵀ F_b

    `variables` hold the coordinates in their `q`. `speeds` hold u, u̇ and Q in their `qd`,
    `qdd` and `Q`; they are the variables themselves unless the coordinates are not the
    integrals of the speeds (quaternions), when a velocity traversal writes the rates of the
    coordinates to the `qd` of `variables`. Without either the element makes its own.
    """

    def __init__(
        self,
        a: Frame,
        b: Frame,
        joint: Joint,
        variables: Sequence[StateVariable] | None = None,
        speeds: Sequence[StateVariable] | None = None,
    ) -> None:
        if a is b:
            refuse_same_frame(type(self).__name__, a)
        self.a, self.b, self.joint = a, b, joint
        if variables is None:
            variables = [variable_for(coordinate) for coordinate in joint.coordinates]
        if speeds is None:
            own = [variable_for(speed) for speed in joint.speeds]
            speeds = variables if speeds_are_rates(joint) else own
        self.variables, self.speeds = tuple(variables), tuple(speeds)
        self._check("variables", self.variables, joint.coordinates)
        self._check("speeds", self.speeds, joint.speeds)
        self._has_own_speeds = self.speeds != self.variables
        self._coriolis: Motor | None = None
        self._at: tuple[Scalar, ...] | None = None  # where `_X_ab` is the pose
        self._X_ab = IDENTITY_POSE

    def _check(
        self, what: str, given: Sequence[StateVariable], needed: Sequence[Coordinate]
    ) -> None:
        if len(given) != len(needed):
            names = ", ".join(coordinate.name for coordinate in needed)
            raise ParameterError(
                type(self.joint).__name__,
                f"{len(given)} {what} given, {len(needed)} needed: {names}.",
                f"Give one variable for each, or leave out `{what}` to have them made.",
                parameter=what,
                value=given,
            )
        for variable, coordinate in zip(given, needed, strict=True):
            kind = kind_for(coordinate)
            if not isinstance(variable, kind):
                raise ParameterError(
                    type(self.joint).__name__,
                    f"{coordinate.name} [{coordinate.unit}] cannot be {variable!r}.",
                    f"Give it a {kind.__name__}.",
                    parameter=what,
                    value=given,
                )

    @property
    def inputs(self) -> Sequence[State]:
        """Frame a, the variables and the speeds."""
        speeds = self.speeds if self._has_own_speeds else ()
        return (self.a, *self.variables, *speeds)

    @property
    def outputs(self) -> Sequence[State]:
        """Frame b."""
        return (self.b,)

    @property
    def q(self) -> tuple[Scalar, ...]:
        """The coordinates."""
        return tuple(variable.q for variable in self.variables)

    @property
    def u(self) -> tuple[Scalar, ...]:
        """The speeds."""
        return tuple(speed.qd for speed in self.speeds)

    def _arguments(self) -> tuple[Scalar, ...]:
        """Return the coordinates as the joint takes them."""
        return self.q

    def pose(self) -> Pose:
        """Return X_ab at the present coordinates."""
        now, at = self.q, self._at
        if at is None or any(a is not b for a, b in zip(at, now, strict=True)):
            self._at, self._X_ab = now, self.joint.pose(*self._arguments())
        return self._X_ab

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Transmit the motion of a and of the variables to b."""
        bits = subtasks.value
        a, b, joint = self.a, self.b, self.joint
        X_ab = self.pose()
        if bits & _POSITION:
            place(a, b, X_ab, bits)
        if bits & _MOVING:
            q, u = self.q, self.u
            V_rel = joint.relative_velocity(q, u)
            if bits & _VELOCITY:
                b.V = X_ab.back(a.V) + V_rel
                if self._has_own_speeds:
                    rates = joint.rates(q, u)
                    for variable, rate in zip(self.variables, rates, strict=True):
                        variable.qd = rate
            if bits & _COMPUTE_CORIOLIS:
                self._coriolis = b.V.cross(V_rel) + joint.bias(q, u)
        if bits & _ACCELERATION:
            A = X_ab.back(a.A)
            if bits & _USE_CORIOLIS:
                A = A + already_computed(self._coriolis, "CORIOLIS", self)
            if bits & _EULER or any(speed.is_dependent for speed in self.speeds):
                A = A + combine(joint.screws(*self.q), self._accelerations(bits))
            b.accelerate(A, subtasks)

    def _accelerations(self, bits: int) -> list[Scalar]:
        """Return the u̇ that take part: without EULER only the dependent ones."""
        if bits & _EULER:
            return [speed.qdd for speed in self.speeds]
        return [speed.qdd if speed.is_dependent else 0.0 for speed in self.speeds]

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Transmit the force on b to a and, along the screws, to the variables."""
        if not subtasks.value & _EXTERNAL:
            return
        F_b = self.b.F
        self.a.F = self.a.F + self.pose()(F_b)
        for speed, screw in zip(self.speeds, self.joint.screws(*self.q), strict=True):
            speed.Q = add(speed.Q, screw @ F_b)

    def keep(self) -> Motor | None:
        """Return the Coriolis term found last, for `restore`."""
        return self._coriolis

    def restore(self, kept: Motor | None) -> None:
        """Restore the values that `keep` returned."""
        self._coriolis = kept

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.a!r}, {self.b!r}, {self.joint!r})"


class ElementaryJoint(JointElement):
    """A joint of one axis: a turn for an angular variable, a slide for a linear one."""

    def __init__(
        self, a: Frame, b: Frame, variable: StateVariable, axis: Vector | str = Z
    ) -> None:
        if not isinstance(variable, StateVariable):
            raise ParameterError(
                f"ElementaryJoint on {a!r}",
                f"{variable!r} is not a variable.",
                "Write ElementaryJoint(a, b, variable, axis) with an AngularVariable for a "
                "turn or a LinearVariable for a slide.",
                parameter="variable",
                value=variable,
            )
        direction = Vector.of(axis)
        if all(is_number(x) and x == 0.0 for x in direction.xyz):
            raise ParameterError(
                "ElementaryJoint",
                f"axis = {axis!r} has length zero, so it has no direction.",
                "Give a vector along the axis, e.g. Vector(0, 0, 1).",
                parameter="axis",
                value=axis,
            )
        super().__init__(a, b, variable.elementary_joint(direction), (variable,))
        self.variable = variable

    def _arguments(self) -> tuple[Scalar, ...]:
        """Return the coordinate; an angle comes with its sine and cosine."""
        return (self.variable.coordinate,)


def speeds_are_rates(joint: Joint) -> bool:
    """Tell whether the coordinates of a joint are the integrals of its speeds: q̇ = u."""
    q = tuple(0.1 + 0.01 * i for i in range(len(joint.coordinates)))
    u = tuple(1.0 + i for i in range(joint.freedom))
    return joint.rates(q, u) == u
