"""Values of parameters for one run: of live ones as numbers, of others in a copy."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.vector import Vector
from motorik.components.base.live_names import check_settable, find_place, live_at
from motorik.errors import ParameterError, SimulationError
from motorik.immutable import immutable

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.components.base.composite import Composite
    from motorik.components.base.values import Parameter


@immutable
class GivenValues:
    """Values of parameters for one run: `live` ones by parameter, `plain` ones by name."""

    live: dict[Parameter, np.ndarray]
    plain: dict[str, object]

    @staticmethod
    def of(model: Composite, values: Mapping[str, object]) -> GivenValues:
        """Return the meaning of values by name; refuse unknown names and invalid values."""
        if not isinstance(values, Mapping):
            raise SimulationError(
                "simulate",
                f"parameters = {values!r} is not a dict by name.",
                'Give e.g. {"body.m": 2.0}.',
            )
        known = _known_live(model, values)
        given = GivenValues({}, {})
        for name, value in values.items():
            own = known[name]
            if own is None:
                given.plain[name] = value
            elif own in given.live:
                raise ParameterError(
                    name,
                    f"is the parameter {own.name!r}, given twice.",
                    "Give it once.",
                    parameter=own.name,
                    value=values,
                )
            else:
                given.live[own] = own.checked(value)  # type: ignore[arg-type]
        return given

    def copied(self, model: Composite) -> Composite:
        """Return a copy of a model with the plain values; live parameters stay the same."""
        kept = [*model.live_parameters().values()]
        twin = copy.deepcopy(model, {id(live): live for live in kept})
        for name, value in self.plain.items():
            part, parameter = find_place(twin, name)
            check_settable(part, parameter)
            setattr(part, parameter, value)
        return twin

    def shown(self, model: Composite) -> dict[str, tuple[object, str]]:
        """Return value and unit of the plain numbers and vectors as the copied model has them."""
        found = {}
        for name in self.plain:
            part, parameter = find_place(model, name)
            value = part.__dict__[parameter]
            entries = value.xyz if isinstance(value, Vector) else value
            numbers = entries if isinstance(entries, tuple) and entries else (entries,)
            if all(type(x) in (int, float) for x in numbers):
                found[name] = entries, part.specs[parameter].unit
        return found

    def written(self, system: CompiledModel) -> np.ndarray:
        """Return the live values of a system, with those given."""
        values = system.parameter_values()
        for k, scalar in enumerate(system.parameters):
            if scalar.parameter in self.live:
                values[k] = self.live[scalar.parameter][scalar.index]
        return system.completed(values)


def _known_live(model: Composite, names: Iterable[str]) -> Mapping[str, Parameter | None]:
    """Return the live parameters that names mean, None of what is plain.

    They are found again if the model or the name of a parameter has changed.
    """
    own = model.__dict__
    revision, live, places = own.get("_latest_live", (None, {}, {}))
    known = revision == own["revision"] and all(p.name == n for n, p in live.items())
    if not known:
        live, places = model.live_parameters(), {}
        own["_latest_live"] = own["revision"], live, places
    for name in names:
        if name not in live and name not in places:
            places[name] = live_at(*find_place(model, name))
    return {**places, **live}
