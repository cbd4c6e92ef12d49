"""PreparedRun: a run whose options, grid and code are fixed, to be made many times.

A prepared run has one table of places for the names that it was given, one search for starts, and
idle integrations with their workspaces. Where nothing happens but motion, a run takes one of these,
begins again and lets native code go to the end. Where anything else may happen, as an event or a
change of the formulation, it is a run of the `pipeline` from the start that was found.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import (
    ParameterError,
    SimulationError,
    UnknownNameError,
    checked_methods,
    refuse_pickle,
    suggest,
)
from motorik.initialisation.initialise import given_values, replaced_conditions
from motorik.initialisation.quick_start import QuickStart
from motorik.initialisation.request import InitialStateRequest
from motorik.initialisation.start import InitialState
from motorik.nonsmooth.application.event_log import EventLog
from motorik.pipeline import simulate
from motorik.results import RunInfo
from motorik.results.model_result import ModelResult, make_result
from motorik.results.sample import Sample
from motorik.simulation.initial_state import initialise_run
from motorik.simulation.model_integration import (
    RunTolerances,
    find_assumption,
    has_fixed_tolerances,
    is_adaptive,
    make_model_integration,
    may_have_events,
)
from motorik.simulation.run import (
    Begun,
    SampleParameters,
    integrate,
    read_parameters,
    repeat_run,
)
from motorik.simulation.stepping.workspace import Status

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.ensembles import Ensemble
    from motorik.ensembles.variants import Table
    from motorik.initialisation.request import StartBlock
    from motorik.nonsmooth.application.run_events import EventRecord
    from motorik.results import Result
    from motorik.simulation.integration import Integration
    from motorik.simulation.options import RunOptions

Start = Mapping[str, float] | Sequence[float] | np.ndarray | None
Values = Mapping[str, object] | Sequence[float] | np.ndarray | None


@cache
def zeros(n: int) -> np.ndarray:
    """Return n zeros."""
    return np.zeros(n)


@checked_methods
class PreparedRun:
    """A run of a model, ready to be made from any start and with any live parameters.

    >>> # run = model.prepare(10.0); run(start={"rev.phi": 0.5}, parameters={"damping": 0.2})

    Called, it returns the `Result` that `simulate` would return: options, output times and code
    are those of `prepare`, and nothing is written into the model. `start` gives values by the
    names of states, or a vector of all of them in the order of `start_names`; `parameters` gives
    live parameters by name, or a vector of all numbers in the order of `parameter_names`. All
    others keep the values that they had when it was prepared. Threads may call it at the same
    time: each run has a workspace of its own, and native code runs without Python's lock.
    """

    def __init__(
        self,
        system: CompiledModel,
        options: RunOptions,
        live: np.ndarray,
        shown: Mapping[str, tuple[object, str]] | None = None,
    ) -> None:
        self.system, self.options = system, options
        self.shown = dict(shown or {})
        self._live = live
        self._grid = options.grid()
        if self._grid is not None:
            self._grid = np.array(self._grid, dtype=np.float64)
        self._kept: tuple[object, bytes, InitialState] | None = None  # the start found last
        self._accepted = b""  # live values that were checked last
        self._idle: list[Integration] = []
        self._compile_time = 0.0  # s before the first run
        facts = system.facts
        self._is_smooth = (
            self._grid is not None
            and not may_have_events(system, is_adaptive(options.method))
            and not (facts.searched or facts.losable)
        )
        self._is_plain = self._is_smooth and options.progress is not True
        self._has_fixed_tolerances = has_fixed_tolerances(system, options.solver.atol)
        self._quick: QuickStart | None = None
        layout = system.layout
        self._unwraps, self._has_dependent = layout.n_unwrapped > 0, layout.has_dependent

    def __repr__(self) -> str:
        own = self.options
        span = f"{own.start_time:g} … {own.stop_time:g} s"
        return f"<PreparedRun of {self.system.facts.name}: {span}, {own.method}>"

    # --- what a run can be given -------------------------------------------------------------

    @property
    def time(self) -> np.ndarray | None:
        """The output times [s]; None where every step is an output."""
        return None if self._grid is None else self._grid.copy()

    @property
    def start_names(self) -> list[str]:
        """The states that a vector `start` gives, in its order."""
        return list(self.system.layout.state_names)

    @property
    def parameter_names(self) -> list[str]:
        """The live numbers that a vector `parameters` gives, in its order."""
        return list(self.system.layout.live_names)

    # --- runs ------------------------------------------------------------------------------

    def __call__(self, start: Start = None, parameters: Values = None) -> Result:
        """Return the result of a run from this start with these live parameters."""
        live = self._live if parameters is None else self.live_values(parameters)
        return self._result(self.begin(start, live), live)

    def compile(self) -> PreparedRun:
        """Compile all that a run needs, by finding its first start; return itself."""
        system = self.system
        self._compile_time = system.prepare_run()
        initial = self.begin(None, self._live)
        if self._is_plain and initial.system is system:
            self._idle.append(self._new_integration(initial))
        return self

    def run(self, initial: Mapping[str, float], live: np.ndarray) -> Result:
        """Return the result of a run with start values by name and all live values."""
        return self._result(self._begin_by_name(initial, live), live)

    def _result(self, initial: InitialState, live: np.ndarray) -> Result:
        """Return the result of a run from an initial state."""
        if self._is_plain and initial.system is self.system and initial.remark is None:
            return self._natively(initial)
        return simulate(self.system, self.options, live, self.shown, initial)

    def _natively(self, initial: InitialState) -> Result:
        """Return the result of a run that native code makes in one call, if all goes well."""
        began = clock.perf_counter()
        p = initial.p
        if self._unwraps:  # native code writes the references of angles
            p = p.copy()
        compiling = 0.0
        try:
            own = self._idle.pop()
        except IndexError:
            own = self._new_integration(initial)
            compiling = own.compile_time
        if self._has_fixed_tolerances:
            status = own.run_again(initial.x, p)
        else:
            status = own.run_again(initial.x, p, *self.tolerances.of(initial.x, p))
        if status != Status.REACHED:
            return self._continued(own, status, replace(initial, p=p))
        motion, parameters = own.samples, p
        if self._unwraps or self._has_dependent:
            motion, parameters = self._whole(own, p)
        motion.setflags(write=False)
        if parameters.flags.writeable:
            parameters.setflags(write=False)
        cost, method, own.compile_time = own.cost, own.method.name, 0.0
        self._idle.append(own)
        seconds = clock.perf_counter() - began - compiling
        self.system.store()
        return self._template.with_motion(
            motion,
            parameters,
            partial(self._info, method, cost, seconds, initial.seconds + compiling),
            partial(repeat_run, initial, self.options),
        )

    def _continued(self, own: Integration, status: int, initial: InitialState) -> Result:
        """Return the result of a run that goes on after the first call of native code."""
        assert self._grid is not None
        begun = Begun(own, self._grid, status)
        trajectory = integrate(initial, self.options, begun)
        return make_result(trajectory, self.shown, self._compile_time)

    def _whole(self, own: Integration, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return all coordinates, speeds and other states at the output times, and p."""
        system, grid, layout = self.system, self._grid, self.system.layout
        assert grid is not None
        motion, parameters = own.samples, p
        if self._unwraps:
            parameters = SampleParameters(
                system, p, own.angles_again, None, grid.size
            ).read()
        if self._has_dependent:
            motion = system.full_state.map(grid[:, None], motion, parameters)
        return motion.reshape(grid.size, layout.n_motion), parameters

    @cached_property
    def _template(self) -> ModelResult:
        """The result without its motion: what all results of smooth runs share."""
        system, grid = self.system, self._grid
        assert grid is not None
        given = grid, np.empty((grid.size, 0)), np.empty(0), self._no_info
        return ModelResult(system, *given, system.layout.integrated, self.shown)

    def _no_info(self) -> RunInfo:
        raise AssertionError("a template has no run")

    def _info(
        self,
        method: str,
        cost: np.ndarray,
        seconds: float,
        before: float,
        switches: tuple[tuple[float, str], ...] = (),
    ) -> RunInfo:
        """Return method and cost of a run that native code has made in one call."""
        steps, rejected, evaluations, jacobians = cost[:4].tolist()
        return RunInfo(
            method,
            steps,
            rejected,
            evaluations,
            jacobians,
            seconds,
            complete=True,
            message="",
            switches=switches,
            tolerance=self.options.rtol,
            compile_time=before + self._compile_time,
            assumed=find_assumption(self.system, self.options),
        )

    # --- many runs ---------------------------------------------------------------------------

    def map(
        self,
        starts: Table = None,
        parameters: Table = None,
        *,
        threads: int | None = None,
        progress: bool | None = None,
    ) -> Ensemble:
        """Return the runs from many starts, with many parameters, made side by side.

        ``runs = run.map(parameters={"damper.d": np.linspace(0.1, 1.0, 1000)})``;
        ``runs["rev.phi"]`` is an array over variant and time. `starts` and `parameters` are
        columns by name, a number for each variant or one for all; or a matrix with a line for
        each variant, in the order of `start_names` and `parameter_names`; or a sequence of
        dicts; or a table of pandas or xarray. Runs go in vector lanes of the processor,
        all of them in so many `threads`, by default one for each core. A run that fails is named
        in `failures` and the others go on; Ctrl-C keeps those that are done.
        """
        from motorik.ensembles import Variants, run_variants

        if self._grid is None:
            raise SimulationError(
                "map",
                "needs output times that all runs share, and here every step is an output.",
                "Prepare the run with `output=` a count or times, or with `interval=`.",
                parameter="output",
                value="steps",
            )
        return run_variants(self, Variants(self, starts, parameters), threads, progress)

    def run_from(self, initial: InitialState) -> ModelResult:
        """Return the run of one variant from its start, as a pipeline makes it."""
        trajectory = integrate(initial, replace(self.options, progress=False))
        return make_result(trajectory, self.shown, warns=False)

    def lane_integration(self) -> Integration | None:
        """Return an integration whose like can run in lanes, None where runs need more."""
        kept = self._kept
        facts = self.system.facts
        if self._grid is None or facts.searched or facts.losable:
            return None
        if self.options.solver.time_limit is not None or kept is None:
            return None
        initial = kept[2]
        return self._new_integration(initial) if initial.system is self.system else None

    def result_of_samples(
        self,
        method: str,
        samples: np.ndarray,
        parameters: np.ndarray,
        cost: np.ndarray,
        seconds: float,
        switches: tuple[tuple[float, str], ...] = (),
        records: Sequence[EventRecord] | None = None,
        ends: np.ndarray | None = None,
    ) -> ModelResult:
        """Return runs of lanes as one result, their output samples end to end.

        Where events happen, `records` are those of each run and `ends` its parameters at the
        end. The result of a single run can be repeated, as its balance of energy needs it, and
        tells its events.
        """
        system, grid, layout = self.system, self._grid, self.system.layout
        assert grid is not None and self._kept is not None
        count, n = len(samples), layout.n_x
        rows = samples.reshape(count * grid.size, -1)
        p = parameters[:, : self._kept[2].p.size]
        time = np.tile(grid, count)
        motion, begun = rows[:, :n], p
        p = p[0] if count == 1 else np.repeat(p, grid.size, axis=0)
        log = EventLog()
        if records is not None and ends is not None:
            ends = ends[:, : begun.shape[1]]
            pieces: list[SampleParameters] = []
            for k, record in enumerate(records):
                own = rows[k * grid.size : (k + 1) * grid.size]
                given = system, ends[k], own[:, n:], record, grid.size
                solved = (grid, own[:, :n]) if layout.guesses else (None, None)
                pieces.append(SampleParameters(*given, *solved))
            p = read_parameters(pieces)
            if count == 1:
                log.take(system, records[0], ends[0])
        elif self._unwraps:
            p = layout.with_references(p, rows[:, n:])
        if self._has_dependent:
            motion = system.full_state.map(time[:, None], motion, p)
        motion = np.ascontiguousarray(motion).reshape(time.size, layout.n_motion)
        info = partial(self._info, method, cost, seconds, 0.0, switches)
        if count > 1:
            return ModelResult(system, time, motion, p, info, layout.integrated, self.shown)
        x, first = np.array(rows[0, :n]), np.array(p if p.ndim == 1 else p[0])
        if records is not None:
            first = begun[0].copy()
        initial = InitialState(system, float(grid[0]), motion[0], x, first)
        again = partial(repeat_run, initial, self.options)
        if records is None:
            return self._template.with_motion(motion, p, info, again)
        given = system, grid, motion, p, info, layout.integrated, self.shown, log.read
        result = ModelResult(*given)
        result._again = again
        return result

    def __reduce__(self) -> tuple[object, ...]:
        refuse_pickle(
            "prepared run", "Pickle the model, and prepare it again where it is read."
        )

    # --- workspaces ------------------------------------------------------------------------

    @cached_property
    def tolerances(self) -> RunTolerances:
        """The tolerances of runs, which may depend on their starts."""
        own = self.options
        given = own.start_time, own.solver.atol, own.rtol, own.duration
        return RunTolerances(self.system, *given)

    def _new_integration(self, initial: InitialState) -> Integration:
        """Return an integration with a workspace of its own."""
        own = self.options
        assert self._grid is not None
        atol, scales = self.tolerances.of(initial.x, initial.p)
        return make_model_integration(
            self.system,
            own.method,
            initial.x,
            initial.p.copy(),
            t0=own.start_time,
            rtol=own.rtol,
            end=own.stop_time,
            atol=atol,
            scales=scales,
            step=own.step,
            max_step=own.solver.max_step,
            max_steps=own.solver.max_steps,
        ).keep(own.stop_time, self._grid)

    # --- starts ----------------------------------------------------------------------------

    def begin(self, start: Start, live: np.ndarray) -> InitialState:
        """Return the state in which a run begins: values by name, or all in their order."""
        given = self.options.initial if start is None else start
        if type(given) is not np.ndarray and isinstance(given, Mapping):
            return self._begin_by_name(given, live)
        names = self.system.layout.state_names
        numbers = self._vector("start", given, names)
        X, fixed, places, replaces = self._vector_starts
        X = X.copy()
        X[places] = numbers
        found = None if replaces else self._quickly(X, fixed, live)
        if found is None:
            return self._searched(dict(zip(names, numbers.tolist(), strict=True)), live)
        return found

    def _begin_by_name(self, given: Mapping[str, float], live: np.ndarray) -> InitialState:
        """Return the initial state with values by name; the last one is kept."""
        is_plain = isinstance(given, Mapping) and not isinstance(given, Sample)
        if not is_plain or not all(isinstance(one, (int, float)) for one in given.values()):
            return self._searched(given, live)
        own, numbers = self._kept, live.tobytes()
        if own is not None and own[1] == numbers and own[0] == given:
            return own[2]
        found = None
        if own is not None and not self.system.layout.kept_signals:
            found = self.begin_with(*given_values(self.system, given), given, live)
        if found is None:
            found = self._searched(given, live)
        self._kept = dict(given), numbers, found
        return found

    def _quickly(
        self, X: np.ndarray, fixed: np.ndarray, live: np.ndarray
    ) -> InitialState | None:
        """Return the start with these values, if it needs no search.

        The values replace no conditions.
        """
        quick = self._quick_start
        if quick is None:
            return None
        if live is not self._live and live.tobytes() != self._accepted:
            self.system.parameter_check(live)
            self._accepted = live.tobytes()
        own = self.options
        branch = own.loops.branch or {}
        return quick.find(InitialStateRequest(X, fixed, live, own.start_time, branch))

    def begin_block(
        self, X: np.ndarray, fixed: np.ndarray, given: Mapping[str, float], live: np.ndarray
    ) -> StartBlock | None:
        """Return starts from rows of values by native code, None where there is none.

        `given` has the values of one of them by name; `live` are values for all of them, or a row
        for each, which were checked.
        """
        quick = self._quick_start
        if quick is None or self.options.loops.branch:
            return None
        if replaced_conditions(self.system, given):
            return None
        return quick.find_block(self.options.start_time, X, fixed, live)

    @property
    def _quick_start(self) -> QuickStart | None:
        """The finder of starts without a search; the first one is searched for, with all checks."""
        if self._quick is None:
            if self._kept is None or self._kept[2].system is not self.system:
                return None
            self._quick = QuickStart(self.system)
        return self._quick

    def begin_with(
        self,
        X: np.ndarray,
        fixed: np.ndarray,
        given: Mapping[str, float],
        live: np.ndarray,
    ) -> InitialState:
        """Return the state in which a run begins: the values `given` by name, as motion X."""
        found = None
        if not replaced_conditions(self.system, given):
            found = self._quickly(X, fixed, live)
        return self._searched(given, live) if found is None else found

    def _searched(self, given: Mapping[str, float], live: np.ndarray) -> InitialState:
        """Return the start with these values as the search finds it."""
        found = initialise_run(self.system, replace(self.options, initial=given), live)
        if self._kept is None:
            self._kept = dict(given), live.tobytes(), found
        return found

    @cached_property
    def _vector_starts(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, bool]:
        """Values of the motion beside the states, which of all are fixed, places of states.

        Last, whether all states together replace conditions of the start.
        """
        layout = self.system.layout
        X, fixed = given_values(self.system, self.options.initial)
        places, fixed = np.array(layout.integrated, dtype=np.intp), fixed.copy()
        fixed[places] = True
        fixed[self.system.guessed(fixed)] = False
        every = dict.fromkeys(layout.state_names, 0.0)
        return X, fixed, places, bool(replaced_conditions(self.system, every))

    # --- live parameters ---------------------------------------------------------------------

    def live_values(self, parameters: Values) -> np.ndarray:
        """Return all live values, with those given by name or in their order."""
        live = self._live.copy()
        if isinstance(parameters, Mapping):
            for name, value in parameters.items():
                places = self.places_of(name)
                live[places] = self._numbers(name, value, places)
        else:
            names = self.system.layout.live_names
            live[: len(names)] = self._vector("parameters", parameters, list(names))
        return self.system.completed(live) if self.system.n_designed else live

    def places_of(self, name: str) -> np.ndarray:
        """Return the places in p of a live parameter; refuse any other name."""
        found = self._places.get(name)
        if found is None:
            found = self._places[name] = self._find_places(name)
        return found

    @cached_property
    def _places(self) -> dict[str, np.ndarray]:
        """The places of live parameters in p, and of each of their numbers, by name."""
        found: dict[str, list[int]] = {}
        for place, scalar in enumerate(self.system.layout.live):
            if scalar.parameter.role is None:
                found.setdefault(scalar.parameter.name, []).append(place)
        places = {name: np.array(own, dtype=np.intp) for name, own in found.items()}
        for name, place in self.system.layout.live_names.items():
            places.setdefault(name, np.array([place], dtype=np.intp))
        return places

    def _find_places(self, name: object) -> np.ndarray:
        """Return the places of a parameter by another name that the model gives it."""
        model = self.system.model
        live = None
        if isinstance(name, str):
            from motorik.components.base.live_names import find_place, live_at

            live = live_at(*find_place(model, name))
        if live is not None and live.name in self._places:
            return self._places[live.name]
        known = list(self.system.layout.live_names)
        raise UnknownNameError(
            "parameters",
            f"{name!r} is not a live parameter.",
            f"A parameter becomes live by Parameter(value). {suggest(str(name), known)}",
            parameter="parameters",
            value=name,
        )

    def _numbers(self, name: str, value: object, places: np.ndarray) -> np.ndarray:
        """Return the numbers of one parameter, or refuse them."""
        try:
            numbers = np.asarray(value, dtype=float).reshape(-1)
        except (TypeError, ValueError):
            numbers = np.array([np.nan])
        if numbers.size != places.size or not np.isfinite(numbers).all():
            raise ParameterError(
                name,
                f"value {value!r} is not {places.size} finite number(s).",
                "Keep the kind (number or vector) of the value it was made with.",
                parameter=name,
                value=value,
            )
        return numbers

    def _vector(self, what: str, given: object, names: Sequence[str]) -> np.ndarray:
        """Return a vector of numbers, one for each of the names, or refuse it."""
        try:
            numbers = np.asarray(given, dtype=float)
        except (TypeError, ValueError):
            numbers = np.array([np.nan])
        if numbers.shape != (len(names),):
            raise ParameterError(
                what,
                f"has the shape {numbers.shape}, and there are {len(names)} values: "
                f"{', '.join(names[:8])}{', …' if len(names) > 8 else ''}.",
                "Give a number for each of them, or a dict by name.",
                parameter=what,
                value=given,
            )
        if not math.isfinite(numbers.dot(zeros(numbers.size))):  # no sum overflows
            k = int(np.flatnonzero(~np.isfinite(numbers))[0])
            raise ParameterError(
                what,
                f"{names[k]} = {numbers[k]} is not a finite number.",
                "Give finite numbers in SI units.",
                parameter=what,
                value=given,
            )
        return numbers
