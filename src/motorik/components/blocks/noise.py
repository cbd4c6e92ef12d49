"""Noise: pseudo-random numbers, sampled and the same in every run with the same seed.

The generator is MRG32k3a (L'Ecuyer, Operations Research 47, 1999): two recursions modulo primes
below 2³² whose products are whole numbers below 2⁵³, so that floating-point arithmetic is exact
and machine code, Python and any other implementation give the same numbers. Its period is 2¹⁹¹.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping

from motorik.algebra.scalar import Scalar, cos, floor, log, sqrt, where
from motorik.components.base import kinds
from motorik.components.base.declarations import parameter, signal_output
from motorik.components.base.part import Values
from motorik.components.base.ports import Port
from motorik.components.blocks.block import Scalars
from motorik.components.blocks.sampled import SampledBlock
from motorik.errors import ParameterError

M1, M2 = 4294967087.0, 4294944443.0  # moduli
A12, A13, A21, A23 = 1403580.0, 810728.0, 527612.0, 1370589.0
STATE = ("s1", "s2", "s3", "s4", "s5", "s6")

State = tuple[Scalar, Scalar, Scalar, Scalar, Scalar, Scalar]


def modulo(value: Scalar, modulus: float) -> Scalar:
    """Return the remainder of a whole number below 2⁵³ in magnitude."""
    rest = value - modulus * floor(value / modulus)
    rest = where(rest < 0.0, rest + modulus, rest)  # the quotient may be rounded up
    return where(rest >= modulus, rest - modulus, rest)


def advance(state: State) -> tuple[Scalar, State]:
    """Return a number in (0, 1), and the state that follows."""
    a, b, c, d, e, f = state
    first = modulo(A12 * b - A13 * a, M1)
    second = modulo(A21 * f - A23 * d, M2)
    difference = first - second
    whole = where(difference <= 0.0, difference + M1, difference)
    return whole / (M1 + 1.0), (b, c, first, e, f, second)


def seeded(text: str) -> tuple[float, ...]:
    """Return the state of a generator that a text determines."""
    digest = hashlib.sha256(text.encode()).digest()
    words = [int.from_bytes(digest[4 * k : 4 * k + 4], "big") for k in range(6)]
    moduli = [int(M1)] * 3 + [int(M2)] * 3
    return tuple(float(1 + word % (m - 1)) for word, m in zip(words, moduli, strict=True))


class NoiseSource(SampledBlock):
    """A source of random numbers, one at each sample.

    The numbers follow from the seeds and are the same in every run. The automatic local seed is
    the name of the block, so that the blocks of a model differ.
    """

    y = signal_output("the noise")
    samplePeriod: kinds.PlainDuration = parameter("time between two samples", default=0.01)
    startTime: kinds.PlainTime = parameter("time of the first sample", default=0.0)
    enableNoise: kinds.Boolean = parameter("whether there is noise", default=True)
    y_off: kinds.Number = parameter("y without noise, and before startTime", default=0.0)
    useGlobalSeed: kinds.Boolean = parameter("whether globalSeed counts", default=True)
    globalSeed: kinds.WholeNumber = parameter("seed of a whole model", default=67867967)
    useAutomaticLocalSeed: kinds.Boolean = parameter(
        "whether the name of the block is its seed, not fixedLocalSeed", default=True
    )
    fixedLocalSeed: kinds.WholeNumber = parameter("seed of the block", default=1)

    at_once = ("held",)

    def numbers(self) -> Mapping[str, float]:
        """Return y and the state of the generator."""
        own = self.path if self.useAutomaticLocalSeed else self.fixedLocalSeed
        state = seeded(f"{self.globalSeed if self.useGlobalSeed else ''}/{own}")
        return {"held": 0.0, "begun": 0.0} | dict(zip(STATE, state, strict=True))

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar]:
        """Return the last number, y_off before the first."""
        return (p.held + (1.0 - p.begun) * p.y_off if p.enableNoise else p.y_off,)


def _next(p: Values, count: int) -> tuple[list[Scalar], dict[str, Scalar]]:
    """Return so many numbers in (0, 1), and the numbers of the block behind them."""
    state: State = tuple(getattr(p, name) for name in STATE)  # type: ignore[assignment]
    found: list[Scalar] = []
    for _ in range(count):
        number, state = advance(state)
        found.append(number)
    return found, {"begun": 1.0, **dict(zip(STATE, state, strict=True))}


def _normal(p: Values) -> tuple[Scalar, dict[str, Scalar]]:
    """Return a number of the standard normal distribution, by Box and Muller."""
    (a, b), rest = _next(p, 2)
    return sqrt(-2.0 * log(a)) * cos(math.tau * b), rest


class UniformNoise(NoiseSource):
    """Numbers evenly distributed between y_min and y_max, a new one at each sample."""

    y_min: kinds.Number = parameter("lower end", default=0.0)
    y_max: kinds.Number = parameter("upper end", default=1.0)

    def check(self, p: Values) -> None:
        """Refuse ends that are exchanged."""
        if p.y_min >= p.y_max:
            raise ParameterError(
                self.label,
                f"y_min = {p.y_min:g} is not below y_max = {p.y_max:g}.",
                "Give y_min < y_max.",
                parameter="y_min",
                value=p.y_min,
            )

    @staticmethod
    def update(p: Values, t: Scalar, inputs: Scalars) -> Mapping[str, Scalar]:
        """Return the next number."""
        (number,), rest = _next(p, 1)
        return {"held": p.y_min + (p.y_max - p.y_min) * number, **rest}


class NormalNoise(NoiseSource):
    """Normally distributed numbers with the mean mu and the standard deviation sigma."""

    mu: kinds.Number = parameter("mean", default=0.0)
    sigma: kinds.FactorOrZero = parameter("standard deviation", default=1.0)

    @staticmethod
    def update(p: Values, t: Scalar, inputs: Scalars) -> Mapping[str, Scalar]:
        """Return the next number."""
        number, rest = _normal(p)
        return {"held": p.mu + p.sigma * number, **rest}


class BandLimitedWhiteNoise(NoiseSource):
    """White noise up to half the sampling frequency: normal numbers with a given power density.

    Their variance is noisePower / samplePeriod.
    """

    noisePower: kinds.FactorOrZero = parameter("power density of the noise", default=1.0)

    @staticmethod
    def update(p: Values, t: Scalar, inputs: Scalars) -> Mapping[str, Scalar]:
        """Return the next number."""
        number, rest = _normal(p)
        return {"held": sqrt(p.noisePower / p.samplePeriod) * number, **rest}
