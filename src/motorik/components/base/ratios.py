"""Kinds of numbers without a unit: factors, ratios, shares."""

from __future__ import annotations

from motorik.components.base.kind import Number, OptionalNumber


class Factor(Number, unit="1"):
    """A factor or ratio."""


class FactorOrZero(Number, unit="1", minimum=0.0):
    """A factor that may be zero, but not negative."""


class PositiveFactor(Number, unit="1", above=0.0):
    """A factor above zero."""


class PeakFactor(Number, unit="1", minimum=1.0):
    """The maximum static friction / sliding friction at rest, from 1 on."""


class Exponent(Number, unit="1", minimum=1.0):
    """An exponent from 1 on."""


class Percentage(Number, unit="1", above=0.0, maximum=100.0):
    """A share above zero, in percent."""


class Restitution(Number, unit="1", minimum=0.0, maximum=1.0):
    """The speed after an impact / the speed before it, from 0 to 1."""


class PlainNumber(Number, plain=True):
    """A number that is needed before the run."""


class PlainPositiveFactor(Number, unit="1", above=0.0, plain=True):
    """A factor above zero that is needed before the run."""


class OptionalValue(OptionalNumber, of=Number):
    """A number of any unit, or None."""
