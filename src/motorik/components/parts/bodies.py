"""Bodies: what has mass, with the shapes from which mass and inertia follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import pi
from operator import attrgetter
from typing import Any

import numpy as np

from motorik.algebra.dyad import Inertia, kinetic_energy
from motorik.algebra.matrix import Matrix, Symmetric
from motorik.algebra.quaternion import Quaternion
from motorik.algebra.scalar import Scalar, is_symbol
from motorik.algebra.vector import AXES, Vector
from motorik.components.base.composite import Composite
from motorik.components.base.contributions import Contribution, FreeStart, Mass
from motorik.components.base.part import Part, Variable, frame, parameter, start
from motorik.components.base.ports import Port, connect
from motorik.components.base.values import (
    Derived,
    Start,
    as_axis,
    as_boolean,
    as_number,
    as_sequence,
    as_tensor,
    as_vector,
    never_live,
)
from motorik.components.parts.rigid import FixedTranslation
from motorik.components.parts.world import World
from motorik.elements.free import Free
from motorik.elements.free_cardan import FreeCardan
from motorik.elements.translation import Translation
from motorik.errors import ParameterError

mass = as_number(above=0.0)
length = as_number(minimum=0.0)


class FloatingStart(Part):
    """The start values and states of a body that may float freely."""

    r_0 = start("position of frame_a in the world", "m", 3)
    v_0 = start("velocity of frame_a, resolved in the world", "m/s", 3)
    angles_fixed = parameter("whether angles_start must be kept", "", False, as_boolean)
    angles_start = parameter(
        "start angles about sequence_start", "rad", (0, 0, 0), never_live(as_vector)
    )
    sequence_start = parameter("axes of angles_start", "", (1, 2, 3), as_sequence)
    w_0_fixed = parameter("whether w_0_start must be kept", "", False, as_boolean)
    w_0_start = parameter(
        "start angular velocity in the world", "rad/s", (0, 0, 0), never_live(as_vector)
    )
    enforceStates = parameter("priority of the body's own states", "", False, as_boolean)
    useQuaternions = parameter("quaternion (or angle) states", "", True, as_boolean)
    sequence_angleStates = parameter("axes of angle states", "", (1, 2, 3), as_sequence)


SHARED = (*FloatingStart.specs, "physical")  # what a body with a shape tells the one within


class Body(FloatingStart):
    """A rigid body with mass m, centre of mass r_CM and inertia tensor about it.

    r_CM [m] and the inertia I [kg·m²] (I_11 … I_32, or `I` as a 3×3 matrix) are resolved in
    frame_a. A body that nothing leads to floats freely, by default with quaternion states.
    `physical=False` admits inertias that no real body has, as published models sometimes use.
    """

    frame_a = frame("frame fixed in the body")

    m = parameter("mass", "kg", 1.0, as_number(minimum=0.0))
    r_CM = parameter("from frame_a to the centre of mass", "m", (0, 0, 0), as_vector)
    I_11 = parameter("inertia, 11", "kg.m2", 0.001, as_number())
    I_22 = parameter("inertia, 22", "kg.m2", 0.001, as_number())
    I_33 = parameter("inertia, 33", "kg.m2", 0.001, as_number())
    I_21 = parameter("inertia, 21", "kg.m2", 0.0, as_number())
    I_31 = parameter("inertia, 31", "kg.m2", 0.0, as_number())
    I_32 = parameter("inertia, 32", "kg.m2", 0.0, as_number())
    I = parameter("inertia as a matrix", "kg.m2", None, as_tensor)
    physical = parameter("refuse what no real body can have", "", True, as_boolean)

    def check(self, p: Any) -> None:
        """Refuse mass properties that no real body has."""
        check_once(self, p)
        if p.physical:
            check_inertia(self.label, p.m, inertia_tensor(p))

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute the mass at frame_a."""
        inertia = Inertia.of_body(p.m, p.r_CM, inertia_tensor(p))
        yield Mass(
            self.frame_a,
            inertia,
            Free() if p.useQuaternions else FreeCardan(p.sequence_angleStates),
            floating_start(self),
            priority=1 if p.enforceStates else 0,
        )

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Return motion, gravity, energies and momenta of the body."""
        inertia = Inertia.of_body(p.m, p.r_CM, inertia_tensor(p))
        return mass_variables(self.frame_a, inertia, p.m, p.r_CM) | rotation_variables(
            self.frame_a
        )


class PointMass(Part):
    """A mass m at the origin of frame_a, without extension."""

    frame_a = frame("frame at the mass")

    m = parameter("mass", "kg", 1.0, mass)
    r_0 = start("position in the world", "m", 3)
    v_0 = start("velocity, resolved in the world", "m/s", 3)

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute a point mass at frame_a, which floats without turning."""
        zero = Start((0.0, 0.0, 0.0))
        yield Mass(
            self.frame_a,
            Inertia.of_body(p.m),
            Translation(),
            FreeStart(self.r_0, self.v_0, zero),
            priority=-1,
        )

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Return motion, gravity, energies and momenta."""
        return mass_variables(self.frame_a, Inertia.of_body(p.m), p.m, Vector())


class ShapedBody(Composite, FloatingStart):
    """A body with two frames: `body` carries the mass, `frameTranslation` leads to frame_b."""

    is_open = False
    frame_a = frame("frame fixed in the body")
    frame_b = frame("frame at r from frame_a")

    r = parameter("from frame_a to frame_b", "m", (0, 0, 0), as_vector)
    physical = parameter("refuse what no real body can have", "", True, as_boolean)

    def build(self) -> None:
        """Make it of a body and a translation."""
        self.body = Body(physical=self.physical, **self.mass_properties())
        self.share(self.body, **{name: name for name in SHARED})
        self.frameTranslation = FixedTranslation(r=Derived(self, attrgetter("r")))
        connect(self.frame_a, self.body.frame_a, self.frameTranslation.frame_a)
        connect(self.frame_b, self.frameTranslation.frame_b)

    def mass_properties(self) -> dict[str, Any]:
        """Return m, r_CM and inertia for the body within."""
        raise NotImplementedError

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Return the motion of frame_a."""
        shown = motion_variables(self.frame_a)
        return {name: shown[name] for name in ("r_0", "v_0", "a_0")}


