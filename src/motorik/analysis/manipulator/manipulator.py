"""Manipulator: a mechanism that is moved by hand, from a script or on a screen."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.analysis.directional import work_of
from motorik.analysis.manipulator.code import HandCode
from motorik.analysis.manipulator.follow import Follower, MovementEnd
from motorik.analysis.manipulator.grip import Grip
from motorik.analysis.manipulator.linear import Directions
from motorik.analysis.manipulator.outcome import MoveOutcome, outcome_at_end
from motorik.compiler import NativeFunction
from motorik.components.base.ports import Port, PortKind
from motorik.errors import (
    LoopError,
    ParameterError,
    UnknownNameError,
    checked_call,
    suggest,
)
from motorik.initialisation.branch_parameters import branch_parameters_at
from motorik.initialisation.given import finite_numbers
from motorik.initialisation.initialise import initialise
from motorik.numerics.newton import corrected
from motorik.numerics.tolerances import (
    DRIVE_RANK,
    TOUCHED_GAP,
    UNDONE_FORCE,
)
from motorik.topology.mechanism import WORLD, NodePose

if TYPE_CHECKING:
    import casadi

    from motorik.compiled_model import CompiledModel


# --- native functions with preallocated arrays ---------------------------------------------


class BoundFunction:
    """A native function with preallocated arguments and results.

    A call takes a microsecond. It returns its own arrays, which the next call overwrites.
    """

    def __init__(self, function: NativeFunction) -> None:
        self.function = function  # its code must stay in memory
        self._inputs = [np.zeros(max(own.size, 1)) for own in function.inputs]
        made = [np.zeros(max(own.size, 1)) for own in function.outputs]
        shapes = [(own.rows, own.columns) for own in function.outputs]
        self._outputs = tuple(
            array[: own.size] if k == 0 else array[: own.size].reshape(shape, order="F")
            for k, (array, own, shape) in enumerate(
                zip(made, function.outputs, shapes, strict=True)
            )
        )
        self._kept = made
        places = [a.ctypes.data for a in (*self._inputs, *made)]
        self._places = [ctypes.c_void_p(place) for place in places]
        kind = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(places))
        self._call = kind(function.address)

    def __call__(self, *given: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return the outputs: the first as a vector, the others as matrices."""
        for own, value in zip(self._inputs, given, strict=True):
            own[: value.size] = value
        self._call(*self._places)
        return self._outputs


# --- forces that hold a pose --------------------------------------------------------------


class Holding:
    """The forces at joints, or at a point, that balance a mechanism's own forces at rest."""

    def __init__(self, system: CompiledModel) -> None:
        self.system = system
        self._work: dict[str, casadi.Function] = {}

    def at_joints(
        self, X: np.ndarray, p: np.ndarray, t: float, drives: Sequence[str] | None
    ) -> dict[str, float]:
        """Return the holding forces at joints of coordinates, by name; NaN if there are none.

        By default at joints with an axis flange, if these can hold it, else at independent ones.
        """
        if drives is not None:
            return self._at(drives, X, p, t)
        found = self._at(self.driven, X, p, t)
        if found and np.isfinite(list(found.values())).all():
            return found
        return self._at(self.independent, X, p, t)

    def _at(
        self, names: Sequence[str], X: np.ndarray, p: np.ndarray, t: float
    ) -> dict[str, float]:
        q, live = X[: self.system.n_q], self.system.layout.live_of(p)
        columns = [self._moved_by(name)(q, live) for name in names]
        B = np.array(columns, dtype=float).reshape(len(names), self.system.n_u)
        found = self._solved(X, p, t, B * self.system.scales.speeds)
        return dict(zip(names, found.tolist(), strict=True))

    def _moved_by(self, name: str) -> casadi.Function:
        if name not in self._work:
            self._work[name] = work_of(self.system, name)
        return self._work[name]

    def at_point(self, X: np.ndarray, p: np.ndarray, t: float, J: np.ndarray) -> np.ndarray:
        """Return the force at a point whose speed is J times the speeds in scales."""
        return self._solved(X, p, t, J)

    @property
    def driven(self) -> list[str]:
        """The names of the coordinates whose joints have an axis flange."""
        joints = self.system.mechanism.inventory.joints
        return [f"{j.frame_a.owner.path}.{j.names[0]}" for j in joints if j.flanges]

    @property
    def independent(self) -> list[str]:
        """The names of the independent coordinates whose joints can be driven."""
        mechanism = self.system.mechanism
        found = []
        for k in self.system.layout.state_q:
            link = mechanism.link_of_coordinate(k)
            if len(link.q) == len(link.u):
                found.append(mechanism.coordinates[k].name)
        return found

    def _solved(self, X: np.ndarray, p: np.ndarray, t: float, B: np.ndarray) -> np.ndarray:
        """Return the least forces f with Bᵀ f = needed, along all allowed motions."""
        system, unit = self.system, self.system.scales.speeds
        n_q, n_u = system.n_q, system.n_u
        X = X.copy()
        X[n_q : n_q + n_u] = 0.0
        needed = system.natives.get("imbalance")([t], X, np.zeros(n_u), p) * unit
        allowed = np.eye(n_u)
        if system.formulation.constraints.equations:
            G = system.constraint_matrix([t], X, p).reshape(n_u, -1).T
            allowed = Directions.of(system.scales.matrix(G)).free
        A, right = allowed.T @ B.T, allowed.T @ needed
        U, sizes, Vt = np.linalg.svd(A, full_matrices=False)
        per = np.zeros(sizes.size)
        strong = (
            sizes > DRIVE_RANK * float(np.linalg.norm(B, ord=2)) if B.size else sizes > 0.0
        )
        per[strong] = 1.0 / sizes[strong]
        found = Vt.T @ (per * (U.T @ right))
        left = float(np.abs(A @ found - right).max(initial=0.0))
        if left > UNDONE_FORCE * float(np.abs(needed).max(initial=0.0)):
            return np.full(B.shape[0], np.nan)
        return found


