"""Looks of gears in drive lines: wheels whose teeth mesh, planets between a sun and a ring."""

from __future__ import annotations

from math import cos, pi, sin, tau

from motorik.components.base.ports import Port
from motorik.components.lines.gears import IdealPlanetary, Ratio
from motorik.components.rotational.lossy_gear import Gearbox
from motorik.view.scene import shapes
from motorik.view.scene.shapes import Shape
from motorik.view.visuals.base import Shapes, visual
from motorik.view.visuals.gear_pairs import pair_of
from motorik.view.visuals.gears import cogwheel, gear_ring, half_tooth, teeth_of, turned
from motorik.view.visuals.line_cell import SHAFT, LineCell, bench, ends
from motorik.view.visuals.setting import Setting

FACE = 0.18  # width of a wheel, in lengths of the cell
WEB = 0.05  # that of the disc which carries a ring, alike
CLEAR = 0.35  # opacity of what would hide teeth
PLANETS = 3


@visual.register(Ratio)
@visual.register(Gearbox)
def _(part: Ratio, s: Setting) -> Shapes:
    b = bench(part, s)
    if b is None:
        return []
    a, z = ends(part)
    pair = pair_of(float(s.values(part).ratio))
    aside = b.layout.side.get(part, 0.0)  # of flange_b from flange_a
    first, second = teeth_of(pair.a, pair.b)
    if not aside:
        return [
            b.shaft(a, 0.0, 0.3),
            wheel(b, a, 0.3, pair.a, first),
            wheel(b, z, 0.55, pair.b, second),
            b.shaft(z, 0.7, 1.0),
        ]
    toward = 0.0 if aside > 0.0 else pi  # where flange_b is, seen from flange_a
    if not pair.internal:
        gap = toward + pi + half_tooth(second)
        return [
            b.shaft(a, 0.0, 0.4),
            wheel(b, a, 0.4, pair.a, first, toward),
            wheel(b, z, 0.4, pair.b, second, gap),
            b.shaft(z, 0.4 + FACE, 1.0),
        ]
    if pair.a < pair.b:
        touch = toward + pi
        return [
            b.shaft(a, 0.0, 0.42),
            wheel(b, a, 0.42, pair.a, first, touch),
            *bell(b, z, (0.4, 0.62), pair.b, second, touch),
            b.shaft(z, 0.62, 1.0),
        ]
    return [
        b.shaft(a, 0.0, 0.38),
        *bell(b, a, (0.6, 0.38), pair.a, first, toward),
        wheel(b, z, 0.4, pair.b, second, toward),
        b.shaft(z, 0.58, 1.0),
    ]


def wheel(
    b: LineCell, port: Port, share: float, radius: float, teeth: int, angle: float = 0.0
) -> Shape:
    """Return a gear wheel on a flange, of a pitch radius in lengths of the cell.

    A tooth is at an angle [rad] from the y axis of its row.
    """
    r, face = radius * b.length * b.swell, FACE * b.length
    at = turned(b.left(port, share, share + FACE), angle)
    return cogwheel(at, r, teeth, face, role="drive")


def bell(
    b: LineCell,
    port: Port,
    shares: tuple[float, float],
    radius: float,
    teeth: int,
    gap: float,
) -> list[Shape]:
    """Return a ring with teeth inside from one share to another, and there the disc it hangs on.

    A gap of its teeth is at the angle `gap` [rad].
    """
    begin, end = shares
    low, high = min(shares), max(shares)
    inner = (low, high - WEB) if end > begin else (low + WEB, high)
    disc = (high - WEB, high) if end > begin else (low, low + WEB)
    at = turned(b.left(port, *inner), gap + half_tooth(teeth))
    ring = gear_ring(
        at, radius * b.length, teeth, (inner[1] - inner[0]) * b.length, "drive"
    )
    web = shapes.CylinderShape(
        at=b.left(port, *disc),
        length=WEB * b.length,
        diameter=ring.diameter,
        role="drive",
        opacity=CLEAR,
    )
    return [ring, web]


@visual.register
def _(part: IdealPlanetary, s: Setting) -> Shapes:
    b = bench(part, s)
    if b is None:
        return []
    ratio = min(max(abs(float(s.values(part).ratio)), 1.3), 6.0)
    inner, between = 1.0, (ratio - 1.0) / 2
    sun, planet = teeth_of(inner, between)
    ring = sun + 2 * planet
    module = 2 * 0.4 / ring  # of all wheels, in lengths of the cell
    pin, face = 0.5 * module * (sun + planet), FACE * b.length
    found: list[Shape] = [b.shaft(part.sun, 0.0, 0.36)]
    found.append(wheel(b, part.sun, 0.36, module * sun / 2, sun))
    first = 0.0
    for k in range(PLANETS):
        alpha = k * tau / PLANETS
        angle = alpha + pi - tau / planet * (0.5 - alpha * sun / tau)  # a gap at a tooth
        first = angle if k == 0 else first
        away = pin * b.length * cos(alpha), pin * b.length * sin(alpha)
        at = b.left(part.carrier, 0.36, 0.36 + FACE).moved(0.0, *away)
        r = module * planet / 2 * b.length
        found.append(cogwheel(turned(at, angle), r, planet, face, role="joint"))
        bolt = b.left(part.carrier, 0.3, 0.62).moved(0.0, *away)
        thick = min(SHAFT, module * planet / 2) * b.length
        found.append(
            shapes.CylinderShape(
                at=bolt, length=0.32 * b.length, diameter=thick, role="body"
            )
        )
    chi = tau / ring * (first * planet / tau - 0.5)
    rim = turned(b.left(part.ring, 0.35, 0.55), chi)
    found.append(
        gear_ring(rim, module * ring / 2 * b.length, ring, 0.2 * b.length, "drive")
    )
    arm = shapes.CylinderShape(
        at=b.left(part.carrier, 0.6, 0.66),
        length=0.06 * b.length,
        diameter=2 * (pin + 0.5 * SHAFT) * b.length,
        role="body",
        opacity=CLEAR,
    )
    return [*found, arm, b.shaft(part.carrier, 0.6, 1.0)]
