"""LineMass: a point mass on the line of two frames, as a contribution of a part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base.motion import Motion
from motorik.components.base.ports import Port
from motorik.elements.distance import Between, Towards
from motorik.errors import AssemblyError, ParameterError
from motorik.immutable import immutable

if TYPE_CHECKING:
    from motorik.components.base.part import Part


@immutable
class LineMass:
    """A point mass m [kg] on the line of two origins, where `place` puts it.

    It has no motion of its own: its velocity follows from those of both frames, and what it
    needs, m (a − g), acts on the bodies at the frames so that it takes no other power.
    """

    part: Part
    frames: tuple[Port, Port]
    m: Scalar
    place: Between | Towards

    def line(self, motion: Motion) -> Vector:
        """Return the vector from one origin to the other in the world [m]."""
        a, b = self.frames
        return motion.pose(b).p - motion.pose(a).p

    def centre(self, a: Vector, b: Vector) -> Vector:
        """Return the place of the mass for those of both origins; refuse none on numbers."""
        try:
            return a + self.place.offset(b - a)
        except ParameterError:
            raise AssemblyError(
                self.part.path,
                "its ends are at one point, so that nothing says in which direction from "
                "there its mass is.",
                "Connect it with frames that are apart.",
            ) from None

    def position(self, motion: Motion) -> Vector:
        """Return where the mass is in the world [m]."""
        a, b = self.frames
        return self.centre(motion.pose(a).p, motion.pose(b).p)

    def velocity(self, motion: Motion) -> Vector:
        """Return v_a + B (v_b − v_a) in the world [m/s]."""
        v_a, v_b = map(motion.velocity_0, self.frames)
        return v_a + self.place.moved(self.line(motion), v_b - v_a)

    def acceleration(self, motion: Motion) -> Vector:
        """Return a_a + B (a_b − a_a) + bias in the world [m/s²]."""
        r, place = self.line(motion), self.place
        (a_a, a_b), (v_a, v_b) = (
            map(of, self.frames) for of in (motion.acceleration_0, motion.velocity_0)
        )
        return a_a + place.moved(r, a_b - a_a) + place.bias(r, v_b - v_a)

    def forces(self, motion: Motion) -> tuple[Vector, Vector]:
        """Return the forces on the bodies at both frames in the world [N].

        They are −(1 − B) f and −B f with f = m (a − g).
        """
        g = motion.gravity(self.position(motion))
        f = self.m * (self.acceleration(motion) - g)
        far = self.place.moved(self.line(motion), f)
        return far - f, -far
