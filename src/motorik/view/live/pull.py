"""Pull: a spring between a hand and a point of a body, while a simulation runs."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, cast

import numpy as np

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.authoring import (
    Contribution,
    DeclaredPart,
    FrameForce,
    Parameter,
    Values,
    frame,
    kinds,
    parameter,
)
from motorik.components.base.ports import FramePort, Port
from motorik.system.system import System
from motorik.topology.mechanism import Placed

if TYPE_CHECKING:
    from motorik.model import Model

HAND = "pulling_hand"
STIFF = 5.0  # rate of the spring with what it moves, against that of a pendulum as large


class Pull(DeclaredPart):
    """A spring of stiffness c and a damper d from a point of a frame to a target in the world."""

    frame_a = frame("frame that is pulled")
    point: kinds.Position = parameter("point in the frame", default=(0.0, 0.0, 0.0))
    target: kinds.Position = parameter("where it is pulled to", default=(0.0, 0.0, 0.0))
    c: kinds.Stiffness = parameter("stiffness", default=0.0)
    d: kinds.Number = parameter("damping", unit="N.s/m", default=0.0)

    @staticmethod
    def law(
        p: Values, t: Scalar, motions: Sequence[tuple[Pose, Motor]]
    ) -> tuple[Motor, ...]:
        """Return the force motor on the body, resolved in its frame."""
        (X, V), point, target = motions[0], Vector.of(p.point), Vector.of(p.target)
        missed = X.R.T @ (target - X.p) - point
        force = p.c * missed - p.d * (V.moment + V.resultant.cross(point))
        return (Motor(force, point.cross(force)),)

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the force."""
        yield FrameForce(self, (self.frame_a,), p, type(self).law)


@dataclass(frozen=True)
class Pulled:
    """A copy of a model with a spring at a frame of one link, off while c and d are 0."""

    system: System
    frame: Placed

    @staticmethod
    def is_ready(system: System, link: int) -> bool:
        """Return whether the model with a spring at a link is compiled already."""
        return f"pulled {link}" in system.prepared

    @staticmethod
    def of(model: Model, system: System, link: int) -> Pulled:
        """Return the model with a spring at a link; compiled once, kept by its system."""
        key = f"pulled {link}"
        kept = system.prepared.get(key)
        if not isinstance(kept, Pulled):
            port = system.mechanism.links[link].entry
            node = system.mechanism.nodes[system.mechanism.inventory.node(port)]
            kept = Pulled(System.of(_with_spring(model, port), system.options), node)
            system.prepared[key] = kept
        return kept


def _with_spring(model: Model, port: Port) -> Model:
    """Return a copy of a model, of the same live parameters, with a spring at a port."""
    live = [*model.live_parameters().values()]
    twin = copy.deepcopy(model, {id(own): own for own in live})
    nowhere = (0.0, 0.0, 0.0)
    point, target = Parameter(nowhere), Parameter(nowhere)
    hand = Pull(point=point, target=target, c=Parameter(0.0), d=Parameter(0.0))
    setattr(twin, HAND, hand)
    own = next(p for part in twin.walk() for p in part.ports() if p.path == port.path)
    twin.connect(cast("FramePort", own), hand.frame_a)
    return twin


def stiffness_at(
    system: System, X: np.ndarray, p: np.ndarray, J: np.ndarray
) -> tuple[float, float]:
    """Return stiffness [N/m] and damping [N·s/m] that suit what a pulled point moves.

    J is how the point moves with the speeds [m]. The inertia that it feels follows from how
    the mechanism answers to forces there; it moves as a pendulum of its size times `STIFF`.
    """
    q, u, _ = system.layout.split(X)
    rest = system.forward_dynamics(q, u, np.zeros(system.n_u), p)
    answers = [J @ (system.forward_dynamics(q, u, row, p) - rest) for row in J]
    mobility = np.linalg.eigvalsh(0.5 * (np.array(answers) + np.array(answers).T))
    strongest = float(mobility[-1])
    if not strongest > 0.0:
        return 0.0, 0.0
    rate = STIFF * sqrt(9.81 / system.scales.length)
    return rate * rate / strongest, 2.0 * rate / strongest
