"""Units: the steps of the recursion over a mechanism with loops.

A unit is a link on its joint, or links that constraint rows or masses on lines couple: a
compound joint. Its links hang on one link outside of it, its base, and everything that its
rows are about moves within it. So units form a tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from motorik.dynamics.composite_body import OUTSIDE, Member
from motorik.dynamics.line_mass import FREEDOM
from motorik.topology.graph import ConnectedSets
from motorik.topology.mechanism import WORLD, CoupledMass, Link, Mechanism


@dataclass(frozen=True)
class JointUnit:
    """Links that are solved together, in the order of the tree, and the link they hang on.

    `states` and `dependent` are the numbers of its speeds; dependent ones follow by the rows
    `solved`, multipliers hold the rows `enforced`. `masses` are the numbers of those on lines
    between its links, or between them and the base.
    """

    base: int
    links: tuple[int, ...]
    states: tuple[int, ...]
    dependent: tuple[int, ...] = ()
    solved: tuple[int, ...] = ()
    enforced: tuple[int, ...] = ()
    masses: tuple[int, ...] = ()

    @property
    def is_single(self) -> bool:
        """Whether it is a link on its joint, held and moved by nothing else."""
        return not (self.solved or self.enforced or self.masses)

    @cached_property
    def speeds(self) -> tuple[int, ...]:
        """The numbers of all its speeds, in their order."""
        return tuple(sorted((*self.states, *self.dependent)))


def find_units(
    mechanism: Mechanism,
    pattern: Iterable[tuple[int, int]] = (),
    dependent: Sequence[int] = (),
    solved: Sequence[int] = (),
    enforced: Sequence[int] = (),
) -> tuple[JointUnit, ...]:
    """Return the units of a mechanism, each after the one that its base is in.

    `pattern` are the rows and speeds of entries of G.
    """
    used = {*solved, *enforced}
    touched: dict[int, set[int]] = {row: set() for row in used}
    for row, speed in pattern:
        if row in used:
            touched[row].add(mechanism.link_of_speed(speed).index)
    depth = _depths(mechanism)
    sets: ConnectedSets[int] = ConnectedSets()
    ways = [_between(mechanism, depth, links) for links in touched.values()]
    ways += [_way_of(mechanism, mass) for mass in mechanism.coupled_masses]
    for way in ways:
        for link in way:
            sets.unite(way[0], link)
    coupled = {k for members in sets.sets().values() for k in members}
    groups = [sorted(members) for members in sets.sets().values()]
    groups += [[link.index] for link in mechanism.links if link.index not in coupled]
    unit_of = {k: n for n, members in enumerate(groups) for k in members}

    def by_unit(rows_: Iterable[int]) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for row in rows_:
            if touched[row]:
                found.setdefault(unit_of[min(touched[row])], []).append(row)
        return found

    of_solved, of_enforced = by_unit(solved), by_unit(enforced)
    of_mass: dict[int, list[int]] = {}
    for k, mass in enumerate(mechanism.coupled_masses):
        of_mass.setdefault(unit_of[_way_of(mechanism, mass)[0]], []).append(k)
    following = set(dependent)
    place = {speed: n for n, speed in enumerate(dependent)}
    units = []
    for n, members in enumerate(groups):
        speeds = [u for k in members for u in mechanism.links[k].u]
        follow = sorted((u for u in speeds if u in following), key=place.__getitem__)
        units.append(
            JointUnit(
                mechanism.links[members[0]].parent,
                tuple(members),
                tuple(u for u in speeds if u not in following),
                tuple(follow),
                tuple(of_solved.get(n, ())),
                tuple(of_enforced.get(n, ())),
                tuple(of_mass.get(n, ())),
            )
        )
    return tuple(sorted(units, key=lambda unit: unit.links[0]))


def members_of(unit: JointUnit, links: Sequence[Link]) -> list[Member]:
    """Return the links of a unit, numbered within it, and after them its masses on lines."""
    at = {k: n for n, k in enumerate(unit.links)}
    place = {speed: n for n, speed in enumerate(unit.speeds)}
    found = []
    for k in unit.links:
        link = links[k]
        outside = WORLD if link.parent == WORLD else OUTSIDE
        first = place[link.u[0]] if len(link.u) else 0
        u = range(first, first + len(link.u))
        found.append(Member(at[k], at.get(link.parent, outside), u, link.armature))
    base = WORLD if unit.base == WORLD else OUTSIDE
    for n in range(len(unit.masses)):
        first = len(unit.speeds) + FREEDOM * n
        u = range(first, first + FREEDOM)
        found.append(Member(len(unit.links) + n, base, u, 0.0))
    return found


def masses_of(unit: JointUnit, masses: Sequence[CoupledMass]) -> tuple[CoupledMass, ...]:
    """Return the masses on lines of a unit, their links numbered within it."""
    at = {k: n for n, k in enumerate(unit.links)}
    found = []
    for mass in (masses[k] for k in unit.masses):
        a, b = (at.get(link, WORLD) for link in mass.links)
        found.append(replace(mass, links=(a, b)))
    return tuple(found)


def _way_of(mechanism: Mechanism, mass: CoupledMass) -> list[int]:
    """Return the links between both ends of a line and the last one that they both hang on."""
    base, found = mechanism.base_of(*mass.links), []
    for at in mass.links:
        while at != base:
            found.append(at)
            at = mechanism.links[at].parent
    return found


def _depths(mechanism: Mechanism) -> list[int]:
    depth: list[int] = []
    for link in mechanism.links:
        depth.append(0 if link.parent == WORLD else depth[link.parent] + 1)
    return depth


def _between(mechanism: Mechanism, depth: Sequence[int], links: set[int]) -> list[int]:
    """Return the links with all others between them and the last link they all hang on."""
    found = set(links)
    tips = set(links)  # one for each way towards the world that is still apart
    parents = {mechanism.links[k].parent for k in tips}
    while len(parents) > 1:
        lowest = max(parents, key=lambda k: -1 if k == WORLD else depth[k])
        found.add(lowest)
        tips = {k for k in tips if mechanism.links[k].parent != lowest} | {lowest}
        parents = {mechanism.links[k].parent for k in tips}
    return sorted(found)
