"""A dynamic system run once on symbols: f(t, y, p), and where all its objects are, natively."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import Any

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.compiler import NativeFunction, compile_function
from motorik.errors import CompileError, LoopError, MotorikError
from motorik.mobile.compiled.program import Recording, length_of, record_program
from motorik.mobile.compiled.slots import (
    Identity,
    StateSlot,
    StateSlots,
    Writer,
    entries_of,
    has_symbols,
    is_same,
    with_entries,
)
from motorik.mobile.dynamics.dynamic_system import DynamicSystem, leaves_of
from motorik.mobile.elements.output_generator import quiet
from motorik.mobile.solvers.explicit_solver import ExplicitConstraintSolver
from motorik.mobile.solvers.implicit_solver import ImplicitConstraintSolver
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.preserved import preserved
from motorik.mobile.states.transmission import State
from motorik.mobile.states.variable import StateVariable
from motorik.numerics.implicit_functions import Program
from motorik.numerics.tolerances import SAME_TRACED

OF_VARIABLE, OF_FRAME = ("q", "qd", "qdd"), ("X", "V", "_A")
PROBE = 1e-3  # by which conditions are changed to compare both


class LiveInputs:
    """Inputs that a system reads at each evaluation and does not compute itself, as numbers p.

    The entries of its parameters; position, velocity and acceleration of all variables that
    are no states and that no element moves; the branches of explicit solvers; the motion of
    drivers; and `others`, attributes that have been changed between two evaluations.
    """

    def __init__(self, system: DynamicSystem, others: Sequence[StateSlot] = ()) -> None:
        self._system = system
        elements = system.elements
        slots = [
            StateSlot(variable, name)
            for variable in input_states(system)
            if isinstance(variable, StateVariable)
            for name in OF_VARIABLE
        ]
        slots += [
            StateSlot(one, "branch")
            for one in elements
            if isinstance(one, ExplicitConstraintSolver)
        ]
        slots += [StateSlot(one, "begun") for one in elements if hasattr(one, "begun")]
        known = {slot.identity for slot in slots}
        self.slots = [*slots, *(slot for slot in others if slot.identity not in known)]

    @property
    def values(self) -> np.ndarray:
        """The numbers p now."""
        entries = [e for parameter in self._system.parameters for e in parameter.entries]
        for slot in self.slots:
            entries += entries_of(slot.read())
        return np.array(entries, dtype=float)

    @contextmanager
    def given(self, p: Sequence[Scalar]) -> Iterator[None]:
        """Let all of them be other scalars for a while."""
        parameters, entries = self._system.parameters, iter(p)
        before = [(parameter, tuple(parameter.entries)) for parameter in parameters]
        held = [(slot, slot.read()) for slot in self.slots]
        try:
            for parameter, old in before:
                parameter.assign([next(entries) for _ in old])
            for slot, value in held:
                slot.write(with_entries(value, entries))
            yield
        finally:
            for slot, value in held:
                slot.write(value)
            for parameter, old in before:
                parameter.assign(old)


def input_states(system: DynamicSystem, also: Sequence[State] = ()) -> list[State]:
    """Return the state objects that a system reads, and neither it nor an element moves."""
    moved = {id(state) for element in system.elements for state in element.outputs}
    moved |= {id(state) for state in system.moved}
    read = [state for element in system.elements for state in element.inputs]
    found = {id(state): state for state in (*read, *also) if id(state) not in moved}
    return [state for state in found.values() if not getattr(state, "is_dependent", False)]


def unknowns_of(system: DynamicSystem) -> list[StateVariable]:
    """Return the unknowns of the solvers that iterate."""
    solvers = [e for e in system.elements if isinstance(e, ImplicitConstraintSolver)]
    found = {id(u): u for solver in solvers for u in solver.unknowns}
    return list(found.values())


class NativeSystem:
    """The machine code of a system as its objects were when it was traced.

    `rates` is ẏ of (t, y, p), with p those of `inputs`. `move` brings all objects of the
    system to where it is at (t, y): frames, variables, and what elements and systems keep.
    """

    def __init__(self, system: DynamicSystem, inputs: LiveInputs) -> None:
        self.system, self.inputs = system, inputs
        self._writers: list[tuple[StateSlot, Writer]] = []
        self._moved: list[tuple[State, Writer]] = []
        self._monitored: list[tuple[StateSlot, Any]] = []
        self._contents: list[Any] = []
        self._finishing: list[DynamicSystem] = []
        with kept(system) as before:
            self.recording = self._record(before)
        self.program = self.recording.compile("rates", "rates")
        variables = [v for loop in self.recording.loops for v in loop.variables]
        self.unknowns: list[StateVariable] = variables
        self.used = self._used()

    def _record(self, before: StateSlots) -> Recording:
        system, live = self.system, self.inputs

        def trace(
            t: Sequence[Scalar], y: Sequence[Scalar], p: Sequence[Scalar]
        ) -> dict[str, Sequence[Scalar]]:
            with live.given(p):
                rates = _on_symbols(system, lambda: system.derivative(t[0], y))
                for leaf in leaves_of(system):
                    if type(leaf).finish.__module__.startswith("motorik.mobile."):
                        leaf.finish()
                    else:
                        self._finishing.append(leaf)
                places = self._note(before)
            return {"rates": rates, "places": places}

        counts = {"t": 1, "y": system.order, "p": len(live.values)}
        return record_program(counts, trace, length_of(system.touched))

    def _note(self, before: StateSlots) -> list[Scalar]:
        """Store computed and read-only values; return the computed numbers."""
        outputs: list[Scalar] = []
        after = StateSlots(self.system)
        live = {slot.identity for slot in self.inputs.slots}
        touched = {id(state): state for state in self.system.touched}
        for state in after.states.values():
            if id(state) not in touched and has_symbols(state.keep()):
                touched[id(state)] = state
        for state in touched.values():
            kept = state.keep()
            if isinstance(state, StateVariable) and len(kept) > 4:
                kept = (*kept[:4], None)  # the angle is made again where it is asked for
            self._moved.append((state, Writer(tuple(kept), outputs)))
        for identity, (slot, value) in after.values.items():
            if identity not in live and has_symbols(value):
                self._writers.append((slot, Writer(value, outputs)))
        for identity, (slot, value) in before.values.items():
            is_read = slot.read() is value
            if is_read and identity not in live and identity not in before.hidden:
                self._monitored.append((slot, value))
        self._watch_frames(before, live)
        self._contents = [one for one in before.contents if not one.is_changed]
        return outputs

    def _watch_frames(self, before: StateSlots, live: set[Identity]) -> None:
        states = input_states(self.system, list(before.states.values()))
        frames = [state for state in states if isinstance(state, Frame)]
        for slot in (StateSlot(frame, name) for frame in frames for name in OF_FRAME):
            value = slot.read()
            if slot.identity not in live and not has_symbols(value):
                self._monitored.append((slot, value))

    def _used(self) -> np.ndarray:
        """Return which of the numbers p the rates depend on."""
        import casadi

        recording = self.recording
        residuals = [r for loop in recording.loops for r in loop.residuals]
        formulas = casadi.vertcat(recording.outputs["rates"], *residuals)
        p = recording.inputs["p"]
        if not p.numel():
            return np.zeros(0, dtype=bool)
        return np.array(casadi.which_depends(formulas, p, 1), dtype=bool)

    # --- changed constants ----------------------------------------------------------------------

    @property
    def changed(self) -> list[StateSlot]:
        """The constants of the code that have changed."""
        found = [slot for slot, value in self._monitored if not is_same(value, slot.read())]
        grown = [one for one in self._contents if one.is_changed]
        return [*found, *(StateSlot(one, "container") for one in grown)]

    def begin(self) -> None:
        """Let the loops start where their variables are now."""
        self.program.begin_at([float(variable.q) for variable in self.unknowns])

    # --- where everything is --------------------------------------------------------------------

    @cached_property
    def _places(self) -> Program:
        return self.recording.compile("places", "places", "rates")

    @property
    def written(self) -> list[StateSlot]:
        """The slots that `move` writes, beside state objects."""
        return [slot for slot, _ in self._writers]

    @property
    def touched(self) -> list[State]:
        """The state objects that `move` writes."""
        return [state for state, _ in self._moved]

    def move(self, t: float, y: Sequence[float], p: np.ndarray) -> np.ndarray:
        """Bring all objects to where the system is at (t, y), and return ẏ.

        Loops are followed from where their unknowns are, which in a run is where its last
        evaluation was.
        """
        program = self._places
        guess = [float(variable.q) for variable in self.unknowns]
        if guess != program.memory.tolist():
            program.begin_at(guess)
        numbers, rates = program.function(t, np.array(y, dtype=float), p)
        if program.failed is not None:
            loop = repr(program.loops[program.failed])
            program.clear_failure()
            raise LoopError(
                loop, f"cannot close at t = {t:.9g} s.", "It is near a dead centre there."
            )
        if not (np.all(np.isfinite(numbers)) and np.all(np.isfinite(rates))):
            return np.array(self._warned(t, y, p), dtype=float)
        found = np.ravel(numbers).tolist()
        for state, writer in self._moved:
            state.restore(writer(found))
        for slot, writer in self._writers:
            slot.write(writer(found))
        for leaf in self._finishing:
            leaf.finish()
        return np.ravel(rates)

    def _warned(self, t: float, y: Sequence[float], p: np.ndarray) -> Sequence[Scalar]:
        """Do the same on numbers, by elements that raise an error where something is singular."""
        with self.inputs.given(p.tolist()):
            return self.system.arrive(t, y)

    def take_path(self) -> None:
        """Let `move` follow the loops from where the rates have followed them to."""
        self._places.begin_like(self.program)
        for variable, q in zip(self.unknowns, self.program.memory.tolist(), strict=True):
            variable.q = q

    def check(self, conditions: Sequence[float]) -> None:
        """Refuse machine code that differs from the system on numbers."""
        system, live = self.system, self.inputs
        p = live.values
        with kept(system):
            for t, y in (
                (0.0, list(conditions)),
                (0.37, [x + PROBE * (1.0 + abs(x)) for x in conditions]),
            ):
                self.begin()
                rates = np.ravel(self.program.function(t, np.array(y, dtype=float), p))
                try:
                    right = np.array(system.derivative(t, y), dtype=float)
                except MotorikError:
                    continue
                if not np.all(np.isfinite(right)) or self.program.failed is not None:
                    continue
                apart = np.abs(rates - right).max(initial=0.0)
                if not apart <= SAME_TRACED * (1.0 + np.abs(right).max(initial=0.0)):
                    raise CompileError(
                        system.label,
                        f"gives other rates in machine code than in Python ({apart:.3g} apart): "
                        "they are not a function of its conditions and attributes.",
                        "Leave out what differs from call to call, or integrate it with "
                        "compiled=False.",
                    )
        self.begin()


def compile_settled(system: DynamicSystem, inputs: LiveInputs) -> NativeFunction:
    """Return y without drift, of (t, y, p); it can also overwrite the y it is given."""

    def projected(
        t: Sequence[Scalar], y: Sequence[Scalar], p: Sequence[Scalar]
    ) -> dict[str, Sequence[Scalar]]:
        with inputs.given(p):
            system.set_conditions(y)
            return {"out": _on_symbols(system, lambda: system.projected() or y)}

    counts = {"t": 1, "y": system.order, "p": len(inputs.values)}
    with kept(system):
        function = record_program(counts, projected).compile("projected").function.function
    assert function is not None, "no loop is closed in projecting"
    return compile_function(function, replaces=True)


def _on_symbols(
    system: DynamicSystem, equations: Callable[[], Sequence[Scalar]]
) -> Sequence[Scalar]:
    try:
        return list(equations())
    except MotorikError:
        raise
    except Exception as error:
        raise CompileError(
            system.label,
            f"cannot be traced on symbols: {error}",
            "Write its equations without `if` on values: use `where` of motorik.algebra.",
        ) from error


@contextmanager
def kept(system: DynamicSystem) -> Iterator[StateSlots]:
    """Run on numbers once, and give everything its numbers back after the run on symbols.

    Solvers find by the first run where to begin, and which branch is the nearest.
    """
    conditions = list(system.conditions)
    with preserved(system.touched), quiet():
        with suppress(
            MotorikError
        ):  # a value that is not set yet is reported when it is used
            system.derivative(0.0, conditions)
        slots = StateSlots(system)
        with preserved(slots.states.values()):
            try:
                yield slots
            finally:
                slots.restore()
                system.set_conditions(conditions)
