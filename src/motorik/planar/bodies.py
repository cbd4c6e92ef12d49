"""Bodies in the plane, and the ground."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from keyword import iskeyword
from typing import TYPE_CHECKING

from motorik.algebra.dyad import Inertia
from motorik.algebra.matrix import Symmetric
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about, snapped
from motorik.algebra.vector import ZERO, Vector, Z
from motorik.components.base import kinds
from motorik.components.base.composite import OWN_NAMES
from motorik.components.base.contributions import Contribution, FreeStart, Mass, Rigid
from motorik.components.base.conversions import as_turn
from motorik.components.base.kind import GivenNumber
from motorik.components.base.part import (
    DeclaredPart,
    ParameterSpec,
    Part,
    PortSpec,
    Values,
    Variable,
    check_named,
    frame,
    parameter,
    start,
)
from motorik.components.base.ports import Port, PortKind
from motorik.components.base.values import Parameter, Start
from motorik.components.base.visual_options import BodyVisual
from motorik.components.parts.bodies import mass_variables
from motorik.components.parts.world import World
from motorik.errors import ParameterError
from motorik.planar import quantities
from motorik.planar.pairs import PlanarFreePair
from motorik.planar.quantities import GivenPlace, PlanePorts, as_place
from motorik.planar.typed import Generic, Name
from motorik.planar.variables import body_variables, loaded_variables, port_variables

if TYPE_CHECKING:
    from typing_extensions import Self

    from motorik.components.base.ports import FramePort


# --- bodies with any number of frames -----------------------------------------------------


REMEDY = 'Give e.g. ports={"A": (0.5, 0.0)}.'


class Ported(DeclaredPart, Generic[Name]):
    """A part whose frames are given as ``ports={"A": (x, y), "B": (x, y, angle)}``.

    x, y [m] are in the part's own coordinates; angle [rad] is that of the port's x axis
    against the part's. Each port is an attribute (``part.A``) and has the parameters r_A [m]
    and angle_A [rad].
    """

    if TYPE_CHECKING:  # `ports` is given to the constructor, `ports()` lists what there is
        ports: PlanePorts[Name] = parameter(  # pyright: ignore[reportIncompatibleMethodOverride]
            "places of the ports by name", default=None
        )

        def __getattr__(self, name: Name) -> FramePort: ...

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        ports = inspect.Parameter("ports", inspect.Parameter.KEYWORD_ONLY, default=None)
        named = cls.__signature__.parameters.values()
        cls.__signature__ = cls.__signature__.replace(parameters=[ports, *named])

    def __init__(
        self,
        *unnamed: object,
        ports: Mapping[str, GivenPlace] | None = None,
        **given: object,
    ) -> None:
        check_named(type(self), unnamed)
        places = self._checked({} if ports is None else ports)
        own: dict[str, PortSpec | ParameterSpec] = {}
        for name, (x, y, angle) in places.items():
            own[name] = frame(f"port {name}")
            own[f"r_{name}"] = parameter(f"place of {name}", "m", (x, y, 0.0), as_place)
            turned = angle
            if isinstance(angle, Parameter):  # a default would be copied
                given.setdefault(f"angle_{name}", angle)
                turned = 0.0
            own[f"angle_{name}"] = parameter(
                f"angle of the axes at {name}", "rad", turned, as_turn
            )
        self.__dict__["own_specs"] = own
        self.__dict__.update(self._declared(own))
        Part.__init__(self, **given)

    def __getstate__(self) -> dict[str, object]:
        """Return what a copy or a pickle keeps: of the declarations only its own."""
        declared = ("specs", "_parameters")
        return {
            name: value for name, value in self.__dict__.items() if name not in declared
        }

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self.__dict__.update(self._declared(self.__dict__["own_specs"]))

    def _declared(self, own: Mapping[str, PortSpec | ParameterSpec]) -> dict[str, object]:
        """Return all declarations of a part with these of its own, and the parameters."""
        specs = {**type(self).specs, **own}
        names = tuple(
            name for name, spec in specs.items() if isinstance(spec, ParameterSpec)
        )
        return {"specs": specs, "_parameters": names}

    def _checked(
        self, ports: object
    ) -> dict[str, tuple[GivenNumber, GivenNumber, GivenNumber]]:
        """Return x, y and angle of each port."""
        if not isinstance(ports, Mapping):
            raise self._refused(
                f"ports = {ports!r} is not a dict of places.", REMEDY, ports
            )
        places: dict[str, tuple[GivenNumber, GivenNumber, GivenNumber]] = {}
        taken = {"own_specs", "specs", "_parameters", *OWN_NAMES}
        for name, place in ports.items():
            if not isinstance(name, str) or not name.isidentifier() or iskeyword(name):
                raise self._refused(f"{name!r} is not a valid port name.", REMEDY, name)
            made = (name, f"r_{name}", f"angle_{name}")
            for one in made:
                if one in taken or hasattr(type(self), one):
                    raise self._refused(
                        f"{name!r} cannot name a port: {one!r} already means something else.",
                        "Choose another name for the port.",
                        name,
                    )
            taken.update(made)
            entries = tuple(place) if isinstance(place, (tuple, list)) else ()
            if len(entries) not in (2, 3):
                raise self._refused(
                    f"port {name!r} is at {place!r}, which is neither (x, y) nor "
                    "(x, y, angle).",
                    REMEDY,
                    place,
                )
            x, y, angle = (*entries, 0.0)[:3]
            places[name] = (x, y, angle)
        return places

    def _refused(self, words: str, remedy: str, value: object) -> ParameterError:
        return ParameterError(
            type(self).__name__, words, remedy, parameter="ports", value=value
        )

    def user_ports(self) -> list[Port]:
        """Return the ports that the user has given."""
        own = self.__dict__["own_specs"].items()
        return [self.__dict__[name] for name, spec in own if isinstance(spec, PortSpec)]

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

    def __repr__(self) -> str:
        given = {port.name: self._given_place(port.name) for port in self.user_ports()}
        kind, values = type(self).__name__, super().__repr__().split("(", 1)[1][:-1]
        shown = [values, f"ports={given!r}"] if values else [f"ports={given!r}"]
        return f"{kind}({', '.join(shown)})"

    def _given_place(self, name: str) -> tuple[GivenNumber, ...]:
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
