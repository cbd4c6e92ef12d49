"""Session: a mechanism that runs live, with a page to see it and to move it."""

from __future__ import annotations

import math
import os
import time as clock
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from motorik.analysis.manipulator import MoveOutcome
from motorik.errors import MotorikError, ParameterError
from motorik.initialisation.given import finite_numbers
from motorik.results import ModelResult
from motorik.results.files import path_of
from motorik.view.argument_checks import check_number, check_positive
from motorik.view.live.broadcast import Broadcast, message
from motorik.view.live.budget import FRAME, JOBS, STEP, Budget, IsOver
from motorik.view.live.clients import Data
from motorik.view.live.hands import Hands
from motorik.view.live.jobs import Job, Jobs
from motorik.view.live.messages import (
    file_message,
    frame_message,
    notice,
    scene_message,
)
from motorik.view.live.notebook import InNotebook, is_shown_by_widget, show_session
from motorik.view.live.panel import Panel, PanelControl, Panels
from motorik.view.live.player import Player
from motorik.view.live.saving import Recording, Settings, run_of_frames
from motorik.view.live.server import LOCAL
from motorik.view.live.transport import Name
from motorik.view.scene.blob import write_blob
from motorik.view.scene.scene import Channel, Scene, SceneRun

if TYPE_CHECKING:
    from typing_extensions import Self


# --- simulated time against the clock -----------------------------------------------------


SHARE = 0.8  # of the time between frames that computing may take, as fast as it can
FIRST = 1e-3  # s of simulation for the first frame, as fast as it can
GROWTH = 4.0  # of the simulation between two frames, from frame to frame
LATE = 2.0  # frames that it may fall behind; then the simulation runs slower than requested


class Pace:
    """When the next frame is due, and how far the simulation is to go until then.

    A simulation that is slower than the clock is not hurried: it falls behind, and goes on
    from there. It goes in pieces of `beat` [s] at least. `now` is the clock [s].
    Where it is to be faster than in reality, pieces grow from frame to frame as long as
    computing keeps up with them: the requested pace may be more than the machine can do.
    """

    def __init__(
        self,
        speed: float,
        fps: float,
        beat: float = 0.0,
        now: Callable[[], float] = clock.perf_counter,
    ) -> None:
        self.period, self.beat, self.now = 1.0 / fps, beat, now
        self.is_running = False
        self._piece = 0.0  # s of simulation between frames, as it can be computed
        self._began = self._at = self._next = 0.0
        self.speed = _checked(speed)
        self._piece = self._least

    @property
    def _least(self) -> float:
        """The least piece of simulation between frames [s], however long it takes."""
        return FIRST if math.isinf(self.speed) else self.period * min(self.speed, 1.0)

    def set_speed(self, speed: float, t: float) -> None:
        """Take another speed from the time t [s] of the simulation on."""
        self.speed = _checked(speed)
        self._piece = self._least
        self.anchor(t)

    def start(self, t: float) -> None:
        """Run from the time t [s] of the simulation on."""
        self.is_running = True
        self.anchor(t)

    def stop(self) -> None:
        """Stand still."""
        self.is_running = False

    def anchor(self, t: float) -> None:
        """Let the time t [s] of the simulation be now."""
        self._began, self._at = self.now(), t
        self._next = self._began

    def wait(self) -> float:
        """Return how long it is until the next frame is due [s]."""
        return max(0.0, self._next - self.now())

    def due(self, t: float) -> float:
        """Return how far the simulation is to go for the next frame [s]."""
        now = self.now()
        if now < self._next:
            return 0.0
        self._next = max(self._next + self.period, now)
        if math.isinf(self.speed):
            return max(self._piece, self.beat)
        largest = max(self._piece, self.beat)
        wanted = self._at + (now - self._began + self.period) * self.speed - t
        most = LATE * self.period * self.speed + self.beat
        if wanted > most:
            self._began, self._at = now, t
            return min(max(self.period * self.speed, self.beat), largest)
        return min(max(wanted, 0.0), largest)

    def done(self, t: float, dt: float, took: float) -> None:
        """Learn how long dt [s] of simulation took."""
        share = self.period / max(took, 1e-6)
        if math.isinf(self.speed):
            share = min(GROWTH, max(1.0 / GROWTH, SHARE * share))
            self._piece = max(self._least, max(dt, self.beat) * share)
            return
        if took > self.period:
            self._piece = max(self._least, dt * max(1.0 / GROWTH, share))
            self.anchor(t)
        else:
            self._piece = max(self._piece, dt * min(GROWTH, share))


