"""Blocks that read tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from motorik.algebra import scalar as s
from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.declarations import parameter, signal_output
from motorik.components.base.interpolation import line
from motorik.components.base.part import Part
from motorik.components.base.ports import Port
from motorik.components.blocks.block import Block, Scalars
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self


def _count(part: Part) -> int:
    """Return the number of outputs of a table."""
    columns, table = part.__dict__["columns"], part.__dict__["table"]
    if columns is not None and not (isinstance(columns, (tuple, list)) and columns):
        raise ParameterError(
            part.label,
            f"columns = {columns!r} is not a list of columns.",
            "Give whole numbers from 2 on, e.g. columns=(2, 3), or None for all.",
            parameter="columns",
            value=columns,
        )
    return len(table[0]) - 1 if columns is None else len(columns)


class CombiTimeTable(Block):
    """Values of a table over time, interpolated linearly: y[k] is column columns[k].

    Rows are (time since startTime, values …); two rows of one time make a step there. Before
    startTime y is its offset. Beyond its ends the table holds its last row, is extrapolated
    from the last two, or is repeated.
    """

    y = signal_output("the values", size=_count)
    table: kinds.TimeTable = parameter(
        "rows (time, values …)", default=((0.0, 0.0), (1.0, 1.0))
    )
    columns: kinds.OptionalNumbers = parameter(
        "columns of the outputs, from 2 on; None for all", default=None
    )
    offset: kinds.Number = parameter("added to all values", default=0.0)
    startTime: kinds.Time = parameter("time at which the table begins", default=0.0)
    extrapolation: kinds.Extrapolation = parameter(
        "extrapolation beyond the ends", default="LastTwoPoints"
    )

    def check(self, p: Self) -> None:
        """Refuse columns that the table does not have."""
        last = len(p.table[0])
        for column in p.columns or ():
            if column not in range(2, last + 1):
                raise ParameterError(
                    self.label,
                    f"columns = {p.columns!r}: the table has no column {column!r} of values.",
                    f"Give whole numbers from 2 to {last}.",
                    parameter="columns",
                    value=p.columns,
                )

    def outputs(self) -> tuple[Port, ...]:
        """Return the elements of y."""
        return self.y.elements

    @staticmethod
    def law(
        p: CombiTimeTable, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return the values at t."""
        columns = range(2, len(p.table[0]) + 1) if p.columns is None else p.columns
        since = t - p.startTime
        first, last = p.table[0][0], p.table[-1][0]
        if p.extrapolation == "Periodic" and last > first:
            turns = s.floor((since - first) / (last - first))
            since = since - turns * (last - first)
        holds = p.extrapolation == "HoldLastPoint"
        return tuple(
            p.offset
            + s.where(t < p.startTime, 0.0, _value(p.table, int(c) - 1, since, holds))
            for c in columns
        )


def _value(
    rows: Sequence[Sequence[float]], column: int, time: Scalar, holds: bool
) -> Scalar:
    """Return the value of a column at a time; behind a step that of its second row."""
    pairs = [(a, b) for a, b in pairwise(rows) if a[0] < b[0]]
    value: Scalar = rows[0][column] if holds or not pairs else line(*pairs[0], time, column)
    for left, right in pairs if holds else pairs[1:]:
        value = s.where(time < left[0], value, line(left, right, time, column))
    if holds or (len(rows) > 1 and rows[-1][0] == rows[-2][0]):
        value = s.where(time < rows[-1][0], value, rows[-1][column])
    return value
