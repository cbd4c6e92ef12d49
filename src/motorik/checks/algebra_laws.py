"""Laws of one algebra: dual numbers, arrays, symbols and machine code agree with numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.dual import Dual, value_of
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.checks.law import Law, Sample, difference, each
from motorik.elements.joint import Joint

if TYPE_CHECKING:
    import casadi


def _flat(joint: Joint, q: Sequence[Scalar], u: Sequence[Scalar]) -> list[Scalar]:
    """Return all that a trace takes from a joint, one scalar after another."""
    X: Pose = joint.pose(*q)
    screws = [c for screw in joint.screws(*q) for c in screw.components]
    rates = joint.rates(q, u)
    return [*X.R.entries, *X.p.xyz, *screws, *rates, *joint.bias(q, u).components]


def _numbers(joint: Joint, samples: Sequence[Sample]) -> np.ndarray:
    return np.array([_flat(joint, at.q, at.u) for at in samples], dtype=float)


def _duals(joint: Joint, at: Sample) -> float:
    q, u = ([Dual(x, 1.0) for x in values] for values in (at.q, at.u))
    X, X_dual = joint.pose(*at.q), joint.pose(*q)
    pairs = [(X_dual.R.map(value_of), X.R), (X_dual.p.map(value_of), X.p)]
    screws = zip(joint.screws(*q), joint.screws(*at.q), strict=True)
    pairs += [(dual.map(value_of), number) for dual, number in screws]
    rates = [value_of(rate) for rate in joint.rates(q, u)]
    deviations = [difference(dual.numpy(), number.numpy()) for dual, number in pairs]
    return max(difference(rates, joint.rates(at.q, at.u)), *deviations)


def _arrays(joint: Joint, samples: Sequence[Sample]) -> list[float]:
    q = list(np.array([at.q for at in samples]).T)
    u = list(np.array([at.u for at in samples]).T)
    expected = _numbers(joint, samples)
    flat = [np.broadcast_to(scalar, len(samples)) for scalar in _flat(joint, q, u)]
    return [difference(a, b) for a, b in zip(np.array(flat).T, expected, strict=True)]


def _function(joint: Joint) -> casadi.Function:
    """Return the joint as a CasADi function (q, u) → all that a trace takes from it."""
    import casadi

    q = casadi.SX.sym("q", len(joint.coordinates))
    u = casadi.SX.sym("u", joint.freedom)
    flat = _flat(joint, casadi.vertsplit(q), casadi.vertsplit(u))
    return casadi.Function("joint", [q, u], [casadi.vertcat(*flat)])


def _symbols(joint: Joint, samples: Sequence[Sample]) -> list[float]:
    function = _function(joint)
    pairs = zip(samples, _numbers(joint, samples), strict=True)
    return [difference(function(at.q, at.u).full().ravel(), b) for at, b in pairs]


def _native(joint: Joint, samples: Sequence[Sample]) -> list[float]:
    from motorik.compiler import compile_function

    function = compile_function(_function(joint))
    pairs = zip(samples, _numbers(joint, samples), strict=True)
    return [
        difference(function(np.array(at.q), np.array(at.u)).ravel(), b) for at, b in pairs
    ]


_ONE_ALGEBRA = (
    "Compute with the functions of motorik.algebra.scalar (sin, where, …), never with "
    "`if` on a scalar or with `float(…)`."
)

ALGEBRA_LAWS = (
    Law("duals", "that dual numbers give the same as numbers", _ONE_ALGEBRA, each(_duals)),
    Law("arrays", "that arrays give the same as numbers", _ONE_ALGEBRA, _arrays),
    Law("symbols", "that symbols give the same as numbers", _ONE_ALGEBRA, _symbols),
    Law("native", "that machine code gives the same as numbers", _ONE_ALGEBRA, _native),
)
