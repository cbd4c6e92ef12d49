"""Drive lines in motion: generalised forces of force laws on flanges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace

from motorik.algebra.scalar import Scalar, add, mul, sub
from motorik.components.base.ports import Port
from motorik.dynamics.articulated import AtOnce, Caller
from motorik.motion.line_balance import axis_force, flange_force
from motorik.motion.line_motion import (
    coordinate_numbers,
    flange_acceleration,
    flange_state,
    place_of,
    state_at,
)
from motorik.topology.lay_lines import Lines, lay_lines
from motorik.topology.mechanism import FlangeAt, Mechanism

__all__ = [
    "Lines",
    "apply_law",
    "axis_force",
    "flange_acceleration",
    "flange_force",
    "flange_state",
    "lay_lines",
    "line_forces",
]


def line_forces(
    mechanism: Mechanism,
    q: Sequence[Scalar],
    u: Sequence[Scalar],
    tape: Caller | None = None,
    signal: Callable[[Port], Scalar] | None = None,
) -> list[Scalar]:
    """Return the generalised forces of all laws on flanges and of joints, one per speed.

    With a tape all arithmetic runs in its steps; `signal` gives the values of the signals
    that the laws use.
    """
    tape = tape or AtOnce()
    run = tape.call
    tau: list[Scalar] = [0.0] * mechanism.n_u
    loads = mechanism.inventory.joint_forces
    coordinate = coordinate_numbers(mechanism.links) if mechanism.lines or loads else {}
    for line in mechanism.lines:
        places = [
            FlangeAt(None) if flange is None else place_of(mechanism, flange)
            for flange in (line.flange_a, line.flange_b)
        ]
        (x_a, v_a), (x_b, v_b) = (state_at(at, coordinate, q, u, tape) for at in places)
        names = tuple(sorted(vars(line.p)))
        values = tuple(getattr(line.p, name) for name in names)
        given = tuple(signal(port) for port in line.signals) if signal is not None else ()
        force = tape.apply(apply_law, line.law, names, values, x_a, v_a, x_b, v_b, *given)
        for at, sign in zip(places, (1.0, -1.0), strict=True):
            if at.coordinate is not None:
                k = at.coordinate
                tau[k] = run(add_scaled, tau[k], mul(sign, at.factor), force)
    for load in loads:
        link = mechanism.link_of_part(load.part)
        assert link is not None, "a joint with a force along its freedom stays in the tree"
        k = link.u[0]
        x, v = state_at(FlangeAt(k), coordinate, q, u, tape)
        tau[k] = run(add, tau[k], load.law(load.p, x, v))
    return tau


def add_scaled(a: Scalar, factor: Scalar, b: Scalar) -> Scalar:
    """Return a + factor · b."""
    return add(a, mul(factor, b))


def apply_law(
    law: Callable[..., Scalar],
    names: tuple[str, ...],
    values: tuple[object, ...],
    x_a: Scalar,
    v_a: Scalar,
    x_b: Scalar,
    v_b: Scalar,
    *signals: Scalar,
) -> Scalar:
    """Return the force of a law between two flanges."""
    p = SimpleNamespace(**dict(zip(names, values, strict=True)))
    return law(p, sub(x_b, x_a), sub(v_b, v_a), *signals)
