"""Result: the states of a run over time, and every other variable on demand."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, overload

import numpy as np

from motorik.errors import UnknownNameError, checked_methods, refuse_pickle
from motorik.results.sample import Sample
from motorik.results.series import Series, frozen

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from motorik.components.base.composite import Composite
    from motorik.results.energy import EnergyBalance
    from motorik.results.event_states import AtEvent
    from motorik.results.events import Event
    from motorik.results.run_info import RunInfo
    from motorik.view.render import Picture
    from motorik.view.render.options import DrawOptions, MovieOptions

FORMS = ("kinetic", "potential", "stored")
SUMS = (*FORMS, "total")
MOST_LISTED = 20  # events that the summary lists


@checked_methods
class Result(Series, ABC):
    """The result of a run: the states over time, and every other variable.

    ``result["rev.phi"]`` is an array over `result.time`; vectors have a column for each
    component, and ``result["body.r_0[2]"]`` is one of them. The run of a model gives a
    `ModelResult`, that of a MOBILE program a `SystemResult`.
    """

    def __init__(self, time: np.ndarray, info: RunInfo | Callable[[], RunInfo]) -> None:
        super().__init__(time)
        self._info = info
        self._known: dict[str, np.ndarray] = {}

    def __copy__(self) -> Result:
        return self  # nothing in it can be changed

    def __deepcopy__(self, memo: dict[int, object]) -> Result:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        refuse_pickle(
            "result", "Pass on to_xarray() or to_pandas(), or write it with to_netcdf."
        )

    # --- defined by each kind of run ---------------------------------------------------------

    @property
    @abstractmethod
    def model(self) -> Composite:
        """The model that was simulated."""

    @property
    @abstractmethod
    def states(self) -> np.ndarray:
        """The states over time, one column each, in the order of `state_names`."""

    @property
    @abstractmethod
    def state_names(self) -> list[str]:
        """The names of the states."""

    @property
    @abstractmethod
    def rates(self) -> np.ndarray:
        """The rates of the states over time."""

    @property
    @abstractmethod
    def motion(self) -> np.ndarray:
        """All coordinates, speeds and other states over time, as `motion_names` lists them."""

    @property
    @abstractmethod
    def motion_names(self) -> list[str]:
        """The names of all coordinates, speeds and other states."""

    @abstractmethod
    def constraint_violation(self) -> tuple[float, float]:
        """Return the largest constraint violation of all loops in the run, [m] and [rad]."""

    @abstractmethod
    def _compute(self, names: Sequence[str]) -> dict[str, np.ndarray]:
        """Return variables that are not at hand."""

    @abstractmethod
    def _energies(self) -> np.ndarray:
        """Return kinetic, potential and stored energy [J], a column each."""

    @property
    @abstractmethod
    def _subject(self) -> str:
        """The name of the model or system."""

    @property
    @abstractmethod
    def _size(self) -> str:
        """The size of the model or system, as text."""

    # --- how the run went --------------------------------------------------------------------

    @property
    def info(self) -> RunInfo:
        """Method, cost and end of the run."""
        if callable(self._info):
            self._info = self._info()
        return self._info

    @property
    def complete(self) -> bool:
        """Whether the run reached its end; otherwise `info.message` gives the reason."""
        return self.info.complete

    def at_event(self, k: int) -> AtEvent:
        """Return the variables before and after event k: ``at_event(0).before["mass.v"]``.

        They are the states of the run at the event, not interpolated ones.
        """
        return self._states_at(self.events[k])

    def _states_at(self, event: Event) -> AtEvent:
        raise NotImplementedError

    def _with_event_samples(self) -> Result:
        return self

    # --- variables ---------------------------------------------------------------------------

    def _ipython_key_completions_(self) -> list[str]:
        return self.names()

    def _default_names(self) -> Sequence[str]:
        return self.state_names

    def _is_at_hand(self, name: str) -> bool:
        return name == "time" or name in self._known

    def _values_of(self, name: str) -> np.ndarray:
        if name not in self._known:
            self.compute([name])
        return self._known[name]

    def compute(self, names: Iterable[str]) -> dict[str, np.ndarray]:
        """Return several variables at once; cheaper than one after another."""
        names = list(names)
        new = [name for name in names if not self._is_at_hand(name)]
        if new:
            found = self._compute(new)
            self._known.update({name: frozen(values) for name, values in found.items()})
        return {name: self[name] for name in names}

    def energy(self) -> EnergyBalance:
        """Return kinetic, potential and stored energy and their sum over time [J]."""
        from motorik.results.energy import EnergyBalance

        return EnergyBalance(dict(zip(FORMS, self._energies().T, strict=True)), None)

    def sample(self, k: int) -> Sample:
        """Return the variables of output sample k, −1 the last, by name.

        ``model.simulate(9.0, start_time=result.time[-1], initial=result.sample(-1))``
        continues the run: full turns and branches of dependent joints are kept.
        """
        is_count = isinstance(k, (int, np.integer)) and not isinstance(k, bool)
        if not is_count or not -len(self._time) <= k < len(self._time):
            raise UnknownNameError(
                "result.sample",
                f"there is no sample {k!r}: the run has {len(self._time)}.",
                "Give a number from 0, or −1 for the last sample.",
                value=k,
            )
        states = dict(zip(self.state_names, self.states[k].tolist(), strict=True))
        states |= self._discrete(k)
        return Sample(
            self._subject,
            float(self._time[k]),
            states,
            units={name: self.unit(name) for name in states},
            read=partial(self._value_at, k),
            dependent=partial(self._dependent_at, k, states),
            energy=partial(self._energy_at, k),
        )

    def _value_at(self, k: int, name: str) -> float | np.ndarray:
        value = self[name][k]
        return float(value) if value.ndim == 0 else value

    def _energy_at(self, k: int) -> dict[str, float]:
        energy = self.energy()
        return {name: float(energy[name][k]) for name in SUMS}

    def _discrete(self, k: int) -> dict[str, float]:
        """Return the signals that only events change, at output time number k."""
        return {}

    def _dependent_at(self, k: int, states: Mapping[str, float]) -> dict[str, float]:
        """Return the values at output time number k that follow from the states."""
        return {}

    @overload
    def at(self, time: float) -> Sample: ...

    @overload
    def at(self, time: Sequence[float] | np.ndarray) -> Result: ...

    def at(self, time: float | Sequence[float] | np.ndarray) -> Sample | Result:
        """Return the variables at a time [s]: ``result.at(0.3)["rev.phi"]``.

        For several times a result with a sample at each of them is returned. States are
        found by cubic Hermite interpolation, all other variables from these states. At the time
        of an event they are those after it.
        """
        t = self._times_within(time)
        found = self._interpolated(np.atleast_1d(t))
        return found if t.ndim else found.sample(0)

    def _times_within(self, times: object) -> np.ndarray:
        """Return times as an array, or refuse those that are not within the run."""
        try:
            t = np.asarray(times, dtype=float)
        except (TypeError, ValueError):
            t = np.array([np.nan])
        if not t.size or t.ndim > 1:
            raise UnknownNameError(
                "result.at",
                f"{times!r} is neither a time nor a list of times.",
                "Give seconds.",
                value=times,
            )
        if not ((t >= self._time[0]) & (t <= self._time[-1])).all():
            raise UnknownNameError(
                "result.at",
                f"times from {t.min():g} to {t.max():g} s exceed the run, "
                f"{self._time[0]:g} to {self._time[-1]:g} s.",
                "Ask for times within the run.",
                value=times,
            )
        return t

    @abstractmethod
    def _interpolated(self, t: np.ndarray) -> Result:
        """Return the result at times within the run."""

    # --- pictures and text -------------------------------------------------------------------

    def to_movie(self, file: str | Path, **options: Unpack[MovieOptions]) -> Path:
        """Write a movie of the mechanism: GIF, WebP or MP4, by the suffix of the file.

        Options as in `motorik.view.write_movie`: `fps`, `speed`, `start_time`, `stop_time` [s],
        and those of `draw`.
        """
        from motorik.view import write_movie

        return write_movie(self, file, **options)

    def draw(self, time: float | None = None, **options: Unpack[DrawOptions]) -> Picture:
        """Draw the mechanism at a time [s], by default the last; return the picture.

        Options as in `motorik.view.draw`: `camera`, `size`, `style`, `trace`, `file` …
        """
        from motorik.view import draw

        return draw(self, time, **options)

    def _notes(self) -> dict[str, str | int]:
        return {
            **self._parameter_note(),
            "made_by": "motorik",
            "model": self._subject,
            "method": self.info.method,
            "complete": int(self.complete),
            "message": self.info.message,
        }

    def summary(self) -> str:
        """Return method, cost and change of energy as text."""
        info = self.info
        lines = [
            f"{self._subject}: {self._time[0]:g} s to {self._time[-1]:g} s, "
            f"{self._size}, {len(self)} samples",
            f"  method      {info.method}, relative tolerance {info.tolerance:g}",
            f"  steps       {info.steps} accepted, {info.rejected} rejected",
            f"  evaluations {info.evaluations}, Jacobians {info.jacobians}",
            f"  computed in {1e3 * info.wall_time:.3f} ms; prepared and compiled in "
            f"{1e3 * info.compile_time:.3f} ms",
            f"  energy      {self._energy_change()}",
        ]
        lines += [f"  at {t:g} s   changed to {method}" for t, method in info.switches]
        lines += self._event_lines()
        if info.assumed:
            lines.append(f"  assumed     {info.assumed}")
        if not info.complete:
            lines.append("  incomplete  " + info.message.replace("\n  ", f"\n{' ' * 14}"))
        return "\n".join(lines)

    def _event_lines(self) -> list[str]:
        """Return the events for the summary, of many only how many there are."""
        if len(self.events) > MOST_LISTED:
            return [f"  events      {len(self.events)}, see result.events"]
        return [f"  at {e.time:g} s   {e.part} {e.what}" for e in self.events]

    def _energy_change(self) -> str:
        energy = self.energy()
        E = energy["total"]
        if np.isnan(energy["potential"]).all():
            return "not known: the gravity function of the World has no potential"
        moved = (np.ptp(energy["potential"]), np.ptp(energy["stored"]))
        scale = max(float(energy["kinetic"].max()), *map(float, moved), 1e-300)
        return (
            f"{E[0]:.9g} J to {E[-1]:.9g} J, change {E[-1] - E[0]:+.3g} J "
            f"({abs(E - E[0]).max() / scale:.2g} of the largest energy exchanged)"
        )

    def __repr__(self) -> str:
        why = self.info.message.partition("\n")[0]
        ended = "" if self.complete else f", incomplete: {why}"
        return (
            f"<Result of {self._subject}: {len(self)} samples to "
            f"t = {self._time[-1]:g} s{ended}>"
        )


class Interpolation(NamedTuple):
    """Cubic Hermite interpolation at times between samples.

    `first` and `next` are the samples around each time, `share` is its place between them.
    """

    first: np.ndarray
    next: np.ndarray
    share: np.ndarray
    interval: np.ndarray

    @staticmethod
    def between(time: np.ndarray, t: np.ndarray) -> Interpolation:
        """Return the interpolation at the times t; of samples at one time, from the last."""
        last = time.size - 1
        i = np.clip(np.searchsorted(time, t, side="right") - 1, 0, max(last - 1, 0))
        j = np.minimum(i + 1, last)
        h = time[j] - time[i]
        s = np.where(h > 0, (t - time[i]) / np.where(h > 0, h, 1.0), 1.0)
        return Interpolation(i, j, s, h)

    @property
    def nearest(self) -> np.ndarray:
        """The sample nearest to each time."""
        return np.where(self.share < 0.5, self.first, self.next)

    def of(self, x: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """Return values at the times, from those and their rates at the samples."""
        s, h = self.share[:, None], self.interval[:, None]
        a, b = x[self.first], x[self.next]
        da, db = rates[self.first], rates[self.next]
        return (
            (1 + 2 * s) * (1 - s) ** 2 * a
            + s * (1 - s) ** 2 * h * da
            + s**2 * (3 - 2 * s) * b
            + s**2 * (s - 1) * h * db
        )
