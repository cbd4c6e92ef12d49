"""Closed loops by MuJoCo: joint coordinates, and loops closed by stiff equality constraints.

Its constraints are soft by design; with `solref` of a few steps and `solimp` near one they
are as hard as its integrators bear. It integrates with fixed steps.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import pi
from typing import Any

import numpy as np

from benchmarks.models import Array
from benchmarks.peers import require

LADDER = [round(1000 * 2 ** (k / 2)) for k in range(15)]  # numbers of steps to try

# seconds of one simulation with a number of steps, and its error
Timed = Callable[[int], tuple[float, float]]


class Linkage:
    """A planar linkage as MuJoCo sees it: hinged bodies about z, and points that coincide."""

    def __init__(self, gravity: float) -> None:
        self.mujoco = require("mujoco", "mujoco")
        self.spec: Any = self.mujoco.MjSpec()
        self.spec.compiler.degree = False
        option = self.spec.option
        option.gravity = (0, -gravity, 0)
        option.solver = self.mujoco.mjtSolver.mjSOL_NEWTON
        option.iterations, option.tolerance = 100, 1e-14
        option.disableflags |= int(self.mujoco.mjtDisableBit.mjDSBL_CONTACT)
        option.integrator = self.mujoco.mjtIntegrator.mjINT_RK4
        self._pairs: list[tuple[str, str]] = []

    def add(self, parent: Any, at, m: float, J: float, centre, **points) -> Any:
        """Hinge a body to its parent (None is the world) and mark points on it by name."""
        body = (parent or self.spec.worldbody).add_body(pos=(*at, 0.0))
        body.mass, body.ipos, body.explicitinertial = m, (*centre, 0.0), True
        body.inertia = (J, J, J)
        body.add_joint(type=self.mujoco.mjtJoint.mjJNT_HINGE, axis=(0, 0, 1))
        for name, (x, y) in points.items():
            body.add_site(name=name, pos=(x, y, 0.0))
        return body

    def join(self, a: str, b: str) -> None:
        """Let two marked points coincide."""
        self._pairs.append((a, b))

    def add_spring(
        self, point: tuple[float, float], mark: str, c: float, length: float
    ) -> None:
        """Stretch a spring [N/m] from a point of the world to a marked one."""
        self.spec.worldbody.add_site(name="eye", pos=(*point, 0.0))
        spring = self.spec.add_tendon(stiffness=c, springlength=(length, length))
        spring.wrap_site("eye")
        spring.wrap_site(mark)

    def compile(self, step: float, hardness: float = 2.0) -> Any:
        """Return the model for a step size [s]; constraints settle within `hardness` steps."""
        for a, b in self._pairs:
            self.spec.add_equality(
                type=self.mujoco.mjtEq.mjEQ_CONNECT,
                objtype=self.mujoco.mjtObj.mjOBJ_SITE,
                name1=a,
                name2=b,
                solref=(hardness * step, 1.0),
                solimp=(0.9999, 0.9999, 0.001, 0.5, 2.0),
            )
        self.spec.option.timestep = step
        return self.spec.compile()

    def run(
        self, model: Any, q: Array, v: Array, steps: int, torque: float = 0.0
    ) -> tuple[float, Array]:
        """Return seconds and final coordinates of a run; a torque acts on the first hinge."""
        data = self.mujoco.MjData(model)
        data.qpos[:], data.qvel[:] = q, v
        data.qfrc_applied[0] = torque
        begin = time.thread_time()
        self.mujoco.mj_step(model, data, nstep=steps)
        return time.thread_time() - begin, data.qpos.copy()


def make_n_four_bar(n: int, duration: float, end: float) -> Timed:
    """Return the timing of the N-four-bar; `end` is the cranks' angle from upright [rad]."""

    def simulate(steps: int) -> tuple[float, float]:
        linkage = Linkage(9.81)
        for i in range(n + 1):
            crank = linkage.add(None, (i, 0), 1.0, 1 / 12, (0.5, 0), **{f"r{i}": (1, 0)})
            if i < n:
                linkage.add(crank, (1, 0), 1.0, 1 / 12, (0.5, 0), **{f"b{i}": (1, 0)})
                linkage.join(f"b{i}", f"r{i + 1}")
        model = linkage.compile(duration / steps)
        q = np.array([pi / 2, -pi / 2] * n + [pi / 2])
        v = np.array([-1.0, 1.0] * n + [-1.0])
        seconds, q = linkage.run(model, q, v, steps)
        return seconds, float(np.abs(pi / 2 - q[::2] - end).max())

    return simulate


def make_andrews(start: dict[str, float], end: dict[str, float]) -> Timed:
    """Return the timing of Andrews' mechanism from its start angles to those at 0.03 s."""
    # in the order in which MuJoCo numbers the hinges
    order = ("beta", "theta", "gamma", "delta", "phi", "epsilon", "omega")
    A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)

    def simulate(steps: int) -> tuple[float, float]:
        linkage = Linkage(0.0)
        add = linkage.add
        K1 = add(None, (0, 0), 0.04325, 2.194e-6, (0.00092, 0))
        add(K1, (0.007, 0), 0.00365, 4.410e-7, (-0.0115, 0), E2=(-0.028, 0))
        add(
            None,
            B,
            0.02373,
            5.255e-6,
            (0.01043, -0.01874),
            E3=(0, -0.035),
            D=(0.02, -0.018),
        )
        K5 = add(None, A, 0.07050, 1.169e-5, (0.02308, 0.00916))
        add(K5, (0.04, 0), 0.00706, 5.667e-7, (0, -0.00579), E4=(0, -0.02))
        K7 = add(None, A, 0.05498, 1.912e-5, (-0.00449, -0.01228))
        add(K7, (0, -0.04), 0.00706, 5.667e-7, (0.00579, 0), E6=(0.02, 0))
        for end_of_arm in ("E3", "E4", "E6"):
            linkage.join("E2", end_of_arm)
        linkage.add_spring(C, "D", 4530.0, 0.07785)
        model = linkage.compile(0.03 / steps)
        q = np.array([start[name] for name in order])
        seconds, q = linkage.run(model, q, np.zeros(7), steps, torque=0.033)
        return seconds, float(np.abs(q - [end[name] for name in order]).max())

    return simulate


def find_steps(simulate: Timed, accuracy: float, patience: float = 60.0) -> int | None:
    """Return the fewest steps that are accurate together with the next number of steps."""
    before, begin = None, time.perf_counter()
    for steps in LADDER:
        _, error = simulate(steps)
        if error <= accuracy and before is not None:
            return before
        before = steps if error <= accuracy else None
        if time.perf_counter() - begin > patience:
            return None
    return before
