"""Common basis of joint assemblies: a driven joint with its flanges, guess and branch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import ZERO, Vector
from motorik.components.base import kinds
from motorik.components.base.composite import DeclaredComposite
from motorik.components.base.contributions import Contribution
from motorik.components.base.declarations import (
    frame,
    parameter,
    rotational_flange,
    translational_flange,
)
from motorik.components.base.motion import Motion
from motorik.components.base.part import Part
from motorik.components.base.ports import Port, PortKind, join
from motorik.components.base.resolving import Values
from motorik.components.base.values import Derived, guess
from motorik.components.base.variable import Variable
from motorik.components.joints.rods import power_into
from motorik.components.joints.simple import Prismatic, Revolute, one_freedom, shown_as
from motorik.components.parts.rigid import FixedTranslation
from motorik.elements.revolute import RevolutePair
from motorik.numerics.tolerances import GUESS_TIE

if TYPE_CHECKING:
    from typing_extensions import Self


class OffsetRevolute(Revolute):
    """A revolute joint whose frames coincide at phi = −phi_offset."""

    phi_offset: kinds.Angle = parameter("joint angle at phi = 0", default=0.0)

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute a turn between the frames."""
        flanges = (self.axis, self.support) if p.useAxisFlange else None
        turn = RevolutePair(p.n, p.phi_offset)
        yield one_freedom(self, turn, ("phi", "w"), p, flanges)
        yield from self.load_contributions(p)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return phi, w, a, tau and angle = phi + offset."""
        offset = p.phi_offset

        def angle(motion: Motion) -> Scalar:
            return motion.coordinate(self, "phi") + offset

        return {**super().variables(p), "angle": Variable(angle, "rad", "phi + offset")}


class Assembly(DeclaredComposite):
    """A chain of joints between frame_a and frame_b, for use in a loop.

    One of its joints has flanges: `axis` drives it, `bearing` is its housing; they exist
    when they are used. `branch` names one of the solutions of the loop; without it the one
    nearest to the guess is taken.
    """

    is_open = False
    frame_a = frame("one end")
    frame_b = frame("the other end")

    useAxisFlange: kinds.Boolean = parameter(
        "whether axis and bearing exist", default=False
    )
    branch: kinds.Text = parameter(
        "name of the solution; by default the one nearest to the guess", default=""
    )

    def driven(self) -> Revolute | Prismatic:
        """Return the joint with the flanges."""
        joint = self.parts["revolute" if "revolute" in self.parts else "prismatic"]
        assert isinstance(joint, (Revolute, Prismatic))
        return joint

    def chain(self, *ports: Port) -> None:
        """Connect ports in pairs: the first with the second, the third with the fourth."""
        for one, other in zip(ports[::2], ports[1::2], strict=True):
            join(one, other)

    def join_flanges(self) -> None:
        """Connect the flanges with those of the driven joint, if there are any."""
        if self.__dict__["useAxisFlange"]:
            driven = self.driven()
            join(self.__dict__["axis"], driven.axis)
            join(self.__dict__["bearing"], driven.support)

    def _open_ports(self, when: str) -> None:
        """Create the flanges, and connect them with those of the driven joint."""
        super()._open_ports(when)
        self.join_flanges()

    def frames(self) -> tuple[Port, ...]:
        """Return all frames of the assembly."""
        return tuple(port for port in self.ports() if port.kind is PortKind.FRAME)

    def flanges(self) -> tuple[Port, ...]:
        """Return the flanges of the assembly, if they are used."""
        return tuple(port for port in self.ports() if port.kind is not PortKind.FRAME)

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return the motion of the driven joint and its power balance, which is zero."""
        turns = "revolute" in self.parts
        names = {"phi": "phi", "w": "w", "a": "a", "tau": "tau"}
        if not turns:
            names = {"s": "s", "v": "v", "a": "a", "f": "f"}

        def total(motion: Motion) -> Scalar:
            return power_into(motion, self.frames(), self.flanges()) - self.taken(motion)

        return shown_as(self.driven(), **names) | {
            "totalPower": Variable(
                total, "W", "power into the part minus power stored: zero"
            )
        }

    def taken(self, motion: Motion) -> Scalar:
        """Return the power [W] that inner masses absorb."""
        return 0.0


class TurnedAssembly(Assembly):
    """An assembly with a driven revolute joint at frame_b, of angle phi [rad]."""

    axis = rotational_flange("drives the revolute joint", when="useAxisFlange")
    bearing = rotational_flange("housing of the revolute joint", when="useAxisFlange")

    phi_offset: kinds.Angle = parameter("joint angle at phi = 0", default=0.0)
    phi_guess: kinds.PlainAngle = parameter("guess of phi at the start", default=0.0)

    def make_revolute(self, axis: str) -> OffsetRevolute:
        """Return the driven joint about the axis of this name."""
        return OffsetRevolute(
            n=passed(self, axis),
            phi_offset=passed(self, "phi_offset"),
            phi=guess(self.phi_guess + GUESS_TIE),
            stateSelect="never",
        )


class PushedAssembly(Assembly):
    """An assembly with a driven prismatic joint, of length s + s_offset [m]."""

    axis = translational_flange("drives the prismatic joint", when="useAxisFlange")
    bearing = translational_flange("housing of the prismatic joint", when="useAxisFlange")

    s_offset: kinds.Distance = parameter("length at s = 0", default=0.0)
    s_guess: kinds.PlainDistance = parameter("guess of s at the start", default=0.0)

    def make_prismatic(self, axis: str) -> Prismatic:
        """Return the driven joint along the axis of this name."""
        start = guess(self.start_length() + GUESS_TIE)
        return Prismatic(n=passed(self, axis), s=start, stateSelect="never")

    def start_length(self) -> float:
        """Return the guess of s [m] at the start."""
        return self.s_guess

    def make_offset(self, axis: str) -> FixedTranslation:
        """Return a translation by s_offset along the axis of this name."""
        return FixedTranslation(r=Derived(self, partial(_offset_along, axis)))


def _offset_along(axis: str, p: Values) -> Vector:
    return p.s_offset * getattr(p, axis)


def passed(part: Part, name: str) -> Derived:
    """Return a value that follows a parameter of a part."""
    return Derived(part, attrgetter(name))


def frame_variables(name: str, port: Port, is_loaded: bool = True) -> dict[str, Variable]:
    """Return position, force and torque of a frame under another name."""

    def load(motion: Motion, which: str) -> Vector:
        return getattr(motion.reaction_at(port), which) if is_loaded else ZERO

    return {
        f"{name}.r_0": Variable(lambda motion: motion.pose(port).p, "m"),
        f"{name}.f": Variable(lambda motion: load(motion, "resultant"), "N"),
        f"{name}.t": Variable(lambda motion: load(motion, "moment"), "N.m"),
    }


def measured_variables(
    assembly: Assembly, p: Values, within: str = ""
) -> dict[str, Variable]:
    """Return the geometry of the closed form by Modelica's names."""
    sensor = f"{within}relativePosition"
    shown = frame_variables(f"{sensor}.frame_b", assembly.frame_a, False)
    shown |= frame_variables(f"{sensor}.relativePosition.frame_b", assembly.frame_a, False)
    for i, component in enumerate(p.rRod2_ib.xyz):
        name = f"{within}position_b[{i + 1}].y"
        shown[name] = Variable(lambda motion, value=component: value, "m")
    return shown
