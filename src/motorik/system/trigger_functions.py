"""What conditions and clocks ask of a system, as functions of symbols."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar
from motorik.components.base.contributions import Trigger
from motorik.errors import ParameterError
from motorik.motion.view import MotionView
from motorik.system.functions import elements

if TYPE_CHECKING:
    from motorik.system.equations import Equations

Reading = Callable[[MotionView], Scalar]


def read(
    equations: Equations, t: Scalar, x: list[Scalar], readings: Sequence[Reading]
) -> list[Scalar]:
    """Return quantities of the motion at a state, accelerations and forces among them.

    Accelerations are computed only if something asks for them.
    """
    import casadi

    form, extra = equations.form, equations.all_extra
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


def conditions(equations: Equations, t: Scalar, x: list[Scalar]) -> list[Scalar]:
    """Return the value of each trigger's condition, 0 of clocks, and then their rates."""
    import casadi

    triggers = equations.mechanism.inventory.triggers
    values = read(equations, t, x, [_condition(trigger) for trigger in triggers])
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
    moved = casadi.vertcat(1.0, *equations.form.derivative(t, x, equations.all_extra))
    rates = casadi.jtimes(casadi.vertcat(*values), given, moved)
    return [*values, *elements(rates)]


def _condition(trigger: Trigger) -> Reading:
    return trigger.condition if trigger.condition is not None else (lambda motion: 0.0)


def assigned(equations: Equations, t: Scalar, x: list[Scalar]) -> list[Scalar]:
    """Return the values of all assignments, one trigger after another."""
    triggers = equations.mechanism.inventory.triggers
    made = [a.value for trigger in triggers for a in trigger.assignments]
    return read(equations, t, x, made)


def sampled(equations: Equations, t: Scalar, x: list[Scalar]) -> list[Scalar]:
    """Return the inputs of all functions of the user, one after another."""
    triggers = equations.mechanism.inventory.triggers
    return read(equations, t, x, [one for trigger in triggers for one in trigger.inputs])


TRIGGERED = {"conditions": conditions, "assigned": assigned, "sampled": sampled}
