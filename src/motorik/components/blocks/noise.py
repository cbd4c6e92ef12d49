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

#: Numerator and denominator of Wichura's rational functions, from the constant term on.
MIDDLE = (
    (
        *(3.3871328727963666080, 1.3314166789178437745e2, 1.9715909503065514427e3),
        *(1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4),
        *(3.3430575583588128105e4, 2.5090809287301226727e3),
    ),
    (
        *(1.0, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3),
        *(2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4),
        5.2264952788528545610e3,
    ),
)
NEAR = (
    (
        *(1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550),
        *(3.64784832476320460504, 1.27045825245236838258, 2.41780725177450611770e-1),
        *(2.27238449892691845833e-2, 7.74545014278341407640e-4),
    ),
    (
        *(1.0, 2.05319162663775882187, 1.67638483018380384940, 6.89767334985100004550e-1),
        *(1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4),
        1.05075007164441684324e-9,
    ),
)
FAR = (
    (
        *(6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580),
        *(2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3),
        *(2.71155556874348757815e-5, 2.01033439929228813265e-7),
    ),
    (
        *(1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1),
        *(1.48753612908506148525e-2, 7.86869131145613259100e-4, 1.84631831751005468180e-5),
        *(1.42151175831644588870e-7, 2.04426310338993978564e-15),
    ),
)

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


def check_ends(part: NoiseSource, p: Values) -> None:
    """Refuse ends of a range that are exchanged."""
    if p.y_min >= p.y_max:
        raise ParameterError(
            part.label,
            f"y_min = {p.y_min:g} is not below y_max = {p.y_max:g}.",
            "Give y_min < y_max.",
            parameter="y_min",
            value=p.y_min,
        )


def polynomial(x: Scalar, *factors: float) -> Scalar:
    """Return the sum of factors[k] · xᵏ, by Horner's rule."""
    found: Scalar = factors[-1]
    for factor in reversed(factors[:-1]):
        found = found * x + factor
    return found


def normal_quantile(share: Scalar) -> Scalar:
    """Return the x below which a share of normally distributed numbers lies, 0 < share < 1.

    Wichura, Algorithm AS 241, Applied Statistics 37, 1988: rational functions in three ranges.
    """
    q = share - 0.5
    r = 0.180625 - q * q
    middle = q * polynomial(r, *MIDDLE[0]) / polynomial(r, *MIDDLE[1])
    tail = where(q < 0.0, share, 1.0 - share)
    s = sqrt(-log(tail))
    near = polynomial(s - 1.6, *NEAR[0]) / polynomial(s - 1.6, *NEAR[1])
    far = polynomial(s - 5.0, *FAR[0]) / polynomial(s - 5.0, *FAR[1])
    outer = where(s <= 5.0, near, far)
    outer = where(q < 0.0, -outer, outer)
    return where(r >= 0.0, middle, outer)


class UniformNoise(NoiseSource):
    """Numbers evenly distributed between y_min and y_max, a new one at each sample."""

    y_min: kinds.Number = parameter("lower end", default=0.0)
    y_max: kinds.Number = parameter("upper end", default=1.0)

    def check(self, p: Values) -> None:
        """Refuse ends that are exchanged."""
        check_ends(self, p)

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


class TruncatedNormalNoise(NoiseSource):
    """Normally distributed numbers between y_min and y_max: those outside never occur.

    mu and sigma are mean and standard deviation of the distribution before it is truncated; None
    is the middle, and a sixth of the range.
    """

    y_min: kinds.PlainNumber = parameter("lower end", default=0.0)
    y_max: kinds.PlainNumber = parameter("upper end", default=1.0)
    mu: kinds.OptionalPlainNumber = parameter("mean; None is the middle", default=None)
    sigma: kinds.OptionalPlainNumber = parameter(
        "standard deviation; None is a sixth of the range", default=None
    )

    def check(self, p: Values) -> None:
        """Refuse ends that are exchanged, and a deviation that is not above zero."""
        check_ends(self, p)
        if p.sigma is not None and p.sigma <= 0.0:
            raise ParameterError(
                self.label,
                f"sigma = {p.sigma!r} is not above zero.",
                "Give a standard deviation above zero, or None.",
                parameter="sigma",
                value=p.sigma,
            )

    @staticmethod
    def update(p: Values, t: Scalar, inputs: Scalars) -> Mapping[str, Scalar]:
        """Return the next number: the quantile of one that is evenly distributed."""
        (number,), rest = _next(p, 1)
        mu = 0.5 * (p.y_min + p.y_max) if p.mu is None else p.mu
        sigma = (p.y_max - p.y_min) / 6.0 if p.sigma is None else p.sigma
        low, high = (p.y_min - mu) / sigma, (p.y_max - mu) / sigma
        is_high = low > 0.0  # in the upper tail alone: mirrored, where shares are exact
        ends = (-high, -low) if is_high else (low, high)
        below, above = (0.5 * math.erfc(-end / math.sqrt(2.0)) for end in ends)
        deviation = normal_quantile(below + number * (above - below))
        found = mu + (-sigma if is_high else sigma) * deviation
        held = where(found < p.y_min, p.y_min, where(found > p.y_max, p.y_max, found))
        return {"held": held, **rest}


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
