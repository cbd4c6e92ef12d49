"""Looks: modifiers of Modelica's parts that concern drawing only; they are ignored."""

from __future__ import annotations


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


ANY = _names("animation color specularCoefficient")
CYLINDER = ANY | _names("cylinderLength cylinderDiameter cylinderColor")
BOX = ANY | _names("boxWidthDirection boxWidth boxHeight boxColor")
SPHERE = ANY | _names("animateSphere sphereDiameter sphereColor")
ARROW = ANY | _names("arrowDiameter arrowColor")
SHAPE = ANY | _names(
    "shapeType r_shape lengthDirection widthDirection length width height extra"
)
WORLD = _names(
    """
    enableAnimation animateWorld animateGravity animateGround label1 label2
    axisLength axisDiameter axisShowLabels axisColor_x axisColor_y axisColor_z
    gravityArrowTail gravityArrowLength gravityArrowDiameter gravityArrowColor
    gravitySphereDiameter gravitySphereColor
    groundAxis_u groundLength_u groundLength_v groundColor
    nominalLength defaultAxisLength defaultJointLength defaultJointWidth
    defaultForceLength defaultForceWidth defaultBodyDiameter defaultArrowDiameter
    defaultFrameDiameterFraction defaultSpecularCoefficient defaultN_to_m defaultNm_to_m
    driveTrainMechanics3D
    """
)

# sizes that only matter to drawing, but that other parts may refer to
WORLD_SIZES = {
    "nominalLength": "1",
    "axisLength": "nominalLength/2",
    "groundAxis_u": "if abs(n[1]) >= 0.99 then {0,1,0} else {1,0,0}",
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
