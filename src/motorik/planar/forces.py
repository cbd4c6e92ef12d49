"""Forces in the plane: laws along a distance between two ports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base.contributions import Contribution
from motorik.components.base.part import Variable, parameter
from motorik.components.base.values import as_number
from motorik.planar.vector_part import VectorPart, along_freedom, values

if TYPE_CHECKING:
    from motorik.components.base.motion import Motion

not_negative = as_number(minimum=0.0)


class VectorForce(VectorPart):
    """A force law along a freedom s of two ports that is given by their vectors alone.

    ``freedom(self, OM, ON, x_i, y_i, x_j, y_j)`` returns s, ``push(self, t, s, v)`` the force
    that makes s grow, ``stored(self, s)`` the energy [J] it holds. The forces at the ports
    follow: each does the power F ṡ.
    """

    def contributions(self, p: SimpleNamespace) -> Iterable[Contribution]:
        """Contribute the law that acts between the ports."""
        yield along_freedom(self, p, energy=True)

    def variables(self, p: SimpleNamespace) -> Mapping[str, Variable]:
        """Return s, its rate v, the force, the stored energy and the forces on the bodies."""
        part = values(type(self), vars(p))

        def freedom(motion: Motion) -> tuple[Scalar, Scalar]:
            return self.freedom_in(motion, part)

        return {
            "s": Variable(lambda motion: freedom(motion)[0], "m", "freedom"),
            "v": Variable(lambda motion: freedom(motion)[1], "m/s", "rate of s"),
            "f": Variable(
                lambda motion: part.push(motion.t, *freedom(motion)), "N", "force"
            ),
            "stored_energy": Variable(lambda motion: part.stored(freedom(motion)[0]), "J"),
            **super().variables(p),
        }


class SpringDamper(VectorForce):
    """A spring and a damper between two points: f = −c (s − s₀) − d ṡ, s = |MN|."""

    c = parameter("stiffness", "N/m", 1.0, not_negative)
    d = parameter("damping constant", "N.s/m", 0.0, not_negative)
    s0 = parameter("unstretched length", "m", 0.0, not_negative)

    def freedom(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Scalar:
        """Return the distance of the points."""
        return (ON - OM).norm()

    def push(self, t: Scalar, s: Scalar, v: Scalar) -> Scalar:
        """Return −c (s − s₀) − d ṡ."""
        return -self.c * (s - self.s0) - self.d * v

    def stored(self, s: Scalar) -> Scalar:
        """Return ½ c (s − s₀)²."""
        return 0.5 * self.c * (s - self.s0) * (s - self.s0)
