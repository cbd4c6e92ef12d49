"""Motion: the quantities of the moving mechanism that a part may read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, cast

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base.ports import Port
from motorik.components.base.resolving import Values

if TYPE_CHECKING:
    from motorik.components.base.part import Part
    from motorik.elements.constraint import Constraint


class Motion(Protocol):
    """The motion of a mechanism at one time; velocities are motors, each in its own frame."""

    @property
    def t(self) -> Scalar:
        """The time [s]."""
        ...

    @property
    def u(self) -> Sequence[Scalar]:
        """The speeds."""
        ...

    @property
    def ud(self) -> Sequence[Scalar] | None:
        """The rates of the speeds, None while they are not known."""
        ...

    def __getitem__(self, name: str) -> Scalar:
        """Return a variable by the name that results use, e.g. motion["ram.s"]."""
        ...

    def pose(self, port: Port) -> Pose:
        """Return the pose X_0k of a frame k in the world."""
        ...

    def velocity(self, port: Port) -> Motor:
        """Return the velocity motor (ω [rad/s], v [m/s]) of a frame, resolved in it."""
        ...

    def acceleration(self, port: Port) -> Motor:
        """Return the rates of the components of a frame's velocity motor [rad/s², m/s²]."""
        ...

    def velocity_0(self, port: Port) -> Vector:
        """Return the velocity of a frame's origin, resolved in the world [m/s]."""
        ...

    def acceleration_0(self, port: Port) -> Vector:
        """Return the acceleration of a frame's origin, resolved in the world [m/s²]."""
        ...

    def relative(self, a: Port, b: Port) -> tuple[Pose, Motor]:
        """Return pose and velocity of frame b relative to frame a."""
        ...

    def relative_acceleration(self, a: Port, b: Port) -> tuple[Pose, Motor, Motor]:
        """Return pose, velocity and rate of velocity of frame b relative to frame a."""
        ...

    def gravity(self, r: Vector) -> Vector:
        """Return the gravity acceleration [m/s²] at a point, both resolved in the world."""
        ...

    def gravity_potential(self, r: Vector) -> Scalar:
        """Return the potential of gravity [J/kg] at a point of the world."""
        ...

    def reaction_at(self, port: Port) -> Motor:
        """Return the force motor (f [N], moment [N·m]) on a part at its port, in the frame."""
        ...

    def coordinate(self, part: Part, name: str) -> Scalar:
        """Return a coordinate of a joint."""
        ...

    def speed(self, part: Part, name: str) -> Scalar:
        """Return a speed of a joint."""
        ...

    def acceleration_of(self, part: Part, name: str) -> Scalar:
        """Return the rate of a speed of a joint."""
        ...

    def coordinates(self, part: Part, name: str) -> tuple[Scalar, ...]:
        """Return the coordinates name[1], name[2], … of a joint, () if it has none of them."""
        ...

    def drive(self, part: Part) -> Scalar:
        """Return the force [N] or torque [N·m] of the drive line along the freedom of a joint."""
        ...

    def parameters_of(self, part: Part) -> Values:
        """Return the parameters of a part as scalars to compute with."""
        ...

    def variable(self, part: Part, name: str) -> Scalar | Vector:
        """Return a variable of a part by its name."""
        ...

    def flange(self, port: Port) -> tuple[Scalar, Scalar]:
        """Return position [rad or m] and speed of a flange."""
        ...

    def flange_acceleration(self, port: Port) -> Scalar:
        """Return the acceleration of a flange."""
        ...

    def flange_force(self, port: Port) -> Scalar:
        """Return the force [N] or torque [N·m] on a part at its flange."""
        ...

    def multipliers_of(self, constraint: Constraint) -> list[Scalar]:
        """Return the multipliers λ of the equations of a constraint, with forces λ ∂g/∂x."""
        ...

    def signal(self, port: Port) -> Scalar:
        """Return the value of a signal."""
        ...

    def state(self, part: Part, name: str) -> Scalar:
        """Return a state of a force law or block of a part."""
        ...

    def signal_rate(self, port: Port) -> Scalar:
        """Return the time derivative of a signal."""
        ...

    def unknown(self, part: Part, name: str) -> Scalar:
        """Return an unknown of a part written as equations, or of one of its ports."""
        ...

    def network_rates(self) -> list[Scalar]:
        """Return the rates of the states of parts written as equations."""
        ...

    def network_start_residual(self) -> list[Scalar]:
        """Return the residuals of their conditions at the start."""
        ...

    def quantity(self, part: Part, name: str) -> Scalar:
        """Return a quantity that follows from the unknowns of a part written as equations."""
        ...


class _Within:
    """A motion as a model within others sees it: names are those that this model gives."""

    def __init__(self, motion: Motion, path: str) -> None:
        self._motion, self._path = motion, path

    def __getitem__(self, name: str) -> Scalar:
        return self._motion[f"{self._path}.{name}"]

    def __getattr__(self, name: str) -> object:
        return getattr(self._motion, name)


def seen_by(part: Part, motion: Motion) -> Motion:
    """Return a motion for a function of the model that a part is in: by the names used there."""
    around = "" if part.parent is None else part.parent.path
    return cast("Motion", _Within(motion, around)) if around else motion
