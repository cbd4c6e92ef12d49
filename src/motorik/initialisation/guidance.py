"""Guidance: the motion of one system of a model in the coordinates of another of its systems."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.compiler import NativeFunction, compile_functions
from motorik.compiler.symbols import elements, make_function
from motorik.loops.mobility import coordinates_of_poses
from motorik.motion.view import MotionView

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.topology.mechanism import Link

TURN = 2.0 * np.pi
FREE = 6  # speeds of a body that has coordinates of its own


class Guidance:
    """The start of a system from the motion of another system of the same model.

    Fixed values stay; joints and bodies are as in the other system, angles within half a
    turn of their start values.
    """

    def __init__(self, system: CompiledModel, other: CompiledModel) -> None:
        self.system, self.other = system, other
        self._layout, self._starts = system.layout, system.layout.starts[0]
        shared = [name for name in system.layout.index if name in other.layout.index]
        self._here = np.array([system.layout.index[n] for n in shared], dtype=np.intp)
        self._there = np.array([other.layout.index[n] for n in shared], dtype=np.intp)
        links = system.mechanism.links
        self._roots = [link for link in links if link.root is not None]
        self._functions: dict[str, Any] = {"poses": self._poses()}
        if self._roots:
            self._functions["speeds"] = self._speeds()

    @staticmethod
    def of(system: CompiledModel, other: CompiledModel) -> Guidance:
        """Return the guidance of a system by another one, made once."""
        memory = system.initialisation
        if memory.guidance is None or memory.guidance.other is not other:
            memory.guidance = Guidance(system, other)
        return memory.guidance

    def compile(self) -> None:
        """Make native code of it, once."""
        if not isinstance(self._functions["poses"], NativeFunction):
            self._functions = dict(compile_functions(self._functions))

    def begin(
        self, X: np.ndarray, fixed: np.ndarray, known: np.ndarray, live: np.ndarray
    ) -> np.ndarray:
        """Return X, where it is not fixed as in the motion `known` of the other system."""
        n_q, n = self._layout.n_q, self._layout.n_q + self._layout.n_u
        q, u, _ = self.other.layout.split(known)
        found = X.copy()
        pose = self._starts[:n_q].copy()
        pose[self._places] = _flat(self._functions["poses"](q, live, live))
        turns = self._turning
        pose[turns] += TURN * np.rint((self._starts[turns] - pose[turns]) / TURN)
        found[:n_q] = np.where(fixed[:n_q], found[:n_q], pose)
        if self._roots:
            moved = self._moved(found[:n_q], found[n_q:n], q, u, live)
            found[n_q:n] = np.where(fixed[n_q:n], found[n_q:n], moved)
        free = ~fixed[self._here]
        found[self._here[free]] = known[self._there[free]]
        return found

    # --- positions -------------------------------------------------------------------------

    def _poses(self) -> Any:
        """Return the coordinates of this system of those of the other, and of live values."""
        (q,) = self.other.equations.symbols("q")
        motion = MotionView(self.other.mechanism, elements(q), [0.0] * self.other.n_u)
        found = coordinates_of_poses(self.system.mechanism, motion)
        self._places = np.array(list(found), dtype=np.intp)
        units = [self.system.mechanism.coordinates[k].unit for k in found]
        turns = [k for k, unit in zip(found, units, strict=True) if unit == "rad"]
        self._turning = np.array(turns, dtype=np.intp)
        live = {"other": self.other.equations.live, "p": self.system.equations.live}
        return make_function("poses", {"q": q, **live}, list(found.values()))

    # --- speeds of bodies that have coordinates of their own -------------------------------

    def _speeds(self) -> Any:
        """Return the differences of root-body velocities from those in the other system, and J."""
        import casadi

        q_there, u_there = self.other.equations.symbols("q", "u")
        q, u = self.system.equations.symbols("q", "u")
        known = MotionView(self.other.mechanism, elements(q_there), elements(u_there))
        moving = MotionView(self.system.mechanism, elements(q), elements(u))
        missed = []
        for link in self._roots:
            assert link.root is not None
            apart = moving.velocity(link.root.frame) - known.velocity(link.root.frame)
            missed += [*apart.resultant.xyz, *apart.moment.xyz]
        r = casadi.SX(casadi.vertcat(*missed))
        own = [k for link in self._roots for k in link.u]
        J = casadi.jacobian(r, u)[:, own]
        self._is_apart = _falls_apart(J, self._roots)
        given = {"q": q, "u": u, "q_there": q_there, "u_there": u_there}
        given |= {"other": self.other.equations.live, "p": self.system.equations.live}
        outputs = [casadi.densify(r), casadi.densify(J)]
        return casadi.Function("speeds", list(given.values()), outputs)

    def _moved(
        self,
        q: np.ndarray,
        u: np.ndarray,
        q_there: np.ndarray,
        u_there: np.ndarray,
        live: np.ndarray,
    ) -> np.ndarray:
        """Return u with the speeds of all root bodies as they move in the other system."""
        function, own = self._functions["speeds"], self._own_speeds
        r, J = function(q, u, q_there, u_there, live, live)
        r, J = _flat(r), np.asarray(J, dtype=float)
        result = u.copy()
        if self._is_apart:
            count = len(self._roots)
            blocks = J.reshape(count, FREE, count, FREE)[range(count), :, range(count)]
            step = np.linalg.solve(blocks, r.reshape(count, FREE, 1)).ravel()
        else:
            step = np.linalg.lstsq(J, r, rcond=None)[0]
        result[own] -= step
        return result

    @cached_property
    def _own_speeds(self) -> np.ndarray:
        return np.array([k for link in self._roots for k in link.u], dtype=np.intp)


def _falls_apart(J: Any, roots: list[Link]) -> bool:
    """Return whether each root body moves by its own six speeds alone."""
    if any(len(link.u) != FREE for link in roots):
        return False
    rows, columns = (np.array(a, dtype=int) for a in J.sparsity().get_triplet())
    return bool((rows // FREE == columns // FREE).all())


def _flat(values: object) -> np.ndarray:
    return np.asarray(values, dtype=float).ravel()
