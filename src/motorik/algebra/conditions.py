"""Conditions as numbers that change their sign."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from motorik.algebra.scalar import Scalar, is_symbol, where

SMALLEST = 2.0**-1022  # the least number above zero that has all its digits


def margin(condition: Scalar) -> Scalar:
    """Return a number that is positive where a condition holds, and negative where it does not.

    Of a comparison it is the difference of its sides, of other truth values 1 or −1; a
    number stays as it is. Where the sides of ``>=`` or ``<=`` are equal it is positive, too, by
    the smallest number.
    """
    if isinstance(condition, (bool, np.bool_)):
        return 1.0 if condition else -1.0
    if isinstance(condition, np.ndarray) and condition.dtype == bool:
        return np.where(condition, 1.0, -1.0)
    if not is_symbol(condition):
        return condition
    node: Any = condition
    casadi = sys.modules["casadi"]
    if node.op() in (casadi.OP_LT, casadi.OP_LE):
        difference = node.dep(1) - node.dep(0)
        return difference if node.op() == casadi.OP_LT else difference + SMALLEST
    if not node.is_constant() and _is_truth(node):
        return where(condition, 1.0, -1.0)
    return condition


def _is_truth(node: Any) -> bool:
    """Return whether an expression is made of truth values, each 0 or 1."""
    casadi = sys.modules["casadi"]
    if node.is_constant():
        return float(node) in (0.0, 1.0)
    operation = node.op()
    compared = (casadi.OP_LT, casadi.OP_LE, casadi.OP_EQ, casadi.OP_NE)
    if operation in compared or operation in (casadi.OP_NOT, casadi.OP_AND, casadi.OP_OR):
        return True
    if operation == casadi.OP_IF_ELSE_ZERO:
        return _is_truth(node.dep(1))
    both = operation == casadi.OP_ADD
    return both and all(_is_truth(node.dep(k)) for k in range(2))
