"""Tapes: an algorithm recorded as calls of steps, so that equal steps share their code.

An algorithm is written once, with its heavy arithmetic inside steps:

    velocity = tape.call(step, joint, velocity, q[i])

A tape that just runs each step gives numbers for numbers and straight-line code for CasADi
symbols. `Tape` returns symbols for the results of a step, traces a step once for each
*shape* of call, and compiles to a program that is a table of calls of these shapes: a chain of
a thousand links has the code of a few. Arithmetic with the results outside of steps is
allowed; it becomes straight-line code between the calls (`glue`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from motorik.compiler.function import NativeFunction
from motorik.compiler.rolled.arguments import STRUCTURAL, Arguments, Scalars, TapeValue
from motorik.compiler.rolled.inline_code import insert_inline_code
from motorik.compiler.rolled.traced_steps import (
    Origin,
    Routine,
    RoutineCall,
    Step,
    Traced,
    trace_step,
)
from motorik.compiler.straight.code import CodeBuilder
from motorik.errors import CompileError

if TYPE_CHECKING:
    import casadi


# --- pruning of values that no output needs -----------------------------------------------


def prune_calls(calls: list[RoutineCall], outputs: set[int]) -> list[RoutineCall]:
    """Return the calls, in order, on which the slots in `outputs` depend.

    A slot that a call reads counts as used only if a used result of the call depends on
    it; so whole chains of results that merely feed each other disappear.
    """
    used = set(outputs)
    kept: list[RoutineCall] = []
    smaller: dict[tuple[Routine, tuple[int, ...]], _Pruned] = {}
    for call in reversed(calls):
        results = tuple(k for k, slot in enumerate(call.fresh) if slot in used)
        if not results:
            continue
        key = (call.shape, results)
        if key not in smaller:
            smaller[key] = _Pruned(call.shape, results)
        kept.append(smaller[key].call(call))
        used.update(kept[-1].slots)
    return kept[::-1]


class _Pruned:
    """A shape cut down to some of its results."""

    def __init__(self, shape: Routine, results: tuple[int, ...]) -> None:
        self.results = results
        value_of = {number: value for _, number, value in shape.code.outputs}
        code = shape.code.only([(2, k, value_of[n]) for k, n in enumerate(results)])
        reads: tuple[dict[int, int], dict[int, int]] = ({}, {})
        builder = CodeBuilder()
        self.slots, self.numbers = reads

        def read(argument: int, element: int) -> int:
            positions = reads[argument]
            return builder.read(argument, positions.setdefault(element, len(positions)))

        builder.append(code, read)
        self.shape = Routine(shape.name, builder.code, len(results))

    def call(self, call: RoutineCall) -> RoutineCall:
        """Return the smaller call that replaces `call`."""
        return RoutineCall(
            self.shape,
            tuple(call.slots[k] for k in self.slots),
            tuple(call.numbers[k] for k in self.numbers),
            tuple(call.fresh[k] for k in self.results),
        )


MOST_SPARE = 4096  # symbols that are made at once; as many at first as there are slots


@dataclass
class Tape:
    """Records the calls of an algorithm; `compile` makes a program of them."""

    calls: list[RoutineCall] = field(default_factory=list)
    inputs: dict[str, range] = field(default_factory=dict)
    outputs: dict[str, list[float | TapeValue]] = field(default_factory=dict)
    n_slots: int = 0
    _traced: dict[Any, Traced] = field(default_factory=dict)
    _slot_of: dict[int, TapeValue] = field(
        default_factory=dict
    )  # of symbols, by their hash
    _kept: list[Any] = field(default_factory=list)  # symbols, so that no hash is used twice
    _results: dict[int, TapeValue] = field(default_factory=dict)  # of symbols made here
    _unhashed: list[Any] = field(default_factory=list)  # of these, those not in `_slot_of`
    _spare: list[Any] = field(default_factory=list)  # symbols for results of calls to come
    _done: dict[Any, Any] = field(default_factory=dict)  # results of calls made before
    _glue: dict[int, Any] = field(default_factory=dict)  # expressions by slot
    _needed: list[RoutineCall] | None = None

    def __post_init__(self) -> None:
        self._arguments = Arguments(self._find_slot)

    def input(self, name: str, count: int) -> list[casadi.SX]:
        """Return the symbols of a new input of `count` numbers."""
        self._check_new(name)
        self.inputs[name] = self._new_slots(count)
        symbols = self._symbols(count)
        for number, symbol in zip(self.inputs[name], symbols, strict=True):
            self._know(symbol, TapeValue(number))
        return symbols

    def adopt(self, name: str, symbols: casadi.SX) -> None:
        """Make a column of symbols that exist already a new input."""
        import casadi

        self._check_new(name)
        self.inputs[name] = self._new_slots(symbols.numel())
        for number, symbol in zip(
            self.inputs[name],
            casadi.vertsplit(symbols) if symbols.numel() else (),
            strict=True,
        ):
            self._know(symbol, TapeValue(number))

    def define(self, symbol: casadi.SX, value: float | casadi.SX) -> None:
        """Let a symbol of an input stand for a computed value, wherever it is used from now on.

        A value that is a number leaves the symbol what it is: the input must then be that number.
        """
        slot = self._find_slot(value)
        if slot is not None:
            self._know(symbol, self._plain(slot))
            self._arguments.forget()

    def output(self, name: str, scalars: Sequence[float | casadi.SX]) -> None:
        """Make these scalars an output."""
        self._check_new(name)
        self.outputs[name] = [
            float(scalar) if slot is None else self._plain(slot)
            for scalar in scalars
            for slot in [self._find_slot(scalar)]
        ]

    def call(self, step: Step, *args: object) -> Any:
        """Record ``step(*args)`` and return its result, with symbols for computed values.

        A step is a function of its arguments alone: it is run once for all calls whose
        arguments differ only in which symbols and which numbers other than 0 and ±1 they
        hold. Scalars that are equal or opposite in one call are so in all calls that share
        its code. A call without any symbol is run at once.
        """
        taken = self._arguments.take(args)
        if not taken.slots:
            return step(*args)
        own: dict[int, int] = {}
        slot_order = tuple([own.setdefault(slot, len(own)) for slot in taken.slots])
        slots = tuple(own)
        numbers: list[float] = []
        number_of: dict[float, int] = {}
        number_order: list[tuple[int, float]] = []
        for number in taken.numbers:
            k = number_of.setdefault(abs(number), len(numbers))
            if k == len(numbers):
                numbers.append(number)
            number_order.append((k, 1.0 if number == numbers[k] else -1.0))
        traced = self._trace(step, args, taken, slot_order, tuple(number_order))
        same = (id(traced), slots, tuple(numbers))
        if same in self._done:
            return self._done[same]
        fresh = tuple(self._new_slots(traced.shape.n_fresh))
        call = RoutineCall(traced.shape, slots, tuple(numbers), fresh)
        if fresh:
            self.calls.append(call)
        self._done[same] = self._result(traced, call, taken)
        return self._done[same]

    def apply(self, law: Step, *args: object) -> Any:
        """Return the result of a law, recorded as a call if it is a step.

        One that holds values that cannot be compared, or symbols beside its arguments, or that
        decides by its numbers, becomes arithmetic between the calls.
        """
        try:
            return self.call(law, *args)
        except Exception:  # if the law is wrong, calling it raises the error again
            return law(*args)

    def _result(self, traced: Traced, call: RoutineCall, taken: Scalars) -> Any:
        """Return the result of a call for the caller, with symbols for its slots."""
        made = self._symbols(len(call.fresh))
        for slot, symbol in zip(call.fresh, made, strict=True):
            self._know_result(symbol, TapeValue(slot))
        given = dict(zip(reversed(taken.slots), reversed(taken.symbols), strict=True))
        scalars: list[Any] = []
        slots: list[int] = []
        symbols: list[Any] = []
        for kind, number, sign in traced.results:
            if kind == "number":
                scalars.append(sign * call.numbers[number])
                continue
            slots.append(call.slots[number] if kind == "slot" else call.fresh[number])
            symbols.append(given[slots[-1]] if kind == "slot" else made[number])
            if sign > 0:
                scalars.append(symbols[-1])
            else:
                scalars.append(self._opposite(symbols[-1], slots[-1]))
        if len(slots) < len(scalars):
            slots = []
        return self._arguments.result(traced.structure, scalars, slots, symbols)

    def _opposite(self, symbol: casadi.SX, slot: int) -> casadi.SX:
        """Return minus a symbol, known as minus its slot."""
        opposite = -symbol
        if id(symbol) in self._results:
            self._know_result(opposite, TapeValue(slot, -1.0))
        elif self._slot_by_hash(opposite) is None:
            self._know(opposite, TapeValue(slot, -1.0))
        return opposite

    def _find_slot(self, scalar: Any) -> TapeValue | None:
        """Return the slot of a scalar, a new one for an expression; None for a number."""
        if scalar.__class__ is float:
            return None
        slot = self._results.get(id(scalar)) or self._slot_by_hash(scalar)
        if slot is None:
            if scalar.is_constant():
                return None
            if scalar.is_symbolic():
                raise CompileError(
                    str(scalar),
                    "is a symbol that this program does not know",
                    "Make it an input, by `tape.input(name, count)`.",
                )
            (number,) = self._new_slots(1)
            slot = TapeValue(number)
            self._glue[number] = scalar
            self._know(scalar, slot)
        return slot

    def _slot_by_hash(self, scalar: casadi.SX) -> TapeValue | None:
        """Return the slot of a scalar that may be another object of the same symbol."""
        for symbol in self._unhashed:
            self._slot_of[symbol.element_hash()] = self._results[id(symbol)]
        self._unhashed.clear()
        return self._slot_of.get(scalar.element_hash())

    def _know(self, symbol: casadi.SX, slot: TapeValue) -> None:
        self._slot_of[symbol.element_hash()] = slot
        self._kept.append(symbol)

    def _know_result(self, symbol: casadi.SX, slot: TapeValue) -> None:
        """Note the slot of a symbol made here, which stands for nothing else ever."""
        self._results[id(symbol)] = slot
        self._kept.append(symbol)
        self._unhashed.append(symbol)

    def _symbols(self, count: int) -> list[casadi.SX]:
        """Return new symbols."""
        import casadi

        if len(self._spare) < count:
            size = max(count, min(self.n_slots, MOST_SPARE))
            self._spare += casadi.vertsplit(casadi.SX.sym("v", size))
        first = len(self._spare) - count
        symbols = self._spare[first:]
        del self._spare[first:]
        return symbols

    def needed_calls(self) -> list[RoutineCall]:
        """Return the calls that some output depends on, in order, with those for arithmetic."""
        if self._needed is None:
            outputs = {
                scalar.number
                for scalars in self.outputs.values()
                for scalar in scalars
                if isinstance(scalar, TapeValue)
            }
            calls = insert_inline_code(
                self.calls,
                self._glue,
                self._number_of,
                outputs,
                self._new_slots,
            )
            self._needed = prune_calls(calls, outputs)
            self._arguments.forget()
        return self._needed

    def _number_of(self, symbol: casadi.SX) -> int:
        """Return the number of the slot of a symbol."""
        slot = self._slot_by_hash(symbol)
        assert slot is not None
        return slot.number

    @property
    def has_cases(self) -> bool:
        """Whether cases are distinguished, so that derivatives of the outputs may jump."""
        shapes = {call.shape for call in self.needed_calls()}
        return any(shape.code.has_cases for shape in shapes)

    def compile(
        self,
        *,
        width: int = 1,
        name: str = "program",
        opt: int = 0,
        cache: bool = True,
        replaces: bool = False,
    ) -> NativeFunction:
        """Return the program as a native function of the inputs to the outputs.

        With `replaces` a function of (t, x, p) to a new x can also overwrite the old one.
        """
        from motorik.compiler.rolled.program import compile_tape

        given = {"width": width, "name": name, "opt": opt, "cache": cache}
        return compile_tape(self, replaces=replaces, **given)

    def _trace(
        self,
        step: Step,
        args: tuple[object, ...],
        taken: Scalars,
        slot_order: tuple[int, ...],
        number_order: tuple[tuple[int, float], ...],
    ) -> Traced:
        """Return the routine of a step for such arguments, traced if it is not yet."""
        key = (step, taken.shape, slot_order, number_order)
        try:
            traced = self._traced.get(key)
        except TypeError as error:
            raise CompileError(
                repr(step),
                "cannot be distinguished from other steps, because it has no hash",
                "Make the step a plain function, and pass it what it needs.",
            ) from error
        if traced is None:
            structure, _, marks = self._arguments.structure(args)
            slots, numbers = iter(slot_order), iter(number_order)
            pattern: list[float | Origin] = [
                Origin("slot", next(slots), mark.sign)
                if isinstance(mark, TapeValue)
                else mark
                if mark in STRUCTURAL
                else Origin("number", *next(numbers))
                for mark in marks
            ]
            traced = self._traced[key] = trace_step(step, structure, pattern)
        return traced

    def _plain(self, slot: TapeValue) -> TapeValue:
        """Return a slot of the same value that is not minus another one."""
        if slot.sign > 0:
            return slot
        fresh = tuple(self._new_slots(1))
        self.calls.append(RoutineCall(_OPPOSITE, (slot.number,), (), fresh))
        return TapeValue(fresh[0])

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


def _make_opposite() -> Routine:
    """Return the shape that computes minus a slot."""
    builder = CodeBuilder()
    builder.code.outputs.append((2, 0, builder.value("neg", builder.read(0, 0))))
    return Routine("opposite", builder.code, 1)


_OPPOSITE = _make_opposite()
