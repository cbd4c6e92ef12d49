"""Result: every variable of every part over time, computed on demand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.errors import FileFormatError, UnknownNameError
from motorik.results.events import Event, Events
from motorik.results.run_info import RunInfo
from motorik.results.series import Series, frozen
from motorik.results.sides import AtEvent, Moments, sided
from motorik.results.values import ParameterValue, ParameterValues

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from motorik.components.base.composite import Composite
    from motorik.system.system import System

MOST_LISTED = 20  # events that the summary lists


class Result(Series):
    """The result of a simulation: the states over time, and every other variable.

    ``result["rev.phi"]`` is an array over `result.time`; vectors have a column for each
    component, and ``result["body.r_0[2]"]`` is one of them. Variables that are not
    states are computed on demand: interpreted for few rows, else in native code.
    """

    def __init__(
        self,
        system: System,
        time: np.ndarray,
        motion: np.ndarray,
        parameters: np.ndarray,
        info: RunInfo,
        states: Sequence[int] | None = None,
        shown: Mapping[str, tuple[Any, str]] | None = None,
        events: Iterable[Event] = (),
        moments: Moments | None = None,
    ) -> None:
        super().__init__(time)
        self._system = system
        self._integrated = list(system.layout.integrated if states is None else states)
        self._motion = frozen(motion)
        self._parameters = frozen(parameters)
        self._known: dict[str, np.ndarray] = {}
        self._rows = system.rows(sided(self._time), self._motion, self._parameters)
        self._info = info
        self._shown = dict(shown or {})  # parameters set for this run that are not live
        self._events, self._moments = Events(events), moments

    def __copy__(self) -> Result:
        return self  # nothing in it can be changed

    def __deepcopy__(self, memo: dict[int, object]) -> Result:
        return self

    def __getstate__(self) -> dict[str, object]:
        raise FileFormatError(
            "result",
            "holds machine code and cannot be pickled.",
            "Pass on to_xarray() or to_pandas(), or write it with to_netcdf.",
        )

    @property
    def info(self) -> RunInfo:
        """Method, cost and end of the run."""
        return self._info

    @property
    def model(self) -> Composite:
        """The model that was simulated."""
        return self._system.mechanism.inventory.model

    @property
    def parameters(self) -> ParameterValues:
        """The values of the live parameters and of those that were set for this run.

        Values computed at the start of the run are included.
        """
        first = np.atleast_2d(self._parameters)[0].tolist()
        entries: dict[str, ParameterValue] = {}
        for k, scalar in enumerate(self._system.layout.live):
            live = scalar.parameter
            if scalar.index == 0 and not live.role:
                value = tuple(first[k : k + 3]) if live.is_vector else first[k]
                found = live.is_designed or not live.fixed
                entries[live.name] = ParameterValue(value, live.unit, found)
        entries |= {name: ParameterValue(*shown) for name, shown in self._shown.items()}
        return ParameterValues(entries)

    @property
    def states(self) -> np.ndarray:
        """The states over time, one column each, in the order of `state_names`."""
        return frozen(self._motion[:, self._integrated])

    @property
    def state_names(self) -> list[str]:
        """The names of the states at the start of the run, as `explain()` lists them."""
        names = self._system.layout.motion_names
        return [names[k] for k in self._integrated]

    @property
    def motion(self) -> np.ndarray:
        """All coordinates, speeds and states of blocks over time, ordered as `motion_names`."""
        return self._motion

    @property
    def motion_names(self) -> list[str]:
        """The names of all coordinates, speeds and states of blocks."""
        return list(self._system.layout.motion_names)

    @property
    def complete(self) -> bool:
        """Whether the run reached its end; otherwise `info.message` gives the reason."""
        return self.info.complete

    @property
    def _motion_rates(self) -> np.ndarray:
        """The rates of the motion over time."""
        return frozen(self._rows.rates)

    @property
    def rates(self) -> np.ndarray:
        """The rates of the states over time."""
        return frozen(self._motion_rates[:, self._integrated])

    def names(self) -> list[str]:
        """Return the names of all variables of all parts, and of states that no part shows."""
        names = self._system.equations.catalogue.names()
        shown = set(names)
        hidden = [n for n in self.motion_names if _whole(n) not in shown]
        return [*names, *hidden]

    def _ipython_key_completions_(self) -> list[str]:
        return self.names()

    def _default_names(self) -> Sequence[str]:
        return self.state_names

    def unit(self, name: str) -> str:
        """Return the unit of a variable, e.g. "rad/s"."""
        if name == "time":
            return "s"
        layout = self._system.layout
        if name in layout.index:
            return layout.motion[layout.index[name]].unit
        return self._system.equations.catalogue.find(name)[0].unit

    def _values_of(self, name: str) -> np.ndarray:
        index = self._system.layout.index
        if name in index:
            return self._motion[:, index[name]]
        if name not in self._known:
            self.compute([name])
        return self._known[name]

    def compute(self, names: Iterable[str]) -> dict[str, np.ndarray]:
        """Return several variables at once; cheaper than one after another."""
        names = list(names)
        layout = self._system.layout
        new = [n for n in names if n not in layout.index and n not in self._known]
        if new:
            found = self._rows.values(new)
            self._known.update({name: frozen(values) for name, values in found.items()})
        return {name: self[name] for name in names}

    @property
    def events(self) -> Events:
        """What happened on the way, in order: modes that change, hits, changes of form."""
        return self._events

    def at_event(self, k: int) -> AtEvent:
        """Return both sides of event number k: ``at_event(0).before["mass.v"]``.

        They are the states that the run had there, not interpolated ones.
        """
        event = self._events[k]
        assert self._moments is not None
        return AtEvent(self._system, event, self._moments)

    def _with_event_rows(self) -> Result:
        return self._event_rows

    @cached_property
    def _event_rows(self) -> Result:
        """The same result with two more rows at each event, before and after it."""
        own = self._moments
        numbers = np.array(sorted({event.moment for event in self._events}), dtype=int)
        if own is None or not numbers.size or self._is_doubled(own.times[numbers]):
            return self
        times, motion, p = own.times[numbers], own.motion[numbers], own.parameters[numbers]
        time = np.concatenate([times, times, self._time])
        order = np.argsort(time, kind="stable")
        shape = (len(self), p.shape[-1])
        rows = np.vstack([motion[:, 0], motion[:, 1], self._motion])[order]
        given = np.broadcast_to(self._parameters, shape)
        given = np.vstack([p[:, 0], p[:, 1], given])[order]
        rest = self._info, self._integrated, self._shown, self._events, own
        return Result(self._system, time[order], rows, given, *rest)

    def _is_doubled(self, times: np.ndarray) -> bool:
        """Tell whether there are two rows at each of these times."""
        first = np.searchsorted(self._time, times)
        return bool((np.searchsorted(self._time, times, side="right") - first > 1).all())

    def loop_gap(self) -> tuple[float, float]:
        """Return the largest gap of all loops in the run, [m] and [rad].

        It is measured from the poses of the frames, independently of the equations solved.
        """
        found = self._rows.map("gaps")
        if not found.size:
            return 0.0, 0.0
        metres, radians = found.reshape(len(self), 2, -1).max(axis=(0, 2))
        return float(metres), float(radians)

    def energy(self) -> dict[str, np.ndarray]:
        """Return kinetic, potential and stored energy and their sum over time [J].

        Potential energy and sum are NaN where gravity is a user's function.
        """
        kinetic, potential, stored = self._rows.map("energy").T
        return {
            "kinetic": kinetic,
            "potential": potential,
            "stored": stored,
            "total": kinetic + potential + stored,
        }

    def at(self, times: float | Sequence[float] | np.ndarray) -> np.ndarray:
        """Return the states at other times, by cubic Hermite interpolation between rows.

        Events are passed exactly: at the time of one the states are those after it.
        """
        try:
            t = np.atleast_1d(np.asarray(times, dtype=float))
        except (TypeError, ValueError):
            t = np.array([np.nan])
        if not ((t >= self._time[0]) & (t <= self._time[-1])).all():
            raise UnknownNameError(
                "result.at",
                f"times from {t.min():g} to {t.max():g} s exceed the run, "
                f"{self._time[0]:g} to {self._time[-1]:g} s.",
                "Ask for times within the run.",
                value=times,
            )
        rows = self._event_rows
        time, last = rows.time, len(rows) - 1
        i = np.clip(np.searchsorted(time, t, side="right") - 1, 0, max(last - 1, 0))
        j = np.minimum(i + 1, last)
        h = (time[j] - time[i])[:, None]
        s = np.where(h > 0, (t - time[i])[:, None] / np.where(h > 0, h, 1.0), 1.0)
        x, rates = rows.states, rows.rates
        a, b, da, db = x[i], x[j], rates[i], rates[j]
        return (
            (1 + 2 * s) * (1 - s) ** 2 * a
            + s * (1 - s) ** 2 * h * da
            + s**2 * (3 - 2 * s) * b
            + s**2 * (s - 1) * h * db
        )

    def animate(self, file: str | Path, **options: Any) -> Path:
        """Write an animation of the mechanism (GIF)."""
        from motorik.view.motion import animate

        return animate(self, file, **options)

    def draw(self, time: float | None = None, **options: Any) -> Figure:
        """Draw the mechanism at a time (by default the last one). Return the figure."""
        from motorik.view.motion import draw

        return draw(self, time, **options)

    def _notes(self) -> dict[str, str | int]:
        return {
            **self._parameter_note(),
            "made_by": "motorik",
            "model": self._system.mechanism.name,
            "method": self.info.method,
            "complete": int(self.complete),
            "message": self.info.message,
        }

    def summary(self) -> str:
        """Return method, cost and change of energy as text."""
        info = self.info
        lines = [
            f"{self._system.mechanism.name}: {self._time[0]:g} s to {self._time[-1]:g} s, "
            f"{self._system.freedom} degree{'' if self._system.freedom == 1 else 's'} "
            "of freedom, "
            f"{len(self)} rows",
            f"  method      {info.method}, relative tolerance {info.tolerance:g}",
            f"  steps       {info.steps} accepted, {info.rejected} rejected",
            f"  evaluations {info.evaluations}, Jacobians {info.jacobians}",
            f"  computed in {1e3 * info.wall_time:.3f} ms; prepared and compiled in "
            f"{1e3 * info.compile_time:.3f} ms",
            f"  energy      {self._energy_change()}",
        ]
        lines += [f"  at {t:g} s   changed to {method}" for t, method in info.switches]
        lines += self._event_lines()
        if not info.complete:
            lines.append("  incomplete  " + info.message.replace("\n  ", f"\n{' ' * 14}"))
        return "\n".join(lines)

    def _event_lines(self) -> list[str]:
        """Return the events for the summary, of many only how many there are."""
        if len(self._events) > MOST_LISTED:
            return [f"  events      {len(self._events)}, see result.events"]
        return [f"  at {e.time:g} s   {e.part} {e.what}" for e in self._events]

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
            f"<Result of {self._system.mechanism.name}: {len(self)} rows to "
            f"t = {self._time[-1]:g} s{ended}>"
        )


def _whole(name: str) -> str:
    """Return the name of the variable that a name such as `body.r_0[2]` is an element of."""
    before, bracket, index = name.rpartition("[")
    return before if bracket and index.endswith("]") else name