def _checked(speed: object) -> float:
    if not isinstance(speed, (int, float)) or isinstance(speed, bool) or not speed > 0.0:
        raise ParameterError(
            "live",
            f"speed = {speed!r} is not positive.",
            "Give speed > 0; math.inf is as fast as it can.",
            parameter="speed",
            value=speed,
        )
    return float(speed)


# --- values of the parts that pages point at ----------------------------------------------


MOST = 8  # parts whose values are sent at once: those requested last

Rows = Callable[[Sequence[Channel]], tuple[np.ndarray, np.ndarray] | None]
"""Returns times [s] and values over them of a recorded run; None where there is none."""


class Watching:
    """The parts of a session that pages watch, and their values now or over a recorded run."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self.recorded: Rows = lambda channels: None
        self._opened: dict[int, None] = {}

    def begin(self, part: int) -> None:
        """Watch a part of the scene, by its number; a number of no part is passed over."""
        if 0 <= part < len(self._player.scene.parts):
            self._opened.pop(part, None)
            self._opened[part] = None
        for old in list(self._opened)[:-MOST]:
            del self._opened[old]

    def message(self) -> dict[str, Data]:
        """Return the values of all watched parts as a message, none where none is watched."""
        said = {str(part): self._table(part) for part in self._opened}
        return message("readings", parts=said) if said else {}

    def _table(self, part: int) -> dict[str, object]:
        channels = self._player.readings(part)
        time, values = self.recorded(channels) or self._now(part)
        return {
            "channels": [channel.to_json() for channel in channels],
            "time": write_blob(time, "f64"),
            "values": write_blob(values, "f32"),
        }

    def _now(self, part: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the present values of a part; not numbers where none can be found."""
        player = self._player
        try:
            values = player.read(part)
        except MotorikError:  # no acceleration follows from forces, as with a singular mass
            values = np.full(len(player.readings(part)), np.nan)
        return np.array([player.time]), values[None]


T = TypeVar("T")

LIVE = "live"
VALUES = 0.2  # s after which controls show the values of a run again
SETTLED = 0.3  # s after which a changed input may change visuals


