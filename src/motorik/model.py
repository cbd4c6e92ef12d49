"""Model: the mechanism a user builds, explains, compiles and simulates."""

from __future__ import annotations

import copy
import pickle
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, SupportsIndex

from motorik.components.base.composite import Composite
from motorik.components.base.fingerprint import fingerprint
from motorik.errors import (
    FileFormatError,
    SimulationError,
    UnusedOptionWarning,
    called_as,
    calls_within_motorik,
    checked_call,
    checked_methods,
)
from motorik.visible import Visible

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    import xarray
    from typing_extensions import Self, Unpack

    from motorik.algebra.scalar import Scalar
    from motorik.analysis.branches import Branch
    from motorik.analysis.configurations import Configurations
    from motorik.analysis.equilibrium import Equilibrium
    from motorik.analysis.kinematics import KinematicSweep
    from motorik.analysis.linearization import Linearization
    from motorik.analysis.manipulator import Manipulator
    from motorik.analysis.modes import Modes
    from motorik.analysis.operating_point import OperatingPoint
    from motorik.compiled_model import CompiledModel
    from motorik.components.base.motion import Motion
    from motorik.components.base.part import Part
    from motorik.components.base.ports import Port
    from motorik.documents import Document
    from motorik.ensembles.sweeping import ClusterClient
    from motorik.ensembles.variants import Table
    from motorik.loops.options import Gains, LoopOptions, LoopStrategy
    from motorik.prepared_run import PreparedRun
    from motorik.results import Result
    from motorik.results.model_result import ModelResult
    from motorik.sensitivity.exported import ExportedModel
    from motorik.sensitivity.fitting import Fit
    from motorik.sensitivity.gradient import DifferentiableRun, RunGradient
    from motorik.sensitivity.trajectory import Sensitivities
    from motorik.simulation.options import RunOptions, SolverOptions, SweepOptions
    from motorik.simulation.simulator import Simulator
    from motorik.simulation.simulators import Simulators
    from motorik.view.live import ModelSession
    from motorik.view.live.options import SessionOptions
    from motorik.view.render import Picture
    from motorik.view.render.options import DrawOptions
    from motorik.view.web.film import ViewOptions

    RunSpan = tuple[float, float, str, float, float | None, Any, float | None]
    RunRest = tuple[Any, LoopOptions | None, SolverOptions | None, bool | None]

IN_SOLVER = {
    name: f"It is an option of the solver: solver=SolverOptions({name}=…)."
    for name in ("atol", "max_step", "max_steps", "time_limit")
}
IN_LOOPS = {
    name: f"It is an option of loops: loops=LoopOptions({name}=…)."
    for name in ("gains", "branch", "dead_centre")
}
INITIAL = "Give values of states by initial={…}"
AS_TIME = {
    **dict.fromkeys(("start", "begin"), f"{INITIAL}, the time [s] by start_time=…."),
    **dict.fromkeys(
        ("stop", "end"), "Give the time [s] as the first value or by stop_time=…."
    ),
}
IN_GROUPS = {**IN_SOLVER, **IN_LOOPS, **AS_TIME}
NoneType = type(None)
KEPT = 8  # compiled systems kept for each model
_PICKLING = threading.local()  # whether this thread pickles a model
_COMPILING = threading.RLock()  # one thread assembles at a time


@contextmanager
def pickling() -> Iterator[None]:
    """Let models inside be parts of one pickle, which are not tried alone."""
    _PICKLING.is_within = True
    try:
        yield
    finally:
        _PICKLING.is_within = False


