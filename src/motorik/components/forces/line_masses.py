"""Point masses on the line between two frames, as rods and springs carry them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution
from motorik.components.base.line_mass import LineMass
from motorik.components.base.motion import Motion
from motorik.components.base.part import DeclaredPart, Values, Variable, frame, parameter
from motorik.components.base.visual_options import MassVisual
from motorik.elements.distance import Between, Towards

if TYPE_CHECKING:
    from typing_extensions import Self


class MassOnLine(DeclaredPart, MassVisual):
    """A point mass on the line between two frames, without inertia about itself.

    Where it is follows from both frames: it has neither states nor a frame of its own.
    """

    frame_a = frame("one end of the line")
    frame_b = frame("the other end")

    m: kinds.Mass = parameter("mass", default=1.0)

    def place(self, p: Values) -> Between | Towards:
        """Return where the mass is on the line."""
        raise NotImplementedError

    def mass(self, p: Values) -> LineMass:
        """Return the mass on the line."""
        return LineMass(self, (self.frame_a, self.frame_b), p.m, self.place(p))

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute a point mass on the line."""
        yield self.mass(p)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return motion, gravity, energies and momenta of the mass."""
        mass, m = self.mass(p), p.m

        def momentum(motion: Motion) -> Vector:
            return m * mass.velocity(motion)

        shown: dict[str, tuple[str, str, Callable[[Motion], Scalar | Vector]]] = {
            "r_0": ("m", "position", mass.position),
            "v_0": ("m/s", "velocity", mass.velocity),
            "a_0": ("m/s2", "acceleration", mass.acceleration),
            "g_0": (
                "m/s2",
                "gravity",
                lambda motion: motion.gravity(mass.position(motion)),
            ),
            "r_CM_0": ("m", "centre of mass in the world", mass.position),
            "kinetic_energy": (
                "J",
                "kinetic energy",
                lambda motion: 0.5 * momentum(motion).dot(mass.velocity(motion)),
            ),
            "potential_energy": (
                "J",
                "energy in the gravity field",
                lambda motion: m * motion.gravity_potential(mass.position(motion)),
            ),
            "momentum": ("kg.m/s", "momentum in the world", momentum),
            "angular_momentum": (
                "kg.m2/s",
                "angular momentum about the origin of the world",
                lambda motion: mass.position(motion).cross(momentum(motion)),
            ),
        }
        return {name: Variable(f, unit, text) for name, (unit, text, f) in shown.items()}

    def power(self, motion: Motion) -> Scalar:
        """Return the power m (a − g) · v that the mass takes [W]."""
        mass = self.mass(motion.parameters_of(self))
        a = mass.acceleration(motion) - motion.gravity(mass.position(motion))
        return mass.m * a.dot(mass.velocity(motion))


class MassBetween(MassOnLine):
    """A point mass that divides the line by lengthFraction: 0 at frame_a, 1 at frame_b."""

    lengthFraction: kinds.Factor = parameter("place on the line", default=0.5)

    def place(self, p: Self) -> Between:
        """Return the masses on the line."""
        return Between(p.lengthFraction)


class MassTowards(MassOnLine):
    """A point mass at the distance L from frame_a towards frame_b."""

    L: kinds.Distance = parameter("distance from frame_a", default=0.0)

    def place(self, p: Self) -> Towards:
        """Return the point at this distance from frame_a."""
        return Towards(p.L)
