"""Scalars of any kind: floats, NumPy arrays, dual numbers and CasADi symbols alike.

The four operations fold structural zeros and ones (Python floats 0.0 and ±1.0) before
anything is recorded, so that a planar mechanism written in space costs what a planar one
costs. On symbols they record through ``SX.binary`` and ``SX.unary``, which skip the search
for an overload that makes CasADi's operators eight times slower.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NoReturn, Protocol, TypeAlias

import numpy as np

from motorik.errors import OperatorError

Scalar: TypeAlias = Any
"""A float, a NumPy array (many values at once), a `Dual` or a CasADi `SX` symbol."""


class Indexed(Protocol):
    """Values with a shape and entries by index: arrays, and symbols of CasADi."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of entries along each index."""
        ...

    def __getitem__(self, index: object, /) -> Any: ...


class _Unloaded:
    """Stands for CasADi's SX until CasADi is loaded: no value is of this class."""


_SX: Scalar = _Unloaded

Binary: TypeAlias = Callable[[Scalar, Scalar], Scalar]
"""An operation on two scalars."""


def _meet_symbols() -> None:
    """Find the class of symbols, if CasADi has been loaded."""
    global _SX
    _SX = getattr(sys.modules.get("casadi"), "SX", _SX)


@lru_cache(maxsize=4096)
def _constant(value: float) -> Scalar:
    return _SX(value)


def _recorder(code: str, plainly: Binary) -> Binary:
    """Return the operation on two scalars of which at least one is a symbol."""
    opcode: int | None = None

    def record(a: Scalar, b: Scalar) -> Scalar:
        nonlocal opcode
        if opcode is None:
            opcode = getattr(sys.modules["casadi"], code)
        if a.__class__ is float:
            return _SX.binary(opcode, _constant(a), b)
        if b.__class__ is float:
            return _SX.binary(opcode, a, _constant(b))
        if a.__class__ is b.__class__:
            return _SX.binary(opcode, a, b)
        return plainly(a, b)

    return record


_record_sum = _recorder("OP_ADD", operator.add)
_record_difference = _recorder("OP_SUB", operator.sub)
_record_product = _recorder("OP_MUL", operator.mul)
_record_quotient = _recorder("OP_DIV", operator.truediv)


def add(a: Scalar, b: Scalar) -> Scalar:
    """Return a + b; a structural zero leaves the other as it is."""
    if a.__class__ is float and a == 0.0:
        return b
    if b.__class__ is float and b == 0.0:
        return a
    if a.__class__ is _SX or b.__class__ is _SX:
        return _record_sum(a, b)
    return a + b


def sub(a: Scalar, b: Scalar) -> Scalar:
    """Return a − b; a structural zero costs nothing."""
    if b.__class__ is float and b == 0.0:
        return a
    if a.__class__ is float and a == 0.0:
        return -b
    if a.__class__ is _SX or b.__class__ is _SX:
        return _record_difference(a, b)
    return a - b


def mul(a: Scalar, b: Scalar) -> Scalar:
    """Return a · b; structural 0 and ±1 cost nothing."""
    if a.__class__ is float:
        if a == 0.0:
            return 0.0
        if a == 1.0:
            return b
        if a == -1.0:
            return neg(b)
    if b.__class__ is float:
        if b == 0.0:
            return 0.0
        if b == 1.0:
            return a
        if b == -1.0:
            return neg(a)
    if a.__class__ is _SX or b.__class__ is _SX:
        return _record_product(a, b)
    return a * b


def div(a: Scalar, b: Scalar) -> Scalar:
    """Return a / b; a structural zero divided stays one."""
    if a.__class__ is float and a == 0.0:
        return 0.0
    if b.__class__ is float and b == 1.0:
        return a
    if a.__class__ is _SX or b.__class__ is _SX:
        return _record_quotient(a, b)
    return a / b


def neg(a: Scalar) -> Scalar:
    """Return −a; a structural zero keeps its sign."""
    return 0.0 if a.__class__ is float and a == 0.0 else -a


def total(*terms: Scalar) -> Scalar:
    """Return the sum of the terms."""
    result: Scalar = 0.0
    for term in terms:
        result = add(result, term)
    return result


def is_structural(a: Scalar, value: float) -> bool:
    """Return whether `a` is the plain number `value`, known before any run."""
    return a.__class__ is float and a == value


def plain(a: Scalar) -> Scalar:
    """Return whole numbers and NumPy scalars as Python floats, everything else as it is."""
    if a.__class__ is float or a.__class__ is _SX:
        return a
    if isinstance(a, (int, np.integer, np.floating)):
        return float(a)
    if _SX is _Unloaded:
        _meet_symbols()
    return a


def is_number(a: Scalar) -> bool:
    """Return whether `a` is one plain number (not a symbol, array or dual)."""
    return isinstance(a, (int, float, np.integer, np.floating))


def _elementary(
    name: str, on_float: Callable[[float], float], code: str
) -> Callable[[Scalar], Scalar]:
    on_array = getattr(np, name)

    def function(x: Scalar) -> Scalar:
        if x.__class__ is float:
            try:
                return on_float(x)
            except (ValueError, OverflowError):  # as compiled: nan or infinite
                with np.errstate(all="ignore"):
                    return float(on_array(x))
        if x.__class__ is _SX:
            return _SX.unary(getattr(sys.modules["casadi"], code), x)
        method = getattr(x, name, None)
        if method is not None:
            return method()
        try:
            return on_array(x)
        except TypeError:
            raise OperatorError(
                name, f"{x!r} is not a number.", f"Give e.g. {name}(0.5), angles in rad."
            ) from None

    function.__name__ = name
    function.__doc__ = f"Return {name}(x) of a scalar of any kind (angles in rad)."
    return function