class BodyShape(ShapedBody):
    """A rigid body with mass properties as in `Body` and a second frame at r."""

    m = parameter("mass", "kg", 1.0, as_number(minimum=0.0))
    r_CM = parameter("from frame_a to the centre of mass", "m", (0, 0, 0), as_vector)
    I_11 = parameter("inertia, 11", "kg.m2", 0.001, as_number())
    I_22 = parameter("inertia, 22", "kg.m2", 0.001, as_number())
    I_33 = parameter("inertia, 33", "kg.m2", 0.001, as_number())
    I_21 = parameter("inertia, 21", "kg.m2", 0.0, as_number())
    I_31 = parameter("inertia, 31", "kg.m2", 0.0, as_number())
    I_32 = parameter("inertia, 32", "kg.m2", 0.0, as_number())
    I = parameter("inertia as a matrix", "kg.m2", None, as_tensor)

    def check(self, p: Any) -> None:
        """Refuse mass properties that no real body has."""
        check_once(self, p)
        if p.physical:
            check_inertia(self.label, p.m, inertia_tensor(p))

    def mass_properties(self) -> dict[str, Any]:
        """Return the mass properties as given."""
        names = ("m", "r_CM", "I_11", "I_22", "I_33", "I_21", "I_31", "I_32", "I")
        return {name: _passed_on(self, name) for name in names}


