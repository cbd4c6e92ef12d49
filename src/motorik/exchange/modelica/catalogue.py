"""Catalogue: the parts of Modelica's mechanics that exist here, one line each.

The names of modifiers that only say what a part looks like are listed once, at the top.
"""

from __future__ import annotations

from typing import Any

from motorik.components import rotational, translational
from motorik.components.bodies import Body, BodyBox, BodyCylinder, BodyShape, PointMass
from motorik.components.floating import FreeMotion, FreeMotionScalarInit, Spherical
from motorik.components.joints import Cylindrical, Planar, Prismatic, Revolute, Universal
from motorik.components.part import (
    frame,
    number_resolver,
    rotational_flange,
    translational_flange,
)
from motorik.components.rigid import Fixed, FixedRotation, FixedTranslation
from motorik.components.visual import Marker
from motorik.components.world import World
from motorik.exchange.modelica.arrays import Value
from motorik.exchange.modelica.gravity import normal_gravity_wgs84
from motorik.exchange.modelica.registry import (
    register,
    register_function,
    register_port,
    register_port_base,
)

# --- what parts look like ---------------------------------------------------------------------

LOOK = ("animation", "color", "specularCoefficient")
CYLINDER = ("cylinderLength", "cylinderDiameter", "cylinderColor")
BOX = ("boxWidthDirection", "boxWidth", "boxHeight", "boxColor")
SPHERE = ("animateSphere", "sphereDiameter", "sphereColor")
ARROW = ("arrowDiameter", "arrowColor")
SHAPE = ("shapeType", "r_shape", "lengthDirection", "widthDirection")
SHAPE += ("length", "width", "height", "extra")
AXES = ("axisLength", "axisDiameter", "axisShowLabels")
AXES += ("axisColor_x", "axisColor_y", "axisColor_z", "label1", "label2")
FIELD = ("gravityArrowTail", "gravityArrowLength", "gravityArrowDiameter", "gravityArrowColor")
FIELD += ("gravitySphereDiameter", "gravitySphereColor")
GROUND = ("groundAxis_u", "groundLength_u", "groundLength_v", "groundColor")
SCENE = ("enableAnimation", "animateWorld", "animateGravity", "animateGround")
SCALES = ("nominalLength", "defaultAxisLength", "defaultJointLength", "defaultJointWidth")
SCALES += ("defaultForceLength", "defaultForceWidth", "defaultBodyDiameter")
SCALES += ("defaultArrowDiameter", "defaultFrameDiameterFraction", "defaultSpecularCoefficient")
SCALES += ("defaultN_to_m", "defaultNm_to_m", "driveTrainMechanics3D")

# --- features that are not there --------------------------------------------------------------

FREE_START = ("z_0_fixed", "a_0")
RELATIVE_START = ("z_rel_a_fixed", "a_rel_a")
SCALAR_START = ("use_a", "use_angle_dd") + tuple(
    f"{name}_{i}" for name in ("a_rel_a", "angle_dd") for i in (1, 2, 3)
)
HEAT = ("useHeatPort",)

# --- defaults that other parts may refer to ---------------------------------------------------

WORLD_SCALES = {
    "nominalLength": "1",
    "axisLength": "nominalLength/2",
    "groundAxis_u": "{1,0,0}",
    "defaultAxisLength": "nominalLength/5",
    "defaultJointLength": "nominalLength/10",
    "defaultJointWidth": "nominalLength/20",
    "defaultForceLength": "nominalLength/10",
    "defaultForceWidth": "nominalLength/20",
    "defaultBodyDiameter": "nominalLength/9",
    "defaultArrowDiameter": "nominalLength/40",
    "defaultFrameDiameterFraction": "40",
    "defaultN_to_m": "1000",
    "defaultNm_to_m": "1000",
}
SOLID_SIZE = {
    "length": "Modelica.Math.Vectors.length(r-r_shape)",
    "lengthDirection": "r-r_shape",
}
BOX_SIZE = SOLID_SIZE | {
    "width": "length/world.defaultWidthFraction",
    "height": "width",
    "innerHeight": "innerWidth",
}
CYLINDER_SIZE = SOLID_SIZE | {"diameter": "length/world.defaultWidthFraction"}


def _mass(part: Any) -> Value:
    return float(part.body.resolved(number_resolver).m)


def _centre(part: Any) -> Value:
    return tuple(map(float, part.body.resolved(number_resolver).r_CM.xyz))


def _tensor(part: Any) -> Value:
    I = part.body.resolved(number_resolver).I
    return tuple(tuple(map(float, row)) for row in I.numpy())


SOLID = {"m": _mass, "r_CM": _centre, "I": _tensor}
ANY_INERTIA = {"physical": False}

# --- MultiBody --------------------------------------------------------------------------------

MULTIBODY = "Modelica.Mechanics.MultiBody"

register(f"{MULTIBODY}.World", World, AXES + FIELD + GROUND + SCENE + SCALES, defaults=WORLD_SCALES)

