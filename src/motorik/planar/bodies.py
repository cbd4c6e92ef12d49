"""Bodies in the plane, and the ground."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from motorik.algebra.dyad import Inertia
from motorik.algebra.matrix import Symmetric
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about, snapped
from motorik.algebra.vector import ZERO, Vector, Z
from motorik.components.base import kinds
from motorik.components.base.contributions import (
    STATE_PRIORITIES,
    Contribution,
    FreeStart,
    Mass,
    Rigid,
)
from motorik.components.base.conversions import as_turn
from motorik.components.base.kind import GivenNumber
from motorik.components.base.live_numbers import Live
from motorik.components.base.named_frames import Declared, NamedFrames
from motorik.components.base.part import (
    DeclaredPart,
    ParameterSpec,
    Values,
    Variable,
    frame,
    parameter,
    start,
)
from motorik.components.base.ports import Port, PortKind
from motorik.components.base.values import Parameter, Start
from motorik.components.base.visual_options import BodyVisual, MassVisual
from motorik.components.parts.bodies import mass_variables
from motorik.components.parts.world import World
from motorik.planar import quantities
from motorik.planar.pairs import PlanarFreePair, PlanarPointPair
from motorik.planar.quantities import PlanePorts, as_place
from motorik.planar.typed import Generic, Name
from motorik.planar.variables import body_variables, loaded_variables, port_variables

if TYPE_CHECKING:
    from typing_extensions import Self

    from motorik.components.base.ports import FramePort


# --- bodies with any number of frames -----------------------------------------------------


class Ported(NamedFrames, Generic[Name]):
    """A part whose frames are given as ``ports={"A": (x, y), "B": (x, y, angle)}``.

    x, y [m] are in the part's own coordinates; angle [rad] is that of the port's x axis
    against the part's. Each port is an attribute (``part.A``) and has the parameters r_A [m]
    and angle_A [rad].
    """

    argument = "ports"
    remedy = 'Give e.g. ports={"A": (0.5, 0.0)}.'

    if TYPE_CHECKING:  # `ports` is given to the constructor, `ports()` lists what there is
        ports: PlanePorts[Name] = parameter(  # pyright: ignore[reportIncompatibleMethodOverride]
            "places of the ports by name", default=None
        )

        def __getattr__(self, name: Name) -> FramePort: ...

    def parameters_of(self, name: str) -> Iterable[str]:
        """Return the names of place and angle."""
        return f"r_{name}", f"angle_{name}"

    def declared_at(
        self, name: str, place: object, given: dict[str, object]
    ) -> dict[str, Declared]:
        """Return the declarations of a port, its place and its angle."""
        entries = tuple(place) if isinstance(place, (tuple, list)) else ()
        if len(entries) not in (2, 3):
            raise self.refused_place(
                f"port {name!r} is at {place!r}, which is neither (x, y) nor "
                "(x, y, angle).",
                self.remedy,
                place,
            )
        x, y, angle = (*entries, 0.0)[:3]
        turned = angle
        if isinstance(angle, Parameter):  # a default would be copied
            given.setdefault(f"angle_{name}", angle)
            turned = 0.0
        if any(isinstance(one, Parameter | Live) for one in (x, y)):
            given.setdefault(f"r_{name}", (x, y, 0.0))
            x = y = 0.0
        return {
            name: frame(f"port {name}"),
            f"r_{name}": parameter(f"place of {name}", "m", (x, y, 0.0), as_place),
            f"angle_{name}": parameter(
                f"angle of the axes at {name}", "rad", turned, as_turn
            ),
        }

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return the motion of all frames, and the forces on the part there."""
        frames = [port for port in self.ports() if port.kind is PortKind.FRAME]
        return {
            **super().variables(p),
            **port_variables(*frames),
            **loaded_variables(*frames),
        }

    def attached(self, origin: Port, p: Values, r_0: Vector) -> Iterable[Rigid]:
        """Connect the ports rigidly to `origin`, which is at r_0 [m] in the part."""
        for port in self.user_ports():
            r, angle = getattr(p, f"r_{port.name}"), getattr(p, f"angle_{port.name}")
            turned = snapped(rotation_about(Z, angle))
            yield Rigid(origin, port, Pose(turned, r - r_0))

    def given_place(self, name: str) -> tuple[GivenNumber, ...]:
        """Return (x, y), or (x, y, angle) where it is turned."""
        specs: Mapping[str, ParameterSpec] = self.__dict__["own_specs"]
        r, angle = (specs[f"{of}_{name}"].default for of in ("r", "angle"))
        return r[:2] if isinstance(angle, float) and angle == 0.0 else (*r[:2], angle)


# ruff: noqa: N815 - the names of Modelica's parameters


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


class Body(Ported[Name], BodyVisual):
    """A rigid body in the plane with any number of ports.

    m ẍ = Q_x,  m ÿ = Q_y − m g,  I θ̈ = Q_θ  (eq. 5), x and y [m] of the centre of mass G in
    the ground's axes, θ [rad] of the body's x axis against the ground's.
    ``ports={"A": (x, y), "B": (x, y, angle)}`` [m, rad] names and places the ports. They and
    r_CM are in the body's own coordinates, whose origin is G by default.
    """

    G = frame("centre of mass, with the body's axes")

    m: kinds.PositiveMass = parameter("mass", default=1.0)
    I: kinds.PositiveMomentOfInertia = parameter("moment of inertia about G", default=0.001)
    r_CM: quantities.PlanePoint = parameter(
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
        yield Mass(self.G, inertia(p), PlanarFreePair(), self._start())
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


class PointMass(DeclaredPart, MassVisual):
    """A mass m in the plane without extension: m ẍ = Q_x, m ÿ = Q_y − m g, x and y [m] of G.

    It has no orientation of its own; a torque on it moves nothing.
    """

    G = frame("frame at the mass")

    m: kinds.PositiveMass = parameter("mass", default=1.0)
    x: kinds.StartDistance = start("x coordinate")
    y: kinds.StartDistance = start("y coordinate")
    vx: kinds.StartVelocity = start("velocity along x")
    vy: kinds.StartVelocity = start("velocity along y")

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the mass at G, which moves in the plane without turning."""
        places = _in_space(self.x, self.y), _in_space(self.vx, self.vy)
        begin = FreeStart(*places, Start((0.0, 0.0, 0.0)), names=NAMES)
        priority = STATE_PRIORITIES["avoid"]
        yield Mass(
            self.G, Inertia.of_body(p.m), PlanarPointPair(), begin, priority=priority
        )

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return the motion in the plane, energies and momenta."""
        of_mass = mass_variables(self.G, Inertia.of_body(p.m), p.m, ZERO)
        in_plane = {
            name: one
            for name, one in body_variables(self.G).items()
            if "rad" not in one.unit
        }
        return {**of_mass, **in_plane}


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
