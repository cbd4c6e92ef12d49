"""Blocks that read tables.

The curves of Modelica's tables: `smoothness` "LinearSegments", "ConstantSegments" (the value of the
row before), "ContinuousDerivative" (Akima 1970), "MonotoneContinuousDerivative1" (Fritsch and
Butland 1984), "MonotoneContinuousDerivative2" (Steffen 1990) and "ModifiedContinuousDerivative"
(Akima's weights, without overshoot beside flat parts). Beyond its ends a table holds its last row
(`extrapolation` "HoldLastPoint"), is continued along its end slope ("LastTwoPoints"), is repeated
("Periodic"), or gives no number, so that the run ends with a message ("NoExtrapolation").

A table is data, not code: models compile in the same time with any number of rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from motorik.algebra import scalar as s
from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.declarations import parameter, signal_output
from motorik.components.base.interpolation import SLOPES, make_table
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
    """Values of a table over time: y[k] = offset + column columns[k] at time t − shiftTime.

    Rows are (time, values …), times in units of `timeScale`; two rows of one time make a step
    there. Before startTime y is its offset. Steps of a run end at kinks and jumps.
    """

    y = signal_output("the values", size=_count)
    table: kinds.TimeTable = parameter(
        "rows (time, values …)", default=((0.0, 0.0), (1.0, 1.0))
    )
    columns: kinds.OptionalNumbers = parameter(
        "columns of the outputs, from 2 on; None for all", default=None
    )
    offset: kinds.Number = parameter("added to all values", default=0.0)
    startTime: kinds.Time = parameter("before it y is its offset", default=0.0)
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
        columns = tuple(int(c) - 1 for c in columns)
        table = make_table(p.table, columns, "LinearSegments", p.extrapolation)
        since = t - p.startTime
        return tuple(
            p.offset + s.where(t < p.startTime, 0.0, value) for value in table(since)
        )