register(f"{MULTIBODY}.Joints.Revolute", Revolute, LOOK + CYLINDER, ("a",))
register(f"{MULTIBODY}.Joints.Prismatic", Prismatic, LOOK + BOX, ("a",))
register(f"{MULTIBODY}.Joints.Cylindrical", Cylindrical, LOOK + CYLINDER, ("a", "wd"))
register(f"{MULTIBODY}.Joints.Universal", Universal, LOOK + CYLINDER, ("a_a", "a_b"))
register(f"{MULTIBODY}.Joints.Planar", Planar, LOOK + CYLINDER + BOX, ("a_x", "a_y", "wd"))
register(
    f"{MULTIBODY}.Joints.Spherical", Spherical, (*LOOK, *SPHERE, "z_rel_a_start"), RELATIVE_START
)
register(
    f"{MULTIBODY}.Joints.FreeMotion", FreeMotion, (*LOOK, *ARROW, "z_rel_a_start"), RELATIVE_START
)
register(
    f"{MULTIBODY}.Joints.FreeMotionScalarInit", FreeMotionScalarInit, LOOK + ARROW, SCALAR_START
)

register(f"{MULTIBODY}.Parts.Fixed", Fixed, LOOK + SHAPE)
register(f"{MULTIBODY}.Parts.FixedTranslation", FixedTranslation, LOOK + SHAPE)
register(f"{MULTIBODY}.Parts.FixedRotation", FixedRotation, LOOK + SHAPE)
register(
    f"{MULTIBODY}.Parts.Body",
    Body,
    (*LOOK, *CYLINDER, *SPHERE, "z_0_start"),
    FREE_START,
    ANY_INERTIA,
)
register(f"{MULTIBODY}.Parts.PointMass", PointMass, (*LOOK, *SPHERE, "stateSelect"), ("a_0",))
register(
    f"{MULTIBODY}.Parts.BodyShape",
    BodyShape,
    (*LOOK, *SHAPE, *SPHERE, "z_0_start"),
    FREE_START,
    ANY_INERTIA,
)
register(
    f"{MULTIBODY}.Parts.BodyBox",
    BodyBox,
    (*LOOK, "z_0_start"),
    FREE_START,
    ANY_INERTIA,
    BOX_SIZE,
    SOLID,
)
register(
    f"{MULTIBODY}.Parts.BodyCylinder",
    BodyCylinder,
    (*LOOK, "z_0_start"),
    FREE_START,
    ANY_INERTIA,
    CYLINDER_SIZE,
    SOLID,
)
# short classes that an example defines for itself
POINT_MASSES = f"{MULTIBODY}.Examples.Elementary.PointGravityWithPointMasses2"
NO_INERTIA = {"I_11": 0.0, "I_22": 0.0, "I_33": 0.0} | ANY_INERTIA
register(f"{POINT_MASSES}.PointMass", PointMass, preset={"m": 1.0})
register(f"{POINT_MASSES}.SystemWithStandardBodies.PointMass", Body, preset={"m": 1.0} | NO_INERTIA)

VISUALIZERS = ("FixedFrame", "FixedArrow", "FixedShape", "Rectangle", "Torus")
VISUALIZERS += ("VoluminousWheel", "PipeWithScalarField")
for shape in VISUALIZERS:
    register(f"{MULTIBODY}.Visualizers.{shape}", Marker, None, preset={"shape": shape})

for letter in ("a", "b", "resolve"):
    register_port(f"{MULTIBODY}.Interfaces.Frame_{letter}", frame("a frame of the model"))

register_function(
    f"{MULTIBODY}.Examples.Elementary.Utilities.theoreticalNormalGravityWGS84",
    normal_gravity_wgs84,
)

# --- drive lines ------------------------------------------------------------------------------

ROTATIONAL = "Modelica.Mechanics.Rotational"
TRANSLATIONAL = "Modelica.Mechanics.Translational"
TURN = ("phi_rel", "w_rel", "a_rel", *HEAT)
SLIDE = ("s_rel", "v_rel", "a_rel", *HEAT)
SCALE = ("phi_nominal", "s_nominal", "stateSelect")

register(f"{ROTATIONAL}.Components.Spring", rotational.Spring, SCALE, TURN)
register(f"{ROTATIONAL}.Components.Damper", rotational.Damper, SCALE, TURN)
register(f"{ROTATIONAL}.Components.SpringDamper", rotational.SpringDamper, SCALE, TURN)
register(f"{ROTATIONAL}.Components.Fixed", rotational.Fixed)
register(
    f"{ROTATIONAL}.Sources.ConstantTorque", rotational.ConstantTorque, absent=("useSupport",)
)
register(f"{TRANSLATIONAL}.Components.Spring", translational.Spring, SCALE, SLIDE)
register(f"{TRANSLATIONAL}.Components.Damper", translational.Damper, SCALE, SLIDE)
register(f"{TRANSLATIONAL}.Components.SpringDamper", translational.SpringDamper, SCALE, SLIDE)
register(f"{TRANSLATIONAL}.Components.Fixed", translational.Fixed)
register(
    f"{TRANSLATIONAL}.Sources.ConstantForce", translational.ConstantForce, absent=("useSupport",)
)

for letter in ("a", "b"):
    register_port(
        f"{ROTATIONAL}.Interfaces.Flange_{letter}", rotational_flange("a flange of the model")
    )
    register_port(
        f"{TRANSLATIONAL}.Interfaces.Flange_{letter}",
        translational_flange("a flange of the model"),
    )
register_port_base(
    f"{ROTATIONAL}.Interfaces.PartialTwoFlanges",
    flange_a=rotational_flange("left flange"),
    flange_b=rotational_flange("right flange"),
)
register_port_base(
    f"{TRANSLATIONAL}.Interfaces.PartialTwoFlanges",
    flange_a=translational_flange("left flange"),
    flange_b=translational_flange("right flange"),
)