class SolidBody(ShapedBody):
    """A body of uniform density along `lengthDirection`, from r_shape on."""

    r = parameter("from frame_a to frame_b", "m", (0.1, 0, 0), as_vector)
    r_shape = parameter("from frame_a to where the shape begins", "m", (0, 0, 0), as_vector)
    lengthDirection = parameter(
        "direction of the length; that of r − r_shape",
        "1",
        None,
        lambda *a: a[-1] if a[-1] is None else as_axis(*a),
    )
    length = parameter(
        "length; |r − r_shape|",
        "m",
        None,
        lambda *a: a[-1] if a[-1] is None else length(*a),
    )
    density = parameter("density", "kg/m3", 7700.0, as_number(above=0.0))

    def check(self, p: Any) -> None:
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

    def solid(self, p: Any) -> tuple[Scalar, Scalar, Scalar, Scalar]:
        """Return mass [kg] and inertias [kg·m²] along length, width and height."""
        raise NotImplementedError

    def mass_properties(self) -> dict[str, Any]:
        """Return mass, centre and inertia of the solid."""
        return {
            "m": Derived(self, self._mass),
            "r_CM": Derived(self, centre_of_shape),
            "I": Derived(self, self._tensor),
        }

    def _mass(self, p: Any) -> Scalar:
        return self.solid(p)[0]

    def _tensor(self, p: Any) -> Symmetric:
        _, along, across, over = self.solid(p)
        e_x, e_y, e_z = shape_axes(p)
        return Symmetric(along, across, over).rotated(Matrix.from_columns(e_x, e_y, e_z))

    def width_fraction(self) -> float:
        """Return how many times longer than wide a body is that is given only a length."""
        world = self.lineage()[-1].__dict__["_world"]
        if world is not None:
            return float(world.defaultWidthFraction)
        return float(World.specs["defaultWidthFraction"].default)  # type: ignore[union-attr]


def _optional_length(part: str, name: str, unit: str, value: Any) -> Any:
    return value if value is None else length(part, name, unit, value)


class BodyBox(SolidBody):
    """A box, possibly hollow, of uniform density: mass and inertia follow from its size."""

    widthDirection = parameter("direction of the width", "1", (0, 1, 0), as_axis)
    width = parameter("width; a fraction of the length", "m", None, _optional_length)
    height = parameter("height; as the width", "m", None, _optional_length)
    innerWidth = parameter("width of the hole", "m", 0.0, length)
    innerHeight = parameter(
        "height of the hole; as innerWidth", "m", None, _optional_length
    )

    def solid(self, p: Any) -> tuple[Scalar, Scalar, Scalar, Scalar]:
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

    diameter = parameter("diameter; a fraction of the length", "m", None, _optional_length)
    innerDiameter = parameter("diameter of the hole", "m", 0.0, length)

    def solid(self, p: Any) -> tuple[Scalar, Scalar, Scalar, Scalar]:
        """Return mass and inertias of a hollow cylinder."""
        L = body_length(p)
        d = L / self.width_fraction() if p.diameter is None else p.diameter
        a, b = d / 2, p.innerDiameter / 2
        outer, hole = p.density * pi * L * a * a, p.density * pi * L * b * b
        across = (outer * (L * L + 3 * a * a) - hole * (L * L + 3 * b * b)) / 12
        return outer - hole, (outer * a * a - hole * b * b) / 2, across, across


def _passed_on(part: Part, name: str) -> Any:
    return Derived(part, attrgetter(name))


def body_length(p: Any) -> Scalar:
    """Return the length of a solid body."""
    return (p.r - p.r_shape).norm() if p.length is None else p.length


def centre_of_shape(p: Any) -> Vector:
    """Return the middle of a solid body."""
    return p.r_shape + (0.5 * body_length(p)) * direction(p)


def direction(p: Any) -> Vector:
    """Return the unit vector along the length of a solid body."""
    along = p.r - p.r_shape if p.lengthDirection is None else p.lengthDirection
    return along.normalized()


def shape_axes(p: Any) -> tuple[Vector, Vector, Vector]:
    """Return the unit vectors along length, width and height of a solid body."""
    e_x = direction(p)
    wanted = getattr(p, "widthDirection", AXES[1])
    e_z = e_x.cross(wanted)
    if not is_symbol(e_z.norm()) and float(e_z.norm()) < 1e-6:
        wanted = AXES[0] if abs(e_x.x) < 0.9 else AXES[1]
        e_z = e_x.cross(wanted)
    e_z = e_z.normalized()
    return e_x, e_z.cross(e_x), e_z


def inertia_tensor(p: Any) -> Symmetric:
    """Return the inertia tensor of a body's parameters."""
    return (
        p.I
        if p.I is not None
        else Symmetric(p.I_11, p.I_22, p.I_33, p.I_21, p.I_31, p.I_32)
    )


def check_once(part: Part, p: Any) -> None:
    """Refuse an inertia that is given twice, as a matrix and by its elements."""
    if p.I is None:
        return
    elements = [name for name in part.specs if name.startswith("I_")]
    both = [n for n in elements if getattr(p, n) != part.specs[n].default]  # type: ignore[union-attr]
    if both:
        raise ParameterError(
            part.label,
            f"its inertia is given twice, as the matrix I and as {', '.join(both)}.",
            "Give one of the two.",
            parameter="I",
            value=p.I,
        )


