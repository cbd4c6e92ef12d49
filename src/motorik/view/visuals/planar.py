"""Looks of the parts of planar mechanisms: flat bodies, pins, slots, wheels, cams."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from motorik.algebra.vector import X, Z
from motorik.planar import bodies, forces, guides, joints, rolling
from motorik.planar.vector_joint import ConstraintJoint
from motorik.view.scene.annotations import LineAnnotation
from motorik.view.scene.place import ScenePose, Triple
from motorik.view.scene.shapes import BoxShape, CylinderShape, Shape
from motorik.view.visuals.base import Shapes, visual
from motorik.view.visuals.bodies import bar, mass_ball
from motorik.view.visuals.forces import coil, telescope
from motorik.view.visuals.gears import aimed, cogwheel, half_tooth, teeth_of
from motorik.view.visuals.joints import ball, pin, rod, slider
from motorik.view.visuals.setting import Setting
from motorik.view.visuals.world import world_shapes

FLAT = 0.25  # height of flat shapes, as a share of the width of a joint


@visual.register
def _(part: bodies.Body, s: Setting) -> Shapes:
    centre = s.at(part.G)
    found: list[Shape] = []
    for port in s.frames(part):
        if port is not part.G:
            found += bar(s, part, centre, s.at(port))
    return [*found, *mass_ball(s, part, centre)]


@visual.register
def _(part: bodies.PointMass, s: Setting) -> Shapes:
    return mass_ball(s, part, s.at(part.G))


@visual.register
def _(part: bodies.Ground, s: Setting) -> Shapes:
    side = s.sizes.joint_width
    found = world_shapes(part, s)
    for port in s.frames(part):
        if port is not part.frame_b:
            at = s.at(port).moved(-side / 2, -side / 2)
            found.append(
                BoxShape(at=at, length=side, width=side / 2, height=side, role="ground")
            )
    return found


@visual.register
def _(part: joints.Revolute, s: Setting) -> Shapes:
    return pin(s, part, s.at(part.frame_a), s.at(part.frame_b), Z)


@visual.register
def _(part: joints.Translational, s: Setting) -> Shapes:
    return slider(s, part, s.at(part.frame_a), s.at(part.frame_b), X)


@visual.register
def _(part: joints.Weld, s: Setting) -> Shapes:
    side = s.ball_size(s.at(part.frame_a), s.at(part.frame_b), share=0.7)
    at = s.at(part.frame_a).moved(-side / 2)
    return [BoxShape(at=at, length=side, width=side, height=side, role="joint")]


@visual.register
def _(part: ConstraintJoint, s: Setting) -> Shapes:
    return ball(s, part, s.at(part.frame_a), s.at(part.frame_b))


@visual.register
def _(part: guides.Slot, s: Setting) -> Shapes:
    a, b = s.at(part.frame_a), s.at(part.frame_b)
    return [
        *slider(s, part, a, a, X)[1:2],
        *slider(s, part, a, b, X)[2:],
        *pin(s, part, b, b, Z),
    ]


@visual.register
def _(part: guides.Rod, s: Setting) -> Shapes:
    a, b = s.at(part.frame_a), s.at(part.frame_b)
    width = s.size(part, "rodDiameter", s.sizes.joint_width / 2)
    color = s.color(part, "rodColor")
    bar = rod(s, s.between(part.frame_a, part.frame_b), width, color)
    return [bar, *pin(s, part, a, a, Z, 0.7), *pin(s, part, b, b, Z, 0.7)]


@visual.register
def _(part: guides.Parallel, s: Setting) -> Shapes:
    bars: list[Shape] = []
    for port in (part.frame_a, part.frame_b):
        length, usual = s.joint_size(s.at(port), n=X, radius=0.1)
        at, width = s.at(port).moved(-length / 2), usual / 5
        bars.append(BoxShape(at=at, length=length, width=width, height=width, role="joint"))
    return bars


@visual.register
def _(part: guides.Curve, s: Setting) -> Shapes:
    a, b = s.at(part.frame_a), s.at(part.frame_b)
    lines = [
        LineAnnotation(at=a, points=(start, end), width=2.0, role="joint")
        for start, end in level_lines(part, s)
    ]
    return [*lines, *pin(s, part, b, b, Z, 0.7)]


def level_lines(
    part: guides.Curve, s: Setting, count: int = 60
) -> list[tuple[Triple, Triple]]:
    """Return the curve F(x, y) = 0 near its follower as short lines, by marching squares."""
    curve = s.values(part).curve
    reach = max(
        s.fixed_distance(s.at(part.frame_a), s.at(part.frame_b)), s.sizes.joint_length
    )
    axis = np.linspace(-1.6 * reach, 1.6 * reach, count)
    levels = np.array([[float(curve(float(x), float(y))) for y in axis] for x in axis])
    found: list[tuple[Triple, Triple]] = []
    for (i, k), (j, m) in (
        (a, b) for a in pairwise(range(count)) for b in pairwise(range(count))
    ):
        corners = [(i, j), (k, j), (k, m), (i, m)]
        ends: list[Triple] = []
        for (a, b), (c, d) in zip(corners, corners[1:] + corners[:1], strict=True):
            low, high = levels[a, b], levels[c, d]
            if (low > 0.0) != (high > 0.0):
                t = low / (low - high)
                ends.append(
                    (
                        axis[a] + t * (axis[c] - axis[a]),
                        axis[b] + t * (axis[d] - axis[b]),
                        0.0,
                    )
                )
        if len(ends) >= 2:
            found.append((ends[0], ends[1]))
    return found


@visual.register
def _(part: rolling.GearPair, s: Setting) -> Shapes:
    p = s.values(part)
    radii = float(p.r_i), float(p.r_j)
    teeth = teeth_of(*map(abs, radii))
    places = s.at(part.frame_a).along(Z), s.at(part.frame_b).along(Z)
    found: list[Shape] = []
    for k, r in enumerate(radii):
        turn = 0.0 if k == 0 else half_tooth(teeth[k])
        at = aimed(s, places[k], places[1 - k], turn)
        found.append(cog(s, at, abs(r), teeth[k], is_ring=r < 0))
    return found


def cog(
    s: Setting, at: ScenePose, radius: float, teeth: int, is_ring: bool = False
) -> Shape:
    """Return a flat toothed wheel about the x axis of a place; a ring is hollow."""
    face = FLAT * s.sizes.joint_width
    inner = 2 * radius if is_ring else 0.3 * radius
    outer = 1.1 * radius if is_ring else radius
    return cogwheel(at.moved(-face / 2), outer, teeth, face, inner, opacity=0.85)


@visual.register
def _(part: rolling.RackAndPinion, s: Setting) -> Shapes:
    r = float(s.values(part).r)
    width = s.sizes.joint_width
    at = s.at(part.frame_a).moved(-4 * r, -width / 4)
    rack = BoxShape(at=at, length=8 * r, width=width / 2, height=FLAT * width, role="joint")
    return [rack, cog(s, s.at(part.frame_b).along(Z), r, teeth_of(r)[0])]


@visual.register
def _(part: forces.VectorForce, s: Setting) -> Shapes:
    span = s.between(part.frame_a, part.frame_b)
    return [CylinderShape(at=span, diameter=s.sizes.arrow / 2, role="force")]


@visual.register
def _(part: forces.SpringDamper, s: Setting) -> Shapes:
    p, span = s.values(part), s.between(part.frame_a, part.frame_b)
    found: list[Shape] = []
    if p.c:
        found.append(coil(s, part, span))
    if p.d:
        found.append(telescope(s, part, span, 0.5 * s.sizes.force_width, "damper"))
    return found or [CylinderShape(at=span, diameter=s.sizes.arrow / 2, role="spring")]
