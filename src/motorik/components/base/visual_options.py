"""Options of drawing by kind of shape: those of Modelica's library and a few more.

A class of parts takes the options of the classes below that it derives from::

    class Revolute(LoadedJoint, CylinderVisual): …

so ``Revolute(cylinderColor="red")`` is understood, by editors as well. Other options follow
from the model. Every listed option changes the picture. The names are kept by the class
that lists them and are no attributes of it: the choices of a part are kept by `visual`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from motorik.components.base.kind import AnyKind, annotated_kind
from motorik.components.base.transform import dataclass_transform
from motorik.components.base.visual_kinds import (
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

AUTO: Any = object()  # the value of options not chosen, for editors


@dataclass_transform(kw_only_default=True)
class VisualOptions:
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


class DrawnVisual(VisualOptions):
    """Of all drawn parts."""

    visual: AllOptions = AUTO
    animation: Switch = AUTO
    color: Color = AUTO
    opacity: Share = AUTO
    specularCoefficient: Share = AUTO


class FramedVisual(DrawnVisual):
    """Options of parts with frames."""

    showFrames: Switch = AUTO
    mesh: FileName = AUTO
    meshScale: Size = AUTO
    r_mesh: Direction = AUTO


class CylinderVisual(VisualOptions):
    """Of a cylinder along an axis."""

    cylinderLength: Size = AUTO
    cylinderDiameter: Size = AUTO
    cylinderColor: Color = AUTO


class BoxSizeVisual(VisualOptions):
    """Of a box."""

    boxWidth: Size = AUTO
    boxHeight: Size = AUTO
    boxColor: Color = AUTO


class BoxVisual(BoxSizeVisual):
    """Of a box that may be turned about its axis."""

    boxWidthDirection: Direction = AUTO


class BallVisual(VisualOptions):
    """Of a ball."""

    sphereDiameter: Size = AUTO
    sphereColor: Color = AUTO


class MassVisual(BallVisual):
    """Of a ball that shows a mass."""

    animateSphere: Switch = AUTO


class BodyVisual(MassVisual):
    """Of a body: a ball, and rods to its frames."""

    cylinderDiameter: Size = AUTO
    cylinderColor: Color = AUTO


class ArrowVisual(VisualOptions):
    """Of an arrow."""

    arrowDiameter: Size = AUTO
    arrowColor: Color = AUTO


class ForceArrowVisual(VisualOptions):
    """Of an arrow that shows a force."""

    forceDiameter: Size = AUTO
    N_to_m: Positive = AUTO
    forceColor: Color = AUTO


class TorqueArrowVisual(VisualOptions):
    """Of an arrow that shows a torque."""

    torqueDiameter: Size = AUTO
    Nm_to_m: Positive = AUTO
    torqueColor: Color = AUTO


class ConnectionVisual(VisualOptions):
    """Of a line between two frames."""

    connectionLineDiameter: Size = AUTO
    connectionLineColor: Color = AUTO


class DiameterVisual(VisualOptions):
    """Of an arrow of a diameter."""

    diameter: Size = AUTO


class FrameVisual(DiameterVisual):
    """Of three axes."""

    color_x: Color = AUTO
    color_y: Color = AUTO
    color_z: Color = AUTO


class GroundVisual(VisualOptions):
    """Of the ground."""

    groundColor: Color = AUTO


class ShapeVisual(VisualOptions):
    """Of any shape."""

    shapeType: ShapeName = AUTO
    length: Size = AUTO
    width: Size = AUTO
    height: Size = AUTO
    r_shape: Direction = AUTO
    lengthDirection: Direction = AUTO
    widthDirection: Direction = AUTO
    extra: AnyNumber = AUTO


class RodVisual(VisualOptions):
    """Of a rod."""

    rodDiameter: Size = AUTO
    rodColor: Color = AUTO


class BeadsVisual(VisualOptions):
    """Of masses along a line."""

    showMass: Switch = AUTO
    massDiameter: Size = AUTO
    massColor: Color = AUTO


class CoilVisual(VisualOptions):
    """Of a spring."""

    width: Size = AUTO
    coilWidth: Size = AUTO
    numberOfWindings: Positive = AUTO


class StrutVisual(VisualOptions):
    """Of a damper."""

    length_a: Size = AUTO
    diameter_a: Size = AUTO
    diameter_b: Size = AUTO
    color_a: Color = AUTO
    color_b: Color = AUTO


class LineMassVisual(VisualOptions):
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


class TwoLineMassesVisual(VisualOptions):
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


class WheelVisual(VisualOptions):
    """Of a wheel."""

    width: Size = AUTO
    hollowFraction: Share = AUTO


class WheelSetVisual(VisualOptions):
    """Of two wheels."""

    width_wheel: Size = AUTO
    hollowFraction: Share = AUTO


class UniversalVisual(VisualOptions):
    """Of a cardan cross."""

    showUniversalAxes: Switch = AUTO


class UniversalRodVisual(UniversalVisual):
    """Of a rod at a cardan cross."""

    rodShapeType: LongShape = AUTO
    rodWidth: Size = AUTO
    rodHeight: Size = AUTO
    rodExtra: AnyNumber = AUTO
    rodColor: Color = AUTO


class TwoRodsVisual(VisualOptions):
    """Of two rods."""

    rod1Diameter: Size = AUTO
    rod2Diameter: Size = AUTO
    rod1Color: Color = AUTO
    rod2Color: Color = AUTO


class RevoluteAtBVisual(VisualOptions):
    """Of a hinge at frame_b."""

    revoluteDiameter: Size = AUTO
    revoluteLength: Size = AUTO
    revoluteColor: Color = AUTO


class AxisVisual(VisualOptions):
    """Of an axis."""

    axisDiameter: Size = AUTO
    axisColor: Color = AUTO


class CenterVisual(VisualOptions):
    """Options of bodies with a centre of mass."""

    r_center: Direction = AUTO


class WorldVisual(VisualOptions):
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
