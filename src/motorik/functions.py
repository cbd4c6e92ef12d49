"""Functions for user laws: the same on numbers, arrays and the symbols of a trace.

Angles are in rad. Use `where(condition, yes, no)` instead of `if` and `else`, the logical
functions instead of `and`, `or`, `not`, and `maximum`, `minimum` instead of `max`, `min`::

    from motorik.functions import sin, where

    blocks.TimeFunction(f=lambda t: where(t > 0.5, sin(t), 0.0))
"""

from motorik.algebra.scalar import (
    arccos,
    arccosh,
    arcsin,
    arcsinh,
    arctan,
    arctan2,
    arctanh,
    ceil,
    clip,
    cos,
    cosh,
    exp,
    fabs,
    floor,
    hypot,
    log,
    log10,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    power,
    sign,
    sin,
    sinh,
    sqrt,
    square,
    tan,
    tanh,
    where,
)
from motorik.names import refuse_others as _refuse_others

__all__ = [
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "ceil",
    "clip",
    "cos",
    "cosh",
    "exp",
    "fabs",
    "floor",
    "hypot",
    "log",
    "log10",
    "logical_and",
    "logical_not",
    "logical_or",
    "maximum",
    "minimum",
    "power",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "tan",
    "tanh",
    "where",
]

__getattr__ = _refuse_others(__name__, __all__)
