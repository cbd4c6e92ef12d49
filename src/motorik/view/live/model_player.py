"""ModelPlayer: a model that runs, is set, moved by hand and pulled, and goes on from there."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, cast

import numpy as np

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.analysis.manipulator import Manipulator, MoveOutcome
from motorik.analysis.manipulator.grip import Grip
from motorik.authoring import (
    Contribution,
    DeclaredPart,
    FrameForce,
    Parameter,
    Values,
    frame,
    kinds,
    parameter,
)
from motorik.components.base.ports import FramePort, Port
from motorik.errors import ParameterError, UnknownNameError, suggest
from motorik.immutable import immutable
from motorik.initialisation.given import named_values
from motorik.initialisation.initialise import InitialState
from motorik.pipeline import compile_parts
from motorik.simulation.simulator import Simulator
from motorik.topology.mechanism import NodePose
from motorik.view.live.budget import IsOver, never
from motorik.view.live.messages import MODES
from motorik.view.live.player import Player, Point, refuse_group
from motorik.view.live.saving import Settings
from motorik.view.scene.scene import Channel, Scene
from motorik.view.scene_builder.build import SceneBuilder
from motorik.view.scene_builder.places import MechanismPlaces

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.model import Model
    from motorik.view.live.options import SimulatorOptions


# --- scene and poses of a model -----------------------------------------------------------


class ModelStage:
    """The scene of a model at some values of its live parameters.

    Rigid groups, parts and channels do not depend on these values, but shapes may.
    """

    def __init__(
        self, model: Model, system: CompiledModel, at: tuple[float, np.ndarray, np.ndarray]
    ) -> None:
        self.model, self.system = model, system
        groups = system.equations.rigid_groups
        self._links = {group: link for link, group in groups.links.items()}
        self.scene = self._scene_at(*at)
        self.names = [channel.name for channel in self.scene.channels]
        index = system.layout.index
        self.motion_places = [index.get(name, -1) for name in self.names]

    def _scene_at(self, t: float, X: np.ndarray, p: np.ndarray) -> Scene:
        poses = self.system.poses(t, X, p).reshape(-1, 7)
        self._places = MechanismPlaces.of(self.system, p, poses)
        return SceneBuilder(self.model, self._places, self.system).scene(())

    def readings(self, part: int) -> tuple[Channel, ...]:
        """Return the values of a part that are shown of it besides those of the scene."""
        return self._readings[part]

    @cached_property
    def _readings(self) -> list[tuple[Channel, ...]]:
        maker = SceneBuilder(self.model, self._places, self.system, readings=True)
        known = {channel.name: channel for channel in maker.channels}
        own = set(self.names)
        return [
            tuple(known[name] for name in part.values if name not in own)
            for part in maker.found.parts
        ]

    def look_again(self, t: float, X: np.ndarray, p: np.ndarray) -> bool:
        """Build the scene again for other parameters; return whether shapes changed."""
        before, self.scene = self.scene, self._scene_at(t, X, p)
        return before.shapes != self.scene.shapes

    def poses(self, t: float, X: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return the poses of all rigid groups at a motion, as the scene has them."""
        return self.scene.placed(self.system.poses(t, X, p).reshape(-1, 7))

    def link_of(self, group: int) -> int | None:
        """Return the link that a rigid group is, None if it is none that a hand could hold."""
        return self._links.get(group)


# --- a spring between a hand and a body ---------------------------------------------------


HAND = "pulling_hand"
STIFF = (
    5.0  # frequency of the spring with the moved mass, relative to a pendulum of this size
)


