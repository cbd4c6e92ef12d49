"""Flux tubes of a shape: iron that saturates, permanent magnets, air gaps that pull."""

from __future__ import annotations

from collections.abc import Iterator
from math import pi

import numpy as np

from motorik.algebra.scalar import Scalar, exp, log, sqrt
from motorik.components.base import kinds
from motorik.components.base.declarations import parameter, translational_flange
from motorik.components.base.equation_part import unknown
from motorik.components.base.resolving import Values
from motorik.components.magnetic.basic import FluxTube
from motorik.equations.language import Equation, equal
from motorik.errors import ParameterError
from motorik.numerics.tolerances import ROUNDED_CORNER

MU_0 = 4e-7 * pi  # H/m
POINTS = 12  # of the Gauss quadrature of the energy


class GenericFluxTube(FluxTube):
    """A flux tube of constant length and cross section, of iron that may saturate.

    V_m = l Phi / (mu_0 mu_r area). With nonLinearPermeability, and x = |B| / B_myMax,
    mu_r = 1 + (mu_i − 1 + c_a x) / (1 + c_b x + xⁿ) (Roschke); else mu_r = mu_rConst. The
    material is by default the steel 9SMnPb28.
    """

    l: kinds.Length = parameter("length along the flux", default=0.01)
    area: kinds.PositiveArea = parameter("cross section", default=1e-4)
    nonLinearPermeability: kinds.Boolean = parameter(
        "whether the material saturates", default=True
    )
    mu_rConst: kinds.PositiveFactor = parameter(
        "relative permeability of material that does not saturate", default=1.0
    )
    mu_i: kinds.PositiveFactor = parameter("relative permeability at B = 0", default=400.0)
    B_myMax: kinds.PositiveFluxDensity = parameter(
        "flux density of the largest permeability", default=1.488
    )
    c_a: kinds.FactorOrZero = parameter("coefficient of the law", default=1200.0)
    c_b: kinds.FactorOrZero = parameter("coefficient of the law", default=3.0)
    n: kinds.PositiveFactor = parameter("exponent of the law", default=12.5)
    B: kinds.FluxDensity = unknown("flux density")
    H: kinds.FieldStrength = unknown("field strength", nominal=1e3)

    def laws(self) -> Iterator[Equation]:
        """Yield Phi = B area, V_m = H l and B = mu_0 mu_r H."""
        yield equal(self.Phi, self.B * self.area)
        yield equal(self.V_m, self.H * self.l)
        yield equal(self.H, self.field(self.B))

    def field(self, B: Scalar) -> Scalar:
        """Return the field strength at a flux density."""
        if not self.nonLinearPermeability:
            return B / (MU_0 * self.mu_rConst)
        ratio = B / self.B_myMax
        x = sqrt(ratio * ratio + ROUNDED_CORNER * ROUNDED_CORNER)  # smooth |ratio|
        power = exp(self.n * log(x))
        mu_r = 1.0 + (self.mu_i - 1.0 + self.c_a * x) / (1.0 + self.c_b * x + power)
        return B / (MU_0 * mu_r)

    def stored_energy(self) -> Scalar:
        """Return area l ∫ H dB, by Gauss quadrature."""
        nodes, weights = np.polynomial.legendre.leggauss(POINTS)
        parts = zip(0.5 * (nodes + 1.0), 0.5 * weights, strict=True)
        total = sum(float(w) * self.field(float(x) * self.B) for x, w in parts)
        return self.area * self.l * self.B * total


class GenericLinearPermanentMagnet(FluxTube):
    """A permanent magnet with its north pole at port_p: B = −B_r + mu_0 mu_r H.

    Phi = B area, V_m = H l. By default NdFeB. Its energy is counted from H = 0 on.
    """

    l: kinds.Length = parameter("length along the flux", default=0.01)
    area: kinds.PositiveArea = parameter("cross section", default=1e-4)
    B_r: kinds.FluxDensity = parameter("remanence", default=1.2)
    mu_r: kinds.PositiveFactor = parameter("relative permeability", default=1.06)
    B: kinds.FluxDensity = unknown("flux density")
    H: kinds.FieldStrength = unknown("field strength", nominal=1e5)

    def laws(self) -> Iterator[Equation]:
        """Yield Phi = B area, V_m = H l and B = −B_r + mu_0 mu_r H."""
        yield equal(self.Phi, self.B * self.area)
        yield equal(self.V_m, self.H * self.l)
        yield equal(self.B, -self.B_r + MU_0 * self.mu_r * self.H)

    def stored_energy(self) -> Scalar:
        """Return ½ mu_0 mu_r H² area l."""
        return 0.5 * MU_0 * self.mu_r * self.H * self.H * self.area * self.l


