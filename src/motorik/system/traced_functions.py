"""Traced functions: equations of motion, states and constraints of a system, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from motorik.algebra.matrix import Matrix
from motorik.compiler import count_instructions
from motorik.compiler.symbols import elements, make_function
from motorik.motion import traced
from motorik.motion.steps import radians
from motorik.motion.view import MotionView

if TYPE_CHECKING:
    import casadi

    from motorik.algebra.scalar import Scalar
    from motorik.dynamics.articulated import Caller
    from motorik.system.equations import Equations
    from motorik.system.state_space import StateSpaceForm


# --- equations of motion -------------------------------------------------------------------


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


def stiffness(equations: Equations) -> casadi.Function:
    """Return −∂τ/∂q and then −∂τ/∂u along each freedom, of (t, x, p), see `joint_stiffness`."""
    import casadi

    t, x = equations.symbols("t", "x")
    n = equations.layout.n_u
    q, u = x[:n], x[n:]
    motion = MotionView(equations.mechanism, elements(q), elements(u), None, t)
    total = casadi.sum1(casadi.SX(casadi.vertcat(*motion.generalised_forces)))
    slopes = casadi.vertcat(casadi.gradient(total, q), casadi.gradient(total, u))
    given = {"t": t, "x": x, "p": equations.p}
    return make_function("stiffness", given, casadi.densify(-slopes))


def armature_response(equations: Equations) -> casadi.Function:
    """Return (M + σ)⁻¹ τ of (σ and then τ, x, p), see `joint_stiffness`."""
    a, x = armature_symbols(equations)
    values = armature_response_values(equations, elements(a), elements(x))
    given = {"a": a, "x": x, "p": equations.p}
    return make_function("armature_response", given, values)


def armature_symbols(equations: Equations) -> tuple[casadi.SX, casadi.SX]:
    """Return the symbols of σ and τ, one behind the other, and of the state."""
    import casadi

    (x,) = equations.symbols("x")
    return casadi.SX.sym("a", 2 * equations.layout.n_u), x


def armature_response_values(
    equations: Equations,
    a: Sequence[Scalar],
    x: Sequence[Scalar],
    tape: Caller | None = None,
) -> list[Scalar]:
    """Return (M + σ)⁻¹ τ."""
    from motorik.dynamics.articulated import AtOnce
    from motorik.motion import joint_stiffness

    n, mechanism = equations.layout.n_u, equations.mechanism
    q, tape = x[: equations.layout.n_q], tape or AtOnce()
    return joint_stiffness.armature_response(mechanism, q, a[:n], a[n:], tape)


# --- states, motions, energies -------------------------------------------------------------


def project(equations: Equations) -> casadi.Function:
    """Return the state x projected onto its constraints."""
    t, x = equations.symbols("t", "x")
    values = equations.form.projected(t, elements(x), equations.branch_parameters)
    return make_function("project", {"t": t, "x": x, "p": equations.p}, values)


def full_state(equations: Equations) -> casadi.Function:
    """Return the motion X of the state x."""
    t, x = equations.symbols("t", "x")
    values = equations.form.full_state(t, elements(x), equations.branch_parameters)
    return make_function("full_state", {"t": t, "x": x, "p": equations.p}, values)


def full_state_rates(equations: Equations) -> casadi.Function:
    """Return Ẋ of a motion X."""
    t, X = equations.symbols("t", "X")
    values = equations.form.full_state_rates(t, elements(X), equations.branch_parameters)
    return make_function("full_state_rates", {"t": t, "X": X, "p": equations.p}, values)


def unwrapped_angles(equations: Equations) -> casadi.Function:
    """Return the angles that are unwrapped in the run, and then their speeds."""
    t, x = equations.symbols("t", "x")
    values = unwrapped_angle_values(equations, t, elements(x))
    return make_function("unwrapped_angles", {"t": t, "x": x, "p": equations.p}, values)


def unwrapped_angle_values(
    equations: Equations, t: Scalar, x: Sequence[Scalar], tape: Caller | None = None
) -> list[Scalar]:
    """Return the angles that are unwrapped in the run, and then their rates, of a state.

    Dependent angles minus the sums of angles that they turn with, and angles of joints that
    close loops. Before them stand the guesses for Newton's method, its solutions, with rates of 0.
    """
    f = equations.formulation
    instant = equations.form.instant(t, x, equations.branch_parameters, tape)
    q, u = instant.q, instant.u
    motion = equations.motion(q, u, None, t, instant.z, tape=tape)
    speed = {k: equations.mechanism.link_of_coordinate(k).u[0] for k in f.unwrapped}
    layout = equations.layout
    first = layout.unwrapping.start
    values = elements(equations.p)[first : first + layout.n_guesses]
    rates: list[Scalar] = [0.0] * len(values)
    found = motion.network_guesses() if layout.guesses else {}
    for k, name in layout.guesses.items():
        values[k - first] = found.get(name, values[k - first])
    for k in f.unwrapped:
        values.append(radians(q[k]) - f.angle_sum(k, q))
        terms = [
            (equations.mechanism.link_of_coordinate(j).u[0], sign)
            for j, sign in f.angle_sums.get(k, ())
        ]
        rates.append(u[speed[k]] - sum(sign * u[j] for j, sign in terms))
    for angle in f.unwrapped_cuts:
        values.append(motion.coordinate(angle.part, angle.name))
        rates.append(motion.speed(angle.part, angle.speed))
    return [*values, *rates]


def positions(equations: Equations) -> casadi.Function:
    """All coordinates, and those of all joints in closed forms, of states and branch parameters."""
    import casadi

    f = equations.form.loops.formulation
    t, z = equations.symbols("t", "z")
    q = casadi.SX.sym("q", len(f.state_q))
    hinges: dict[int, Scalar] = {}
    solve = partial(f.solved_form, hinges=hinges)
    found, _ = f.coordinates(
        elements(q), t, elements(z), equations.branch_parameters, solve
    )
    single = {h: radians(v) for h, v in hinges.items() if not isinstance(v, Matrix)}
    equations.hinge_numbers = list(single)
    columns = [list(map(radians, found)), list(single.values())]
    return casadi.Function(
        "positions",
        [t, q, z, equations.live, equations.branch],
        [casadi.densify(casadi.SX(casadi.vertcat(*column))) for column in columns],
    )


def kinematics(equations: Equations) -> casadi.Function:
    """Return position, orientation and velocities of each body, in world axes."""
    q, u = equations.symbols("q", "u")
    motion = MotionView(equations.mechanism, elements(q), elements(u))
    values: list[Scalar] = []
    for mass in equations.mechanism.masses:
        X, V = motion.pose(mass.frame), motion.velocity(mass.frame)
        values += [*X.p.xyz, *X.R.entries, *V.resultant.xyz, *(X.R @ V.moment).xyz]
    return make_function("kinematics", {"q": q, "u": u, "p": equations.p}, values)


def energy(equations: Equations) -> casadi.Function:
    """Return kinetic and potential energy and those stored by domain [J], of a motion X."""
    from motorik.motion.energy import kinetic, potential, stored

    t, X = equations.symbols("t", "X")
    q, u, z = equations.layout.split(elements(X))
    motion = equations.motion(q, u, None, t, z)
    values = [kinetic(motion), potential(motion), *stored(motion).values()]
    return make_function("energy", {"t": t, "X": X, "p": equations.p}, values)


# --- constraints, margins, joint forces ----------------------------------------------------


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


def constraint_bias(equations: Equations) -> casadi.Function:
    """Return γ of all constraint equations: the rate of a is G u̇ + γ."""
    import casadi

    t, X = equations.symbols("t", "X")
    held = equations.form.loops.formulation.constraints
    q, u, z = equations.layout.split(elements(X))
    bias = held.bias_function(held.y_of(q, t, z), casadi.vertcat(*u), equations.live)
    return make_function("constraint_bias", {"t": t, "X": X, "p": equations.p}, bias)


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


# --- all of them by name ----------------------------------------------------------------------


TRACED: dict[str, Callable[[Equations], casadi.Function]] = {
    "derivative": derivative,
    "audited": audited,
    "faults": faults,
    "forward_dynamics": forward_dynamics,
    "inverse_dynamics": inverse_dynamics,
    "imbalance": imbalance,
    "mass_matrix": mass_matrix,
    "jacobian": jacobian,
    "stiffness": stiffness,
    "armature_response": armature_response,
    "project": project,
    "full_state": full_state,
    "full_state_rates": full_state_rates,
    "unwrapped_angles": unwrapped_angles,
    "positions": positions,
    "kinematics": kinematics,
    "energy": energy,
    "constraints": constraints,
    "constraint_bias": constraint_bias,
    "constraint_matrix": constraint_matrix,
    "constraint_entries": constraint_entries,
    "violations": violations,
    "joint_forces": joint_forces,
    "margins": margins,
}