# --- constraints and limits at a pose -----------------------------------------------------


NONE: frozenset[int] = frozenset()


class PoseConstraints:
    """Constraints of loops and gaps of limits of a mechanism at one instant, on numbers.

    `bound` are the gaps that limits keep open: zero, or negative where the initial pose violates
    them; the violation then does not grow.
    """

    def __init__(self, code: HandCode, q: np.ndarray, moment: np.ndarray) -> None:
        self.code, self.moment, self.n_u = code, moment, code.system.n_u
        self._residuals, self._moved = (
            BoundFunction(code.residuals),
            BoundFunction(code.step),
        )
        self._gaps = BoundFunction(code.gaps) if code.limits else None
        self._per_residual = np.ones(code.n_residuals)
        self.bound = np.zeros(len(code.limits))
        self.scale_at(q)

    @property
    def rolls(self) -> bool:
        """Whether there are rolling constraints, which depend on the path."""
        return bool(self.code.n_rolling)

    def scale_at(self, q: np.ndarray) -> None:
        """Scale equilibrium conditions by their gradients at a pose; find violated limits."""
        if self.code.n_balances:
            own = slice(0, self.code.n_balances)
            steep = np.abs(self._residuals(q, self.moment)[1][own]).max(axis=1)
            self._per_residual[own] = 1.0 / np.where(steep > 0.0, steep, 1.0)
        if self._gaps is not None:
            self.bound = np.minimum(0.0, self._gaps(q, self.moment)[0])

    def moved(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Return coordinates after a small step of speeds, in scales."""
        return self._moved(q, step)[0].copy()

    def rolled(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Return a step that satisfies the rolling constraints also in its middle."""
        if not self.rolls:
            return step
        _, A = self.at(self.moved(q, 0.5 * step), NONE)
        return step - Directions.of(A).shortest(A @ step)

    def at(self, q: np.ndarray, active: frozenset[int]) -> tuple[np.ndarray, np.ndarray]:
        """Return all residuals, active limits last, and their Jacobian by speeds."""
        g, A = self._residuals(q, self.moment)
        g, A = g * self._per_residual, A * self._per_residual[:, None]
        if active and self._gaps is not None:
            own = sorted(active)
            h, H = self._gaps(q, self.moment)
            g = np.concatenate([g, (h - self.bound)[own]])
            A = np.concatenate([A, H[own]])
        return g, A

    def left(self, q: np.ndarray) -> float:
        """Return the largest residual of the loops, in scales."""
        return float(np.abs(self.at(q, NONE)[0]).max(initial=0.0))

    def close(
        self, q: np.ndarray, active: frozenset[int] = NONE, most: float = np.inf
    ) -> np.ndarray | None:
        """Return the nearest closed pose; None if it is farther than `most` or there is none.

        Newton's method; near convergence the last factorisation is reused.
        """
        return corrected(
            lambda pose: self.at(pose, active), self.moved, Directions.of, q, most
        )

    # --- limits ------------------------------------------------------------------------------

    def reach(
        self, q: np.ndarray, step: np.ndarray, active: frozenset[int]
    ) -> tuple[float, int | None]:
        """Return the fraction of a step up to the first limit, and that limit."""
        if self._gaps is None:
            return 1.0, None
        h, H = self._gaps(q, self.moment)
        room, rates = h - self.bound, H @ step
        reach, meets = 1.0, None
        for k in np.flatnonzero(rates < 0.0):
            if k not in active and room[k] < -reach * rates[k]:
                reach, meets = max(0.0, float(room[k] / -rates[k])), int(k)
        return reach, meets

    def allow(self, q: np.ndarray) -> bool:
        """Return whether no limit is exceeded."""
        if self._gaps is None:
            return True
        return bool((self._gaps(q, self.moment)[0] - self.bound >= -TOUCHED_GAP).all())


PAUSE = 0.2  # s without a movement after which the speed is zero


class Manipulator:
    """A mechanism in a pose that is moved by hand; its loops stay closed.

    `drag` pulls a point of a body to a target, `turn` a joint or any other variable of the
    pose to a value; everything else follows with the least motion, on the present branch of
    its loops. Both return a `MoveOutcome`: limits, dead centres, targets out of reach. Where the
    target is not met, the pose is the nearest to it.

    `torques` are those that hold the pose. With `keep_speed` the speed of the last movement
    is kept: `start` then continues the motion, ``model.simulate(1.0, initial=hand.start)``.
    """

    @checked_call
    def __init__(
        self,
        system: CompiledModel,
        *,
        initial: Mapping[str, float] | None = None,
        branch: Mapping[str, str] | None = None,
        keep_speed: bool = False,
    ) -> None:
        begin = initialise(system, initial or {}, system.parameter_values(), 0.0, branch)
        self.system, self.keep_speed = begin.system, keep_speed
        self._layout = begin.system.layout
        self.code = HandCode.of(begin.system)
        self._grips: dict[object, Grip] = {}
        self._history: list[tuple[float, np.ndarray]] = []
        self._set: np.ndarray | None = None  # speeds that were set
        self.take(begin.X, self._layout.live_of(begin.p), begin.t)

    def __repr__(self) -> str:
        return f"<Manipulator of {self.system.mechanism.name}>"

    # --- pose ------------------------------------------------------------------------------

    def take(self, X: np.ndarray, live: np.ndarray | None = None, t: float = 0.0) -> None:
        """Begin at a motion X of the system, with these live parameters at this time [s].

        Where its loops are open a little, by rounding or as parameters have changed, they are
        closed with the least motion.
        """
        live = self.live if live is None else live
        q, u, z = (np.array(a) for a in self._layout.split(np.asarray(X, dtype=float)))
        self.live, self.time, self._z, self._u = np.array(live), float(t), z, u
        moment = self.code.moment(self.time, z, self.live)
        self._constraints = PoseConstraints(self.code, q, moment)
        closed = self._constraints.close(q)
        if closed is None:
            raise LoopError(
                self.system.mechanism.name,
                f"its loops are open by {self._constraints.left(q):.3g} of its length and do not "
                "close near this pose.",
                "Begin at a pose that is closed, with parameters that fit together.",
            )
        self._follower = Follower(self._constraints, closed)
        self._grips.clear()
        self.rest()

    @property
    def moment(self) -> np.ndarray:
        """Time, block states and live parameters, as grips take them."""
        return self._constraints.moment

    @property
    def pose(self) -> dict[str, float]:
        """All coordinates of the mechanism by name [m, rad]."""
        names = (state.name for state in self._layout.coordinates)
        return dict(zip(names, self._follower.q.tolist(), strict=True))

    @property
    def motion(self) -> np.ndarray:
        """The motion X: coordinates, speeds that are kept, states of blocks; a copy."""
        return np.concatenate([self._follower.q, self._speeds(), self._z])

    @property
    def parameters(self) -> np.ndarray:
        """The parameters p of the system that belong to this pose and its branch."""
        own = branch_parameters_at(self.system, self.motion, self.live, self.time)
        return np.concatenate([self.live, own])

    @property
    def speeds(self) -> dict[str, float]:
        """The speeds by name: those of the last movement if they are kept, else zero."""
        names = (state.name for state in self._layout.speeds)
        return dict(zip(names, self._speeds().tolist(), strict=True))

    @property
    def start(self) -> dict[str, float]:
        """The pose, and the speeds, as start values for `simulate`."""
        return {**self.pose, **self.speeds}

    @property
    def relative_violation(self) -> float:
        """The largest constraint violation of the loops, relative to their own lengths."""
        return self._constraints.left(self._follower.q)

    def __getitem__(self, name: str) -> float | np.ndarray:
        """Return any variable of the pose, at rest, by the name that results use."""
        system = self.system
        outputs = system.outputs([name])
        n_u, rows = system.n_u, np.zeros(system.equations.n_multipliers)
        q, still = self._follower.q, np.zeros(n_u)
        t = np.array([self.time])
        values = outputs.function(t, q, still, still, self._z, rows, self.parameters)
        shape = system.shape_of(name)
        return values.reshape(shape) if shape else float(values[0])

    def place(
        self, frame: str | Port, point: Sequence[float] = (0.0, 0.0, 0.0)
    ) -> np.ndarray:
        """Return the position of a point of a frame in the world [m]."""
        return self.grip_of_frame(frame, point).value(self._follower.q, self.moment)

    # --- moving ----------------------------------------------------------------------------

    def drag(
        self,
        frame: str | Port,
        target: Sequence[float] | np.ndarray,
        *,
        point: Sequence[float] = (0.0, 0.0, 0.0),
        dt: float | None = None,
    ) -> MoveOutcome:
        """Pull a point, given in a frame such as "rod.frame_b" [m], to a target in the world [m].

        `dt` [s] is the time that the movement takes, by default that since the one before.
        """
        return self.move(
            self.grip_of_frame(frame, point), finite_numbers("target", target), dt
        )

    def turn(self, name: str, value: float, *, dt: float | None = None) -> MoveOutcome:
        """Move a coordinate, or another variable of the pose, to a value [rad or m]."""
        return self.move(self.grip_of(name), finite_numbers(name, value), dt)

    def drag_link(
        self,
        link: int,
        point: Sequence[float] | np.ndarray,
        target: Sequence[float] | np.ndarray,
        dt: float | None = None,
    ) -> MoveOutcome:
        """Pull a point of a link of the mechanism, given in the frame of the link [m]."""
        grip = self.grip_of_link(link, np.asarray(point, dtype=float))
        return self.move(grip, np.asarray(target, dtype=float), dt)

    def move(
        self,
        grip: Grip,
        target: np.ndarray,
        dt: float | None = None,
        is_over: Callable[[], bool] | None = None,
    ) -> MoveOutcome:
        """Move a held quantity to a target in SI units; return the outcome.

        Once `is_over` returns true it stops on its path; another move continues.
        """
        wanted = grip.in_scales(target)
        size = grip.in_scales(grip.value(self._follower.q, self.moment)).size
        if wanted.size != size:
            raise ParameterError(
                grip.name,
                f"cannot go to {np.asarray(target).tolist()!r}.",
                f"Give {size} finite number(s) in {grip.unit}.",
                parameter="target",
                value=target,
            )
        stopped = self._follower.follow(grip, wanted, is_over)
        self._note(dt)
        return self._outcome(grip, stopped)

    # --- grips -----------------------------------------------------------------------------

    def grip_of_frame(self, frame: str | Port, point: Sequence[float]) -> Grip:
        """Return a grip of a point of a frame."""
        key = (frame, tuple(map(float, point)))
        if key not in self._grips:
            place = self._placed(frame)
            moment = self.moment
            c = self.code.point_in_link(place, point, moment)
            name = frame if isinstance(frame, str) else f"{frame.owner.path}.{frame.name}"
            self._grips[key] = self._held_point(name, place.link, c)
        return self._grips[key]

    def grip_of_link(self, link: int, point: np.ndarray) -> Grip:
        """Return a grip of a point of a link."""
        return self._held_point(self.system.mechanism.links[link].part, link, point)

    def _held_point(self, name: str, link: int, point: np.ndarray) -> Grip:
        if link == WORLD:
            raise ParameterError(
                name,
                "is fixed in the world and cannot be dragged.",
                "Drag a frame of a part that moves.",
                parameter="frame",
                value=name,
            )
        function = self.code.point_of(link)
        return Grip(name, "m", BoundFunction(function), self.code.scales.length, (point,))

    def grip_of(self, name: str) -> Grip:
        """Return a grip of a coordinate, or of another variable of the pose."""
        if name not in self._grips:
            function, unit = self.code.variable(name)
            scale = self.code.scales.length if unit == "m" else 1.0
            grip = Grip(name, unit, BoundFunction(function), scale, (), unit == "rad")
            grip.take(grip.at(self._follower.q, self.moment)[0])
            self._grips[name] = grip
        return self._grips[name]

    def _placed(self, frame: str | Port) -> NodePose:
        mechanism = self.system.mechanism
        if isinstance(frame, str):
            part, rest = self.system.equations.catalogue.find_part(f"{frame}.r_0")
            ports = {p.name: p for p in part.ports() if p.kind is PortKind.FRAME}
            name = rest.removesuffix("r_0").removesuffix(".")
            if not name and ports:  # the part itself: its last frame
                name = list(ports)[-1]
            if name not in ports:
                if "." in name:  # not even the part is known
                    self.system.equations.catalogue.find(f"{frame}.r_0")
                raise UnknownNameError(
                    part.path or mechanism.name,
                    f"has no frame {name!r}.",
                    suggest(name, ports),
                    value=frame,
                )
            frame = ports[name]
        return mechanism.nodes[mechanism.inventory.node(frame)]

    # --- speeds ----------------------------------------------------------------------------

    def _note(self, dt: float | None) -> None:
        now = time.perf_counter()
        if dt is not None and self._history:
            now = self._history[-1][0] + dt
        self._set = None
        self._history = [*self._history[-3:], (now, self._follower.q.copy())]

    def _speeds(self) -> np.ndarray:
        """Return the speeds of the last movements, projected onto the constraints."""
        still = np.zeros(self.system.n_u)
        if self._set is not None:
            return self._set
        if not self.keep_speed or len(self._history) < 2:
            return still
        (first, before), (last, q) = self._history[0], self._history[-1]
        if last <= first:
            return still
        unit = self.code.scales.speeds
        around = np.array(
            [self._constraints.moved(q, row) - q for row in 1e-6 * np.eye(unit.size)]
        )
        step = np.linalg.lstsq(around.T, q - before, rcond=None)[0] * 1e-6
        Z = Directions.of(self._constraints.at(q, frozenset())[1]).free
        return Z @ (Z.T @ step) * unit / (last - first)

    def rest(self) -> None:
        """Forget the speed of the last movement."""
        self._history.clear()
        self._set = None

    def set_speed(self, name: str, value: float) -> None:
        """Set a speed; the others follow with the least change, consistent with the loops.

        The other speeds are those of the motion that was taken. They are kept until the next
        movement.
        """
        names = [state.name for state in self._layout.speeds]
        if name not in names:
            raise UnknownNameError(
                "set_speed",
                f"there is no speed {name!r}.",
                suggest(name, names),
                value=name,
            )
        k, unit = names.index(name), self.code.scales.speeds
        _, A = self._constraints.at(self._follower.q, frozenset())
        own = np.zeros((1, unit.size))
        own[0, k] = 1.0
        rows = np.concatenate([own, A])
        u = (self._u if self._set is None else self._set) / unit
        missed = np.zeros(len(rows))
        missed[0] = float(finite_numbers(name, value)) / unit[k] - u[k]
        missed[1:] = -A @ u
        found = u + Directions.of(rows).shortest(missed)
        if abs(found[k] - value / unit[k]) > 1e-6 * max(1.0, abs(value / unit[k])):
            raise ParameterError(
                name,
                f"cannot be {value:g} at this pose: loops hold it.",
                "Set another speed, or leave the dead centre first.",
                parameter=name,
                value=value,
            )
        self._set = found * unit

    # --- outcome ---------------------------------------------------------------------------

    def _outcome(self, grip: Grip, stopped: MovementEnd) -> MoveOutcome:
        limits = [self.code.limits[k].part.path for k in stopped.limits]
        direction = stopped.singular
        moves = "" if direction is None else self._moving_most(direction)
        return outcome_at_end(grip, stopped, limits, moves)

    def _moving_most(self, direction: np.ndarray) -> str:
        k = int(np.argmax(np.abs(direction)))
        return self.system.mechanism.link_of_speed(k).part

    # --- statics ---------------------------------------------------------------------------

    def torques(self, drives: Sequence[str] | None = None) -> dict[str, float]:
        """Return the torques [N·m] and forces [N] at joints that hold the pose at rest.

        `drives` are the coordinates with actuators, by default the independent ones. They act
        in addition to the model's own forces; NaN stands for what cannot hold it, as at a
        dead centre.
        """
        return self._holding.at_joints(self.motion, self.parameters, self.time, drives)

    def force(
        self, frame: str | Port, point: Sequence[float] = (0.0, 0.0, 0.0)
    ) -> np.ndarray:
        """Return the force [N] in the world by which a hand at a point holds the pose at rest.

        The smallest one; NaN if no force there can.
        """
        _, J = self.grip_of_frame(frame, point).at(self._follower.q, self.moment)
        return self._holding.at_point(
            self.motion, self.parameters, self.time, J * self.code.scales.length
        )

    @property
    def _holding(self) -> Holding:
        return self.system.holding
