"""Guesses of quantities that are not coordinates: poses of bodies on joints, cut joints."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_by_sequence
from motorik.algebra.scalar import arctan2, cos, sin
from motorik.algebra.vector import Vector
from motorik.topology.mechanism import WORLD, NodePose

if TYPE_CHECKING:
    from motorik.algebra.scalar import Scalar
    from motorik.components.base.contributions import JointBetween, Mass
    from motorik.components.base.values import Start
    from motorik.loops.position_problem import Guess
    from motorik.motion.view import MotionView
    from motorik.topology.mechanism import Mechanism


def guesses(mechanism: Mechanism) -> list[Guess]:
    """Return the guesses given for quantities that are not coordinates."""
    roots = {id(link.root) for link in mechanism.links if link.root is not None}
    found: list[Guess] = []
    for mass in mechanism.masses:
        if id(mass) not in roots:
            found += _of_body(mass)
    for closure in mechanism.closures:
        if closure.edge is not None:
            found += _of_joint(closure.edge)
    return found


def is_guessed(mechanism: Mechanism) -> bool:
    """Return whether some position is guessed and not fixed."""
    starts = (state.start for state in mechanism.coordinates)
    return any(s.is_given and not s.is_fixed for s in starts) or bool(guesses(mechanism))


def guesses_of_links(
    mechanism: Mechanism, links: Collection[int]
) -> tuple[list[Guess], list[str]]:
    """Return the guesses of bodies on links and of cut joints between these links alone.

    Second are the units of the guessed quantities.
    """
    roots = {id(link.root) for link in mechanism.links if link.root is not None}
    found: list[Guess] = []
    units: list[str] = []
    for mass in mechanism.masses:
        at = mechanism.nodes[mechanism.inventory.node(mass.frame)].link
        if id(mass) not in roots and at in links:
            found += _of_body(mass)
            units += _units_of_body(mass)
    for closure in mechanism.closures:
        own = {end.link for end in closure.ends} - {closure.base}
        if closure.edge is not None and own and own <= set(links):
            found += _of_joint(closure.edge)
            pairs = zip(closure.edge.starts, closure.edge.joint.coordinates, strict=True)
            units += [c.unit for s, c in pairs if s.is_given and not s.is_fixed]
    return found, units


def _units_of_body(mass: Mass) -> list[str]:
    begin = mass.start
    flags = zip(begin.r_0.given_components(), begin.r_0.fixed_components(), strict=True)
    units = ["m" for given, fixed in flags if given and not fixed]
    return units + (["rad"] * 3 if begin.angles_given and not begin.angles_fixed else [])


def speed_guesses(mechanism: Mechanism) -> list[Guess]:
    """Return the guesses of speeds of bodies that joints carry."""
    roots = {id(link.root) for link in mechanism.links if link.root is not None}
    found: list[Guess] = []
    for mass in mechanism.masses:
        if id(mass) not in roots:
            port = mass.frame
            found += _of_rates(
                mass.start.v_0, lambda motion, port=port: motion.velocity_0(port)
            )
            found += _of_rates(
                mass.start.w_0,
                lambda motion, port=port: (
                    motion.pose(port).R @ motion.velocity(port).resultant
                ),
            )
    return found


def _of_rates(begin: Start, reading: Callable[[MotionView], Vector]) -> Iterator[Guess]:
    values: Sequence[float] = begin.value  # type: ignore[assignment]
    flags = zip(begin.given_components(), begin.fixed_components(), strict=True)
    wanted = [i for i, (given, fixed) in enumerate(flags) if given and not fixed]
    if wanted:
        yield lambda motion: [reading(motion).xyz[i] - values[i] for i in wanted]


def guessed_pose(mechanism: Mechanism, q: np.ndarray) -> np.ndarray:
    """Return start coordinates at which bodies are near their guessed poses.

    Each joint is fitted to the guessed pose of its body, link after link; fixed or guessed values
    of the joint itself are kept. The mechanism has numbers as constants.
    """
    q = q.copy()
    masses: dict[int, list[Mass]] = {}
    for mass in mechanism.masses:
        begin = mass.start
        if begin.angles_given or any(begin.r_0.given_components()):
            link = mechanism.nodes[mechanism.inventory.node(mass.frame)].link
            masses.setdefault(link, []).append(mass)
    for link in mechanism.links:
        own = masses.get(link.index)
        if own is None or link.edge is None or any(s.is_given for s in link.edge.starts):
            continue
        values = q.tolist()
        place = mechanism.nodes[mechanism.inventory.node(own[0].frame)]
        X = mechanism.pose_from(WORLD, place, values)
        begin = own[0].start
        R = (
            rotation_by_sequence(begin.sequence, begin.angles)
            if begin.angles_given
            else X.R
        )
        flags = zip(begin.r_0.given_components(), begin.r_0.value, X.p.xyz, strict=True)  # type: ignore[arg-type]
        p = Vector(*(float(guess if given else now) for given, guess, now in flags))
        base = mechanism.pose_from(WORLD, NodePose(link.parent, link.X_pj), values)
        X_link = base.inverse() @ Pose(R, p) @ place.X.inverse()
        q[list(link.q)] = [float(value) for value in link.joint.fit(X_link)]
    return q


def _of_body(mass: Mass) -> Iterator[Guess]:
    begin, port = mass.start, mass.frame
    r_0: Sequence[float] = begin.r_0.value  # type: ignore[assignment]
    flags = zip(begin.r_0.given_components(), begin.r_0.fixed_components(), strict=True)
    wanted = [i for i, (given, fixed) in enumerate(flags) if given and not fixed]
    if wanted:

        def place(motion: MotionView) -> list[Scalar]:
            at = motion.pose(port).p.xyz
            return [at[i] - r_0[i] for i in wanted]

        yield place
    if begin.angles_given and not begin.angles_fixed:
        from motorik.components.joints.floating import mismatch

        R = rotation_by_sequence(begin.sequence, begin.angles)
        yield lambda motion: mismatch(R, motion.pose(port).R)


def _of_joint(edge: JointBetween) -> Iterator[Guess]:
    part = edge.frame_a.owner
    table = zip(edge.names, edge.starts, edge.joint.coordinates, strict=True)
    for name, start, coordinate in table:
        if not start.is_given or start.is_fixed:
            continue
        value = float(start.value)  # type: ignore[arg-type]
        turns = coordinate.unit == "rad"

        def apart(
            motion: MotionView, name: str = name, value: float = value, turns: bool = turns
        ) -> list[Scalar]:
            gap = motion.coordinate(part, name) - value
            return [arctan2(sin(gap), cos(gap)) if turns else gap]

        yield apart
