"""Looks of transmission elements: the shapes of MOBILE's frames, joints, links and masses."""

from __future__ import annotations

from functools import singledispatch

from motorik.algebra.vector import Vector
from motorik.elements import (
    CylindricalPair,
    PrismaticPair,
    RevolutePair,
    ScrewPair,
    SphericalPair,
    SphericalPairByAngles,
    UniversalPair,
)
from motorik.elements.joint import Joint
from motorik.mobile import (
    Chord,
    Chord3DPosition,
    ChordPointPointLinear,
    ChordPointPointQuadratic,
    ConstraintSolver,
    Frame,
    JointElement,
    LinearSpringDamper,
    MassElement,
    RigidLink,
)
from motorik.view.scene import shapes
from motorik.view.scene.annotations import Axes, LineAnnotation
from motorik.view.scene.place import ScenePose, SceneSpan, triple
from motorik.view.scene.shapes import Shape
from motorik.view.visuals.joints import ball, cross, pin, slider
from motorik.view.visuals.setting import Setting

DISTANCES = (ChordPointPointLinear, ChordPointPointQuadratic)
POINTS = (Chord3DPosition, *DISTANCES)


class ChainSetting(Setting):
    """The context of visuals of elements: rigid groups of frames, and sizes."""

    frame_numbers: dict[int, int]

    def on(self, frame: Frame) -> ScenePose:
        """Return the place of a frame: each is a rigid group."""
        return ScenePose(self.frame_numbers[id(frame)])

    def way(self, a: Frame, b: Frame) -> SceneSpan:
        """Return the span between two frames."""
        return SceneSpan(self.on(a).point, self.on(b).point)


@singledispatch
def chain_visual(part: object, s: ChainSetting) -> list[Shape]:
    """Return the shapes of a frame or an element; none for elements without geometry."""
    return []


@chain_visual.register
def _(part: Frame, s: ChainSetting) -> list[Shape]:
    return [Axes(at=s.on(part), size=s.sizes.axis, role="frame")]


@chain_visual.register
def _(part: JointElement, s: ChainSetting) -> list[Shape]:
    return joint_glyph(part.joint, s, part, s.on(part.a), s.on(part.b))


@chain_visual.register
def _(part: RigidLink, s: ChainSetting) -> list[Shape]:
    width = s.sizes.joint_width / 2
    return [
        shapes.CylinderShape(at=s.way(part.a, end), diameter=width) for end in part.ends
    ]


@chain_visual.register
def _(part: MassElement, s: ChainSetting) -> list[Shape]:
    centre = s.on(part.frame).moved(*triple(Vector.of(part.r_CM).numpy()))
    span = SceneSpan(s.on(part.frame).point, centre.point)
    found: list[Shape] = [shapes.Sphere(at=centre, diameter=s.sizes.body, role="mass")]
    if centre != s.on(part.frame):
        found.append(shapes.CylinderShape(at=span, diameter=s.sizes.body / 4))
    return found


@chain_visual.register
def _(part: ConstraintSolver, s: ChainSetting) -> list[Shape]:
    return [shape for chord in part.chords for shape in _closure(chord, s)]


@chain_visual.register
def _(part: LinearSpringDamper, s: ChainSetting) -> list[Shape]:
    span = _distance(part.on, s)
    width = s.sizes.force_width
    spring = {"diameter": width, "wire": width / 10, "coils": 7.0, "role": "spring"}
    return [] if span is None else [shapes.SpringShape(at=span, **spring)]


def _closure(chord: Chord, s: ChainSetting) -> list[Shape]:
    """Return the closure of a loop: a rod of constant length, or points that coincide."""
    span = _distance(chord, s)
    if span is not None:
        return [shapes.CylinderShape(at=span, diameter=s.sizes.joint_width / 2)]
    if not isinstance(chord, POINTS):
        return []
    at = s.on(chord.frames[0])
    return [shapes.Sphere(at=at, diameter=s.sizes.joint_width, role="joint")]


def _distance(part: object, s: ChainSetting) -> SceneSpan | None:
    """Return the way between the frames of a distance; None of another measure."""
    if not isinstance(part, DISTANCES) or len(part.terms) > 1:
        return None
    end, base = part.frames
    return s.way(base, end)


@singledispatch
def joint_glyph(
    joint: Joint, s: ChainSetting, part: object, a: ScenePose, b: ScenePose
) -> list[Shape]:
    """Return the glyph of a joint: by default a line between its frames."""
    return [
        LineAnnotation(
            at=SceneSpan(a.point, b.point), dashed=True, role="joint", layer="frames"
        )
    ]


@joint_glyph.register
def _(
    joint: RevolutePair, s: ChainSetting, part: object, a: ScenePose, b: ScenePose
) -> list[Shape]:
    return pin(s, part, a, b, joint.axis)


@joint_glyph.register
def _(
    joint: PrismaticPair, s: ChainSetting, part: object, a: ScenePose, b: ScenePose
) -> list[Shape]:
    return slider(s, part, a, b, joint.axis)


@joint_glyph.register(ScrewPair)
@joint_glyph.register(CylindricalPair)
def _(
    joint: CylindricalPair, s: ChainSetting, part: object, a: ScenePose, b: ScenePose
) -> list[Shape]:
    length, width = s.sizes.joint_length, s.sizes.joint_width / 2
    at = a.along(joint.axis).moved(-length)
    spindle = shapes.CylinderShape(at=at, length=2 * length, diameter=width, role="joint")
    return [spindle, *pin(s, part, b, b, joint.axis)]


@joint_glyph.register(SphericalPair)
@joint_glyph.register(SphericalPairByAngles)
def _(
    joint: SphericalPair, s: ChainSetting, part: object, a: ScenePose, b: ScenePose
) -> list[Shape]:
    return ball(s, part, a, b)


@joint_glyph.register
def _(
    joint: UniversalPair, s: ChainSetting, part: object, a: ScenePose, b: ScenePose
) -> list[Shape]:
    return cross(s, part, a, a, (joint.axis_a, joint.axis_b), b)
