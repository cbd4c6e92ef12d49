"""Catalogue: the parts of Modelica's mechanics that exist here, one line each."""

from __future__ import annotations

from functools import partial
from math import tau
from typing import Any, get_args

import numpy as np

from motorik import visualizers
from motorik.components.base.choices import ColorMapName
from motorik.components.base.part import frame, number_resolver
from motorik.components.joints.compound import Cylindrical, Planar, Universal
from motorik.components.joints.floating import FreeMotion, Spherical
from motorik.components.joints.floating_scalars import FreeMotionScalarInit
from motorik.components.joints.simple import Prismatic, Revolute
from motorik.components.parts.bodies import Body, PointMass
from motorik.components.parts.rigid import Fixed, FixedRotation, FixedTranslation
from motorik.components.parts.solids import BodyBox, BodyCylinder, BodyShape, ShapedBody
from motorik.components.parts.world import World
from motorik.exchange.modelica import visuals
from motorik.exchange.modelica.arrays import Value
from motorik.exchange.modelica.gravity import normal_gravity_wgs84
from motorik.exchange.modelica.registry import (
    register,
    register_equations,
    register_function,
    register_port,
)
from motorik.units import deg

# --- sizes and masses of solid bodies ---------------------------------------------------------

SOLID_SIZES = {
    "length": "Modelica.Math.Vectors.length(r-r_shape)",
    "lengthDirection": "r-r_shape",
    "innerHeight": "innerWidth",
    "width": "length/world.defaultWidthFraction",
    "height": "width",
    "diameter": "length/world.defaultWidthFraction",
}


def _mass(part: ShapedBody) -> Value:
    return float(part.body.resolved(number_resolver).m)


def _centre(part: ShapedBody) -> Value:
    return tuple(map(float, part.body.resolved(number_resolver).r_CM.xyz))


def _tensor(part: ShapedBody) -> Value:
    inertia = part.body.resolved(number_resolver).I
    return tuple(tuple(map(float, row)) for row in inertia.numpy())


SOLID = {
    "defaults": SOLID_SIZES,
    "derived": {"m": _mass, "r_CM": _centre, "I": _tensor},
}
ANY_INERTIA = {"physical": False}  # published models use inertias that no real body has
NO_INERTIA = {"m": 1.0, "I_11": 0.0, "I_22": 0.0, "I_33": 0.0} | ANY_INERTIA


def turned_by(degrees: Any) -> Any:
    """Return fixed angles of Modelica, in degrees, in radians and without full turns."""
    angles = deg(degrees)
    return angles if np.max(np.abs(angles)) <= tau else deg(np.fmod(degrees, 360.0))


# --- MultiBody --------------------------------------------------------------------------------

LIBRARY = "Modelica.Mechanics.MultiBody"
JOINTS, PARTS = f"{LIBRARY}.Joints", f"{LIBRARY}.Parts"
EXAMPLES = f"{LIBRARY}.Examples.Elementary"

register(
    f"{LIBRARY}.World",
    World,
    visuals.WORLD,
    defaults=visuals.WORLD_SIZES,
)

CUT = {"planarCutJoint": f"{JOINTS}.RevolutePlanarLoopConstraint"}  # before Modelica 3
register(f"{JOINTS}.Revolute", Revolute, visuals.CYLINDER, instead=CUT)
register(f"{JOINTS}.Prismatic", Prismatic, visuals.BOX)
DRIVEN = {
    "useAxisFlange": True
}  # joints with a flange had names of their own before Modelica 3
register(f"{JOINTS}.ActuatedRevolute", Revolute, visuals.CYLINDER, preset=DRIVEN)
register(f"{JOINTS}.ActuatedPrismatic", Prismatic, visuals.BOX, preset=DRIVEN)
register(f"{JOINTS}.Cylindrical", Cylindrical, visuals.CYLINDER)
register(f"{JOINTS}.Universal", Universal, visuals.CYLINDER)
register(f"{JOINTS}.Planar", Planar, visuals.CYLINDER | visuals.BOX)
register(f"{JOINTS}.Spherical", Spherical, visuals.SPHERE)
register(f"{JOINTS}.FreeMotion", FreeMotion, visuals.ARROW)
register(
    f"{JOINTS}.FreeMotionScalarInit",
    FreeMotionScalarInit,
    visuals.ARROW,
    aliases={f"derdd[{i}].u": f"angle_d_{i}" for i in (1, 2, 3)},
)

