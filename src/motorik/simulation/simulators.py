"""Many simulations of one model that step together, for learning and sampling controllers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from motorik.compiler.bound_call import call_each
from motorik.compiler.threads import for_each, share
from motorik.errors import (
    MotorikError,
    SimulationError,
    checked_call,
    checked_methods,
    refuse_pickle,
)
from motorik.initialisation.given import is_number
from motorik.simulation.methods import METHODS
from motorik.simulation.methods.tables import TABLES
from motorik.simulation.options import DEFAULT_SOLVER, SolverOptions
from motorik.simulation.saved_state import SavedState
from motorik.simulation.simulator import Simulator
from motorik.simulation.slots import find_inputs, named, unit_of
from motorik.simulation.stepping.workspace import Status

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.compiler.bound_call import BoundCall

Which = Sequence[int] | np.ndarray | slice | int | None
Values = Mapping[str, float | Sequence[float] | np.ndarray]


class Members(Protocol):
    """Simulations of one system, side by side; numbers of each are the rows of arrays."""

    def states(self) -> np.ndarray:
        """Return the states, a new array."""
        ...

    def parameters(self) -> np.ndarray:
        """Return the parameters p, a new array."""
        ...

    def times(self) -> np.ndarray:
        """Return the time of each [s]."""
        ...

    def write(self, places: np.ndarray, values: np.ndarray) -> None:
        """Set numbers of p of all members."""
        ...

    def step(self, dt: float) -> list[tuple[int, str]]:
        """Advance all by dt [s]; return which have failed, and why."""
        ...

    def restart(self, which: np.ndarray, starts: Starts) -> None:
        """Begin again with the members of these numbers."""
        ...


Starts = list[SavedState]  # of each


@checked_methods
class Simulators:
    """Simulations of one model that step together: arrays in and out, a row for each.

    >>> # sims = model.simulators(4096, step=0.001); torques = sims.inputs("motor.tau_constant")
    >>> # torques.write(actions); sims.step(0.02); sims.outputs("joint.phi").read()

    Models without events step four at a time in the lanes of vector registers with methods of
    fixed step; others one after the other in native code, or, where friction, contacts or
    conditions may end their steps, each as a `Simulator`. `threads` share the work.

    `initial` and `parameters` give a number for all or an array with one for each.
    """

    @checked_call
    def __init__(
        self,
        system: CompiledModel,
        count: int,
        *,
        method: str = "rk4",
        step: float | None = None,
        rtol: float = 1e-6,
        initial: Values | None = None,
        parameters: Values | None = None,
        solver: SolverOptions = DEFAULT_SOLVER,
        threads: int = 1,
    ) -> None:
        self._count, self._threads = _natural("count", count), _natural("threads", threads)
        self._given = dict(initial or {}), dict(parameters or {})
        first = [
            {key: float(column[0]) for key, column in _columns(n, v, self._count).items()}
            for n, v in zip(("initial", "parameters"), self._given, strict=True)
        ]
        self._first = Simulator(
            system,
            method=method,
            step=step,
            rtol=rtol,
            solver=solver,
            initial=first[0],
            parameters=first[1],
        )
        self.system = self._first.system
        self._step = step
        self._members: Members = self._make_members(method)
        if any(np.ndim(v) for values in self._given for v in values.values()):
            self.reset()

    def __reduce__(self) -> tuple[object, ...]:
        refuse_pickle(
            "simulators", "Pickle the model, and make them again where it is read."
        )

    def _make_members(self, method: str) -> Members:
        sim = self._first
        if method in TABLES and not METHODS[method].adaptive and _fits_lanes(sim):
            from motorik.simulation.simulator_lanes import StateLanes

            assert self._step is not None
            own = self._count, method, self._step, self._threads
            return StateLanes(sim.system, sim.time, sim.state, sim.parameters, *own)
        return SingleSimulators(sim, self._count, self._threads)

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"<{self._count} Simulators of {self.system.facts.name}>"

    @property
    def time(self) -> np.ndarray:
        """The time of each [s]."""
        return self._members.times()

    @property
    def state(self) -> np.ndarray:
        """The states, a row for each simulation, in the order of `state_names`; a copy."""
        return self._members.states()

    @property
    def state_names(self) -> list[str]:
        """The names of the states."""
        return list(self.system.state_names)

    @property
    def in_lanes(self) -> bool:
        """Whether several simulations share vector registers."""
        return not isinstance(self._members, SingleSimulators)

    def step(self, dt: float) -> Simulators:
        """Advance all by dt [s]; return itself.

        Simulations that fail stay where that was and are named; all others have been advanced.
        """
        if not (is_number(dt) and 0.0 < dt < math.inf):
            raise SimulationError(
                "step",
                f"dt = {dt!r} s is not a positive time.",
                "Give dt > 0.",
                parameter="dt",
                value=dt,
            )
        failed = self._members.step(float(dt))
        if failed:
            numbers = [k for k, _ in failed]
            shown = ", ".join(map(str, numbers[:8])) + (" …" if len(numbers) > 8 else "")
            raise SimulationError(
                self.system.facts.name,
                f"{len(numbers)} of {self._count} simulations cannot go on, the numbers {shown}: "
                f"{failed[0][1]}.",
                "All others have taken this step. Begin again with them: "
                "simulators.reset(error.value).",
                value=tuple(numbers),
            )
        return self

    def reset(
        self,
        which: Which = None,
        initial: Values | None = None,
        parameters: Values | None = None,
    ) -> Simulators:
        """Begin again with all, or those of these numbers or where a mask is true; return itself.

        Values are a number for each of those that begin again, or one for all of them; those that
        are not given are as at first.
        """
        numbers = self._numbers(which)
        given = []
        for name, new, own in zip(
            ("initial", "parameters"), (initial, parameters), self._given, strict=True
        ):
            values = _columns(name, new or {}, numbers.size)
            given.append({**_columns_of(own, numbers, self._count, name), **values})
        if numbers.size:
            self._members.restart(numbers, self._starts(numbers.size, *given))
        return self

    def _numbers(self, which: Which) -> np.ndarray:
        """Return the numbers of simulations, or refuse what is none."""
        if which is None:
            return np.arange(self._count)
        every = np.arange(self._count)
        try:
            return np.atleast_1d(
                every[which if isinstance(which, slice) else np.asarray(which)]
            )
        except IndexError as error:
            raise SimulationError(
                "reset",
                f"{which!r} are no simulations: there are {self._count}.",
                f"Give numbers from 0 to {self._count - 1}, or {self._count} truth values.",
                parameter="which",
                value=which,
            ) from error

    def _starts(
        self, count: int, initial: dict[str, np.ndarray], parameters: dict[str, np.ndarray]
    ) -> Starts:
        """Return consistent starts with columns of values by name."""
        own, found = self._first, []
        rows: dict[tuple[float, ...], SavedState] = {}
        for k in range(count):
            key = tuple(float(c[k]) for c in (*initial.values(), *parameters.values()))
            if key not in rows:
                values = [
                    {name: float(column[k]) for name, column in columns.items()}
                    for columns in (initial, parameters)
                ]
                own.reset(*values)
                if own.system is not self.system:
                    raise SimulationError(
                        own.system.facts.name,
                        f"has another formulation at {values[0] | values[1]}.",
                        "Simulate such starts one by one, by model.simulator().",
                    )
                rows[key] = own.save()
            found.append(rows[key])
        return found

    # --- inputs and outputs -----------------------------------------------------------------

    def inputs(self, *names: str) -> ManyInputs:
        """Return live parameters and `Discrete` signals, to be set in all of them by `write`."""
        return ManyInputs(self, named("inputs", names))

    def outputs(self, *names: str) -> ManyOutputs:
        """Return variables, to be read in all simulations by `read`."""
        return ManyOutputs(self, named("outputs", names))

    @property
    def members(self) -> Members:
        """The simulations themselves."""
        return self._members


@checked_methods
class ManyInputs:
    """Live parameters and `Discrete` signals of many simulations that are set together."""

    def __init__(self, simulators: Simulators, names: tuple[str, ...]) -> None:
        self.names, self._simulators = names, simulators
        self._places = find_inputs(simulators.system, names)
        check = simulators.system.parameter_check
        self._is_plain = check.takes_all(self._places.tolist())

    @property
    def units(self) -> tuple[str, ...]:
        """The unit of each."""
        return tuple(unit_of(self._simulators.system, name) for name in self.names)

    def write(
        self, values: Sequence[float] | Sequence[Sequence[float]] | np.ndarray
    ) -> None:
        """Set all of them: a row for each simulation, or one row for all."""
        own = self._simulators
        numbers, shape = np.asarray(values, dtype=float), (len(own), len(self.names))
        if numbers.shape != shape:
            if numbers.shape not in ((shape[1],), (shape[0],) if shape[1] == 1 else shape):
                raise SimulationError(
                    "inputs",
                    f"values of shape {numbers.shape} were given for {shape[1]} inputs of "
                    f"{shape[0]} simulations.",
                    f"Give an array of shape {shape}, or {shape[1]} numbers for all.",
                    parameter="values",
                    value=numbers,
                )
            numbers = np.broadcast_to(numbers.reshape(-1, shape[1]), shape)
        if not np.isfinite(numbers).all():
            row, k = map(int, np.argwhere(~np.isfinite(numbers))[0])
            raise SimulationError(
                self.names[k],
                f"cannot be set to {float(numbers[row, k])!r} in simulation {row}.",
                "Give finite numbers.",
                parameter=self.names[k],
                value=float(numbers[row, k]),
            )
        if not self._is_plain:
            rows = own.members.parameters()
            rows[:, self._places] = numbers
            for p in np.unique(rows, axis=0):
                own.system.parameter_check(own.system.layout.live_of(p))
        own.members.write(self._places, numbers)

    def read(self) -> np.ndarray:
        """Return their present values, a row for each simulation."""
        return self._simulators.members.parameters()[:, self._places]

    def __repr__(self) -> str:
        return f"<Inputs {', '.join(self.names)} of {len(self._simulators)} simulations>"


@checked_methods
class ManyOutputs:
    """Variables of many simulations that are read together: `slices` tells where each name is."""

    def __init__(self, simulators: Simulators, names: tuple[str, ...]) -> None:
        self.names, self._simulators = names, simulators
        system = simulators.system
        index = {name: k for k, name in enumerate(system.state_names)}
        self._states = [index[name] for name in names] if set(names) <= set(index) else None
        places = {*system.layout.live_names, *system.layout.kept_signals, "time"}
        shapes = [
            () if n in places or n in system.layout.index else system.shape_of(n)
            for n in names
        ]
        ends = np.cumsum([0, *map(math.prod, shapes)]).tolist()
        self.slices = {
            name: slice(a, b) for name, a, b in zip(names, ends[:-1], ends[1:], strict=True)
        }

    @property
    def units(self) -> tuple[str, ...]:
        """The unit of each."""
        return tuple(unit_of(self._simulators.system, name) for name in self.names)

    def read(self) -> np.ndarray:
        """Return their present values, a row for each simulation."""
        own, system = self._simulators, self._simulators.system
        if isinstance(own.members, SingleSimulators) and own.members.differ:
            return own.members.read(self.names)
        x = own.members.states()
        if self._states is not None:
            return x[:, self._states]
        t, p = own.members.times(), own.members.parameters()
        X = (
            system.full_state.map(t.reshape(-1, 1), x, p)
            if system.layout.has_dependent
            else x
        )
        found = {"time": t}
        found |= {name: X[:, k] for name, k in system.layout.index.items()}
        places = {**system.layout.live_names, **system.layout.kept_signals}
        found |= {name: p[:, k] for name, k in places.items()}
        rest = [name for name in self.names if name not in found]
        if rest:
            found |= system.output_samples(t, X, p).values(rest)
        columns = [np.asarray(found[name]).reshape(len(own), -1) for name in self.names]
        return np.concatenate(columns, axis=1)

    def __repr__(self) -> str:
        return f"<Outputs {', '.join(self.names)} of {len(self._simulators)} simulations>"


# --- simulations one by one ------------------------------------------------------------------


class SingleSimulators:
    """Simulations each of which is a `Simulator`; those without events step in native code."""

    def __init__(self, first: Simulator, count: int, threads: int) -> None:
        self._system, self._threads = first.system, threads
        self._own = [first.copy() for _ in range(count)]
        self._bound: list[BoundCall] = []
        self._tables = np.zeros((0, 0), dtype=np.int64)
        self._status = np.zeros(count, dtype=np.int64)

    def states(self) -> np.ndarray:
        """Return the states, a new array."""
        here, layout = self._system, self._system.layout
        rows = (
            own.state if own.system is here else layout.state_of(own.motion)
            for own in self._own
        )
        return np.array(list(rows))

    def parameters(self) -> np.ndarray:
        """Return the parameters p, in other formulations the live ones, a new array."""
        rows = [own.parameters for own in self._own]
        if not self.differ:
            return np.array(rows)
        return np.array([row[: self._system.layout.n_live] for row in rows])

    def times(self) -> np.ndarray:
        """Return the time of each [s]."""
        return np.array([own.time for own in self._own])

    @property
    def differ(self) -> bool:
        """Whether some go on in another formulation of the mechanism."""
        return any(own.system is not self._system for own in self._own)

    def read(self, names: Sequence[str]) -> np.ndarray:
        """Return variables of each in its own formulation."""
        return np.array([own.outputs(*names).read() for own in self._own])

    def write(self, places: np.ndarray, values: np.ndarray) -> None:
        """Set numbers of p of all members."""
        for own, row in zip(self._own, values, strict=True):
            if own.is_smooth:
                own.write_parameters(places, row)
            else:
                own.set_parameters(places, row)

    def step(self, dt: float) -> list[tuple[int, str]]:
        """Advance all by dt [s]; return which have failed, and why."""
        native = [k for k, own in enumerate(self._own) if own.is_smooth]
        if native:
            self._step_natively(native, dt)
        failed = []
        for k, own in enumerate(self._own):
            try:
                if not own.is_smooth:
                    own.step(dt)
                elif self._status[k] != Status.REACHED:
                    own.finish_step(int(self._status[k]))
            except MotorikError as error:
                failed.append((k, error.reason.rstrip(".")))
        return failed

    def _step_natively(self, numbers: list[int], dt: float) -> None:
        """Let native code step these, and note the status of each."""
        calls = [self._own[k].aim(dt) for k in numbers]
        if calls != self._bound:
            self._bound, self._tables = calls, np.array([call.table for call in calls])
        status = np.zeros(len(numbers), dtype=np.int64)
        parts = share(len(numbers), self._threads)
        if len(parts) == 1:
            call_each(self._tables, status)
        else:
            for_each(lambda part: call_each(self._tables[part], status[part]), parts)
        self._status[numbers] = status

    def restart(self, which: np.ndarray, starts: Starts) -> None:
        """Begin again with the members of these numbers."""
        for k, start in zip(which.tolist(), starts, strict=True):
            self._own[k].begin_at(start)


# --- values for each ---------------------------------------------------------------------------


def _natural(name: str, value: object) -> int:
    """Return a number from 1 on, or refuse it."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise SimulationError(
            "simulators",
            f"{name} = {value!r} is no number of {'simulations' if name == 'count' else name}.",
            "Give a whole number from 1 on.",
            parameter=name,
            value=value,
        )
    return int(value)


def _columns(name: str, values: Values, count: int) -> dict[str, np.ndarray]:
    """Return values by name as columns of so many numbers, or refuse their shape."""
    found: dict[str, np.ndarray] = {}
    for key, value in values.items():
        array = np.asarray(value, dtype=float)
        if array.shape not in ((), (count,)):
            raise SimulationError(
                str(key),
                f"has {name} values of shape {array.shape} for {count} simulations.",
                f"Give one number, or {count}.",
                parameter=name,
                value=value,
            )
        found[key] = np.broadcast_to(array, (count,))
    return found


def _columns_of(
    values: Values, numbers: np.ndarray, count: int, name: str
) -> dict[str, np.ndarray]:
    """Return the columns of some of the simulations."""
    return {key: own[numbers] for key, own in _columns(name, values, count).items()}


def _fits_lanes(sim: Simulator) -> bool:
    """Return whether nothing but smooth motion can happen: no event, no guard, no full turn."""
    system, facts = sim.system, sim.system.facts
    is_plain = sim.is_smooth and system.margins is None and not system.layout.n_unwrapped
    is_rolled = facts.is_rolled and system.project is not None
    return is_plain and not (facts.is_audited or facts.responds or is_rolled)