class Session(InNotebook):
    """A mechanism that runs while it is seen, in a page of the browser.

    Its `player` is a model (`ModelSession`, made by ``model.live()``) or a chain of
    transmission elements (`ChainSession`, made by ``scene.live()``). It runs in a thread of
    its own, in real time, `speed` times faster, or as fast as it can with ``speed=math.inf``,
    and is sent to all pages `fps` times a second.

    The page is at `url`, on this machine alone unless another `host` is given. `panel`
    makes controls. `play`, `pause`, `reset`, `step`, `set`, `drag` and `turn` do from a
    program what the page does; `do` calls any function in the thread of the mechanism.
    """

    mode = LIVE
    result: ModelResult | None = None
    """The result of the recorded run, in the mode "recorded"."""

    def __init__(
        self,
        player: Player,
        *,
        stop_time: float | None = None,
        speed: float = 1.0,
        fps: float = 30.0,
        host: str = LOCAL[0],
        port: int = 0,
        page: Callable[[str], str] | None = None,
    ) -> None:
        check_times(stop_time, fps)
        self.player, self.stop_time = player, stop_time
        self.pace = Pace(speed, fps)
        self.acting = Hands(self)
        self.panels = Panels(player, self._send_panel)
        self.watching = Watching(player)
        self.frames = 0
        self._look_at = math.inf
        self._stored_values = 0.0
        self._jobs = Jobs(self._work, "motorik live simulation")
        self._pages = Broadcast(page or self._page, self._hear, self._leave, host, port)

    def open(self, wanted: bool | None) -> None:
        """Show the page: in a notebook below the cell, else as `open_page` does."""
        self._pages.show({"scene": scene_message(self.player.scene)})
        self._send_panel()
        self._after_change()
        if not is_shown_by_widget(wanted):
            self._pages.serve()
        self._jobs.start()
        show_session(self, wanted)

    # --- what a user does ----------------------------------------------------------------------

    @property
    def url(self) -> str:
        """The address of the page, with the token that it needs; it is served from now on."""
        self._pages.serve()
        return self._pages.server.url

    @property
    def scene(self) -> Scene:
        """The scene that pages show."""
        return self.player.scene

    @property
    def time(self) -> float:
        """The time of the simulation [s]."""
        return self.player.time

    @property
    def is_running(self) -> bool:
        """Whether time goes on."""
        return self.pace.is_running

    @property
    def is_closed(self) -> bool:
        """Whether it was closed, and stays so."""
        return self._jobs.is_over.is_set()

    @property
    def clients(self) -> int:
        """The number of connected pages."""
        return self._pages.count

    def panel(self, title: str) -> Panel:
        """Return the panel of this title, made if there is none, to add controls to it."""
        return self.panels.find(title)

    def play(self) -> None:
        """Let time go on."""
        self._jobs.ask(self._play)

    def pause(self) -> None:
        """Let time stand still."""
        self._jobs.ask(self._pause)

    def reset(self, *, own: bool = False) -> None:
        """Go back to the start, with the present parameters and start values.

        With `own` it is the mechanism's own start: where sliders of start values and hands
        have moved it is forgotten.
        """
        self._jobs.ask(lambda: self._reset(own))

    def step(self, dt: float) -> None:
        """Simulate dt [s] while time stands still."""
        self._jobs.ask(lambda: self._step(dt))

    @property
    def speed(self) -> float:
        """How many times faster than in reality it runs; infinite: as fast as it can."""
        return self.pace.speed

    @speed.setter
    def speed(self, value: float) -> None:
        self._jobs.ask(lambda: self._set_speed(value))

    def do(self, function: Callable[[], T]) -> T:
        """Return the result of a function that is called in the thread of the mechanism.

        So it may change and read the mechanism, although this runs.
        """
        return self._jobs.ask(function)

    def set(self, name: str, value: float) -> MoveOutcome | None:
        """Set a live parameter, a coordinate or a speed, in SI units; it acts at once."""
        return self._jobs.ask(lambda: self._set(name, value))

    def __getitem__(self, name: str) -> float | np.ndarray:
        """Return the present value of any variable or live parameter."""
        return self._jobs.ask(lambda: self.player[name])

    __setitem__ = set

    def _ipython_key_completions_(self) -> list[str]:
        return self._jobs.ask(self.player.known_names)

    def drag(
        self,
        frame: str,
        target: Sequence[float],
        *,
        point: Sequence[float] = (0.0, 0.0, 0.0),
        keep_speed: bool = False,
    ) -> MoveOutcome:
        """Move a point of a frame by hand, as `Manipulator.drag`; the run goes on from there."""

        def act() -> MoveOutcome:
            self.player.keep_speed = keep_speed
            grip = self.player.grip_of_frame(frame, point)
            return self.acting.move_to(grip, finite_numbers(frame, target))

        return self._jobs.ask(act)

    def turn(self, name: str, value: float, *, keep_speed: bool = False) -> MoveOutcome:
        """Move a coordinate by hand, as `Manipulator.turn`; the run goes on from there."""

        def act() -> MoveOutcome:
            self.player.keep_speed = keep_speed
            return self.acting.move_to(
                self.player.grip_of(name), finite_numbers(name, [value])
            )

        return self._jobs.ask(act)

    def save(self, file: str | os.PathLike[str]) -> Path:
        """Write all that the session has shown so far to a file; return its path.

        By its suffix: a film (.mp4, .gif, .webp), a table with units (.csv), a page (.html), or
        the values that were set, as lines of Python (.py) or as JSON (.json).
        """
        path = path_of("save", file)
        self.do(self._recording).write(path)
        return path

    def wait(self, timeout: float | None = None) -> None:
        """Wait until the session is closed, by `close` or by Ctrl-C, which closes it."""
        if timeout is not None:
            timeout = check_number("wait", "timeout", timeout)
        until = math.inf if timeout is None else clock.monotonic() + timeout
        over = self._jobs.is_over
        try:
            while not over.wait(min(0.2, max(0.0, until - clock.monotonic()))):
                if clock.monotonic() >= until:
                    return
        except KeyboardInterrupt:
            self.close()

    def close(self) -> None:
        """End the simulation and close all sockets, for good."""
        if not self.is_closed:
            self._jobs.stop()
            self._pages.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self.close()
        return kind is KeyboardInterrupt

    def __repr__(self) -> str:
        state = "closed" if self.is_closed else "runs" if self.is_running else "rests"
        title = self.player.scene.title
        where = f", {self.url}" if self._pages.is_served else ""
        return f"<Session of {title}: {state} at {self.time:g} s{where}>"

    # --- what pages do -------------------------------------------------------------------------

    def _hear(self, said: dict[str, Any], page: Name) -> None:
        """Take the messages of a page; not too many of them wait."""
        self._jobs.offer(self.acting.job(said, page))

    def _leave(self, page: Name) -> None:
        """Take notice that a page is gone: its hand lets go."""
        self._jobs.put(Job(lambda: self.acting.leave(page)))

    def budget(self, seconds: float) -> IsOver:
        """Return a function that ends a loop: after so much time [s], or with the session."""
        budget, is_over = Budget(seconds, self.pace.now), self._jobs.is_over
        return lambda: is_over.is_set() or budget.is_spent()

    def step_for_page(self, dt: float) -> None:
        """Simulate dt [s], but not for too long."""
        is_over = self.budget(STEP)
        self._step(dt, is_over)
        if is_over():
            why = f"The step ends at t = {self.time:.6g} s: it takes more than {STEP:g} s."
            self.inform(f"{why} Play goes on from there.")

    def save_for_page(self, form: str, view: Mapping[str, Any] | None, page: Name) -> None:
        """Send a page what it has shown so far as a file, made in another thread."""
        recording, pages = self._recording(), self._pages
        found: list[tuple[str, bytes]] = []
        if form == "film":
            pages.answer(page, "notice", notice("info", "The film is being made."))

        def send() -> None:
            pages.answer(page, "file", file_message(*found[0]))

        self.do_aside(lambda: found.append(recording.file(form, view)), send)

    def _recording(self) -> Recording:
        """Return a copy of all that the session has shown so far."""
        scene = self.player.scene
        run = self._recorded_run()
        return Recording(scene.with_runs(run), self.result, self._settings())

    def _recorded_run(self) -> SceneRun:
        return run_of_frames(self.player.scene, self._pages.frames)

    def _settings(self) -> Settings:
        return self.player.settings(self.stop_time)

    # --- running -------------------------------------------------------------------------------

    def _work(self) -> None:
        """Run requests and advance time until the session is closed."""
        is_over = self._jobs.is_over
        while not is_over.is_set():
            wait = self._look_at - clock.monotonic()
            wait = self.pace.wait() if self.is_running else wait
            self._jobs.do(wait, self._tell, self.budget(wait + JOBS))
            if is_over.is_set():
                return
            try:
                if self.is_running:
                    self._run_on()
                self._look_again()
            except Exception as error:
                self.pace.stop()
                self._tell(error)

    def _play(self) -> None:
        self.player.check_goes_on()
        if not self.acting.will_go_on(True):
            self.acting.forget()
            self.pace.start(self.player.clock)
        self._send_state()

    def _pause(self) -> None:
        self.acting.will_go_on(False)
        self.pace.stop()
        self._send_all()

    def _set_speed(self, value: float) -> None:
        self.pace.set_speed(value, self.player.clock)
        self._send_state()

    def _run_on(self) -> None:
        player, before = self.player, self.player.clock
        dt = self.pace.due(before)
        is_last = self.stop_time is not None and self.time + dt >= self.stop_time
        if self.stop_time is not None and is_last:
            dt = max(self.stop_time - self.time, 0.0)
        began, is_over = self.pace.now(), self.budget(FRAME)
        player.advance(dt, is_over)
        gone = player.clock - before
        self.pace.done(player.clock, gone, self.pace.now() - began)
        if (
            self.stop_time is not None
            and is_last
            and (self.time >= self.stop_time or not is_over())
        ):
            self.pace.stop()
        if dt > 0.0:
            self._end_if_over()
        now = clock.monotonic()
        if not self.is_running:
            self._send_all()
        elif gone > 0.0:
            is_due = now - self._stored_values > VALUES
            self._stored_values = now if is_due else self._stored_values
            self._pages.show(self._frame() | (self._values() if is_due else {}))

    def _step(self, dt: float, is_over: IsOver | None = None) -> None:
        self.acting.will_go_on(False)
        self.pace.stop()
        self.acting.forget()
        self.player.step(dt, is_over or self._jobs.is_over.is_set)
        self._end_if_over()
        self._send_all()

    def _end_if_over(self) -> None:
        """Let time stand still where a condition ended the run, and say which; it can go on."""
        if self.player.ended_by:
            self.pace.stop()
            at = f"t = {self.player.time:.4g} s"
            self.inform(f"{self.player.ended_by} ends the run at {at}.")

    def _reset(self, own: bool = False) -> None:
        self.acting.release()
        self.pace.stop()
        self.acting.forget()
        if own:
            self.player.forget_start()
        self.player.reset()
        self._after_change()

    def _set(self, name: str, value: float) -> MoveOutcome | None:
        self.acting.forget()
        outcome = self.player.set(name, value)
        self.acting.note(outcome)
        if self.player.changes_visuals(name):
            self._look_at = clock.monotonic() + SETTLED
        self.pace.anchor(self.player.clock)
        self._after_change()
        return outcome

    def _after_change(self) -> None:
        """Send the change to all pages."""
        self._send_all()

    def _look_again(self) -> None:
        """Build the scene again if a changed input changes visuals."""
        if clock.monotonic() < self._look_at:
            return
        self._look_at = math.inf
        if self.player.look_again():
            self._pages.show({"scene": scene_message(self.player.scene)})
            self._after_change()

    def do_aside(self, work: Callable[[], object], then: Callable[[], object]) -> None:
        """Do long work in another thread, and then something in that of the mechanism."""
        self._jobs.aside(work, then)

    def do_soon(self, job: Job) -> None:
        """Let something be done after what waits already."""
        self._jobs.put(job)

    # --- messages to pages -----------------------------------------------------------------------

    def _frame(self) -> dict[str, Data]:
        player = self.player
        self.frames += 1
        return {"frame": frame_message(player.time, player.poses(), player.channels())}

    def _values(self) -> dict[str, Data]:
        return message("values", widgets=self.panels.values()) | self.watching.message()

    def watch(self, part: int) -> None:
        """Tell pages from now on the values of a part, by its number in the scene."""
        self.watching.begin(part)
        self._pages.show(self.watching.message())

    def _state(self) -> dict[str, Data]:
        speed = self.pace.speed if math.isfinite(self.pace.speed) else None
        now = {"t": self.time, "running": self.is_running, "speed": speed}
        own = {"mode": self.mode, "hands": self.player.hands}
        return message("state", **now, **own, **self.acting.state())

    def _send_panel(self) -> None:
        self._pages.show(message("panel", groups=self.panels.to_json()))

    def show_values(self) -> None:
        """Let controls of all pages show the values in force."""
        self._pages.show(self._values())

    def _send_state(self) -> None:
        self._pages.show(self._state())

    def _send_all(self) -> None:
        self._pages.show(self._frame() | self._values() | self._state())

    def _tell(self, error: Exception) -> None:
        self._pages.tell(error)
        self._send_state()

    def inform(self, text: str) -> None:
        """Send a notice to all pages."""
        self._pages.inform(text)

    def show_moved(self) -> None:
        """Show the pose to which a hand has moved."""
        if self.is_running:
            self.pace.anchor(self.player.clock)
        self._send_all()

    def show_changed(self) -> None:
        """Show what a hand or a control left behind: the run goes on from there."""
        if self.is_running:
            self.pace.anchor(self.player.clock)
        self._after_change()

    def press(self, widget: PanelControl) -> None:
        """Do what a button does."""
        if widget.act is not None:
            widget.act(None)
        self._after_change()

    def _page(self, socket: str) -> str:
        from motorik.view.web.page import make_live_page

        return make_live_page(self.player.scene.title, socket)


def check_times(stop_time: float | None, fps: float) -> None:
    """Refuse a time [s] to stop at and a number of frames a second that are not positive."""
    if stop_time is not None:
        check_positive("live", "stop_time", stop_time)
    check_positive("live", "fps", fps)
