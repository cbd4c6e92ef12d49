"""Motor calculus: what writing mechanics in motors costs in operations.

Counted are the arithmetic operations of the traced graph after common terms are shared:
of one body's equation f = 𝔐 ∘ v° + v × 𝔐 ∘ v against the shortest form in vectors, and of
an arm's forward dynamics against the articulated-body algorithm in vectors and matrices.
"""

from __future__ import annotations

from typing import Any

import casadi
import numpy as np

from benchmarks.equations import articulated_body, scale, skew
from benchmarks.models import Link, Tree, make_humanoid, make_manipulator
from benchmarks.ours import compile_tree
from benchmarks.report import print_result
from motorik.algebra import Inertia, Motor, body_force

FREE = (casadi.OP_CONST, casadi.OP_INPUT, casadi.OP_OUTPUT)


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
    """Print both ratios; below one means that motors are the cheaper notation."""
    print_result("motor_calculus.body.ratio", compare_body(), "x")
    ratio = compare_forward_dynamics(make_manipulator())
    print_result("motor_calculus.operations.ratio", ratio, "x")


if __name__ == "__main__":
    main()
