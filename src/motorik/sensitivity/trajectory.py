"""Sensitivities: the derivatives of a run by names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from motorik.errors import checked_methods, refuse_pickle
from motorik.results.matrices import labelled_dataset
from motorik.results.model_result import ModelResult
from motorik.sensitivity.directions import RunDirections
from motorik.sensitivity.forward import integrate_forward, output_times, start_of_run
from motorik.sensitivity.variables import derivatives_of

if TYPE_CHECKING:
    import xarray

    from motorik.compiled_model import CompiledModel
    from motorik.results import RunInfo
    from motorik.sensitivity.forward import Motions
    from motorik.simulation.options import RunOptions

Settings: TypeAlias = "Callable[[Mapping[str, float]], tuple[RunOptions, np.ndarray]]"


@checked_methods
class Sensitivities:
    """The derivatives of a run by live parameters and start values, at the output times.

    ``found["hinge.phi"]`` has the axes sample, those of the variable, and `by`: the changes of the
    variable [its unit] for each unit of the parameter. At an event they are those after it. `time`
    are the output times [s], `by` the names, `units` their units, `values` their values.
    """

    def __init__(self, motions: Motions) -> None:
        self._motions = motions
        own = motions.directions
        self.time, self.by, self.units, self.values = (
            motions.time,
            own.names,
            own.units,
            own.values,
        )
        self._known: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        """Return the derivatives of a variable."""
        return self.of([name])[name]

    def of(self, names: Sequence[str]) -> dict[str, np.ndarray]:
        """Return the derivatives of several variables, computed together."""
        new = [name for name in names if name not in self._known]
        if new:
            self._known |= derivatives_of(self._motions, new)
        return {name: self._known[name] for name in names}

    def value(self, name: str) -> np.ndarray:
        """Return the variable itself at the output times."""
        return self._result[name]

    @property
    def _result(self) -> ModelResult:
        own = self._motions
        X, t = own.x, own.time
        if own.system.layout.has_dependent:
            X = own.system.full_state.map(t.reshape(-1, 1), own.x, own.p)
        return ModelResult(own.system, t, X, own.p, _no_info)

    def to_xarray(self, names: Sequence[str]) -> xarray.Dataset:
        """Return the derivatives of scalar variables with the names of `by`."""
        own = self.of(list(names))
        axes = {"time": self.time, "by": list(self.by), "by_unit": ("by", list(self.units))}
        return labelled_dataset({n: (("time", "by"), v) for n, v in own.items()}, axes, {})

    def __reduce__(self) -> tuple[object, ...]:
        refuse_pickle("sensitivities", "Pickle `to_xarray(names)` of them.")

    def __repr__(self) -> str:
        by = ", ".join(f"{n} [{u}]" for n, u in zip(self.by, self.units, strict=True))
        return f"<Sensitivities of {self._motions.system.facts.name} by {by}>"


def _no_info() -> RunInfo:
    raise AssertionError("variables of sensitivities have no run")


def start_values(
    system: CompiledModel, options: RunOptions, live: np.ndarray, parameters: Sequence[str]
) -> RunDirections:
    """Return parameters with their units and values at the start of a run."""
    initial = start_of_run(system, options, live)
    return RunDirections.of(initial, parameters, options.duration, "parameters")


def differentiate(
    system: CompiledModel, options: RunOptions, live: np.ndarray, by: Sequence[str]
) -> Sensitivities:
    """Return the derivatives of a run."""
    initial = start_of_run(system, options, live)
    directions = RunDirections.of(initial, by, options.duration)
    grid = output_times(options)
    return Sensitivities(integrate_forward(initial, options, directions, grid))


def settings_of(
    options: RunOptions,
    live: np.ndarray,
    given: Mapping[str, float],
    places: Mapping[str, int],
) -> Settings:
    """Return the function from other values by name to options and live parameters."""

    def with_values(numbers: Mapping[str, float]) -> tuple[RunOptions, np.ndarray]:
        changed, first = live.copy(), dict(given)
        for name, value in numbers.items():
            if name in places:
                changed[places[name]] = value
            else:
                first[name] = value
        return replace(options, initial=first), changed

    return with_values
