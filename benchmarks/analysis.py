"""Analyses: inverse dynamics and kinematics, linearisation, derivatives of forward dynamics.

Pinocchio does the same in this run, called row by row from Python as its users call it. Answers
must agree before any figure counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks.fresh import empty_cache, run_python
from benchmarks.harness import NotAvailable
from benchmarks.models import (
    Tree,
    make_chain,
    make_humanoid,
    make_manipulator,
    make_samples,
)
from benchmarks.ours import find_places, make_model
from benchmarks.peers import require
from benchmarks.report import (
    best_in_turns,
    best_seconds,
    print_machine,
    print_note,
    print_ratios,
    print_result,
)
from motorik import Body, FixedTranslation, Model, Parameter, Revolute, World
from motorik.gallery import EngineV6

ROWS = 1000
WARM = 12  # calls after which code that many rows justify is compiled


def seconds(action: Callable[[], object]) -> float:
    """Return the wall time of one call [s]."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def twin_of(pin: ModuleType, tree: Tree) -> Any:
    """Return a tree as a model of Pinocchio."""
    model = pin.Model()
    model.gravity.linear = np.array(tree.g, dtype=float)
    for i, link in enumerate(tree.links):
        axis = link.axis
        joint = (
            pin.JointModelFreeFlyer()
            if axis is None
            else pin.JointModelRevoluteUnaligned(np.array(axis, dtype=float))
        )
        place = pin.SE3(np.array(link.R, dtype=float), np.array(link.p, dtype=float))
        k = model.addJoint(link.parent + 1, joint, place, f"j{i}")
        body = pin.Inertia(link.m, np.array(link.c, dtype=float), np.array(link.I))
        model.appendBodyToJoint(k, body, pin.SE3.Identity())
    return model


def motion_of_arm() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return times, and angles of six joints with their first and second rates."""
    t, k = np.linspace(0.0, 1.0, ROWS), np.arange(1, 7)
    phase = np.outer(t, k)
    return t, 0.3 * np.sin(phase), 0.3 * k * np.cos(phase), -0.3 * k * k * np.sin(phase)


def measure_inverse_dynamics(pin: ModuleType) -> None:
    """Print the time for the forces of 1000 rows of an arm of six axes."""
    tree = make_manipulator()
    model, twin = make_model(tree), twin_of(pin, tree)
    data = twin.createData()
    t, q, v, a = motion_of_arm()
    names = [f"joint{i}.phi" for i in range(6)]
    motion = {name: (q[:, i], v[:, i], a[:, i]) for i, name in enumerate(names)}

    def ours() -> dict[str, np.ndarray]:
        return model.inverse_dynamics(t, motion)

    def theirs() -> np.ndarray:
        return np.array([pin.rnea(twin, data, *row) for row in zip(q, v, a, strict=True)])

    found = np.column_stack([ours()[name] for name in names])
    if not np.abs(found - theirs()).max() < 1e-9 * np.abs(found).max():
        raise ArithmeticError("inverse dynamics differs from Pinocchio's")
    for _ in range(WARM):
        ours()
    best = best_in_turns(
        {
            "motorik": lambda: 1e3 * seconds(ours),
            "pinocchio_loop": lambda: 1e3 * seconds(theirs),
        }
    )
    print_ratios("analysis.inverse_dynamics", best, of="motorik", unit="ms")


def measure_inverse_kinematics(pin: ModuleType) -> None:
    """Print the time of a pose of an arm of six axes, by position and orientation of its hand."""
    tree = make_manipulator()
    model, twin = make_model(tree), twin_of(pin, tree)
    data, (_, q, _, _) = twin.createData(), motion_of_arm()
    q = q + 0.5
    last, poses = len(tree.links), []
    for row in q:
        pin.forwardKinematics(twin, data, row)
        poses.append(data.oMi[last].copy())
    frame = f"joint{last - 1}.frame_b"
    targets = {
        f"{frame}.r_0": np.array([X.translation for X in poses]),
        f"{frame}.R.T": np.array([X.rotation.T for X in poses]),
    }
    near = {f"joint{i}.phi": float(q[0, i]) for i in range(6)}

    def ours() -> dict[str, np.ndarray]:
        return model.inverse_kinematics(targets, near=near)

    def theirs() -> np.ndarray:
        """Newton's method row by row, from the row before."""
        x, found = q[0].copy(), []
        for X in poses:
            for _ in range(50):
                pin.computeJointJacobians(twin, data, x)
                miss = pin.log6(data.oMi[last].actInv(X)).vector
                if np.abs(miss).max() < 1e-10:
                    break
                J = pin.getJointJacobian(twin, data, last, pin.ReferenceFrame.LOCAL)
                x = x + np.linalg.lstsq(J, miss, rcond=None)[0]
            found.append(x)
        return np.array(found)

    rows = np.column_stack([ours()[name] for name in near])
    for row, X in zip(rows, poses, strict=True):
        pin.forwardKinematics(twin, data, row)
        if not np.allclose(data.oMi[last].homogeneous, X.homogeneous, atol=1e-8):
            raise ArithmeticError("inverse kinematics misses its targets")
    per = 1e6 / ROWS
    best = best_in_turns(
        {
            "arm6": lambda: per * seconds(ours),
            "pinocchio_loop": lambda: per * seconds(theirs),
        }
    )
    print_ratios("analysis.inverse_kinematics", best, of="arm6", unit="us")


