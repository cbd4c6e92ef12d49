"""Ported: parts with any number of frames, placed and named by the user."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from keyword import iskeyword
from typing import TYPE_CHECKING

from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about, snapped
from motorik.algebra.vector import Vector, Z
from motorik.components.base.composite import OWN_NAMES
from motorik.components.base.contributions import Rigid
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
)
from motorik.components.base.ports import Port, PortKind
from motorik.components.base.values import Parameter
from motorik.errors import ParameterError
from motorik.planar.quantities import GivenPlace, Places, as_place
from motorik.planar.shown import loaded_variables, port_variables
from motorik.planar.typed import Generic, Name

if TYPE_CHECKING:
    from motorik.components.base.ports import FramePort

REMEDY = 'Give e.g. ports={"A": (0.5, 0.0)}.'


class Ported(DeclaredPart, Generic[Name]):
    """A part whose frames are given as ``ports={"A": (x, y), "B": (x, y, angle)}``.

    x, y [m] are in the part's own coordinates; angle [rad] is that of the port's x axis
    against the part's. Each port is an attribute (``part.A``) and has the parameters r_A [m]
    and angle_A [rad].
    """

    if TYPE_CHECKING:  # `ports` is given to the constructor, `ports()` lists what there is
        ports: Places[Name] = parameter(  # pyright: ignore[reportIncompatibleMethodOverride]
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
