"""Arguments and results of steps: their scalars, and their shapes without them.

Values that cannot be changed are taken apart once, as a pose is an argument of many steps. Those
that a step returns are not: what they consist of is known from its first call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from motorik.compiler.flattening import (
    SCALAR,
    Structure,
    flatten,
    is_fixed,
    is_fixed_structure,
    unflatten,
)
from motorik.immutable import immutable


class TapeValue(NamedTuple):
    """A number that a program computes, or minus such a number."""

    number: int
    sign: float = 1.0


#: Numbers that a step is traced with; any other becomes data, and equal shapes share code.
STRUCTURAL = (0.0, 1.0, -1.0)

#: What stands for any other number in a shape, and for plus and minus a slot.
NUMBER, PLUS, MINUS = "number", "plus", "minus"

Shape = tuple[object, ...]
"""What tells values apart beside their slots and numbers."""


class Scalars(NamedTuple):
    """The slots and numbers in a value, in order, and the shape of the value without them.

    `symbols` have the values of the slots.
    """

    shape: Shape
    slots: Sequence[int]
    symbols: Sequence[Any]
    numbers: Sequence[float]


@immutable(eq=False)
class ResultPart:
    """A part of a result: a value of a class, made of its parts, or a constant.

    A part is the number of a scalar, or again such a part. `first` and `last` are the scalars in
    it, `shape` its shape if it cannot be changed.
    """

    kind: Any
    parts: tuple[Any, ...]
    first: int
    last: int
    shape: Shape | None


class Arguments:
    """Takes arguments of steps apart, and puts their results together."""

    def __init__(self, find_slot: Callable[[Any], TapeValue | None]) -> None:
        self._find_slot = find_slot
        self._known: dict[int, tuple[Any, Scalars]] = {}
        self._shapes: dict[object, Shape] = {}
        self._groups: dict[int, tuple[object, Any]] = {}  # by the identity of structures

    def take(self, args: tuple[object, ...]) -> Scalars:
        """Return the scalars of arguments."""
        import casadi

        symbol_class, known = casadi.SX, self._known
        shape: list[object] = []
        slots: list[int] = []
        symbols: list[Any] = []
        numbers: list[float] = []
        left: list[Any] = [args]
        while left:
            value = left.pop()
            if value.__class__ is tuple:
                shape.append((tuple, len(value)))
                left += reversed(value)
                continue
            if value.__class__ is symbol_class:
                slot = self._find_slot(value)
                if slot is not None:
                    shape.append(PLUS if slot.sign > 0 else MINUS)
                    slots.append(slot.number)
                    symbols.append(value if slot.sign > 0 else -value)
                    continue
                value = float(value)
            if value.__class__ is float:
                if value in STRUCTURAL:
                    shape.append(value + 0.0)
                else:
                    shape.append(NUMBER)
                    numbers.append(value)
                continue
            entry = known.get(id(value))
            own = entry[1] if entry else self._scalars(value)
            shape += own.shape
            slots += own.slots
            symbols += own.symbols
            numbers += own.numbers
        return Scalars(tuple(shape), slots, symbols, numbers)

    def structure(
        self, value: object
    ) -> tuple[Structure, list[Any], list[float | TapeValue]]:
        """Return the structure of a value, its scalars, and for each its slot or its number."""
        import casadi

        leaves: list[Any] = []
        structure = flatten(value, casadi.SX, leaves)
        marks: list[float | TapeValue] = []
        for leaf in leaves:
            slot = None if leaf.__class__ is float else self._find_slot(leaf)
            # a structural zero has no sign
            marks.append(float(leaf) + 0.0 if slot is None else slot)
        return structure, leaves, marks

    def _scalars(self, value: object) -> Scalars:
        """Return the scalars of one value; of one that cannot be changed they are kept."""
        structure, leaves, marks = self.structure(value)
        pattern: list[object] = []
        slots: list[int] = []
        symbols: list[Any] = []
        numbers: list[float] = []
        for leaf, mark in zip(leaves, marks, strict=True):
            if isinstance(mark, TapeValue):
                pattern.append(PLUS if mark.sign > 0 else MINUS)
                slots.append(mark.number)
                symbols.append(leaf if mark.sign > 0 else -leaf)
            elif mark in STRUCTURAL:
                pattern.append(mark)
            else:
                pattern.append(NUMBER)
                numbers.append(mark)
        key = structure, tuple(pattern)
        shape = self._shapes.setdefault(key, (("value", len(self._shapes)),))
        found = Scalars(shape, slots, symbols, numbers)
        if is_fixed_structure(structure):
            self._known[id(value)] = value, found
        return found

    # --- results ---------------------------------------------------------------------------

    def result(
        self,
        structure: Structure,
        scalars: Sequence[Any],
        slots: Sequence[int],
        symbols: Sequence[Any],
    ) -> Any:
        """Return a result of this structure, which is always the same one, with these scalars.

        `slots` and `symbols` are those of the scalars, or their opposites; without them there are
        numbers among the scalars.
        """
        if not slots:
            return unflatten(structure, scalars)
        known = self._groups.get(id(structure))
        if known is None:
            value = unflatten(structure, scalars)
            group = self._group(structure, value, [0])
            self._groups[id(structure)] = structure, group
            return value
        if not isinstance(known[1], ResultPart):
            return unflatten(structure, scalars)
        return self._made(known[1], scalars, slots, symbols)

    def _group(self, structure: Structure, value: object, at: list[int]) -> Any:
        """Return the group of a value, from its first scalar on; None of one of other kinds."""
        if structure is SCALAR:
            at[0] += 1
            return at[0] - 1
        kind, *parts = structure
        if kind is SCALAR:
            return ResultPart(SCALAR, (value,), 0, 0, None)
        inner: Any = value
        if kind is not tuple:
            if not (hasattr(kind, "_leaves") and is_fixed(kind)):
                return None
            inner = [getattr(value, name) for name in kind._leaves]
        first = at[0]
        found = [self._group(part, own, at) for part, own in zip(parts, inner, strict=True)]
        if any(own is None for own in found):
            return None
        shape = None
        if kind is not tuple and is_fixed_structure(structure):
            shape = self._scalars(value).shape
        return ResultPart(kind, tuple(found), first, at[0], shape)

    def _made(
        self,
        group: ResultPart,
        scalars: Sequence[Any],
        slots: Sequence[int],
        symbols: Sequence[Any],
    ) -> Any:
        """Return the value of a group, and note its scalars."""
        if group.kind is SCALAR:
            return group.parts[0]
        values = [
            scalars[part]
            if part.__class__ is int
            else self._made(part, scalars, slots, symbols)
            for part in group.parts
        ]
        if group.kind is tuple:
            return tuple(values)
        made = group.kind(*values)
        if group.shape is not None:
            own = slice(group.first, group.last)
            found = Scalars(group.shape, slots[own], symbols[own], ())
            self._known[id(made)] = made, found
        return made

    def forget(self) -> None:
        """Keep no values: symbols have got another meaning, or all calls are recorded."""
        self._known.clear()
