"""Bodies with two frames, and solids whose mass and inertia follow from their shape."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from motorik.algebra.matrix import Matrix, Symmetric
from motorik.algebra.scalar import Scalar, is_symbol
from motorik.algebra.vector import AXES, Vector
from motorik.components.base import kinds
from motorik.components.base.composite import DeclaredComposite
from motorik.components.base.part import (
    Part,
    Values,
    Variable,
    frame,
    parameter,
)
from motorik.components.base.ports import connect
from motorik.components.base.units import warn_of_density, warn_of_mass
from motorik.components.base.values import (
    Derived,
)
from motorik.components.base.visual_options import MassVisual, ShapeVisual
from motorik.components.parts.bodies import (
    Body,
    FloatingStart,
    MassProperties,
    motion_variables,
)
from motorik.components.parts.rigid import FixedTranslation
from motorik.components.parts.world import World
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self


SHARED = (*FloatingStart.specs, "physical")  # passed on to the body within


class ShapedBody(DeclaredComposite, FloatingStart):
    """A body with two frames: `body` carries the mass, `frameTranslation` leads to frame_b."""

    is_open = False
    frame_a = frame("frame fixed in the body")
    frame_b = frame("frame at r from frame_a")

    r: kinds.Position = parameter("from frame_a to frame_b", default=(0, 0, 0))
    physical: kinds.Boolean = parameter(
        "whether mass properties that no real body has are refused", default=True
    )

    def build(self) -> None:
        """Build it from a body and a translation."""
        self.body = Body(physical=self.physical, **self.mass_properties())
        self.share(self.body, **{name: name for name in SHARED})
        self.frameTranslation = FixedTranslation(r=Derived(self, attrgetter("r")))
        connect(self.frame_a, self.body.frame_a, self.frameTranslation.frame_a)
        connect(self.frame_b, self.frameTranslation.frame_b)

    def mass_properties(self) -> dict[str, Any]:
        """Return m, r_CM and inertia for the body within."""
        raise NotImplementedError

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return the motion of frame_a."""
        shown = motion_variables(self.frame_a)
        return {name: shown[name] for name in ("r_0", "v_0", "a_0")}


class BodyShape(MassProperties, ShapedBody, ShapeVisual, MassVisual):
    """A rigid body with mass properties as in `Body` and a second frame at r."""

    def mass_properties(self) -> dict[str, Any]:
        """Return the mass properties as given."""
        names = ("m", "r_CM", "I_11", "I_22", "I_33", "I_21", "I_31", "I_32", "I")
        return {name: _passed_on(self, name) for name in names}


class SolidBody(ShapedBody):
    """A body of uniform density along `lengthDirection`, beginning at r_shape."""

    r: kinds.Position = parameter("from frame_a to frame_b", default=(0.1, 0, 0))
    r_shape: kinds.Position = parameter(
        "from frame_a to where the shape begins", default=(0, 0, 0)
    )
    lengthDirection: kinds.OptionalAxis = parameter(
        "direction of the length; by default that of r − r_shape", default=None
    )
    length: kinds.OptionalLength = parameter(
        "length; by default |r − r_shape|", default=None
    )
    density: kinds.Density = parameter("density", default=7700.0)

    def check(self, p: Self) -> None:
        """Refuse a body without length or volume."""
        if float(body_length(p)) <= 0.0:
            raise ParameterError(
                self.label,
                f"has no length: r = {p.r.xyz}, r_shape = {p.r_shape.xyz}.",
                "Give r different from r_shape, or length and lengthDirection.",
                parameter="r",
                value=p.r.xyz,
            )
        m = float(self.solid(p)[0])
        if p.physical and not m > 0.0:
            raise ParameterError(
                self.label,
                f"has mass {m:g} kg.",
                "Make the inner dimensions smaller than the outer ones and the width positive.",
                parameter="density",
                value=p.density,
            )
        shape = f"a {type(self).__name__} of {float(body_length(p)):g} m"
        warn_of_mass(self.label, shape, m)
        warn_of_density(self.label, float(p.density))

    def solid(self, p: Values) -> tuple[Scalar, Scalar, Scalar, Scalar]:
        """Return mass [kg] and inertias [kg·m²] along length, width and height."""
        raise NotImplementedError

    def mass_properties(self) -> dict[str, Any]:
        """Return mass, centre and inertia of the solid."""
        return {
            "m": Derived(self, self._mass),
            "r_CM": Derived(self, centre_of_shape),
            "I": Derived(self, self._tensor),
        }

    def _mass(self, p: Self) -> Scalar:
        return self.solid(p)[0]

    def _tensor(self, p: Self) -> Symmetric:
        _, along, across, over = self.solid(p)
        e_x, e_y, e_z = shape_axes(p)
        return Symmetric(along, across, over).rotated(Matrix.from_columns(e_x, e_y, e_z))

    def width_fraction(self) -> float:
        """Return length / width of a body that is given only a length."""
        world = self.lineage()[-1].__dict__["_world"]
        if world is not None:
            return float(world.defaultWidthFraction)
        return float(World.specs["defaultWidthFraction"].default)  # type: ignore[union-attr]