class Pull(DeclaredPart):
    """A spring of stiffness c and a damper d from a point of a frame to a target in the world."""

    frame_a = frame("frame that is pulled")
    point: kinds.Position = parameter("point in the frame", default=(0.0, 0.0, 0.0))
    target: kinds.Position = parameter("where it is pulled to", default=(0.0, 0.0, 0.0))
    c: kinds.Stiffness = parameter("stiffness", default=0.0)
    d: kinds.Number = parameter("damping", unit="N.s/m", default=0.0)

    @staticmethod
    def law(
        p: Values, t: Scalar, motions: Sequence[tuple[Pose, Motor]]
    ) -> tuple[Motor, ...]:
        """Return the force motor on the body, resolved in its frame."""
        (X, V), point, target = motions[0], Vector.of(p.point), Vector.of(p.target)
        missed = X.R.T @ (target - X.p) - point
        force = p.c * missed - p.d * (V.moment + V.resultant.cross(point))
        return (Motor(force, point.cross(force)),)

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the force."""
        yield FrameForce(self, (self.frame_a,), p, type(self).law)


@immutable
class Pulled:
    """A copy of a model with a spring at a frame of one link, off while c and d are 0."""

    system: CompiledModel
    frame: NodePose

    @staticmethod
    def is_ready(system: CompiledModel, link: int) -> bool:
        """Return whether the model with a spring at a link is compiled already."""
        return link in system.pulled

    @staticmethod
    def of(model: Model, system: CompiledModel, link: int) -> Pulled:
        """Return the model with a spring at a link; compiled once, kept by its system."""
        if link not in system.pulled:
            port = system.mechanism.links[link].entry
            node = system.mechanism.nodes[system.mechanism.inventory.node(port)]
            twin = compile_parts(_with_spring(model, port), system.options)
            system.pulled[link] = Pulled(twin, node)
        return system.pulled[link]


def _with_spring(model: Model, port: Port) -> Model:
    """Return a copy of a model, of the same live parameters, with a spring at a port."""
    live = [*model.live_parameters().values()]
    twin = copy.deepcopy(model, {id(own): own for own in live})
    nowhere = (0.0, 0.0, 0.0)
    point, target = Parameter(nowhere), Parameter(nowhere)
    hand = Pull(point=point, target=target, c=Parameter(0.0), d=Parameter(0.0))
    setattr(twin, HAND, hand)
    own = next(p for part in twin.walk() for p in part.ports() if p.path == port.path)
    twin.connect(cast("FramePort", own), hand.frame_a)
    return twin


def stiffness_at(
    system: CompiledModel, X: np.ndarray, p: np.ndarray, J: np.ndarray
) -> tuple[float, float]:
    """Return stiffness [N/m] and damping [N·s/m] that suit what a pulled point moves.

    J is how the point moves with the speeds [m]. The inertia that it feels follows from how
    the mechanism answers to forces there; it moves as a pendulum of its size times `STIFF`.
    """
    q, u, _ = system.layout.split(X)
    rest = system.forward_dynamics(q, u, np.zeros(system.n_u), p)
    answers = [J @ (system.forward_dynamics(q, u, row, p) - rest) for row in J]
    mobility = np.linalg.eigvalsh(0.5 * (np.array(answers) + np.array(answers).T))
    strongest = float(mobility[-1])
    if not strongest > 0.0:
        return 0.0, 0.0
    rate = STIFF * sqrt(9.81 / system.scales.length)
    return rate * rate / strongest, 2.0 * rate / strongest


Memory = tuple[np.ndarray, float]
"""A motion X and its time [s]."""

TURN = 2.0 * math.pi


class ModelPlayer(Player):
    """The running model of a session.

    `parameters` are the values that the session has set, `begin` the motion to which start
    values and hands have moved the start; a `reset` begins with them. The motion
    X is the same in all forms of the model: with closed forms, by projection, with the spring of a
    hand. The simulation takes the motion of a hand when it is needed: not while it is dragged.
    """

    hands = MODES

    def __init__(
        self,
        model: Model,
        system: CompiledModel,
        initial: Mapping[str, float],
        parameters: Mapping[str, float],
        options: SimulatorOptions,
    ) -> None:
        self.model, self.base, self.options = model, system, options
        self.start = dict(named_values("initial", initial, '{"hinge.phi": 0.5}'))
        self.parameters = dict(named_values("parameters", parameters, '{"body.m": 2.0}'))
        self.begin: np.ndarray | None = None  # the motion at the start, if it was moved
        self._by_hand: np.ndarray | None = (
            None  # a motion that the simulation has yet to take
        )
        self._is_held = False  # whether the hand has the present motion
        self._link = -1, np.zeros(3)  # dragged last: a link and a point of it
        self._simulator = self._made(self.base)
        self.base = self._simulator.system
        self.hand = Manipulator(self.base)
        simulator = self._simulator
        at = simulator.time, simulator.motion, simulator.parameters
        self.stage = ModelStage(model, self.base, at)

    # --- the scene -------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The scene that pages show."""
        return self.stage.scene

    @property
    def motion(self) -> np.ndarray:
        """All coordinates, speeds and block states X now."""
        return self._simulator.motion if self._by_hand is None else self._by_hand

    @property
    def _numbers(self) -> np.ndarray:
        """The parameters of the model itself, as its poses need them."""
        return np.concatenate([self.live, np.zeros(self.base.layout.n_branch_parameters)])

    def poses(self) -> np.ndarray:
        """Return where all rigid groups are now."""
        return self.stage.poses(self.time, self.motion, self._numbers)

    def channels(self) -> np.ndarray:
        """Return the present values of all channels."""
        if -1 in self.stage.motion_places:
            return self.simulator.read(self.stage.names)
        return self.motion[self.stage.motion_places]

    def readings(self, part: int) -> tuple[Channel, ...]:
        """Return the values of a part that no visual needs."""
        return self.stage.readings(part)

    def read(self, part: int) -> np.ndarray:
        """Return the present values of the readings of a part."""
        names = [channel.name for channel in self.readings(part)]
        return self._simulator.read(names, self.motion)

    def known_names(self) -> list[str]:
        """Return the names of live parameters and of all variables."""
        return [*self.base.layout.live_names, *self.base.equations.catalogue.names()]

    def look_again(self) -> bool:
        """Build the scene again for the present parameters; return whether shapes changed."""
        return self.stage.look_again(self.time, self.motion, self._numbers)

    # --- the run -------------------------------------------------------------------------------

    @property
    def simulator(self) -> Simulator:
        """The simulation, where a hand has left it."""
        self.let_go()
        return self._simulator

    def reset(self) -> None:
        """Restart with the present parameters and start values."""
        simulator = self._made(self.base)
        if self.begin is not None:
            simulator.take(self._closed(self.begin), 0.0)
        self._by_hand, self._simulator = None, simulator

    def forget_start(self) -> None:
        """Forget where hands and start values have moved the start."""
        self.begin = None

    def _made(self, system: CompiledModel) -> Simulator:
        return Simulator(
            system, initial=self.start, parameters=self.parameters, **self.options
        )

    def _closed(self, X: np.ndarray) -> np.ndarray:
        """Return a motion whose loops are closed with the present parameters."""
        self._is_held = False
        self.hand.take(X, self.live, 0.0)
        found = self.hand.motion
        found[self._speeds] = X[self._speeds]
        return found

    @property
    def _speeds(self) -> slice:
        """The places of speeds in X."""
        return slice(self.base.n_q, self.base.n_q + self.base.n_u)

    def where_it_begins(self) -> InitialState:
        """Return the start of a run with the present parameters and start values."""
        if self.time > 0.0:
            self.reset()
        simulator = self.simulator
        X, x, p = simulator.motion, simulator.state, simulator.parameters
        return InitialState(simulator.system, 0.0, X, x, p)

    @property
    def time(self) -> float:
        """The time reached [s]."""
        return self._simulator.time

    def advance(self, dt: float, is_over: IsOver = never) -> None:
        """Simulate dt [s] further, or until `is_over`."""
        if dt > 0.0:
            self.step(dt, is_over)

    def step(self, dt: float, is_over: IsOver = never) -> None:
        """Simulate dt [s] further, or until `is_over`."""
        self._is_held = False
        self.simulator.step(dt, is_over)

    @property
    def ended_by(self) -> str:
        """The name of the condition of `model.when` that ended the last step, else empty."""
        return self._simulator.ended_by

    @property
    def live(self) -> np.ndarray:
        """The values of the live parameters of the model itself."""
        return self._simulator.parameters[: self.base.layout.n_live]

    def values(self, names: Sequence[str]) -> list[float]:
        """Return the present values of live parameters, coordinates and speeds."""
        layout, live, X = self.base.layout, self.live, self.motion
        return [
            float(live[layout.live_names[name]])
            if name in layout.live_names
            else float(X[layout.index[name]])
            for name in names
        ]

    def __getitem__(self, name: str) -> float | np.ndarray:
        """Return the present value of any variable or live parameter."""
        return self.simulator[name]

    def settings(self, stop_time: float | None) -> Settings:
        """Return live parameters and start values that are not those of the model."""
        layout = self.base.layout
        own = {name: layout.live[place].value for name, place in layout.live_names.items()}
        changed = {n: v for n, v in self.parameters.items() if v != own.get(n)}
        start = dict(self.start)
        if self.begin is not None:
            names = layout.motion_names[: layout.n_q + layout.n_u]
            start |= zip(names, map(float, self.begin), strict=False)
        until = stop_time or self.time or 10.0
        lines = (
            f"parameters = {json.dumps(changed)}",
            f"initial = {json.dumps(start)}",
            f"result = model.simulate({until!r}, parameters=parameters, initial=initial)",
        )
        return Settings({"parameters": changed, "initial": start}, lines)

    def changes_visuals(self, name: str) -> bool:
        """Return whether an input is a live parameter."""
        return name in self.base.layout.live_names

    # --- setting -------------------------------------------------------------------------------

    def unit_of(self, name: str) -> str:
        """Return the unit of what can be set: a live parameter, a coordinate or a speed."""
        layout = self.base.layout
        if name in layout.live_names:
            return layout.live[layout.live_names[name]].parameter.unit
        if layout.index.get(name, layout.n_motion) < layout.n_q + layout.n_u:
            return layout.motion[layout.index[name]].unit
        known = [*layout.live_names, *layout.motion_names[: layout.n_q + layout.n_u]]
        raise UnknownNameError(
            "live",
            f"{name!r} is neither a live parameter nor a coordinate or speed.",
            f"A parameter becomes live by Parameter(value). {suggest(name, known)}",
            value=name,
        )

    def set(self, name: str, value: float) -> MoveOutcome | None:
        """Give a live parameter, a coordinate or a speed a value; it acts at once.

        A coordinate is moved as by a hand, loops kept closed. A reset begins with it.
        """
        self.unit_of(name)
        layout, self._is_held = self.base.layout, False
        if name in layout.live_names:
            self._set_parameter(name, value)
            return None
        begins = self.time == 0.0
        X, outcome = self._with_value(name, value, self.motion, self.time)
        self._by_hand = X
        if not begins:
            first = self._made(self.base).motion if self.begin is None else self.begin
            X, _ = self._with_value(name, value, first, 0.0)
        self.begin = X
        return outcome

    def _set_parameter(self, name: str, value: float) -> None:
        """Set a live parameter; at the start time, restart with it."""
        before = dict(self.parameters)
        self.parameters[name] = value
        try:
            if self.time > 0.0 or self.is_pulled:
                self.simulator[name] = value
            else:
                self.reset()
        except Exception:
            self.parameters = before
            raise

    def _with_value(
        self, name: str, value: float, X: np.ndarray, t: float
    ) -> tuple[np.ndarray, MoveOutcome | None]:
        """Return a motion in which a coordinate or a speed has a value, and the drag outcome."""
        k, u = self.base.layout.index[name], self._speeds
        self.hand.take(X, self.live, t)
        if k >= self.base.n_q:
            self.hand.set_speed(name, value)
            return self.hand.motion, None
        if t > 0.0 and self.unit_of(name) == "rad" and not self._has_stops(name):
            value += TURN * round((X[k] - value) / TURN)  # where it is nearest
        outcome = self.hand.turn(name, value)
        found = self.hand.motion
        found[u] = X[u]
        return found, outcome

    def _has_stops(self, name: str) -> bool:
        """Return whether the joint of a coordinate has stops, so that its turns count."""
        part = name.rpartition(".")[0]
        own = (slip.part.path for slip in self.hand.code.limits)
        return any(path == part or path.startswith(f"{part}.") for path in own)

    # --- by hand -------------------------------------------------------------------------------

    def hold(self) -> None:
        """Let the hand take the present motion."""
        self.hand.take(self.motion, self.live, self.time)
        self.hand.keep_speed = self.keep_speed
        self._is_held = True

    def grip(self, group: int, point: Point, part: int | None = None) -> Grip:
        """Hold a point of a link, given in its frame [m]."""
        link = self.stage.link_of(group)
        if link is None:
            raise refuse_group(self.scene, group)
        self._link = link, np.asarray(point, dtype=float)
        self.hold()
        return self.hand.grip_of_link(*self._link)

    def grip_of_frame(self, frame: str, point: Point) -> Grip:
        """Hold a point of a frame."""
        self.hold()
        return self.hand.grip_of_frame(frame, [float(x) for x in point])

    def grip_of(self, name: str) -> Grip:
        """Hold a coordinate."""
        self.hold()
        return self.hand.grip_of(name)

    def move(self, grip: Grip, target: np.ndarray, is_over: IsOver = never) -> MoveOutcome:
        """Move the dragged point, everything else at rest or with the speed of the hand."""
        if not self._is_held:  # the motion or a parameter was changed meanwhile
            self.hold()
        self.hand.keep_speed = self.keep_speed
        outcome = self.hand.move(grip, target, is_over=is_over)
        self._by_hand = self.hand.motion
        if self.time == 0.0:
            self.begin = self._by_hand
        return outcome

    def torques(self) -> dict[str, float]:
        """Return the torques and forces at joints that hold the pose."""
        return self.hand.torques()

    def let_go(self) -> None:
        """Let the simulation take the motion of the hand, if it has not yet."""
        if self._by_hand is not None:
            X, self._by_hand = self._by_hand, None
            self._simulator.take(X)

    def remember(self) -> Memory:
        """Return the present motion and time."""
        return self.motion, self.time

    def go_back(self, memory: Memory) -> None:
        """Return to a motion and its time."""
        self._by_hand, self._is_held = None, False
        self._simulator.take(*memory)

    # --- pulling -------------------------------------------------------------------------------

    def prepare_pull(self, grip: Grip) -> Callable[[], object] | None:
        """Return the work to compile the model with a spring at the held link, if it is needed."""
        link, _ = self._link
        if self.base.mechanism.links[link].own is not None:
            raise ParameterError(
                grip.name,
                "has no place in space and cannot be pulled.",
                "Pull a body.",
                parameter="link",
                value=link,
            )
        if Pulled.is_ready(self.base, link):
            return None
        return lambda: Pulled.of(self.model, self.base, link)

    def begin_pull(self, grip: Grip) -> None:
        """Put a spring between the point held and a hand that is where the point is."""
        link, point = self._link
        X, t = self.motion, self.time
        self.hold()
        _, J = grip.at(X[: self.base.n_q], self.hand.moment)
        J = J * (grip.scale / self.base.scales.speeds)
        c, d = stiffness_at(self.base, X, self.hand.parameters, J)
        pulled = Pulled.of(self.model, self.base, link)
        live = self.live.copy()
        self._go_on_with(pulled.system, X, t, live)
        frame = pulled.frame.X
        own = self.hand.code.numbers([*frame.p.xyz, *frame.R.entries], self.hand.moment)
        local = own[3:].reshape(3, 3).T @ (point - own[:3])
        for k in range(3):
            self._simulator[f"{HAND}.point[{k + 1}]"] = float(local[k])
        self.pull(grip.value(X[: self.base.n_q], self.hand.moment))
        self._simulator[f"{HAND}.c"], self._simulator[f"{HAND}.d"] = c, d

    def _go_on_with(
        self, system: CompiledModel, X: np.ndarray, t: float, live: np.ndarray
    ) -> None:
        """Go on with another form of the model, with the same motion and live parameters."""
        self._is_held = False
        simulator = self._made(system)
        for name, place in self.base.layout.live_names.items():
            if simulator[name] != live[place]:
                simulator[name] = float(live[place])
        simulator.take(X, t)
        self._by_hand, self._simulator = None, simulator  # others see it at its time alone

    def pull(self, target: np.ndarray) -> None:
        """Move the hand at the end of the spring [m]."""
        for k in range(3):
            self._simulator[f"{HAND}.target[{k + 1}]"] = float(target[k])

    def end_pull(self) -> None:
        """Let go; the motion goes on."""
        if self.is_pulled:
            self._go_on_with(self.base, self.motion, self.time, self.live.copy())

    @property
    def is_pulled(self) -> bool:
        """Whether a hand pulls by a spring."""
        return f"{HAND}.c" in self._simulator.layout.live_names

    @property
    def stiffness(self) -> float:
        """The stiffness of the spring by which a hand pulls [N/m], 0 without one."""
        return float(self._simulator[f"{HAND}.c"]) if self.is_pulled else 0.0
