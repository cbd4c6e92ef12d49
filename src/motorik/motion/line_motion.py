"""Position and motion of flanges from the coordinates of the mechanism."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from motorik.algebra.angle import Angle
from motorik.algebra.scalar import Scalar, add, mul
from motorik.components.base.ports import Port
from motorik.dynamics.articulated import AtOnce, Caller
from motorik.topology.mechanism import FlangeAt, Link, Mechanism

if TYPE_CHECKING:
    from motorik.motion.view import MotionView

Result = TypeVar("Result")


def flange_state(motion: MotionView, port: Port) -> tuple[Scalar, Scalar]:
    """Return position and speed of a flange."""
    at = place_of(motion.mechanism, port)
    return state_at(at, _numbers_of_coordinates(motion), motion.q, motion.u)


def flange_acceleration(motion: MotionView, port: Port) -> Scalar:
    """Return the acceleration of a flange."""
    at = place_of(motion.mechanism, port)
    if at.coordinate is None:
        return 0.0
    return mul(at.factor, motion.known_rates[at.coordinate])


def place_of(mechanism: Mechanism, port: Port) -> FlangeAt:
    """Return the place of the flange of a port."""
    return mechanism.flanges[mechanism.inventory.node(port)]


def state_at(
    at: FlangeAt,
    coordinate: dict[int, int],
    q: Sequence[Scalar],
    u: Sequence[Scalar],
    tape: Caller | None = None,
) -> tuple[Scalar, Scalar]:
    """Return position and speed of a place; a tape does the arithmetic, if there is one."""
    if at.coordinate is None:
        return at.x, 0.0
    place = q[coordinate[at.coordinate]]
    tape = tape or AtOnce()
    return tape.call(along, at.x, at.factor, place, u[at.coordinate])


def along(x: Scalar, factor: Scalar, place: Scalar, speed: Scalar) -> tuple[Scalar, Scalar]:
    """Return factor · place + x and its rate."""
    if isinstance(place, Angle):
        place = place.radians
    return add(mul(factor, place), x), mul(factor, speed)


def coordinate_numbers(links: Sequence[Link]) -> dict[int, int]:
    """Return the number of the coordinate that each speed of one-freedom links moves."""
    return {link.u[0]: link.q[0] for link in links if len(link.u) == len(link.q) == 1}


def _numbers_of_coordinates(motion: MotionView) -> dict[int, int]:
    return once_for(
        motion, "coordinates", lambda: coordinate_numbers(motion.mechanism.links)
    )


def once_for(motion: MotionView, name: str, make: Callable[[], Result]) -> Result:
    """Return a value kept for this motion, or make it."""
    known = motion.__dict__.setdefault("_of_lines", {})
    if name not in known:
        known[name] = make()
    return known[name]
