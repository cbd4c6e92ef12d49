"""Units: the steps of the recursion over a mechanism with loops.

A unit is a link on its joint, or links that constraint rows couple: a compound joint. Its
links hang on one link outside of it, its base, and everything that its rows are about moves
within it. Units therefore form a tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from motorik.dynamics.composite_body import OUTSIDE, Member
from motorik.loops.rows import ConstraintRows
from motorik.topology.graph import ConnectedSets
from motorik.topology.mechanism import WORLD, Link, Mechanism


@dataclass(frozen=True)
class Unit:
    """Links that are solved together, in the order of the tree, and the link they hang on.

    `states` and `dependent` are the numbers of its speeds; dependent ones follow by the rows
    `solved`, multipliers hold the rows `enforced`.
    """

    base: int
    links: tuple[int, ...]
    states: tuple[int, ...]
    dependent: tuple[int, ...] = ()
    solved: tuple[int, ...] = ()
    enforced: tuple[int, ...] = ()

    @property
    def is_single(self) -> bool:
        """Whether it is a link on its joint, held by nothing else."""
        return not (self.solved or self.enforced)

    @cached_property
    def speeds(self) -> tuple[int, ...]:
        """The numbers of all its speeds, in their order."""
        return tuple(sorted((*self.states, *self.dependent)))


def find_units(
    mechanism: Mechanism,
    rows: ConstraintRows,
    dependent: Sequence[int],
    solved: Sequence[int],
    enforced: Sequence[int],
) -> tuple[Unit, ...]:
    """Return the units of a mechanism, each after the one that its base is in."""
    used = {*solved, *enforced}
    touched: dict[int, set[int]] = {row: set() for row in used}
    for row, speed in rows.pattern:
        if row in used:
            touched[row].add(mechanism.link_of_speed(speed).index)
    depth = _depths(mechanism)
    sets: ConnectedSets[int] = ConnectedSets()
    for links in touched.values():
        way = _between(mechanism, depth, links)
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
    following = set(dependent)
    place = {speed: n for n, speed in enumerate(dependent)}
    units = []
    for n, members in enumerate(groups):
        speeds = [u for k in members for u in mechanism.links[k].u]
        follow = sorted((u for u in speeds if u in following), key=place.__getitem__)
        units.append(
            Unit(
                mechanism.links[members[0]].parent,
                tuple(members),
                tuple(u for u in speeds if u not in following),
                tuple(follow),
                tuple(of_solved.get(n, ())),
                tuple(of_enforced.get(n, ())),
            )
        )
    return tuple(sorted(units, key=lambda unit: unit.links[0]))


def members_of(unit: Unit, links: Sequence[Link]) -> list[Member]:
    """Return the links of a unit, numbered within it."""
    at = {k: n for n, k in enumerate(unit.links)}
    place = {speed: n for n, speed in enumerate(unit.speeds)}
    found = []
    for k in unit.links:
        link = links[k]
        outside = WORLD if link.parent == WORLD else OUTSIDE
        first = place[link.u[0]] if len(link.u) else 0
        u = range(first, first + len(link.u))
        found.append(Member(at[k], at.get(link.parent, outside), u, link.armature))
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
