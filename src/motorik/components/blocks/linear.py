"""Linear blocks of any order: transfer functions, state spaces, critically damped filters."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import (
    Scalar,
    add,
    div,
    is_structural,
    mul,
    sqrt,
    sub,
    total,
    where,
)
from motorik.components.base import kinds
from motorik.components.base.conversions import as_numbers
from motorik.components.base.part import (
    number_resolver,
    parameter,
    signal_input,
    signal_output,
)
from motorik.components.base.ports import Port
from motorik.components.base.resolving import Values
from motorik.components.base.values import Start
from motorik.components.blocks.block import (
    Block,
    OneToOne,
    Scalars,
)
from motorik.errors import ParameterError
from motorik.numerics.tolerances import EPSILON

if TYPE_CHECKING:
    from typing_extensions import Self


def dot(factors: Sequence[Scalar], values: Scalars) -> Scalar:
    """Return Σ cᵢ xᵢ without the terms that vanish."""
    return total(*(mul(c, x) for c, x in zip(factors, values, strict=True)))


def numbered(name: str, starts: Sequence[float]) -> dict[str, Start]:
    """Return start values of the states name[1], name[2], …."""
    return {f"{name}[{i + 1}]": Start(x, True) for i, x in enumerate(starts)}


class CriticalDamping(OneToOne):
    """n filters of first order in a row: T ẋᵢ + xᵢ = xᵢ₋₁, x₀ = u, y = xₙ.

    1 / T = 2π f / α; with `normalized`, α = √(2^(1/n) − 1) and the amplitude at the cut-off
    frequency f is 1/√2, otherwise α = 1.
    """

    x = signal_output("states of the filter", size="n")
    n: kinds.Count = parameter("order", default=2)
    f: kinds.PositiveFrequency = parameter("cut-off frequency", default=1.0)
    normalized: kinds.Boolean = parameter(
        "whether f is the −3 dB frequency (half the power)", default=True
    )
    initType: kinds.InitType = parameter("how the states start", default="NoInit")
    x_start: kinds.OptionalNumbers = parameter(
        "states at the start, zero if not given", default=None
    )
    y_start: kinds.PlainNumber = parameter("output at the start", default=0.0)

    def outputs(self) -> tuple[Port, ...]:
        """Return y and x."""
        return (self.y, self.x)

    def states(self, p: Self) -> dict[str, Start]:
        """Return x[1] … x[n]."""
        if p.initType == "InitialOutput":
            return numbered("x", (p.y_start,) * p.n)
        return numbered("x", start_values(self, "x_start", p.x_start, p.n))

    def check(self, p: Self) -> None:
        """Refuse a wrong number of start values."""
        start_values(self, "x_start", p.x_start, p.n)

    def initial(self, p: Self) -> Callable[..., tuple[Scalar, ...]] | None:
        """Return the steady states, if initType is "SteadyState"."""
        return _all_at_the_input if p.initType == "SteadyState" else None

    def is_steady(self, p: Self) -> bool:
        """Return whether initType is "SteadyState"."""
        return p.initType == "SteadyState"

    @staticmethod
    def law(
        p: CriticalDamping, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return x[n], and all states."""
        return states[-1], tuple(states)

    @staticmethod
    def rates(
        p: CriticalDamping, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return (xᵢ₋₁ − xᵢ) · 2π f / α."""
        alpha = math.sqrt(2.0 ** (1.0 / p.n) - 1.0) if p.normalized else 1.0
        w = math.tau * p.f / alpha
        before = (inputs[0], *states[:-1])
        return tuple((b - x) * w for b, x in zip(before, states, strict=True))


def _all_at_the_input(p: CriticalDamping, t: Scalar, inputs: Scalars) -> tuple[Scalar, ...]:
    return (inputs[0],) * p.n


class TransferFunction(OneToOne):
    """y(s) / u(s) = (b₁ sᵐ + … ) / (a₁ sⁿ + … + aₙ₊₁), m ≤ n, in controller canonical form.

    a₁ ẋ₁ = −Σ aᵢ₊₁ xᵢ + aₑ u,  ẋᵢ = xᵢ₋₁, where aₑ = aₙ₊₁ (1 if that vanishes) scales the
    states x_scaled; x = x_scaled / aₑ.
    """

    x = signal_output("states", size=lambda part: len(part.a) - 1)
    b: kinds.Numbers = parameter("numerator, highest power first", default=(1.0,))
    a: kinds.Numbers = parameter("denominator, highest power first", default=(1.0, 1.0))
    initType: kinds.InitType = parameter("how the states start", default="NoInit")
    x_start: kinds.OptionalNumbers = parameter(
        "states at the start, zero if not given", default=None
    )
    y_start: kinds.PlainNumber = parameter(
        "output at the start, with initType InitialOutput", default=0.0
    )

    def check(self, p: Self) -> None:
        """Refuse a transfer function that is not proper."""
        if len(p.b) > len(p.a):
            raise ParameterError(
                self.label,
                f"the numerator has degree {len(p.b) - 1}, the denominator {len(p.a) - 1}.",
                "Give a denominator of at least the degree of the numerator.",
                parameter="b",
                value=p.b,
            )
        if p.a[0] == 0.0:
            raise ParameterError(
                self.label,
                "the denominator begins with 0.",
                "Leave leading zeros out.",
                parameter="a",
                value=p.a,
            )
        start_values(self, "x_start", p.x_start, len(p.a) - 1)
        if p.initType == "InitialOutput" and (
            len(p.a) == 1 or is_structural(_last_output(p), 0.0)
        ):
            raise ParameterError(
                self.label,
                f"its output does not depend on the last state, so none gives y_start = "
                f"{p.y_start:g}.",
                'Give x_start and initType="InitialState".',
                parameter="initType",
                value=p.initType,
            )

    def outputs(self) -> tuple[Port, ...]:
        """Return y and x."""
        return (self.y, self.x)

    def states(self, p: Self) -> dict[str, Start]:
        """Return x_scaled[1] … x_scaled[n]."""
        scale = _scale(p)
        starts = start_values(self, "x_start", p.x_start, len(p.a) - 1)
        return numbered("x_scaled", [mul(scale, x) for x in starts])

    def initial(self, p: Self) -> Callable[..., tuple[Scalar, ...]] | None:
        """Return the steady states, if they are required and exist."""
        if p.initType == "InitialOutput":
            return _transfer_of_output
        is_explicit = self.is_steady(p) and not is_structural(p.a[-1], 0.0)
        return _steady_transfer if is_explicit else None

    def is_steady(self, p: Self) -> bool:
        """Return whether initType is "SteadyState"."""
        return p.initType == "SteadyState" and len(p.a) > 1

    @staticmethod
    def law(
        p: TransferFunction, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return y and x."""
        b = (*(0.0,) * (len(p.a) - len(p.b)), *p.b)
        d, scale = div(b[0], p.a[0]), _scale(p)
        pairs = zip(b[1:], p.a[1:], strict=True)
        y = dot([div(sub(b_i, mul(d, a_i)), scale) for b_i, a_i in pairs], states)
        if not is_structural(d, 0.0):  # only then the output needs the input at once
            y = y + d * inputs[0]
        return y, tuple(x / scale for x in states)

    @staticmethod
    def rates(
        p: TransferFunction, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return the rates of x_scaled."""
        if len(p.a) == 1:
            return ()
        first = (_scale(p) * inputs[0] - dot(p.a[1:], states)) / p.a[0]
        return (first, *states[:-1])


def _scale(p: TransferFunction) -> Scalar:
    """Return aₑ."""
    size = sqrt(sum(c * c for c in p.a))
    return where(p.a[-1] > 100 * EPSILON * size, p.a[-1], 1.0)


def _steady_transfer(p: TransferFunction, t: Scalar, inputs: Scalars) -> tuple[Scalar, ...]:
    rest = (0.0,) * (len(p.a) - 2)
    return (*rest, _scale(p) * inputs[0] / p.a[-1])


def _transfer_of_output(
    p: TransferFunction, t: Scalar, inputs: Scalars
) -> tuple[Scalar, ...]:
    """Return states with the output y_start, all but the first of which rest."""
    d = div(p.b[0], p.a[0]) if len(p.b) == len(p.a) else 0.0
    direct = 0.0 if is_structural(d, 0.0) else d * inputs[0]
    last = (p.y_start - direct) * _scale(p) / _last_output(p)
    return (*(0.0,) * (len(p.a) - 2), last)


def _last_output(p: TransferFunction) -> Scalar:
    """Return the contribution of the last state of x to the output."""
    d = div(p.b[0], p.a[0]) if len(p.b) == len(p.a) else 0.0
    return sub(p.b[-1], mul(d, p.a[-1]))


class StateSpace(Block):
    """A linear system: ẋ = A x + B u, y = C x + D u.

    initType "SteadyState" starts where ẋ = 0, "InitialOutput" where y = y_start and, as near as
    that leaves it, ẋ = 0.
    """

    u = signal_input("input", size=lambda part: len(part.B[0]))
    y = signal_output("output", size="C")
    x = signal_output("states", size="A")
    A: kinds.Table = parameter("from states to their rates", default=((0.0,),))
    B: kinds.Table = parameter("from inputs to the rates of the states", default=((1.0,),))
    C: kinds.Table = parameter("from states to outputs", default=((1.0,),))
    D: kinds.OptionalTable = parameter(
        "from inputs to outputs, zero if not given", default=None
    )
    initType: kinds.InitType = parameter("how the states start", default="NoInit")
    x_start: kinds.OptionalNumbers = parameter(
        "states at the start, zero if not given", default=None
    )

    y_start: kinds.OptionalNumbers = parameter(
        "outputs at the start, with initType InitialOutput, zero if not given", default=None
    )

    def check(self, p: Self) -> None:
        """Refuse matrices that do not fit one another."""
        n, inputs, outputs = len(p.A), len(p.B[0]), len(p.C)
        D = _direct(p)
        wanted = {
            "A": (p.A, n, n),
            "B": (p.B, n, inputs),
            "C": (p.C, outputs, n),
            "D": (D, outputs, inputs),
        }
        for name, (matrix, rows, columns) in wanted.items():
            if len(matrix) != rows or len(matrix[0]) != columns:
                raise ParameterError(
                    self.label,
                    f"{name} is {len(matrix)} × {len(matrix[0])}, not {rows} × {columns}.",
                    f"A is {n} × {len(p.A[0])}, B {len(p.B)} × {inputs} and C {outputs} × "
                    f"{len(p.C[0])}: make them fit.",
                    parameter=name,
                    value=matrix,
                )
        start_values(self, "x_start", p.x_start, n)
        start_values(self, "y_start", p.y_start, outputs)
        if p.initType == "InitialOutput" and np.linalg.matrix_rank(p.C) < outputs:
            raise ParameterError(
                self.label,
                "the rows of C depend on one another, so that no states give any outputs.",
                'Give x_start and initType="InitialState".',
                parameter="initType",
                value=p.initType,
            )

    def inputs(self) -> tuple[Port, ...]:
        """Return the elements of u."""
        return self.u.elements

    def outputs(self) -> tuple[Port, ...]:
        """Return y and x."""
        return (self.y, self.x)

    def states(self, p: Self) -> dict[str, Start]:
        """Return x[1] … x[n]."""
        return numbered("x", start_values(self, "x_start", p.x_start, len(p.A)))

    def is_steady(self, p: Self) -> bool:
        """Return whether initType is "SteadyState"."""
        return p.initType == "SteadyState"

    def initial(self, p: Self) -> Callable[..., tuple[Scalar, ...]] | None:
        """Return the states that follow from the outputs at the start."""
        if p.initType != "InitialOutput":
            return None
        present = self.resolved(number_resolver)
        matrices = present.A, present.B, present.C, _direct(present)
        return partial(
            _space_of_output,
            _output_solution(*(np.array(one, dtype=float) for one in matrices)),
            start_values(self, "y_start", p.y_start, len(p.C)),
        )

    @staticmethod
    def law(
        p: StateSpace, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return C x + D u, and x."""
        y = [dot(row, states) for row in p.C]
        for i, row in enumerate(_direct(p)):
            y[i] = add(y[i], dot(row, inputs))
        return tuple(y), tuple(states)

    @staticmethod
    def rates(
        p: StateSpace, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return A x + B u."""
        rows = zip(p.A, p.B, strict=True)
        return tuple(dot(a, states) + dot(b, inputs) for a, b in rows)


def _output_solution(
    A: np.ndarray, B: np.ndarray, C: np.ndarray, D: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return X and Y of x = X u + Y y, the x with y = C x + D u and the least ‖A x + B u‖."""
    n, inputs, outputs = len(A), B.shape[1], len(C)
    particular = np.linalg.pinv(C)
    free = np.eye(n) - particular @ C
    correction = free @ np.linalg.pinv(A @ free)
    of_u = -particular @ D
    of_u = of_u - correction @ (A @ of_u + B)
    of_y = particular - correction @ A @ particular
    return of_u.reshape(n, inputs), of_y.reshape(n, outputs)


def _space_of_output(
    solution: tuple[np.ndarray, np.ndarray],
    y: Sequence[float],
    p: StateSpace,
    t: Scalar,
    inputs: Scalars,
) -> tuple[Scalar, ...]:
    of_u, of_y = (part.tolist() for part in solution)
    u = list(inputs[:])
    return tuple(
        add(dot(own, u), dot(by_y, y)) for own, by_y in zip(of_u, of_y, strict=True)
    )


def _direct(p: Values) -> Sequence[Sequence[Scalar]]:
    """Return D, zero if it was not given."""
    return ((0.0,) * len(p.B[0]),) * len(p.C) if p.D is None else p.D


def start_values(part: Block, name: str, given: object, count: int) -> tuple[float, ...]:
    """Return start values of `count` states."""
    is_empty = count == 0 and isinstance(given, (tuple, list)) and not given
    if given is None or is_empty:
        return (0.0,) * count
    values = as_numbers(part.label, name, "", given)
    if len(values) != count:
        raise ParameterError(
            part.label,
            f"{name} has {len(values)} values for {count} states.",
            f"Give {count} numbers.",
            parameter=name,
            value=given,
        )
    return values
