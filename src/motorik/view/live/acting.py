"""Acting: what messages of pages do to a session: controls, and hands that drag and pull."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.analysis.manipulator import Felt
from motorik.analysis.manipulator.grip import Grip
from motorik.view.live.jobs import Job
from motorik.view.live.messages import DRAG, TURN

if TYPE_CHECKING:
    from motorik.view.live.session import Session

DYNAMICS, STATICS = "dynamics", "statics"
ROUNDING = 1e-9  # of the largest torque: what is less is none
PREPARING = "The spring is being prepared: hold on for a moment."


@dataclass
class Held:
    """What a page holds: how, since when, and where everything was before."""

    grip: Grip
    mode: str
    was_running: bool
    before: Any
    target: np.ndarray | None = None


class Acting:
    """Does what pages say; all in the thread of the simulation."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._held: Held | None = None
        self._torques: dict[str, float] = {}
        self._felt: Felt | None = None
        self._is_refused = False  # what a page tries to hold cannot be held
        self._is_preparing = False  # the spring by which it will be pulled

    @property
    def holds(self) -> bool:
        """Whether a hand holds something."""
        return self._held is not None

    def job(self, message: dict[str, Any]) -> Job:
        """Return a message as a job; of movements that follow each other the last one counts."""
        kind, key = message["type"], None
        if kind == "set":
            key = (kind, message["id"])
        elif kind == "watch":
            key = (kind, message["part"])
        elif kind in (DRAG, TURN) and message["phase"] == "move":
            key = (kind, "move")
        return Job(lambda: self.act(message), key)

    def act(self, message: dict[str, Any]) -> None:
        """Do what a message says."""
        session, kind = self._session, message["type"]
        if kind == "set":
            self._set(message["id"], message["value"])
        elif kind == "press":
            session.press(session.panels.widget(message["id"]))
        elif kind in (DRAG, TURN):
            self._hand(message)
        elif kind == "step":
            session.step(message["dt"])
        elif kind == "speed":
            session.speed = message["value"]
        elif kind == "seek":
            return  # a recorded run is sought in the page; a live one goes forward only
        elif kind == "watch":
            session.watch(message["part"])
        elif kind == "reset":
            session.reset(own=message["own"])
        else:
            {"play": session.play, "pause": session.pause}[kind]()

    def _set(self, id_: str, value: object) -> None:
        session = self._session
        widget = session.panels.widget(id_)
        checked = widget.checked(value)
        if widget.name and not isinstance(checked, str):
            session.set(widget.name, float(checked))
        else:
            session.panels.note(widget, value)
        if widget.act is not None:
            widget.act(checked)
        if not widget.name:
            session.show_changed()

    # --- hands -------------------------------------------------------------------------------

    def move_to(self, grip: Grip, target: np.ndarray) -> Felt:
        """Move what is held from a program; the run goes on from there."""
        felt = self._session.player.move(grip, target)
        self._session.player.let_go()
        self.feel(felt)
        self._session.show_changed()
        return felt

    def _hand(self, message: dict[str, Any]) -> None:
        phase = message["phase"]
        if self._is_refused and phase != "begin":
            self._is_refused = phase == "move"
            return
        if phase == "begin" or self._held is None:
            self._is_refused = True
            self._begin(message)
            self._is_refused = False
        if phase == "cancel":
            self._cancel()
        else:
            self._move(message)
            if phase == "end":
                self._end()

    def _begin(self, message: dict[str, Any]) -> None:
        if self._held is not None:
            self._end()
        self.forget()
        session, player = self._session, self._session.player
        mode, before = message["mode"], player.remember()
        player.keep_speed = message["keep_speed"]
        if message["type"] == DRAG:
            grip = player.grip(message["carrier"], message["point"], message["part"])
        else:
            grip = player.grip_of(message["name"])
            mode = mode if mode != DYNAMICS else "kinematics"
        held = Held(grip, mode, session.is_running, before)
        if mode != DYNAMICS:
            session.pace.stop()
            self._held = held
            return
        work = player.prepare_pull(grip)
        self._held = held
        if work is None:
            self._pull(held)
            return
        self._is_preparing = True
        session.show_moved()
        session.do_aside(work, lambda: self._pull(held))

    def _pull(self, held: Held) -> None:
        """Put a spring to what is held, if it still is."""
        session, player = self._session, self._session.player
        if self._held is not held:
            return
        self._is_preparing = False
        player.begin_pull(held.grip)
        if held.target is not None:
            player.pull(held.target)
        if not session.is_running:
            session.pace.start(player.clock)
        session.show_moved()

    def _move(self, message: dict[str, Any]) -> None:
        held, player = self._held, self._session.player
        target = message["target"] if message["type"] == DRAG else message["value"]
        if held is None or target is None:
            return
        held.target = np.atleast_1d(np.array(target))
        if held.mode == DYNAMICS:
            if player.is_pulled:
                player.pull(held.target)
            return
        felt = player.move(held.grip, held.target)
        self._torques = player.torques() if held.mode == STATICS else {}
        self._moved(felt)

    def _moved(self, felt: Felt) -> None:
        self.feel(felt)
        self._session.show_moved()

    def feel(self, felt: Felt | None) -> None:
        """Keep what was felt, to be told with the state."""
        self._felt = felt

    def forget(self) -> None:
        """Forget what was felt and what held the pose: it moves."""
        self._felt, self._torques = None, {}

    def _end(self) -> None:
        held, session = self._held, self._session
        assert held is not None
        self._held, self._felt, self._is_preparing = None, None, False
        if held.mode == DYNAMICS:
            session.player.end_pull()
            if not held.was_running:
                session.pace.stop()
        else:
            session.player.let_go()
            if held.was_running:
                session.pace.start(session.player.clock)
        session.show_changed()

    def _cancel(self) -> None:
        held, session = self._held, self._session
        if held is None:
            return
        if held.mode != DYNAMICS:
            session.player.go_back(held.before)
        self._end()

    def state(self) -> dict[str, object]:
        """Return what is felt, and the torques that hold the pose, for the state message."""
        felt, torques = self._felt, self._torques
        torques = without_rounding(torques)
        finite = {name: v if np.isfinite(v) else None for name, v in torques.items()}
        drag = None
        if felt is not None:
            part = felt.parts[0] if felt.parts else None
            drag = {"message": felt.text, "part": part, "reached": felt.reached}
            drag |= {"kind": felt.kind, "left": felt.left}
        text = felt.text if felt is not None and felt.is_news else ""
        text = PREPARING if self._is_preparing else text
        said = {"message": text, "drag": drag, "torques": finite}
        holds = self._holds()
        told = ", ".join(f"{name} {words}" for name, words in holds.items())
        said["holding"] = f"held by {told}" if told else ""
        return {**said, "holds": holds, "stiffness": self._session.player.stiffness}

    def _holds(self) -> dict[str, str]:
        """Return the torques that hold the pose, in words, by the names of coordinates."""
        unit = self._session.player.torque_unit
        return {
            name: f"{value:.4g} {unit(name).replace('.', '·')}".rstrip()
            if np.isfinite(value)
            else "none can"
            for name, value in without_rounding(self._torques).items()
        }


def without_rounding(torques: Mapping[str, float]) -> dict[str, float]:
    """Return torques and forces in which what rounding leaves of nothing is zero."""
    sizes = [abs(value) for value in torques.values() if np.isfinite(value)]
    least = ROUNDING * max(sizes, default=0.0)
    return {name: 0.0 if abs(v) < least else v for name, v in torques.items()}
