"""Visuals of sensors: arrows between the frames they compare, a probe where they measure."""

from __future__ import annotations

from motorik.components.base.part import Part
from motorik.components.base.ports import PortKind
from motorik.components.sensors.absolute import OneFrame
from motorik.components.sensors.flow import Through
from motorik.components.sensors.relative import TwoFrames
from motorik.components.sensors.transform import TransformAbsoluteVector
from motorik.view.scene.annotations import ArrowAnnotation
from motorik.view.scene.place import ScenePoint, SceneSpan
from motorik.view.scene.shapes import Cone, Shape, TorusShape
from motorik.view.visuals.base import Shapes, visual
from motorik.view.visuals.forces import arrow_of, resolved
from motorik.view.visuals.setting import Setting


def outputs(part: Part) -> list[str]:
    """Return the names of the numbers that a part gives as signals."""
    names: list[str] = []
    for port in part.ports():
        if port.kind is PortKind.SIGNAL and type(port).__name__ == "SignalOutput":
            names += [element.name for element in port.elements]
    return names


@visual.register
def _(part: TransformAbsoluteVector, s: Setting) -> Shapes:
    s.channels(part, *outputs(part))
    at, size = s.at(part.frame_a), s.sizes.joint_width
    return [Cone(at=at, length=size, diameter=size / 2, role="sensor", color=s.color(part))]


@visual.register
def _(part: OneFrame, s: Setting) -> Shapes:
    s.channels(part, *outputs(part))
    at, size = s.at(part.frame_a), s.sizes.joint_width
    color = s.color(part, "arrowColor")
    span = SceneSpan(ScenePoint(), at.point)
    width = s.size(part, "arrowDiameter", s.sizes.arrow / 3)
    return [
        Cone(at=at, length=size, diameter=size / 2, role="sensor", color=color),
        ArrowAnnotation(
            at=span, diameter=width, role="sensor", color=color, layer="frames"
        ),
    ]


@visual.register
def _(part: TwoFrames, s: Setting) -> Shapes:
    s.channels(part, *outputs(part))
    width = s.size(part, "arrowDiameter", s.sizes.arrow / 2)
    span = s.between(part.frame_a, part.frame_b)
    return [
        ArrowAnnotation(
            at=span, diameter=width, role="sensor", color=s.color(part, "arrowColor")
        )
    ]


@visual.register
def _(part: Through, s: Setting) -> Shapes:
    s.channels(part, *outputs(part))
    at, axes = s.at(part.frame_a), resolved(s, part)
    width = s.ball_size(at, s.at(part.frame_b))
    found: list[Shape] = [TorusShape(at=at, diameter=width, tube=width / 5, role="sensor")]
    for signal, double in (("force", False), ("torque", True)):
        if signal in part.specs:
            found.append(arrow_of(s, part, signal, at, axes, double))
    return found
