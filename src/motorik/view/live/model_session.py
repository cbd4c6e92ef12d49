"""ModelSession: a model that runs live, or is simulated anew after each movement."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import ParameterError, called_in_words
from motorik.results import ModelResult
from motorik.simulation.options import RunOptions
from motorik.simulation.run import simulate
from motorik.view.given import check_positive
from motorik.view.live.clients import Data
from motorik.view.live.frames import run_message
from motorik.view.live.model_player import ModelPlayer
from motorik.view.live.notebook import check_shown
from motorik.view.live.ranges import add_sliders
from motorik.view.live.server import LOCAL
from motorik.view.live.session import LIVE, Session, check_times
from motorik.view.scene.scene import Channel
from motorik.view.staging.make import run_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from motorik.model import Model
    from motorik.view.live.options import SimulatorOptions

RECORDED = "recorded"
LONGEST_RUN = 10.0  # s of a recorded run, unless told otherwise
TIME_LIMIT = 20.0  # s of computing for a recorded run, unless told otherwise


class ModelSession(Session):
    """The session of a model.

    In mode "live" it runs in real time, `speed` times faster, or as fast as it can with
    ``speed=math.inf``; in mode "recorded" every movement of a slider or a hand simulates the
    whole run up to `stop` anew::

        with model.live() as session:
            session.panel("Body").slider("body.m", 0.1, 5.0)
            session.play()
            session.wait()

    A recorded run is given up after `time_limit` [s] of computing. By default there is a
    slider for each live parameter and start value. Other options are those of `Session` and
    of `model.simulator`.
    """

    player: ModelPlayer

    @called_in_words
    def __init__(
        self,
        model: Model,
        *,
        mode: str = LIVE,
        stop: float | None = None,
        speed: float = 1.0,
        fps: float = 30.0,
        start: Mapping[str, float] | None = None,
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
        check_times(stop, fps)
        self._time_limit = check_positive("live", "time_limit", time_limit)
        self.model, self.mode = model, mode
        self.result: ModelResult | None = None
        self._record_by = (
            options.get("method", "auto"),
            options.get("rtol", 1e-6),
            options.get("atol"),
        )
        stop = stop if stop is not None or mode == LIVE else LONGEST_RUN
        system = model.compile(strategy)
        player = ModelPlayer(model, system, start or {}, parameters or {}, options)
        shown = {"host": host, "port": port, "page": page}
        super().__init__(player, stop=stop, speed=speed, fps=fps, **shown)
        self.watching.recorded = self._rows_of
        if panels:
            add_sliders(self.panels, player)
        self.open(open)

    def _after_change(self) -> None:
        """Show what was changed: a frame, or the whole run anew."""
        if self.mode == RECORDED:
            self._record()
        super()._after_change()

    def _frame(self) -> dict[str, Data]:
        """Return the present pose; at the start of a recorded run the run itself shows it."""
        is_shown = self.mode == LIVE or self.time > 0.0 or self.acting.holds
        return super()._frame() if is_shown else {}

    def _rows_of(self, channels: Sequence[Channel]) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the recorded run of channels, unless a hand moves what is seen."""
        if self.result is None or self.mode == LIVE or self.acting.holds:
            return None
        run = run_of(self.result, channels)
        return run.time, run.values

    def _record(self) -> None:
        """Simulate the whole run anew and send it."""
        assert self.stop is not None
        begin, scene = self.player.where_it_begins(), self.player.scene
        limit = self._time_limit
        options = RunOptions(
            self.stop, 0.0, *self._record_by, progress=False, time_limit=limit
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it ended early is told below
            result = simulate(begin.system, options, self.player.live, begin=begin)
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