@checked_methods
class Model(Visible):
    """A mechanism made of parts.

    Parts are named by assignment and connected by ``>>`` or `connect`, in any order::

        class Pendulum(Model):
            def build(self, damping=0.1):
                self.world = World()
                self.rev = Revolute(n="z", useAxisFlange=True)
                self.body = Body(m=1.0, r_CM=(0.5, 0, 0))
                self.world.frame_b >> self.rev.frame_a
                self.rev.frame_b >> self.body.frame_a

        result = Pendulum().simulate(10.0)

    A model can also be filled from outside: ``m = Model(); m.world = World(); …``, and be a
    part of another model.
    """

    _lists_names: ClassVar[bool] = True
    strategy: ClassVar[str | Mapping[str, str]] = "auto"
    gains: ClassVar[Gains | None] = None

    def _make(self, unnamed: Sequence[object], given: Mapping[str, object]) -> None:
        self.__dict__["_compiled"] = {}
        super()._make(unnamed, given)

    def __getstate__(self) -> dict[str, object]:
        """Return the state for a copy or a pickle: all but machine code."""
        state = {k: v for k, v in self.__dict__.items() if not k.startswith("_latest")}
        return {**state, "_compiled": {}}

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        made = object.__new__(type(self))
        memo[id(self)] = made
        made.__dict__.update(copy.deepcopy(self.__getstate__(), memo))
        return made

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        """Pickle the model; functions without a name in a module need cloudpickle."""
        if getattr(_PICKLING, "is_within", False):
            return super().__reduce_ex__(protocol)
        with pickling():
            return self._pickled(int(protocol))

    def _with_options(self, options: Mapping[str, object]) -> bytes:
        """Return the model and options as bytes, functions of the user's script among them."""
        try:
            from cloudpickle import dumps  # type: ignore[import-not-found]
        except ImportError:
            from pickle import dumps
        try:
            with pickling():
                return dumps((self, options))
        except Exception as error:
            raise SimulationError(
                "sweep",
                f"the model cannot be sent to workers: {error}",
                "Let functions of the model use data, not open files, locks or windows.",
            ) from error

    def _pickled(self, protocol: int) -> Any:
        try:
            pickle.dumps(self, protocol)
            return super().__reduce_ex__(protocol)
        except (AttributeError, TypeError, pickle.PicklingError) as error:
            reason = error
        try:
            import cloudpickle  # type: ignore[import-not-found]

            return pickle.loads, (cloudpickle.dumps(self, protocol),)
        except ImportError:
            remedy = "Give functions a name in a module, or pip install cloudpickle."
        except (AttributeError, TypeError, pickle.PicklingError) as error:
            reason, remedy = (
                error,
                "Give it another function, or make it where it is needed.",
            )
        raise FileFormatError(
            type(self).__name__, f"is not pickled: {reason}.", remedy
        ) from reason

    # --- events -----------------------------------------------------------

    @checked_call
    def when(
        self,
        condition: Callable[[Motion], Scalar],
        *,
        set: Mapping[Any, Any] | None = None,
        reset: Mapping[str, Any] | None = None,
        impulse: Mapping[Port, Any] | None = None,
        stop: bool = False,
        name: str = "",
    ) -> Part:
        """Define an event where condition(motion) becomes positive; return the part.

        `set` gives `blocks.Discrete` signals other values, `reset` states by name, `impulse`
        [N·s or N·m·s] pushes flanges; `stop` ends the run. Values are numbers or functions of
        the motion just before: ``self.when(lambda motion: motion["ram.s"] - 0.2,
        set={self.on: 0.0})``. A comparison will do as well, ``motion["ram.s"] > 0.2``. It
        happens again only after the condition was negative. Names are those that this model
        uses. Assigned, it gets a name: ``self.turn = self.when(…)``.
        """
        from motorik.components.blocks.events import add_when

        given = (set or {}, reset or {}, impulse or {}, stop, name)
        return add_when(self, condition, *given)

    @checked_call
    def sample(
        self,
        period: float,
        function: Callable[..., object],
        *,
        inputs: Sequence[Any] = (),
        outputs: Sequence[Any] = (),
        offset: float = 0.0,
        traced: bool = False,
        name: str = "",
    ) -> Part:
        """Let a controller sample every `period` [s], from `offset` [s] on; return the part.

        function(t, *inputs) returns a number for each of the `outputs`, `blocks.Discrete`
        signals that keep it until the next sample. `inputs` are names of variables, signals
        or functions of the motion. A `traced` function is written with `motorik.functions` and
        runs in native code; any other function of Python is called as it is. One with a memory
        has a method `reset()`, which every run calls before it begins.
        """
        from motorik.components.blocks.events import add_sample

        given = (function, inputs, outputs, offset, traced, name)
        return add_sample(self, period, *given)

    # --- compiling -------------------------------------------------------------------------

    def _attach(self, name: str, part: Part) -> None:
        if part.parent is self:  # as `when` and `sample` have put it into the model
            from motorik.components.blocks.events import renamed

            if renamed(self, name, part):
                return
        super()._attach(name, part)

    @checked_call
    def compile(
        self,
        strategy: str | Mapping[str, str] | None = None,
        loops: LoopOptions | None = None,
    ) -> CompiledModel:
        """Return the compiled equations of the model as it is now.

        `strategy` chooses how loops are solved: "auto", "explicit", "projected",
        "baumgarte" or "absolute"; by default the model's own. A dict {part: strategy} chooses
        it for the loops that contain the named parts. Of `loops` the `gains` are used.

        Compiled systems are kept: a model that was not changed is not compiled again, and
        live parameters never need it.
        """
        gains = None if loops is None else _group("compile", loops).gains
        system = self._present(self._loop_strategy(strategy, gains))
        _tell_unused(system, strategy, gains)
        return system

    def _present(self, options: LoopStrategy) -> CompiledModel:
        """Return the compiled equations of the model as it is now."""
        own = self.__dict__
        with _COMPILING:
            state = (own["revision"], options)
            if own.get("_latest_state") == state:
                return own["_latest"]
            system = self._compiled_as(self, options)
            own["_latest"], own["_latest_state"] = system, state
            return system

    def _loop_strategy(
        self,
        strategy: str | Mapping[str, str] | None,
        given: Gains | None,
    ) -> LoopStrategy:
        name = self.strategy if strategy is None else strategy
        gains = self.gains if given is None else given
        is_plain = isinstance(name, str) and isinstance(gains, (tuple, str, type(None)))
        key = (name, gains, given is None) if is_plain else None
        latest, options = self.__dict__.get("_latest_options", (None, None))
        if options is not None and key == latest:
            return options
        from motorik.loops.options import STRATEGIES, LoopStrategy

        stabilised = [own for own, traits in STRATEGIES.items() if traits.stabilises]
        if given is not None and name not in stabilised:
            raise SimulationError(
                "gains",
                f"gains are given, but the strategy {name!r} does not use any.",
                f"Give one of the strategies {', '.join(stabilised)}, or no gains.",
            )
        options = LoopStrategy.of(name, gains)
        if key is not None:
            self.__dict__["_latest_options"] = key, options
        return options

    def _compiled_as(self, model: Composite, options: LoopStrategy) -> CompiledModel:
        """Return the system of this model, or of a copy with other values."""
        from motorik.pipeline import compiled_parts

        key = (fingerprint(model), options)
        kept = self.__dict__["_compiled"]
        if key not in kept:
            while len(kept) >= KEPT:
                kept.pop(next(iter(kept)))
            kept[key] = compiled_parts(model, options)
        return kept[key]

    @checked_call
    def explain(self, strategy: str | Mapping[str, str] | None = None) -> str:
        """Return a text that explains how the model was assembled, and why."""
        from motorik.initialisation.explain import explain
        from motorik.simulation.initial_state import initial_modes

        system = self.compile(strategy)
        return explain(system, initial_modes(system))

    # --- running ---------------------------------------------------------------------------

    @called_as("simulate", moved=IN_GROUPS)
    def simulate(
        self,
        stop_time: float,
        *,
        start_time: float = 0.0,
        method: str = "auto",
        rtol: float = 1e-6,
        step: float | None = None,
        output: int | str | Sequence[float] | np.ndarray | None = None,
        interval: float | None = None,
        initial: Mapping[str, float] | None = None,
        parameters: Mapping[str, object] | None = None,
        strategy: str | Mapping[str, str] | None = None,
        loops: LoopOptions | None = None,
        solver: SolverOptions | None = None,
        progress: bool | None = None,
    ) -> Result:
        """Simulate from `start_time` to `stop_time` [s] and return the result.

        * `method`: "auto", or one of euler, rk4, dopri5, dop853, gbs, adams, bdf, radau; `rtol`:
          its relative tolerance; `step` [s]: all steps of euler and rk4, the first of the others;
        * `output`: the number of intervals, 500 by default, the times themselves, or "steps" for
          every step of the method; `interval` [s] instead gives their length;
        * `initial`: start values by state name, values of `Discrete` signals by theirs;
          ``result.sample(-1)`` continues another run;
        * `parameters`: values by parameter name for this run only; live ones cost nothing, for
          others the model is compiled again;
        * `strategy`: how loops are solved, see `compile`; `loops`: gains, branch and dead centres,
          see `LoopOptions`;
        * `solver`: absolute tolerance and limits of steps and computing time, see
          `SolverOptions`;
        * `progress`: a progress bar for runs longer than a second (in terminals by default).

        A run that fails, is interrupted (Ctrl-C) or reaches a limit returns the samples it has:
        see ``result.complete`` and ``result.info.message``; a warning is issued, too.
        """
        options = (stop_time, start_time, method, rtol, step, output, interval)
        rest = (strategy, loops, solver, progress)
        start = {} if initial is None else initial
        if (repeated := self._repeated(options, rest, parameters)) is not None:
            return repeated.run(start, repeated.system.parameter_values())
        compiled, run, live, shown = self._compiled_for_run(options, rest, parameters)
        from motorik.pipeline import simulate

        return simulate(compiled, replace(run, initial=start), live, shown)

    @called_as("prepare", moved=IN_GROUPS)
    def prepare(
        self,
        stop_time: float,
        *,
        start_time: float = 0.0,
        method: str = "auto",
        rtol: float = 1e-6,
        step: float | None = None,
        output: int | str | Sequence[float] | np.ndarray | None = None,
        interval: float | None = None,
        initial: Mapping[str, float] | None = None,
        parameters: Mapping[str, object] | None = None,
        strategy: str | Mapping[str, str] | None = None,
        loops: LoopOptions | None = None,
        solver: SolverOptions | None = None,
        progress: bool | None = None,
    ) -> PreparedRun:
        """Return a run to be made many times, compiled; options as in `simulate`.

        ``run = model.prepare(10.0)``; ``run(start={"rev.phi": 0.5}, parameters={"k": 3.0})``
        returns what `simulate` would, some hundred microseconds sooner. `initial` and
        `parameters` are the values of a run that gives no others; the model may change afterwards.
        """
        options = (stop_time, start_time, method, rtol, step, output, interval)
        rest = (strategy, loops, solver, progress)
        compiled, run, live, shown = self._compiled_for_run(options, rest, parameters)
        from motorik.prepared_run import PreparedRun

        start = {} if initial is None else initial
        return PreparedRun(compiled, replace(run, initial=start), live, shown).compile()

    def sweep(
        self,
        stop_time: float,
        *names: str,
        starts: Table = None,
        parameters: Table = None,
        client: ClusterClient | None = None,
        threads: int | None = None,
        **options: Unpack[SweepOptions],
    ) -> xarray.Dataset:
        """Return variables of many runs over variant and time, made here or on a cluster.

        ``model.sweep(10.0, "rev.phi", parameters={"damper.d": values}, output=100)``. `names`
        are the variables, by default the states; `starts` and `parameters` differ from run to
        run, as in `PreparedRun.map`; the other options are those of `simulate`. With a `client`
        of Dask (`dask.distributed.Client`, extra `cluster`) blocks of variants go to its workers,
        and a worker that dies is survived; without one they run here, in so many `threads`.
        ``data["failure"]`` says why a run failed.
        """
        from motorik.ensembles import sweep

        given = {"stop_time": stop_time, **options}

        def prepare() -> PreparedRun:
            return self.prepare(stop_time, **options)

        def send() -> bytes:
            return self._with_options(given)

        return sweep(prepare, send, starts, parameters, names, client, threads)

    def _repeated(
        self,
        own: RunSpan,
        rest: RunRest,
        parameters: Mapping[str, object] | None,
    ) -> PreparedRun | None:
        """Return the last run if it had the same options of plain types, prepared; else None."""
        kept = self.__dict__.get("_latest_run")
        if kept is None or self.gains is not None:
            return None
        key, compiled, options, prepared = kept
        if key != self._key_of_run(own, rest, parameters):
            return None
        if prepared is None:
            from motorik.prepared_run import PreparedRun

            prepared = PreparedRun(compiled, options, compiled.parameter_values())
            self.__dict__["_latest_run"] = key, compiled, options, prepared
        return prepared

    def _key_of_run(
        self,
        own: RunSpan,
        rest: RunRest,
        parameters: Mapping[str, object] | None,
    ) -> tuple[object, ...] | None:
        """Return the key of a call with options of plain types, None if there are others."""
        strategy, loops, solver, progress = rest
        is_usual = parameters is None and loops is None and solver is None
        is_usual = is_usual and isinstance(strategy, (str, type(None)))
        if not is_usual or not all(isinstance(v, (int, float, str, NoneType)) for v in own):
            return None
        kinds = *map(type, own), type(progress)  # True is another answer than 1
        return self.__dict__["revision"], self.strategy, *own, strategy, progress, kinds

    def _compiled_for_run(
        self,
        own: RunSpan,
        rest: RunRest,
        parameters: Mapping[str, object] | None,
    ) -> tuple[CompiledModel, RunOptions, np.ndarray, dict[str, tuple[object, str]]]:
        """Return the compiled model, the options, all live values, and others that are set."""
        from motorik.loops.options import LoopOptions
        from motorik.simulation.options import DEFAULT_SOLVER, RunOptions

        strategy, loops, solver, progress = rest
        loops = LoopOptions() if loops is None else loops
        options = RunOptions(
            *own, {}, DEFAULT_SOLVER if solver is None else solver, loops, progress
        )
        chosen = self._loop_strategy(strategy, loops.gains)
        if parameters is None or (isinstance(parameters, Mapping) and not parameters):
            system, shown = self._present(chosen), {}
            live = system.parameter_values()
        else:
            system, live, shown = self._with_parameters(parameters, chosen)
        if strategy is not None or loops.gains is not None:
            _tell_unused(system, strategy, loops.gains)
        if (key := self._key_of_run(own, rest, parameters)) is not None:
            self.__dict__["_latest_run"] = key, system, options, None
        return system, options, live, shown

    def _with_parameters(
        self, values: Mapping[str, object], options: LoopStrategy
    ) -> tuple[CompiledModel, np.ndarray, dict[str, tuple[object, str]]]:
        """Return the system, the live values, and value and unit of those that are not live.

        The model itself stays as it is: live values are passed on as numbers, others are
        set in a copy, which is compiled.
        """
        from motorik.system.parameters import GivenValues

        given = GivenValues.of(self, values)
        if given.plain:
            model = given.copied(self)
            with _COMPILING:
                system = self._compiled_as(model, options)
            return system, given.written(system), given.shown(model)
        system = self._present(options)
        return system, given.written(system), {}

    @called_as("simulator", moved={**IN_SOLVER, "start": f"{INITIAL}."})
    def simulator(
        self,
        *,
        method: str = "dopri5",
        rtol: float = 1e-6,
        step: float | None = None,
        initial: Mapping[str, float] | None = None,
        parameters: Mapping[str, float] | None = None,
        solver: SolverOptions | None = None,
        history: bool = False,
    ) -> Simulator:
        """Return a simulation that is advanced by `step(dt)` [s]; options as in `simulate`.

        With `history` the ends of all steps are kept: ``simulator.result()`` returns them.
        """
        from motorik.simulation.options import DEFAULT_SOLVER
        from motorik.simulation.simulator import Simulator

        return Simulator(
            self.compile(),
            method=method,
            rtol=rtol,
            step=step,
            initial=initial,
            parameters=parameters,
            solver=DEFAULT_SOLVER if solver is None else solver,
            history=history,
        )

    @called_as("simulators", moved={**IN_SOLVER, "start": f"{INITIAL}."})
    def simulators(
        self,
        count: int,
        *,
        method: str = "rk4",
        step: float | None = None,
        rtol: float = 1e-6,
        initial: Mapping[str, float | Sequence[float] | np.ndarray] | None = None,
        parameters: Mapping[str, float | Sequence[float] | np.ndarray] | None = None,
        solver: SolverOptions | None = None,
        threads: int = 1,
    ) -> Simulators:
        """Return many simulations that step together, with arrays in and out; see `Simulators`.

        `initial` and `parameters` give a number for all, or one for each; `threads` share the
        work; other options as in `simulator`. Methods of fixed `step` [s] run in vector lanes.
        """
        from motorik.simulation.options import DEFAULT_SOLVER
        from motorik.simulation.simulators import Simulators

        return Simulators(
            self.compile(),
            count,
            method=method,
            step=step,
            rtol=rtol,
            initial=initial,
            parameters=parameters,
            solver=DEFAULT_SOLVER if solver is None else solver,
            threads=threads,
        )

    @called_as("manipulator", moved=IN_LOOPS)
    def manipulator(
        self,
        *,
        initial: Mapping[str, float] | None = None,
        strategy: str | Mapping[str, str] | None = None,
        loops: LoopOptions | None = None,
        keep_speed: bool = False,
    ) -> Manipulator:
        """Return the model in its start pose, to be moved by hand; see `Manipulator`.

        Of `loops` the `branch` is used.
        """
        from motorik.analysis.manipulator import Manipulator

        system = self.compile(strategy)
        branch = None if loops is None else _group("manipulator", loops).branch
        return Manipulator(system, initial=initial, branch=branch, keep_speed=keep_speed)

    def live(self, **options: Unpack[SessionOptions]) -> ModelSession:
        """Run the model in a page of the browser; options as in `view.live.ModelSession`."""
        from motorik.view.live import ModelSession

        return ModelSession(self, **options)

    # --- analysis --------------------------------------------------------------------------

    def _point(
        self,
        caller: str,
        at: Mapping[str, float] | None,
        time: float | None,
        parameters: Mapping[str, object] | None,
        strategy: str | Mapping[str, str] | None,
        loops: LoopOptions | None,
    ) -> OperatingPoint:
        """Return the consistent state about which the model is analysed."""
        from motorik.analysis.operating_point import OperatingPoint
        from motorik.simulation.initial_state import select_initial_modes

        branch = None if loops is None else _group(caller, loops).branch
        chosen = self._loop_strategy(strategy, None)
        if parameters:
            system, live, _ = self._with_parameters(parameters, chosen)
        else:
            system = self._present(chosen)
            live = system.parameter_values()
        return OperatingPoint.find(system, at, live, time, branch, select_initial_modes)

    def _at_states(
        self,
        caller: str,
        at: Mapping[str, Any] | Result | None,
        parameters: Mapping[str, object] | None,
    ) -> ModelResult:
        """Return states, one or many, as a result that can be drawn; its time is their order."""
        import numpy as np

        from motorik.results.model_result import ModelResult
        from motorik.results.run_info import RunInfo

        rows = self._configurations(caller, at, None, parameters, None, None)
        count = len(rows)
        time = rows.time.copy() if rows.is_one else np.linspace(0.0, 1.0, count)
        info = RunInfo("states", count - 1, 0, 0, 0, 0.0, True, "states of the model")
        return ModelResult(rows.system, time, rows.X, rows.p, info)

    def draw(
        self,
        at: Mapping[str, Any] | None = None,
        *,
        parameters: Mapping[str, object] | None = None,
        **options: Unpack[DrawOptions],
    ) -> Picture:
        """Draw the model as it would start, or at a state; return the picture.

        `at` are values of states by name, an equilibrium, an answer of `inverse_kinematics`:
        several rows are drawn by `ghosts`. Other options as in `motorik.view.draw`: `camera`,
        `size`, `style`, `file` … A model that does not assemble is drawn where its start values
        put its parts, unless a state is asked for.
        """
        if at is None and parameters is None:
            return super().draw(**options)
        return self._at_states("draw", at, parameters).draw(**options)

    def show(
        self,
        height: int = 480,
        at: Mapping[str, Any] | None = None,
        *,
        parameters: Mapping[str, object] | None = None,
        **options: Unpack[ViewOptions],
    ) -> Path | None:
        """Show the model at its start or at a state: in a notebook, else in the browser.

        `at` as in `draw`; several rows move one after the other. Options as those of
        `result.to_html`; `height` [pixels] in a notebook. A model that does not assemble is shown
        as well, with the error at its part. Returns the file of the page, None in a notebook.
        """
        if at is None and parameters is None:
            return super().show(height, **options)
        return self._at_states("show", at, parameters).show(height=height, **options)

    @called_as("evaluate", moved=IN_LOOPS)
    def evaluate(
        self,
        names: str | Sequence[str],
        at: Mapping[str, float] | None = None,
        *,
        time: float | None = None,
        parameters: Mapping[str, object] | None = None,
        strategy: str | Mapping[str, str] | None = None,
        loops: LoopOptions | None = None,
    ) -> dict[str, float | np.ndarray]:
        """Return variables by name at a state, in SI units, without a run.

        `at` are values of states by name, or a sample of a result, by default the start of the
        model; loops are closed and speeds made consistent as at the start of a run. `time` [s]
        is that of the sample or 0; `parameters`, `strategy` and `loops` as in `simulate`.
        """
        from motorik.analysis.evaluate import evaluate

        point = self._point("evaluate", at, time, parameters, strategy, loops)
        return evaluate(point, names)

    def _configurations(
        self,
        caller: str,
        at: Mapping[str, Any] | Result | None,
        time: float | None,
        parameters: Mapping[str, object] | None,
        strategy: str | Mapping[str, str] | None,
        loops: LoopOptions | None,
    ) -> Configurations:
        """Return the consistent states, one or many, at which the model is analysed."""
        from motorik.analysis.configurations import Configurations, rows_of
        from motorik.results.model_result import ModelResult

        if isinstance(at, ModelResult):
            return Configurations.of(at)
        rest = time, parameters, strategy, loops
        values = rows_of(at, "at") if isinstance(at, Mapping) else None
        if values is None:
            return Configurations.at(self._point(caller, at, *rest))  # type: ignore[arg-type]
        first = {name: float(own[0]) for name, own in values.items()}
        return Configurations.along(self._point(caller, first, *rest), values)

    @called_as("mass_matrix", moved=IN_LOOPS)
    def mass_matrix(
        self,
        at: Mapping[str, Any] | Result | None = None,
        *,
        time: float | None = None,
        parameters: Mapping[str, object] | None = None,
        strategy: str | Mapping[str, str] | None = None,
        loops: LoopOptions | None = None,
    ) -> xarray.DataArray:
        """Return the mass matrix M of the independent speeds s, by name: energy ½ sᵀ M s.

        Loops stay closed: there are as few speeds as free motions. `at` are values of states by
        name, numbers or arrays of one length, or a result: then M has a `row` for each. Units are
        kg, kg.m, kg.m2, in the coordinate `unit`. Other options as in `evaluate`.
        """
        from motorik.analysis.matrices import mass_matrix

        given = at, time, parameters, strategy, loops
        return mass_matrix(self._configurations("mass_matrix", *given))

    @called_as("jacobian", moved=IN_LOOPS)
    def jacobian(
        self,
        frames: str | Sequence[str],
        at: Mapping[str, Any] | Result | None = None,
        *,
        time: float | None = None,
        parameters: Mapping[str, object] | None = None,
        strategy: str | Mapping[str, str] | None = None,
        loops: LoopOptions | None = None,
    ) -> xarray.DataArray:
        """Return the Jacobian of a frame, or of several: velocity by the independent speeds.

        Its rows are the angular velocity w [rad/s] and the velocity v of the origin [m/s],
        resolved in the world; its columns the speeds by name, as few as there are free motions.
        Options as in `mass_matrix`.
        """
        from motorik.analysis.matrices import frame_jacobians

        given = at, time, parameters, strategy, loops
        return frame_jacobians(self._configurations("jacobian", *given), frames)

    @called_as("linearize", moved=IN_LOOPS)
    def linearize(
        self,
        inputs: str | Sequence[str] = (),
        outputs: str | Sequence[str] = (),
        at: Mapping[str, float] | None = None,
        *,
        time: float | None = None,
        parameters: Mapping[str, object] | None = None,
        strategy: str | Mapping[str, str] | None = None,
        loops: LoopOptions | None = None,
        anywhere: bool = False,
        form: str = "minimal",
    ) -> Linearization:
        """Return δṡ = A δs + B δu, δy = C δs + D δu of small motions about a state.

        s are as few states as there are free motions; they keep loops closed, and what sticks or
        touches there. `inputs` are live parameters, `Discrete` signals, or coordinates: forces [N]
        and torques [N.m] along them; `outputs` any variables. `at` is the state, as in
        `evaluate`. One that moves on is refused unless `anywhere` is true. Derivatives are exact.
        With form="descriptor" s are all coordinates, speeds and multipliers, E δṡ = A δs + B δu.
        """
        from motorik.analysis.linearization import linearize

        point = self._point("linearize", at, time, parameters, strategy, loops)
        return linearize(point, inputs, outputs, anywhere=anywhere, form=form)

    @called_as("modes", moved=IN_LOOPS)
    def modes(
        self,
        at: Mapping[str, float] | None = None,
        *,
        time: float | None = None,
        parameters: Mapping[str, object] | None = None,
        strategy: str | Mapping[str, str] | None = None,
        loops: LoopOptions | None = None,
        anywhere: bool = False,
    ) -> Modes:
        """Return frequency [Hz], damping ratio and shape of the small motions about a state.

        Options as in `linearize`; ``modes.result(0).show()`` shows the first one moving.
        """
        from motorik.analysis.linearization import linearize

        point = self._point("modes", at, time, parameters, strategy, loops)
        return linearize(point, anywhere=anywhere).modes()

    @called_as("equilibrium", moved=IN_LOOPS)
    def equilibrium(
        self,
        at: Mapping[str, float] | None = None,
        *,
        free: str | Sequence[str] = (),
        where: Mapping[str, float] | None = None,
        time: float | None = None,
        parameters: Mapping[str, object] | None = None,
        strategy: str | Mapping[str, str] | None = None,
        loops: LoopOptions | None = None,
    ) -> Equilibrium:
        """Return the state near `at` in which the model stays at rest, and whether it is stable.

        Loops stay closed, circuits and signal blocks are in a steady state, contacts carry loads,
        and friction that sticks at the start is held; friction that slips carries nothing. The
        result is a sample: ``model.linearize(at=found)``, ``model.simulate(1.0, initial=found)``.
        `free` live parameters take the values with which variables have those of `where`:
        ``free="spring.s_rel0", where={"body.s": 0.1}``. Where there is no equilibrium, the error
        says which forces are left at the nearest state. Other options as in `evaluate`.
        """
        from motorik.analysis.equilibrium import equilibrium

        point = self._point("equilibrium", at, time, parameters, strategy, loops)
        return equilibrium(point, free, where)

    @called_as("sweep_kinematics", moved=IN_LOOPS)
    def sweep_kinematics(
        self,
        drives: str | Mapping[str, Sequence[float] | np.ndarray],
        values: Sequence[float] | np.ndarray | None = None,
        at: Mapping[str, float] | None = None,
        *,
        branches: bool = False,
        time: float | None = None,
        parameters: Mapping[str, object] | None = None,
        strategy: str | Mapping[str, str] | None = None,
        loops: LoopOptions | None = None,
    ) -> KinematicSweep:
        """Return the poses of the mechanism where variables have given values, with loops closed.

        ``model.sweep_kinematics("jack.s", np.linspace(0, 0.1, 50))["hub.frame_b.r_0"]`` is any
        variable over these values, forces at rest among them. `drives` are coordinates, or
        other variables of the pose; several, given as a dict, make a grid: the workspace. Poses
        are continued from the state `at`, on its branch, or with `branches` on all of
        `Model.branches`. Where the mechanism cannot go on, there is a dead point, see
        `KinematicSweep`. Motions that the drives do not determine are as small as can be. Other
        options as in `evaluate`.
        """
        from motorik.analysis.kinematics import check_drives, sweep_kinematics
        from motorik.loops.options import LoopOptions

        driven = check_drives(drives, values)
        rest = time, parameters, strategy
        points = {"": self._point("sweep_kinematics", at, *rest, loops)}
        found = self.branches(at) if branches else []
        if len(found) > 1:
            points = {}
            for own in found:
                chosen = LoopOptions(branch=own.names)
                name = ", ".join(f"{k}: {v}" for k, v in own.names.items())
                points[name] = self._point("sweep_kinematics", at, *rest, chosen)
        return sweep_kinematics(points, driven)

    @called_as("sensitivities", moved=IN_GROUPS)
    def sensitivities(
        self,
        stop_time: float,
        by: str | Sequence[str],
        *,
        start_time: float = 0.0,
        method: str = "dop853",
        rtol: float = 1e-8,
        step: float | None = None,
        output: int | Sequence[float] | np.ndarray | None = None,
        interval: float | None = None,
        initial: Mapping[str, float] | None = None,
        parameters: Mapping[str, object] | None = None,
        strategy: str | Mapping[str, str] | None = None,
        loops: LoopOptions | None = None,
        solver: SolverOptions | None = None,
    ) -> Sensitivities:
        """Return the derivatives of a run by live parameters and start values, at output times.

        ``found = model.sensitivities(5.0, by=["spring.c", "mass.s"])``; ``found["mass.v"]`` has a
        column for each of `by`. They are those of the run itself, integrated with it, through
        events as well. Other options as in `simulate`.
        """
        from motorik.sensitivity.trajectory import differentiate

        own = (stop_time, start_time, method, rtol, step, output, interval)
        start = {} if initial is None else initial
        rest = (strategy, loops, solver, False)
        system, options, live, _ = self._compiled_for_run(own, rest, parameters)
        names = [by] if isinstance(by, str) else list(by)
        return differentiate(system, replace(options, initial=start), live, names)

    @called_as("gradient", moved=IN_GROUPS)
    def gradient(
        self,
        stop_time: float,
        by: str | Sequence[str],
        *,
        end: str | Callable[[Motion], Scalar] | None = None,
        integral: str | Callable[[Motion], Scalar] | None = None,
        data: object = None,
        noise: Mapping[str, float] | None = None,
        start_time: float = 0.0,
        method: str = "dop853",
        rtol: float = 1e-8,
        step: float | None = None,
        initial: Mapping[str, float] | None = None,
        parameters: Mapping[str, object] | None = None,
        strategy: str | Mapping[str, str] | None = None,
        loops: LoopOptions | None = None,
        solver: SolverOptions | None = None,
    ) -> RunGradient:
        """Return an objective of a run and its derivatives by live parameters and start values.

        The objective is one number, the sum of what is given: a variable at the `end`; the
        `integral` of one over the run; the sum of squares of (computed − measured) / `noise` for
        `data` as in `fit`. A variable is a name or a function of the motion:
        ``model.gradient(2.0, ["spring.c", "mass.s"], end="mass.s",
        integral=lambda motion: motion["spring.f"] ** 2)``. The adjoint of the run, integrated
        backward and through events, finds all derivatives for the cost of a few runs, however
        many names there are in `by`; for many outputs and few names take `sensitivities`. Other
        options as in `simulate`.
        """
        from motorik.sensitivity.fitting import Measured, noise_of
        from motorik.sensitivity.gradient import gradient

        own = (stop_time, start_time, method, rtol, step, 1, None)
        rest = (strategy, loops, solver, False)
        system, options, live, _ = self._compiled_for_run(own, rest, parameters)
        options = replace(options, initial={} if initial is None else initial)
        measured = None if data is None else Measured.of(data)
        deviations = None
        if measured is not None:
            measured.refuse_outside(start_time, stop_time)
            deviations = noise_of(noise, measured.outputs)
        names = [by] if isinstance(by, str) else list(by)
        return gradient(system, options, live, names, end, integral, measured, deviations)

    @called_as("differentiable_run", moved=IN_GROUPS)
    def differentiable_run(
        self,
        stop_time: float,
        by: str | Sequence[str],
        outputs: str | Sequence[str],
        *,
        start_time: float = 0.0,
        method: str = "dop853",
        rtol: float = 1e-8,
        step: float | None = None,
        output: int | Sequence[float] | np.ndarray | None = None,
        interval: float | None = None,
        initial: Mapping[str, float] | None = None,
        parameters: Mapping[str, object] | None = None,
        strategy: str | Mapping[str, str] | None = None,
        loops: LoopOptions | None = None,
        solver: SolverOptions | None = None,
    ) -> DifferentiableRun:
        """Return a run as a function of the values of `by` to `outputs` at its output times.

        ``run = model.differentiable_run(2.0, ["spring.c", "mass.s"], "mass.v", output=100)``:
        ``run([20.0, 1.0])`` is an array, ``run.to_torch()`` and ``run.to_jax()`` are functions
        through which PyTorch and JAX differentiate, by the adjoint as `gradient` does. `by` are
        live parameters and start values, `outputs` any variables but reactions of loops. Other
        options as in `simulate`.
        """
        from motorik.sensitivity.gradient import DifferentiableRun
        from motorik.sensitivity.trajectory import settings_of

        own = (stop_time, start_time, method, rtol, step, output, interval)
        rest = (strategy, loops, solver, False)
        system, options, live, _ = self._compiled_for_run(own, rest, parameters)
        given = {} if initial is None else initial
        settings = settings_of(options, live, given, system.layout.live_names)
        names = [[own] if isinstance(own, str) else list(own) for own in (by, outputs)]
        return DifferentiableRun(system, settings, *names)

    @checked_call
    def fit(
        self,
        data: object,
        parameters: Sequence[str] | Mapping[str, tuple[float | None, float | None] | None],
        *,
        noise: Mapping[str, float] | None = None,
        start_time: float = 0.0,
        method: str = "dop853",
        rtol: float = 1e-8,
        initial: Mapping[str, float] | None = None,
        values: Mapping[str, float] | None = None,
        strategy: str | Mapping[str, str] | None = None,
        loops: LoopOptions | None = None,
        solver: SolverOptions | None = None,
    ) -> Fit:
        """Return the live parameters and start values with which a run fits measured data best.

        `data` are columns by the names of variables, and "time" [s]: a dict, a table of pandas, a
        result; missing numbers are nan. `parameters` are names, or names with their least and
        largest values, None for no bound; the search begins at their present values, or at those
        of `values`. `noise` are the standard deviations of the measured variables; without them
        they are estimated. Other options as in `simulate`.
        """
        from motorik.sensitivity.fitting import Measured, fit
        from motorik.sensitivity.trajectory import differentiate, settings_of, start_values

        measured, given = Measured.of(data), {} if initial is None else dict(initial)
        own = (
            float(measured.time[-1]),
            start_time,
            method,
            rtol,
            None,
            measured.time,
            None,
        )
        rest = (strategy, loops, solver, False)
        system, options, present, _ = self._compiled_for_run(own, rest, None)
        split = settings_of(options, present, given, system.layout.live_names)

        def run_with(numbers: Mapping[str, float]) -> Result:
            from motorik.pipeline import simulate

            return simulate(system, *split(numbers))

        names = list(parameters)
        start = start_values(system, *split({} if values is None else values), names)
        return fit(
            measured,
            parameters,
            dict(zip(names, start.values.tolist(), strict=True)),
            start.units,
            lambda numbers: differentiate(system, *split(numbers), names),
            run_with,
            noise,
        )

    @called_as("to_casadi", moved=IN_LOOPS)
    def to_casadi(
        self,
        inputs: str | Sequence[str] = (),
        outputs: str | Sequence[str] = (),
        *,
        initial: Mapping[str, float] | None = None,
        parameters: Mapping[str, object] | None = None,
        strategy: str | Mapping[str, str] | None = None,
        loops: LoopOptions | None = None,
    ) -> ExportedModel:
        """Return the equations ẋ = f(t, x, u), y = g(t, x, u) as functions of CasADi, with names.

        `inputs` u are live parameters and `Discrete` signals, `outputs` y any variables; x are the
        states of the model. `to_jax` and `to_torch` of what is returned make functions for these.
        """
        from motorik.sensitivity.exported import ExportedModel

        names = [[own] if isinstance(own, str) else list(own) for own in (inputs, outputs)]
        point = self._point("to_casadi", initial, None, parameters, strategy, loops)
        return ExportedModel(point.system, point.x, point.p, *names)

    # --- as data ---------------------------------------------------------------------------

    def to_document(self) -> Document:
        """Return the model as data that can be saved, shown in the studio and built again.

        Models within become sub-models, live parameters and formulas of them stay live. A value
        that no file can hold, such as a function that branches, is kept as text and shown.
        """
        from motorik.documents import Document

        return Document.of(self)

    # --- loops -----------------------------------------------------------------------------

    @checked_call
    def branches(self, initial: Mapping[str, float] | None = None) -> list[Branch]:
        """Return the assembly configurations of the loops at the independent start coordinates.

        Give ``loops=LoopOptions(branch=found.names)`` to `simulate` to start in one of them.
        """
        from motorik.analysis.branches import branches

        return branches(self.compile(), {} if initial is None else initial)

    @checked_call
    def inverse_kinematics(
        self,
        targets: Mapping[str, Any],
        initial: Mapping[str, float] | None = None,
        *,
        near: Mapping[str, float] | None = None,
        limits: Mapping[str, Sequence[float]] | None = None,
    ) -> dict[str, Any]:
        """Return the coordinates at which variables have given values and all loops close.

        `targets` by the names that results use, e.g. ``{"tool.frame_b.r_0": (0.4, 0.2, 0)}``;
        coordinates in `initial` are kept. Rows of targets give arrays, each row continued from
        the one before. The search begins at the start of the model or at the state `near`, and
        stays near it where targets leave a choice. Stops of joints hold, and so do `limits`
        such as ``{"elbow.phi": (0.0, 2.5)}``. `at=`, `initial=` and `start=` accept the answer.
        """
        from motorik.analysis.inverse_kinematics import inverse_kinematics

        kept = {} if initial is None else initial
        return inverse_kinematics(self.compile(), targets, kept, near, limits)

    @called_as("inverse_dynamics", moved=IN_LOOPS)
    def inverse_dynamics(
        self,
        time: Sequence[float] | np.ndarray,
        motion: Mapping[str, Sequence[Any]],
        drives: Sequence[str] | None = None,
        strategy: str | Mapping[str, str] | None = None,
        initial: Mapping[str, float] | None = None,
        loops: LoopOptions | None = None,
        parameters: Mapping[str, object] | None = None,
    ) -> dict[str, np.ndarray]:
        """Return the forces [N] and torques [N.m] at joints that cause a given motion.

        `motion` gives coordinates by name as (values, rates, second rates) over `time` [s];
        the other coordinates follow from the loops, continuously from the start of the model
        (`initial` values, and the `branch` of `loops`). `drives` are the coordinates with
        actuators, by default those of `motion`. `parameters` as in `simulate`.
        """
        import numpy as np

        from motorik.analysis.inverse_dynamics import inverse_dynamics
        from motorik.initialisation.given import finite_numbers

        times = np.atleast_1d(finite_numbers("time", time))
        chosen, live = self._loop_strategy(strategy, None), None
        if parameters:
            system, live, _ = self._with_parameters(parameters, chosen)
        else:
            system = self._present(chosen)
        if not system.facts.is_tree and system.formulation.gains is not None:
            system = system.projected
        branch = None if loops is None else _group("inverse_dynamics", loops).branch
        return inverse_dynamics(system, times, motion, drives, initial, branch, live)

    def __repr__(self) -> str:
        body = self.tree("  ")
        return f"{type(self).__name__}:\n{body}" if body else f"{type(self).__name__}()"


def _group(caller: str, loops: object) -> LoopOptions:
    """Return options of loops, or refuse a value that is none."""
    from motorik.loops.options import LoopOptions
    from motorik.simulation.options import check_group

    check_group(caller, "loops", loops, LoopOptions)
    assert isinstance(loops, LoopOptions)
    return loops


def _tell_unused(
    system: CompiledModel,
    strategy: str | Mapping[str, str] | None,
    gains: Gains | None,
) -> None:
    """Warn of a strategy, and refuse gains, for a model without loops."""
    if system.facts.has_loops:
        return
    name = system.facts.name
    if gains is not None:
        raise SimulationError(
            "gains",
            f"gains are given, but {name} has no loops to stabilise.",
            "Give no gains.",
        )
    if strategy not in (None, "auto"):
        text = f"{name} has no loops: strategy={strategy!r} has no effect"
        warnings.warn(UnusedOptionWarning(text), stacklevel=calls_within_motorik())
