"""The mechanisms of the benchmarks as plain numbers, the same for everybody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
ORIGIN = (0.0, 0.0, 0.0)


class Link(NamedTuple):
    """A body and the joint that carries it.

    The joint frame sits at `p` [m] with axes `R` (columns, seen from the parent) in the
    parent's joint frame, index `parent` or -1 for the world. `axis` is the unit vector of a
    revolute joint, None for six free coordinates. `m` [kg], centre of mass `c` [m] and
    inertia `I` about it [kg m²] are resolved in the frame behind the joint.
    """

    parent: int
    axis: tuple[float, float, float] | None
    p: Array
    R: Array
    m: float
    c: Array
    I: Array


class Tree(NamedTuple):
    """A named tree of links under uniform gravity `g` [m/s²], a vector in world axes."""

    name: str
    links: tuple[Link, ...]
    g: tuple[float, float, float]

    @property
    def nq(self) -> int:
        """Number of position coordinates: 1 for a revolute, 7 for a free joint."""
        return sum(1 if link.axis else 7 for link in self.links)

    @property
    def nv(self) -> int:
        """Number of velocities: 1 for a revolute, 6 for a free joint."""
        return sum(1 if link.axis else 6 for link in self.links)

    def blocks(self) -> Iterator[tuple[Link, slice, slice]]:
        """Yield every link with the places of its coordinates in q and in v."""
        i = j = 0
        for link in self.links:
            nq, nv = (1, 1) if link.axis else (7, 6)
            yield link, slice(i, i + nq), slice(j, j + nv)
            i, j = i + nq, j + nv


class Samples(NamedTuple):
    """States at which forward dynamics is evaluated, one per row.

    A free joint has q = (position, quaternion x y z w) and v = (linear, angular velocity),
    both resolved in the body.
    """

    q: Array
    v: Array
    tau: Array


class Fall(NamedTuple):
    """A tree released at rest at `q0`; `end` is (q, v) after `duration` [s].

    The end states come from Taylor series in 128-bit arithmetic; they are good to 1e-10,
    since a rounding of the model's constants already moves them by 2e-11.
    """

    name: str
    tree: Tree
    q0: Array
    duration: float
    end: Array


def make_link(parent, axis, p, m, c, inertia, R=None) -> Link:
    """Return a link; `inertia` holds the diagonal or the full matrix."""
    inertia = np.asarray(inertia, float)
    return Link(
        parent,
        axis,
        np.asarray(p, float),
        np.eye(3) if R is None else np.asarray(R, float),
        float(m),
        np.asarray(c, float),
        np.diag(inertia) if inertia.ndim == 1 else inertia,
    )


def make_chain(n: int) -> Tree:
    """Return n slender rods of 1 m and 1 kg in a vertical plane, horizontal at q = 0."""
    rod = (0.001, 1 / 12, 1 / 12)
    links = [
        make_link(i - 1, Z, X if i else ORIGIN, 1.0, (0.5, 0, 0), rod) for i in range(n)
    ]
    return Tree(f"chain{n}", tuple(links), (0.0, -9.81, 0.0))


def make_manipulator() -> Tree:
    """Return the six-axis arm that Pinocchio ships as its sample manipulator."""
    hub, arm, half = [0.01] * 3, [1.0] * 3, (0, 0, 0.5)
    links = (
        make_link(-1, X, ORIGIN, 0.1, ORIGIN, hub),
        make_link(0, Y, ORIGIN, 0.1, ORIGIN, hub),
        make_link(1, Z, ORIGIN, 1.0, half, arm),
        make_link(2, Y, Z, 1.0, half, arm),
        make_link(3, X, Z, 0.1, ORIGIN, hub),
        make_link(4, Y, ORIGIN, 1.0, half, arm),
    )
    return Tree("arm6", links, (0.0, 0.0, -9.81))


def make_robot() -> Tree:
    """Return an arm with the masses and lengths of Modelica's RobotR3 and a 15 kg load."""
    links = (
        make_link(-1, Y, (0, 0.351, 0), 1.0, ORIGIN, [1.16] * 3),
        make_link(
            0, X, (0, 0.324, 0.3), 56.5, (0.172, 0.205, 0),
            [[2.58, -0.46, 0], [-0.46, 0.64, 0], [0, 0, 2.73]],
        ),
        make_link(
            1, X, (0, 0.65, 0), 26.4, (0.064, -0.034, 0),
            [[0.279, -0.07, 0], [-0.07, 0.245, 0], [0, 0, 0.413]],
        ),
        make_link(2, Y, (0, 0.414, -0.155), 28.7, ORIGIN, (1.67, 0.081, 1.67)),
        make_link(3, X, (0, 0.186, 0), 5.2, ORIGIN, (1.25, 0.81, 1.53)),
        make_link(4, Y, (0, 0.125, 0), 15.0, (0.1, 0.25, 0.1), [0.1] * 3),
    )  # fmt: skip
    return Tree("robot", links, (0.0, -9.81, 0.0))


