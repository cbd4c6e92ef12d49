"""Live parameters of heat, hydraulic and magnetic parts act as those of a new model do."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik.components.base.declarations import ParameterSpec
from scripts.make_catalogue import examples_of, public_parts

PARTS = [
    ("heat", "FixedHeatFlow"),
    ("heat", "BodyRadiation"),
    ("heat", "HeatCapacitor"),
    ("hydraulic", "Accumulator"),
    ("hydraulic", "ReliefValve"),
    ("hydraulic", "Cylinder"),
    ("hydraulic", "Motor"),
    ("magnetic", "GenericFluxTube"),
    ("magnetic", "HollowCylinderRadialFlux"),
    ("magnetic", "EddyCurrent"),
]


@pytest.mark.parametrize(("window", "name"), PARTS, ids=[".".join(p) for p in PARTS])
def test_live_values_act_as_new_ones(window, name):
    example = getattr(examples_of(window), name)
    kind = public_parts(window)[name]

    def made(factor: float, live: bool) -> tuple[mk.Model, dict[str, float]]:
        model, values = example(), {}
        part = next(part for part in model.walk() if type(part) is kind)
        for own, spec in kind.specs.items():
            if isinstance(spec, ParameterSpec) and isinstance(getattr(part, own), float):
                value = getattr(part, own)
                if value == 0.0 or own == "dlBydx":
                    continue
                values[own] = factor * value
                setattr(
                    part, own, mk.Parameter(value, name=own) if live else factor * value
                )
        return model, values

    new, values = made(1.05, live=False)
    model, _ = made(1.0, live=True)
    one = new.simulate(0.02, output=5)
    other = model.simulate(0.02, output=5, parameters=values)
    assert values
    assert np.abs(other.states - one.states).max() <= 1e-6 * np.abs(one.states).max()
    unchanged = model.simulate(0.02, output=5)
    assert np.abs(unchanged.states - one.states).max() > 0.0