def measure_linearisation() -> None:
    """Print the time of linearising the V6 engine, compiled: the first time, and after it."""
    model = EngineV6()
    model.compile()
    print_result(
        "analysis.linearize.v6.first", seconds(lambda: model.linearize(anywhere=True)), "s"
    )
    again = best_seconds(lambda: model.linearize(anywhere=True), 30)
    print_result("analysis.linearize.v6", 1e3 * again, "ms")


def measure_sweep() -> None:
    """Print the time of a pose of the V6 engine driven through a turn of its crank."""
    model, angles = EngineV6(), np.linspace(0.0, 2.0 * np.pi, ROWS)
    name = model.compile().layout.coordinates[0].name
    model.sweep_kinematics(name, angles)
    best = best_seconds(lambda: model.sweep_kinematics(name, angles))
    print_result("analysis.sweep_kinematics.v6", 1e6 * best / ROWS, "us")


COMPILE = """
import json, time
from benchmarks.models import make_chain, make_humanoid
from benchmarks.ours import make_model
system = make_model({make}).compile()
_ = system.derivative
start = time.perf_counter()
_ = system.jacobian
print(json.dumps(time.perf_counter() - start))
"""


def measure_jacobian(pin: ModuleType, tree: Tree, make: str) -> None:
    """Print the time of the derivatives of forward dynamics, and of compiling them anew.

    `make` is how a process with an empty cache makes the tree.
    """
    name = f"analysis.jacobian.{tree.name}"
    with empty_cache() as environment:
        _, compiled = run_python(COMPILE.format(make=make), environment)
    print_result(f"{name}.compile", compiled, "s")
    model, twin, samples = make_model(tree), twin_of(pin, tree), make_samples(tree, 100)
    system, data = model.compile(), twin.createData()
    iq, iv = find_places(system, tree)
    x = np.zeros((len(samples.q), system.n_x))
    x[:, iq] = samples.q
    x[:, [system.n_q + k for k in iv]] = samples.v
    t, p, none = np.zeros(1), np.zeros(0), np.zeros(twin.nv)
    function = system.jacobian

    def ours() -> np.ndarray:
        return function.map(t, x, p)

    def theirs() -> None:
        for q, v in zip(samples.q, samples.v, strict=True):
            pin.computeABADerivatives(twin, data, q, v, none)

    theirs()
    J = ours()[-1].reshape(system.n_x, system.n_x).T
    rows = [system.n_q + k for k in iv]
    turning = [k for k, joint in enumerate(twin.joints[1:]) if joint.nq == 1]
    by_q = [iq[twin.joints[k + 1].idx_q] for k in turning]
    by_v = [twin.joints[k + 1].idx_v for k in turning]
    for found, known in (
        (J[np.ix_(rows, rows)], data.ddq_dv),
        (J[np.ix_(rows, by_q)], data.ddq_dq[:, by_v]),
    ):
        if not np.abs(found - known).max() < 1e-8 * np.abs(known).max():
            raise ArithmeticError(f"{name} differs from Pinocchio's")
    per = 1e6 / len(samples.q)
    best = best_in_turns(
        {"motorik": lambda: per * seconds(ours), "pinocchio": lambda: per * seconds(theirs)}
    )
    print_ratios(name, best, of="motorik", unit="us")


