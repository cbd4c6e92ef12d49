"""RunDirections: live parameters and start values by which a run is differentiated."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import (
    AssemblyError,
    InitialValueError,
    ParameterError,
    SimulationError,
    UnknownNameError,
    suggest,
)
from motorik.immutable import immutable
from motorik.simulation.initial_state import initialise_run
from motorik.simulation.model_integration import state_scales

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.initialisation.start import InitialState
    from motorik.simulation.options import RunOptions

SPACING = (
    1e-3  # of differences of starts that are searched for, times the scale of the value
)


@immutable(eq=False)
class RunDirections:
    """Live parameters and start values: `names`, `units` and present `values`.

    `places` are those of live parameters in p, −1 of start values; `scales` the usual sizes of all:
    of a parameter its value, or one, of a start value at least that of the state.
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    values: np.ndarray
    places: tuple[int, ...]
    scales: np.ndarray

    @staticmethod
    def of(
        initial: InitialState, names: Sequence[str], duration: float, argument: str = "by"
    ) -> RunDirections:
        """Return the directions of names, or refuse what is neither a parameter nor a state.

        `argument` is what the user calls these names, `duration` [s] that of the run.
        """
        system, layout = initial.system, initial.system.layout
        units, values, places, scales = [], [], [], []
        at = initial.t, initial.x[None], initial.p[None]
        usual = state_scales(system, *at, duration)[0]
        states = dict(zip(system.state_names, layout.integrated, strict=True))
        if not names:
            raise UnknownNameError(
                argument,
                "names nothing.",
                "Give names of live parameters or states.",
                value=names,
            )
        for name in names:
            if name in layout.live_names:
                place = layout.live_names[name]
                _refuse_designed(system, layout.live_of(initial.p), name, place)
                units.append(layout.live[place].parameter.unit)
                values.append(initial.p[place])
                places.append(place)
                scales.append(abs(initial.p[place]) or 1.0)
            elif name in states:
                units.append(layout.motion[states[name]].unit)
                values.append(initial.X[states[name]])
                places.append(-1)
                scales.append(max(abs(initial.X[states[name]]), usual[states[name]]))
            else:
                raise UnknownNameError(
                    argument,
                    f"{name!r} is neither a live parameter nor a state that can be given.",
                    "A parameter becomes live by Parameter(value). "
                    f"{suggest(name, [*layout.live_names, *states])}",
                    parameter=argument,
                    value=name,
                )
        arrays = np.array(values), tuple(places), np.array(scales)
        return RunDirections(tuple(names), tuple(units), *arrays)

    def __len__(self) -> int:
        return len(self.names)

    def of_parameters(self, n_p: int) -> np.ndarray:
        """Return the changes of p, a column for each direction."""
        found = np.zeros((n_p, len(self)))
        for k, place in enumerate(self.places):
            if place >= 0:
                found[place, k] = 1.0
        return found

    def of_start(self, initial: InitialState, options: RunOptions) -> np.ndarray:
        """Return the changes of the state with which the run begins, a column for each.

        Exact where start values are taken as they are given; where the start is searched for,
        as loops and conditions need it, by differences of fourth order of what is found. Only
        parameters that may change it are tried.
        """
        system = initial.system
        found = np.zeros((system.n_x, len(self)))
        is_given = system.facts.state_is_given
        closing = (
            () if is_given or not any(k >= 0 for k in self.places) else _closing(system)
        )
        index = {name: k for k, name in enumerate(system.state_names)}
        for k, (name, place) in enumerate(zip(self.names, self.places, strict=True)):
            if is_given:
                if place < 0:
                    found[index[name], k] = 1.0
            elif place < 0 or closing is None or place in closing:
                found[:, k] = self._difference(initial, options, k)
        return found

    def _difference(self, initial: InitialState, options: RunOptions, k: int) -> np.ndarray:
        """Return the change of the start with one value, by four starts beside it."""
        h, total = SPACING * self.scales[k], np.zeros(initial.system.n_x)
        for far, weight in ((1, 8.0), (-1, -8.0), (2, -1.0), (-2, 1.0)):
            live, given = (
                initial.system.layout.live_of(initial.p).copy(),
                dict(options.initial),
            )
            if self.places[k] >= 0:
                live[self.places[k]] += far * h
            else:
                given[self.names[k]] = float(self.values[k]) + far * h
            try:
                beside = initialise_run(
                    initial.system, replace(options, initial=given), live
                )
            except (InitialValueError, AssemblyError) as error:
                raise ParameterError(
                    self.names[k],
                    f"cannot be {self.values[k] + far * h:.6g} beside {self.values[k]:.6g}, so "
                    f"the start has no derivative by it: {error.place}: {error.reason}",
                    "Differentiate by another value, or leave free by guess(…) what fixes it.",
                    parameter="by",
                    value=float(self.values[k]),
                ) from error
            if beside.system is not initial.system:
                raise SimulationError(
                    self.names[k],
                    f"changes the formulation beside {self.values[k]:.6g}.",
                    "Differentiate at another value.",
                    parameter="by",
                    value=float(self.values[k]),
                )
            total += weight * (beside.x - initial.x)
        return total / (12.0 * h)


def _closing(system: CompiledModel) -> Container[int] | None:
    """Return the places in p of what loops are closed with; None where starts need more."""

    def find() -> frozenset[int]:
        names = ["full_state"] if system.project is None else ["full_state", "project"]
        patterns = [system.function(name).jac_sparsity(0, 2) for name in names]
        return frozenset(k for own in patterns for k in own.get_triplet()[1])

    if not system.facts.start_is_kinematic:
        return None
    return system.kept_for_gradients("closing", find)


def _refuse_designed(
    system: CompiledModel, live: np.ndarray, name: str, place: int
) -> None:
    """Refuse a parameter by which the design pose changes: others follow from it there."""
    if not system.n_designed:
        return
    moved = live.copy()
    moved[place] += 1e-3 * max(1.0, abs(moved[place]))
    designed = slice(live.size - system.n_designed, None)
    if not np.array_equal(system.completed(moved)[designed], live[designed]):
        raise ParameterError(
            name,
            "changes the design pose, from which other values follow: runs have no derivative "
            "by it alone.",
            "Differentiate by the values that follow from it.",
            parameter=name,
            value=float(live[place]),
        )
