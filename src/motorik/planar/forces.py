"""Forces in the plane, along a coordinate of two ports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution
from motorik.components.base.part import Values, Variable, parameter
from motorik.components.base.visual_options import CoilVisual, StrutVisual
from motorik.planar.vector_part import VectorPart, along_freedom, values

if TYPE_CHECKING:
    from motorik.components.base.motion import Motion


class VectorForce(VectorPart[Vector, Vector, Vector, Vector, Vector, Vector]):
    """A force along a coordinate s of two ports, which is a function of their vectors.

    ``freedom(self, OM, ON, x_i, y_i, x_j, y_j)`` returns s [m], ``push(self, t, s, v)`` the
    force F [N], positive if it increases s, and ``stored(self, s)`` its energy [J]. The forces
    at both ports follow from their power F ṡ.
    """

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the force law between the ports."""
        yield along_freedom(self, p, energy=True)

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return s, its rate v, the force, the stored energy and the forces on the bodies."""
        part = values(type(self), vars(p))

        def freedom(motion: Motion) -> tuple[Scalar, Scalar]:
            return self.freedom_in(motion, part)

        def lost(motion: Motion) -> Scalar:
            s, v = freedom(motion)
            return (part.push(motion.t, s, 0.0 * v) - part.push(motion.t, s, v)) * v

        return {
            "s": Variable(lambda motion: freedom(motion)[0], "m", "freedom"),
            "v": Variable(lambda motion: freedom(motion)[1], "m/s", "rate of s"),
            "f": Variable(
                lambda motion: part.push(motion.t, *freedom(motion)), "N", "force"
            ),
            "stored_energy": Variable(lambda motion: part.stored(freedom(motion)[0]), "J"),
            "lossPower": Variable(lost, "W", "dissipated power"),
            **super().variables(p),
        }


class SpringDamper(VectorForce, CoilVisual, StrutVisual):
    """A spring and a damper between two points: f = −c (s − s₀) − d ṡ [N], s = |MN| [m]."""

    c: kinds.Stiffness = parameter("stiffness", default=1.0)
    d: kinds.Damping = parameter("damping constant", default=0.0)
    s0: kinds.LengthOrZero = parameter("unstretched length", default=0.0)

    def freedom(
        self, OM: Vector, ON: Vector, x_i: Vector, y_i: Vector, x_j: Vector, y_j: Vector
    ) -> Scalar:
        """Return |MN|."""
        return (ON - OM).norm()

    def push(self, t: Scalar, s: Scalar, v: Scalar) -> Scalar:
        """Return −c (s − s₀) − d ṡ."""
        return -self.c * (s - self.s0) - self.d * v

    def stored(self, s: Scalar) -> Scalar:
        """Return ½ c (s − s₀)²."""
        return 0.5 * self.c * (s - self.s0) * (s - self.s0)