sin = _elementary("sin", math.sin, "OP_SIN")
cos = _elementary("cos", math.cos, "OP_COS")
tan = _elementary("tan", math.tan, "OP_TAN")
arcsin = _elementary("arcsin", math.asin, "OP_ASIN")
arccos = _elementary("arccos", math.acos, "OP_ACOS")
arctan = _elementary("arctan", math.atan, "OP_ATAN")
sqrt = _elementary("sqrt", math.sqrt, "OP_SQRT")
exp = _elementary("exp", math.exp, "OP_EXP")
log = _elementary("log", math.log, "OP_LOG")
fabs = _elementary("fabs", math.fabs, "OP_FABS")
floor = _elementary("floor", lambda x: float(math.floor(x)), "OP_FLOOR")
ceil = _elementary("ceil", lambda x: float(math.ceil(x)), "OP_CEIL")
sinh = _elementary("sinh", math.sinh, "OP_SINH")
cosh = _elementary("cosh", math.cosh, "OP_COSH")
tanh = _elementary("tanh", math.tanh, "OP_TANH")
arcsinh = _elementary("arcsinh", math.asinh, "OP_ASINH")
arccosh = _elementary("arccosh", math.acosh, "OP_ACOSH")
arctanh = _elementary("arctanh", math.atanh, "OP_ATANH")


def _symbolic(*values: Scalar) -> Any:
    """Return the casadi module if one of the values is a symbol of it, else None."""
    casadi = sys.modules.get("casadi")
    if casadi is None:
        return None
    return casadi if any(isinstance(v, (casadi.SX, casadi.MX)) for v in values) else None


def is_symbol(a: Scalar) -> bool:
    """Return whether `a` is a CasADi expression."""
    return _symbolic(a) is not None


def arctan2(y: Scalar, x: Scalar) -> Scalar:
    """Return the angle of the point (x, y) in (−π, π] rad."""
    if y.__class__ is float and x.__class__ is float:
        return math.atan2(y, x)
    for one in (y, x):
        if hasattr(one, "dual_arctan2"):
            return one.dual_arctan2(y, x)
    casadi = _symbolic(y, x)
    if casadi:
        return casadi.atan2(y, x)
    try:
        return np.arctan2(y, x)
    except (TypeError, AttributeError):
        raise OperatorError(
            "arctan2", f"{y!r} and {x!r} are not two numbers.", "Give arctan2(y, x)."
        ) from None


def where(condition: Scalar, yes: Scalar, no: Scalar) -> Scalar:
    """Return `yes` where the condition holds, else `no`: the branch that can be traced."""
    if isinstance(condition, (bool, np.bool_)):
        return yes if condition else no
    if hasattr(condition, "chosen"):  # a comparison of live parameters
        return condition.chosen(yes, no)
    if yes.__class__ is float and no.__class__ is float and yes == no:
        return yes
    if hasattr(yes, "dual_where"):
        return yes.dual_where(condition, no, True)
    if hasattr(no, "dual_where"):
        return no.dual_where(condition, yes, False)
    casadi = _symbolic(condition, yes, no)
    if casadi:
        return casadi.if_else(condition, yes, no)
    return np.where(condition, yes, no)


def _refuse_order(name: str, a: object, b: object) -> NoReturn:
    raise OperatorError(
        name, f"{a!r} and {b!r} are not two numbers.", f"Give {name}(a, b)."
    ) from None


def minimum(a: Scalar, b: Scalar) -> Scalar:
    """Return the smaller of two scalars."""
    try:
        return where(a < b, a, b)
    except TypeError:
        _refuse_order("minimum", a, b)


def maximum(a: Scalar, b: Scalar) -> Scalar:
    """Return the larger of two scalars."""
    try:
        return where(a > b, a, b)
    except TypeError:
        _refuse_order("maximum", a, b)


def log10(a: Scalar) -> Scalar:
    """Return the logarithm to the base 10."""
    if a.__class__ is float:
        return math.log10(a) if a > 0.0 else log(a)
    return mul(1.0 / math.log(10.0), log(a))


def power(a: Scalar, b: Scalar) -> Scalar:
    """Return a to the power b."""
    return a**b


def square(a: Scalar) -> Scalar:
    """Return a²."""
    return mul(a, a)


def hypot(a: Scalar, b: Scalar) -> Scalar:
    """Return √(a² + b²)."""
    return sqrt(add(mul(a, a), mul(b, b)))


def clip(a: Scalar, low: Scalar, high: Scalar) -> Scalar:
    """Return `a` within the limits low … high."""
    return minimum(maximum(a, low), high)


def logical_and(a: Scalar, b: Scalar) -> Scalar:
    """Return whether both conditions hold."""
    return where(a, b, False)


def logical_or(a: Scalar, b: Scalar) -> Scalar:
    """Return whether one of two conditions holds, or both do."""
    return where(a, True, b)


def logical_not(a: Scalar) -> Scalar:
    """Return whether a condition does not hold."""
    return where(a, False, True)


def sign(a: Scalar) -> Scalar:
    """Return 1 for a ≥ 0, else −1 (never 0)."""
    return where(a >= 0.0, 1.0, -1.0)


__all__ = [
    "Indexed",
    "Scalar",
    "add",
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
    "div",
    "exp",
    "fabs",
    "floor",
    "hypot",
    "is_number",
    "is_structural",
    "is_symbol",
    "log",
    "log10",
    "maximum",
    "minimum",
    "mul",
    "neg",
    "plain",
    "power",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "sub",
    "tan",
    "tanh",
    "total",
    "where",
]
