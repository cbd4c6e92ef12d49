"""Bodies in the plane, and the ground they stand on."""

# ruff: noqa: N815 - the names of Modelica's parameters

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING

from motorik.algebra.dyad import Inertia
from motorik.algebra.matrix import Symmetric
from motorik.algebra.vector import ZERO
from motorik.components.base.contributions import Contribution, FreeStart, Mass
from motorik.components.base.part import Values, Variable, frame, parameter, start
from motorik.components.base.values import Start, as_number
from motorik.components.parts.bodies import mass_variables
from motorik.components.parts.world import World
from motorik.planar.flat import InPlane
from motorik.planar.ported import Place, Ported, as_place
from motorik.planar.shown import body_variables

NAMES = (
    *(("r_0[1]", "x"), ("r_0[2]", "y"), ("v_0[1]", "vx"), ("v_0[2]", "vy")),
    *(("phi_d[3]", "w"), ("w_0_start[3]", "w"), ("angles_start[3]", "theta")),
    *(("angles_start[1]", ""), ("angles_start[2]", "")),
)
"""What a body in the plane calls its coordinates, speeds and start values."""


class Ground(Ported, World):
    """The plane that stands still, with ports where the user puts them; gravity along −y.

    `frame_b` is its origin: x to the right, y up.
    """

    if TYPE_CHECKING:

        def __init__(
            self, *, ports: Mapping[str, Place] | None = None, **given: object
        ) -> None: ...

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the fixed frames and gravity."""
        yield from super().contributions(p)
        yield from self.attached(self.frame_b, p, ZERO)


class Body(Ported):
    """A rigid body in the plane with any number of ports.

    m ẍ = Q_x,  m ÿ = Q_y − m g,  I θ̈ = Q_θ  (eq. 5), x and y [m] of the centre of mass G in
    the ground's axes, θ [rad] of the body's x axis against the ground's. Ports and r_CM are
    in the body's own coordinates, whose origin is G by default.
    """

    G = frame("centre of mass, with the body's axes")

    m = parameter("mass", "kg", 1.0, as_number(above=0.0))
    I = parameter("moment of inertia about G", "kg.m2", 0.001, as_number(above=0.0))
    r_CM = parameter("centre of mass in the body's coordinates", "m", (0, 0, 0), as_place)
    x = start("position of G", "m")
    y = start("position of G", "m")
    theta = start("angle", "rad")
    vx = start("velocity of G", "m/s")
    vy = start("velocity of G", "m/s")
    w = start("angular velocity", "rad/s")

    def contributions(self, p: SimpleNamespace) -> Iterable[Contribution]:
        """Contribute the mass at G, which moves in the plane; the ports are fixed to it."""
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

    def variables(self, p: SimpleNamespace) -> Mapping[str, Variable]:
        """Return the motion of G and of all ports, their forces, and energies."""
        of_mass = mass_variables(self.G, inertia(p), p.m, ZERO)
        return {**of_mass, **body_variables(self.G), **super().variables(p)}


def inertia(p: SimpleNamespace) -> Inertia:
    """Return the inertia of a body in the plane about its centre of mass."""
    return Inertia.of_body(p.m, ZERO, Symmetric(0.0, 0.0, p.I))


def _in_space(x: Start, y: Start) -> Start:
    """Return the start value (x, y, 0) of two in the plane."""
    return Start(
        (float(x.value), float(y.value), 0.0),  # type: ignore[arg-type]
        (x.is_fixed, y.is_fixed, False),
        (x.is_given, y.is_given, False),
    )
