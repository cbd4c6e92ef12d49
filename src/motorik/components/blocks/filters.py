"""Filters of any order: low pass, high pass, band pass and band stop.

A prototype, a low pass of the angular frequency 1 rad/s, has real poles −cᵣ and conjugate pairs of
poles, the zeros of s² + c₁ s + c₀. A substitution of s leads to the other types, all of them
chains of sections of first and second order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar, fabs, maximum, sqrt, where
from motorik.components.base import kinds
from motorik.components.base.declarations import parameter, signal_output
from motorik.components.base.part import Part
from motorik.components.base.ports import Port
from motorik.components.base.unit_laws import UnitLaw, same_unit
from motorik.components.base.values import Start
from motorik.components.blocks.block import OneToOne, Scalars
from motorik.components.blocks.linear import numbered, start_values
from motorik.errors import ParameterError
from motorik.immutable import immutable
from motorik.numerics.tolerances import EPSILON

if TYPE_CHECKING:
    from typing_extensions import Self

HALF_POWER = 10.0**0.3  # 1 / |H|² at −3 dB


# --- prototypes: low pass of 1 rad/s ----------------------------------------------------------


@immutable
class Prototype:
    """Real poles −cᵣ, and pairs (c₀, c₁) of poles that are the zeros of s² + c₁ s + c₀."""

    real: tuple[float, ...]
    pairs: tuple[tuple[float, float], ...]

    def scaled(self, factor: float) -> Prototype:
        """Return the prototype with all poles multiplied."""
        pairs = tuple((c0 * factor * factor, c1 * factor) for c0, c1 in self.pairs)
        return Prototype(tuple(c * factor for c in self.real), pairs)

    def power(self, w: float) -> float:
        """Return 1 / |H(i w)|²."""
        found = 1.0
        for c in self.real:
            found *= 1.0 + (w / c) ** 2
        for c0, c1 in self.pairs:
            found *= (1.0 - w * w / c0) ** 2 + (c1 * w / c0) ** 2
        return found

    def normalised(self) -> Prototype:
        """Return the prototype whose amplitude at 1 rad/s is −3 dB, by bisection."""
        low, high = 0.0, 1.0
        while self.power(high) < HALF_POWER:
            high *= 2.0
        for _ in range(200):
            middle = 0.5 * (low + high)
            if not low < middle < high:
                break
            low, high = (middle, high) if self.power(middle) < HALF_POWER else (low, middle)
        return self.scaled(1.0 / high)


@cache
def butterworth(n: int) -> Prototype:
    """Return the poles on the unit circle: |H|² = 1 / (1 + w²ⁿ)."""
    pairs = tuple((1.0, 2.0 * math.sin(math.pi * (i + 0.5) / n)) for i in range(n // 2))
    return Prototype((1.0,) * (n % 2), pairs)


@cache
def critical_damping(n: int, normalized: bool) -> Prototype:
    """Return n equal real poles."""
    alpha = math.sqrt(10.0 ** (0.3 / n) - 1.0) if normalized else 1.0
    return Prototype((1.0 / alpha,) * n, ())


@cache
def bessel(n: int, normalized: bool) -> Prototype:
    """Return the zeros of Bessel's reverse polynomial: the delay is flat, 1 s at w = 0."""
    coefficients = [
        math.factorial(2 * n - k)
        / (2 ** (n - k) * math.factorial(k) * math.factorial(n - k))
        for k in range(n, -1, -1)
    ]
    found = _refined(np.roots(coefficients), n)
    made = _of_poles(found)
    return made.normalised() if normalized else made


