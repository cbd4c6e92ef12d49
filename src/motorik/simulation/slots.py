"""Inputs and outputs of a simulator: names looked up once, arrays written and read."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.compiler.addresses import start_of
from motorik.errors import SimulationError, UnknownNameError, checked_methods, suggest

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.compiler import NativeFunction
    from motorik.simulation.integration import Integration
    from motorik.simulation.simulator import Simulator

Places = slice | np.ndarray


# --- names ---------------------------------------------------------------------------------


def named(what: str, names: tuple[object, ...]) -> tuple[str, ...]:
    """Return names given one by one or as one list, or refuse what is none."""
    given = names[0] if len(names) == 1 and not isinstance(names[0], str) else names
    if not isinstance(given, Sequence) or not all(isinstance(n, str) for n in given):
        raise UnknownNameError(
            what,
            f"{given!r} are no names.",
            f'Give names, as in simulator.{what}("hinge.phi", "hinge.w").',
            parameter=what,
            value=given,
        )
    if twice := sorted({str(n) for n in given if given.count(n) > 1}):
        raise UnknownNameError(
            what,
            f"{', '.join(twice)} {'is' if len(twice) == 1 else 'are'} named twice.",
            "Name each of them once.",
            parameter=what,
            value=given,
        )
    return tuple(given)


def input_places(system: CompiledModel) -> dict[str, int]:
    """Return the places in p of all that can be set in a run: live parameters and signals."""
    return {**system.layout.live_names, **system.layout.kept_signals}


def find_inputs(system: CompiledModel, names: Sequence[str]) -> np.ndarray:
    """Return the places of inputs in p, or refuse a name that is none."""
    known = input_places(system)
    for name in names:
        if name not in known:
            raise UnknownNameError(
                "inputs",
                f"{name!r} is neither a live parameter nor a Discrete signal.",
                f"A parameter becomes live by Parameter(value). {suggest(name, known)}",
                parameter="inputs",
                value=name,
            )
    return np.array([known[name] for name in names], dtype=np.intp)


def as_slice(places: np.ndarray) -> Places:
    """Return places that follow one another as a slice, which is quicker."""
    if places.size and (np.diff(places) == 1).all():
        return slice(int(places[0]), int(places[-1]) + 1)
    return places


def unit_of(system: CompiledModel, name: str) -> str:
    """Return the unit of a state, a live parameter or any other variable."""
    layout = system.layout
    if name == "time":
        return "s"
    if name in layout.index:
        return layout.motion[layout.index[name]].unit
    places = input_places(system)
    if name in places:
        return layout.live[places[name]].parameter.unit
    return system.equations.catalogue.find(name)[0].unit


# --- inputs ---------------------------------------------------------------------------------


@checked_methods
class SimulatorInputs:
    """Live parameters and `Discrete` signals of a simulator that are set together.

    >>> # torques = sim.inputs("motor1.tau_constant", "motor2.tau_constant")
    >>> # torques.write([1.5, -0.3]); sim.step(0.001)

    `names` are theirs, in the order of the numbers, `units` their units.
    """

    def __init__(self, simulator: Simulator, names: tuple[str, ...]) -> None:
        self.names = names
        self._simulator = simulator
        self._zeros = np.zeros(len(names))
        self._find(simulator.system)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self._simulator, self.names)

    def _find(self, system: CompiledModel) -> None:
        """Look the names up in a formulation of the mechanism."""
        self._system = system
        places = find_inputs(system, self.names)
        self._places = as_slice(places)
        is_free = system.parameter_check.takes_all(places.tolist())
        self._is_plain = is_free and not system.n_designed

    @property
    def units(self) -> tuple[str, ...]:
        """The unit of each."""
        return tuple(unit_of(self._system, name) for name in self.names)

    def write(self, values: Sequence[float] | np.ndarray) -> None:
        """Set all of them; the simulation continues from there."""
        own = self._simulator
        numbers = np.asarray(values, dtype=float)
        if numbers.shape != self._zeros.shape:
            self._refuse_shape(numbers)
        if not math.isfinite(numbers.dot(self._zeros)):  # no sum overflows
            self._refuse_number(numbers)
        if own.system is not self._system:
            self._find(own.system)
        if self._is_plain and own.is_smooth:
            own.write_parameters(self._places, numbers)
        else:
            own.set_parameters(self._places, numbers)

    def read(self) -> np.ndarray:
        """Return their present values."""
        if self._simulator.system is not self._system:
            self._find(self._simulator.system)
        return self._simulator.parameters[self._places]

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"<SimulatorInputs {', '.join(self.names)}>"

    def _refuse_shape(self, numbers: np.ndarray) -> None:
        raise SimulationError(
            "inputs",
            f"values of shape {numbers.shape} were given for {len(self.names)} inputs.",
            f"Give one number for each of {', '.join(self.names)}.",
            parameter="values",
            value=numbers,
        )

    def _refuse_number(self, numbers: np.ndarray) -> None:
        k = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise SimulationError(
            self.names[k],
            f"cannot be set to {float(numbers[k])!r}.",
            "Give a finite number.",
            parameter=self.names[k],
            value=float(numbers[k]),
        )


# --- outputs --------------------------------------------------------------------------------


@checked_methods
class SimulatorOutputs:
    """Variables of a simulator that are read together, as one array.

    >>> # state = sim.outputs("joint1.phi", "joint1.w", "tool.frame_b.r_0")
    >>> # state.read()

    Any variable, live parameter or `Discrete` signal can be one, and "time". Vectors and matrices
    take their numbers one after the other: `slices` tells where each of `names` is, `units` are
    those of the names.
    """

    def __init__(self, simulator: Simulator, names: tuple[str, ...]) -> None:
        self.names = names
        self._simulator = simulator
        self._find(simulator.system)
        sizes = [math.prod(self._shape(name)) for name in names]
        ends = np.cumsum([0, *sizes]).tolist()
        self.slices = {
            name: slice(a, b) for name, a, b in zip(names, ends[:-1], ends[1:], strict=True)
        }
        self._size = ends[-1]

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self._simulator, self.names)

    def _shape(self, name: str) -> tuple[int, ...]:
        is_number = name in self._system.layout.index or name in self._in_p
        return () if is_number or name == "time" else self._system.shape_of(name)

    def _find(self, system: CompiledModel) -> None:
        """Look the names up in a formulation of the mechanism."""
        self._system, layout = system, system.layout
        self._in_p = input_places(system)
        self._run: Integration | None = None
        states = {name: k for k, name in enumerate(system.state_names)}
        self._states: Places | None = None
        if all(name in states for name in self.names):
            self._states = as_slice(
                np.array([states[n] for n in self.names], dtype=np.intp)
            )
            return
        known = (*layout.index, *self._in_p, "time")
        self._computed = tuple(name for name in self.names if name not in known)
        self._compute: Callable[[], np.ndarray] | None = None
        for name in self._computed:
            system.shape_of(name)  # which refuses a name that is unknown

    @property
    def units(self) -> tuple[str, ...]:
        """The unit of each."""
        return tuple(unit_of(self._system, name) for name in self.names)

    def read(self) -> np.ndarray:
        """Return their present values, a new array."""
        own = self._simulator
        run = own.run
        if run is not self._run:
            if own.system is not self._system:
                self._find(own.system)
            self._prepare(run)
        if self._states is not None:
            return self._x[self._states].copy()
        return self._read_all()

    def _prepare(self, run: Integration) -> None:
        """Find the memory of the present integration."""
        self._run, self._x = run, run.state_memory
        if self._states is not None:
            return
        self._motion = Motion(self._system, run)
        self._compute = None
        if self._computed and self._system.nonsmooth is None:
            outputs = self._system.outputs(self._computed)
            if not outputs.needs_multipliers:
                self._compute = self._motion.computing(outputs.function)

    def _read_all(self) -> np.ndarray:
        """Return values among which are others than states."""
        own, layout = self._simulator, self._system.layout
        found, X, p = np.empty(self._size), self._motion.now(), own.run.p
        computed = np.zeros(0)
        if self._computed:
            computed = (
                self._compute() if self._compute else own.computed(self._computed, X.copy())
            )
        at = 0
        for name, place in self.slices.items():
            if name in layout.index:
                found[place] = X[layout.index[name]]
            elif name in self._in_p:
                found[place] = p[self._in_p[name]]
            elif name == "time":
                found[place] = own.time
            else:
                size = place.stop - place.start
                found[place] = computed[at : at + size]
                at += size
        return found

    def __len__(self) -> int:
        return self._size

    def __repr__(self) -> str:
        return f"<SimulatorOutputs {', '.join(self.names)}>"


class Motion:
    """All coordinates, speeds and other states at the present of an integration, and variables.

    Native functions read the memory of the integration; what they write is kept here.
    """

    def __init__(self, system: CompiledModel, run: Integration) -> None:
        layout = system.layout
        self._kept = run  # whose memory is read
        self._X, self._rates = (
            np.zeros(max(layout.n_motion, 1)),
            np.zeros(layout.n_motion + 1),
        )
        self._given = run.time_address, run.state_address, start_of(run.p)
        self._system, self._layout = system, layout
        self._x = run.state_memory if not layout.has_dependent else None
        self._full_state = system.full_state

    def now(self) -> np.ndarray:
        """Return X, in memory that is written again."""
        if self._x is not None:
            self._X[: self._x.size] = self._x
        else:
            self._full_state.call_at(*self._given, start_of(self._X))
        return self._X

    def computing(self, function: NativeFunction) -> Callable[[], np.ndarray]:
        """Return the evaluation of variables after `now`, without multipliers of loops."""
        t, _, p = self._given
        n_q, n_u, size = self._layout.n_q, self._layout.n_u, self._X.itemsize
        X, rates = start_of(self._X), start_of(self._rates)
        values = np.empty(function.outputs[0].size)
        none = np.zeros(max(function.inputs[5].size, 1))
        given = t, X, X + n_q * size, rates + n_q * size, X + (n_q + n_u) * size
        passed = *given, start_of(none), p, start_of(values)
        rate_of = self._system.full_state_rates

        def compute() -> np.ndarray:
            rate_of.call_at(t, X, p, rates)
            function.call_at(*passed)
            return values

        compute.__dict__["kept"] = none, values
        return compute
