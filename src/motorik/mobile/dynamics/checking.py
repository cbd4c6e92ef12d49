"""Checks of variables, chain and sub-chains before equations are built from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from motorik.algebra.linear_system import IndefiniteError
from motorik.algebra.scalar import Scalar, is_number
from motorik.errors import AssemblyError
from motorik.mobile.dynamics.subchains import find_subchain, flatten
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.transmission import Element, State
from motorik.mobile.states.variable import StateVariable
from motorik.numerics.tolerances import ASYMMETRY


def name_of(state: State) -> str:
    """Return the name of a state object, or its kind."""
    return state.name or repr(state)


def check_variables(
    variables: Sequence[StateVariable], chain: Element, frame: Frame | None
) -> None:
    """Refuse variables that cannot be coordinates, and gravity in a frame that moves."""
    given = {id(state) for state in chain.inputs}
    moved = {id(state) for state in chain.outputs}
    if len({id(variable) for variable in variables}) < len(variables):
        names = ", ".join(map(name_of, variables))
        raise AssemblyError(
            "EquationBuilder", f"a variable is named twice: {names}.", "Name it once."
        )
    for variable in variables:
        if id(variable) in moved:
            raise AssemblyError(
                name_of(variable),
                "is moved by the chain and cannot be a generalised coordinate.",
                "Give the variables that the chain reads and nothing in it moves.",
            )
        if id(variable) not in given:
            raise AssemblyError(
                name_of(variable),
                "moves nothing in the chain.",
                "Append the joint it moves to the chain, or leave it out.",
            )
    if frame is not None and id(frame) in moved:
        raise AssemblyError(
            repr(frame),
            "is moved by the chain, so gravity cannot be given in its axes.",
            "Give the frame at rest.",
        )


def check_subchains(
    variables: Sequence[StateVariable], chain: Element, subchains: Sequence[Element]
) -> None:
    """Refuse sub-chains too few, too many, or without an element that they need."""
    if len(subchains) != len(variables):
        raise AssemblyError(
            "EquationBuilder",
            f"{len(subchains)} sub-chains are given for {len(variables)} variables.",
            "Give one for each variable, or leave them out.",
        )
    for variable, subchain in zip(variables, subchains, strict=True):
        there = {id(part) for part in flatten(subchain)}
        for part in flatten(find_subchain(chain, variable)):
            if id(part) not in there:
                raise AssemblyError(
                    f"sub-chain of {name_of(variable)}",
                    f"{part!r} is missing, although {name_of(variable)} affects it.",
                    "Use `find_subchains`, or give all that the variable moves and all "
                    "that this rests on.",
                )


def check_symmetry(
    variables: Sequence[StateVariable], M: Sequence[Sequence[Scalar]]
) -> None:
    """Refuse a mass matrix that is not symmetric: an element transmits forces wrongly."""
    for i, first in enumerate(variables):
        for j, second in enumerate(variables[:i]):
            entries = M[i][j], M[j][i], M[i][i], M[j][j]
            if not all(is_number(entry) for entry in entries):
                continue
            if abs(M[i][j] - M[j][i]) > ASYMMETRY * (abs(M[i][i]) + abs(M[j][j])):
                raise AssemblyError(
                    f"{name_of(second)}, {name_of(first)}",
                    f"the mass matrix is not symmetric: {M[i][j]:.9g} and {M[j][i]:.9g}.",
                    "The force of an element between them is not the transpose of its motion; "
                    "use `check_element` on the elements you have written.",
                )


def refuse_inertia(variable: StateVariable, error: IndefiniteError) -> NoReturn:
    """Refuse a variable whose motion no mass resists."""
    given, left = error.given, error.left
    if given > 0.0:
        why = f"moves no mass together with others: of its inertia {given:.6g} {left:.3g} is left."
    else:
        why = f"nothing resists its motion: its inertia is {given:.6g}."
    raise AssemblyError(
        name_of(variable),
        why,
        "Give mass and inertia to what it moves, or remove it from the variables.",
    ) from error
