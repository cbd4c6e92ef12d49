"""Blocks that read tables.

The curves of Modelica's tables: `smoothness` "LinearSegments", "ConstantSegments" (the value of the
row before), "ContinuousDerivative" (Akima 1970), "MonotoneContinuousDerivative1" (Fritsch and
Butland 1984), "MonotoneContinuousDerivative2" (Steffen 1990) and "ModifiedContinuousDerivative"
(Akima's weights, without overshoot beside flat parts). Beyond its ends a table is continued along
its slope there (`extrapolation` "LastTwoPoints"), holds its last row ("HoldLastPoint"), is repeated
("Periodic"), or gives no number, so that the run ends and names the block ("NoExtrapolation").

A table is data, not code: models compile in the same time with any number of rows. Steps of a run
end where a value or a slope jumps.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from motorik.algebra import scalar as s
from motorik.algebra.scalar import Scalar
from motorik.components.base import kinds
from motorik.components.base.declarations import parameter, signal_input, signal_output
from motorik.components.base.interpolation import SLOPES, make_curves, make_surface
from motorik.components.base.part import Part, Values
from motorik.components.base.ports import Port
from motorik.components.blocks.block import Block, Scalars, Source
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


def _check_columns(part: Part, p: Values) -> None:
    """Refuse columns that the table does not have."""
    last = len(p.table[0])
    for column in p.columns or ():
        if column not in range(2, last + 1):
            raise ParameterError(
                part.label,
                f"columns = {p.columns!r}: the table has no column {column!r} of values.",
                f"Give whole numbers from 2 to {last}.",
                parameter="columns",
                value=p.columns,
            )


def _check_places(part: Part, p: Values) -> None:
    """Refuse steps within smooth curves, and tables that are repeated without a period."""
    places = [row[0] for row in p.table]
    for k, (a, b) in enumerate(pairwise(places), 2):
        if a == b and p.smoothness in SLOPES:
            raise ParameterError(
                part.label,
                f"table has a step at {a:g}, in row {k}, and smoothness = {p.smoothness!r}.",
                'Give rising places, or smoothness="LinearSegments".',
                parameter="table",
                value=b,
            )
    if p.extrapolation == "Periodic" and not places[-1] > places[0]:
        raise ParameterError(
            part.label,
            f"table cannot be repeated: all its rows are at {places[0]:g}.",
            'Give two places or more, or another extrapolation, e.g. "HoldLastPoint".',
            parameter="table",
            value=places[0],
        )


def _columns(p: Values) -> tuple[int, ...]:
    """Return the columns of the outputs, counted from zero."""
    columns = range(2, len(p.table[0]) + 1) if p.columns is None else p.columns
    return tuple(int(column) - 1 for column in columns)


# --- over time ---------------------------------------------------------------------------------


def _over_time(
    p: Values, t: Scalar, columns: tuple[int, ...], smoothness: str, extrapolation: str
) -> tuple[Scalar, ...]:
    """Return the values of columns at t, with their offset."""
    curves = make_curves(p.table, columns, smoothness, extrapolation, p.timeScale)
    shift = p.startTime if p.shiftTime is None else p.shiftTime
    values = [s.where(t < p.startTime, 0.0, value) for value in curves(t - shift)]
    offsets = p.offset if isinstance(p.offset, tuple) else (p.offset,)
    if len(offsets) == 1:
        offsets = offsets * len(values)
    return tuple(offset + value for offset, value in zip(offsets, values, strict=True))


class TimeTable(Source):
    """Values of a table over time: y = offset + the line through its rows at time t − shiftTime.

    Rows are (time, value), times in units of `timeScale`; two rows of one time make a step there.
    Before startTime y is its offset; behind the end the last two rows lead on.
    """

    table: kinds.TimeTable = parameter(
        "rows (time, value)", default=((0.0, 0.0), (1.0, 1.0))
    )
    timeScale: kinds.PlainDuration = parameter(
        "unit of the times in the table", default=1.0
    )
    offset: kinds.Number = parameter("added to the values", default=0.0)
    startTime: kinds.Time = parameter("time until which y is its offset", default=0.0)
    shiftTime: kinds.OptionalTime = parameter(
        "time of the origin of the table; None for startTime", default=None
    )

    def check(self, p: Self) -> None:
        """Refuse a table of several columns."""
        if len(p.table[0]) != 2:
            raise ParameterError(
                self.label,
                f"table has {len(p.table[0])} columns, not 2.",
                "Give rows (time, value), or take a CombiTimeTable.",
                parameter="table",
                value=len(p.table[0]),
            )

    @staticmethod
    def law(
        p: TimeTable, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return the value at t."""
        return _over_time(p, t, (1,), "LinearSegments", "LastTwoPoints")


