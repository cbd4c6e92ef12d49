"""Tapes: an algorithm recorded as calls of steps, so that equal steps share their code.

An algorithm is written once, with every piece of arithmetic inside a step:

    velocity = tape.call(step, joint, velocity, q[i])

A tape that just runs each step gives numbers for numbers and straight-line code for CasADi
symbols. `Tape` hands out opaque slots instead, traces a step once for each *shape* of call,
and compiles to a program that is a table of calls of these shapes: a chain of a thousand
links has the code of a few.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from motorik.compiler.function import NativeFunction
from motorik.compiler.leaves import put_together, take_apart
from motorik.compiler.shapes import Call, Origin, Shape, Step, Traced, trace_step
from motorik.compiler.straight import CodeBuilder
from motorik.errors import CompileError

#: Numbers that a step is traced with; any other becomes data, and equal shapes share code.
STRUCTURAL = (0.0, 1.0, -1.0)


class Slot:
    """A number that a program will compute, or minus such a number.

    Only a step can do arithmetic with it.
    """

    __slots__ = ("number", "sign")

    def __init__(self, number: int, sign: float = 1.0) -> None:
        self.number = number
        self.sign = sign

    def __repr__(self) -> str:
        return f"{'-' if self.sign < 0 else ''}Slot({self.number})"

    def _refuse(self, *_: Any) -> Any:
        raise CompileError(
            repr(self),
            "is used in arithmetic outside of a step",
            "Put the arithmetic into a function and call it by `tape.call(step, …)`.",
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __neg__ = __abs__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __float__ = _refuse


@dataclass
class Tape:
    """Records the calls of an algorithm; `compile` makes a program of them."""

    calls: list[Call] = field(default_factory=list)
    inputs: dict[str, range] = field(default_factory=dict)
    outputs: dict[str, list[float | Slot]] = field(default_factory=dict)
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
            self._plain(scalar) if isinstance(scalar, Slot) else float(scalar)
            for scalar in scalars
        ]

    def call(self, step: Step, *args: Any) -> Any:
        """Record ``step(*args)`` and return its result, with slots for what is computed.

        A step is a function of its arguments alone: it is run once for all calls whose
        arguments differ only in which slots and which numbers other than 0 and ±1 they
        hold. Scalars that are equal or opposite in one call are so in all calls that share
        its code. A call without any slot is run at once.
        """
        leaves: list[Any] = []
        structure = take_apart(args, Slot, leaves)
        slots: dict[int, int] = {}
        numbers: list[float] = []
        number_of: dict[float, int] = {}
        pattern: list[float | Origin] = []
        for leaf in leaves:
            if leaf.__class__ is Slot:
                k = slots.setdefault(leaf.number, len(slots))
                pattern.append(Origin("slot", k, leaf.sign))
            elif leaf in STRUCTURAL:
                pattern.append(leaf + 0.0)  # a structural zero has no sign
            else:
                k = number_of.setdefault(abs(leaf), len(numbers))
                if k == len(numbers):
                    numbers.append(leaf)
                pattern.append(Origin("number", k, 1.0 if leaf == numbers[k] else -1.0))
        if not slots:
            return step(*args)
        traced = self._trace(step, structure, pattern)
        fresh = tuple(self._new_slots(traced.shape.n_fresh))
        call = Call(traced.shape, tuple(slots), tuple(numbers), fresh)
        if fresh:
            self.calls.append(call)
        results = [_scalar(result, call) for result in traced.results]
        return put_together(traced.structure, results)

    def compile(
        self, *, width: int = 1, name: str = "program", opt: int = 0, cache: bool = True
    ) -> NativeFunction:
        """Return the program as a native function of the inputs to the outputs."""
        from motorik.compiler.rolled import compile_tape

        return compile_tape(self, width=width, name=name, opt=opt, cache=cache)

    def _trace(self, step: Step, structure: Any, pattern: list[float | Origin]) -> Traced:
        key = (step, structure, tuple(pattern))
        try:
            traced = self._traced.get(key)
        except TypeError as error:
            raise CompileError(
                repr(step),
                "cannot be told from other steps, because it has no hash",
                "Make the step a plain function, and pass it what it needs.",
            ) from error
        if traced is None:
            traced = self._traced[key] = trace_step(step, structure, pattern)
        return traced

    def _plain(self, slot: Slot) -> Slot:
        """Return a slot of the same value that is not minus another one."""
        if slot.sign > 0:
            return slot
        fresh = tuple(self._new_slots(1))
        self.calls.append(Call(_OPPOSITE, (slot.number,), (), fresh))
        return Slot(fresh[0])

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


def _scalar(result: float | Origin, call: Call) -> float | Slot:
    """Return what a caller gets to see of a result."""
    if not isinstance(result, Origin):
        return result
    if result.kind == "number":
        return result.sign * call.numbers[result.number]
    slots = call.slots if result.kind == "slot" else call.fresh
    return Slot(slots[result.number], result.sign)


def _make_opposite() -> Shape:
    """Return the shape that computes minus a slot."""
    builder = CodeBuilder()
    builder.code.outputs.append((2, 0, builder.value("neg", builder.read(0, 0))))
    return Shape("opposite", builder.code, 1)


_OPPOSITE = _make_opposite()
