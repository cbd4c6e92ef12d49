"""Functions for laws of one's own: the same on numbers, arrays and the symbols of a trace.

Angles are in rad. In place of `if` and `else` stands `where(condition, yes, no)`, of `and`,
`or`, `not` the logical functions, of `max` and `min` maximum and minimum::

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
