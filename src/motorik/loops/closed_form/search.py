"""The search for a decomposition into Assur groups, with the fewest independent hinges."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import tau
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.angle import Angle
from motorik.algebra.matrix import Matrix
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.immutable import immutable
from motorik.loops.closed_form.assur_group import (
    AssurDecomposition,
    AssurGroup,
    Coordinate,
    GroupSolution,
    Hinge,
    PoseOf,
    ValueOf,
    nothing_known,
)
from motorik.loops.closed_form.branches import KnownPoses, nearest_branch, with_spherical
from motorik.loops.closed_form.chain import snapped
from motorik.loops.closed_form.planar import planar_groups
from motorik.loops.closed_form.plane import basis
from motorik.loops.closed_form.rigid_groups import FREEDOMS, HingeCluster, KnownGroups
from motorik.loops.closed_form.spatial import spatial_groups
from motorik.numerics.tolerances import BLURRED_MARGIN, CLOSED_FORM_FITS, DEAD_CENTRE_MARGIN

if TYPE_CHECKING:
    from typing_extensions import Self


# --- a hinge between two known bodies -----------------------------------------------------


@immutable
class ClosingJoint(AssurGroup):
    """An R or P hinge between two known bodies.

    tan(q + offset) = (e₂ · R_ab e₁) / (e₁ · R_ab e₁) with e₁ × e₂ the axis; q = axis · p_ab.
    """

    hinge: Hinge
    across: tuple[Vector, Vector]

    label = "closing joint"

    @property
    def hinges(self) -> tuple[int, ...]:
        """The hinge."""
        return (self.hinge.index,)

    @property
    def bodies(self) -> tuple[int, ...]:
        """Its two bodies."""
        return (self.hinge.a, self.hinge.b)

    def solve(
        self, pose: PoseOf, branch: Scalar, coordinate: ValueOf = nothing_known
    ) -> GroupSolution:
        """Return its coordinate."""
        h = self.hinge
        X_ra, X_rb = pose(h.a) @ h.X_a, pose(h.b) @ h.X_b
        if h.kind == "P":
            return GroupSolution({h.index: (X_ra.R @ h.axis).dot(X_rb.p - X_ra.p)})
        e1, e2 = self.across
        turned = X_ra.R.T @ (X_rb.R @ e1)
        return GroupSolution({h.index: h.coordinate(e2.dot(turned), e1.dot(turned))})

    def with_hinges(self, table: Mapping[int, Hinge]) -> Self:
        """Return the same group on another hinge, looked up by the index of its own."""
        return replace(self, hinge=table[self.hinge.index])


def closing_joints(layout: KnownGroups) -> Iterator[AssurGroup]:
    """Yield a group for each unknown R or P hinge between two known bodies."""
    for hinge in layout.unknown:
        if layout.is_placed(hinge.a) and layout.is_placed(hinge.b):
            yield ClosingJoint(hinge, basis(snapped(hinge.axis)))


# --- range of the crank -------------------------------------------------------------------


SAMPLES = 48
NEAR_DEAD_CENTRE = 1e-3


def turns_fully(cluster: HingeCluster, crank: int, groups: Sequence[AssurGroup]) -> bool:
    """Return whether no group meets its dead centre on a full rotation of the hinge `crank`.

    All groups stay on the branches of the first assembled pose. False for a prismatic hinge.
    """
    if cluster.hinges[crank].kind != "R":
        return False
    values, pose = cluster.values[0], cluster.poses[0].__getitem__
    start = values[crank]
    assert not isinstance(start, Matrix)
    turn = Angle(start + np.linspace(0.0, tau, SAMPLES, endpoint=False))
    walk = KnownPoses(cluster.root, cluster.hinges.values(), {crank: turn})
    with np.errstate(all="ignore"):
        for group in groups:
            branch, _, _ = nearest_branch(group, values, pose)
            solution = walk.solve(group, branch)
            if not np.all(solution.margin > NEAR_DEAD_CENTRE):
                return False
            walk.learn(solution)
    return True


NODES = 300
"""How many sets of assumed hinges are tried at most, with and then without preferred states."""

GOOD = 0.02
"""A margin (sin² of an angle, 8°) at which a decomposition is accepted at once."""


EFFORT = 60
"""How many groups of decompositions are compared at most, once a decomposition is found."""


FINDERS: tuple[Callable[[KnownGroups], Iterator[AssurGroup]], ...] = (
    closing_joints,
    planar_groups,
    spatial_groups,
)
"""The kinds of groups, in the order in which they are tried."""


def find_decomposition(
    root: int,
    hinges: Sequence[Hinge],
    poses: Sequence[Mapping[int, Pose]],
    values: Sequence[Mapping[int, float]],
    freedom: int,
    numbers: Callable[[Scalar], float] = float,
    balls: bool = False,
    length: float = 1.0,
) -> AssurDecomposition | str:
    """Return the decomposition of a cluster into Assur groups, or the reason why there is none.

    `poses` are assembled poses of all bodies seen from the body `root`, `values` the
    coordinates there and `freedom` the number of independent coordinates. `numbers` gives
    the values of symbols in the hinges' constants. With `balls` a spherical hinge may stay
    independent too, with its three freedoms. All lengths are in units of `length` [m].
    """
    others = [str(hinge) for hinge in hinges if hinge.kind == "O"]
    if others:
        return f"there is no closed form with {_listed(others)}"
    numeric = [_numeric(hinge, numbers) for hinge in hinges]
    table, poses, known = _in_units(numeric, poses, values, length)
    search = _DecompositionSearch(HingeCluster(root, table, poses, known), freedom, balls)
    search.run()
    if search.best is None:
        return search.reason
    groups = tuple(group.in_units(length) for group in search.best.groups)
    decomposition = AssurDecomposition(
        search.best.independent, groups, root, tuple(table.values())
    )
    return decomposition.with_hinges(list(hinges))


def holds(
    decomposition: AssurDecomposition,
    poses: Sequence[Mapping[int, Pose]],
    values: Sequence[Mapping[int, float]],
    length: float = 1.0,
) -> bool:
    """Return whether a decomposition closes a cluster at assembled poses, with good margins.

    The arguments are those of `find_decomposition`.
    """
    table, poses, known = _in_units(decomposition.hinges, poses, values, length)
    for group in decomposition.groups:
        plain = group.in_units(1.0 / length).with_hinges(table)
        seen = [
            nearest_branch(plain, at, X.__getitem__)[1:]
            for at, X in zip(known, poses, strict=True)
        ]
        gap, margin = seen[0]
        if gap > CLOSED_FORM_FITS or margin < GOOD or not _hold_elsewhere(seen):
            return False
    return True


def _numeric(hinge: Hinge, numbers: Callable[[Scalar], float]) -> Hinge:
    """Return the hinge with numbers for its symbols."""

    def present(X: Pose) -> Pose:
        return Pose(X.R.map(numbers), X.p.map(numbers))

    return replace(
        hinge,
        X_a=present(hinge.X_a),
        X_b=present(hinge.X_b),
        axis=hinge.axis.map(numbers),
        offset=numbers(hinge.offset),
        length=numbers(hinge.length),
    )


def _in_units(
    hinges: Sequence[Hinge],
    poses: Sequence[Mapping[int, Pose]],
    values: Sequence[Mapping[int, float]],
    length: float,
) -> tuple[dict[int, Hinge], list[dict[int, Pose]], list[dict[int, Coordinate]]]:
    """Return hinges, poses and coordinates, those of spherical hinges too, in units of a length."""

    def shrunk(X: Pose) -> Pose:
        return Pose(X.R, X.p / length)

    table = {
        h.index: replace(h, X_a=shrunk(h.X_a), X_b=shrunk(h.X_b), length=h.length / length)
        for h in hinges
    }
    slides = {h.index for h in hinges if h.kind == "P"}
    small = [{body: shrunk(X) for body, X in at.items()} for at in poses]
    known = []
    for at, X in zip(values, small, strict=True):
        own = {h: x / length if h in slides else x for h, x in at.items()}
        known.append(with_spherical(own, table.values(), X))
    return table, small, known


def _hold_elsewhere(seen: Sequence[tuple[float, float]]) -> bool:
    """Return whether a group holds at all poses after the first, by deviations and margins.

    Poses at dead centres are ignored.
    """
    return not any(
        gap > CLOSED_FORM_FITS and abs(margin) > BLURRED_MARGIN for gap, margin in seen[1:]
    )


@immutable
class _Candidate:
    """A decomposition that was found: independent hinges, groups, smallest margin.

    `is_crank`: the single independent hinge can rotate fully.
    """

    independent: tuple[int, ...]
    groups: tuple[AssurGroup, ...]
    priorities: tuple[int, ...]
    is_crank: bool
    margin: float

    @property
    def merit(self) -> tuple[object, ...]:
        """The order of preference: preferred states, distance from dead centres, few groups."""
        branched_groups = sum(group.n_branches > 1 for group in self.groups)
        margin = min(self.margin, GOOD)
        return self.priorities, self.is_crank, margin, -branched_groups, -len(self.groups)


@dataclass
class _DecompositionSearch:
    """A depth-first search over sets of independent hinges, preferred ones first."""

    cluster: HingeCluster
    freedom: int
    balls: bool
    best: _Candidate | None = None
    reason: str = ""
    nodes: int = 0
    effort: int = 0
    uses_priorities: bool = True
    tried: set[frozenset[int]] = field(default_factory=set)
    least_left: int | None = None

    def run(self) -> None:
        """Search with priorities of states, then without."""
        for self.uses_priorities in (True, False):
            self._explore(KnownGroups(self.cluster), (), (), 1.0)
            if self.best is not None:
                break
            self.tried.clear()
            self.nodes = 0

    def _explore(
        self,
        layout: KnownGroups,
        assumed: tuple[int, ...],
        groups: tuple[AssurGroup, ...],
        margin: float,
    ) -> bool:
        """Split off Assur groups, then assume one more hinge; return whether to stop."""
        self.nodes += 1
        while (found := self._next_group(layout)) is not None:
            group, at = found
            groups, margin = (*groups, group), min(margin, at)
            layout = layout.with_known(group.hinges, group.placed)
        if layout.is_complete:
            return self._judge(assumed, groups, margin)
        self._remember_failure(layout)
        left = self.freedom - self._freedoms(assumed)
        for hinge in self._wanted(layout, assumed):
            onward = frozenset((*assumed, hinge.index))
            is_new = onward not in self.tried and self.nodes < NODES
            if not is_new or FREEDOMS[hinge.kind] > left:
                continue
            self.tried.add(onward)
            more = layout.with_known([hinge.index])
            if self._explore(more, (*assumed, hinge.index), groups, margin):
                return True
        return False

    def _next_group(self, layout: KnownGroups) -> tuple[AssurGroup, float] | None:
        """Return the next group that holds at all assembled poses, with its margin."""
        for finder in FINDERS:
            for group in finder(layout):
                margin = self._margin(group)
                if margin is not None:
                    return group, margin
        return None

    def _margin(self, group: AssurGroup) -> float | None:
        """Return the margin of a group at the first pose, or None where it does not hold."""
        seen = [
            nearest_branch(group, values, poses.__getitem__)[1:]
            for values, poses in zip(self.cluster.values, self.cluster.poses, strict=True)
        ]
        if not _hold_elsewhere(seen):
            return None
        gap, margin = seen[0]
        return margin if gap <= CLOSED_FORM_FITS and margin >= DEAD_CENTRE_MARGIN else None

    def _freedoms(self, assumed: Sequence[int]) -> int:
        return sum(FREEDOMS[self.cluster.hinges[i].kind] for i in assumed)

    def _wanted(self, layout: KnownGroups, assumed: Sequence[int]) -> list[Hinge]:
        """Return the hinges that may be assumed, preferred ones first.

        Hinges on known bodies come first, among these the ones next to the hinge assumed last;
        spherical hinges come after R and P hinges.
        """
        last = [self.cluster.hinges[i] for i in assumed[-1:]]
        tips = {body for hinge in last for body in (hinge.a, hinge.b)}

        def rank(hinge: Hinge) -> tuple[int, bool, bool, bool, int]:
            is_near = layout.is_placed(hinge.a) or layout.is_placed(hinge.b)
            goes_on = hinge.a in tips or hinge.b in tips
            is_ball = hinge.kind == "S"
            priority = hinge.state_priority if self.uses_priorities else 0
            return -priority, not is_near, not goes_on, is_ball, hinge.index

        balls = layout.open_spherical if self.balls else []
        return sorted((*layout.unknown, *balls), key=rank)

    def _judge(
        self, assumed: tuple[int, ...], groups: tuple[AssurGroup, ...], margin: float
    ) -> bool:
        """Keep a decomposition if it is the best so far; return whether none can be better."""
        free = self._freedoms(assumed)
        if free != self.freedom:
            self.reason = (
                f"with closed forms the freedom is {free}, "
                f"but that of the loops is {self.freedom}"
            )
            return False
        priorities = sorted(
            (self.cluster.hinges[i].state_priority for i in assumed), reverse=True
        )
        others = (h for h in self.cluster.hinges.values() if h.index not in assumed)
        highest = max((h.state_priority for h in others if h.has_coordinate), default=-1)
        lowest = min(priorities, default=highest)
        is_choice = len(assumed) == 1 and lowest == highest
        is_crank = not is_choice or turns_fully(self.cluster, assumed[0], groups)
        candidate = _Candidate(assumed, groups, tuple(priorities), is_crank, margin)
        if self.best is None or candidate.merit > self.best.merit:
            self.best = candidate
        self.effort += len(groups)
        is_safe = margin >= GOOD and is_crank
        return (lowest >= highest and is_safe) or self.effort > EFFORT

    def _remember_failure(self, layout: KnownGroups) -> None:
        """Store the hinges that remain where the search comes nearest to an end."""
        left = [str(hinge) for hinge in layout.unknown]
        if self.least_left is None or len(left) < self.least_left:
            self.least_left = len(left)
            self.reason = (
                "no planar dyad and no spatial chain with a closed form is among "
                + _listed(left or [str(h) for h in self.cluster.hinges.values()])
            )


def _listed(names: Sequence[str]) -> str:
    """Return names separated by commas, at most eight of them."""
    shown = [*names[:8], "…"] if len(names) > 8 else list(names)
    return ", ".join(shown)
