"""Ported: parts with any number of frames, placed and named by the user."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from keyword import iskeyword
from types import SimpleNamespace
from typing import TYPE_CHECKING

from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about, snapped
from motorik.algebra.vector import Vector, Z
from motorik.components.base.composite import OWN_NAMES
from motorik.components.base.contributions import Rigid
from motorik.components.base.conversions import as_turn
from motorik.components.base.part import (
    ParameterSpec,
    Part,
    PortSpec,
    Variable,
    check_named,
    frame,
    parameter,
)
from motorik.components.base.ports import Port, PortKind
from motorik.components.base.values import (
    Derived,
    LiveScalar,
    Parameter,
    as_vector,
    number_of,
)
from motorik.errors import ParameterError
from motorik.planar.shown import loaded_variables, port_variables

if TYPE_CHECKING:
    from motorik.components.base.ports import FramePort

Number = float | Parameter | LiveScalar
Place = Sequence[Number]


def as_place(part: str, name: str, unit: str, value: object) -> Vector | Derived:
    """Convert a place (x, y) in the plane."""
    if isinstance(value, (tuple, list)) and len(value) == 2:
        value = (*value, 0.0)
    place = as_vector(part, name, unit, value)
    if isinstance(place, Vector) and number_of(place.z) != 0.0:
        raise ParameterError(
            part,
            f"{name} = {value!r} lies beside the plane z = 0.",
            f"Give {name} as (x, y), or take a body in space.",
            parameter=name,
            value=value,
        )
    return place


class Ported(Part):
    """A part whose frames are given as ``ports={"A": (x, y), "B": (x, y, angle)}``.

    x, y [m] in the part's own coordinates, angle [rad] of the port's x axis against the
    part's. Each port is an attribute (``part.A``) and has the parameters r_A and angle_A.
    """

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> FramePort: ...  # the ports that the user names

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        ports = inspect.Parameter("ports", inspect.Parameter.KEYWORD_ONLY, default=None)
        named = cls.__signature__.parameters.values()
        cls.__signature__ = cls.__signature__.replace(parameters=[ports, *named])

    def __init__(
        self, *unnamed: object, ports: Mapping[str, Place] | None = None, **given: object
    ) -> None:
        check_named(type(self), unnamed)
        places = self._checked(ports or {})
        own: dict[str, PortSpec | ParameterSpec] = {}
        for name, (x, y, angle) in places.items():
            own[name] = frame(f"port {name}")
            own[f"r_{name}"] = parameter(f"place of {name}", "m", (x, y, 0.0), as_place)
            turned: Number = 0.0
            if isinstance(
                angle, Parameter
            ):  # given, for of a default there would be copies
                given.setdefault(f"angle_{name}", angle)
            else:
                turned = angle
            own[f"angle_{name}"] = parameter(
                f"angle of the axes at {name}", "rad", turned, as_turn
            )
        self.__dict__["own_specs"] = own
        self.__dict__.update(self._declared(own))
        super().__init__(**given)

    def __getstate__(self) -> dict[str, object]:
        """Return what a copy or a pickle keeps: of the declarations its own."""
        declared = ("specs", "_parameters")
        return {
            name: value for name, value in self.__dict__.items() if name not in declared
        }

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self.__dict__.update(self._declared(self.__dict__["own_specs"]))

    def _declared(self, own: Mapping[str, PortSpec | ParameterSpec]) -> dict[str, object]:
        """Return all declarations, and which are parameters, of a part with these of its own."""
        specs = {**type(self).specs, **own}
        names = tuple(
            name for name, spec in specs.items() if isinstance(spec, ParameterSpec)
        )
        return {"specs": specs, "_parameters": names}

    def _checked(self, ports: object) -> dict[str, tuple[Number, Number, Number]]:
        kind, remedy = type(self).__name__, 'Give e.g. ports={"A": (0.5, 0.0)}.'
        if not isinstance(ports, Mapping):
            raise ParameterError(
                kind,
                f"ports = {ports!r} is no dict of places.",
                remedy,
                parameter="ports",
                value=ports,
            )
        places: dict[str, tuple[Number, Number, Number]] = {}
        known = {"own_specs", "specs", "_parameters"}
        for name, place in ports.items():
            is_name = isinstance(name, str) and name.isidentifier()
            if not is_name or iskeyword(name):
                raise ParameterError(
                    kind,
                    f"{name!r} is no name for a port.",
                    remedy,
                    parameter="ports",
                    value=name,
                )
            for taken in (name, f"r_{name}", f"angle_{name}"):
                if hasattr(type(self), taken) or taken in OWN_NAMES or taken in known:
                    raise ParameterError(
                        kind,
                        f"the port {name!r} cannot be named so: {taken!r} already means "
                        "something else.",
                        "Choose another name for the port.",
                        parameter="ports",
                        value=name,
                    )
            known |= {name, f"r_{name}", f"angle_{name}"}
            entries = tuple(place) if isinstance(place, (tuple, list)) else ()
            if len(entries) not in (2, 3):
                raise ParameterError(
                    kind,
                    f"port {name!r} is at {place!r}, which is neither (x, y) nor "
                    "(x, y, angle).",
                    remedy,
                    parameter="ports",
                    value=place,
                )
            x, y, angle = (*entries, 0.0)[:3]
            places[name] = (x, y, angle)
        return places

    def user_ports(self) -> list[Port]:
        """Return the ports that the user has given."""
        own = self.__dict__["own_specs"].items()
        return [self.__dict__[name] for name, spec in own if isinstance(spec, PortSpec)]

    def variables(self, p: SimpleNamespace) -> Mapping[str, Variable]:
        """Return the motion of all frames, and the forces on the part at them."""
        frames = [port for port in self.ports() if port.kind is PortKind.FRAME]
        return {
            **super().variables(p),
            **port_variables(*frames),
            **loaded_variables(*frames),
        }

    def attached(self, origin: Port, p: SimpleNamespace, r_0: Vector) -> Iterable[Rigid]:
        """Connect the ports rigidly with `origin`, which is at r_0 in the part."""
        for port in self.user_ports():
            r, angle = getattr(p, f"r_{port.name}"), getattr(p, f"angle_{port.name}")
            turned = snapped(rotation_about(Z, angle))
            yield Rigid(origin, port, Pose(turned, r - r_0))

    def __repr__(self) -> str:
        given = {port.name: self._given_place(port.name) for port in self.user_ports()}
        kind, values = type(self).__name__, super().__repr__().split("(", 1)[1][:-1]
        shown = [values, f"ports={given!r}"] if values else [f"ports={given!r}"]
        return f"{kind}({', '.join(shown)})"

    def _given_place(self, name: str) -> tuple[Number, ...]:
        specs: Mapping[str, ParameterSpec] = self.__dict__["own_specs"]
        r, angle = (specs[f"{of}_{name}"].default for of in ("r", "angle"))
        return r[:2] if isinstance(angle, float) and angle == 0.0 else (*r[:2], angle)
