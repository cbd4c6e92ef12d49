"""Bodies with given mass properties."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.dyad import Inertia, kinetic_energy
from motorik.algebra.matrix import Symmetric
from motorik.algebra.motor import Motor
from motorik.algebra.quaternion import Quaternion
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base import kinds
from motorik.components.base.contributions import (
    ALWAYS,
    STATE_PRIORITIES,
    Contribution,
    FreeStart,
    Mass,
)
from motorik.components.base.declarations import frame, parameter, start
from motorik.components.base.motion import Motion
from motorik.components.base.orientation import StartOrientation
from motorik.components.base.part import DeclaredPart, Part
from motorik.components.base.ports import Port
from motorik.components.base.resolving import Values
from motorik.components.base.start_accelerations import start_accelerations
from motorik.components.base.values import Start
from motorik.components.base.variable import Variable
from motorik.components.base.visual_options import BodyVisual, MassVisual
from motorik.elements.free import FreePair
from motorik.elements.free_by_cardan_angles import FreePairByCardanAngles
from motorik.elements.translational import TranslationalPair
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self


# --- mass properties ----------------------------------------------------------------------


def inertia_tensor(p: Values) -> Symmetric:
    """Return the inertia tensor of a body's parameters."""
    return (
        p.I
        if p.I is not None
        else Symmetric(p.I_11, p.I_22, p.I_33, p.I_21, p.I_31, p.I_32)
    )


def check_once(part: Part, p: Values) -> None:
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
        "`physical=False` accepts it.",
        parameter="I",
        value=(a, b, c),
    )


def principal(I: Symmetric) -> list[float]:
    """Return the principal values of a tensor of numbers, the smallest first."""
    *diagonal, xy, xz, yz = map(float, I.entries)
    if xy == xz == yz == 0.0:
        return sorted(diagonal)
    return np.linalg.eigvalsh(I.numpy()).tolist()


class FloatingStart(StartOrientation):
    """The start values and states of a body that may float freely."""

    r_0: kinds.StartPosition = start("position of frame_a in the world")
    v_0: kinds.StartVelocities = start("velocity of frame_a, resolved in the world")
    w_0_fixed: kinds.Boolean = parameter("whether w_0_start is fixed", default=False)
    w_0_start: kinds.PlainAngularVelocities = parameter(
        "start angular velocity in the world", default=(0, 0, 0)
    )
    a_0: kinds.StartAccelerations = start("acceleration of frame_a, resolved in the world")
    z_0_fixed: kinds.Boolean = parameter("whether z_0_start is fixed", default=False)
    z_0_start: kinds.PlainAngularAccelerations = parameter(
        "start angular acceleration in the world", default=(0, 0, 0)
    )
    enforceStates: kinds.Boolean = parameter(
        "whether the body's coordinates must be states", default=False
    )
    useQuaternions: kinds.Boolean = parameter(
        "whether the states are a quaternion (else angles)", default=True
    )


class MassProperties(DeclaredPart):
    """Mass, centre of mass and inertia tensor about it, resolved in frame_a."""

    m: kinds.Mass = parameter("mass", default=1.0)
    r_CM: kinds.Position = parameter(
        "from frame_a to the centre of mass", default=(0, 0, 0)
    )
    I_11: kinds.InertiaElement = parameter("inertia, 11", default=0.001)
    I_22: kinds.InertiaElement = parameter("inertia, 22", default=0.001)
    I_33: kinds.InertiaElement = parameter("inertia, 33", default=0.001)
    I_21: kinds.InertiaElement = parameter("inertia, 21", default=0.0)
    I_31: kinds.InertiaElement = parameter("inertia, 31", default=0.0)
    I_32: kinds.InertiaElement = parameter("inertia, 32", default=0.0)
    I: kinds.InertiaTensor = parameter("inertia as a matrix", default=None)

    def check(self, p: Values) -> None:
        """Refuse mass properties that no real body has."""
        check_once(self, p)
        if p.physical:
            check_inertia(self.label, p.m, inertia_tensor(p))


class Body(MassProperties, FloatingStart, BodyVisual):
    """A rigid body with mass m, centre of mass r_CM and inertia tensor about it.

    r_CM [m] and the inertia I [kg·m²] (I_11 … I_32, or `I` as a 3×3 matrix) are resolved in
    frame_a. A body that is not connected to the world floats freely, by default with
    quaternion states.
    `physical=False` admits inertias that no real body has, as published models sometimes use.
    """

    frame_a = frame("frame fixed in the body")

    physical: kinds.Boolean = parameter(
        "whether mass properties that no real body has are refused", default=True
    )

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the mass at frame_a."""
        inertia = Inertia.of_body(p.m, p.r_CM, inertia_tensor(p))
        yield Mass(
            self.frame_a,
            inertia,
            FreePair()
            if p.useQuaternions
            else FreePairByCardanAngles(p.sequence_angleStates),
            floating_start(self),
            priority=ALWAYS if p.enforceStates else 0,
        )
        port = self.frame_a
        yield from start_accelerations(
            self, "a_0", self.a_0, lambda motion: motion.acceleration_0(port)
        )
        yield from start_accelerations(
            self,
            "z_0_start",
            Start(p.z_0_start.xyz, p.z_0_fixed),
            lambda motion: motion.pose(port).R @ motion.acceleration(port).resultant,
        )

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return motion, gravity, energies and momenta of the body."""
        inertia = Inertia.of_body(p.m, p.r_CM, inertia_tensor(p))
        return mass_variables(self.frame_a, inertia, p.m, p.r_CM) | rotation_variables(
            self.frame_a
        )


class PointMass(DeclaredPart, MassVisual):
    """A mass m at the origin of frame_a, without extension.

    Afloat it has three coordinates and no orientation of its own; a torque on it moves nothing.
    """

    frame_a = frame("frame at the mass")

    m: kinds.PositiveMass = parameter("mass", default=1.0)
    stateSelect: kinds.StateSelect = parameter(
        "priority of position and velocity as states", default="avoid"
    )
    r_0: kinds.StartPosition = start("position in the world")
    v_0: kinds.StartVelocities = start("velocity, resolved in the world")
    a_0: kinds.StartAccelerations = start("acceleration, resolved in the world")

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute a point mass at frame_a, which floats without turning."""
        zero = Start((0.0, 0.0, 0.0))
        yield Mass(
            self.frame_a,
            Inertia.of_body(p.m),
            TranslationalPair(),
            FreeStart(self.r_0, self.v_0, zero),
            priority=STATE_PRIORITIES[p.stateSelect],
        )
        port = self.frame_a
        yield from start_accelerations(
            self, "a_0", self.a_0, lambda motion: motion.acceleration_0(port)
        )

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return motion, gravity, energies and momenta."""
        return mass_variables(self.frame_a, Inertia.of_body(p.m), p.m, Vector())


def floating_start(part: FloatingStart) -> FreeStart:
    """Return the start of a floating body."""
    return FreeStart(
        part.r_0,
        part.v_0,
        Start(part.w_0_start.xyz, part.w_0_fixed),
        part.angles_start.xyz,
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

    def centre(motion: Motion) -> Vector:
        return motion.pose(port)(r_CM)

    def momentum(motion: Motion) -> Motor:
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
