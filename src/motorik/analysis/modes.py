"""Modes of a model: frequency, damping and shape of its small motions, and their films."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, overload

import numpy as np

from motorik.errors import ParameterError, refuse_pickle
from motorik.immutable import immutable
from motorik.initialisation.given import is_number
from motorik.numerics.modes import Mode, find_modes
from motorik.numerics.tolerances import LINEARISED
from motorik.results.run_info import RunInfo

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from motorik.analysis.operating_point import OperatingPoint
    from motorik.results.model_result import ModelResult
    from motorik.view.render import Picture
    from motorik.view.render.options import DrawOptions, MovieOptions
    from motorik.view.web.film import ViewOptions

LARGEST = 0.1  # motion of a film, in lengths of the mechanism or rad
PICTURES = 40  # of one period
SECONDS = 2.0  # of a movie for each period


@immutable(eq=False)
class Modes(Sequence[Mode]):
    """The modes of a model at a state, by rising natural frequency: ``modes[0].frequency``.

    The shape of a mode has all coordinates, speeds and states of blocks. `held` names the
    parts whose freedoms friction or contact holds.
    """

    point: OperatingPoint
    items: tuple[Mode, ...]

    @staticmethod
    def of(point: OperatingPoint, A: np.ndarray, motion: np.ndarray) -> Modes:
        """Return the modes of δṡ = A δs, where all of the motion follows by δX = motion δs."""
        layout = point.system.layout
        given = A, layout.motion_names, range(layout.n_q), LINEARISED, motion
        found = find_modes(*given)
        return Modes(point, tuple(found))

    def __reduce__(self) -> tuple[object, ...]:
        refuse_pickle("modes", "Pickle `list(modes)`, or its frequencies.")

    @overload
    def __getitem__(self, index: int) -> Mode: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Mode]: ...
    def __getitem__(self, index: int | slice) -> Mode | Sequence[Mode]:
        """Return a mode by its number, from 0."""
        return self.items[index]

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Mode]:
        return iter(self.items)

    @property
    def held(self) -> dict[str, str]:
        """The parts that hold a freedom by friction or contact: "stuck" or "closed"."""
        return self.point.held

    @property
    def frequencies(self) -> np.ndarray:
        """The frequencies [Hz] |Im λ| / 2π."""
        return np.array([mode.frequency for mode in self.items])

    @property
    def is_stable(self) -> bool | None:
        """Whether small motions die out: None where some neither grow nor decay."""
        if not all(mode.is_stable for mode in self.items):
            return False
        return True if all(mode.decays for mode in self.items) else None

    def result(
        self, number: int, *, amplitude: float | None = None, periods: int = 1
    ) -> ModelResult:
        """Return the motion of one mode as a result, to be drawn, filmed and plotted.

        Its undamped oscillation about the state, with loops closed, over some `periods` of its
        natural frequency. `amplitude` [m or rad] is that of the largest coordinate, by default a
        tenth of the length of the mechanism, or of a radian.
        """
        from motorik.results.model_result import ModelResult

        self._check(number, amplitude, periods)
        mode, point = self.items[number], self.point
        system, layout = point.system, point.system.layout
        shape = np.array([mode.shape[name] for name in layout.motion_names])
        shape[layout.n_q :] = 0.0
        scales = system.scales.coordinates
        size = float((np.abs(shape[: layout.n_q]) / scales).max(initial=0.0))
        factor = (LARGEST / max(size, 1e-300)) if amplitude is None else amplitude
        count = PICTURES * periods + 1
        natural = mode.natural_frequency
        time = np.linspace(0.0, periods / natural if natural else 1.0, count)
        phase = np.exp(2j * math.pi * np.linspace(0.0, periods, count))
        x = point.x + factor * np.real(np.outer(phase, layout.state_of(shape)))
        at = np.full((count, 1), point.t)
        project = system.project
        if project is not None:
            x = project.map(at, x, point.p)
        X = system.full_state.map(at, x, point.p)
        X[:, layout.n_q : layout.n_q + layout.n_u] = 0.0
        text = self._title(number)
        info = RunInfo("mode", count - 1, 0, 0, 0, 0.0, True, text)
        return ModelResult(system, time, X, point.p, info)

    def draw(
        self, number: int, *, amplitude: float | None = None, **options: Unpack[DrawOptions]
    ) -> Picture:
        """Draw a mode at one end of its motion, pale at rest and at the other end.

        `amplitude` as in `result`, other options as in `motorik.view.draw`.
        """
        film = self.result(number, amplitude=amplitude)
        end = float(film.time[-1])
        ends: DrawOptions = {"title": self._title(number), "ghosts": (end / 4.0, end / 2.0)}
        return film.draw(0.0, **{**ends, **options})

    def show(
        self,
        number: int,
        *,
        amplitude: float | None = None,
        periods: int = 1,
        **options: Unpack[ViewOptions],
    ) -> Path | None:
        """Show a mode moving: below the cell of a notebook, else as a page in the browser.

        `amplitude` and `periods` as in `result`, other options as in `result.show`.
        """
        film = self.result(number, amplitude=amplitude, periods=periods)
        return film.show(**options)

    def to_movie(
        self,
        number: int,
        file: str | Path,
        *,
        amplitude: float | None = None,
        periods: int = 1,
        **options: Unpack[MovieOptions],
    ) -> Path:
        """Write a mode as a movie: a period lasts two seconds unless a `speed` is given.

        `amplitude` and `periods` as in `result`, other options as in `result.to_movie`.
        """
        film = self.result(number, amplitude=amplitude, periods=periods)
        speed = float(film.time[-1]) / (periods * SECONDS)
        own: MovieOptions = {"title": self._title(number), "speed": speed}
        return film.to_movie(file, **{**own, **options})

    def _title(self, number: int) -> str:
        mode = self.items[number]
        return f"mode {number}: {mode.frequency:.4g} Hz, damping ratio {mode.damping:.3g}"

    def _check(self, number: int, amplitude: float | None, periods: int) -> None:
        if not (isinstance(number, int) and 0 <= number < len(self.items)):
            raise ParameterError(
                "number",
                f"{number!r} is no mode.",
                f"Give one from 0 to {len(self.items) - 1}.",
                parameter="number",
                value=number,
            )
        if amplitude is not None and not is_number(amplitude):
            raise ParameterError(
                "amplitude",
                f"{amplitude!r} is not a length or an angle.",
                "Give a number in m or rad.",
                parameter="amplitude",
                value=amplitude,
            )
        if not (isinstance(periods, int) and periods > 0):
            raise ParameterError(
                "periods",
                f"{periods!r} is not a number of periods.",
                "Give a positive integer.",
                parameter="periods",
                value=periods,
            )

    def __repr__(self) -> str:
        held = ", ".join(f"{part} ({mode})" for part, mode in self.held.items())
        also = [f"  held: {held}"] if held else []
        if not self.items:
            return "\n".join(["no mode: nothing is free to move", *also])
        lines = [f"{'':>4} {'f [Hz]':>12} {'damping':>12} {'eigenvalue [1/s]':>28}  moves"]
        for k, mode in enumerate(self.items):
            value, turning = f"{mode.eigenvalue.real:.6g}", abs(mode.eigenvalue.imag)
            if turning:
                value += f" ± {turning:.6g}i"
            most = max(mode.shape, key=lambda name: abs(mode.shape[name]), default="")
            own = [n for n, v in mode.shape.items() if abs(v - 1.0) < 1e-12]
            lines.append(
                f"{k:>4} {mode.frequency:12.6g} {mode.damping:12.6g} {value:>28}  "
                f"{own[0] if own else most}"
            )
        return "\n".join([*lines, *also])
