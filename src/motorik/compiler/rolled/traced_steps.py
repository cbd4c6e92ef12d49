"""Traced steps: a step of an algorithm as one routine for all calls that differ only in data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from motorik.compiler.flattening import flatten, fold_numbers, unflatten
from motorik.compiler.straight.code import StraightCode, read_function
from motorik.errors import CompileError
from motorik.immutable import immutable

Step = Callable[..., Any]
Kind = Literal["slot", "number", "fresh"]


class Origin(NamedTuple):
    """Where a scalar comes from: plus or minus a slot, a number or a fresh result.

    `number` counts the distinct slots that a call is given, its distinct numbers, or its
    fresh results.
    """

    kind: Kind
    number: int
    sign: float


@dataclass(eq=False)
class Routine:
    """The code that calls of one pattern share.

    `code` reads the slots of a call as argument 0 and its numbers as argument 1, and
    writes its `n_fresh` results to argument 2.
    """

    name: str
    code: StraightCode
    n_fresh: int


@dataclass(eq=False)
class RoutineCall:
    """One call of a shape: the slots and numbers it is given, and the slots it fills."""

    shape: Routine
    slots: tuple[int, ...]
    numbers: tuple[float, ...]
    fresh: tuple[int, ...]


@immutable(eq=False)
class Traced:
    """A step traced for one pattern of arguments: its routine and its results.

    `results` are where those scalars of the result come from that are no numbers.
    """

    shape: Routine
    results: list[Origin]
    structure: Any


def trace_step(step: Step, structure: object, pattern: Sequence[float | Origin]) -> Traced:
    """Run a step on symbols and return its code; `pattern` has an entry for each scalar.

    A result that is minus another one, or minus an argument, is not computed: it is known
    as such to those who read it.
    """
    import casadi

    name = getattr(step, "__qualname__", repr(step))
    symbols: dict[tuple[str, int], Any] = {}
    scalars: list[Any] = []
    for entry in pattern:
        if isinstance(entry, Origin):
            key = (entry.kind, entry.number)
            if key not in symbols:
                symbols[key] = casadi.SX.sym(f"{entry.kind}{entry.number}")
            scalars.append(symbols[key] if entry.sign > 0 else -symbols[key])
        else:
            scalars.append(entry)
    leaves: list[Any] = []
    result = flatten(step(*unflatten(structure, scalars)), casadi.SX, leaves)
    _check_results(name, leaves)
    kinds: tuple[Kind, Kind] = ("slot", "number")
    given = [[s for (kind, _), s in symbols.items() if kind == own] for own in kinds]
    columns = [casadi.vertcat(casadi.SX(0, 1), *column) for column in (*given, leaves)]
    code = read_function(casadi.Function("step", columns[:2], columns[2:]))
    value_at = {element: value for _, element, value in code.outputs}
    fresh: dict[int, int] = {}
    origins: list[float | Origin] = []
    for element in range(len(leaves)):
        value, sign = value_at[element], 1.0
        if code.operation[value] == "neg":
            value, sign = code.left[value], -1.0
        if code.operation[value] == "const":
            origins.append(sign * code.constants[value])
        elif code.operation[value] == "input":
            origins.append(Origin(kinds[code.left[value]], code.right[value], sign))
        else:
            number = fresh.setdefault(value, len(fresh))
            origins.append(Origin("fresh", number, sign))
    code = code.only([(2, number, value) for value, number in fresh.items()])
    computed = [origin for origin in origins if isinstance(origin, Origin)]
    structure = fold_numbers(result, iter(origins))
    return Traced(Routine(name, code, len(fresh)), computed, structure)


def _check_results(step: str, leaves: Sequence[Any]) -> None:
    for leaf in leaves:
        if not isinstance(leaf, float) and leaf.numel() != 1:
            raise CompileError(
                step,
                f"returns a matrix of {leaf.shape[0]} × {leaf.shape[1]} symbols",
                "Return its elements one by one.",
            )
