"""Hands: what messages of pages do to a session: controls, and hands that drag and pull."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.analysis.manipulator import MoveOutcome
from motorik.analysis.manipulator.grip import Grip
from motorik.errors import ParameterError
from motorik.numerics.tolerances import NO_TORQUE
from motorik.view.live.budget import FRAME
from motorik.view.live.jobs import Job
from motorik.view.live.messages import DRAG, TURN
from motorik.view.live.transport import Name

if TYPE_CHECKING:
    from motorik.view.live.session import Session

DYNAMICS, STATICS = "dynamics", "statics"
FAR = 100.0  # a hand is no farther away than so many sizes of the scene, or rad
PREPARING = "The spring is being prepared: hold on for a moment."


@dataclass
class Held:
    """A drag in progress: which page, how, since when, and the state before.

    `goes_on` is whether time goes on when it is let go.
    """

    page: Name
    grip: Grip
    mode: str
    goes_on: bool
    before: Any
    target: np.ndarray | None = None

    @property
    def stands(self) -> bool:
        """Whether time stands still while it is held."""
        return self.mode != DYNAMICS


class Hands:
    """Carries out messages of pages, in the thread of the simulation.

    There is one drag at a time. It belongs to the page that began it: no other page
    moves it or lets it go, and it is let go when the page is gone.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._held: Held | None = None
        self._torques: dict[str, float] = {}
        self._outcome: MoveOutcome | None = None
        self._refused: set[Name] = set()  # pages whose hands could not take hold
        self._is_preparing = False  # the spring by which it will be pulled

    @property
    def holds(self) -> bool:
        """Whether a hand holds something."""
        return self._held is not None

    def job(self, message: dict[str, Any], page: Name) -> Job:
        """Return a message as a job; of movements that follow each other the last one counts."""
        kind, key = message["type"], None
        if kind == "set":
            key = (kind, message["id"])
        elif kind == "watch":
            key = (kind, message["part"])
        elif kind in (DRAG, TURN) and message["phase"] == "move":
            key = (DRAG, "move", *page)
        return Job(lambda: self.act(message, page), key)

    def act(self, message: dict[str, Any], page: Name) -> None:
        """Do what a message says."""
        session, kind = self._session, message["type"]
        if kind == "set":
            self._set(message["id"], message["value"])
        elif kind == "press":
            session.press(session.panels.widget(message["id"]))
        elif kind in (DRAG, TURN):
            self._hand(message, page)
        elif kind == "step":
            session.step_for_page(message["dt"])
        elif kind == "speed":
            session.speed = message["value"]
        elif kind == "seek":
            return  # a recorded run is sought in the page; a live one goes forward only
        elif kind == "watch":
            session.watch(message["part"])
        elif kind == "save":
            session.save_for_page(message["form"], message["view"], page)
        elif kind == "reset":
            session.reset(own=message["own"])
        else:
            {"play": session.play, "pause": session.pause}[kind]()

    def _set(self, id_: str, value: object) -> None:
        """Give the input of a control a value; where it is refused, pages show the one in force."""
        try:
            self._give(id_, value)
        except Exception:
            self._session.show_values()
            raise

    def _give(self, id_: str, value: object) -> None:
        session = self._session
        widget = session.panels.widget(id_)
        checked = widget.checked(value)
        if widget.name and not isinstance(checked, str):
            self._check_near(widget.name, float(checked))
            session.set(widget.name, float(checked))
        else:
            session.panels.note(widget, value)
        if widget.act is not None:
            widget.act(checked)
        if not widget.name:
            session.show_changed()

    def _check_near(self, name: str, value: float) -> None:
        """Refuse a coordinate that no hand would reach: loops are followed on the way to it."""
        player = self._session.player
        far = {"rad": FAR, "m": FAR * self._size}.get(player.unit_of(name), np.inf)
        if abs(value) > far and not player.changes_visuals(name):
            raise ParameterError(
                name,
                f"{value:g} is too far away to be moved there by a page.",
                f"Give a value from {-far:.4g} to {far:.4g}.",
                parameter="value",
                value=value,
            )

    @property
    def _size(self) -> float:
        """The size of the scene [m]."""
        scene = self._session.player.scene
        return max(float(np.ptp([scene.low, scene.high], axis=0).max()), scene.size)

    # --- hands -------------------------------------------------------------------------------

    def move_to(self, grip: Grip, target: np.ndarray) -> MoveOutcome:
        """Move the dragged point from a program; the run goes on from there."""
        outcome = self._session.player.move(grip, target)
        self._session.player.let_go()
        self.note(outcome)
        self._session.show_changed()
        return outcome

    def _hand(self, message: dict[str, Any], page: Name) -> None:
        phase, held = message["phase"], self._held
        is_own = held is not None and held.page == page
        if page in self._refused and phase != "begin":
            if phase != "move":
                self._refused.discard(page)
            return
        if phase in ("end", "cancel") and not is_own:
            return
        if phase == "begin" or not is_own:
            self._refused.add(page)
            self._check_free(page)
            self._begin(message, page)
            self._refused.discard(page)
        if phase == "cancel":
            self._cancel()
            return
        try:
            self._move(message)
        finally:
            if phase == "end":
                self._end()

    def _check_free(self, page: Name) -> None:
        """Refuse a second hand: the first one holds the pose."""
        held = self._held
        if held is not None and held.page != page:
            raise ParameterError(
                held.grip.name,
                "is held in another page: there is one hand at a time.",
                "Drag when it is let go there.",
                parameter="phase",
            )

    def leave(self, page: Name) -> None:
        """Let go of what a page holds that is gone."""
        self._refused.discard(page)
        if self._held is not None and self._held.page == page:
            self._end()

    def release(self) -> None:
        """Let go of whatever is held: it is put elsewhere."""
        if self._held is not None:
            self._refused.add(self._held.page)  # until its hand takes hold again
            self._end()

    def will_go_on(self, goes_on: bool) -> bool:
        """Note whether time goes on after a hand; return whether it stands still under one."""
        if self._held is not None:
            self._held.goes_on = goes_on
        return self._held is not None and self._held.stands

    def _begin(self, message: dict[str, Any], page: Name) -> None:
        if self._held is not None:
            self._end()
        self.forget()
        session, player = self._session, self._session.player
        mode, before = message["mode"], player.remember()
        player.keep_speed = message["keep_speed"]
        if message["type"] == DRAG:
            point = self._within(message["point"], np.zeros(3))
            grip = player.grip(message["group"], point, message["part"])
        else:
            grip = player.grip_of(message["name"])
            mode = mode if mode != DYNAMICS else "kinematics"
        held = Held(page, grip, mode, session.is_running, before)
        if held.stands:
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

    def _within(self, place: Any, middle: np.ndarray) -> np.ndarray:
        """Return a place [m], not farther from a middle than hands can be in this scene."""
        away = np.array(place, dtype=float) - middle
        return middle + np.clip(away, -FAR * self._size, FAR * self._size)

    def _target(self, held: Held, message: dict[str, Any]) -> np.ndarray | None:
        """Return where a hand is [m], or the value to which it turns; None if it does not say."""
        scene = self._session.player.scene
        if message["type"] == DRAG:
            middle = np.mean([scene.low, scene.high], axis=0)
            return (
                None
                if message["target"] is None
                else self._within(message["target"], middle)
            )
        if message["value"] is None:
            return None
        if held.grip.unit == "m":
            return self._within([message["value"]], np.zeros(1))
        return np.clip([float(message["value"])], -FAR, FAR)

    def _pull(self, held: Held) -> None:
        """Attach a spring to the dragged point, if it is still held."""
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
        target = None if held is None else self._target(held, message)
        if held is None or target is None:
            return
        held.target = target
        if held.mode == DYNAMICS:
            if player.is_pulled:
                player.pull(held.target)
            return
        self._follow(held)

    def _follow(self, held: Held) -> None:
        """Move the dragged point towards its target; a long movement is continued later."""
        if self._held is not held or held.target is None:
            return
        session, player = self._session, self._session.player
        is_over = session.budget(FRAME)
        outcome = player.move(held.grip, held.target, is_over)
        if is_over() and not outcome.reached:
            key = (DRAG, "move", *held.page)
            session.do_soon(Job(lambda: self._follow(held), key))
        self._torques = player.torques() if held.mode == STATICS else {}
        self._moved(outcome)

    def _moved(self, outcome: MoveOutcome) -> None:
        self.note(outcome)
        self._session.show_moved()

    def note(self, outcome: MoveOutcome | None) -> None:
        """Keep the drag outcome for the next state message."""
        self._outcome = outcome

    def forget(self) -> None:
        """Forget the drag outcome and the holding torques: the pose moves."""
        self._outcome, self._torques = None, {}

    def _end(self) -> None:
        held, session = self._held, self._session
        assert held is not None
        self._held, self._outcome, self._is_preparing = None, None, False
        try:
            if held.mode == DYNAMICS:
                session.player.end_pull()
            else:
                session.player.let_go()
        finally:
            if not held.goes_on:
                session.pace.stop()
            elif held.stands:
                session.pace.start(session.player.clock)
            session.show_changed()

    def _cancel(self) -> None:
        held, session = self._held, self._session
        assert held is not None
        try:
            if held.stands:
                session.player.go_back(held.before)
        finally:
            self._end()

    def state(self) -> dict[str, object]:
        """Return the drag outcome and the holding torques, for the state message."""
        outcome, torques = self._outcome, self._torques
        torques = without_rounding(torques)
        finite = {name: v if np.isfinite(v) else None for name, v in torques.items()}
        drag = None
        if outcome is not None:
            part = outcome.parts[0] if outcome.parts else None
            drag = {"message": outcome.text, "part": part, "reached": outcome.reached}
            drag |= {"kind": outcome.kind, "left": outcome.left}
        text = outcome.text if outcome is not None and outcome.is_news else ""
        text = PREPARING if self._is_preparing else text
        said = {"message": text, "drag": drag, "torques": finite}
        holds = self._holds()
        shown = ", ".join(f"{name} {words}" for name, words in holds.items())
        said["holding"] = f"held by {shown}" if shown else ""
        return {**said, "holds": holds, "stiffness": self._session.player.stiffness}

    def _holds(self) -> dict[str, str]:
        """Return the torques that hold the pose as texts, by the names of coordinates."""
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
    least = NO_TORQUE * max(sizes, default=0.0)
    return {name: 0.0 if abs(v) < least else v for name, v in torques.items()}