def _refined(poles: np.ndarray, n: int) -> np.ndarray:
    """Return zeros of Bessel's polynomial after steps of Aberth's method.

    θₙ = (2n − 1) θₙ₋₁ + s² θₙ₋₂ is evaluated by its recursion, which does not cancel.
    """
    for _ in range(20):
        before, value = np.ones_like(poles), poles + 1.0
        before_rate, rate = np.zeros_like(poles), np.ones_like(poles)
        for k in range(2, n + 1):
            next_value = (2 * k - 1) * value + poles**2 * before
            next_rate = (2 * k - 1) * rate + poles**2 * before_rate + 2.0 * poles * before
            before, value, before_rate, rate = value, next_value, rate, next_rate
        newton = value / rate
        apart = poles[:, None] - poles[None, :]
        np.fill_diagonal(apart, np.inf)
        poles = poles - newton / (1.0 - newton * (1.0 / apart).sum(axis=1))
    return poles


def _of_poles(poles: np.ndarray) -> Prototype:
    """Return the prototype of poles, pairs in the order of their size."""
    near = 1e-9 * np.abs(poles).max()
    real = tuple(float(-p.real) for p in poles if abs(p.imag) <= near)
    upper = sorted((p for p in poles if p.imag > near), key=abs)
    return Prototype(real, tuple((abs(p) ** 2, -2.0 * p.real) for p in upper))


