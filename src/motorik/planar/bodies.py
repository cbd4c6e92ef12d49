"""Bodies in the plane, and the ground they stand on."""

# ruff: noqa: N815 - the names of Modelica's parameters

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from motorik.algebra.dyad import Inertia
from motorik.algebra.matrix import Symmetric
from motorik.algebra.scalar import Scalar, add, arctan2, mul
from motorik.algebra.vector import ZERO
from motorik.components.base.contributions import Contribution, FreeStart, Mass
from motorik.components.base.part import Variable, frame, parameter, start
from motorik.components.base.ports import Port
from motorik.components.base.values import Start, as_number
from motorik.components.parts.bodies import mass_variables
from motorik.components.parts.world import World
from motorik.elements.joint import Coordinate
from motorik.elements.plane import Plane
from motorik.planar.ported import Ported, as_place


@dataclass(frozen=True)
class Floating(Plane):
    """The way of a body in the plane that nothing holds: x, y [m] of G and θ [rad]."""

    coordinates = (Coordinate("x", "m"), Coordinate("y", "m"), Coordinate("theta", "rad"))
    speeds = (
        *(Coordinate("v_x", "m/s"), Coordinate("v_y", "m/s")),
        Coordinate("phi_z", "rad/s"),
    )


class Ground(Ported, World):
    """The plane that stands still, with ports where the user puts them; gravity along −y.

    `frame_b` is its origin: x to the right, y up.
    """

    def contributions(self, p: Any) -> Iterable[Contribution]:
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

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute the mass at G, which moves in the plane; the ports are fixed to it."""
        yield Mass(self.G, inertia(p), Floating(), self._start())
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
        )

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Return x, y, theta, their rates and second rates, and those of every mass."""
        G = self.G
        return mass_variables(G, inertia(p), p.m, ZERO) | {
            "x": Variable(lambda motion: motion.pose(G).p.x, "m", "position of G"),
            "y": Variable(lambda motion: motion.pose(G).p.y, "m", "position of G"),
            "theta": Variable(lambda motion: angle_of(motion, G), "rad", "angle"),
            "vx": Variable(lambda motion: motion.velocity_0(G).x, "m/s", "velocity of G"),
            "vy": Variable(lambda motion: motion.velocity_0(G).y, "m/s", "velocity of G"),
            "w": Variable(
                lambda motion: motion.velocity(G).resultant.z, "rad/s", "angular velocity"
            ),
            "ax": Variable(
                lambda motion: motion.acceleration_0(G).x, "m/s2", "acceleration"
            ),
            "ay": Variable(
                lambda motion: motion.acceleration_0(G).y, "m/s2", "acceleration"
            ),
            "wd": Variable(
                lambda motion: motion.acceleration(G).resultant.z,
                "rad/s2",
                "angular acceleration",
            ),
        }


def inertia(p: Any) -> Inertia:
    """Return the inertia of a body in the plane about its centre of mass."""
    return Inertia.of_body(p.m, ZERO, Symmetric(0.0, 0.0, p.I))


def _in_space(x: Start, y: Start) -> Start:
    """Return the start value (x, y, 0) of two in the plane."""
    return Start(
        (float(x.value), float(y.value), 0.0),  # type: ignore[arg-type]
        (x.is_fixed, y.is_fixed, False),
        (x.is_given, y.is_given, False),
    )


def angle_of(motion: Any, port: Port) -> Scalar:
    """Return the angle θ [rad] of a frame in the plane, which counts whole turns.

    The sum of the turns of all joints on the way from the ground: Σ S_z q, S the screws.
    """
    mechanism = motion.mechanism
    place = mechanism.nodes[mechanism.inventory.node(port)]
    theta = _angle(place.X)
    index = place.link
    while index >= 0:
        link = mechanism.links[index]
        q = [motion.q[k] for k in link.q]
        theta = add(theta, _angle(link.X_pj))
        for screw, x in zip(link.joint.screws(*q), q, strict=True):
            turn = getattr(x, "radians", x)  # of an angle that carries its sine and cosine
            theta = add(theta, mul(screw.resultant.z, turn))
        index = link.parent
    return theta


def _angle(X: Any) -> Scalar:
    return arctan2(X.R.yx, X.R.xx)
