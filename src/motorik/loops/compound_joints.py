"""Compound joints: the nodes of the recursion over a mechanism with loops.

A compound joint is a single link on its joint, or a set of links coupled by constraint
equations or by masses on lines. Its links are mounted on one link outside of it, its base,
and all its constraints involve its own links only. Compound joints therefore form a tree
(Featherstone's and Jain's aggregation of loops into nodes of a tree).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from motorik.algebra.scalar import Scalar, add, div, is_structural, mul, neg, sub
from motorik.dynamics.block_triangular import MatrixBlock
from motorik.dynamics.composite_body import OUTSIDE, Member
from motorik.dynamics.compound import Reduction
from motorik.dynamics.line_mass import FREEDOM
from motorik.dynamics.sparse import SquareFactors
from motorik.immutable import immutable
from motorik.numerics.tolerances import ELIMINATION_RESIDUAL, TINY_SQUARE
from motorik.topology.graph import ConnectedSets
from motorik.topology.mechanism import WORLD, CoupledMass, Link, Mechanism


@immutable
class CompoundJoint:
    """Links that are solved together, in the order of the tree, and their base.

    `states` and `dependent` are the numbers of its speeds; the constraint equations `solved`
    give the dependent ones, those `with_multiplier` are enforced by multipliers. `masses` are
    the numbers of the masses on lines between its links, or between a link and the base.
    """

    base: int
    links: tuple[int, ...]
    states: tuple[int, ...]
    dependent: tuple[int, ...] = ()
    solved: tuple[int, ...] = ()
    with_multiplier: tuple[int, ...] = ()
    masses: tuple[int, ...] = ()

    @property
    def is_single(self) -> bool:
        """Whether it is one link on its joint, without constraints and masses on lines."""
        return not (self.solved or self.with_multiplier or self.masses)

    @cached_property
    def speeds(self) -> tuple[int, ...]:
        """The numbers of all its speeds, in their order."""
        return tuple(sorted((*self.states, *self.dependent)))


def find_compound_joints(
    mechanism: Mechanism,
    pattern: Iterable[tuple[int, int]] = (),
    dependent: Sequence[int] = (),
    solved: Sequence[int] = (),
    with_multiplier: Sequence[int] = (),
) -> tuple[CompoundJoint, ...]:
    """Return the compound joints of a mechanism, each after the one that contains its base.

    `pattern` are the rows (constraint equations) and columns (speeds) of the entries of G.
    """
    used = {*solved, *with_multiplier}
    touched: dict[int, set[int]] = {k: set() for k in used}
    for k, speed in pattern:
        if k in used:
            touched[k].add(mechanism.link_of_speed(speed).index)
    depth = _depths(mechanism)
    sets: ConnectedSets[int] = ConnectedSets()
    paths = [_between(mechanism, depth, links) for links in touched.values()]
    paths += [_links_of_mass(mechanism, mass) for mass in mechanism.coupled_masses]
    for path in paths:
        for link in path:
            sets.unite(path[0], link)
    coupled = {k for members in sets.sets().values() for k in members}
    groups = [sorted(members) for members in sets.sets().values()]
    groups += [[link.index] for link in mechanism.links if link.index not in coupled]
    compound_of = {k: n for n, members in enumerate(groups) for k in members}

    def by_compound(constraints: Iterable[int]) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for constraint in constraints:
            if touched[constraint]:
                own = compound_of[min(touched[constraint])]
                found.setdefault(own, []).append(constraint)
        return found

    of_solved, of_multipliers = by_compound(solved), by_compound(with_multiplier)
    of_mass: dict[int, list[int]] = {}
    for k, mass in enumerate(mechanism.coupled_masses):
        of_mass.setdefault(compound_of[_links_of_mass(mechanism, mass)[0]], []).append(k)
    following = set(dependent)
    place = {speed: n for n, speed in enumerate(dependent)}
    compounds = []
    for n, members in enumerate(groups):
        speeds = [u for k in members for u in mechanism.links[k].u]
        follow = sorted((u for u in speeds if u in following), key=place.__getitem__)
        compounds.append(
            CompoundJoint(
                mechanism.links[members[0]].parent,
                tuple(members),
                tuple(u for u in speeds if u not in following),
                tuple(follow),
                tuple(of_solved.get(n, ())),
                tuple(of_multipliers.get(n, ())),
                tuple(of_mass.get(n, ())),
            )
        )
    return tuple(sorted(compounds, key=lambda compound: compound.links[0]))


def members_of(compound: CompoundJoint, links: Sequence[Link]) -> list[Member]:
    """Return the links of a compound joint, numbered locally, then its masses on lines."""
    at = {k: n for n, k in enumerate(compound.links)}
    place = {speed: n for n, speed in enumerate(compound.speeds)}
    found = []
    for k in compound.links:
        link = links[k]
        outside = WORLD if link.parent == WORLD else OUTSIDE
        first = place[link.u[0]] if len(link.u) else 0
        u = range(first, first + len(link.u))
        found.append(Member(at[k], at.get(link.parent, outside), u, link.armature))
    base = WORLD if compound.base == WORLD else OUTSIDE
    for n in range(len(compound.masses)):
        first = len(compound.speeds) + FREEDOM * n
        u = range(first, first + FREEDOM)
        found.append(Member(len(compound.links) + n, base, u, 0.0))
    return found


def masses_of(
    compound: CompoundJoint, masses: Sequence[CoupledMass]
) -> tuple[CoupledMass, ...]:
    """Return the masses on lines of a compound joint, their links numbered locally."""
    at = {k: n for n, k in enumerate(compound.links)}
    found = []
    for mass in (masses[k] for k in compound.masses):
        a, b = (at.get(link, WORLD) for link in mass.links)
        found.append(replace(mass, links=(a, b)))
    return tuple(found)


def _links_of_mass(mechanism: Mechanism, mass: CoupledMass) -> list[int]:
    """Return the links between both ends of a line and their last common ancestor."""
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
    """Return the links and all links between them and their last common ancestor."""
    found = set(links)
    tips = set(links)  # of the paths towards the world that have not met yet
    parents = {mechanism.links[k].parent for k in tips}
    while len(parents) > 1:
        lowest = max(parents, key=lambda k: -1 if k == WORLD else depth[k])
        found.add(lowest)
        tips = {k for k in tips if mechanism.links[k].parent != lowest} | {lowest}
        parents = {mechanism.links[k].parent for k in tips}
    return sorted(found)


# --- dependent speeds ----------------------------------------------------------------------


class DependentSpeeds:
    """The dependent speeds of a compound joint at one pose.

    u_D = J u_S + w and u̇_D = J u̇_S + d, from the solved constraints G_D u_D = −G_S u_S − a₀.
    `rows` are rows of G, by equation and speed; `blocks` are the block-triangular form of G_D.
    """

    def __init__(
        self,
        compound: CompoundJoint,
        rows: Mapping[int, Mapping[int, Scalar]],
        blocks: Sequence[MatrixBlock],
    ) -> None:
        self.compound, self._rows, self._blocks = compound, rows, blocks

    @cached_property
    def solver(self) -> SquareFactors:
        """The factors of G_D: solved constraints by dependent speeds."""
        at_speed = {speed: j for j, speed in enumerate(self.compound.dependent)}
        entries = {
            (i, at_speed[speed]): value
            for i, k in enumerate(self.compound.solved)
            for speed, value in self._rows[k].items()
            if speed in at_speed
        }
        return SquareFactors(entries, self._blocks)

    def _dependent(
        self, speeds: Mapping[int, Scalar], known: Sequence[Scalar]
    ) -> list[Scalar]:
        """Return u_D with G_D u_D = −G_S u_S − known, in the order of `solved`."""
        right = [neg(value) for value in known]
        for i, k in enumerate(self.compound.solved):
            for speed, value in self._rows[k].items():
                if speed in speeds:
                    right[i] = sub(right[i], mul(value, speeds[speed]))
        return self.solver.solve(right)

    @cached_property
    def jacobian(self) -> dict[int, dict[int, Scalar]]:
        """J, by speed, then by local number of the state."""
        compound = self.compound
        J: dict[int, dict[int, Scalar]] = {
            speed: {s: 1.0} for s, speed in enumerate(compound.states)
        }
        J.update({speed: {} for speed in compound.dependent})
        touched = {speed for k in compound.solved for speed in self._rows[k]}
        nothing = [0.0] * len(compound.solved)
        for s, speed in enumerate(compound.states):
            if speed not in touched:
                continue
            column = self._dependent({speed: 1.0}, nothing)
            for d, value in zip(compound.dependent, column, strict=True):
                if not is_structural(value, 0.0):
                    J[d][s] = value
        return J

    def speeds(
        self, states: Sequence[Scalar], moved: Sequence[Scalar]
    ) -> dict[int, Scalar]:
        """Return the dependent speeds; `moved` is a₀ of the solved constraints."""
        compound = self.compound
        if not compound.solved:
            return {}
        if len(compound.states) == 1 and all(is_structural(value, 0.0) for value in moved):
            J = self.jacobian
            return {d: mul(J[d].get(0, 0.0), states[0]) for d in compound.dependent}
        given = dict(zip(compound.states, states, strict=True))
        return dict(zip(compound.dependent, self._dependent(given, moved), strict=True))

    def drift(self, bias: Sequence[Scalar]) -> dict[int, Scalar]:
        """Return d for the bias γ of the solved constraints."""
        if not self.compound.solved:
            return {}
        return dict(zip(self.compound.dependent, self._dependent({}, bias), strict=True))

    def fault(
        self,
        rates: Mapping[int, Scalar],
        bias: Sequence[Scalar],
        of_speed: Mapping[int, Scalar],
        of_constraint: Sequence[Scalar],
    ) -> Scalar:
        """Return the relative residual of the solved constraints; 1 is the limit of the audit.

        The entries of G, not their factors, are multiplied with the rates of all speeds, and with
        the columns of J, summed with different weights. `bias` is γ of the solved constraints;
        `of_speed` and `of_constraint` are the reciprocals of scales.
        """
        if not self.compound.solved:
            return 0.0
        given = {
            k: div(1.0 + 0.1 * s, of_speed[k]) for s, k in enumerate(self.compound.states)
        }
        moved: dict[int, Scalar] = dict(given)
        for speed in self.compound.dependent:
            value: Scalar = 0.0
            for s, factor in self.jacobian[speed].items():
                value = add(value, mul(factor, given[self.compound.states[s]]))
            moved[speed] = value
        still = [0.0] * len(bias)
        return add(
            self._missed(rates, bias, of_speed, of_constraint),
            self._missed(moved, still, of_speed, of_constraint),
        )

    def _missed(
        self,
        speeds: Mapping[int, Scalar],
        bias: Sequence[Scalar],
        of_speed: Mapping[int, Scalar],
        of_constraint: Sequence[Scalar],
    ) -> Scalar:
        """Return |G u + γ|² of the solved constraints, relative to u and γ."""
        missed: Scalar = 0.0
        size: Scalar = TINY_SQUARE
        touched: set[int] = set()
        for k, known, factor in zip(self.compound.solved, bias, of_constraint, strict=True):
            total = known
            for speed, value in self._rows[k].items():
                total = add(total, mul(value, speeds[speed]))
                touched.add(speed)
            off, own = mul(factor, total), mul(factor, known)
            missed = add(missed, mul(off, off))
            size = add(size, mul(own, own))
        for speed in sorted(touched):
            own = mul(of_speed[speed], speeds[speed])
            size = add(size, mul(own, own))
        return div(missed, mul(ELIMINATION_RESIDUAL * ELIMINATION_RESIDUAL, size))

    def reduced_row(self, constraint: int) -> dict[int, Scalar]:
        """Return a row of Ḡ = G J, by local number of the state."""
        result: dict[int, Scalar] = {}
        for speed, value in self._rows.get(constraint, {}).items():
            for s, factor in self.jacobian[speed].items():
                result[s] = add(result.get(s, 0.0), mul(value, factor))
        return result

    def local_jacobian(self) -> dict[int, dict[int, Scalar]]:
        """Return J with speeds numbered locally."""
        return {n: self.jacobian[speed] for n, speed in enumerate(self.compound.speeds)}

    def reduction(
        self, drift: Mapping[int, Scalar], with_multiplier: Sequence[Scalar]
    ) -> Reduction:
        """Return J, d and the constraints with multipliers, numbered locally.

        `with_multiplier` are the terms of these constraints besides G u̇: the bias γ and the terms
        of Baumgarte's stabilisation.
        """
        compound = self.compound
        place = {speed: n for n, speed in enumerate(compound.speeds)}
        needed: list[Scalar] = []
        for k, bias in zip(compound.with_multiplier, with_multiplier, strict=True):
            total = bias
            for speed, value in self._rows.get(k, {}).items():
                if speed in drift:
                    total = add(total, mul(value, drift[speed]))
            needed.append(neg(total))
        return Reduction(
            self.local_jacobian(),
            {place[speed]: value for speed, value in drift.items()},
            [self.reduced_row(k) for k in compound.with_multiplier],
            needed,
            len(compound.states),
        )
