"""ChainPlayer: a chain of transmission elements that is seen, set, moved by hand and animated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import degrees
from typing import TYPE_CHECKING

import numpy as np

from motorik.analysis.manipulator import MoveOutcome
from motorik.analysis.manipulator.grip import Grip
from motorik.mobile import Frame, Integrator, JointElement, Slider, StateVariable
from motorik.mobile.dynamics.result import units_of
from motorik.view.chains.hand import ChainGrip
from motorik.view.chains.names import ChainNames
from motorik.view.chains.program import Memory
from motorik.view.live.budget import IsOver, never
from motorik.view.live.player import Player, Point, refuse_group
from motorik.view.live.saving import Settings
from motorik.view.scene.scene import Channel, Scene
from motorik.view.scene_builder.chain import frame_poses, frames_of, sizes_of

if TYPE_CHECKING:
    from motorik.view.chains.scene import Scene as ChainScene

MOST_STEPS = 1_000_000  # at once
FASTEST = 1e-3  # s that a step counts for where steps follow each other as fast as they can


class ChainPlayer(Player):
    """The player of a `mobile.Scene`: its chain, and its animation objects step by step.

    The time is that of the first integrator among the animation objects, else that of steps of
    the animation increment. A reset returns to where the chain was when the first step began.
    """

    def __init__(self, viewer: ChainScene) -> None:
        self.viewer, self.program = viewer, viewer.program
        self.sliders: dict[str, Slider] = {}
        self._clock, self._steps = 0.0, 0
        self._begin = self.program.remember()
        self._began = [one.time for one in self._integrators]
        self.renew()
        settable = [*self.names.settable]
        self._own = dict(zip(settable, self.values(settable), strict=True))

    def renew(self) -> None:
        """Find shown and named objects in the chain and its animation objects."""
        self._note_time()
        self.frames = frames_of(self.viewer.parts)
        self.names = ChainNames(self.program.states, self.program.parameters)
        self._channels = [
            Channel(name, unit) for name, (_, _, unit) in self.names.variables.items()
        ]
        self._sizes = sizes_of(
            self.viewer.parts
        )  # of annotations: kept while the parts are the same
        self._scene = self._seen()

    # --- the scene -----------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The scene that pages show."""
        return self._scene

    def _seen(self) -> Scene:
        return replace(self.viewer.live_scene(self._sizes), channels=tuple(self._channels))

    def poses(self) -> np.ndarray:
        """Return where all frames are now."""
        return frame_poses(self.frames)

    def channels(self) -> np.ndarray:
        """Return positions and speeds of all variables that have names."""
        return np.array(self.values([channel.name for channel in self._channels]))

    def readings(self, part: int) -> tuple[Channel, ...]:
        """Return the place of the last frame of a part."""
        name = self._frame_of(part).name
        prefix = f"{name}." if name else ""
        return tuple(Channel(f"{prefix}p[{k}]", "m") for k in (1, 2, 3))

    def read(self, part: int) -> np.ndarray:
        """Return where the last frame of a part is now [m]."""
        return self._frame_of(part).X.p.numpy()

    def _frame_of(self, part: int) -> Frame:
        return frames_of([self.viewer.parts[part]])[-1]

    def known_names(self) -> list[str]:
        """Return the names of sliders, variables, frames and parameters, and of their entries."""
        return [*self.sliders, *self.names.known]

    def look_again(self) -> bool:
        """Build the scene again; return whether shapes changed."""
        before, self._scene = self._scene, self._seen()
        return before.shapes != self._scene.shapes

    # --- time ----------------------------------------------------------------------------------

    @property
    def beat(self) -> float:
        """The time [s] on the clock from step to step."""
        return self.viewer.increment or FASTEST

    @property
    def clock(self) -> float:
        """The time [s] by which the animation is paced: the sum of its increments."""
        return self._clock

    @property
    def _integrators(self) -> list[Integrator]:
        return [mover for mover in self.program.movers if isinstance(mover, Integrator)]

    @property
    def time(self) -> float:
        """The time [s] of the first integrator, else that of the steps."""
        return self._time

    def _note_time(self) -> None:
        """Take the time of the integrator: while it integrates, it has none to show."""
        self._time = next((one.time for one in self._integrators), self._clock)

    def check_goes_on(self) -> None:
        """Refuse an animation of nothing."""
        self.program.check_movers()

    def advance(self, dt: float, is_over: IsOver = never) -> None:
        """Make the steps that are due after dt [s], one at least before it `is_over`."""
        for _ in range(int(min(dt / self.beat, MOST_STEPS) + 1e-9)):
            self.step()
            if is_over():
                return

    def step(self, dt: float = 0.0, is_over: IsOver = never) -> None:
        """Move all animation objects once, whatever dt is."""
        if not self._steps:
            self._begin = self.program.remember()
            self._began = [one.time for one in self._integrators]
        self.program.move_once()
        self._steps += 1
        self._clock += self.beat
        self._note_time()

    def reset(self) -> None:
        """Return to where the chain was before the first step; parameters stay."""
        if self._steps:
            self.program.recall(self._begin)
        self._clock, self._steps = 0.0, 0
        for one, begin in zip(self._integrators, self._began, strict=False):
            one.set_start_time(begin)
        self._note_time()

    # --- inputs --------------------------------------------------------------------------------

    def unit_of(self, name: str) -> str:
        """Return the unit of a slider, a variable, its speed, or a parameter."""
        if name in self.sliders:
            return self.sliders[name].si_unit
        return self.names.find(name)[2]

    def set(self, name: str, value: float) -> MoveOutcome | None:
        """Move a slider, or give a variable, its speed or a parameter a value, in SI units."""
        viewer = self.viewer
        slider = self.sliders.get(name)
        if slider is not None:
            with viewer.quietly():
                slider.set(degrees(value) if slider.in_degrees else value)
            return viewer.outcome
        target, entry, _ = self.names.find(name)
        return viewer.give(target, entry, float(value), viewer.chain)

    def values(self, names: Sequence[str]) -> list[float]:
        """Return the present values of inputs."""
        return [self._value(name) for name in names]

    def _value(self, name: str) -> float:
        if name in self.sliders:
            slider = self.sliders[name]
            return float(getattr(slider.target, slider.entry))
        target, entry, _ = self.names.find(name)
        return float(getattr(target, entry))

    def __getitem__(self, name: str) -> float | np.ndarray:
        """Return the present value of any quantity: "phi", "der(phi)", "K2.p", "phi.Q", "m"."""
        return self._value(name) if name in self.sliders else self.names.read(name)

    def settings(self, stop_time: float | None) -> Settings:
        """Return variables and parameters that are not what they were when the page began."""
        names = [*self.names.settable]
        values = dict(zip(names, self.values(names), strict=True))
        changed = {n: v for n, v in values.items() if v != self._own.get(n)}
        lines = tuple(
            f"{name.removesuffix(f'.{entry}').removeprefix('der(').rstrip(')')}.{entry} = {v!r}"
            for name, v in changed.items()
            for entry in [self.names.find(name)[1]]
        )
        return Settings({"values": changed}, lines)

    def changes_visuals(self, name: str) -> bool:
        """Return whether an input is a parameter."""
        slider = self.sliders.get(name)
        target = self.names.find(name)[0] if slider is None else slider.target
        return not isinstance(target, StateVariable)

    # --- hands -----------------------------------------------------------------------------------

    def grip(self, group: int, point: Point, part: int | None = None) -> Grip:
        """Hold a point [m] of a frame; where it was taken at a manipulator, by its joint."""
        if not 0 < group <= len(self.frames):
            raise refuse_group(self.scene, group)
        parts = self.viewer.parts
        taken = parts[part] if part is not None and 0 <= part < len(parts) else None
        frame, joint = self.frames[group - 1], None
        if isinstance(taken, JointElement) and self.viewer.is_manipulator(taken):
            joint = taken
            if frame is joint.a:  # the part of the joint that stands still
                point, frame = self._in_frame(point, frame, joint.b), joint.b
        return self.program.hand.grip_of_frame(frame, point, joint)

    def _in_frame(self, point: Point, a: Frame, b: Frame) -> np.ndarray:
        place = a.X.p.numpy() + a.X.R.numpy() @ np.asarray(point, dtype=float)
        return b.X.R.numpy().T @ (place - b.X.p.numpy())

    def grip_of_frame(self, frame: str, point: Point) -> Grip:
        """Hold a point [m] of a frame, by its name."""
        return self.program.hand.grip_of_frame(self.names.frame(frame), point)

    def grip_of(self, name: str) -> Grip:
        """Hold a variable, by its name."""
        return self.program.hand.grip_of(self.names.variable(name))

    def move(self, grip: Grip, target: np.ndarray, is_over: IsOver = never) -> MoveOutcome:
        """Move the dragged point; time stands still."""
        assert isinstance(grip, ChainGrip)
        return self.program.hand.move(grip, target, is_over)

    def torques(self) -> dict[str, float]:
        """Return the torques [N·m] and forces [N] along the inputs that hold the pose."""
        return self.program.torques()

    def torque_unit(self, name: str) -> str:
        """Return the unit of the force or torque that holds an input."""
        inputs = self.program.hand.inputs
        return next((units_of(v)["Q"] for v in inputs if v.name == name), "")

    def let_go(self) -> None:
        """End a movement by hand: velocities follow."""
        self.program.hand.keep_speed = self.keep_speed
        self.program.hand.let_go()

    def remember(self) -> Memory:
        """Return where everything is now."""
        return self.program.remember()

    def go_back(self, memory: Memory) -> None:
        """Restore the stored state."""
        self.program.hand.forget()
        self.program.recall(memory)
