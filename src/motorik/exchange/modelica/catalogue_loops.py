"""Catalogue of Modelica's loop joints, forces, sensors and wheels that exist here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from motorik import assemblies, forces, sensors
from motorik.algebra.vector import Vector
from motorik.components.base.part import Part, number_resolver
from motorik.components.joints.constraints import (
    PrismaticConstraint,
    RevoluteConstraint,
    RevolutePlanarLoopConstraint,
    SphericalConstraint,
    UniversalConstraint,
)
from motorik.components.joints.gear_constraint import GearConstraint
from motorik.components.joints.rods import SphericalSpherical, UniversalSpherical, across
from motorik.components.joints.rolling import (
    RollingWheel,
    RollingWheelJoint,
    RollingWheelSet,
    RollingWheelSetJoint,
)
from motorik.components.parts.flange_with_bearing import (
    FlangeWithBearing,
    FlangeWithBearingAdaptor,
)
from motorik.components.parts.mounting import BevelGear1D, Mounting1D
from motorik.components.parts.rotor import Rotor1D
from motorik.exchange.modelica import visuals
from motorik.exchange.modelica.arrays import Value
from motorik.exchange.modelica.registry import register
from motorik.units import deg

LIBRARY = "Modelica.Mechanics.MultiBody"
JOINTS, PARTS = f"{LIBRARY}.Joints", f"{LIBRARY}.Parts"
FIXED_ROTATION = {"fixedRotationAtFrame_a", "fixedRotationAtFrame_b"}
"""Frames that carry forces alone are parallel to the world anyhow."""

# --- modifiers without physical meaning -------------------------------------------------------

CHECKS = {"checkTotalPower"}
RODS = visuals.CYLINDER | visuals.SPHERE | visuals.BOX | CHECKS
RODS |= set(
    """
    showMass showUniversalAxes rodShapeType rodWidth rodHeight rodExtra rodColor rodDiameter
    rod1Diameter rod1Color rod2Diameter rod2Color axisDiameter axisColor
    revoluteDiameter revoluteLength revoluteColor massDiameter massColor
    """.split()
)
LINES = visuals.CYLINDER | set(
    """
    showMass animate animateLine animateMass animateMasses width coilWidth numberOfWindings
    massDiameter massColor massDiameterFaction lineShapeType lineShapeWidth lineShapeHeight
    lineShapeExtra lineShapeColor length_a diameter_a diameter_b length_b color_a color_b
    cylinderDiameter_a cylinderLength_a cylinderLength_b diameterFraction
    lineForce
    """.split()
)
ARROWS = visuals.ARROW | set(
    """
    connectionLineDiameter connectionLineColor forceColor torqueColor diameter
    N_to_m Nm_to_m forceDiameter torqueDiameter
    """.split()
)
WHEELS = visuals.ANY | {"width", "hollowFraction", "width_wheel"}
SOLVING = {"constraintResidue"}
CONSTRAINT = {"kinematicConstraint"}  # without it another equation takes its place

# --- values that other parts refer to ---------------------------------------------------------


def _numbers(vector: Vector) -> Value:
    return tuple(map(float, vector.xyz))


def _along_rod1(part: Part) -> Value:
    return _numbers(part.resolved(number_resolver).rRod1_ia.normalized())


def _across_rod1(part: Part) -> Value:
    p = part.resolved(number_resolver)
    return _numbers(across(p.n1_a, p.rRod1_ia))


def _length_of_rod1(part: Part) -> Value:
    return float(part.resolved(number_resolver).rRod1_ia.norm())


def _along_strut(part: Part) -> Value:
    return _numbers(part.resolved(number_resolver).nAxis_ia)


def _across_strut(part: Part) -> Value:
    p = part.resolved(number_resolver)
    return _numbers(across(p.n1_a, p.nAxis_ia))


STRUT = {"eAxis_ia": _along_strut, "e2_ia": _across_strut}
ROD1 = {"eRod1_ia": _along_rod1, "e2_ia": _across_rod1, "rod1Length": _length_of_rod1}

# --- rods, assemblies, constraints ------------------------------------------------------------

GUESSED = {"rRod_0", "rRod_a"}
for rod in (SphericalSpherical, UniversalSpherical):
    name = f"{JOINTS}.{rod.__name__}"
    register(name, rod, RODS | GUESSED, SOLVING, always=CONSTRAINT)

ASSEMBLIES = f"{JOINTS}.Assemblies"
DRIVEN = {"useAxisFlange": True}  # Modelica's assemblies always have their flanges
DEGREES = {"phi_offset": deg, "phi_guess": deg}  # in degrees there, in radians here
for name, derived in {
    "JointSSR": {},
    "JointSSP": {},
    "JointUSR": ROD1,
    "JointUSP": ROD1,
    "JointUPS": STRUT,
    "JointRRR": {},
    "JointRRP": {},
}.items():
    kind = getattr(assemblies, name)
    units = {key: unit for key, unit in DEGREES.items() if key in kind.specs}
    register(
        f"{ASSEMBLIES}.{name}", kind, RODS, preset=DRIVEN, derived=derived, units=units
    )

CONSTRAINTS = f"{JOINTS}.Constraints"
register(f"{CONSTRAINTS}.Prismatic", PrismaticConstraint, RODS)
register(f"{CONSTRAINTS}.Revolute", RevoluteConstraint, RODS)
register(f"{CONSTRAINTS}.Spherical", SphericalConstraint, RODS)
register(f"{CONSTRAINTS}.Universal", UniversalConstraint, RODS)
register(
    f"{JOINTS}.RevolutePlanarLoopConstraint", RevolutePlanarLoopConstraint, visuals.CYLINDER
)
register(f"{JOINTS}.GearConstraint", GearConstraint, CHECKS)
register(f"{PARTS}.BevelGear1D", BevelGear1D)
register(f"{PARTS}.Mounting1D", Mounting1D)
register(f"{LIBRARY}.Interfaces.FlangeWithBearing", FlangeWithBearing)
register(f"{LIBRARY}.Interfaces.FlangeWithBearingAdaptor", FlangeWithBearingAdaptor)
register(f"{PARTS}.Rotor1D", Rotor1D, visuals.CYLINDER | {"r_center"})

# --- wheels -----------------------------------------------------------------------------------

ANGLES = {"sequence": (3, 2, 1)}  # the order in which Modelica's wheels turn
register(f"{JOINTS}.RollingWheel", RollingWheelJoint, preset=ANGLES)
register(f"{PARTS}.RollingWheel", RollingWheel, WHEELS, preset=ANGLES)
register(f"{JOINTS}.RollingWheelSet", RollingWheelSetJoint, visuals.ANY)
register(
    f"{PARTS}.RollingWheelSet",
    RollingWheelSet,
    WHEELS,
    defaults={"width_wheel": "0.01", "hollowFraction": "0.8"},
)

# --- forces and sensors -----------------------------------------------------------------------


ABSENT = {"useHeatPort"}
OURS = {"PointPlaneContact"}  # not in Modelica


def register_all(package: str, module: Any, ignore: Iterable[str], **renamed: str) -> None:
    """Register the parts of a module under their own names, but for the renamed ones."""
    for name in (name for name in module.__all__ if name not in OURS):
        kind: type[Part] = getattr(module, name)
        full = f"{LIBRARY}.{package}.{renamed.get(name, name)}"
        register(full, kind, ignore, ABSENT - set(kind.specs))


register_all("Forces", forces, LINES | ARROWS | FIXED_ROTATION)
register_all("Sensors", sensors, ARROWS, DistanceSensor="Distance", PowerSensor="Power")
