"""Blocks that limit a signal or its rate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, where
from motorik.components.base import kinds
from motorik.components.base.declarations import parameter, signal_input
from motorik.components.base.part import Part
from motorik.components.base.ports import Port
from motorik.components.base.resolving import Values
from motorik.components.base.unit_laws import UnitLaw, same_unit
from motorik.components.base.values import Start
from motorik.components.blocks.block import OneToOne, Scalars
from motorik.components.blocks.continuous import Dynamic
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self


class Limiter(OneToOne):
    """y = u, but never more than uMax nor less than uMin."""

    uMax: kinds.Number = parameter("upper limit", default=1.0)
    uMin: kinds.OptionalValue = parameter("lower limit; None is −uMax", default=None)

    def check(self, p: Self) -> None:
        """Refuse limits that leave nothing between them."""
        _check_order(self, _lower(p), p.uMax)

    @staticmethod
    def law(p: Limiter, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return u within its limits."""
        u, low = inputs[0], _lower(p)
        return (where(u > p.uMax, p.uMax, where(u < low, low, u)),)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that the output is in the unit of the input."""
        yield from same_unit(self.u, self.y)


class DeadZone(OneToOne):
    """0 between uMin and uMax, and beyond them how far u is beyond."""

    uMax: kinds.Number = parameter("upper end of the zone", default=1.0)
    uMin: kinds.OptionalValue = parameter("lower end; None is −uMax", default=None)

    def check(self, p: Self) -> None:
        """Refuse a zone whose ends are exchanged."""
        _check_order(self, _lower(p), p.uMax)

    @staticmethod
    def law(p: DeadZone, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return how far u is outside."""
        u, low = inputs[0], _lower(p)
        return (where(u > p.uMax, u - p.uMax, where(u < low, u - low, 0.0)),)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that the output is in the unit of the input."""
        yield from same_unit(self.u, self.y)


def _lower(p: Values) -> Scalar:
    return -p.uMax if p.uMin is None else p.uMin


def _check_order(part: Part, low: Scalar, high: Scalar) -> None:
    if low > high:
        raise ParameterError(
            part.label,
            f"uMin = {low:g} is above uMax = {high:g}.",
            "Give a uMin that is not above uMax.",
            parameter="uMin",
            value=low,
        )


class VariableLimiter(OneToOne):
    """y = u, but never more than the input limit1 nor less than the input limit2."""

    limit1 = signal_input("upper limit")
    limit2 = signal_input("lower limit")

    def inputs(self) -> tuple[Port, ...]:
        """Return u, limit1 and limit2."""
        return (self.u, self.limit1, self.limit2)

    @staticmethod
    def law(
        p: VariableLimiter, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar]:
        """Return u within its limits."""
        u, high, low = inputs[0], inputs[1], inputs[2]
        return (where(u > high, high, where(u < low, low, u)),)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that inputs and output are in one unit."""
        yield from same_unit(self.u, self.limit1, self.limit2, self.y)


class SlewRateLimiter(Dynamic):
    """y follows u, but not faster than Rising, nor falls faster than Falling.

    ẏ = (u − y) / Td, limited to Falling … Rising.
    """

    Rising: kinds.PositiveFactor = parameter("largest rate of y [1/s]", default=1.0)
    Falling: kinds.OptionalValue = parameter(
        "smallest rate of y [1/s], negative; None is −Rising", default=None
    )
    Td: kinds.Duration = parameter("time constant with which y follows u", default=0.001)
    initType: kinds.InitType = parameter("how the state starts", default="SteadyState")
    y_start: kinds.PlainNumber = parameter("output at the start", default=0.0)

    def check(self, p: Self) -> None:
        """Refuse a smallest rate that is not negative."""
        if p.Falling is not None and p.Falling >= 0.0:
            raise ParameterError(
                self.label,
                f"Falling = {p.Falling:g} is not negative.",
                "Give the smallest rate, e.g. Falling=-2.0.",
                parameter="Falling",
                value=p.Falling,
            )

    def states(self, p: Self) -> dict[str, Start]:
        """Return y."""
        return {"y": Start(p.y_start, True)}

    @staticmethod
    def law(
        p: SlewRateLimiter, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar]:
        """Return y."""
        return (states[0],)

    @staticmethod
    def rates(
        p: SlewRateLimiter, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar]:
        """Return (u − y) / Td within its limits."""
        low = -p.Rising if p.Falling is None else p.Falling
        rate = (inputs[0] - states[0]) / p.Td
        return (where(rate > p.Rising, p.Rising, where(rate < low, low, rate)),)

    @staticmethod
    def steady(p: SlewRateLimiter, t: Scalar, inputs: Scalars) -> tuple[Scalar]:
        """Return u."""
        return (inputs[0],)

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that the output is in the unit of the input."""
        yield from same_unit(self.u, self.y)
