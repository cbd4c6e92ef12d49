"""Shapes: what viewers know how to draw.

A shape has axes of its own: x along its length, y its width, z its height. Box, cylinder,
cone, pipe, beam, gear wheel, spring and damper begin at the origin and go along +x, centred in
y and z; sphere, ellipsoid, torus and wheel (its axle along x) are centred at the origin. Those
with a length may stand between two points instead (`SceneSpan`), and need no length then.
"""

from __future__ import annotations

from dataclasses import field, fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from motorik.errors import ParameterError, suggest
from motorik.immutable import immutable
from motorik.view.scene.blob import write_blob
from motorik.view.scene.place import ScenePose, SceneSpan, Triple
from motorik.view.theme import ROLES

if TYPE_CHECKING:
    from typing_extensions import Self

LAYERS = ("parts", "frames", "forces", "labels", "world", "traces")
"""Layers that can be switched on and off in a viewer."""

KINDS: dict[str, type[Shape]] = {}
"""The shapes by their kind."""


@immutable(kw_only=True)
class Shape:
    """A shape: where it is (`at`), to which part it belongs, its `role` (body, joint, spring …).

    `color` is red, green, blue of 0 to 1, None for the colour of the role; `specular` of 0 to
    1 how much light it mirrors, None as usual.
    """

    kind: ClassVar[str] = ""
    at: ScenePose | SceneSpan = field(default_factory=ScenePose)
    role: str = "body"
    part: int | None = None
    color: Triple | None = None
    opacity: float = 1.0
    specular: float | None = None
    layer: str = "parts"

    def __init_subclass__(cls) -> None:
        KINDS[cls.kind] = cls

    def __post_init__(self) -> None:
        for name, value, known in (
            ("role", self.role, tuple(ROLES)),
            ("layer", self.layer, LAYERS),
        ):
            if value not in known:
                raise ParameterError(
                    type(self).__name__,
                    f"there is no {name} {value!r}.",
                    suggest(value, known),
                    parameter=name,
                    value=value,
                )
        for name, value in self.sizes().items():
            check_size(type(self).__name__, name, value)

    @classmethod
    def own_fields(cls) -> tuple[str, ...]:
        """Return the names of its sizes and of what else only this kind has."""
        return _own_fields(cls)

    def sizes(self) -> dict[str, float]:
        """Return its sizes by name, those that are given."""
        own = {name: getattr(self, name) for name in self.own_fields()}
        return {name: v for name, v in own.items() if isinstance(v, (int, float))}

    @property
    def box(self) -> tuple[Triple, Triple]:
        """The corners [m] of the box that holds it, in its own axes; of a span at its ends."""
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)

    def of_part(self, part: int) -> Self:
        """Return it as a shape of the part of this number."""
        return replace(self, part=part)

    def placed(self, at: ScenePose | SceneSpan) -> Self:
        """Return it at another place."""
        return replace(self, at=at)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        said: dict[str, Any] = {"kind": self.kind, "part": self.part, "role": self.role}
        said |= {"color": None if self.color is None else list(self.color)}
        said |= {"opacity": self.opacity, "layer": self.layer, **self.at.to_json()}
        for name in (*self.own_fields(), "specular"):
            value = getattr(self, name)
            if value is not None:
                said[name] = _written(value)
        return said


@cache
def _own_fields(kind: type[Shape]) -> tuple[str, ...]:
    common = {one.name for one in fields(Shape)}
    return tuple(one.name for one in fields(kind) if one.name not in common)


def check_size(place: str, name: str, value: object) -> None:
    """Refuse a size that is negative or not finite."""
    if isinstance(value, (int, float)) and not 0.0 <= value < float("inf"):
        raise ParameterError(
            place,
            f"{name} = {value!r} is not a size.",
            f"Give {name} ≥ 0.",
            parameter=name,
            value=value,
        )


def _written(value: object) -> object:
    if isinstance(value, np.ndarray):
        return write_blob(value, "f32")
    to_json = getattr(value, "to_json", None)
    if to_json is not None:
        return to_json()
    return [_written(one) for one in value] if isinstance(value, tuple) else value


def across(length: float | None, width: float, height: float) -> tuple[Triple, Triple]:
    """Return the box of a shape along +x, centred in y and z."""
    return (0.0, -width / 2, -height / 2), (length or 0.0, width / 2, height / 2)


def around(x: float, y: float, z: float) -> tuple[Triple, Triple]:
    """Return the box of a shape centred at the origin."""
    return (-x / 2, -y / 2, -z / 2), (x / 2, y / 2, z / 2)


