"""Dual numbers: a value and its rate, carried together through any formula."""

from __future__ import annotations

from motorik.algebra import scalar as s
from motorik.algebra.scalar import Scalar, plain
from motorik.algebra.value import Immutable, setters


class Dual(Immutable):
    """A value x and its rate ẋ; f(x + ε ẋ) = f(x) + ε f′(x) ẋ.

    Any formula of the algebra run on duals gives its exact time derivative.

    >>> (Dual(3.0, 1.0) * Dual(3.0, 1.0)).rate
    6.0
    """

    __slots__ = ("rate", "value")
    __array_ufunc__ = None  # NumPy arrays leave arithmetic with duals to us,
    __array_priority__ = 1500.0  # and so do CasADi symbols; vectors of duals come first

    value: Scalar
    rate: Scalar

    def __init__(self, value: Scalar, rate: Scalar = 0.0) -> None:
        _set_value(self, value if value.__class__ is float else plain(value))
        _set_rate(self, rate if rate.__class__ is float else plain(rate))

    def __reduce__(self) -> tuple[type[Dual], tuple[Scalar, Scalar]]:
        return Dual, (self.value, self.rate)

    def __repr__(self) -> str:
        return f"Dual({self.value!r}, {self.rate!r})"

    def __add__(self, other: Scalar) -> Dual:
        if _is_structure(other):
            return NotImplemented
        o = as_dual(other)
        return Dual(s.add(self.value, o.value), s.add(self.rate, o.rate))

    __radd__ = __add__

    def __sub__(self, other: Scalar) -> Dual:
        if _is_structure(other):
            return NotImplemented
        o = as_dual(other)
        return Dual(s.sub(self.value, o.value), s.sub(self.rate, o.rate))

    def __rsub__(self, other: Scalar) -> Dual:
        return as_dual(other) - self

    def __mul__(self, other: Scalar) -> Dual:
        if _is_structure(other):
            return NotImplemented
        o = as_dual(other)
        return Dual(
            s.mul(self.value, o.value),
            s.add(s.mul(self.rate, o.value), s.mul(self.value, o.rate)),
        )

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Dual:
        if _is_structure(other):
            return NotImplemented
        o = as_dual(other)
        quotient = s.div(self.value, o.value)
        return Dual(quotient, s.div(s.sub(self.rate, s.mul(quotient, o.rate)), o.value))

    def __rtruediv__(self, other: Scalar) -> Dual:
        return as_dual(other) / self

    def __neg__(self) -> Dual:
        return Dual(s.neg(self.value), s.neg(self.rate))

    def __pow__(self, exponent: float) -> Dual:
        if exponent == 0:
            return Dual(1.0)
        slope = s.mul(float(exponent), self.value ** (exponent - 1))
        return Dual(self.value**exponent, s.mul(slope, self.rate))

    def __lt__(self, other: Scalar) -> Scalar:
        return self.value < as_dual(other).value

    def __le__(self, other: Scalar) -> Scalar:
        return self.value <= as_dual(other).value

    def __gt__(self, other: Scalar) -> Scalar:
        return self.value > as_dual(other).value

    def __ge__(self, other: Scalar) -> Scalar:
        return self.value >= as_dual(other).value

    def _cofunction(self) -> Scalar:
        return s.sqrt(s.sub(1.0, s.mul(self.value, self.value)))

    def _chain(self, value: Scalar, slope: Scalar) -> Dual:
        return Dual(value, s.mul(slope, self.rate))

    def sin(self) -> Dual:
        """Return the sine."""
        return self._chain(s.sin(self.value), s.cos(self.value))

    def cos(self) -> Dual:
        """Return the cosine."""
        return self._chain(s.cos(self.value), s.neg(s.sin(self.value)))

    def tan(self) -> Dual:
        """Return the tangent."""
        value = s.tan(self.value)
        return self._chain(value, s.add(1.0, s.mul(value, value)))

    def arcsin(self) -> Dual:
        """Return the inverse sine."""
        return self._chain(s.arcsin(self.value), s.div(1.0, self._cofunction()))

    def arccos(self) -> Dual:
        """Return the inverse cosine."""
        return self._chain(s.arccos(self.value), s.div(-1.0, self._cofunction()))

    def arctan(self) -> Dual:
        """Return the inverse tangent."""
        slope = s.div(1.0, s.add(1.0, s.mul(self.value, self.value)))
        return self._chain(s.arctan(self.value), slope)

    def sqrt(self) -> Dual:
        """Return the square root."""
        value = s.sqrt(self.value)
        return self._chain(value, s.div(0.5, value))

    def exp(self) -> Dual:
        """Return the exponential."""
        value = s.exp(self.value)
        return self._chain(value, value)

    def log(self) -> Dual:
        """Return the natural logarithm."""
        return self._chain(s.log(self.value), s.div(1.0, self.value))

    def sinh(self) -> Dual:
        """Return the hyperbolic sine."""
        return self._chain(s.sinh(self.value), s.cosh(self.value))

    def cosh(self) -> Dual:
        """Return the hyperbolic cosine."""
        return self._chain(s.cosh(self.value), s.sinh(self.value))

    def tanh(self) -> Dual:
        """Return the hyperbolic tangent."""
        value = s.tanh(self.value)
        return self._chain(value, s.sub(1.0, s.mul(value, value)))

    def arcsinh(self) -> Dual:
        """Return the inverse hyperbolic sine."""
        slope = s.div(1.0, s.sqrt(s.add(s.mul(self.value, self.value), 1.0)))
        return self._chain(s.arcsinh(self.value), slope)

    def arccosh(self) -> Dual:
        """Return the inverse hyperbolic cosine."""
        slope = s.div(1.0, s.sqrt(s.sub(s.mul(self.value, self.value), 1.0)))
        return self._chain(s.arccosh(self.value), slope)

    def arctanh(self) -> Dual:
        """Return the inverse hyperbolic tangent."""
        slope = s.div(1.0, s.sub(1.0, s.mul(self.value, self.value)))
        return self._chain(s.arctanh(self.value), slope)

    def fabs(self) -> Dual:
        """Return the magnitude."""
        return self._chain(s.fabs(self.value), s.sign(self.value))

    @staticmethod
    def dual_arctan2(y: Scalar, x: Scalar) -> Dual:
        """Return atan2(y, x) with its rate (x ẏ − y ẋ) / (x² + y²)."""
        a, b = as_dual(y), as_dual(x)
        across = s.sub(s.mul(b.value, a.rate), s.mul(a.value, b.rate))
        square = s.add(s.mul(a.value, a.value), s.mul(b.value, b.value))
        return Dual(s.arctan2(a.value, b.value), s.div(across, square))

    def dual_where(self, condition: Scalar, other: Scalar, is_yes: bool) -> Dual:
        """Choose between self and other, value and rate alike."""
        o = as_dual(other)
        yes, no = (self, o) if is_yes else (o, self)
        return Dual(
            s.where(condition, yes.value, no.value), s.where(condition, yes.rate, no.rate)
        )


_set_value, _set_rate = setters(Dual, "value", "rate")


def _is_structure(x: object) -> bool:
    """Return whether x is a vector, motor or the like, which can be combined with a dual."""
    return x.__class__ is not float and hasattr(x, "_leaves")


def as_dual(x: Scalar) -> Dual:
    """Return x as a dual number; a plain scalar has rate zero."""
    return x if isinstance(x, Dual) else Dual(x)


def value_of(x: Scalar) -> Scalar:
    """Return the value of a dual number, or x itself."""
    return x.value if isinstance(x, Dual) else x


def rate_of(x: Scalar) -> Scalar:
    """Return the rate of a dual number, zero for any other scalar."""
    return x.rate if isinstance(x, Dual) else 0.0


__all__ = ["Dual", "as_dual", "rate_of", "value_of"]
