"""ModelSession: a model that runs live, or is simulated again after each change."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from motorik.components.base.values import number_of
from motorik.errors import MotorikError, ParameterError, checked_call
from motorik.results import ModelResult
from motorik.results.model_result import make_result
from motorik.simulation.options import DEFAULT_SOLVER, RunOptions
from motorik.simulation.run import integrate
from motorik.system.layout import Layout
from motorik.view.argument_checks import check_positive
from motorik.view.live.clients import Data
from motorik.view.live.messages import run_message
from motorik.view.live.model_player import ModelPlayer
from motorik.view.live.notebook import check_shown
from motorik.view.live.panel import DEGREES, Panels
from motorik.view.live.server import LOCAL
from motorik.view.live.session import LIVE, Session, check_times
from motorik.view.scene.scene import Channel, SceneRun
from motorik.view.scene_builder.build import run_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from motorik.compiled_model import CompiledModel
    from motorik.model import Model
    from motorik.view.live.options import SimulatorOptions


# --- ranges of sliders --------------------------------------------------------------------


PARAMETERS, START = "Parameters", "Start values"
MOST = 24  # sliders of start values in the automatic panel
NARROW = 0.05  # the low end of a range that must not reach zero, against the value
WIDE = 3.0  # the end of a range against the present value


def add_sliders(panels: Panels, player: ModelPlayer) -> None:
    """Add a slider for each live parameter, and for the start values of a model."""
    system, live = player.base, player.live
    for name in system.layout.live_names:
        low, high = parameter_range(system, live, name)
        _add(panels, PARAMETERS, name, (low, high), player.unit_of(name))
    names = start_names(system)
    for name, value in zip(names, player.values(names), strict=True):
        range_ = state_range(system, name, value)
        _add(panels, START, name, range_, player.unit_of(name))


def _add(
    panels: Panels, title: str, name: str, range_: tuple[float, float], unit: str
) -> None:
    low, high = map(math.degrees, range_) if unit in DEGREES else range_
    panels.find(title).slider(name, low, high)


def parameter_range(
    system: CompiledModel, live: np.ndarray, name: str
) -> tuple[float, float]:
    """Return a range for a live parameter, in SI units: around its value, as far as it is valid.

    Zero and negative values are checked by its part.
    """
    place = system.layout.live_names[name]
    value, unit = float(live[place]), system.layout.live[place].parameter.unit
    size = abs(value) or 1.0
    if unit == "rad":
        return min(-math.pi, value - math.pi), max(math.pi, value + math.pi)
    high = value + (WIDE - 1.0) * size
    if unit == "m" and value > 0.0:  # a length of zero would be another mechanism
        return NARROW * value, high
    for low in (value - (WIDE - 1.0) * size if value <= 0.0 else -high, 0.0):
        if value > 0.0 and low < 0.0 and not _is_signed(unit):
            continue
        if low < value and _is_valid(system, live, place, low):
            return low, high
    return NARROW * value, high


def _is_signed(unit: str) -> bool:
    """Return whether numbers of a unit usually have both signs: forces, speeds."""
    return unit in ("N", "N.m", "m/s", "rad/s", "m/s2", "rad/s2", "")


def _is_valid(system: CompiledModel, live: np.ndarray, place: int, value: float) -> bool:
    tried = live.copy()
    tried[place] = value
    try:
        system.parameter_check(tried)
    except MotorikError:
        return False
    return True


def state_range(system: CompiledModel, name: str, value: float) -> tuple[float, float]:
    """Return a range for a coordinate or a speed, in SI units: of its scale, about its value.

    A joint with stops on both sides has theirs.
    """
    place = system.layout.index[name]
    ends = _stops(system, name.rpartition(".")[0]) if place < system.n_q else None
    if ends is not None:
        return min(ends[0], value), max(ends[1], value)
    unit = system.layout.motion[place].unit
    length = system.scales.length
    size = {"rad": math.pi, "m": length, "rad/s": 10.0, "m/s": 10.0 * length}.get(unit, 1.0)
    size = max(size, WIDE * abs(value))
    return -size, size


def _stops(system: CompiledModel, joint: str) -> tuple[float, float] | None:
    """Return between which positions a joint of one freedom moves, None without two stops."""
    constraints = () if system.nonsmooth is None else system.nonsmooth.constraints
    for constraint in constraints:
        stops = constraint.part.__dict__.get("stops")
        if stops is not None and constraint.part.path == joint and None not in stops:
            return number_of(stops[0]), number_of(stops[1])
    return None


def start_names(system: CompiledModel) -> list[str]:
    """Return the coordinates and speeds whose start values a user would move.

    Those that the model fixes, without any the first ones that are states; and the speeds
    that are states.
    """
    layout: Layout = system.layout
    count = layout.n_q + layout.n_u
    states = [k for k in layout.integrated if k < count]
    fixed = [k for k in range(count) if layout.starts[1][k]]
    speeds = [k for k in states if k >= layout.n_q]
    chosen = sorted({*(fixed or states), *speeds})
    return [layout.motion_names[k] for k in chosen[:MOST]]


RECORDED = "recorded"
LONGEST_RUN = 10.0  # s of a recorded run, by default
TIME_LIMIT = 20.0  # s of computing for a recorded run, by default


class ModelSession(Session):
    """The session of a model.

    In mode "live" it runs in real time, `speed` times faster, or as fast as it can with
    ``speed=math.inf``; in mode "recorded" every movement of a slider or a hand simulates the
    whole run up to `stop_time` again::

        with model.live() as session:
            session.panel("Body").slider("body.m", 0.1, 5.0)
            session.play()
            session.wait()

    A recorded run is given up after `time_limit` [s] of computing. By default there is a
    slider for each live parameter and start value. Other options are those of `Session` and
    of `model.simulator`.
    """

    player: ModelPlayer

    @checked_call
    def __init__(
        self,
        model: Model,
        *,
        mode: str = LIVE,
        stop_time: float | None = None,
        speed: float = 1.0,
        fps: float = 30.0,
        initial: Mapping[str, float] | None = None,
        parameters: Mapping[str, float] | None = None,
        strategy: str | Mapping[str, str] | None = None,
        panels: bool = True,
        time_limit: float = TIME_LIMIT,
        host: str = LOCAL[0],
        port: int = 0,
        open: bool | None = None,
        page: Callable[[str], str] | None = None,
        **options: Unpack[SimulatorOptions],
    ) -> None:
        check_shown(open)
        _check_mode(mode)
        check_times(stop_time, fps)
        self._time_limit = check_positive("live", "time_limit", time_limit)
        self.model, self.mode = model, mode
        self.result: ModelResult | None = None
        self._record_by = (
            options.get("method", "auto"),
            options.get("rtol", 1e-6),
        )
        self._solver = replace(
            options.get("solver", DEFAULT_SOLVER), time_limit=self._time_limit
        )
        if stop_time is None and mode == RECORDED:
            stop_time = LONGEST_RUN
        system = model.compile(strategy)
        player = ModelPlayer(model, system, initial or {}, parameters or {}, options)
        shown = {"host": host, "port": port, "page": page}
        super().__init__(player, stop_time=stop_time, speed=speed, fps=fps, **shown)
        self.watching.recorded = self._rows_of
        if panels:
            add_sliders(self.panels, player)
        self.open(open)

    def _after_change(self) -> None:
        """Show a change: a frame, or the whole run again."""
        if self.mode == RECORDED:
            self._record()
        super()._after_change()

    def _frame(self) -> dict[str, Data]:
        """Return the present pose; at the start of a recorded run the run itself shows it."""
        is_shown = self.mode == LIVE or self.time > 0.0 or self.acting.holds
        return super()._frame() if is_shown else {}

    def _recorded_run(self) -> SceneRun:
        """Return the run that pages show: the recorded one, or the frames so far."""
        if self.result is None or self.mode == LIVE:
            return super()._recorded_run()
        scene = self.player.scene
        return run_of(self.result, scene.channels, scene.bases)

    def _rows_of(self, channels: Sequence[Channel]) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the recorded run of channels, unless the mechanism is being dragged."""
        if self.result is None or self.mode == LIVE or self.acting.holds:
            return None
        run = run_of(self.result, channels)
        return run.time, run.values

    def _record(self) -> None:
        """Simulate the whole run again and send it."""
        assert self.stop_time is not None
        begin, scene = self.player.where_it_begins(), self.player.scene
        options = RunOptions(
            self.stop_time, 0.0, *self._record_by, solver=self._solver, progress=False
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an early end is reported below
            seconds = begin.system.prepare_run()
            result = make_result(integrate(begin.copy(), options), None, seconds)
        assert isinstance(result, ModelResult)
        self.result = result
        run = run_of(result, scene.channels, scene.bases)
        self._pages.show({"run": run_message(run)})
        if not result.complete:
            self._pages.warn(result.info.message)


def _check_mode(mode: str) -> None:
    if mode not in (LIVE, RECORDED):
        raise ParameterError(
            "live",
            f"mode = {mode!r} is unknown.",
            f'Give mode="{LIVE}" or "{RECORDED}".',
            parameter="mode",
            value=mode,
        )
