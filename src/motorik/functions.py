"""Functions for user laws: the same on numbers, arrays and the symbols of a trace.

Angles are in rad. Use `where(condition, yes, no)` instead of `if` and `else`, the logical
functions instead of `and`, `or`, `not`, and `maximum`, `minimum` instead of `max`, `min`::

    from motorik.functions import sin, where

    blocks.TimeFunction(f=lambda t: where(t > 0.5, sin(t), 0.0))
"""

from motorik.algebra.scalar import (
    arccos,
    arcsin,
    arctan,
    arctan2,
    cos,
    exp,
    fabs,
    floor,
    log,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    sign,
    sin,
    sqrt,
    tan,
    where,
)
from motorik.names import refuse_others as _refuse_others

__all__ = [
    "arccos",
    "arcsin",
    "arctan",
    "arctan2",
    "cos",
    "exp",
    "fabs",
    "floor",
    "log",
    "logical_and",
    "logical_not",
    "logical_or",
    "maximum",
    "minimum",
    "sign",
    "sin",
    "sqrt",
    "tan",
    "where",
]

__getattr__ = _refuse_others(__name__, __all__)
