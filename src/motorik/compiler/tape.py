"""Tapes: an algorithm recorded as calls of steps, so that equal steps share their code.

An algorithm is written once, with every piece of arithmetic inside a step:

    velocity = tape.call(step, joint, velocity, q[i])

`StraightTape` runs the steps at once on whatever scalars it has: numbers give numbers,
CasADi symbols give straight-line code. `Tape` hands out opaque slots instead, traces a
step once for each *shape* of call, and compiles to a program that is a table of calls of
these shapes: a chain of a thousand links has the code of a few.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from motorik.compiler.function import NativeFunction
from motorik.compiler.leaves import put_together, take_apart
from motorik.compiler.straight import StraightCode, read_function
from motorik.errors import CompileError

Step = Callable[..., Any]

#: Numbers that a step is traced with; any other becomes data, and equal shapes share code.
STRUCTURAL = (0.0, 1.0, -1.0)


class Slot:
    """A number that a program will compute; only a step can do arithmetic with it."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number

    def __repr__(self) -> str:
        return f"Slot({self.number})"

    def _refuse(self, *_: Any) -> Any:
        raise CompileError(
            repr(self),
            "is used in arithmetic outside of a step",
            "Put the arithmetic into a function and call it by `tape.call(step, …)`.",
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __neg__ = __abs__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __float__ = _refuse


@dataclass(frozen=True)
class Same:
    """A result that is the scalar at `place` among the arguments of the call."""

    place: int


@dataclass(frozen=True)
class Fresh:
    """A result that the call computes, its `number`-th."""

    number: int


@dataclass(eq=False)
class Shape:
    """The code that calls of one pattern share.

    `code` reads the distinct slots of a call as argument 0 and its numbers as argument 1,
    and writes its `n_fresh` results to argument 2.
    """

    name: str
    code: StraightCode
    n_fresh: int


@dataclass(frozen=True, eq=False)
class Traced:
    """A step traced for one pattern of arguments: its shape, and what it returns.

    Each of `results` is a number, `Same` or `Fresh`; `structure` puts them together.
    """

    shape: Shape
    results: list[float | Same | Fresh]
    structure: Any


@dataclass(eq=False)
class Call:
    """One call of a shape: the slots and numbers it is given, and the slots it fills."""

    shape: Shape
    slots: tuple[int, ...]
    numbers: tuple[float, ...]
    fresh: tuple[int, ...]


@dataclass
class Tape:
    """Records the calls of an algorithm; `compile` makes a program of them."""

    calls: list[Call] = field(default_factory=list)
    inputs: dict[str, range] = field(default_factory=dict)
    outputs: dict[str, list[float | int]] = field(default_factory=dict)
    n_slots: int = 0
    _traced: dict[Any, Traced] = field(default_factory=dict)

    def input(self, name: str, count: int) -> list[Slot]:
        """Return the slots of a new input of `count` numbers."""
        self._check_new(name)
        self.inputs[name] = self._new_slots(count)
        return [Slot(number) for number in self.inputs[name]]

    def output(self, name: str, scalars: Sequence[float | Slot]) -> None:
        """Make these scalars an output."""
        self._check_new(name)
        self.outputs[name] = [
            scalar.number if isinstance(scalar, Slot) else float(scalar)
            for scalar in scalars
        ]

    def call(self, step: Step, *args: Any) -> Any:
        """Record ``step(*args)`` and return its result, with slots for what is computed.

        A step is a function of its arguments alone: it is run once for all calls whose
        arguments differ only in which slots and which numbers other than 0 and ±1 they
        hold. Slots that are equal in one call are equal in all that share its code. A
        call without any slot is run at once.
        """
        leaves: list[Any] = []
        structure = take_apart(args, Slot, leaves)
        slots: dict[int, int] = {}
        numbers: list[float] = []
        pattern: list[Any] = []
        for leaf in leaves:
            if leaf.__class__ is Slot:
                pattern.append(slots.setdefault(leaf.number, len(slots)))
            elif leaf in STRUCTURAL:
                pattern.append(leaf + 0.0)  # a structural zero has no sign
            else:
                pattern.append(None)
                numbers.append(leaf)
        if not slots:
            return step(*args)
        key = (step, structure, tuple((p.__class__, p) for p in pattern))
        traced = self._traced.get(key)
        if traced is None:
            traced = self._traced[key] = trace_step(step, structure, pattern)
        fresh = tuple(self._new_slots(traced.shape.n_fresh))
        self.calls.append(Call(traced.shape, tuple(slots), tuple(numbers), fresh))
        results: list[float | Slot] = []
        for result in traced.results:
            if isinstance(result, Same):
                results.append(leaves[result.place])
            elif isinstance(result, Fresh):
                results.append(Slot(fresh[result.number]))
            else:
                results.append(result)
        return put_together(traced.structure, results)

    def compile(
        self, *, width: int = 1, name: str = "program", opt: int = 0, cache: bool = True
    ) -> NativeFunction:
        """Return the program as a native function of the inputs to the outputs."""
        from motorik.compiler.rolled import compile_tape

        return compile_tape(self, width=width, name=name, opt=opt, cache=cache)

    def _new_slots(self, count: int) -> range:
        self.n_slots += count
        return range(self.n_slots - count, self.n_slots)

    def _check_new(self, name: str) -> None:
        if name in self.inputs or name in self.outputs:
            raise CompileError(name, "is declared twice", "Give each array its own name.")

    def __repr__(self) -> str:
        shapes = len({id(call.shape) for call in self.calls})
        given, made = ", ".join(self.inputs), ", ".join(self.outputs)
        return f"Tape(({given}) -> ({made}), {len(self.calls)} calls of {shapes} shapes)"


class StraightTape:
    """The tape that records nothing: each step runs at once on the scalars it is given."""

    def call(self, step: Step, *args: Any) -> Any:
        """Return ``step(*args)``."""
        return step(*args)


def trace_step(step: Step, structure: Any, pattern: Sequence[Any]) -> Traced:
    """Run a step on symbols and return its code.

    `pattern` has an int for each slot (equal for equal slots), a float for each structural
    number, and None for each other number.
    """
    import casadi

    name = getattr(step, "__qualname__", repr(step))
    slots: list[Any] = []
    numbers: list[Any] = []
    scalars: list[Any] = []
    place_of: dict[tuple[int, int], int] = {}
    for place, p in enumerate(pattern):
        if p is None:
            place_of[1, len(numbers)] = place
            numbers.append(casadi.SX.sym(f"c{len(numbers)}"))
            scalars.append(numbers[-1])
        elif p.__class__ is int:
            if p == len(slots):
                place_of[0, p] = place
                slots.append(casadi.SX.sym(f"s{p}"))
            scalars.append(slots[p])
        else:
            scalars.append(p)
    leaves: list[Any] = []
    result = take_apart(step(*put_together(structure, scalars)), casadi.SX, leaves)
    _check_results(name, leaves)
    columns = [casadi.vertcat(casadi.SX(0, 1), *part) for part in (slots, numbers, leaves)]
    function = casadi.Function("step", columns[:2], columns[2:])
    code = read_function(function)
    at = {element: value for _, element, value in code.outputs}
    fresh: dict[int, int] = {}
    results: list[float | Same | Fresh] = []
    for element in range(len(leaves)):
        value = at[element]
        if code.operation[value] == "const":
            results.append(code.constants[value])
        elif code.operation[value] == "input":
            results.append(Same(place_of[code.left[value], code.right[value]]))
        else:
            results.append(Fresh(fresh.setdefault(value, len(fresh))))
    code.outputs = [(2, number, value) for value, number in fresh.items()]
    return Traced(Shape(name, code, len(fresh)), results, result)


def _check_results(step: str, leaves: Sequence[Any]) -> None:
    for leaf in leaves:
        if leaf.__class__ is not float and leaf.numel() != 1:
            raise CompileError(
                step,
                f"returns a matrix of {leaf.shape[0]} × {leaf.shape[1]} symbols",
                "Return its elements one by one.",
            )