class CombiTimeTable(Block):
    """Values of a table over time: y[k] = offset[k] + column columns[k] at t − shiftTime.

    Rows are (time, values …), times in units of `timeScale`; two rows of one time make a step
    there. Before startTime y is its offset.
    """

    y = signal_output("the values", size=_count)
    table: kinds.TimeTable = parameter(
        "rows (time, values …)", default=((0.0, 0.0), (1.0, 1.0))
    )
    columns: kinds.OptionalNumbers = parameter(
        "columns of the outputs, from 2 on; None for all", default=None
    )
    smoothness: kinds.Smoothness = parameter(
        "curve through the rows", default="LinearSegments"
    )
    extrapolation: kinds.Extrapolation = parameter(
        "extrapolation beyond the ends", default="LastTwoPoints"
    )
    timeScale: kinds.PlainDuration = parameter(
        "unit of the times in the table", default=1.0
    )
    offset: kinds.NumberOrNumbers = parameter(
        "added to all values, or one number for each", default=0.0
    )
    startTime: kinds.Time = parameter("time until which y is its offset", default=0.0)
    shiftTime: kinds.OptionalTime = parameter(
        "time of the origin of the table; None for startTime", default=None
    )

    def check(self, p: Self) -> None:
        """Refuse columns that the table does not have, and curves that do not exist."""
        _check_columns(self, p)
        _check_places(self, p)
        count = len(_columns(p))
        if isinstance(p.offset, tuple) and len(p.offset) not in (1, count):
            raise ParameterError(
                self.label,
                f"offset has {len(p.offset)} numbers, and y {count}.",
                "Give one number, or one for each element of y.",
                parameter="offset",
                value=p.offset,
            )

    def outputs(self) -> tuple[Port, ...]:
        """Return the elements of y."""
        return self.y.elements

    @staticmethod
    def law(
        p: CombiTimeTable, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return the values at t."""
        return _over_time(p, t, _columns(p), p.smoothness, p.extrapolation)


# --- over signals ------------------------------------------------------------------------------


class CombiTable1Ds(Block):
    """Values of a table over one signal: y[k] is column columns[k] at u.

    Rows are (u, values …) with rising u.
    """

    u = signal_input("input")
    y = signal_output("the values", size=_count)
    table: kinds.CurveTable = parameter(
        "rows (u, values …)", default=((0.0, 0.0), (1.0, 1.0))
    )
    columns: kinds.OptionalNumbers = parameter(
        "columns of the outputs, from 2 on; None for all", default=None
    )
    smoothness: kinds.Smoothness = parameter(
        "curve through the rows", default="LinearSegments"
    )
    extrapolation: kinds.Extrapolation = parameter(
        "extrapolation beyond the ends", default="LastTwoPoints"
    )

    def check(self, p: Self) -> None:
        """Refuse columns that the table does not have, and curves that do not exist."""
        _check_columns(self, p)
        _check_places(self, p)

    def inputs(self) -> tuple[Port, ...]:
        """Return u."""
        return (self.u,)

    def outputs(self) -> tuple[Port, ...]:
        """Return the elements of y."""
        return self.y.elements

    @staticmethod
    def law(
        p: CombiTable1Ds, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return the values at u."""
        curves = make_curves(p.table, _columns(p), p.smoothness, p.extrapolation)
        return tuple(curves(inputs[0]))


class CombiTable1Dv(Block):
    """Values of a table over several signals: y[k] is column columns[k] at u[k].

    Rows are (u, values …) with rising u.
    """

    u = signal_input("inputs, as many as outputs", size=_count)
    y = signal_output("the values", size=_count)
    table: kinds.CurveTable = parameter(
        "rows (u, values …)", default=((0.0, 0.0), (1.0, 1.0))
    )
    columns: kinds.OptionalNumbers = parameter(
        "columns of the outputs, from 2 on; None for all", default=None
    )
    smoothness: kinds.Smoothness = parameter(
        "curve through the rows", default="LinearSegments"
    )
    extrapolation: kinds.Extrapolation = parameter(
        "extrapolation beyond the ends", default="LastTwoPoints"
    )

    def check(self, p: Self) -> None:
        """Refuse columns that the table does not have, and curves that do not exist."""
        _check_columns(self, p)
        _check_places(self, p)

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of u."""
        return self.u.elements

    def outputs(self) -> tuple[Port, ...]:
        """Return the elements of y."""
        return self.y.elements

    @staticmethod
    def law(
        p: CombiTable1Dv, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return the value of each column at its own input."""
        return tuple(
            make_curves(p.table, (column,), p.smoothness, p.extrapolation)(u)[0]
            for column, u in zip(_columns(p), inputs, strict=True)
        )


# --- over two signals --------------------------------------------------------------------------


SURFACES = ("LinearSegments", "ConstantSegments", "ContinuousDerivative")


def _check_surface(part: Part, smoothness: str) -> None:
    """Refuse curves that no surface is made of."""
    if smoothness not in SURFACES:
        raise ParameterError(
            part.label,
            f"smoothness = {smoothness!r} is not defined for a table over two signals.",
            f"Give one of {', '.join(SURFACES)}.",
            parameter="smoothness",
            value=smoothness,
        )


def _over_two(p: Values, u1: Sequence[Scalar], u2: Sequence[Scalar]) -> tuple[Scalar, ...]:
    """Return the values of a table at pairs of signals."""
    surface = make_surface(p.table, p.smoothness, p.extrapolation)
    return tuple(surface(a, b) for a, b in zip(u1, u2, strict=True))


class CombiTable2Ds(Block):
    """Value of a table over two signals: y at (u1, u2).

    The first column holds the places along u1, the first row those along u2, both rising from
    the second entry on; the first entry of all is not used. In each cell y is bilinear, constant,
    or a bicubic polynomial with continuous slopes (Akima 1974).
    """

    u1 = signal_input("first input: along the first column")
    u2 = signal_input("second input: along the first row")
    y = signal_output("the value")
    table: kinds.SurfaceTable = parameter(
        "first row (0, u2 …), then rows (u1, values …)",
        default=((0.0, 0.0, 1.0), (0.0, 0.0, 0.0), (1.0, 0.0, 1.0)),
    )
    smoothness: kinds.Smoothness = parameter(
        "surface through the values", default="LinearSegments"
    )
    extrapolation: kinds.Extrapolation = parameter(
        "extrapolation beyond the edges", default="LastTwoPoints"
    )

    def check(self, p: Self) -> None:
        """Refuse surfaces that do not exist."""
        _check_surface(self, p.smoothness)

    def inputs(self) -> tuple[Port, ...]:
        """Return u1 and u2."""
        return (self.u1, self.u2)

    def outputs(self) -> tuple[Port, ...]:
        """Return y."""
        return (self.y,)

    @staticmethod
    def law(
        p: CombiTable2Ds, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return the value at (u1, u2)."""
        return _over_two(p, inputs[:1], inputs[1:])


class CombiTable2Dv(Block):
    """Values of a table over pairs of signals: y[k] at (u1[k], u2[k]), see `CombiTable2Ds`."""

    u1 = signal_input("first inputs: along the first column", size="n")
    u2 = signal_input("second inputs: along the first row", size="n")
    y = signal_output("the values", size="n")
    n: kinds.Count = parameter("number of pairs", default=1)
    table: kinds.SurfaceTable = parameter(
        "first row (0, u2 …), then rows (u1, values …)",
        default=((0.0, 0.0, 1.0), (0.0, 0.0, 0.0), (1.0, 0.0, 1.0)),
    )
    smoothness: kinds.Smoothness = parameter(
        "surface through the values", default="LinearSegments"
    )
    extrapolation: kinds.Extrapolation = parameter(
        "extrapolation beyond the edges", default="LastTwoPoints"
    )

    def check(self, p: Self) -> None:
        """Refuse surfaces that do not exist."""
        _check_surface(self, p.smoothness)

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of u1, then those of u2."""
        return (*self.u1.elements, *self.u2.elements)

    def outputs(self) -> tuple[Port, ...]:
        """Return the elements of y."""
        return self.y.elements

    @staticmethod
    def law(
        p: CombiTable2Dv, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return the value of each pair."""
        return _over_two(p, inputs[: p.n], inputs[p.n :])
