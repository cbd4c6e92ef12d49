"""Options of drawing by what is drawn: those of Modelica's library and a few more.

A class of parts takes the options of the classes below that it derives from::

    class Revolute(LoadedJoint, CylinderLook): …

so ``Revolute(cylinderColor="red")`` is understood, by editors as well. What is not chosen follows
from the model. Every option that is listed changes what is drawn. The names are kept by the class
that lists them and are no attributes of it: what a part chooses is kept by `look`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from motorik.components.base.kind import AnyKind, annotated_kind
from motorik.components.base.look_kinds import (
    AllOptions,
    AnyNumber,
    Color,
    Direction,
    FileName,
    LongShape,
    Positive,
    ShapeName,
    Share,
    Size,
    Switch,
)
from motorik.components.base.transform import dataclass_transform

AUTO: Any = object()  # the value of what is not chosen, for editors


@dataclass_transform(kw_only_default=True)
class LookOptions:
    """Options of drawing, by name."""

    own_options: ClassVar[Mapping[str, AnyKind]] = {}

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        own: dict[str, AnyKind] = {}
        for name in [name for name, value in vars(cls).items() if value is AUTO]:
            kind = annotated_kind(cls, name)
            delattr(cls, name)
            if kind is not None and kind is not AllOptions:
                own[name] = kind
        cls.own_options = own


class DrawnLook(LookOptions):
    """Of whatever is drawn."""

    look: AllOptions = AUTO
    animation: Switch = AUTO
    color: Color = AUTO
    opacity: Share = AUTO
    specularCoefficient: Share = AUTO


class FramedLook(DrawnLook):
    """Of what has frames."""

    showFrames: Switch = AUTO
    mesh: FileName = AUTO
    meshScale: Size = AUTO
    r_mesh: Direction = AUTO


class CylinderLook(LookOptions):
    """Of a cylinder along an axis."""

    cylinderLength: Size = AUTO
    cylinderDiameter: Size = AUTO
    cylinderColor: Color = AUTO


class BoxSizeLook(LookOptions):
    """Of a box."""

    boxWidth: Size = AUTO
    boxHeight: Size = AUTO
    boxColor: Color = AUTO


class BoxLook(BoxSizeLook):
    """Of a box that may be turned about its axis."""

    boxWidthDirection: Direction = AUTO


class BallLook(LookOptions):
    """Of a ball."""

    sphereDiameter: Size = AUTO
    sphereColor: Color = AUTO


class MassLook(BallLook):
    """Of a ball that shows a mass."""

    animateSphere: Switch = AUTO


class BodyLook(MassLook):
    """Of a body: a ball, and rods to its frames."""

    cylinderDiameter: Size = AUTO
    cylinderColor: Color = AUTO


class ArrowLook(LookOptions):
    """Of an arrow."""

    arrowDiameter: Size = AUTO
    arrowColor: Color = AUTO


class ForceArrowLook(LookOptions):
    """Of an arrow that shows a force."""

    forceDiameter: Size = AUTO
    N_to_m: Positive = AUTO
    forceColor: Color = AUTO


class TorqueArrowLook(LookOptions):
    """Of an arrow that shows a torque."""

    torqueDiameter: Size = AUTO
    Nm_to_m: Positive = AUTO
    torqueColor: Color = AUTO


class ConnectionLook(LookOptions):
    """Of a line between two frames."""

    connectionLineDiameter: Size = AUTO
    connectionLineColor: Color = AUTO


class DiameterLook(LookOptions):
    """Of an arrow of a diameter."""

    diameter: Size = AUTO


class FrameLook(DiameterLook):
    """Of three axes."""

    color_x: Color = AUTO
    color_y: Color = AUTO
    color_z: Color = AUTO


class GroundLook(LookOptions):
    """Of the ground."""

    groundColor: Color = AUTO


class ShapeLook(LookOptions):
    """Of any shape."""

    shapeType: ShapeName = AUTO
    length: Size = AUTO
    width: Size = AUTO
    height: Size = AUTO
    r_shape: Direction = AUTO
    lengthDirection: Direction = AUTO
    widthDirection: Direction = AUTO
    extra: AnyNumber = AUTO


class RodLook(LookOptions):
    """Of a rod."""

    rodDiameter: Size = AUTO
    rodColor: Color = AUTO


class BeadsLook(LookOptions):
    """Of masses along a line."""

    showMass: Switch = AUTO
    massDiameter: Size = AUTO
    massColor: Color = AUTO


class CoilLook(LookOptions):
    """Of a spring."""

    width: Size = AUTO
    coilWidth: Size = AUTO
    numberOfWindings: Positive = AUTO


class StrutLook(LookOptions):
    """Of a damper."""

    length_a: Size = AUTO
    diameter_a: Size = AUTO
    diameter_b: Size = AUTO
    color_a: Color = AUTO
    color_b: Color = AUTO


class LineMassLook(LookOptions):
    """Of a line with a mass."""

    animateLine: Switch = AUTO
    animateMass: Switch = AUTO
    lineShapeType: LongShape = AUTO
    lineShapeWidth: Size = AUTO
    lineShapeHeight: Size = AUTO
    massDiameter: Size = AUTO
    lineShapeExtra: AnyNumber = AUTO
    lineShapeColor: Color = AUTO
    massColor: Color = AUTO


class TwoLineMassesLook(LookOptions):
    """Of a line with two masses."""

    animate: Switch = AUTO
    animateMasses: Switch = AUTO
    cylinderDiameter_a: Size = AUTO
    cylinderLength_a: Size = AUTO
    cylinderLength_b: Size = AUTO
    diameterFraction: Positive = AUTO
    massDiameterFaction: Positive = AUTO
    color_a: Color = AUTO
    color_b: Color = AUTO
    massColor: Color = AUTO


class WheelLook(LookOptions):
    """Of a wheel."""

    width: Size = AUTO
    hollowFraction: Share = AUTO


class WheelSetLook(LookOptions):
    """Of two wheels."""

    width_wheel: Size = AUTO
    hollowFraction: Share = AUTO


class UniversalLook(LookOptions):
    """Of a cardan cross."""

    showUniversalAxes: Switch = AUTO


class UniversalRodLook(UniversalLook):
    """Of a rod at a cardan cross."""

    rodShapeType: LongShape = AUTO
    rodWidth: Size = AUTO
    rodHeight: Size = AUTO
    rodExtra: AnyNumber = AUTO
    rodColor: Color = AUTO


class TwoRodsLook(LookOptions):
    """Of two rods."""

    rod1Diameter: Size = AUTO
    rod2Diameter: Size = AUTO
    rod1Color: Color = AUTO
    rod2Color: Color = AUTO


class RevoluteAtBLook(LookOptions):
    """Of a hinge at frame_b."""

    revoluteDiameter: Size = AUTO
    revoluteLength: Size = AUTO
    revoluteColor: Color = AUTO


class AxisLook(LookOptions):
    """Of an axis."""

    axisDiameter: Size = AUTO
    axisColor: Color = AUTO


class CenterLook(LookOptions):
    """Of what has a centre."""

    r_center: Direction = AUTO


class WorldLook(LookOptions):
    """Of the world, and sizes of all that chooses none."""

    enableAnimation: Switch = AUTO
    animateWorld: Switch = AUTO
    animateGravity: Switch = AUTO
    animateGround: Switch = AUTO
    axisShowLabels: Switch = AUTO
    axisLength: Size = AUTO
    axisDiameter: Size = AUTO
    gravityArrowLength: Size = AUTO
    gravityArrowDiameter: Size = AUTO
    gravitySphereDiameter: Size = AUTO
    groundLength_u: Size = AUTO
    groundLength_v: Size = AUTO
    nominalLength: Size = AUTO
    defaultAxisLength: Size = AUTO
    defaultJointLength: Size = AUTO
    defaultJointWidth: Size = AUTO
    defaultForceLength: Size = AUTO
    defaultForceWidth: Size = AUTO
    defaultBodyDiameter: Size = AUTO
    defaultArrowDiameter: Size = AUTO
    defaultFrameDiameterFraction: Positive = AUTO
    defaultN_to_m: Positive = AUTO
    defaultNm_to_m: Positive = AUTO
    defaultSpecularCoefficient: Share = AUTO
    gravityArrowTail: Direction = AUTO
    groundAxis_u: Direction = AUTO
    axisColor_x: Color = AUTO
    axisColor_y: Color = AUTO
    axisColor_z: Color = AUTO
    gravityArrowColor: Color = AUTO
    gravitySphereColor: Color = AUTO
    groundColor: Color = AUTO