def make_humanoid() -> Tree:
    """Return a floating humanoid of 26 revolutes with the tree of Pinocchio's sample.

    As there, placements, masses and inertias are random; the generator's seed is fixed, and
    every inertia is that of a real body (no principal moment exceeds the others' sum).
    """
    rng = np.random.default_rng(1924)
    limb = (X, Y, Z, Y, Y, X)
    branches = ((0, limb), (0, limb), (0, (Y, Z)), (14, limb), (14, limb))
    links = [random_link(rng, -1, None)]
    for root, axes in branches:
        parent = root
        for axis in axes:
            links.append(random_link(rng, parent, axis))
            parent = len(links) - 1
    return Tree("humanoid32", tuple(links), (0.0, 0.0, -9.81))


def random_link(rng: np.random.Generator, parent: int, axis) -> Link:
    """Return a link at a random placement; one without an axis sits at the origin."""
    p, R = rng.uniform(-1, 1, 3), rotation_of(random_quaternion(rng))
    mass, c = rng.uniform(0.5, 2.0), rng.uniform(-0.5, 0.5, 3)
    # a cloud of mass with second moments s has principal moments Σs − s
    s = rng.uniform(0.1, 0.5, 3)
    A = rotation_of(random_quaternion(rng))
    inertia = A @ np.diag(mass * (s.sum() - s)) @ A.T
    if axis is None:
        p, R = np.zeros(3), np.eye(3)
    return make_link(parent, axis, p, mass, c, (inertia + inertia.T) / 2, R)


def random_quaternion(rng: np.random.Generator) -> Array:
    """Return a random unit quaternion (x, y, z, w)."""
    quaternion = rng.uniform(-1, 1, 4)
    return quaternion / np.linalg.norm(quaternion)


def rotation_of(quaternion: Array) -> Array:
    """Return R = (2w² − 1) 1 + 2 e eᵀ + 2w [e]× of the unit quaternion (e, w)."""
    e, w = quaternion[:3], quaternion[3]
    cross = np.array([[0, -e[2], e[1]], [e[2], 0, -e[0]], [-e[1], e[0], 0]])
    return (2 * w * w - 1) * np.eye(3) + 2 * np.outer(e, e) + 2 * w * cross


def make_samples(tree: Tree, count: int = 4) -> Samples:
    """Return the same random states for everybody; no force acts on a free joint."""
    rng = np.random.default_rng(2003)
    q = rng.uniform(-1, 1, (count, tree.nq))
    v = rng.uniform(-1, 1, (count, tree.nv))
    tau = rng.uniform(-1, 1, (count, tree.nv))
    for link, iq, iv in tree.blocks():
        if link.axis is None:
            tau[:, iv] = 0.0
            for row in q:
                row[iq][3:] = random_quaternion(rng)
    return Samples(q, v, tau)


def make_falls() -> tuple[Fall, Fall]:
    """Return the two simulations: a double pendulum for 10 s and a robot for 2 s."""
    pendulum = Fall(
        "double_pendulum", make_chain(2), np.zeros(2), 10.0,
        np.array([-2.31520341530406, -13.601312646203848,
                  -4.035171320495652, 8.931985398674406]),
    )  # fmt: skip
    robot = Fall(
        "arm6", make_robot(), np.array([0.3, 0.5, -0.7, 0.2, 0.4, 0.1]), 2.0,
        np.array([3.7605014744977083, 1.783046254666261, -1.979464954928072,
                  25.642179098547402, 6.5727208579786955, -3.9030801555981087,
                  -0.22809732440891364, -0.517800111737512, 2.8089883245880234,
                  -21.42743161411247, 6.998595709204761, -22.866796514498212]),
    )  # fmt: skip
    return pendulum, robot