@cache
def chebyshev(n: int, ripple: float, normalized: bool) -> Prototype:
    """Return the poles on an ellipse: the amplitude ripples by so many dB in the pass band."""
    epsilon = math.sqrt(10.0 ** (ripple / 10.0) - 1.0)
    width = math.asinh(1.0 / epsilon) / n
    pairs = []
    for i in range(1, n // 2 + 1):
        angle = (2 * i - 1) * math.pi / (2 * n) if n % 2 == 0 else i * math.pi / n
        c0 = math.cosh(width) ** 2 - math.cos(angle) ** 2
        pairs.append((c0, 2.0 * math.sinh(width) * math.cos(angle)))
    made = Prototype((math.sinh(width),) * (n % 2), tuple(pairs))
    return made.normalised() if normalized else made


def prototype_of(p: Filter) -> Prototype:
    """Return the prototype of a filter."""
    if p.analogFilter == "Butterworth":
        return butterworth(p.order)
    if p.analogFilter == "Bessel":
        return bessel(p.order, p.normalized)
    if p.analogFilter == "ChebyshevI":
        return chebyshev(p.order, p.A_ripple, p.normalized)
    return critical_damping(p.order, p.normalized)


# --- sections ---------------------------------------------------------------------------------


@immutable
class FirstSection:
    """ẋ = r (u − x); y = x of a low pass, u − x of a high pass."""

    r: Scalar
    is_high: bool

    size = 1

    def rates(self, u: Scalar, x: Scalars) -> tuple[Scalar]:
        """Return ẋ."""
        return (self.r * (u - x[0]),)

    def output(self, u: Scalar, x: Scalars) -> Scalar:
        """Return y."""
        return u - x[0] if self.is_high else x[0]

    def steady(self, u: Scalar) -> tuple[Scalar]:
        """Return the state at rest."""
        return (u,)

    def of_output(self, u: Scalar, y: Scalar) -> tuple[Scalar]:
        """Return the state with the output y."""
        return (u - y if self.is_high else y,)


@immutable
class SecondSection:
    """ẋ₁ = a x₁ − σ b x₂ + kᵤ u, ẋ₂ = b x₁ + a x₂; y = k₁ x₁ + k₂ x₂ + d u.

    The poles are a ± i b, or a ± b where σ = −1.
    """

    a: Scalar
    b: Scalar
    sigma: Scalar
    ku: Scalar
    k1: Scalar
    k2: Scalar
    d: float

    size = 2

    def rates(self, u: Scalar, x: Scalars) -> tuple[Scalar, Scalar]:
        """Return ẋ₁ and ẋ₂."""
        first = self.a * x[0] - self.sigma * self.b * x[1] + self.ku * u
        return first, self.b * x[0] + self.a * x[1]

    def output(self, u: Scalar, x: Scalars) -> Scalar:
        """Return y."""
        own = self.k2 * x[1] if self.k1 is None else self.k1 * x[0] + self.k2 * x[1]
        return own + u if self.d else own

    def steady(self, u: Scalar) -> tuple[Scalar, Scalar]:
        """Return the states at rest: x₂ = u."""
        return -self.a * u / self.b, u

    def of_output(self, u: Scalar, y: Scalar) -> tuple[Scalar, Scalar]:
        """Return the states with the output y and ẋ₁ = 0."""
        k1 = 0.0 if self.k1 is None else self.k1
        per = self.sigma * self.b / self.a  # x₁ = per x₂ + constant
        constant = -self.ku * u / self.a
        second = (y - self.d * u - k1 * constant) / (k1 * per + self.k2)
        return per * second + constant, second


Section = FirstSection | SecondSection


def second_section(c0: Scalar, c1: Scalar, cn: Scalar, type: str, w2: Scalar) -> Section:
    """Return the section with the denominator s² + c₁ s + c₀.

    Its numerator is c₀ of a low pass, s² of a high pass, cₙ s of a band pass, and s² + w² of a
    band stop.
    """
    a = -0.5 * c1
    rest = c0 - a * a
    b = sqrt(maximum(fabs(rest), EPSILON * c0))
    sigma = where(rest >= 0.0, 1.0, -1.0)
    ku = c0 / b
    if type == "LowPass":
        return SecondSection(a, b, sigma, ku, None, 1.0, 0.0)
    if type == "BandPass":
        return SecondSection(a, b, sigma, ku, cn / ku, cn * a / (b * ku), 0.0)
    zero = 0.0 if type == "HighPass" else w2
    return SecondSection(a, b, sigma, ku, -c1 / ku, (zero - c0 - c1 * a) / (b * ku), 1.0)


def sections_of(p: Filter) -> list[Section]:
    """Return the sections of a filter, in their order."""
    prototype, type = prototype_of(p), p.filterType
    w, is_high = math.tau * p.f_cut, type == "HighPass"
    found: list[Section] = []
    if type in ("LowPass", "HighPass"):
        for c in prototype.real:
            found.append(FirstSection(w / c if is_high else w * c, is_high))
        for c0, c1 in prototype.pairs:
            new0, new1 = (1.0 / c0, c1 / c0) if is_high else (c0, c1)
            found.append(second_section(w * w * new0, w * new1, 0.0, type, 0.0))
        return found
    middle = math.tau * sqrt(p.f_min * p.f_cut)
    band = math.tau * (p.f_cut - p.f_min) / middle
    w2, is_stop = middle * middle, type == "BandStop"
    for c in prototype.real:
        c1 = band / c if is_stop else band * c
        found.append(second_section(w2, middle * c1, middle * c1, type, w2))
    for c0, c1 in prototype.pairs:
        new0, new1 = (1.0 / c0, c1 / c0) if is_stop else (c0, c1)
        # (s² + c/α s + 1/α²) (s² + c α s + α²), q = α + 1/α, q⁴ − (4 + c₀ B²) q² + (c₁ B)² = 0
        total, linear = 4.0 + new0 * band * band, new1 * band
        q2 = 0.5 * (total + sqrt(total * total - 4.0 * linear * linear))
        q = sqrt(q2)
        alpha = 0.5 * (q + sqrt(q2 - 4.0))
        c = linear / q
        cn = middle * band * math.sqrt(c0)
        for factor in (1.0 / alpha, alpha):
            found.append(
                second_section(w2 * factor * factor, middle * c * factor, cn, type, w2)
            )
    return found


def chain(sections: Sequence[Section], u: Scalar, states: Scalars) -> list[Scalar]:
    """Return the input of each section, and the output of the last."""
    through, place = [u], 0
    for own in sections:
        through.append(own.output(through[-1], states[place : place + own.size]))
        place += own.size
    return through


class Filter(OneToOne):
    """A filter of the order n: low pass, high pass, band pass or band stop.

    Characteristics are critical damping, Bessel, Butterworth and Chebyshev I. A band lies
    between f_min and f_cut. With `normalized` the amplitude at f_cut is −3 dB (that of
    Butterworth is 1/√2 in any case).
    """

    x = signal_output("states of the filter", size=lambda part: _count(part))
    analogFilter: kinds.AnalogFilter = parameter(
        "characteristic of the filter", default="CriticalDamping"
    )
    filterType: kinds.FilterType = parameter("frequencies that pass", default="LowPass")
    order: kinds.Count = parameter("order n", default=2)
    f_cut: kinds.PositiveFrequency = parameter("cut-off frequency", default=1.0)
    gain: kinds.Factor = parameter("amplitude in the pass band", default=1.0)
    A_ripple: kinds.PlainPositiveFactor = parameter(
        "ripple of Chebyshev I in the pass band, in dB", default=0.5
    )
    f_min: kinds.Frequency = parameter("lower end of a band", default=0.0)
    normalized: kinds.Boolean = parameter(
        "whether the amplitude at f_cut is −3 dB", default=True
    )
    init: kinds.InitType = parameter("how the states start", default="SteadyState")
    x_start: kinds.OptionalNumbers = parameter(
        "states at the start, zero if not given", default=None
    )
    y_start: kinds.PlainNumber = parameter(
        "output at the start, with init InitialOutput", default=0.0
    )
    u_nominal: kinds.PositiveFactor = parameter(
        "typical value of u, by which the states are scaled", default=1.0
    )

    def check(self, p: Self) -> None:
        """Refuse a band without width, and a wrong number of start values."""
        start_values(self, "x_start", p.x_start, _count(self))
        if p.filterType in ("BandPass", "BandStop") and not 0.0 < p.f_min < p.f_cut:
            raise ParameterError(
                self.label,
                f"f_min = {p.f_min:g} Hz and f_cut = {p.f_cut:g} Hz are not the ends of a band.",
                "Give 0 < f_min < f_cut.",
                parameter="f_min",
                value=p.f_min,
            )

    def outputs(self) -> tuple[Port, ...]:
        """Return y and x."""
        return (self.y, self.x)

    def states(self, p: Self) -> dict[str, Start]:
        """Return x[1] … x[n]."""
        return numbered("x", start_values(self, "x_start", p.x_start, _count(self)))

    def initial(self, p: Self) -> Callable[..., tuple[Scalar, ...]] | None:
        """Return the states that `init` requires."""
        found = {"SteadyState": _steady, "InitialOutput": _of_output}
        return found.get(p.init)

    def is_steady(self, p: Self) -> bool:
        """Return whether init is "SteadyState"."""
        return p.init == "SteadyState"

    @staticmethod
    def law(p: Filter, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return y and x."""
        sections = sections_of(p)
        # a section that does not pass its input on at once needs none of what is before it
        u: Scalar = None
        first = 0
        for k, own in enumerate(sections):
            if not _is_direct(own):
                first = k
        if _is_direct(sections[first]):
            u = inputs[0] / p.u_nominal
        place = sum(own.size for own in sections[:first])
        y = chain(sections[first:], u, states[place:])[-1]
        return p.gain * p.u_nominal * y, tuple(states)

    @staticmethod
    def rates(p: Filter, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return ẋ."""
        sections = sections_of(p)
        through = chain(sections, inputs[0] / p.u_nominal, states)
        found: list[Scalar] = []
        for own, u in zip(sections, through[:-1], strict=True):
            place = len(found)
            found += own.rates(u, states[place : place + own.size])
        return tuple(found)


def _is_direct(section: Section) -> bool:
    """Return whether the output of a section depends on its input at once."""
    return section.is_high if isinstance(section, FirstSection) else section.d != 0.0


def _count(part: Part) -> int:
    order = part.__dict__["order"]
    return order if part.__dict__["filterType"] in ("LowPass", "HighPass") else 2 * order


def _steady(p: Filter, t: Scalar, inputs: Scalars) -> tuple[Scalar, ...]:
    u, found = inputs[0] / p.u_nominal, list[Scalar]()
    for own in sections_of(p):
        states = own.steady(u)
        found += states
        u = own.output(u, states)
    return tuple(found)


def _of_output(p: Filter, t: Scalar, inputs: Scalars) -> tuple[Scalar, ...]:
    """Return states with the output y_start, all sections but the last at rest."""
    u, found = inputs[0] / p.u_nominal, list[Scalar]()
    *before, last = sections_of(p)
    for own in before:
        states = own.steady(u)
        found += states
        u = own.output(u, states)
    return (*found, *last.of_output(u, p.y_start / (p.gain * p.u_nominal)))


class LowpassButterworth(OneToOne):
    """A Butterworth low pass of the order n: the amplitude is 1/√2 at f, without ripple.

    Each pair of poles: ẋ1ᵢ = x2ᵢ, ẋ2ᵢ = w² (uᵢ − x1ᵢ) − 2 Dᵢ w x2ᵢ, w = 2π f, uᵢ₊₁ = x1ᵢ; an odd
    order has T ẋr = u − xr as well, T = 1 / w.
    """

    x1 = signal_output("outputs of the sections", size=lambda part: part.n // 2)
    x2 = signal_output("their rates", size=lambda part: part.n // 2)
    xr = signal_output("state of the real pole, of an odd order")
    n: kinds.Count = parameter("order", default=2)
    f: kinds.PositiveFrequency = parameter("cut-off frequency", default=1.0)
    initType: kinds.InitType = parameter("how the states start", default="NoInit")
    x1_start: kinds.OptionalNumbers = parameter("x1 at the start", default=None)
    x2_start: kinds.OptionalNumbers = parameter("x2 at the start", default=None)
    xr_start: kinds.PlainNumber = parameter("xr at the start", default=0.0)
    y_start: kinds.PlainNumber = parameter(
        "output at the start, with initType InitialOutput", default=0.0
    )

    def check(self, p: Self) -> None:
        """Refuse a wrong number of start values."""
        for name in ("x1_start", "x2_start"):
            start_values(self, name, getattr(p, name), p.n // 2)

    def outputs(self) -> tuple[Port, ...]:
        """Return y, x1, x2 and xr."""
        return (self.y, self.x1, self.x2, self.xr)

    def states(self, p: Self) -> dict[str, Start]:
        """Return x1, x2 and xr."""
        m = p.n // 2
        own = numbered("x1", start_values(self, "x1_start", p.x1_start, m))
        own |= numbered("x2", start_values(self, "x2_start", p.x2_start, m))
        return own | ({"xr": Start(p.xr_start, True)} if p.n % 2 else {})

    def initial(self, p: Self) -> Callable[..., tuple[Scalar, ...]] | None:
        """Return the states that initType requires."""
        found = {"SteadyState": _rest, "InitialOutput": _rest_but_last}
        return found.get(p.initType)

    def is_steady(self, p: Self) -> bool:
        """Return whether initType is "SteadyState"."""
        return p.initType == "SteadyState"

    @staticmethod
    def law(
        p: LowpassButterworth, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return y, x1, x2 and xr."""
        m = p.n // 2
        y = states[-1] if p.n % 2 else states[m - 1]
        x1, x2 = tuple(states[:m]), tuple(states[m : 2 * m])
        return y, _one(x1), _one(x2), states[-1] if p.n % 2 else 0.0

    @staticmethod
    def rates(
        p: LowpassButterworth, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return the rates of x1, x2 and xr."""
        m, w = p.n // 2, math.tau * p.f
        x1, x2 = states[:m], states[m : 2 * m]
        through = (inputs[0], *x1)
        pairs = butterworth(p.n).pairs
        found = [w * (w * (through[i] - x1[i]) - pairs[i][1] * x2[i]) for i in range(m)]
        real = (w * (through[m] - states[-1]),) if p.n % 2 else ()
        return (*x2, *found, *real)


def _one(values: tuple[Scalar, ...]) -> object:
    return values[0] if len(values) == 1 else values


def _rest(p: LowpassButterworth, t: Scalar, inputs: Scalars) -> tuple[Scalar, ...]:
    m, u = p.n // 2, inputs[0]
    return (*(u,) * m, *(0.0,) * m, *(u,) * (p.n % 2))


def _rest_but_last(p: LowpassButterworth, t: Scalar, inputs: Scalars) -> tuple[Scalar, ...]:
    m, u = p.n // 2, inputs[0]
    last = (p.y_start,)
    if p.n % 2:
        return (*(u,) * m, *(0.0,) * m, *last)
    return (*(u,) * (m - 1), *last, *(0.0,) * m)


class PadeDelay(OneToOne):
    """A delay approximated by Padé's rational function: y(s) / u(s) ≈ e^(−s T), T = delayTime.

    The numerator has the degree m, the denominator n; m None is n. It starts in steady state,
    y = u.
    """

    x = signal_output("states", size="n")
    delayTime: kinds.Duration = parameter("delay", default=1.0)
    n: kinds.Count = parameter("degree of the denominator", default=1)
    m: kinds.OptionalCount = parameter("degree of the numerator; None is n", default=None)

    def check(self, p: Self) -> None:
        """Refuse a numerator of a higher degree."""
        if p.m is not None and p.m > p.n:
            raise ParameterError(
                self.label,
                f"m = {p.m} is above n = {p.n}.",
                "Give m ≤ n.",
                parameter="m",
                value=p.m,
            )

    def outputs(self) -> tuple[Port, ...]:
        """Return y and x."""
        return (self.y, self.x)

    def states(self, p: Self) -> dict[str, Start]:
        """Return x[1] … x[n]."""
        return numbered("x", (0.0,) * p.n)

    def initial(self, p: Self) -> Callable[..., tuple[Scalar, ...]]:
        """Return the states at rest."""
        return _pade_at_rest

    def is_steady(self, p: Self) -> bool:
        """Return that the states start at rest."""
        return True

    @staticmethod
    def law(
        p: PadeDelay, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return y and x."""
        b, a = pade(p.n, p.n if p.m is None else p.m)
        d = b[0] / a[0]
        y = 0.0
        for numerator, denominator, x in zip(b[1:], a[1:], states, strict=True):
            y = y + (numerator - d * denominator) * x
        return (y + d * inputs[0] if d else y), _one(tuple(states))

    @staticmethod
    def rates(
        p: PadeDelay, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return the rates: the time is counted in delayTime."""
        _, a = pade(p.n, p.n if p.m is None else p.m)
        first = inputs[0]
        for denominator, x in zip(a[1:], states, strict=True):
            first = first - denominator * x
        return tuple(rate / p.delayTime for rate in (first / a[0], *states[:-1]))

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that the output is in the unit of the input."""
        yield from same_unit(self.u, self.y)


def _pade_at_rest(p: PadeDelay, t: Scalar, inputs: Scalars) -> tuple[Scalar, ...]:
    return (*(0.0,) * (p.n - 1), inputs[0])


@cache
def pade(n: int, m: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return numerator and denominator of e^(−s), highest power first, as many of each."""
    f, both = math.factorial, m + n
    b = [(-1) ** k * f(both - k) * f(m) / (f(both) * f(k) * f(m - k)) for k in range(m + 1)]
    a = [f(both - k) * f(n) / (f(both) * f(k) * f(n - k)) for k in range(n + 1)]
    return (*(0.0,) * (n - m), *reversed(b)), tuple(reversed(a))
