"""Constraints, margins and joint forces of a system as functions of symbols."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from motorik.compiler.symbols import elements, make_function

if TYPE_CHECKING:
    import casadi

    from motorik.algebra.scalar import Scalar
    from motorik.system.equations import Equations


def constraints(equations: Equations) -> casadi.Function:
    """Return g and a of all constraint equations, at any motion X."""
    import casadi

    t, X = equations.symbols("t", "X")
    held = equations.formulation.constraints
    q, u, z = equations.layout.split(elements(X))
    y = held.y_of(q, t, z)
    g = held.position_function(y, equations.live)
    a = held.velocity_function(y, casadi.vertcat(*u), equations.live)
    values = casadi.vertcat(g, a)
    return make_function("constraints", {"t": t, "X": X, "p": equations.p}, values)


def constraint_matrix(equations: Equations) -> casadi.Function:
    """Return the Jacobian G of all constraint equations, column by column."""
    import casadi

    t, X = equations.symbols("t", "X")
    held = equations.formulation.constraints
    q, _, z = equations.layout.split(elements(X))
    entries = held.matrix_function(held.y_of(q, t, z), equations.live)
    G = casadi.SX(len(held.equations), equations.layout.n_u)
    for (i, j), value in zip(held.pattern, elements(entries), strict=True):
        G[i, j] = value
    values = casadi.vec(casadi.densify(G))
    return make_function("constraint_matrix", {"t": t, "X": X, "p": equations.p}, values)


def constraint_entries(equations: Equations) -> casadi.Function:
    """Return the nonzero entries of G, in the order of `ConstraintEquations.pattern`."""
    t, X = equations.symbols("t", "X")
    f = equations.formulation
    q, _, z = equations.layout.split(elements(X))
    values = f.constraints.matrix_function(f.constraints.y_of(q, t, z), equations.live)
    return make_function("constraint_entries", {"t": t, "X": X, "p": equations.p}, values)


def violations(equations: Equations) -> casadi.Function:
    """Return the violation of each closure [m], [rad], measured independently of its equations."""
    import casadi

    t, X = equations.symbols("t", "X")
    q, _, z = equations.layout.split(elements(X))
    held = equations.formulation.constraints
    values = casadi.vec(held.violation_function(held.y_of(q, t, z), equations.live))
    return make_function("violations", {"t": t, "X": X, "p": equations.p}, values)


def joint_forces(equations: Equations) -> casadi.Function:
    """Return the forces at all joints, and entries of their derivatives by multipliers."""
    import casadi

    named, motion = equations.any_view
    values: list[Scalar] = []
    for edge in equations.mechanism.inventory.joints:
        force = motion.reaction_at(edge.frame_b)
        values += [*force.resultant.xyz, *force.moment.xyz]
    W = casadi.densify(casadi.SX(casadi.vertcat(*values)))
    response = casadi.jacobian(W, named["multipliers"])
    equations.response_places = response.sparsity().get_triplet()
    B = casadi.sparsity_cast(response, casadi.Sparsity.dense(response.nnz()))
    return casadi.Function("joint_forces", [*named.values(), equations.p], [W, B])


def margins(equations: Equations) -> casadi.Function:
    """Return the margins that are guarded in the run, and then their rates."""
    from motorik.system.guards import margins_and_rates

    t, x = equations.symbols("t", "x")
    values: list[Scalar] = []
    if not equations.formulation.is_empty:
        instant = equations.form.constrained(t, elements(x), equations.branch_parameters)
        values = margins_and_rates(instant)
    return make_function("margins", {"t": t, "x": x, "p": equations.p}, values)


CONSTRAINTS: dict[str, Callable[[Equations], casadi.Function]] = {
    "constraints": constraints,
    "constraint_matrix": constraint_matrix,
    "constraint_entries": constraint_entries,
    "violations": violations,
    "joint_forces": joint_forces,
    "margins": margins,
}