@immutable(kw_only=True)
class BoxShape(Shape):
    """A box: length, width, height [m]."""

    kind = "box"
    length: float | None = None
    width: float
    height: float

    @property
    def box(self) -> tuple[Triple, Triple]:
        """Itself."""
        return across(self.length, self.width, self.height)


@immutable(kw_only=True)
class Beam(Shape):
    """A box whose ends are round about z: a link between two pins."""

    kind = "beam"
    length: float | None = None
    width: float
    height: float

    @property
    def box(self) -> tuple[Triple, Triple]:
        """The box with its round ends, which stand out by half the width."""
        r = self.width / 2
        return (-r, -r, -self.height / 2), ((self.length or 0.0) + r, r, self.height / 2)


@immutable(kw_only=True)
class Sphere(Shape):
    """A ball of a diameter [m]."""

    kind = "sphere"
    diameter: float

    @property
    def box(self) -> tuple[Triple, Triple]:
        """The cube around it."""
        return around(self.diameter, self.diameter, self.diameter)


@immutable(kw_only=True)
class Ellipsoid(Shape):
    """An ellipsoid: length, width, height [m] are its axes."""

    kind = "ellipsoid"
    length: float
    width: float
    height: float

    @property
    def box(self) -> tuple[Triple, Triple]:
        """The box around it."""
        return around(self.length, self.width, self.height)


@immutable(kw_only=True)
class CylinderShape(Shape):
    """A cylinder: length and diameter [m]."""

    kind = "cylinder"
    length: float | None = None
    diameter: float

    @property
    def box(self) -> tuple[Triple, Triple]:
        """The box around it."""
        return across(self.length, self.diameter, self.diameter)


@immutable(kw_only=True)
class Cone(Shape):
    """A cone: its diameter [m] at the origin and, as a share of it, at its `top`."""

    kind = "cone"
    length: float | None = None
    diameter: float
    top: float = 0.0

    @property
    def box(self) -> tuple[Triple, Triple]:
        """The box around it."""
        d = self.diameter * max(1.0, self.top)
        return across(self.length, d, d)


@immutable(kw_only=True)
class Pipe(Shape):
    """A pipe: outer and `inner` diameter [m]."""

    kind = "pipe"
    length: float | None = None
    diameter: float
    inner: float

    @property
    def box(self) -> tuple[Triple, Triple]:
        """The box around it."""
        return across(self.length, self.diameter, self.diameter)


@immutable(kw_only=True)
class Gearwheel(Shape):
    """A gear wheel with `teeth`: face width `length`, outer and `inner` diameter [m].

    If it is `internal`, its teeth point inward, and `inner` is the circle of their heads.
    """

    kind = "gearwheel"
    length: float | None = None
    diameter: float
    inner: float = 0.0
    teeth: int = 20
    internal: bool = False

    @property
    def box(self) -> tuple[Triple, Triple]:
        """The box around it."""
        return across(self.length, self.diameter, self.diameter)


@immutable(kw_only=True)
class SpringShape(Shape):
    """A coil spring: diameter of the coil and of the `wire` [m], number of `coils`."""

    kind = "spring"
    length: float | None = None
    diameter: float
    wire: float
    coils: float = 5.0

    @property
    def box(self) -> tuple[Triple, Triple]:
        """The box around it."""
        return across(self.length, self.diameter, self.diameter)


@immutable(kw_only=True)
class DamperShape(Shape):
    """A tube with a rod that slides in it: `lengths` [m] of tube and rod; it telescopes.

    `rod` [m] is the diameter of the rod, `rod_color` its colour, else as is usual.
    """

    kind = "damper"
    length: float | None = None
    diameter: float
    lengths: tuple[float, float]
    rod: float | None = None
    rod_color: Triple | None = None

    @property
    def box(self) -> tuple[Triple, Triple]:
        """The box around it."""
        return across(self.length, self.diameter, self.diameter)


@immutable(kw_only=True)
class TorusShape(Shape):
    """A ring about x: diameter of its centre line and of its `tube` [m]."""

    kind = "torus"
    diameter: float
    tube: float

    @property
    def box(self) -> tuple[Triple, Triple]:
        """The box around it."""
        d = self.diameter + self.tube
        return around(self.tube, d, d)


@immutable(kw_only=True)
class Wheel(Shape):
    """A wheel with a tyre, its axle along x: diameter, width, `inner` diameter of the tyre [m]."""

    kind = "wheel"
    diameter: float
    width: float
    inner: float = 0.0

    @property
    def box(self) -> tuple[Triple, Triple]:
        """The box around it."""
        return around(self.width, self.diameter, self.diameter)
