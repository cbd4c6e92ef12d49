"""Triggers of a model as the tables that native code reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.components.base.contributions import Assignment, Trigger
from motorik.components.base.values import LiveScalar
from motorik.components.blocks.discrete import When
from motorik.errors import AssemblyError, SampledFunctionError, suggest
from motorik.immutable import immutable
from motorik.nonsmooth.memory import (
    PER_ASSIGNMENT,
    PER_TRIGGER,
    AssignedTo,
    TriggerEntry,
    TriggerKind,
    TriggerTable,
    TriggerValue,
    trigger_at,
)
from motorik.numerics.tolerances import TIME_ROUNDING
from motorik.simulation.stepping.native_functions import Numbers

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel

NEVER = 2**40  # ticks of a clock: more than there are


@immutable
class UserFunction:
    """A function of the user that is called at clock ticks."""

    number: int
    trigger: Trigger
    inputs: slice
    places: tuple[int, ...]

    def call(self, time: float, inputs: Sequence[float]) -> list[float]:
        """Return the values of the function, one number for each output."""
        assert self.trigger.function is not None
        name = self.trigger.part.path
        shown = ", ".join(
            f"{key} = {value:.6g}"
            for key, value in zip(self.trigger.names, inputs, strict=True)
        )
        seen = f"at t = {time:.9g} s" + (f" with {shown}" if shown else "")
        try:
            given = self.trigger.function(time, *inputs)
        except Exception as error:
            raise SampledFunctionError(
                name,
                f"its function raised {type(error).__name__}: {error} {seen}.",
                "Mend the function; the result so far is kept.",
            ) from error
        return self._numbers(name, seen, given)

    def _numbers(self, name: str, seen: str, given: object) -> list[float]:
        wanted = len(self.places)
        try:
            array = np.atleast_1d(np.asarray(given, dtype=float))
        except (TypeError, ValueError):
            array = np.full(0, np.nan)
        if array.shape != (wanted,) or not np.isfinite(array).all():
            raise SampledFunctionError(
                name,
                f"its function returned {given!r} {seen}, not {wanted} finite number(s).",
                "Return one finite number for each output, in their order.",
            )
        return array.tolist()


def reset_functions(system: CompiledModel) -> None:
    """Reset functions of the user that have a method `reset`."""
    for trigger in system.mechanism.inventory.triggers:
        reset = getattr(trigger.function, "reset", None)
        if callable(reset):
            reset()


class TriggerTables:
    """The triggers of a model: `table` and `values` for native code, functions for Python."""

    def __init__(self, system: CompiledModel, t0: float) -> None:
        self.triggers = tuple(system.mechanism.inventory.triggers)
        self.system = system
        self.functions: list[UserFunction] = []
        count = len(self.triggers)
        assignments = [a for trigger in self.triggers for a in trigger.assignments]
        size = trigger_at(count) + PER_ASSIGNMENT * len(assignments) + 1
        self.table = np.zeros(size, dtype=np.int64).view(TriggerTable)
        self.values: Numbers = np.zeros(
            TriggerValue.ASSIGNED * count + len(assignments) + 1
        )
        self.table.triggers, self.table.assignments = count, len(assignments)
        live = {scalar: k for k, scalar in enumerate(system.parameters)}
        first, begin = 0, 0
        for k, trigger in enumerate(self.triggers):
            place = trigger_at(k)
            kind, flag = TriggerKind.CLOCK, 0
            if trigger.condition is not None:
                kind, flag = (
                    TriggerKind.CONDITION,
                    live[trigger.part.internal()[trigger.flag]],
                )
            elif trigger.function is not None:
                kind = TriggerKind.FUNCTION
            own = len(trigger.assignments)
            ticks = 0
            if trigger.period:
                ticks = max(0, int(np.ceil((t0 - trigger.offset) / trigger.period - 1e-9)))
            acts = trigger.condition is None or own or trigger.stops
            is_event = int(bool(acts) or isinstance(trigger.part, When))
            row = kind, flag, first, own, int(trigger.stops), ticks, 0, is_event
            self.table[place : place + PER_TRIGGER] = row
            clock = TriggerValue.CLOCKS * count + 2 * k
            self.values[clock : clock + 2] = trigger.period, trigger.offset
            targets = [_target(system, live, trigger, a) for a in trigger.assignments]
            for a, target in enumerate(targets):
                at = trigger_at(count)
                at += PER_ASSIGNMENT * (first + a)
                self.table[at : at + PER_ASSIGNMENT] = target
            if trigger.function is not None:
                end = begin + len(trigger.inputs)
                places = tuple(place for _, place in targets)
                self.functions.append(UserFunction(k, trigger, slice(begin, end), places))
                begin = end
            first += own

    def tick_after(self, time: float) -> float:
        """Return the next time after another at which a clock ticks; infinity without any."""
        near = TIME_ROUNDING * abs(time)
        first = np.inf
        for k, trigger in enumerate(self.triggers):
            if trigger.period:
                ticks = self.table[trigger_at(k) + TriggerEntry.ticks]
                tick = trigger.offset + ticks * trigger.period
                if tick <= time + near:
                    tick = trigger.offset + (ticks + 1) * trigger.period
                first = min(first, float(tick))
        return first

    def skip_functions(self) -> None:
        """Let no function of the user be called."""
        for function in self.functions:
            place = trigger_at(function.number) + TriggerEntry.ticks
            self.table[place] = NEVER

    def ticks_at(self, time: float) -> bool:
        """Return whether a clock is to tick at a time that was reached before."""
        for k, trigger in enumerate(self.triggers):
            ticks = self.table[trigger_at(k) + TriggerEntry.ticks]
            tick = trigger.offset + ticks * trigger.period
            if trigger.period and time >= tick - TIME_ROUNDING * abs(tick):
                return True
        return False

    def due(self) -> list[UserFunction]:
        """Return the functions whose clocks have ticked, and take their marks away."""
        found = []
        for function in self.functions:
            place = trigger_at(function.number) + TriggerEntry.pending
            if self.table[place]:
                self.table[place] = 0
                found.append(function)
        return found

    def take_ticks(self, other: TriggerTables) -> None:
        """Take over how often clocks have ticked."""
        for k in range(len(self.triggers)):
            place = trigger_at(k) + TriggerEntry.ticks
            self.table[place] = other.table[place]

    def go_on(self) -> None:
        """Forget the trigger that ended the last call."""
        self.table.stopped_by = 0

    @property
    def stopped_by(self) -> str:
        """The name of the trigger that ended the run, or the last call of it."""
        number = int(self.table.stopped_by)
        return self.triggers[number - 1].part.path if number else ""


def _target(
    system: CompiledModel,
    live: dict[LiveScalar, int],
    trigger: Trigger,
    assignment: Assignment,
) -> tuple[int, int]:
    """Return the target of an assignment: a place in p or x, or the impulse of a contact."""
    target = assignment.target
    if isinstance(target, str):
        names = list(system.layout.state_names)
        if target not in names:
            raise AssemblyError(
                trigger.part.path,
                f"resets {target!r}, which is no state.",
                f"{suggest(target, names)} `model.explain()` lists the states.",
                parameter="reset",
                value=target,
            )
        return AssignedTo.STATE, names.index(target)
    place = live[target]
    rows = system.force_places.tolist()
    if place in rows:
        return AssignedTo.IMPULSE, rows.index(place)
    return AssignedTo.PARAMETER, place
