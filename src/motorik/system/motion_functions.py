"""States, motions and energies of a system as functions of symbols."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from motorik.algebra.matrix import Matrix
from motorik.compiler.symbols import elements, make_function
from motorik.motion.energy import kinetic, potential, stored
from motorik.motion.steps import radians
from motorik.motion.view import MotionView

if TYPE_CHECKING:
    import casadi

    from motorik.algebra.scalar import Scalar
    from motorik.dynamics.articulated import Caller
    from motorik.system.equations import Equations


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


def followed(equations: Equations) -> casadi.Function:
    """Return the angles followed through their turns, and then their speeds."""
    t, x = equations.symbols("t", "x")
    values = followed_values(equations, t, elements(x))
    return make_function("followed", {"t": t, "x": x, "p": equations.p}, values)


def followed_values(
    equations: Equations, t: Scalar, x: Sequence[Scalar], tape: Caller | None = None
) -> list[Scalar]:
    """Return what is followed in the run, and then its rates, of symbols of a state.

    Turning angles minus the angles they wind with, counted angles of joints that close loops.
    """
    f = equations.formulation
    instant = equations.form.instant(t, x, equations.branch_parameters, tape)
    q, u = instant.q, instant.u
    motion = equations.motion(q, u, None, t, instant.z, tape=tape)
    speed = {k: equations.mechanism.link_of_coordinate(k).u[0] for k in f.unwrapped}
    values, rates = [], []
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
    """Return kinetic, potential and stored energy [J] of a motion X."""
    t, X = equations.symbols("t", "X")
    q, u, z = equations.layout.split(elements(X))
    motion = equations.motion(q, u, None, t, z)
    values = [kinetic(motion), potential(motion), stored(motion)]
    return make_function("energy", {"t": t, "X": X, "p": equations.p}, values)


MOTION: dict[str, Callable[[Equations], casadi.Function]] = {
    "project": project,
    "full_state": full_state,
    "full_state_rates": full_state_rates,
    "followed": followed,
    "positions": positions,
    "kinematics": kinematics,
    "energy": energy,
}
