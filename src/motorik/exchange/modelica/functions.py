"""Functions and constants that Modelica expressions may use; no others can be called."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from motorik.algebra import scalar as symbols
from motorik.algebra.scalar import is_number, is_symbol, maximum, minimum, plain, where
from motorik.exchange.modelica.arrays import (
    Value,
    each,
    filled,
    flat,
    multiply,
    negative,
    scalar_difference,
    scalar_product,
    scalar_sum,
    shape,
    total,
    transpose,
)
from motorik.numerics.tolerances import EPSILON

CONSTANTS: dict[str, float] = {
    "pi": math.pi,
    "e": math.e,
    "D2R": math.pi / 180,
    "R2D": 180 / math.pi,
    "eps": EPSILON,
    "small": 1e-60,
    "inf": 1e60,
    "g_n": 9.80665,
    "G": 6.67430e-11,
    "c": 299792458.0,
    "k": 1.380649e-23,
    "N_A": 6.02214076e23,
    "R": 8.31446261815324,
    "T_zero": -273.15,
}


def _real(
    function: Callable[..., Any], on_symbols: Callable[..., Any] | None = None
) -> Callable[..., Value]:
    """Return a function of scalars that works element by element on numbers.

    `on_symbols` is the same function of symbols, as the equations of motion need it.
    """

    def compute(*scalars: Value) -> Value:
        if any(is_symbol(scalar) for scalar in scalars):
            if on_symbols is None:
                raise ValueError("this function cannot follow the motion")
            return on_symbols(*map(plain, scalars))
        for scalar in scalars:
            if isinstance(scalar, (bool, str)) or not isinstance(
                scalar, (int, float, np.ndarray, np.number)
            ):
                raise ValueError(f"{scalar!r} is not a number")
        with np.errstate(invalid="raise", divide="raise", over="raise"):
            result = function(*scalars)
        return float(result) if isinstance(result, np.floating) else result

    return lambda *values: each(compute, *values)


def _scaled(factor: float, offset: float = 0.0) -> Callable[[Value], Value]:
    return _real(lambda x: x * factor + offset, lambda x: x * factor + offset)


def _largest(*values: Value) -> Value:
    scalars = [scalar for value in values for scalar in flat(value)]
    return _fold(np.maximum, max, scalars)


def _smallest(*values: Value) -> Value:
    scalars = [scalar for value in values for scalar in flat(value)]
    return _fold(np.minimum, min, scalars)


def _fold(
    over_time: Callable[..., Any], plain_fold: Callable[..., Any], scalars: list[Value]
) -> Value:
    if not scalars:
        raise ValueError("an empty array has no largest or smallest element")
    for scalar in scalars:
        negative(scalar)
    if any(map(is_symbol, scalars)):
        return reduce(maximum if plain_fold is max else minimum, scalars)
    if any(isinstance(scalar, np.ndarray) for scalar in scalars):
        return reduce(over_time, scalars)
    return plain_fold(scalars)


def _length(vector: Value) -> Value:
    return _real(np.sqrt, symbols.sqrt)(multiply(vector, vector))


def _normalized(vector: Value) -> Value:
    length = _length(vector)
    if is_number(length) and length < 1e-13:
        raise ValueError("a vector of length zero has no direction")
    return each(lambda x: x / length, vector)


def _cross(a: Value, b: Value) -> Value:
    if shape(a) != (3,) or shape(b) != (3,):
        raise ValueError("the cross product needs two vectors of three components")

    def component(i: int, j: int) -> Value:
        return scalar_difference(scalar_product(a[i], b[j]), scalar_product(a[j], b[i]))

    return component(1, 2), component(2, 0), component(0, 1)


def _product(a: Value) -> Value:
    result: Value = 1
    for scalar in flat(a):
        result = scalar_product(result, scalar)
    return result


def _size(a: Value, dimension: int | None = None) -> Value:
    sizes = shape(a)
    if dimension is None:
        return sizes
    if not isinstance(dimension, int) or not 1 <= dimension <= len(sizes):
        raise ValueError(f"the array has no dimension {dimension!r}")
    return sizes[dimension - 1]


def _identity(n: int) -> Value:
    rows = filled(0, n, n)
    return tuple(tuple(int(i == j) for j in range(n)) for i in range(len(rows)))


def _diagonal(vector: Value) -> Value:
    n = len(vector)
    filled(0, n, n)
    return tuple(tuple(vector[i] if i == j else 0 for j in range(n)) for i in range(n))


def _linspace(first: float, last: float, n: int) -> Value:
    filled(0, n)
    if n < 2:
        raise ValueError("linspace needs at least two points")
    return tuple(scalar_sum(first, i * (last - first) / (n - 1)) for i in range(n))


def _quotient(a: Value, b: Value) -> Value:
    """Return a / b with its fraction cut off; whole for whole numbers."""
    if isinstance(a, int) and isinstance(b, int):
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return np.trunc(a / b)


def _integer(x: float) -> int:
    return math.floor(x)


def _friction_table(
    F_prop: float,
    F_Coulomb: float,
    F_Stribeck: float,
    fexp: float,
    v_max: float,
    nTable: int = 100,
) -> Value:
    """Return rows (speed, friction of Stribeck) from rest to v_max."""
    speeds = _linspace(0.0, v_max, nTable)
    return tuple(
        (v, F_Coulomb + F_prop * v + F_Stribeck * math.exp(-fexp * v)) for v in speeds
    )


def _unchanged(x: Value) -> Value:
    return x


FUNCTIONS: dict[str, Callable[..., Value]] = {
    **{
        name: _real(getattr(np, name), getattr(symbols, name, None))
        for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")
    },
    **{
        name: _real(getattr(np, name), getattr(symbols, name, None))
        for name in ("exp", "log", "log10", "sqrt")
    },
    "asin": _real(np.arcsin, symbols.arcsin),
    "acos": _real(np.arccos, symbols.arccos),
    "atan": _real(np.arctan, symbols.arctan),
    "atan2": _real(np.arctan2, symbols.arctan2),
    "abs": _real(abs, symbols.fabs),
    "sign": _real(
        lambda x: np.sign(x) if isinstance(x, np.ndarray) else (x > 0) - (x < 0),
        lambda x: where(x > 0, 1.0, where(x < 0, -1.0, 0.0)),
    ),
    "floor": _real(lambda x: np.floor(x) * 1.0, symbols.floor),
    "ceil": _real(lambda x: np.ceil(x) * 1.0, symbols.ceil),
    "integer": _real(_integer),
    "div": _real(_quotient),
    "mod": _real(lambda a, b: a % b),
    "rem": _real(lambda a, b: a - b * _quotient(a, b)),
    "max": _largest,
    "min": _smallest,
    "sum": total,
    "product": _product,
    "size": _size,
    "fill": filled,
    "zeros": lambda *sizes: filled(0, *sizes),
    "ones": lambda *sizes: filled(1, *sizes),
    "identity": _identity,
    "diagonal": _diagonal,
    "linspace": _linspace,
    "cross": _cross,
    "transpose": transpose,
    "vector": lambda a: tuple(flat(a)),
    "scalar": lambda a: flat(a)[0],
    "noEvent": _unchanged,
    "smooth": lambda order, x: x,
    "Vectors.length": _length,
    "length": _length,
    "Vectors.norm": _length,
    "Vectors.normalize": _normalized,
    "normalize": _normalized,
    "from_deg": _scaled(math.pi / 180),
    "to_deg": _scaled(180 / math.pi),
    "from_rpm": _scaled(math.pi / 30),
    "to_rpm": _scaled(30 / math.pi),
    "from_kmh": _scaled(1 / 3.6),
    "to_kmh": _scaled(3.6),
    "from_degC": _scaled(1.0, 273.15),
    "to_degC": _scaled(1.0, -273.15),
    "from_bar": _scaled(1e5),
    "to_bar": _scaled(1e-5),
    "from_minute": _scaled(60.0),
    "from_hour": _scaled(3600.0),
    "from_Hz": _scaled(2 * math.pi),
    "to_Hz": _scaled(0.5 / math.pi),
    "to_unit1": _unchanged,
    "GenerateStribeckFrictionTable": _friction_table,
}
#: Functions whose arguments may be named.
WITH_NAMES = {_friction_table}

IMPORTED = ("pi", "g_n", "eps")
PACKAGES = (
    *("Math", "Vectors", "Conversions", "Cv", "Modelica", "Units", "Frames"),
    *("Mechanics", "Translational", "Examples", "Utilities"),
)


def find_function(dotted: str) -> Callable[..., Value] | None:
    """Return the function meant by a dotted name: its last parts count."""
    *packages, name = dotted.split(".")
    if any(package not in PACKAGES for package in packages):
        return None
    for key in (".".join((*packages[-1:], name)), name):
        if key in FUNCTIONS:
            return FUNCTIONS[key]
    return None


#: Of the resistance of metals at 20 °C [1/K].
TEMPERATURE_COEFFICIENTS = {
    "alpha20Aluminium": 4.0e-3,
    "alpha20Brass": 1.1e-3,
    "alpha20Bronze": 0.8e-3,
    "alpha20Copper": 3.92e-3,
}


def find_constant(dotted: str) -> float | None:
    """Return the constant meant by a dotted name, `Modelica.Constants.pi`.

    Models import some by their short name (`pi`); short names of one letter are never
    constants, so that a forgotten parameter `c` does not become the speed of light.
    """
    *packages, name = dotted.split(".")
    if packages[-2:] == ["Thermal", "Constants"]:
        return TEMPERATURE_COEFFICIENTS.get(name)
    if packages in (["Modelica", "Constants"], ["Constants"]) or dotted in IMPORTED:
        return CONSTANTS.get(name)
    return None
