"""Looks of drive lines: discs that turn, springs that twist, rods and masses that slide."""

from __future__ import annotations

from motorik.algebra.vector import Y
from motorik.components.base.ports import Port, PortKind
from motorik.components.forces.gas import GasForce, GasForce2
from motorik.components.lines.adaptors import Adaptor, RelativeMotion, StartOfFlange
from motorik.components.lines.backlash import Backlash, Gap
from motorik.components.lines.base import (
    Compliant,
    FixedFlange,
    InertiaBase,
    LineDamper,
    LineSpring,
    LineSpringDamper,
    Offset,
)
from motorik.components.lines.constraint import FlangeConstraint
from motorik.components.lines.drives import Driven
from motorik.components.lines.friction import FrictionBetween, FrictionOnShaft
from motorik.components.lines.gears import (
    IdealGearR2T,
    IdealLever,
    IdealRollingWheel,
)
from motorik.components.lines.loads import Load, SignalBetween
from motorik.components.lines.sensors import LineSensor
from motorik.components.parts.mounting import BevelGear1D
from motorik.components.parts.rotor import Rotor1D
from motorik.components.rotational.parts import Coupling
from motorik.components.translational.vehicle import Vehicle
from motorik.view.scene import shapes
from motorik.view.scene.annotations import LineAnnotation
from motorik.view.scene.shapes import Shape
from motorik.view.visuals.base import Shapes, visual
from motorik.view.visuals.gears import teeth_of
from motorik.view.visuals.line_cell import MARK, SHAFT, LineCell, bench, ends
from motorik.view.visuals.line_gears import wheel
from motorik.view.visuals.sensors import outputs
from motorik.view.visuals.setting import Setting


@visual.register
def _(part: Compliant, s: Setting) -> Shapes:
    b = bench(part, s)
    a, z = ends(part)
    if b is None:
        return []
    return [
        b.shaft(a, 0.0, 0.45),
        b.shaft(z, 0.55, 1.0),
        *b.disc(a, 0.5, 0.1, 0.4, "force"),
    ]


def coil(b: LineCell, a: Port, z: Port, width: float) -> Shape:
    """Return a spring between two flanges; one of a shaft lies along it."""
    diameter = width * b.length * b.swell
    color = b.s.color(b.part)
    style = {"diameter": diameter, "wire": diameter / 10, "coils": 6.0, "role": "spring"}
    if a.kind is PortKind.TRANSLATIONAL:
        return shapes.SpringShape(at=b.span(a, z), color=color, **style)
    return shapes.SpringShape(at=b.left(a, 0.0, 1.0), length=b.length, color=color, **style)


def tube(b: LineCell, a: Port, z: Port, width: float) -> list[Shape]:
    """Return a damper between two flanges."""
    diameter, length = width * b.length * b.swell, b.length
    if a.kind is PortKind.TRANSLATIONAL:
        lengths = (0.55 * b.reach, 0.7 * b.reach)
        span = b.span(a, z)
        return [
            shapes.DamperShape(at=span, diameter=diameter, lengths=lengths, role="damper")
        ]
    drum = shapes.Pipe(
        at=b.left(a, 0.25, 0.75),
        length=0.5 * length,
        diameter=diameter,
        inner=0.85 * diameter,
        role="damper",
    )
    return [
        b.shaft(a, 0.0, 0.3),
        drum,
        b.shaft(z, 0.45, 1.0),
        *b.disc(z, 0.5, 0.1, 0.8 * width, "damper"),
    ]


@visual.register
def _(part: LineSpring, s: Setting) -> Shapes:
    b = bench(part, s)
    return [] if b is None else [coil(b, *ends(part), 0.4)]


@visual.register
def _(part: LineDamper, s: Setting) -> Shapes:
    b = bench(part, s)
    return [] if b is None else tube(b, *ends(part), 0.35)


