"""Equal clusters: the same hinges in the same places, however they are numbered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from motorik.algebra.pose import Pose
from motorik.loops.closed_form import Hinge, Plan, holds

DIGITS = 10  # decimals to which constants agree, in units of the cluster's length
SAME = 1e-9  # how near the coordinates of samples are that are the same


@dataclass
class Twin:
    """Clusters that are equal: their plans, with the hinges and the samples these were found at.

    `root` and `hinges` are those of the cluster that asks.
    """

    root: int
    hinges: Sequence[Hinge]
    found: list[tuple[Sequence[Hinge], np.ndarray, Plan | str]] = field(
        default_factory=list
    )

    def plan_at(self, samples: np.ndarray) -> Plan | str | None:
        """Return the plan found at these samples, None if there is none."""
        for hinges, others, plan in self.found:
            is_same = samples.shape == others.shape and _near(samples, others)
            if is_same:
                return plan if isinstance(plan, str) else self._renamed(hinges, plan)
        return None

    def plan_that_holds(
        self,
        hinges: Sequence[Hinge],
        poses: Sequence[Mapping[int, Pose]],
        values: Sequence[Mapping[int, float]],
        length: float,
    ) -> Plan | None:
        """Return a plan found at other samples that holds at these as well, with good margins."""
        for others, _, plan in self.found:
            if not isinstance(plan, str):
                own = self._renamed(others, plan)
                if holds(own, poses, values, length):
                    return own
        return None

    def note(self, hinges: Sequence[Hinge], samples: np.ndarray, plan: Plan | str) -> None:
        """Keep what was found for a cluster."""
        self.found.append((hinges, samples, plan))

    def _renamed(self, hinges: Sequence[Hinge], plan: Plan) -> Plan:
        pairs = zip(hinges, self.hinges, strict=True)
        return plan.on({old.index: new for old, new in pairs}, self.root)


def _near(a: np.ndarray, b: np.ndarray) -> bool:
    return bool(np.abs(a - b).max(initial=0.0) <= SAME)


class Twins:
    """All clusters seen so far, by what makes them equal."""

    def __init__(self) -> None:
        self._known: dict[object, list[tuple[Sequence[Hinge], np.ndarray, Plan | str]]] = {}

    def of(self, root: int, hinges: Sequence[Hinge], freedom: int, length: float) -> Twin:
        """Return the clusters equal to one whose hinges are numbers."""
        key = (freedom, *_signature(root, hinges, length))
        return Twin(root, hinges, self._known.setdefault(key, []))


def _signature(
    root: int, hinges: Sequence[Hinge], length: float
) -> tuple[tuple[object, ...], bytes]:
    """Return what equal clusters share: kinds, priorities and bodies of hinges, and all constants.

    Bodies are numbered as they come; places on the root are seen from the first of them.
    """
    number = {root: 0}
    kinds: list[object] = []
    constants: list[float] = []
    origin: tuple[float, ...] | None = None
    for h in hinges:
        bodies = tuple(number.setdefault(body, len(number)) for body in (h.a, h.b))
        kinds.append((h.kind, h.state_priority, bodies))
        for body, X in zip(bodies, (h.X_a, h.X_b), strict=True):
            p = tuple(float(e) for e in X.p.xyz)
            if body == 0:
                origin = origin or p
                p = tuple(e - o for e, o in zip(p, origin, strict=True))
            constants += (float(e) for e in X.R.entries)
            constants += (e / length for e in p)
        constants += (float(e) for e in h.axis.xyz)
        constants += (float(h.offset), float(h.length) / length)
    rounded = np.round([*constants, np.log(length)], DIGITS) + 0.0
    return tuple(kinds), rounded.tobytes()
