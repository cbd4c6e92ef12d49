"""Joint elements: any joint as a transmission element between two frames."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, add
from motorik.algebra.vector import Vector, Z
from motorik.elements.frame import Frame
from motorik.elements.joint import Joint, combine
from motorik.elements.transmission import Element, State, Subtask
from motorik.elements.variable import StateVariable, variable_for
from motorik.errors import ParameterError


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
        self.a, self.b, self.joint = a, b, joint
        if variables is None:
            variables = [variable_for(coordinate) for coordinate in joint.coordinates]
        if speeds is None:
            own = [variable_for(speed) for speed in joint.speeds]
            speeds = variables if speeds_are_rates(joint) else own
        self.variables, self.speeds = tuple(variables), tuple(speeds)
        self._check_count("variables", self.variables, joint.coordinates)
        self._check_count("speeds", self.speeds, joint.speeds)

    def _check_count(self, what: str, given: Sequence, needed: Sequence) -> None:
        if len(given) != len(needed):
            names = ", ".join(coordinate.name for coordinate in needed)
            raise ParameterError(
                type(self.joint).__name__,
                f"{len(given)} {what} given, {len(needed)} needed: {names}.",
                f"Give one variable for each, or leave out `{what}` to have them made.",
            )

    @property
    def inputs(self) -> Sequence[State]:
        """Frame a, the variables and the speeds."""
        speeds = () if self.speeds == self.variables else self.speeds
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

    def pose(self) -> Pose:
        """Return X_ab at the present coordinates."""
        return self.joint.pose(*self.q)

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Transmit the motion of a and of the variables to b."""
        a, b, joint, q, u = self.a, self.b, self.joint, self.q, self.u
        X_ab = joint.pose(*q)
        if Subtask.POSITION in subtasks:
            b.X = a.X @ X_ab
        if Subtask.VELOCITY in subtasks:
            b.V = X_ab.back(a.V) + joint.relative_velocity(q, u)
            if self.speeds != self.variables:
                for variable, rate in zip(self.variables, joint.rates(q, u), strict=True):
                    variable.qd = rate
        if subtasks & Subtask.ACCELERATION:
            b.A = X_ab.back(a.A)
        if Subtask.EULER in subtasks:
            b.A = b.A + combine(joint.screws(*q), [speed.qdd for speed in self.speeds])
        if Subtask.CORIOLIS in subtasks:
            b.A = b.A + b.V.cross(joint.relative_velocity(q, u)) + joint.bias(q, u)

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Transmit the force on b to a and, along the screws, to the variables."""
        if Subtask.EXTERNAL not in subtasks:
            return
        F_b = self.b.F
        self.a.F = self.a.F + self.pose()(F_b)
        for speed, screw in zip(self.speeds, self.joint.screws(*self.q), strict=True):
            speed.Q = add(speed.Q, screw @ F_b)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.a!r}, {self.b!r}, {self.joint!r})"


class ElementaryJoint(JointElement):
    """A joint of one axis: a turn for an angular variable, a slide for a linear one."""

    def __init__(
        self, a: Frame, b: Frame, variable: StateVariable, axis: Vector = Z
    ) -> None:
        super().__init__(a, b, variable.elementary_joint(Vector.of(axis)), (variable,))


def speeds_are_rates(joint: Joint) -> bool:
    """Tell whether the coordinates of a joint are the integrals of its speeds: q̇ = u."""
    q = tuple(0.1 + 0.01 * i for i in range(len(joint.coordinates)))
    u = tuple(1.0 + i for i in range(joint.freedom))
    return joint.rates(q, u) == u
