"""Closed forms on their own: bodies and hinges numbered within, so that equal ones share code."""

from __future__ import annotations

from dataclasses import dataclass, replace

from motorik.algebra.scalar import Scalar, add, mul
from motorik.loops.closed_form import Hinge, KnownPoses
from motorik.loops.closed_form.step import ClosedFormStep
from motorik.loops.formulation import ClosedForm, continuous
from motorik.loops.rows import split_symbols
from motorik.motion.steps import radians


@dataclass(frozen=True)
class FormAlike:
    """A closed form on its own: bodies and hinges are numbered, the root is body 0.

    `outputs` are the hinges whose coordinates it gives; `winding` gives the coordinates with
    which these wind.
    """

    hinges: tuple[Hinge, ...]
    independent: tuple[int, ...]
    steps: tuple[ClosedFormStep, ...]
    outputs: tuple[int, ...]
    winding: tuple[tuple[tuple[int, float], ...], ...]


def form_alike(form: ClosedForm) -> tuple[FormAlike, tuple[int, ...]]:
    """Return a closed form on its own, and the coordinates that it gives, in their order."""
    body = {form.root: 0}
    for hinge in form.hinges.values():
        for own in (hinge.a, hinge.b):
            body.setdefault(own, len(body))
    number = {index: n for n, index in enumerate(form.hinges)}
    table = {
        index: replace(
            hinge,
            index=number[index],
            a=body[hinge.a],
            b=body[hinge.b],
            state_priority=0,
            name="",
        )
        for index, hinge in form.hinges.items()
    }
    given = set(form.plan.independent)
    hinge_of = {k: h for h, k in form.coordinate.items()}
    outputs = [h for h in form.coordinate if h not in given]
    winding = [
        tuple(
            (number[hinge_of[k]], float(sign))
            for k, sign in form.winding.get(form.coordinate[h], ())
        )
        for h in outputs
    ]
    made = FormAlike(
        tuple(table.values()),
        tuple(number[h] for h in form.plan.independent),
        tuple(step.with_hinges(table) for step in form.plan.steps),
        tuple(number[h] for h in outputs),
        tuple(winding),
    )
    return made, tuple(form.coordinate[h] for h in outputs)


def run_form(
    form: FormAlike,
    known: tuple[Scalar, ...],
    sides: tuple[Scalar, ...],
    references: tuple[Scalar | None, ...],
) -> tuple[list[Scalar], list[Scalar]]:
    """Return the coordinates that a closed form gives, and its margins to dead centres.

    `references` are those of turning coordinates, about which they are within half a turn.
    """
    walk = KnownPoses(0, form.hinges, dict(zip(form.independent, known, strict=True)))
    margins: list[Scalar] = []
    for step, side in zip(form.steps, sides, strict=True):
        solution = walk.solve(step, side)
        walk.learn(solution)
        margins.append(solution.margin)
    values: dict[int, Scalar] = dict(zip(form.independent, known, strict=True))
    for hinge, near, winding in zip(form.outputs, references, form.winding, strict=True):
        if near is not None:
            for other, sign in winding:
                near = add(near, mul(sign, radians(values[other])))
        values[hinge] = continuous(walk.coordinates[hinge], near)
    return [values[h] for h in form.outputs], margins


def form_margins(
    form: FormAlike,
    known: tuple[Scalar, ...],
    rates: tuple[Scalar, ...],
    sides: tuple[Scalar, ...],
) -> tuple[list[Scalar], list[Scalar]]:
    """Return the margins of a closed form to its dead centres, and their rates.

    `rates` are those of the known coordinates.
    """
    import casadi

    column = casadi.SX.sym("q", len(known))
    free = (None,) * len(form.outputs)
    margins = casadi.vertcat(*run_form(form, tuple(split_symbols(column)), sides, free)[1])
    moved = casadi.jtimes(margins, column, casadi.vertcat(*rates))
    given = casadi.vertcat(*map(radians, known))
    margins, moved = casadi.substitute([margins, moved], [column], [given])
    return split_symbols(margins), split_symbols(moved)