class BodyBox(SolidBody):
    """A box, possibly hollow, of uniform density: mass and inertia follow from its size."""

    widthDirection: kinds.Axis = parameter("direction of the width", default=(0, 1, 0))
    width: kinds.OptionalLength = parameter(
        "width; by default length / defaultWidthFraction", default=None
    )
    height: kinds.OptionalLength = parameter("height; by default the width", default=None)
    innerWidth: kinds.LengthOrZero = parameter("width of the hole", default=0.0)
    innerHeight: kinds.OptionalLength = parameter(
        "height of the hole; by default innerWidth", default=None
    )

    def solid(self, p: Self) -> tuple[Scalar, Scalar, Scalar, Scalar]:
        """Return mass and inertias of a hollow box."""
        L = body_length(p)
        w = L / self.width_fraction() if p.width is None else p.width
        h = w if p.height is None else p.height
        wi = p.innerWidth
        hi = wi if p.innerHeight is None else p.innerHeight
        outer, hole = p.density * L * w * h, p.density * L * wi * hi
        return (
            outer - hole,
            (outer * (w * w + h * h) - hole * (wi * wi + hi * hi)) / 12,
            (outer * (L * L + h * h) - hole * (L * L + hi * hi)) / 12,
            (outer * (L * L + w * w) - hole * (L * L + wi * wi)) / 12,
        )


class BodyCylinder(SolidBody):
    """A cylinder, possibly hollow, of uniform density."""

    diameter: kinds.OptionalLength = parameter(
        "diameter; by default length / defaultWidthFraction", default=None
    )
    innerDiameter: kinds.LengthOrZero = parameter("diameter of the hole", default=0.0)

    def solid(self, p: Self) -> tuple[Scalar, Scalar, Scalar, Scalar]:
        """Return mass and inertias of a hollow cylinder."""
        L = body_length(p)
        d = L / self.width_fraction() if p.diameter is None else p.diameter
        a, b = d / 2, p.innerDiameter / 2
        outer, hole = p.density * pi * L * a * a, p.density * pi * L * b * b
        across = (outer * (L * L + 3 * a * a) - hole * (L * L + 3 * b * b)) / 12
        return outer - hole, (outer * a * a - hole * b * b) / 2, across, across


def _passed_on(part: Part, name: str) -> Derived:
    return Derived(part, attrgetter(name))


def body_length(p: Values) -> Scalar:
    """Return the length of a solid body."""
    return (p.r - p.r_shape).norm() if p.length is None else p.length


def centre_of_shape(p: Values) -> Vector:
    """Return the middle of a solid body."""
    return p.r_shape + (0.5 * body_length(p)) * direction(p)


def direction(p: Values) -> Vector:
    """Return the unit vector along the length of a solid body."""
    along = p.r - p.r_shape if p.lengthDirection is None else p.lengthDirection
    return along.normalized()


def shape_axes(p: Values) -> tuple[Vector, Vector, Vector]:
    """Return the unit vectors along length, width and height of a solid body."""
    e_x = direction(p)
    wanted = getattr(p, "widthDirection", AXES[1])
    e_z = e_x.cross(wanted)
    if not is_symbol(e_z.norm()) and float(e_z.norm()) < 1e-6:
        wanted = AXES[0] if abs(e_x.x) < 0.9 else AXES[1]
        e_z = e_x.cross(wanted)
    e_z = e_z.normalized()
    return e_x, e_z.cross(e_x), e_z
