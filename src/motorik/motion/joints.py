"""Coordinates, speeds and accelerations of joints, of those that close loops by their frames."""

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


def _cut(view: MotionView, part: Part) -> JointBetween:
    closure = view.mechanism.cut_of_part(part)
    if closure is None or closure.edge is None:
        raise UnknownNameError(part.path, "is not a joint.", "")
    return closure.edge


def joint_coordinate(view: MotionView, part: Part, name: str) -> Scalar:
    """Return a coordinate of a joint.

    An angle of one that closes a loop is within half a turn of its reference, where there
    is one, else in (−π, π].
    """
    link = view.mechanism.link_of_part(part)
    if link is not None:
        return radians(view.q[link.q[_names(link)[0].index(name)]])
    edge = _cut(view, part)
    X_ab, _ = view.relative(edge.frame_a, edge.frame_b)
    value = edge.joint.fit(X_ab)[edge.names.index(name)]
    near = view.near(part, name)
    return value if near is None else value + tau * floor((near - value) / tau + 0.5)


def joint_speed(view: MotionView, part: Part, name: str) -> Scalar:
    """Return a speed of a joint."""
    link = view.mechanism.link_of_part(part)
    if link is not None:
        return view.u[link.u[_names(link)[1].index(name)]]
    edge = _cut(view, part)
    X_ab, V = view.relative(edge.frame_a, edge.frame_b)
    S = edge.joint.screws(*edge.joint.fit(X_ab))
    return components_along(S, V)[edge.speed_names.index(name)]


def joint_acceleration(view: MotionView, part: Part, name: str) -> Scalar:
    """Return the rate of a speed of a joint."""
    link = view.mechanism.link_of_part(part)
    assert view.ud is not None
    if link is not None:
        return view.ud[link.u[_names(link)[1].index(name)]]
    edge = _cut(view, part)
    X_ab, V, A = view.relative_acceleration(edge.frame_a, edge.frame_b)
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
