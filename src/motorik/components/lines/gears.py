"""Rigid couplings of shafts: gears, planetary sets, racks and rolling wheels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar

from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution, Coupling
from motorik.components.base.motion import Motion
from motorik.components.base.part import (
    DeclaredPart,
    Part,
    PortSpec,
    Variable,
    parameter,
    rotational_flange,
    translational_flange,
)
from motorik.components.base.ports import Port, RotationalFlange, TranslationalFlange
from motorik.components.base.values import number_of
from motorik.components.lines.flanges import (
    AnyFlange,
    RotationalTwoFlanges,
    TranslationalTwoFlanges,
    VariableNames,
)
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self


def refuse_zero(part: Part, name: str, value: Scalar) -> None:
    """Raise `ParameterError` for a ratio of zero, with which one side would never move."""
    if value == 0.0:
        raise ParameterError(
            part.label,
            f"{name} = 0 couples nothing.",
            f"Give {name} another value.",
            parameter=name,
            value=value,
        )


class Ratio(DeclaredPart):
    """Two flanges of one kind, geared in a housing: x_a = ratio · x_b.

    x_a and x_b are relative to the support, which is fixed unless it is used.
    """

    line_names: ClassVar[VariableNames]
    flange_a: ClassVar[AnyFlange]
    flange_b: ClassVar[AnyFlange]
    support: ClassVar[AnyFlange]

    ratio: kinds.Factor = parameter("transmission ratio x_a / x_b", default=1.0)
    useSupport: kinds.Boolean = parameter("whether the support has a flange", default=False)

    def check(self, p: Self) -> None:
        """Refuse a ratio of zero."""
        refuse_zero(self, "ratio", p.ratio)

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute (x_a − x_0) − ratio (x_b − x_0) = 0."""
        flanges: tuple[Port, ...] = (self.flange_a, self.flange_b)
        factors: tuple[Scalar, ...] = (1.0, -p.ratio)
        if p.useSupport:
            flanges, factors = (*flanges, self.support), (*factors, p.ratio - 1.0)
        yield Coupling(self, flanges, factors)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return the positions of both flanges relative to the support."""
        is_of = self.line_names

        def relative(motion: Motion, flange: Port) -> Scalar:
            x_0 = motion.flange(self.support)[0] if p.useSupport else 0.0
            return motion.flange(flange)[0] - x_0

        return {
            f"{is_of.x}_a": Variable(
                lambda motion: relative(motion, self.flange_a), is_of.unit_x
            ),
            f"{is_of.x}_b": Variable(
                lambda motion: relative(motion, self.flange_b), is_of.unit_x
            ),
        }


class IdealGear(RotationalTwoFlanges, Ratio):
    """A gear without inertia, play or losses: φ_a = ratio · φ_b, ratio · τ_a + τ_b = 0."""

    support: ClassVar[PortSpec[RotationalFlange]] = rotational_flange(
        "housing", when="useSupport"
    )


class IdealLever(TranslationalTwoFlanges, Ratio):
    """A lever without mass or play: s_a = ratio · s_b, ratio · f_a + f_b = 0."""

    support: ClassVar[PortSpec[TranslationalFlange]] = translational_flange(
        "pivot", when="useSupport"
    )


class IdealPlanetary(DeclaredPart):
    """A planetary gear without inertia, play or losses: (1 + ratio) φ_c = φ_s + ratio · φ_r.

    τ_r = ratio · τ_s, τ_c = −(1 + ratio) τ_s; ratio = teeth of the ring / teeth of the sun.
    """

    sun = rotational_flange("shaft of the sun")
    carrier = rotational_flange("shaft of the planet carrier")
    ring = rotational_flange("shaft of the ring")
    ratio: kinds.Factor = parameter(
        "teeth of the ring / teeth of the sun", default=100 / 50
    )

    def check(self, p: Self) -> None:
        """Refuse ratios that disconnect a shaft."""
        refuse_zero(self, "ratio", p.ratio)
        refuse_zero(self, "1 + ratio", 1.0 + number_of(p.ratio))

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute φ_s + ratio · φ_r − (1 + ratio) φ_c = 0."""
        flanges = (self.sun, self.ring, self.carrier)
        yield Coupling(self, flanges, (1.0, p.ratio, -1.0 - p.ratio))


class _RotationToTranslation(DeclaredPart):
    """A rotational flangeR and a translational flangeT that move in a fixed ratio."""

    flangeR = rotational_flange("rotational flange")
    flangeT = translational_flange("translational flange")
    supportR = rotational_flange("rotational housing", when="useSupportR")
    supportT = translational_flange("translational housing", when="useSupportT")
    useSupportR: kinds.Boolean = parameter("whether supportR is used", default=False)
    useSupportT: kinds.Boolean = parameter("whether supportT is used", default=False)

    def couple(self, p: Self, c_R: Scalar, c_T: Scalar) -> Coupling:
        """Return c_R (φ − φ_0) + c_T (s − s_0) = 0."""
        terms: list[tuple[Port, Scalar]] = [(self.flangeR, c_R), (self.flangeT, c_T)]
        if p.useSupportR:
            terms.append((self.supportR, -c_R))
        if p.useSupportT:
            terms.append((self.supportT, -c_T))
        flanges, factors = zip(*terms, strict=True)
        return Coupling(self, flanges, factors)


class IdealGearR2T(_RotationToTranslation):
    """A rack and pinion without inertia or play: φ = ratio · s, ratio · τ + f = 0."""

    ratio: kinds.TurnPerLength = parameter("transmission ratio φ / s", default=1.0)

    def check(self, p: Self) -> None:
        """Refuse a ratio of zero."""
        refuse_zero(self, "ratio", p.ratio)

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute φ − ratio · s = 0."""
        yield self.couple(p, 1.0, -p.ratio)


class IdealRollingWheel(_RotationToTranslation):
    """A wheel without inertia that rolls without slip: radius · φ = s, radius · f + τ = 0."""

    radius: kinds.Length = parameter("radius of the wheel", default=0.3)

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute radius · φ − s = 0."""
        yield self.couple(p, p.radius, -1.0)
