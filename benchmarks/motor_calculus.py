"""Motor calculus: what writing mechanics in motors costs in operations.

Counted are the arithmetic operations of the traced graph after common terms are shared:

* of one body's equation f = 𝔐 ∘ v° + v × 𝔐 ∘ v against the shortest form in vectors;
* of the equations of motion of the two trees among the examples of Zaiczek and
  Enge-Rosenblatt 2009 (trolley pendulum, §4.1; spinning wheel, §4.3): derived with motors,
  against the same equations expanded into vectors by hand; and of the compiled models,
  against the equations of Newton and Euler;
* of an arm's forward dynamics against the articulated-body algorithm in vectors.
"""

from __future__ import annotations

from dataclasses import replace
from math import pi
from typing import Any

import casadi
import numpy as np

from benchmarks.equations import Member, articulated_body, joint_forces, scale, skew
from benchmarks.models import (
    ORIGIN,
    Link,
    Tree,
    X,
    Y,
    Z,
    make_humanoid,
    make_manipulator,
)
from benchmarks.ours import compile_tree
from benchmarks.report import print_result
from motorik import Model
from motorik.algebra import Inertia, Motor, Pose, Vector, body_force, rotation_about
from motorik.gallery import MotorBody, SpinningWheel, TrolleyPendulum
from motorik.gallery.motor_chain import solve_positive, state_rates

FREE = (casadi.OP_CONST, casadi.OP_INPUT, casadi.OP_OUTPUT)


def rod(m: float, length: float, p: tuple[float, float, float]) -> Member:
    """Return a slender rod that hangs at p and turns about z."""
    J = m * length**2 / 12
    return Member(False, Z, p, m, (0.0, -length / 2, 0.0), (J, 0.0, J), 0.02)


def cylinder(m: float, radius: float, length: float) -> tuple[float, float]:
    """Return the inertias [kg m²] of a cylinder along and across its axis."""
    return m * radius**2 / 2, m * (3 * radius**2 + length**2) / 12


def make_trolley() -> tuple[list[Member], tuple[float, float, float]]:
    """Return the trolley pendulum and its gravity."""
    trolley = Member(True, X, ORIGIN, 1.0, ORIGIN, ORIGIN, 0.5)
    rods = rod(1.0, 0.5, ORIGIN), rod(0.5, 0.4, (0.0, -0.5, 0.0))
    return [trolley, *rods], (0.0, -9.81, 0.0)


def make_wheel() -> tuple[list[Member], tuple[float, float, float]]:
    """Return the spinning wheel on its axle and rack, and its gravity."""
    m1, m2, m3 = 7700 * pi * 0.02**2 * 0.5, 7700 * pi * 0.01**2 * 0.25, 2.0
    along1, across1 = cylinder(m1, 0.02, 0.5)
    along2, across2 = cylinder(m2, 0.01, 0.25)
    along3, across3 = cylinder(m3, 0.3, 0.02)
    rack = Member(False, Z, ORIGIN, m1, (0.0, 0.0, 0.25), (across1, across1, along1))
    axle = Member(
        False, Y, (0.0, 0.0, 0.5), m2, (0.125, 0.0, 0.0), (along2, across2, across2)
    )
    wheel = Member(False, X, (0.25, 0.0, 0.0), m3, ORIGIN, (along3, across3, across3))
    return [rack, axle, wheel], (0.0, 0.0, -9.81)


def rates_in_motors(chain: list[Member], x: list[Any], g: Any) -> list[Any]:
    """Return (q̇, q̈) of a chain, derived with motors."""
    return state_rates([_motor_body(member) for member in chain], x, Vector.of(g))


def _motor_body(member: Member) -> MotorBody:
    axis, p = Vector.of(member.axis), Vector.of(member.p)
    inertia = Inertia.of_body(member.m, member.c, np.diag(member.I).tolist())
    if member.slides:
        pose, screw = lambda s: Pose(p=p + s * axis), Motor(moment=axis)
    else:
        pose, screw = lambda phi: Pose(rotation_about(axis, phi), p), Motor(axis)
    return MotorBody(pose, screw, inertia, member.friction)


def rates_in_vectors(
    chain: list[Member], x: list[Any], g: Any, expanded: bool = False
) -> list[Any]:
    """Return (q̇, q̈) of a chain in vectors, the mass matrix column by column."""
    n = len(chain)
    q, qd, rest = x[:n], x[n:], [0.0] * n
    free = [replace(member, friction=0.0) for member in chain]

    def forces(members: Any, rate: Any, acceleration: Any, weight: Any) -> list[Any]:
        given = (members, q, rate, acceleration, weight, casadi.sin, casadi.cos)
        return joint_forces(*given, expanded=expanded)

    columns = [forces(free, rest, row, ORIGIN) for row in np.eye(n).tolist()]
    M = [list(row) for row in zip(*columns, strict=True)]
    h = forces(chain, qd, rest, g)
    return [*qd, *solve_positive(M, [-e for e in h])]


