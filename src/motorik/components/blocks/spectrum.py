"""RealFFT: amplitudes and phases of a sampled signal."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar, arctan2, cos, floor, sin, sqrt, where
from motorik.components.base import kinds
from motorik.components.base.contributions import Assignment, Contribution, Trigger
from motorik.components.base.declarations import (
    boolean_output,
    parameter,
    signal_input,
    signal_output,
)
from motorik.components.base.internal import (
    Internal,
    InternalNumber,
    kept,
    single_number,
)
from motorik.components.base.motion import Motion
from motorik.components.base.part import Values
from motorik.components.base.ports import Port
from motorik.components.base.unit_laws import UnitLaw, same_unit
from motorik.components.base.values import number_of
from motorik.components.blocks.block import Block, Scalars
from motorik.errors import ParameterError
from motorik.immutable import immutable

if TYPE_CHECKING:
    from motorik.results.result import Result

OVERSAMPLING = 5  # samples reach this multiple of f_max, as Modelica has it


def smooth_number(least: int) -> int:
    """Return the first even number from `least` on without prime factors above 5."""
    number = least + least % 2
    while True:
        rest = number
        for prime in (2, 3, 5):
            while rest % prime == 0:
                rest //= prime
        if rest == 1:
            return number
        number += 2


@immutable
class Spectrum:
    """A spectrum: u(t) = Σ amplitude · cos(2π f (t − startTime) + phase) at the samples.

    The arrays have one entry for each frequency f [Hz]; phases are in rad. The first amplitude is
    the mean, which may be negative.
    """

    f: np.ndarray
    amplitude: np.ndarray
    phase: np.ndarray

    def write(self, path: str | Path) -> None:
        """Write a CSV file with the columns f [Hz], amplitude and phase [rad]."""
        table = np.column_stack([self.f, self.amplitude, self.phase])
        np.savetxt(
            path, table, delimiter=",", header="f,amplitude,phase", comments="", fmt="%.17g"
        )


class RealFFT(Block):
    """The discrete Fourier transform of the samples of u: amplitudes and phases by frequency.

    Frequencies are the multiples of f_res up to f_max. There are `samples` samples from startTime
    on, as many as a fast transform likes that reaches 5 f_max, in the time 1 / f_res. The
    outputs are 0, and `ready` false, until the last one; ``fft.spectrum(result)`` are arrays.
    """

    u = signal_input("input")
    y_abs = signal_output("amplitudes, by frequency", size=lambda part: part.n_frequencies)
    y_arg = signal_output(
        "phases, by frequency", "rad", size=lambda part: part.n_frequencies
    )
    ready = boolean_output("whether all samples are taken")
    f_max: kinds.PlainPositiveFrequency = parameter("largest frequency", default=100.0)
    f_res: kinds.PlainPositiveFrequency = parameter(
        "difference of frequencies", default=10.0
    )
    startTime: kinds.PlainTime = parameter("time of the first sample", default=0.0)
    count = kept("number of samples that are taken")

    @property
    def samples(self) -> int:
        """The number of samples: even, without prime factors above 5."""
        f_max, f_res = number_of(self.f_max), number_of(self.f_res)
        return smooth_number(2 * math.ceil(f_max * OVERSAMPLING / f_res))

    @property
    def n_frequencies(self) -> int:
        """The number of frequencies, from 0 on."""
        f_max, f_res = number_of(self.f_max), number_of(self.f_res)
        return min(math.ceil(f_max / f_res) + 1, self.samples // 2)

    @property
    def samplePeriod(self) -> float:  # noqa: N802 (name of Modelica)
        """The time between two samples [s]."""
        return 1.0 / (number_of(self.f_res) * self.samples)

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return amplitudes, phases, and whether they are known."""
        return (self.y_abs, self.y_arg, self.ready)

    def check(self, p: Values) -> None:
        """Refuse a resolution that leaves one frequency alone."""
        if p.f_max <= p.f_res:
            raise ParameterError(
                self.label,
                f"f_res = {p.f_res:g} Hz is not below f_max = {p.f_max:g} Hz.",
                "Give f_res < f_max.",
                parameter="f_res",
                value=p.f_res,
            )

    def internal(self) -> dict[str, InternalNumber]:
        """Return the sums of u cos and u sin for each frequency, and the number of samples."""
        if "_internal" not in self.__dict__:
            made: dict[str, Internal] = {
                f"{name}{k}": kept(f"sum of u {name}(2π i k / samples)")
                for k in range(self.n_frequencies)
                for name in ("cos", "sin")
            }
            self.__dict__["_internal"] = {**type(self)._internal, **made}
        return super().internal()

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the outputs, and the clock of the samples."""
        own, n = self.internal(), self.samples

        def sums(
            motion: Motion, k: int, wave: Callable[[Scalar], Scalar], name: str
        ) -> Scalar:
            turns = p.count * (k / n)
            more = motion.signal(self.u) * wave(math.tau * (turns - floor(turns)))
            return getattr(p, f"{name}{k}") + where(p.count < n, more, 0.0)

        waves = {"cos": cos, "sin": sin}
        changes = [
            Assignment(
                single_number(own, f"{name}{k}"),
                partial(sums, k=k, wave=wave, name=name),
            )
            for k in range(self.n_frequencies)
            for name, wave in waves.items()
        ]
        counted = Assignment(single_number(own, "count"), lambda motion: p.count + 1.0)
        yield from super().contributions(
            SimpleNamespace(**vars(p), samples=n, n_frequencies=self.n_frequencies)
        )
        yield Trigger(
            self,
            (*changes, counted),
            period=self.samplePeriod,
            offset=float(number_of(self.startTime)),
        )

    @staticmethod
    def law(p: Values, t: Scalar, inputs: Scalars, states: Scalars) -> tuple[Scalar, ...]:
        """Return amplitudes and phases once all samples are taken."""
        found = [_wave(p, k) for k in range(p.n_frequencies)]
        ready = where(p.count >= p.samples, 1.0, 0.0)
        return (
            *(where(ready > 0.5, size, 0.0) for size, _ in found),
            *(where(ready > 0.5, phase, 0.0) for _, phase in found),
            ready,
        )

    def unit_laws(self) -> Iterator[UnitLaw]:
        """Yield that amplitudes are in the unit of the input."""
        yield from same_unit(self.u, self.y_abs)

    def spectrum(self, result: Result) -> Spectrum:
        """Return amplitudes and phases at the end of a run, which must be long enough."""
        path = self.path
        last = {
            name: np.atleast_1d(result[f"{path}.{name}"][-1]) for name in ("y_abs", "y_arg")
        }
        if result[f"{path}.ready"][-1] < 0.5:
            end = number_of(self.startTime) + (self.samples - 1) * self.samplePeriod
            raise ParameterError(
                path,
                f"has not taken all {self.samples} samples at the end of the run, "
                f"{float(result.time[-1]):g} s.",
                f"Simulate until {end:g} s.",
                parameter="f_res",
                value=number_of(self.f_res),
            )
        f = number_of(self.f_res) * np.arange(self.n_frequencies)
        return Spectrum(f, last["y_abs"], last["y_arg"])


def _wave(p: Values, k: int) -> tuple[Scalar, Scalar]:
    """Return amplitude and phase of frequency k."""
    re, im = getattr(p, f"cos{k}") / p.samples, getattr(p, f"sin{k}") / p.samples
    if k == 0:
        return re, 0.0
    return 2.0 * sqrt(re * re + im * im), arctan2(-im, re)
