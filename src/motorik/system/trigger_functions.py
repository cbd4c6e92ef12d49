"""What conditions and clocks ask of a system, as functions of symbols."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar
from motorik.components.base.contributions import Trigger
from motorik.errors import ParameterError
from motorik.motion.view import MotionView
from motorik.system.functions import elements, make_function

if TYPE_CHECKING:
    import casadi

    from motorik.system.equations import Equations

Reading = Callable[[MotionView], Scalar]


def read(
    equations: Equations,
    t: Scalar,
    x: list[Scalar],
    readings: Sequence[Reading],
    rates: list[Scalar] | None = None,
) -> list[Scalar]:
    """Return quantities of the motion at a state, accelerations and forces among them.

    Accelerations are computed only if something asks for them; with the `rates` of the state,
    these are given, and so are forces that switch, where p has them.
    """
    import casadi

    form, extra = equations.form, equations.all_extra
    if rates is not None:
        moving = form.motion(t, x, extra, form.speed_rates_of(t, x, extra, rates))
        values = [casadi.SX(one(moving)) for one in readings]
        return elements(casadi.vertcat(casadi.SX(0, 1), *values))
    (ud,) = equations.symbols("ud")
    motion = form.motion(t, x, extra, elements(ud))
    column = casadi.vertcat(casadi.SX(0, 1), *(casadi.SX(one(motion)) for one in readings))
    forces = casadi.SX(0, 1) if form.switching is None else form.switching.symbols
    if casadi.depends_on(column, casadi.vertcat(ud, forces)):
        rates = form.all_speed_rates(t, x, extra)
        column = casadi.substitute(column, ud, casadi.vertcat(casadi.SX(0, 1), *rates))
        if form.switching is not None:
            found = form.answer(t, x, extra).forces
            column = casadi.substitute(column, forces, casadi.vertcat(*found))
    return elements(column)


def conditions(
    equations: Equations, t: Scalar, x: list[Scalar], rates: list[Scalar] | None = None
) -> list[Scalar]:
    """Return the value of each trigger's condition, 0 of clocks, and then their rates."""
    import casadi

    triggers = equations.mechanism.inventory.triggers
    values = read(equations, t, x, [_condition(trigger) for trigger in triggers], rates)
    if not any(trigger.condition for trigger in triggers):
        return values + [0.0] * len(triggers)
    for trigger, value in zip(triggers, values, strict=True):
        if trigger.condition is not None and casadi.SX(value).is_constant():
            raise ParameterError(
                trigger.part.path,
                f"condition(motion) is {float(value):g} whatever the motion is, so nothing "
                "makes it positive.",
                'Let it depend on the motion, e.g. lambda motion: motion["ram.s"] - 0.2.',
                parameter="condition",
                value=float(value),
            )
    given = casadi.vertcat(t, *x)
    if rates is None:
        rates = equations.form.derivative(t, x, equations.all_extra)
    moved = casadi.jtimes(casadi.vertcat(*values), given, casadi.vertcat(1.0, *rates))
    return [*values, *elements(moved)]


def _condition(trigger: Trigger) -> Reading:
    return trigger.condition if trigger.condition is not None else (lambda motion: 0.0)


def assigned(
    equations: Equations, t: Scalar, x: list[Scalar], rates: list[Scalar] | None = None
) -> list[Scalar]:
    """Return the values of all assignments, one trigger after another."""
    triggers = equations.mechanism.inventory.triggers
    made = [a.value for trigger in triggers for a in trigger.assignments]
    return read(equations, t, x, made, rates)


def sampled(
    equations: Equations, t: Scalar, x: list[Scalar], rates: list[Scalar] | None = None
) -> list[Scalar]:
    """Return the inputs of all functions of the user, one after another."""
    triggers = equations.mechanism.inventory.triggers
    made = [one for trigger in triggers for one in trigger.inputs]
    return read(equations, t, x, made, rates)


def of_motion(equations: Equations) -> dict[str, casadi.Function]:
    """Return what triggers ask as functions of (t, x and dx/dt, p), with the forces in p.

    Left out is what asks nothing, and conditions whose rates would need those of accelerations
    or of forces.
    """
    import casadi

    n = equations.layout.n_x
    (t,), both = equations.symbols("t"), casadi.SX.sym("x", 2 * n)
    x, rates = elements(both[:n]), elements(both[n:])
    given = {"t": t, "x": both, "p": equations.p}
    found: dict[str, casadi.Function] = {}
    if not equations.mechanism.inventory.triggers:
        return found
    for name, trace in TRIGGERED.items():
        values = trace(equations, t, x, rates)
        if not values:
            continue
        own = casadi.SX(casadi.vertcat(*values[: len(values) // 2]))
        unknown = casadi.vertcat(casadi.SX(0, 1), *rates, equations.switching.symbols)
        if name != "conditions" or not casadi.depends_on(own, unknown):
            found[name] = make_function(f"{name}_of_motion", given, values)
    return found


TRIGGERED = {"conditions": conditions, "assigned": assigned, "sampled": sampled}