class HeavyChain(Model):
    """Ten links on turning joints, whose masses, centres of mass and inertias are live: 100."""

    def build(self) -> None:
        """Connect the links one behind the other."""
        self.world = World()
        self.joints = [Revolute(n="z" if k % 2 else "y", phi=0.1 * k) for k in range(10)]
        self.links = [
            Body(
                m=Parameter(1.0),
                r_CM=(Parameter(0.2), Parameter(0.01), Parameter(0.0)),
                I_11=Parameter(0.02),
                I_22=Parameter(0.02),
                I_33=Parameter(0.02),
                I_21=Parameter(0.0),
                I_31=Parameter(0.0),
                I_32=Parameter(0.0),
            )
            for _ in range(10)
        ]
        self.offsets = [FixedTranslation(r=(0.4, 0.0, 0.0)) for _ in range(10)]
        at = self.world.frame_b
        for joint, link, offset in zip(self.joints, self.links, self.offsets, strict=True):
            self.connect(at, joint.frame_a)
            self.connect(joint.frame_b, link.frame_a)
            self.connect(joint.frame_b, offset.frame_a)
            at = offset.frame_b


def gradient_by_casadi(
    model: Model, by: list[str], output: str, stop: float
) -> Callable[[], np.ndarray]:
    """Return the gradient by CVODES and its adjoint through CasADi, which interprets equations."""
    import casadi

    own = model.to_casadi(inputs=by, outputs=[output])
    x, u = casadi.SX.sym("x", len(own.states)), casadi.SX.sym("u", len(by))
    equations = {"x": x, "p": u, "ode": own.derivative(0.0, x, u)}
    options = {"reltol": 1e-8, "abstol": 1e-10}
    run = casadi.integrator("run", "cvodes", equations, 0.0, stop, options)
    values = casadi.MX.sym("u", len(by))
    end = own.output(stop, run(x0=own.start, p=values)["xf"], values)
    slopes = casadi.Function("slopes", [values], [casadi.gradient(end, values)])
    return lambda: np.array(slopes(own.input_values)).ravel()


def measure_gradient() -> None:
    """Print the time of gradients of the height of a chain by 1, 10 and 100 parameters."""
    model, stop, height = HeavyChain(), 2.0, "offsets[10].frame_b.r_0[2]"
    names = list(model.compile().layout.live_names)
    for count in (1, 10, 100):
        by = names[:count]

        def adjoint(by: list[str] = by) -> np.ndarray:
            return model.gradient(stop, by, end=height).derivatives

        def forward(by: list[str] = by) -> np.ndarray:
            return model.sensitivities(stop, by, output=1)[height][-1]

        first, found = seconds(adjoint), adjoint()
        casadi = gradient_by_casadi(model, by, height, stop)
        near = 1e-5 * np.abs(found).max(), 1e-3 * np.abs(found).max()
        for other, distance in zip((forward, casadi), near, strict=True):
            if not np.abs(found - other()).max() < distance:
                raise ArithmeticError(f"the adjoint differs from {other}")
        print_result(f"analysis.gradient.{count}.first", 1e3 * first, "ms")
        best = best_in_turns(
            {
                "adjoint": lambda: 1e3 * seconds(adjoint),
                "forward": lambda: 1e3 * seconds(forward),
                "casadi": lambda own=casadi: 1e3 * seconds(own),
            }
        )
        print_ratios(f"analysis.gradient.{count}", best, of="adjoint", unit="ms")


def main() -> None:
    """Measure all analyses."""
    print_machine()
    measure_linearisation()
    measure_sweep()
    measure_gradient()
    try:
        pin = require("pinocchio", "pin")
    except NotAvailable as reason:
        print_note(f"peer not available: pinocchio: {reason}")
        return
    measure_inverse_dynamics(pin)
    measure_inverse_kinematics(pin)
    measure_jacobian(pin, make_humanoid(), "make_humanoid()")
    measure_jacobian(pin, make_chain(100), "make_chain(100)")


if __name__ == "__main__":
    main()