@visual.register(LineSpringDamper)
@visual.register(Backlash)
@visual.register(Gap)
def _(part: LineSpringDamper, s: Setting) -> Shapes:
    b = bench(part, s)
    if b is None:
        return []
    return [coil(b, *ends(part), 0.55), *tube(b, *ends(part), 0.3)]


@visual.register
def _(part: FixedFlange, s: Setting) -> Shapes:
    b = bench(part, s)
    if b is None:
        return []
    if b.layout.cells[part].below:  # it holds the ring around a shaft
        at, side = b.still_left(0.3, 0.6).moved(0.0, -0.6 * b.length), 0.3 * b.length
        return [
            shapes.BoxShape(at=at, length=side, width=side, height=2 * side, role="ground")
        ]
    return [b.block(0.4, 0.7, 0.6, "ground"), b.shaft(ends(part)[0], 0.0, 0.4)]


@visual.register
def _(part: BevelGear1D, s: Setting) -> Shapes:
    side = 2.0 * s.sizes.joint_width
    at = s.at(part.frame_a)
    box = shapes.BoxShape(
        at=at, length=side, width=side, height=side, role="drive", color=s.color(part)
    )
    return [box]


@visual.register(Coupling)
@visual.register(FlangeConstraint)
@visual.register(RelativeMotion)
def _(part: Coupling, s: Setting) -> Shapes:
    b = bench(part, s)
    if b is None:
        return []
    a, z = ends(part)
    disc = b.disc(a, 0.5, 0.1, 0.4, "body")
    return [b.shaft(a, 0.0, 0.45), *disc, b.shaft(z, 0.55, 1.0)]


@visual.register
def _(part: Offset, s: Setting) -> Shapes:
    b = bench(part, s)
    return [] if b is None else [b.shaft(ends(part)[0], 0.0, 1.0, "body")]


@visual.register
def _(part: InertiaBase, s: Setting) -> Shapes:
    b = bench(part, s)
    if b is None:
        return []
    port = ends(part)[0]
    return [b.shaft(port, 0.0, 1.0), *b.disc(port, 0.5, 0.4, 0.8, "mass")]


@visual.register
def _(part: IdealLever, s: Setting) -> Shapes:
    b = bench(part, s)
    if b is None:
        return []
    a, z = ends(part)
    width = SHAFT * b.length
    lever = shapes.Beam(at=b.span(a, z, 0.2, 0.8), width=width, height=width, role="drive")
    return [
        lever,
        b.shaft(a, 0.0, 0.2),
        b.shaft(z, 0.8, 1.0),
        b.block(0.45, 0.55, 0.2, "ground"),
    ]


@visual.register(IdealGearR2T)
@visual.register(IdealRollingWheel)
def _(part: IdealGearR2T, s: Setting) -> Shapes:
    b = bench(part, s)
    if b is None:
        return []
    d = 0.5 * b.length
    at = b.at(part.flangeR, 0.3)
    is_wheel = isinstance(part, IdealRollingWheel)
    turning: Shape = wheel(b, part.flangeR, 0.3, 0.25, teeth_of(0.25)[0])
    if is_wheel:
        turning = shapes.Wheel(
            at=at, diameter=d, width=0.2 * d, inner=0.7 * d, role="drive"
        )
    rack = b.left(part.flangeT, 0.2, 1.2).moved(0.0, -d / 2)
    bar = shapes.BoxShape(
        at=rack, length=b.length, width=0.06 * b.length, height=0.2 * b.length, role="drive"
    )
    return [b.shaft(part.flangeR, 0.0, 0.3), turning, bar]


@visual.register
def _(part: FrictionBetween, s: Setting) -> Shapes:
    b = bench(part, s)
    if b is None:
        return []
    a, z = ends(part)
    plates = [*b.disc(a, 0.42, 0.1, 0.6, "contact"), *b.disc(z, 0.58, 0.1, 0.6, "contact")]
    return [b.shaft(a, 0.0, 0.4), *plates, b.shaft(z, 0.6, 1.0)]