def check_inertia(part: str, m: float, I: Symmetric) -> None:
    """Refuse a mass or an inertia tensor [kg·m²] that no real body has."""
    if not m > 0.0:
        raise ParameterError(
            part,
            f"m = {m:g} kg is not positive.",
            "A body needs a mass; use a frame without one.",
            parameter="m",
            value=m,
        )
    a, b, c = principal(I)
    if a > 0.0 and a + b >= c * (1 - 1e-9):
        return
    shown = f"principal inertias {a:g}, {b:g}, {c:g} kg.m2"
    if a <= 0.0:
        raise ParameterError(
            part,
            f"{shown}: an inertia is not positive.",
            "Give a positive definite tensor about the centre of mass, or use PointMass.",
            parameter="I",
            value=(a, b, c),
        )
    raise ParameterError(
        part,
        f"{shown}: the largest exceeds the sum of the others, which no real body has.",
        "Check the tensor: it is about the centre of mass, in kg.m2. "
        "`physical=False` admits it all the same.",
        parameter="I",
        value=(a, b, c),
    )


def principal(I: Symmetric) -> list[float]:
    """Return the principal values of a tensor of numbers, the smallest first."""
    *diagonal, xy, xz, yz = map(float, I.entries)
    if xy == xz == yz == 0.0:
        return sorted(diagonal)
    return np.linalg.eigvalsh(I.numpy()).tolist()


def floating_start(part: Any) -> FreeStart:
    """Return where a floating body starts."""
    return FreeStart(
        part.r_0,
        part.v_0,
        Start(tuple(part.w_0_start.xyz), part.w_0_fixed),
        tuple(part.angles_start.xyz),
        part.sequence_start,
        part.angles_fixed,
        part.angles_fixed or any(part.angles_start.xyz),
    )


def motion_variables(port: Port) -> dict[str, Variable]:
    """Return position, velocity and acceleration of a frame, resolved in the world."""
    return {
        "r_0": Variable(lambda motion: motion.pose(port).p, "m", "position"),
        "v_0": Variable(lambda motion: motion.velocity_0(port), "m/s", "velocity"),
        "a_0": Variable(lambda motion: motion.acceleration_0(port), "m/s2", "acceleration"),
    }


def rotation_variables(port: Port) -> dict[str, Variable]:
    """Return orientation, angular velocity and acceleration of a frame, resolved in it."""
    return {
        "w_a": Variable(
            lambda motion: motion.velocity(port).resultant, "rad/s", "angular velocity"
        ),
        "z_a": Variable(
            lambda motion: motion.acceleration(port).resultant,
            "rad/s2",
            "angular acceleration",
        ),
        "Q": Variable(
            lambda motion: (
                motion.coordinates(port.owner, "Q")
                or Quaternion.from_rotation(motion.pose(port).R).xyzw
            ),
            "1",
            "orientation",
        ),
    }


def mass_variables(
    port: Port, inertia: Inertia, m: Scalar, r_CM: Vector
) -> dict[str, Variable]:
    """Return motion, gravity, energies and momenta of a mass on a frame."""

    def centre(motion: Any) -> Vector:
        return motion.pose(port)(r_CM)

    def momentum(motion: Any) -> Any:
        return motion.pose(port)(inertia(motion.velocity(port)))

    return motion_variables(port) | {
        "g_0": Variable(lambda motion: motion.gravity(centre(motion)), "m/s2", "gravity"),
        "r_CM_0": Variable(centre, "m", "centre of mass in the world"),
        "kinetic_energy": Variable(
            lambda motion: kinetic_energy(inertia, motion.velocity(port)),
            "J",
            "kinetic energy",
        ),
        "potential_energy": Variable(
            lambda motion: m * motion.gravity_potential(centre(motion)),
            "J",
            "energy in the gravity field",
        ),
        "momentum": Variable(
            lambda motion: momentum(motion).resultant, "kg.m/s", "momentum in the world"
        ),
        "angular_momentum": Variable(
            lambda motion: momentum(motion).moment,
            "kg.m2/s",
            "angular momentum about the origin of the world",
        ),
    }