class ForceTube(FluxTube):
    """A flux tube whose length l changes with the position of a flange, and which pulls on it.

    l = l_0 + dlBydx (flange.s − support.s); F_m = ½ V_m² dG_m/ds drives the flange forward.
    """

    flange = translational_flange("armature")
    support = translational_flange("yoke", when="useSupport")
    mu_r: kinds.PositiveFactor = parameter("relative permeability", default=1.0)
    l_0: kinds.Distance = parameter("l at flange.s = support.s", default=0.0)
    dlBydx: kinds.Factor = parameter("dl/ds: 1 or −1", default=1.0)
    useSupport: kinds.Boolean = parameter("whether the yoke has a flange", default=False)
    l: kinds.Distance = unknown("length that changes", nominal=1e-3)
    G_m: kinds.Permeance = unknown("permeance", nominal=1e-7)
    F_m: kinds.Force = unknown("reluctance force that drives the flange")

    def check(self, p: Values) -> None:
        """Refuse a direction other than 1 or −1."""
        super().check(p)
        if p.dlBydx not in (1.0, -1.0):
            raise ParameterError(
                self.label,
                f"dlBydx = {p.dlBydx:g} is neither 1 nor −1.",
                "Give 1 where l grows with flange.s, −1 where it shrinks.",
                parameter="dlBydx",
                value=p.dlBydx,
            )

    def laws(self) -> Iterator[Equation]:
        """Yield the length, Phi = G_m V_m and the force."""
        s = self.flange.s - (self.support.s if self.useSupport else 0.0)
        yield equal(self.l, self.l_0 + self.dlBydx * s)
        G_m, dG_m = self.permeance()
        yield equal(self.G_m, G_m)
        yield equal(self.Phi, self.G_m * self.V_m)
        yield equal(self.F_m, 0.5 * self.V_m * self.V_m * dG_m * self.dlBydx)
        yield equal(self.flange.f, -self.F_m)
        if self.useSupport:
            yield equal(self.support.f, self.F_m)

    def permeance(self) -> tuple[Scalar, Scalar]:
        """Return the permeance at the length l, and its derivative by l."""
        raise NotImplementedError

    def stored_energy(self) -> Scalar:
        """Return ½ G_m V_m²."""
        return 0.5 * self.G_m * self.V_m * self.V_m


class CuboidParallelFlux(ForceTube):
    """An air gap of rectangular cross section along the flux: G_m = mu_0 mu_r a b / l.

    l = l_0 + dlBydx (flange.s − support.s); F_m = ½ V_m² dG_m/ds drives the flange forward: it
    closes the gap.
    """

    a: kinds.Length = parameter("width of the cross section", default=0.01)
    b: kinds.Length = parameter("height of the cross section", default=0.01)

    def permeance(self) -> tuple[Scalar, Scalar]:
        """Return mu_0 mu_r a b / l, and its derivative."""
        G_m = MU_0 * self.mu_r * self.a * self.b / self.l
        return G_m, -G_m / self.l


class HollowCylinderAxialFlux(ForceTube):
    """An air gap between the faces of two (hollow) cylinders: G_m = mu_0 mu_r A / l.

    A = π (r_o² − r_i²), l = l_0 + dlBydx (flange.s − support.s); F_m = ½ V_m² dG_m/ds drives the
    flange forward: it closes the gap.
    """

    r_i: kinds.LengthOrZero = parameter("inner radius", default=0.0)
    r_o: kinds.Length = parameter("outer radius", default=0.01)

    def check(self, p: Values) -> None:
        """Refuse an inner radius that is not below the outer one."""
        super().check(p)
        refuse_radii(self.label, p.r_i, p.r_o)

    def permeance(self) -> tuple[Scalar, Scalar]:
        """Return mu_0 mu_r A / l, and its derivative."""
        A = pi * (self.r_o * self.r_o - self.r_i * self.r_i)
        G_m = MU_0 * self.mu_r * A / self.l
        return G_m, -G_m / self.l


class HollowCylinderRadialFlux(ForceTube):
    """A radial air gap around a plunger, on the length l: G_m = 2 π mu_0 mu_r l / ln(r_o / r_i).

    l = l_0 + dlBydx (flange.s − support.s); F_m = ½ V_m² dG_m/ds drives the flange forward: it
    lengthens the overlap.
    """

    r_i: kinds.Length = parameter("inner radius", default=0.01)
    r_o: kinds.Length = parameter("outer radius", default=0.015)

    def check(self, p: Values) -> None:
        """Refuse an inner radius that is not below the outer one."""
        super().check(p)
        refuse_radii(self.label, p.r_i, p.r_o)

    def permeance(self) -> tuple[Scalar, Scalar]:
        """Return 2 π mu_0 mu_r l / ln(r_o / r_i), and its derivative."""
        by_l = 2.0 * pi * MU_0 * self.mu_r / log(self.r_o / self.r_i)
        return by_l * self.l, by_l


def refuse_radii(label: str, r_i: float, r_o: float) -> None:
    """Refuse an inner radius that is not below the outer one."""
    if r_i >= r_o:
        raise ParameterError(
            label,
            f"r_i = {r_i:g} m is not below r_o = {r_o:g} m.",
            "Give the inner radius as r_i, the outer one as r_o.",
            parameter="r_i",
            value=r_i,
        )