BODY = visuals.CYLINDER | visuals.SPHERE
SHAPED = visuals.SHAPE | visuals.SPHERE
register(f"{PARTS}.Fixed", Fixed, visuals.SHAPE)
register(f"{PARTS}.FixedTranslation", FixedTranslation, visuals.SHAPE)
register(
    f"{PARTS}.FixedRotation",
    FixedRotation,
    visuals.SHAPE,
    units={"angle": turned_by, "angles": turned_by},
)
register(f"{PARTS}.PointMass", PointMass, visuals.SPHERE)
register(f"{PARTS}.Body", Body, BODY, preset=ANY_INERTIA)
register(f"{PARTS}.BodyShape", BodyShape, SHAPED, preset=ANY_INERTIA)
register(f"{PARTS}.BodyBox", BodyBox, SHAPED, preset=ANY_INERTIA, **SOLID)
register(f"{PARTS}.BodyCylinder", BodyCylinder, SHAPED, preset=ANY_INERTIA, **SOLID)

VISUALIZERS = f"{LIBRARY}.Visualizers"
for kind in (
    *(visualizers.FixedShape, visualizers.FixedShape2, visualizers.FixedFrame),
    *(visualizers.FixedArrow, visualizers.SignalArrow, visualizers.Ground),
    *(visualizers.Torus, visualizers.VoluminousWheel, visualizers.Rectangle),
):
    register(f"{VISUALIZERS}.{kind.__name__}", kind, visuals.SURFACE)
register(
    f"{VISUALIZERS}.PipeWithScalarField",
    visualizers.PipeWithScalarField,
    visuals.SURFACE,
    lists={"T": "T"},
)
register(
    f"{VISUALIZERS}.Advanced.Shape", visualizers.FixedShape, visuals.SURFACE, placed=True
)
register(
    f"{VISUALIZERS}.Advanced.PipeWithScalarField",
    visualizers.PipeWithScalarField,
    visuals.SURFACE,
    lists={"T": "T"},
    placed=True,
)
TWO_HEADS = {"quantity": "Torque", "headAtOrigin": True}
for name, vector in (
    ("Arrow", "r_head"),
    ("DoubleArrow", "r_head"),
    ("Vector", "coordinates"),
):
    register(
        f"{VISUALIZERS}.Advanced.{name}",
        visualizers.FixedArrow,
        visuals.SURFACE | {"twoHeadedArrow"},
        preset=TWO_HEADS if name == "DoubleArrow" else None,
        placed=True,
        vector=vector,
    )
register(
    f"{VISUALIZERS}.Advanced.Surface",
    visualizers.Surface,
    visuals.SURFACE,
    placed=True,
)
for name, shape in (
    ("torus", visualizers.torus),
    ("rectangle", visualizers.rectangle),
    ("pipeWithScalarField", visualizers.pipe),
):
    register_function(f"{VISUALIZERS}.Advanced.SurfaceCharacteristics.{name}", shape)
for name in get_args(ColorMapName):
    register_function(f"{VISUALIZERS}.Colors.ColorMaps.{name}", partial(str, name))

for letter in ("a", "b", "resolve"):
    register_port(f"{LIBRARY}.Interfaces.Frame_{letter}", frame("a frame of the model"))

# classes, functions and equations that examples define for themselves
MASSES = f"{EXAMPLES}.PointGravityWithPointMasses2"
register(f"{MASSES}.PointMass", PointMass, preset={"m": 1.0})
register(f"{MASSES}.SystemWithStandardBodies.PointMass", Body, preset=NO_INERTIA)
register_function(
    f"{EXAMPLES}.Utilities.theoreticalNormalGravityWGS84", normal_gravity_wgs84
)
register_equations(
    "ModelicaTest.MultiBody.Joints.RevolutePlanarLoopConstraint",
    k="if time < 1 then tor else 0",
)
