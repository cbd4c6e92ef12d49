"""The gas force in a cylinder of a combustion engine, a simple function of the stroke."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from motorik.algebra.scalar import Scalar, where
from motorik.components.base import kinds
from motorik.components.base.motion import Motion
from motorik.components.base.part import Values, Variable, parameter
from motorik.components.lines.base import Compliant
from motorik.components.lines.flanges import TranslationalTwoFlanges

if TYPE_CHECKING:
    from typing_extensions import Self


BAR = 1e5  # Pa
GAS_CONSTANT_OF_AIR = 8.31446261815324 / 0.0289651159  # J/(kg·K)

# pressure [bar] over the normalised position x of the piston (1: no volume left), as
# polynomials of x, highest power first
COMPRESSION = (177.4132, -287.2189, 151.8252, -24.9973, 2.4)
IGNITION = (2836360.0, -10569296.0, 14761814.0, -9158505.0, 2129670.0)
COMBUSTION = (-3929704.0, 14748765.0, -20747000.0, 12964477.0, -3036495.0)
EXPANSION = (145.930, -131.707, 17.3438, 17.9272, 2.4)


def polynomial(coefficients: Sequence[float], x: Scalar) -> Scalar:
    """Return the value of a polynomial, highest power first, by Horner's rule."""
    result: Scalar = coefficients[0]
    for c in coefficients[1:]:
        result = result * x + c
    return result


def pressure(x: Scalar, v: Scalar, ignites_at: float, burns_to: float) -> Scalar:
    """Return the pressure [Pa] at the normalised position x.

    For v < 0 the gas is compressed; it ignites from x = `ignites_at` on, and burns in
    expansion as long as x > `burns_to`.
    """
    inward = where(x < ignites_at, polynomial(COMPRESSION, x), polynomial(IGNITION, x))
    outward = where(x > burns_to, polynomial(COMBUSTION, x), polynomial(EXPANSION, x))
    return BAR * where(v < 0.0, inward, outward)


class _Gas(TranslationalTwoFlanges, Compliant):
    """The gas between the flanges: f = −pressure · π d² / 4. Its combustion supplies power."""

    supplies_power: ClassVar[bool] = True
    L: kinds.Length = parameter("length of the cylinder", default=1.0)
    d: kinds.Length = parameter("diameter of the cylinder", default=0.1)
    k0: kinds.Volume = parameter("volume at x = 1: V = k0 + k1 (1 − x)", default=0.01)
    k1: kinds.Volume = parameter("volume of the stroke", default=1.0)
    k: kinds.GasConstant = parameter("gas constant: pressure · V = k T", default=1.0)

    @staticmethod
    def state(p: Values, s: Scalar, v: Scalar) -> tuple[Scalar, Scalar]:
        """Return the normalised position x and the pressure [Pa]."""
        raise NotImplementedError

    def stroke(self, motion: Motion) -> tuple[Scalar, Scalar]:
        """Return s_rel and v_rel."""
        a, b = motion.flange(self.flange_a), motion.flange(self.flange_b)
        return b[0] - a[0], b[1] - a[1]

    def volume(self, p: Self, motion: Motion) -> Scalar:
        """Return V = k0 + k1 (1 − x)."""
        return p.k0 + p.k1 * (1.0 - self.state(p, *self.stroke(motion))[0])

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return distance, its rate, force, x and V."""
        shown = super().variables(p)
        return {name: shown[name] for name in ("s_rel", "v_rel", "f")} | {
            "x": Variable(lambda motion: self.state(p, *self.stroke(motion))[0], "1"),
            "V": Variable(lambda motion: self.volume(p, motion), "m3"),
        }


def push(p: _Gas, pressed: Scalar) -> Scalar:
    """Return the force on flange_b under a pressure [Pa]: −pressure · π d² / 4."""
    return -pressed * (math.pi / 4.0 * p.d * p.d)


class GasForce2(_Gas):
    """The gas in a cylinder of length L and diameter d: f = −p(x, v) π d² / 4, x = 1 − s_rel / L.

    The distance s_rel = s_b − s_a of the flanges lies between 0 and L; the force pushes them
    apart. p jumps where v_rel changes its sign.
    """

    @staticmethod
    def state(p: GasForce2, s: Scalar, v: Scalar) -> tuple[Scalar, Scalar]:
        """Return x = 1 − s_rel / L and the pressure."""
        x = 1.0 - s / p.L
        return x, pressure(x, v, ignites_at=0.986061, burns_to=0.933)

    @staticmethod
    def law(p: GasForce2, x: Scalar, v: Scalar) -> Scalar:
        """Return the force on flange_b at the distance x."""
        return push(p, GasForce2.state(p, x, v)[1])

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return motion, force, x, V, press, T and dens."""

        def temperature(motion: Motion) -> Scalar:
            return self.state(p, *self.stroke(motion))[1] * self.volume(p, motion) / p.k

        return {
            **super().variables(p),
            "press": Variable(lambda motion: self.state(p, *self.stroke(motion))[1], "Pa"),
            "T": Variable(temperature, "K"),
            "dens": Variable(
                lambda motion: (
                    self.state(p, *self.stroke(motion))[1]
                    / (GAS_CONSTANT_OF_AIR * temperature(motion))
                ),
                "kg/m3",
            ),
        }


class GasForce(_Gas):
    """The gas in a cylinder, with flanges the other way round: x = 1 + s_rel / L.

    The distance s_rel = s_b − s_a lies between −L and 0; press is in bar.
    """

    @staticmethod
    def state(p: GasForce, s: Scalar, v: Scalar) -> tuple[Scalar, Scalar]:
        """Return x = 1 + s_rel / L and the pressure."""
        x = 1.0 + s / p.L
        return x, pressure(x, v, ignites_at=0.987, burns_to=0.93)

    @staticmethod
    def law(p: GasForce, x: Scalar, v: Scalar) -> Scalar:
        """Return the force on flange_b at the distance x."""
        return push(p, GasForce.state(p, x, v)[1])

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return motion, force, x, y, V, press, T and dens."""

        def bar(motion: Motion) -> Scalar:
            return self.state(p, *self.stroke(motion))[1] / BAR

        return {
            **super().variables(p),
            "y": Variable(lambda motion: -self.stroke(motion)[0] / p.L, "1"),
            "press": Variable(bar, "bar"),
            "T": Variable(lambda motion: bar(motion) * self.volume(p, motion) / p.k, "K"),
            "dens": Variable(lambda motion: 1.0 / self.volume(p, motion), "kg/m3"),
        }
