"""Rates of signals: the exact time derivative of a signal, by automatic differentiation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn

from motorik.algebra.angle import Angle
from motorik.algebra.scalar import Scalar
from motorik.components.base.ports import Port
from motorik.errors import MissingAccelerationsError

if TYPE_CHECKING:
    import casadi

    from motorik.motion.view import MotionView


def signal_rate(motion: MotionView, port: Port) -> Scalar:
    """Return dy/dt of the signal y of a port."""

    def refuse() -> NoReturn:
        raise MissingAccelerationsError(
            port.path,
            "its rate follows from accelerations, and a motion depends on it: they would have "
            "to be known before each other.",
            "Use a Derivative block, which has a state, instead of Der.",
            port=port.name,
        )

    return rate_of(motion, lambda other: other.signal(port), refuse)


def rate_of(
    motion: MotionView,
    value: Callable[[MotionView], Scalar],
    refuse: Callable[[], NoReturn] | None = None,
) -> Scalar:
    """Return dy/dt = ∂y/∂q q̇ + ∂y/∂u u̇ + ∂y/∂z ż + ∂y/∂t of y = value(motion).

    `refuse` is called if that needs accelerations and the motion has none.
    """
    return rates_of(motion, [value], refuse)[0]


def rates_of(
    motion: MotionView,
    values: Sequence[Callable[[MotionView], Scalar]],
    refuse: Callable[[], NoReturn] | None = None,
) -> list[Scalar]:
    """Return the rates of several quantities, differentiated together; see `rate_of`."""
    import casadi

    mechanism = motion.mechanism
    sizes = (mechanism.n_q, mechanism.n_u, len(motion.z), 1)
    q, u, z, t = (casadi.SX.sym(name, n) for name, n in zip("quzt", sizes, strict=True))
    other = type(motion)(mechanism, _split(q), _split(u), None, t, _split(z))
    y = casadi.SX(casadi.vertcat(*(casadi.SX(value(other)) for value in values)))
    needs_u, needs_z = casadi.depends_on(y, u), casadi.depends_on(y, z)
    if needs_u and motion.ud is None and refuse is not None:
        refuse()
    rates = [
        *_coordinate_rates(motion),
        *(motion.ud if needs_u and motion.ud is not None else [0.0] * mechanism.n_u),
        *(
            mechanism.signals.rates(motion, motion.z, motion.t)
            if needs_z
            else [0.0] * len(motion.z)
        ),
        1.0,
    ]
    now = [*map(_radians, motion.q), *motion.u, *motion.z, motion.t]
    x = casadi.vertcat(q, u, z, t)
    rate = casadi.jtimes(y, x, casadi.SX(casadi.vertcat(*rates)))
    column = casadi.substitute(rate, x, casadi.SX(casadi.vertcat(*now)))
    found = [column[k] for k in range(len(values))]
    return [float(one) if one.is_constant() else one for one in found]


def _coordinate_rates(motion: MotionView) -> list[Scalar]:
    rates: list[Scalar] = []
    for link in motion.mechanism.links:
        q, u = [motion.q[k] for k in link.q], [motion.u[k] for k in link.u]
        rates += link.joint.rates(q, u)
    return rates


def _split(symbols: casadi.SX) -> list[Scalar]:
    import casadi

    return casadi.vertsplit(symbols) if symbols.numel() else []


def _radians(value: Scalar) -> Scalar:
    return value.radians if isinstance(value, Angle) else value
