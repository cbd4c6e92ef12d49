"""A planar chain's forward dynamics in three passes, one step per link and pass.

Each link turns in its joint; articulated inertias are reduced to three numbers per link,
so that the recursion has the structure, though not the size, of the real one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from motorik.algebra.scalar import add, cos, div, mul, neg, sin, sub


@dataclass(frozen=True)
class Link:
    length: float
    mass: float
    kind: str = "bar"


@dataclass(frozen=True)
class Turn:
    c: Any
    s: Any

    def forward(self, v: tuple[Any, Any]) -> tuple[Any, Any]:
        return (
            add(mul(self.c, v[0]), mul(self.s, v[1])),
            sub(mul(self.c, v[1]), mul(self.s, v[0])),
        )

    def back(self, v: tuple[Any, Any]) -> tuple[Any, Any]:
        return Turn(self.c, neg(self.s)).forward(v)


def outward(link: Link, q: Any, qd: Any, v: tuple[Any, Any]) -> Any:
    turn = Turn(cos(q), sin(q))
    x, y = turn.forward(v)
    moved = (x, add(y, mul(link.length, qd)))
    bias = mul(link.mass, mul(moved[0], qd))
    if link.kind == "wheel":
        bias = mul(2.0, bias)
    return turn, moved, bias, 4.25


def inward(link: Link, turn: Turn, bias: Any, inertia: Any, force: Any, tau: Any) -> Any:
    total = add(inertia, link.mass)
    gain = div(1.0, add(total, 1.0))
    left = sub(tau, bias)
    felt = turn.back((sub(force[0], mul(gain, left)), add(force[1], bias)))
    return gain, left, mul(total, sub(1.0, mul(gain, mul(turn.c, turn.c)))), felt


def accelerate(link: Link, turn: Turn, gain: Any, left: Any, a: tuple[Any, Any]) -> Any:
    x, y = turn.forward(a)
    qdd = mul(gain, sub(left, mul(link.mass, y)))
    return qdd, (x, add(y, mul(link.length, qdd)))


def run_chain(tape: Any, links: list[Link], q: Any, qd: Any, tau: Any) -> list[Any]:
    """Return the accelerations, and the last link's velocity and its opposite."""
    n = len(links)
    turns, biases, gains, lefts, rates = ([None] * n for _ in range(5))
    velocity: Any = (0.0, 0.0)
    for i in range(n):
        turns[i], velocity, biases[i], _ = tape.call(
            outward, links[i], q[i], qd[i], velocity
        )
    inertia: Any = 0.0
    force: Any = (0.0, 0.0)
    for i in reversed(range(n)):
        gains[i], lefts[i], inertia, force = tape.call(
            inward, links[i], turns[i], biases[i], inertia, force, tau[i]
        )
    a: Any = (0.0, -9.81)
    for i in range(n):
        rates[i], a = tape.call(accelerate, links[i], turns[i], gains[i], lefts[i], a)
    return [*rates, velocity[0], tape.call(opposite, velocity[0])]


def opposite(x: Any) -> Any:
    return neg(x)
