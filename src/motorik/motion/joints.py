"""Coordinates, speeds and accelerations of joints; of cut joints from their frames."""

from __future__ import annotations

from math import tau
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, floor
from motorik.components.base.contributions import JointBetween
from motorik.components.base.part import Part
from motorik.errors import UnknownNameError
from motorik.motion.reactions import components_along
from motorik.motion.steps import radians
from motorik.topology.mechanism import Link

if TYPE_CHECKING:
    from motorik.motion.view import MotionView


def _cut(motion: MotionView, part: Part) -> JointBetween:
    closure = motion.mechanism.cut_of_part(part)
    if closure is None or closure.edge is None:
        raise UnknownNameError(part.path, "is not a joint.", "", value=part)
    return closure.edge


def joint_coordinate(motion: MotionView, part: Part, name: str) -> Scalar:
    """Return a coordinate of a joint.

    An angle of one that closes a loop is within half a turn of its reference, where there
    is one, else in (−π, π].
    """
    link = motion.mechanism.link_of_part(part)
    if link is not None:
        return radians(motion.q[link.q[_names(link)[0].index(name)]])
    edge = _cut(motion, part)
    X_ab, _ = motion.relative(edge.frame_a, edge.frame_b)
    value = edge.joint.fit(X_ab)[edge.names.index(name)]
    near = motion.near(part, name)
    return value if near is None else value + tau * floor((near - value) / tau + 0.5)


def joint_speed(motion: MotionView, part: Part, name: str) -> Scalar:
    """Return a speed of a joint."""
    link = motion.mechanism.link_of_part(part)
    if link is not None:
        return motion.u[link.u[_names(link)[1].index(name)]]
    edge = _cut(motion, part)
    X_ab, V = motion.relative(edge.frame_a, edge.frame_b)
    S = edge.joint.screws(*edge.joint.fit(X_ab))
    return components_along(S, V)[edge.speed_names.index(name)]


def joint_acceleration(motion: MotionView, part: Part, name: str) -> Scalar:
    """Return the rate of a speed of a joint."""
    link = motion.mechanism.link_of_part(part)
    if link is not None:
        return motion.known_rates[link.u[_names(link)[1].index(name)]]
    edge = _cut(motion, part)
    X_ab, V, A = motion.relative_acceleration(edge.frame_a, edge.frame_b)
    q = edge.joint.fit(X_ab)
    S = edge.joint.screws(*q)
    u = components_along(S, V)
    rates = components_along(S, A - edge.joint.bias(q, u))
    return rates[edge.speed_names.index(name)]


def _names(link: Link) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if link.edge is not None:
        return link.edge.names, link.edge.speed_names
    assert link.own is not None
    return (link.own.names[0],), (link.own.names[1],)