@visual.register
def _(part: FrictionOnShaft, s: Setting) -> Shapes:
    b = bench(part, s)
    if b is None:
        return []
    port = ends(part)[0]
    pad = b.still_left(0.4, 0.6).moved(0.0, 0.3 * b.length)
    side = 0.2 * b.length
    shoe = shapes.BoxShape(at=pad, length=side, width=side / 2, height=side, role="contact")
    return [b.shaft(port, 0.0, 1.0), *b.disc(port, 0.5, 0.1, 0.5, "contact"), shoe]


@visual.register(Load)
@visual.register(Driven)
@visual.register(Adaptor)
@visual.register(StartOfFlange)
def _(part: Load, s: Setting) -> Shapes:
    b = bench(part, s)
    if b is None:
        return []
    port = ends(part)[0]
    if port.kind is PortKind.TRANSLATIONAL:
        house = b.block(0.6, 1.0, 0.4, "drive")
    else:
        at, length = b.still_left(0.35, 0.95), 0.6 * b.length
        house = shapes.CylinderShape(
            at=at, length=length, diameter=0.5 * b.length, role="drive"
        )
    return [b.shaft(port, 0.0, 0.6), house]


@visual.register
def _(part: SignalBetween, s: Setting) -> Shapes:
    b = bench(part, s)
    if b is None:
        return []
    a, z = ends(part)
    return [b.shaft(a, 0.0, 0.4), b.shaft(z, 0.6, 1.0), *b.disc(a, 0.5, 0.3, 0.45, "drive")]


@visual.register
def _(part: LineSensor, s: Setting) -> Shapes:
    s.channels(part, *outputs(part))
    b = bench(part, s)
    if b is None:
        return []
    a, z = ends(part)
    d = 0.35 * b.length * b.swell
    ring = b.ring(a, 0.4, d, "sensor")
    rods = [b.shaft(a, 0.0, 0.4)]
    if z is not a:
        rods.append(b.shaft(z, 0.4, 1.0))
    return [*rods, ring]


@visual.register(GasForce)
@visual.register(GasForce2)
def _(part: GasForce, s: Setting) -> Shapes:
    b = bench(part, s)
    return [] if b is None else tube(b, *ends(part), 0.5)


@visual.register
def _(part: Vehicle, s: Setting) -> Shapes:
    b = bench(part, s)
    if b is None:
        return []
    d = 0.3 * b.length
    body = b.left(part.flangeT, 0.0, 1.0)
    car = shapes.BoxShape(
        at=body, length=b.length, width=d, height=0.6 * b.length, role="body"
    )
    wheels: list[Shape] = []
    for share in (0.2, 0.8):
        at = b.at(part.flangeT, share).moved(0.0, -0.6 * d).along(Y)
        wheels.append(
            shapes.Wheel(at=at, diameter=d, width=0.3 * d, inner=0.6 * d, role="drive")
        )
    return [car, *wheels]


@visual.register
def _(part: Rotor1D, s: Setting) -> Shapes:
    n = s.values(part).n
    at = s.at(part.revolute.frame_b)
    usual = s.joint_size(at, s.at(part.frame_a), n=n, share=1.2)
    length = s.size(part, "cylinderLength", usual[0])
    width = s.size(part, "cylinderDiameter", 1.5 * usual[1])
    offset = s.option(part, "r_center", (0.0, 0.0, 0.0))
    begin = at.moved(*offset).along(n).moved(-length / 2)
    points = (
        (length * 1.01, 0.0, 0.0),
        (length * 1.01, width / 2, 0.0),
        (0.0, width / 2, 0.0),
    )
    color = s.color(part, "cylinderColor")
    return [
        shapes.CylinderShape(
            at=begin, length=length, diameter=width, role="mass", color=color
        ),
        LineAnnotation(at=begin, points=points, width=2.0, color=MARK, role="mass"),
    ]
