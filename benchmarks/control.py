"""Control: loops that read, decide and step at 1 kHz, and thousands of simulators at once.

A cycle of the loop reads two numbers, sets the six torques of a six-axis arm and advances it by a
millisecond with one step of the classical Runge–Kutta method, on both sides from Python.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable

import numpy as np

from benchmarks.harness import NotAvailable
from benchmarks.models import Array, Tree, make_robot
from benchmarks.ours import make_offset
from benchmarks.peers import compile_mujoco, require
from benchmarks.report import (
    best_in_turns,
    best_seconds,
    print_machine,
    print_note,
    print_result,
)
from motorik import Body, Model, Parameter, Revolute, World, rotational

CYCLES, MANY = 2000, 4096
STEP = 1e-3
START = np.array([0.3, 0.5, -0.7, 0.2, 0.4, 0.1])
TORQUES = np.array([1.0, -2.0, 3.0, -1.0, 0.5, -0.2])


def make_driven(tree: Tree, q0: Array) -> Model:
    """Return the arm with a motor of live torque at every joint."""
    model = Model()
    size = float(np.linalg.norm(tree.g))
    model.world = World(g=size, n=tuple(np.array(tree.g) / size))
    end = model.world.frame_b
    for i, link in enumerate(tree.links):
        offset = make_offset(link.p, link.R)
        if offset is not None:
            setattr(model, f"offset{i}", offset)
            model.connect(end, offset.frame_a)
            end = offset.frame_b
        assert link.axis is not None
        joint = Revolute(n=link.axis, phi=float(q0[i]), useAxisFlange=True)
        body = Body(m=link.m, r_CM=tuple(link.c), I=link.I.tolist())
        motor = rotational.ConstantTorque(tau_constant=Parameter(0.0))
        setattr(model, f"joint{i}", joint)
        setattr(model, f"body{i}", body)
        setattr(model, f"motor{i}", motor)
        model.connect(end, joint.frame_a)
        model.connect(joint.frame_b, body.frame_a)
        model.connect(motor.flange, joint.axis)
        end = joint.frame_b
    return model


def loop_of_ours(model: Model) -> tuple[Callable[[], None], Callable[[], Array]]:
    """Return `CYCLES` cycles from the start, and what reads the angles then."""
    sim = model.simulator(method="rk4", step=STEP)
    torques = sim.inputs(*(f"motor{i}.tau_constant" for i in range(6)))
    seen = sim.outputs("joint0.phi", "joint0.w")
    angles = sim.outputs(*(f"joint{i}.phi" for i in range(6)))

    def run() -> None:
        sim.reset()
        for _ in range(CYCLES):
            phi, w = seen.read()
            TORQUES[0] = -phi - 0.1 * w
            torques.write(TORQUES)
            sim.step(STEP)

    return run, angles.read


def loop_of_mujoco(tree: Tree) -> tuple[Callable[[], None], Callable[[], Array]]:
    """Return the same with MuJoCo, whose contacts, limits and sensors are off."""
    mujoco = require("mujoco", "mujoco")
    model = compile_mujoco(mujoco, tree)
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    model.opt.timestep = STEP
    data, step = mujoco.MjData(model), mujoco.mj_step
    q, v, applied = data.qpos, data.qvel, data.qfrc_applied

    def run() -> None:
        mujoco.mj_resetData(model, data)
        q[:] = START
        for _ in range(CYCLES):
            phi, w = q[0], v[0]
            TORQUES[0] = -phi - 0.1 * w
            applied[:] = TORQUES
            step(model, data)

    return run, lambda: q.copy()


def compare_loops() -> None:
    """Print µs of a cycle on both sides, after both have come to the same angles."""
    tree = make_robot()
    own, angles = loop_of_ours(make_driven(tree, START))
    contestants = {"motorik": own}
    try:
        other, their_angles = loop_of_mujoco(tree)
        own()
        other()
        apart = np.abs(angles() - their_angles()).max()
        print_note(f"after {CYCLES} cycles the angles differ by {apart:.1e} rad")
        if apart > 1e-6:
            raise ArithmeticError(f"the loops differ by {apart:.1e} rad")
        contestants["mujoco"] = other
    except NotAvailable as reason:
        print_note(f"peer not available: mujoco: {reason}")
    best = best_in_turns(
        {name: lambda run=run: best_seconds(run, 1) for name, run in contestants.items()}
    )
    for name, seconds in best.items():
        print_result(f"control.loop.{name}", 1e6 * seconds / CYCLES, "us")
    if "mujoco" in best:
        print_result("control.loop.vs_mujoco", best["mujoco"] / best["motorik"], "x")


def compare_batches() -> None:
    """Print ns of a step of one of `MANY` simulations, torques set and angles read each time."""
    tree = make_robot()
    sims = make_driven(tree, START).simulators(MANY, step=STEP)
    torques = sims.inputs(*(f"motor{i}.tau_constant" for i in range(6)))
    seen = sims.outputs(*(f"joint{i}.phi" for i in range(6)))
    given = np.tile(TORQUES, (MANY, 1))

    def ours() -> float:
        def act() -> None:
            given[:, 0] = -seen.read()[:, 0]
            torques.write(given)
            sims.step(STEP)

        return best_seconds(act, 5)

    contestants = {"motorik": ours}
    try:
        mujoco = require("mujoco", "mujoco")
        rollout = importlib.import_module("mujoco.rollout").rollout
        model = compile_mujoco(mujoco, tree)
        model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
        model.opt.timestep = STEP
        data, kind = mujoco.MjData(model), mujoco.mjtState
        first = np.zeros((MANY, mujoco.mj_stateSize(model, kind.mjSTATE_FULLPHYSICS)))
        first[:, 1:7] = START
        control = {"control": given[:, None, :], "nstep": 1}
        control["control_spec"] = int(kind.mjSTATE_QFRC_APPLIED)

        def theirs() -> float:
            return best_seconds(lambda: rollout(model, data, first, **control), 5)

        theirs()
        contestants["mujoco"] = theirs
    except NotAvailable as reason:
        print_note(f"peer not available: mujoco: {reason}")
    best = best_in_turns(contestants)
    for name, seconds in best.items():
        print_result(f"control.simulators{MANY}.{name}", 1e9 * seconds / MANY, "ns")
    if "mujoco" in best:
        ratio = best["mujoco"] / best["motorik"]
        print_result(f"control.simulators{MANY}.vs_mujoco", ratio, "x")


def main() -> None:
    """Print all results."""
    print_machine()
    compare_loops()
    compare_batches()


if __name__ == "__main__":
    main()
