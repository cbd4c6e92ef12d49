"""Bodies in the plane, and the ground."""

# ruff: noqa: N815 - the names of Modelica's parameters

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from motorik.algebra.dyad import Inertia
from motorik.algebra.matrix import Symmetric
from motorik.algebra.vector import ZERO
from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution, FreeStart, Mass
from motorik.components.base.look_options import BodyLook
from motorik.components.base.part import Values, Variable, frame, parameter, start
from motorik.components.base.values import Start
from motorik.components.parts.bodies import mass_variables
from motorik.components.parts.world import World
from motorik.planar import quantities
from motorik.planar.flat import InPlane
from motorik.planar.ported import Ported
from motorik.planar.shown import body_variables
from motorik.planar.typed import Name

if TYPE_CHECKING:
    from typing_extensions import Self

NAMES = (
    *(("r_0[1]", "x"), ("r_0[2]", "y"), ("v_0[1]", "vx"), ("v_0[2]", "vy")),
    *(("phi_d[3]", "w"), ("w_0_start[3]", "w"), ("angles_start[3]", "theta")),
    *(("angles_start[1]", ""), ("angles_start[2]", "")),
)
"""Names of coordinates, speeds and start values in space, and of a body in the plane."""


class Ground(Ported[Name], World):
    """The fixed plane with any number of ports; gravity acts along −y.

    ``ports={"A": (x, y), "B": (x, y, angle)}`` [m, rad] names and places them. `frame_b` is
    the origin: x to the right, y up.
    """

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the fixed frames and gravity."""
        yield from super().contributions(p)
        yield from self.attached(self.frame_b, p, ZERO)


class Body(Ported[Name], BodyLook):
    """A rigid body in the plane with any number of ports.

    m ẍ = Q_x,  m ÿ = Q_y − m g,  I θ̈ = Q_θ  (eq. 5), x and y [m] of the centre of mass G in
    the ground's axes, θ [rad] of the body's x axis against the ground's.
    ``ports={"A": (x, y), "B": (x, y, angle)}`` [m, rad] names and places the ports. They and
    r_CM are in the body's own coordinates, whose origin is G by default.
    """

    G = frame("centre of mass, with the body's axes")

    m: kinds.PositiveMass = parameter("mass", default=1.0)
    I: kinds.PositiveMomentOfInertia = parameter("moment of inertia about G", default=0.001)
    r_CM: quantities.Place = parameter(
        "centre of mass in the body's coordinates", default=(0, 0, 0)
    )
    x: kinds.StartDistance = start("x coordinate of G")
    y: kinds.StartDistance = start("y coordinate of G")
    theta: kinds.StartAngle = start("angle of the body's x axis")
    vx: kinds.StartVelocity = start("velocity of G along x")
    vy: kinds.StartVelocity = start("velocity of G along y")
    w: kinds.StartAngularVelocity = start("angular velocity")

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the mass at G, which moves in the plane, and the ports fixed to it."""
        yield Mass(self.G, inertia(p), InPlane(), self._start())
        yield from self.attached(self.G, p, p.r_CM)

    def _start(self) -> FreeStart:
        return FreeStart(
            _in_space(self.x, self.y),
            _in_space(self.vx, self.vy),
            Start(
                (0.0, 0.0, float(self.w.value)),  # type: ignore[arg-type]
                (False, False, self.w.is_fixed),
                (False, False, self.w.is_given),
            ),
            angles=(0.0, 0.0, float(self.theta.value)),  # type: ignore[arg-type]
            angles_fixed=self.theta.is_fixed,
            angles_given=self.theta.is_given,
            names=NAMES,
        )

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return the motion of G and of all ports, their forces, and energies."""
        of_mass = mass_variables(self.G, inertia(p), p.m, ZERO)
        return {**of_mass, **body_variables(self.G), **super().variables(p)}


def inertia(p: Values) -> Inertia:
    """Return the inertia of a body in the plane about its centre of mass."""
    return Inertia.of_body(p.m, ZERO, Symmetric(0.0, 0.0, p.I))


def _in_space(x: Start, y: Start) -> Start:
    """Return the start value (x, y, 0) in space."""
    return Start(
        (float(x.value), float(y.value), 0.0),  # type: ignore[arg-type]
        (x.is_fixed, y.is_fixed, False),
        (x.is_given, y.is_given, False),
    )