def trace_chain(chain: list[Member], g: Any, model: Model) -> dict[str, casadi.Function]:
    """Return the state rates of a chain derived in four ways; raise if they differ."""
    x = casadi.SX.sym("x", 2 * len(chain))
    parts = casadi.vertsplit(x)
    compiled = model.compile().function("derivative")
    derived = {
        "motors": rates_in_motors(chain, parts, g),
        "expanded": rates_in_vectors(chain, parts, g, expanded=True),
        "newton_euler": rates_in_vectors(chain, parts, g),
        "compiled": [compiled(0.0, x, [])],
    }
    ways = {name: trace([x], rates) for name, rates in derived.items()}
    at = np.linspace(0.3, 1.7, x.numel())
    answers = {name: way(at).full() for name, way in ways.items()}
    for name, answer in answers.items():
        if not np.allclose(answer, answers["motors"], rtol=1e-11, atol=1e-11):
            raise ArithmeticError(f"{name} and motors do not give the same motion")
    return ways


def make_examples() -> dict[str, dict[str, casadi.Function]]:
    """Return the two mechanisms of the paper, each derived in all ways."""
    return {
        "trolley_pendulum": trace_chain(*make_trolley(), TrolleyPendulum()),
        "spinning_wheel": trace_chain(*make_wheel(), SpinningWheel()),
    }


def count_operations(function: casadi.Function) -> int:
    """Return how many instructions compute something."""
    codes = (function.instruction_id(k) for k in range(function.n_instructions()))
    return sum(code not in FREE for code in codes)


def trace(inputs: list[Any], outputs: list[Any]) -> casadi.Function:
    """Return the graph of the outputs with common terms shared."""
    return casadi.Function("traced", inputs, [casadi.vertcat(*outputs)], {"cse": True})


def body_in_motors(link: Link, v: list[Any], rate: list[Any]) -> list[Any]:
    """Return force and torque on a body by the motor equation."""
    inertia = Inertia.of_body(link.m, tuple(link.c), link.I.tolist())
    return list(body_force(inertia, Motor.of(v), Motor.of(rate)).components)


def body_in_vectors(link: Link, v: list[Any], rate: list[Any]) -> list[Any]:
    """Return the same by f = m a + ω̇ × s + ω × (ω × s), t = Θ ω̇ + ω × Θ ω + s × a.

    a = v̇ + ω × v is the acceleration of the origin, s = m c.
    """
    w, u = np.array(v[:3], object), np.array(v[3:], object)
    wd, ud = np.array(rate[:3], object), np.array(rate[3:], object)
    c = skew(link.c)
    s = (link.m * c).astype(object)
    Theta = (link.I - link.m * c @ c).astype(object)
    a = ud + skew(w) @ u
    force = scale(a, link.m) - s @ wd - skew(w) @ (s @ w)
    torque = Theta @ wd + skew(w) @ (Theta @ w) + s @ a
    return [*force, *torque]


def compare_body() -> float:
    """Return operations in motors per operation in vectors, for one general body."""
    v, rate = casadi.SX.sym("v", 6), casadi.SX.sym("a", 6)
    link = make_humanoid().links[0]
    motors, vectors = (
        count_operations(
            trace([v, rate], body(link, casadi.vertsplit(v), casadi.vertsplit(rate)))
        )
        for body in (body_in_motors, body_in_vectors)
    )
    return motors / vectors


def compare_forward_dynamics(tree: Tree) -> float:
    """Return operations of motorik's forward dynamics per operation of the vector form."""
    inputs = [casadi.SX.sym(name, tree.nv) for name in ("q", "v", "tau")]
    q, v, tau = (casadi.vertsplit(symbol) for symbol in inputs)
    vectors = trace(inputs, articulated_body(tree, q, v, casadi.sin, casadi.cos, tau))
    ours = compile_tree(tree).function("forward_dynamics")
    symbols = ours.sx_in()
    motors = trace(symbols, [ours(*symbols)])
    return count_operations(motors) / count_operations(vectors)


def main() -> None:
    """Print all ratios; below one means that motors are the cheaper notation."""
    print_result("motor_calculus.body.ratio", compare_body(), "x")
    ratios = []
    for name, ways in make_examples().items():
        counts = {way: count_operations(function) for way, function in ways.items()}
        for way, count in counts.items():
            print_result(f"motor_calculus.{name}.{way}", count, "operations")
        ratios.append(counts["motors"] / counts["expanded"])
        print_result(f"motor_calculus.{name}.ratio", ratios[-1], "x")
        ratio = counts["compiled"] / counts["newton_euler"]
        print_result(f"motor_calculus.{name}.compiled.ratio", ratio, "x")
    print_result("motor_calculus.operations.ratio", max(ratios), "x")
    ratio = compare_forward_dynamics(make_manipulator())
    print_result("motor_calculus.arm6.ratio", ratio, "x")


if __name__ == "__main__":
    main()
