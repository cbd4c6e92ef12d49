"""The equations of motion of a system as functions of symbols."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from motorik.compiler import count_instructions
from motorik.compiler.symbols import elements, make_function
from motorik.motion import traced

if TYPE_CHECKING:
    import casadi

    from motorik.algebra.scalar import Scalar
    from motorik.system.equations import Equations
    from motorik.system.state_space import StateSpaceForm


def derivative(equations: Equations) -> casadi.Function:
    """Return ẋ of the state x."""
    t, x = equations.symbols("t", "x")
    return cheapest(
        equations,
        "derivative",
        {"t": t, "x": x, "p": equations.p},
        lambda form: form.derivative(t, elements(x), equations.branch_parameters),
    )


def audited(equations: Equations) -> casadi.Function:
    """Return ẋ, and last how far it misses the equations before elimination: 1 is too far.

    Where kernels find the forces of constraints, only the last.
    """
    t, x = equations.symbols("t", "x")
    given = (t, elements(x), equations.branch_parameters)
    values = equations.form.audited(*given, with_rates=equations.response is None)
    return make_function("audited", {"t": t, "x": x, "p": equations.p}, values)


def faults(equations: Equations) -> casadi.Function:
    """Return how far ẋ misses the equations of each of `fault_names`."""
    t, x = equations.symbols("t", "x")
    values = equations.fault_values(t, x)
    return make_function("faults", {"t": t, "x": x, "p": equations.p}, values)


def forward_dynamics(equations: Equations) -> casadi.Function:
    """Return the rates u̇ of all speeds under forces τ besides the model's own."""
    q, u, tau = equations.symbols("q", "u", "tau")
    return cheapest(
        equations,
        "forward_dynamics",
        {"q": q, "u": u, "tau": tau, "p": equations.p},
        lambda form: form.speed_rates(
            0.0,
            [*elements(q), *elements(u), *equations.block_starts()],
            elements(tau),
            equations.branch_parameters,
        ),
    )


def cheapest(
    equations: Equations,
    name: str,
    arguments: Mapping[str, casadi.SX],
    trace: Callable[[StateSpaceForm], list[Scalar]],
) -> casadi.Function:
    """Return the function by the algorithm with the fewest operations."""
    form = equations.form
    functions = {
        key: make_function(name, arguments, trace(form.by(key)))
        for key in form.solution.algorithms
    }
    counts = {key: count_instructions(f) for key, f in functions.items()}
    chosen = min(counts, key=lambda key: counts[key])
    others = [f"{key} needs {n}" for key, n in counts.items() if key != chosen]
    equations.algorithm = "; ".join([f"{chosen}, {counts[chosen]} operations", *others])
    return functions[chosen]


def inverse_dynamics(equations: Equations) -> casadi.Function:
    """Return the forces τ that a motion needs besides the model's own."""
    q, u, ud = equations.symbols("q", "u", "ud")
    values = traced.required_forces(
        equations.mechanism,
        elements(q),
        elements(u),
        elements(ud),
        0.0,
        equations.block_starts(),
        equations.references,
    )
    given = {"q": q, "u": u, "ud": ud, "p": equations.p}
    return make_function("inverse_dynamics", given, values)


def imbalance(equations: Equations) -> casadi.Function:
    """Return the forces τ that a motion X needs, at any time and with states of blocks."""
    t, X, ud = equations.symbols("t", "X", "ud")
    given = (t, elements(X), elements(ud), equations.references)
    values = equations.form.required_forces(*given)
    return make_function("imbalance", {"t": t, "X": X, "ud": ud, "p": equations.p}, values)


def mass_matrix(equations: Equations) -> casadi.Function:
    """Return the mass matrix M of the tree, by columns."""
    (q,) = equations.symbols("q")
    values = traced.inertia_matrix(equations.mechanism, elements(q))
    return make_function("mass_matrix", {"q": q, "p": equations.p}, values)


def jacobian(equations: Equations) -> casadi.Function:
    """Return ∂ẋ/∂x, by columns."""
    import casadi

    dynamics = equations.function("derivative")
    t, x = equations.symbols("t", "x")
    J = casadi.jacobian(dynamics(t, x, equations.p), x)
    given = {"t": t, "x": x, "p": equations.p}
    return make_function("jacobian", given, casadi.vec(casadi.densify(J)))


DYNAMICS: dict[str, Callable[[Equations], casadi.Function]] = {
    "derivative": derivative,
    "audited": audited,
    "faults": faults,
    "forward_dynamics": forward_dynamics,
    "inverse_dynamics": inverse_dynamics,
    "imbalance": imbalance,
    "mass_matrix": mass_matrix,
    "jacobian": jacobian,
}
