"""Jacobians of any element: by columns from its motion, by rows from its forces."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from motorik.algebra.scalar import Scalar
from motorik.mobile.arguments import checked_function
from motorik.mobile.states.preserved import preserved
from motorik.mobile.states.transmission import Element, State, Subtask
from motorik.mobile.states.variable import StateVariable

Rows = list[list[Scalar]]


@checked_function
def jacobian_by_columns(
    element: Element, variables: Sequence[StateVariable], outputs: Sequence[State]
) -> Rows:
    """Return ∂(outputs)/∂(variables), row by row, found column by column.

    A unit acceleration of one variable, all other inputs at rest, gives one column by the
    EULER subtask (Kecskeméthy 1999, eq. 4.3). A frame has six rows: angular, then linear.
    """
    with preserved(element.touched):
        for state in element.inputs:
            state.clear_acceleration()
        return columns(lambda: element.motion(Subtask.EULER), variables, outputs)


def columns(
    transmit: Callable[[], None],
    variables: Sequence[StateVariable],
    outputs: Sequence[State],
) -> Rows:
    """Return the Jacobian of a transmission of accelerations, all inputs being at rest."""
    found = []
    for variable in variables:
        variable.qdd = 1.0
        transmit()
        found.append([entry for state in outputs for entry in state.acceleration_entries])
        variable.qdd = 0.0
    return [list(row) for row in zip(*found, strict=True)]


@checked_function
def jacobian_by_rows(
    element: Element, variables: Sequence[StateVariable], outputs: Sequence[State]
) -> Rows:
    """Return ∂(outputs)/∂(variables) as `jacobian_by_columns` does, found row by row.

    A unit force on one component of the outputs, all else without load, gives one row by
    the EXTERNAL subtask (Kecskeméthy 1999, eq. 4.4).
    """
    rows: Rows = []
    with preserved(element.touched):
        for output in outputs:
            for index in range(len(output.acceleration_entries)):
                element.clear_forces()
                output.load_along(index)
                element.force(Subtask.EXTERNAL)
                rows.append([variable.Q for variable in variables])
    return rows
