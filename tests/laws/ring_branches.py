"""Random spatial rings of hinges without closed form, and all ways to assemble them."""

from __future__ import annotations

import numpy as np

import motorik as mk
from motorik import guess
from motorik.components.base.part import frame

STARTS, STEPS = 300, 60


class Ring(mk.Model):
    """Hinges and arms in a row from the world to a place where the ring is closed.

    The first angle is fixed, or what `first` makes of it; the others are guessed. It is closed
    by a ball, or by a hinge, whose angle is then the last guess.
    """

    def build(self, chain, place, turned, angles, first=float):
        self.world = mk.World()
        build_ring(self, self.world.frame_b, chain, place, turned, angles, first)


class MountedRing(mk.Model):
    """A ring on a seat; its first arm carries the next one."""

    seat, tip = frame("what it is mounted on"), frame("end of the first arm")

    def build(self, chain, place, turned, angles):
        build_ring(self, self.seat, chain, place, turned, angles)
        self.arm0.frame_b >> self.tip


class Tower(mk.Model):
    """Mounted rings, each on the one before."""

    def build(self, rings=()):
        self.world = mk.World()
        at = self.world.frame_b
        for name, ring in rings:
            setattr(self, name, ring)
            at >> ring.seat
            at = ring.tip


def build_ring(model, at, chain, place, turned, values, first=float) -> None:
    """Add the parts of a ring to a model; the first angle is what `first` makes of it."""
    axes, arms = chain
    model.base = mk.FixedRotation(
        r=tuple(place),
        rotationType="TwoAxesVectors",
        n_x=tuple(turned[:, 0]),
        n_y=tuple(turned[:, 1]),
    )
    at >> model.base.frame_a
    wishes = [first(values[0]), *map(guess, values[1:])]
    for k, (axis, wish) in enumerate(zip(axes, wishes, strict=True)):
        hinge = mk.Revolute(n=tuple(axis), phi=wish)
        setattr(model, f"hinge{k}", hinge)
        at >> hinge.frame_a
        at = hinge.frame_b
        if k < len(arms):
            body = mk.BodyShape(r=tuple(arms[k]), m=1.0)
            setattr(model, f"arm{k}", body)
            at >> body.frame_a
            at = body.frame_b
    if len(arms) == len(axes):
        model.ball = mk.Spherical()
        at >> model.ball.frame_a
        at = model.ball.frame_b
    at >> model.base.frame_b


def any_ring(seed: int, hinges: int):
    """Return a random chain, the place and orientation where it ends, its angles, a generator."""
    rng = np.random.default_rng(seed)
    axes = rng.normal(size=(hinges, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    chain = (axes, rng.normal(size=(6 if hinges == 7 else hinges, 3)))
    angles = rng.uniform(-2.0, 2.0, hinges)
    (place,), (turned,), _ = ends(chain, angles[None])
    return chain, place, turned, angles, rng


def turns(axis: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Return the rotations about an axis by many angles (Rodrigues)."""
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    s, c = np.sin(angles)[:, None, None], np.cos(angles)[:, None, None]
    return np.eye(3) + s * K + (1.0 - c) * (K @ K)


def ends(chain, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return place and orientation of the end for many angles, and the Jacobian of both."""
    axes, arms = chain
    R, p = np.broadcast_to(np.eye(3), (len(q), 3, 3)), np.zeros((len(q), 3))
    places, directions = [], []
    for k, axis in enumerate(axes):
        places.append(p)
        directions.append(R @ axis)
        R = R @ turns(axis, q[:, k])
        if k < len(arms):
            p = p + R @ arms[k]
    a = np.stack(directions, axis=2)
    lever = p[:, :, None] - np.stack(places, axis=2)
    return p, R, np.concatenate([np.cross(a, lever, axis=1), a], axis=1)


def all_branches(chain, place, turned, first: float, rng) -> np.ndarray:
    """Return the angles but the first at which the ring is closed, by Newton from everywhere."""
    count = len(chain[0])
    rows = 3 if len(chain[1]) == count else 6
    q = rng.uniform(-np.pi, np.pi, (STARTS, count))
    q[:, 0] = first
    for _ in range(STEPS):
        f, J = _gaps(chain, place, turned, q)
        J, f = J[:, :rows, 1:], f[:, :rows]
        damped = J @ J.swapaxes(1, 2) + 1e-14 * np.eye(rows)
        step = (J.swapaxes(1, 2) @ np.linalg.solve(damped, f[:, :, None]))[:, :, 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        q[:, 1:] -= step * np.minimum(1.0, 0.5 / np.maximum(longest, 1e-12))
    f, _ = _gaps(chain, place, turned, q)
    closed = np.abs(f[:, :rows]).max(axis=1) < 1e-10
    if rows == 6:  # after half a turn the gap vanishes, too
        closed &= np.trace(ends(chain, q)[1] @ turned.T, axis1=1, axis2=2) > 2.0
    found: list[np.ndarray] = []
    for x in within_half_a_turn(q[closed, 1:]):
        if not any(np.abs(within_half_a_turn(x - y)).max() < 1e-5 for y in found):
            found.append(x)
    return np.array(found)


def _gaps(chain, place, turned, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    p, R, J = ends(chain, q)
    E = R @ turned.T
    skew = np.stack(
        [E[:, 2, 1] - E[:, 1, 2], E[:, 0, 2] - E[:, 2, 0], E[:, 1, 0] - E[:, 0, 1]]
    )
    return np.concatenate([p - place, 0.5 * skew.T], axis=1), J


def within_half_a_turn(angles: np.ndarray) -> np.ndarray:
    """Return angles without full turns."""
    return (angles + np.pi) % (2.0 * np.pi) - np.pi
