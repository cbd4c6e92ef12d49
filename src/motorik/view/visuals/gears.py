"""Gears: wheels whose teeth mesh: as many on each as its radius says, in one pitch."""

from __future__ import annotations

from math import atan2, pi

from motorik.algebra.rotation import rotation_about
from motorik.algebra.vector import X as ALONG
from motorik.view.scene.place import ScenePose
from motorik.view.scene.shapes import Gearwheel
from motorik.view.visuals.setting import Setting

FEWEST, MOST, ALL = 18, 40, 200  # teeth of the smallest wheel, and of the largest


def teeth_of(*radii: float) -> list[int]:
    """Return how many teeth wheels of these radii have, so that all have one pitch.

    The smallest wheel has as many as fit best: the numbers are whole, their ratios nearly those
    of the radii.

    >>> teeth_of(0.1, 0.2), teeth_of(1.0, 1.5, 4.0)
    ([18, 36], [18, 27, 72])
    """
    small = min(radii)
    ratios = [radius / small for radius in radii]
    most = min(MOST, max(FEWEST, int(ALL / max(ratios))))

    def miss(count: int) -> float:
        wanted = [count * ratio for ratio in ratios]
        return max(abs(one - round(one)) / one for one in wanted)

    best = min(range(FEWEST, most + 1), key=lambda count: (round(miss(count), 4), count))
    return [round(best * ratio) for ratio in ratios]


def cogwheel(
    at: ScenePose,
    radius: float,
    teeth: int,
    face: float,
    inner: float = 0.0,
    role: str = "joint",
    opacity: float = 1.0,
) -> Gearwheel:
    """Return a wheel of a pitch radius [m]: its teeth stand out by a module, 2 r / z."""
    tip = 2 * radius * (teeth + 2) / teeth
    style = {"role": role, "opacity": opacity}
    return Gearwheel(at=at, length=face, diameter=tip, inner=inner, teeth=teeth, **style)


def gear_ring(
    at: ScenePose, radius: float, teeth: int, face: float, role: str = "joint"
) -> Gearwheel:
    """Return a ring of a pitch radius [m] whose teeth point inward by a module, 2 r / z."""
    module = 2 * radius / teeth
    rim = max(1.25 * module, 0.12 * radius)  # beyond the roots of the teeth
    outer, heads = 2 * radius + 2.5 * module + 2 * rim, 2 * radius - 2 * module
    sizes = {"length": face, "diameter": outer, "inner": heads, "teeth": teeth}
    return Gearwheel(at=at, **sizes, internal=True, role=role)


def turned(at: ScenePose, angle: float) -> ScenePose:
    """Return a place turned about its x axis by an angle [rad]."""
    return at.turned(rotation_about(ALONG, angle))


def aimed(s: Setting, at: ScenePose, other: ScenePose, turn: float = 0.0) -> ScenePose:
    """Return a place turned about its x axis so that at the start its y axis points at another.

    A tooth is there; a `turn` [rad] more, of half a tooth, brings a gap.
    """
    away = s.places.pose_now(at).inverse()(s.places.pose_now(other).p)
    angle = atan2(float(away.z), float(away.y)) + turn
    return turned(at, angle)


def half_tooth(teeth: int) -> float:
    """Return half the angle of a tooth and its gap [rad]."""
    return pi / teeth
