"""ModelResult: every variable of every part of a model over time, computed on demand."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.errors import (
    EquationWarning,
    SimulationError,
    calls_within_motorik,
    checked_methods,
)
from motorik.numerics.tolerances import SAME_RUN
from motorik.results.energy import EnergyBalance
from motorik.results.event_states import times_beside_events
from motorik.results.events import Events
from motorik.results.result import Interpolation, Result
from motorik.results.run_info import warn_incomplete
from motorik.results.series import frozen, split_index
from motorik.results.shown import HasScene

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.components.base.composite import Composite
    from motorik.motion.catalogue import PowerNames
    from motorik.results.event_states import AtEvent, EventStates
    from motorik.results.events import Event
    from motorik.results.poses import Poses
    from motorik.results.run_info import RunInfo
    from motorik.results.trajectory import Trajectory
    from motorik.results.values import ParameterValue, ParameterValues
    from motorik.system.output_samples import OutputSamples
    from motorik.view.scene import Scene


@checked_methods
class ModelResult(HasScene, Result):
    """The states of a model over time, and from them every variable of every part.

    Variables that are not states are computed on demand: interpreted for few samples, else in
    native code.
    """

    def __init__(
        self,
        system: CompiledModel,
        time: np.ndarray,
        motion: np.ndarray,
        parameters: np.ndarray | Callable[[], np.ndarray],
        info: RunInfo | Callable[[], RunInfo],
        states: Sequence[int] | None = None,
        shown: Mapping[str, tuple[Any, str]] | None = None,
        read_events: Callable[[], tuple[Events, EventStates | None]] = lambda: (
            Events(),
            None,
        ),
    ) -> None:
        super().__init__(time, info)
        self._system = system
        self._integrated = list(system.layout.integrated if states is None else states)
        self._motion = frozen(motion)
        self._given = parameters if callable(parameters) else frozen(parameters)
        self._shown = dict(shown or {})  # parameters set for this run that are not live
        self._read_events = read_events
        self._again: Callable[[np.ndarray | None], Trajectory] | None = None
        self._stepped: tuple[tuple[float, float], ...] = ()
        self._kept: tuple[object, ...] = ()  # memory that parameters hold the addresses of

    def with_motion(
        self,
        motion: np.ndarray,
        parameters: np.ndarray,
        info: Callable[[], RunInfo],
        again: Callable[[np.ndarray | None], Trajectory],
    ) -> ModelResult:
        """Return the result of another run with the same output times, without any event."""
        result: Any = object.__new__(ModelResult)
        result.__dict__.update(
            self.__dict__,
            _motion=motion,
            _given=parameters,
            _info=info,
            _known={},
            _again=again,
        )
        return result

    @cached_property
    def _parameters(self) -> np.ndarray:
        """The parameters p: the same for all samples, or a matrix row for each."""
        from motorik.results.event_states import with_onsets

        given = self._given() if callable(self._given) else self._given
        return frozen(with_onsets(self._system, self._time, given))

    @cached_property
    def _samples(self) -> OutputSamples:
        return self._system.output_samples(
            times_beside_events(self._time), self._motion, self._parameters
        )

    @property
    def model(self) -> Composite:
        """The model that was simulated."""
        return self._system.model

    @property
    def parameters(self) -> ParameterValues:
        """The values of the live parameters and of those that were set for this run.

        Values computed at the start of the run are included.
        """
        from motorik.results.values import ParameterValue, ParameterValues

        first = np.atleast_2d(self._parameters)[0].tolist()
        entries: dict[str, ParameterValue] = {}
        for k, scalar in enumerate(self._system.layout.live):
            live = scalar.parameter
            if scalar.index == 0 and live.role is None:
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

    def _discrete(self, k: int) -> dict[str, float]:
        return {name: float(self[name][k]) for name in self._system.layout.kept_signals}

    def _dependent_at(self, k: int, states: Mapping[str, float]) -> dict[str, float]:
        formulation = self._system.formulation
        motion = zip(self.motion_names, self._motion[k].tolist(), strict=True)
        found = {name: value for name, value in motion if name not in states}
        for cut in (*formulation.unwrapped_cuts, *formulation.summed_cuts):
            name = f"{cut.part.path}.{cut.name}"
            found[name] = float(self[name][k])
        return found

    @property
    def motion(self) -> np.ndarray:
        """All coordinates, speeds and states of blocks over time, ordered as `motion_names`."""
        return self._motion

    @property
    def motion_names(self) -> list[str]:
        """The names of all coordinates, speeds and states of blocks."""
        return list(self._system.layout.motion_names)

    @property
    def _motion_rates(self) -> np.ndarray:
        """The rates of the motion over time."""
        return frozen(self._samples.rates)

    @property
    def rates(self) -> np.ndarray:
        """The rates of the states over time."""
        return frozen(self._motion_rates[:, self._integrated])

    def names(self) -> list[str]:
        """Return the names of all variables of all parts, and of states that no part shows."""
        names = self._system.equations.catalogue.names()
        shown = set(names)
        hidden = [n for n in self.motion_names if split_index(n)[0] not in shown]
        return [*names, *hidden]

    def unit(self, name: str) -> str:
        """Return the unit of a variable, e.g. "rad/s"."""
        if isinstance(name, str) and name == "time":
            return "s"
        layout = self._system.layout
        if isinstance(name, str) and name in layout.index:
            return layout.motion[layout.index[name]].unit
        return self._system.equations.catalogue.find(name)[0].unit

    def _values_of(self, name: str) -> np.ndarray:
        index = self._system.layout.index
        return self._motion[:, index[name]] if name in index else super()._values_of(name)

    def _compute(self, names: Sequence[str]) -> dict[str, np.ndarray]:
        return self._samples.values(names)

    def _is_at_hand(self, name: str) -> bool:
        return name in self._system.layout.index or super()._is_at_hand(name)

    @property
    def events(self) -> Events:
        """The events of the run in order: changes of mode, hits, changes of formulation."""
        return self._read_stored_events[0]

    @cached_property
    def _read_stored_events(self) -> tuple[Events, EventStates | None]:
        return self._read_events()

    def _states_at(self, event: Event) -> AtEvent:
        from motorik.results.event_states import AtEvent

        _, states = self._read_stored_events
        assert states is not None
        k = event.instant
        time = np.repeat(states.times[k], 2)
        given = states.motion[k], states.parameters[k]
        both = ModelResult(self._system, time, *given, self._info, self._integrated)
        return AtEvent(event, both.sample(0), both.sample(1))

    def _interpolated(self, t: np.ndarray) -> ModelResult:
        from motorik.results.event_states import without_onsets

        own, layout = self._with_event_samples(), self._system.layout
        at = Interpolation.between(own._time, t)
        X = at.of(own._motion, own._motion_rates)
        p = np.broadcast_to(own._parameters, (len(own), own._parameters.shape[-1]))
        p = without_onsets(self._system, p[at.nearest], at.share > 0.0)
        exact = at.share % 1.0 == 0.0
        if layout.has_dependent and not exact.all():
            states = layout.state_of(X)
            X[~exact] = self._system.full_state.map(
                t[~exact, None], states[~exact], p[~exact]
            )
        rest = self._info, self._integrated, self._shown, lambda: self._read_stored_events
        return ModelResult(self._system, t, X, p, *rest)

    def _event_values(self, names: Sequence[str]) -> dict[str, np.ndarray]:
        from motorik.results.event_states import values_at_events

        _, states = self._read_stored_events
        return {} if states is None else values_at_events(self._system, states, names)

    def _with_event_samples(self) -> ModelResult:
        return self._event_samples

    @cached_property
    def _event_samples(self) -> ModelResult:
        """The same result with two more samples at each event, before and after it."""
        events, own = self._read_stored_events
        numbers = np.array(sorted({event.instant for event in events}), dtype=int)
        if own is None or not numbers.size or self._is_doubled(own.times[numbers]):
            return self
        times, motion, p = own.times[numbers], own.motion[numbers], own.parameters[numbers]
        time = np.concatenate([times, times, self._time])
        order = np.argsort(time, kind="stable")
        shape = (len(self), p.shape[-1])
        motions = np.vstack([motion[:, 0], motion[:, 1], self._motion])[order]
        given = np.broadcast_to(self._parameters, shape)
        given = np.vstack([p[:, 0], p[:, 1], given])[order]
        rest = self._info, self._integrated, self._shown, lambda: self._read_stored_events
        return ModelResult(self._system, time[order], motions, given, *rest)

    def _is_doubled(self, times: np.ndarray) -> bool:
        """Return whether there are two samples at each of these times."""
        first = np.searchsorted(self._time, times)
        return bool((np.searchsorted(self._time, times, side="right") - first > 1).all())

    def constraint_violation(self) -> tuple[float, float]:
        """Return the largest constraint violation of all loops in the run, [m] and [rad].

        It is measured from the poses of the frames, independently of the equations solved.
        """
        found = self._samples.map("violations")
        if not found.size:
            return 0.0, 0.0
        metres, radians = found.reshape(len(self), 2, -1).max(axis=(0, 2))
        return float(metres), float(radians)

    def poses(self) -> Poses:
        """Return the poses of all that moves as one over time, samples × groups × 7."""
        return self._poses

    @cached_property
    def _poses(self) -> Poses:
        from motorik.results.poses import Poses

        names = self._system.equations.rigid_groups.names
        return Poses(names, self._time, self._samples.map("poses"))

    # --- balance of energy -------------------------------------------------------------------

    def energy(self) -> EnergyBalance:
        """Return the balance of energy over time [J]: stored, supplied and lost, and the rest.

        `kinetic`, `potential` (NaN where gravity is a user's function) and the energies of the
        domains with their sums `stored` and `total` follow from the samples. For `supplied`,
        `lost`, `undeclared` and `imbalance` the run is repeated when they are first read;
        ``energy.supplied_by["motor"]`` is the work of one part.
        """
        return self._energy_balance

    @cached_property
    def _energy_balance(self) -> EnergyBalance:
        forms = dict(zip(self._energy_names, self._energies().T, strict=True))
        return EnergyBalance(forms, None if self._again is None else self)

    @property
    def _energy_names(self) -> Sequence[str]:
        return self.power_names.stored

    @property
    def power_names(self) -> PowerNames:
        """The names of the variables that say where energy comes from and where it goes."""
        return self._system.equations.catalogue.power_names

    @property
    def stepped_intervals(self) -> Sequence[tuple[float, float]]:
        """The intervals [s] that were passed by time stepping."""
        return self._stepped

    def ends_of_steps(self) -> np.ndarray:
        """Return the times at which the steps of the run end: it is repeated."""
        assert self._again is not None
        return self._again(None).time

    def repeated(self, times: np.ndarray) -> ModelResult:
        """Return the result of the same run with other output times."""
        assert self._again is not None
        own = self._again(times)
        found = _result_of(own)
        count = times.size
        p = found._parameters
        kept = replace(
            own,
            time=own.time[:count],
            motion=own.motion[:count],
            parameters=p[:count] if p.ndim > 1 else p,
        )
        result = _result_of(kept)
        end = result.motion[-1] - self._motion[-1]
        calls = any(own.function for own in self._system.mechanism.inventory.triggers)
        changed = calls and (np.abs(end) > SAME_RUN * np.ptp(self._motion, axis=0)).any()
        if len(result) < times.size or changed:
            raise SimulationError(
                "result.energy",
                "the run, repeated, came to another end: a function of the user returns other "
                "values, or a limit of time ended it.",
                "Read what is stored alone, or integrate the power in a block: "
                "blocks.Expression and blocks.Integrator.",
            )
        return result

    @cached_property
    def event_energies(self) -> tuple[np.ndarray, np.ndarray] | None:
        """The instants of events [s], and the energies before and after each of them."""
        _, states = self._read_stored_events
        if states is None:
            return None
        count = len(states.times)
        motion, p = (a.reshape(2 * count, -1) for a in (states.motion, states.parameters))
        time = times_beside_events(np.repeat(states.times, 2))
        energies = self._system.output_samples(time, motion, p).map("energy")
        return states.times, energies.reshape(count, 2, -1)

    def all_energies(self) -> np.ndarray:
        """Return the energies at all samples [J], a column for each form of `power_names`."""
        return self._samples.map("energy")

    def _energies(self) -> np.ndarray:
        return self.all_energies()

    def scene(  # type: ignore[override]  # other runs are of the same kind
        self,
        *others: ModelResult,
        trace: str | Sequence[str] = (),
        values: Sequence[str] = (),
        reactions: bool | str | Sequence[str] = False,
    ) -> Scene:
        """Return the scene of this run, and of others of the same model, for any viewer.

        `trace` names frames or positions, such as "body.frame_a", whose path is drawn;
        `values` are variables that viewers can plot besides coordinates and speeds;
        `reactions` names joints whose force on what is behind them is drawn, True all.
        """
        from motorik.view.scene import scene_of

        given = {"trace": trace, "values": values, "reactions": reactions}
        return scene_of(self, *others, **given)

    @property
    def _subject(self) -> str:
        return self._system.facts.name

    @property
    def _size(self) -> str:
        count = self._system.freedom
        return f"{count} degree{'' if count == 1 else 's'} of freedom"


def make_result(
    trajectory: Trajectory,
    shown: Mapping[str, tuple[object, str]] | None = None,
    compile_time: float = 0.0,
    *,
    warns: bool = True,
) -> ModelResult:
    """Return the result of a run, and warn if it ended early, unless that is told otherwise.

    `shown` are value and unit of parameters set for this run; `compile_time` [s] was spent
    before its initial state was searched for.
    """
    own, info = trajectory, trajectory.info
    info = replace(info, compile_time=info.compile_time + compile_time)
    result = _result_of(replace(own, info=info), shown)
    if not result.complete and warns:
        warn_incomplete(own.system.facts.name, info.message)
    _warn_of_unsolved(result)
    return result


def _result_of(
    own: Trajectory, shown: Mapping[str, tuple[object, str]] | None = None
) -> ModelResult:
    motion = own.system, own.time, own.motion, own.parameters
    result = ModelResult(*motion, own.info, own.states, shown, own.events)
    result._kept, result._again, result._stepped = own.kept, own.again, own.stepped
    return result


def _warn_of_unsolved(result: ModelResult) -> None:
    """Warn of equations of parts that have no solution at some times.

    Rates that are not numbers end a run; unknowns that no state depends on would pass unseen.
    """
    facts = result._system.facts
    far = (
        "has no solution that Newton's method finds from the start value",
        "Give a start value nearer to the solution: guess(…).",
    )
    shorted = (
        "A source may be shorted, or its circuit open: put a resistance between them, or give "
        "switches Ron and Goff above zero."
    )
    kinds: dict[str, tuple[str, str]] = dict.fromkeys(facts.searched, far)
    for name, read in facts.losable.items():
        given = f", given {read}," if read else ""
        kinds[name] = f"has no solution{given} in the modes that switches have", shorted
    for name, values in result.compute(kinds).items() if kinds else ():
        bad = ~np.isfinite(values)
        if bad.any():
            (why, remedy), t = kinds[name], float(result._time[bad][0])
            warnings.warn(
                EquationWarning(
                    f"{name}: its equation {why}, from t = {t:.6g} s on, and is not a number "
                    f"there. {remedy}"
                ),
                stacklevel=calls_within_motorik(),
            )
