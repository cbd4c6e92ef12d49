"""Scales: lengths of the loops themselves, to which constraint violations are compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.immutable import immutable
from motorik.numerics.tolerances import ROUNDING

if TYPE_CHECKING:
    from motorik.loops.clusters import Cluster
    from motorik.loops.constraint_equations import ConstraintEquations
    from motorik.numerics.sparse_matrix import SparseMatrix
    from motorik.topology.mechanism import Mechanism, NodePose


@immutable
class Scales:
    """One length for each coordinate, speed and constraint equation that is measured in metres.

    Angles have the scale 1. Divided by their scales, coordinates and violations are pure
    numbers, the same in every system of units.
    """

    length: float  # of the mechanism as a whole [m]
    coordinates: np.ndarray
    speeds: np.ndarray
    constraints: np.ndarray

    def rounding(self, q: np.ndarray, own: np.ndarray | None = None) -> float:
        """Return the violation of closed loops that is due to rounding, as a pure number.

        With `own`, q holds only these coordinates.
        """
        unit = self.coordinates if own is None else self.coordinates[own]
        far = np.abs(q / unit)[unit != 1.0]
        return ROUNDING * float(far.max(initial=1.0))

    def matrix(self, G: np.ndarray) -> np.ndarray:
        """Return the Jacobian G without units."""
        return G * self.speeds / self.constraints[:, None]

    def sparse_matrix(self, G: SparseMatrix) -> SparseMatrix:
        """Return a sparse Jacobian G without units."""
        return G.scaled(1.0 / self.constraints, self.speeds)


def find_scales(
    mechanism: Mechanism,
    constraints: ConstraintEquations | None = None,
    clusters: Sequence[Cluster] = (),
) -> Scales:
    """Return the scales of a mechanism whose constants are numbers.

    The length of a cluster is the size of its largest body, from joint to joint. Outside of
    loops, and where a cluster has no length, it is the length of the whole mechanism.
    """
    everything = length_of(mechanism)
    of_link = dict.fromkeys(range(len(mechanism.links)), everything)
    of_closure: dict[int, float] = {}
    for cluster in clusters:
        own = _length_of_cluster(mechanism, cluster) or everything
        of_link.update(dict.fromkeys(cluster.links, own))
        of_closure.update(dict.fromkeys(cluster.closures, own))

    def lengths(states: Iterable[tuple[str, float]]) -> np.ndarray:
        return np.array([own if unit in ("m", "m/s") else 1.0 for unit, own in states])

    q = [
        (s.unit, of_link[mechanism.link_of_coordinate(k).index])
        for k, s in enumerate(mechanism.coordinates)
    ]
    u = [
        (s.unit, of_link[mechanism.link_of_speed(k).index])
        for k, s in enumerate(mechanism.speeds)
    ]
    g = [
        (
            equation.unit,
            everything if equation.closure is None else of_closure[equation.closure],
        )
        for equation in (constraints.equations if constraints is not None else ())
    ]
    return Scales(everything, lengths(q), lengths(u), lengths(g))


def length_of(mechanism: Mechanism) -> float:
    """Return the length of a whole mechanism [m]: of its parts, or of their start positions."""
    from motorik.topology.mechanism import NodePose

    lengths = [_norm(place) for place in mechanism.nodes.values()]
    lengths += [_norm(NodePose(link.parent, link.X_pj)) for link in mechanism.links]
    lengths += [
        abs(float(s.start.value))  # type: ignore[arg-type]
        for s in mechanism.coordinates
        if s.unit == "m"
    ]
    lengths += [
        abs(float(getattr(closure.constraint.residual, "length", 0.0)))
        for closure in mechanism.closures
    ]
    return max(lengths, default=0.0) or 1.0


def _length_of_cluster(mechanism: Mechanism, cluster: Cluster) -> float:
    """Return the size of the largest body of a cluster, from joint to joint [m]."""
    from motorik.topology.mechanism import WORLD, NodePose

    points: dict[int, list[np.ndarray]] = {}
    inside = {*cluster.links, cluster.root}
    for k in cluster.links:
        link = mechanism.links[k]
        points.setdefault(link.parent, []).append(_point(NodePose(link.parent, link.X_pj)))
        if link.parent != WORLD or link.edge is not None:
            points.setdefault(k, []).append(np.zeros(3))
    lengths: list[float] = []
    for k in cluster.closures:
        closure = mechanism.closures[k]
        lengths.append(abs(float(getattr(closure.constraint.residual, "length", 0.0))))
        for end in closure.ends:
            points.setdefault(end.link, []).append(_point(end))
    for body, at in points.items():
        if body in inside:
            lengths.append(float(np.linalg.norm(np.ptp(at, axis=0))))
    return max(lengths, default=0.0)


def _point(place: NodePose) -> np.ndarray:
    return np.array([float(x) for x in place.X.p.xyz])


def _norm(place: NodePose) -> float:
    return float(np.linalg.norm(_point(place)))
