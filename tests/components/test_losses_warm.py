"""Every part that turns power into heat has a heat port, through which all of it leaves."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import motorik as mk
from motorik import (
    electrical,
    forces,
    heat,
    hydraulic,
    joints,
    magnetic,
    parts,
    rotational,
    translational,
)
from motorik.components.base.equation_part import EquationPart
from motorik.components.base.part import Part

PACKAGES = (
    electrical, forces, hydraulic, joints, magnetic, parts, rotational, translational
)  # fmt: skip
HEAT = "heatPort"
#: Its lossPower, which it has as other compliant parts do, is zero.
WITHOUT_LOSS = {"Spring"}


def kinds_of_parts() -> Iterator[tuple[str, type[Part]]]:
    """Yield the page of the catalogue and the class of every part of the packages."""
    for package in PACKAGES:
        page = package.__name__.rpartition(".")[2]
        for name in package.__all__:
            kind = getattr(package, name)
            if isinstance(kind, type) and issubclass(kind, Part):
                yield page, kind


def example(page: str, kind: type[Part]) -> tuple[mk.Model, Part] | None:
    """Return the model of a part in the catalogue, and the part in it."""
    module = importlib.import_module(f"scripts.catalogue.{page}")
    make: Callable[[], mk.Model] | None = getattr(module, kind.__name__, None)
    if make is None:
        return None
    model = make()
    found = [part for part in model.walk() if type(part) is kind]
    return (model, found[0]) if found else None


def is_lossy(kind: type[Part]) -> bool:
    """Return whether a part written as equations has a power that it loses."""
    return issubclass(kind, EquationPart) and kind.lossPower is not EquationPart.lossPower


OF_EQUATIONS = [
    pytest.param(page, kind, id=kind.__name__)
    for page, kind in kinds_of_parts()
    if is_lossy(kind) and kind is not electrical.HeatingResistor  # it warms a body already
]


def test_parts_that_lose_power_have_a_heat_port():
    missing = []
    for page, kind in kinds_of_parts():
        if "useHeatPort" in kind.specs or kind.__name__ in WITHOUT_LOSS:
            continue
        shown = example(page, kind)
        variables = () if shown is None else shown[1].variables(shown[1].resolved(float))
        if is_lossy(kind) or "lossPower" in variables:
            missing.append(kind.__name__)
    assert missing == []


@pytest.mark.slow
@pytest.mark.kinds(4)
@pytest.mark.parametrize(("page", "kind"), OF_EQUATIONS)
def test_what_a_part_of_equations_loses_warms_a_body(page: str, kind: type[Part]):
    found = example(page, kind)
    assert found is not None
    model, part = found
    model.body_to_warm = heat.HeatCapacitor(C=10.0, T=293.15)
    model.connect(getattr(part, HEAT), model.body_to_warm.port)
    result = model.simulate(0.2, output=400, rtol=1e-8)
    lost = np.asarray(result[f"{part.path}.lossPower"])
    flow = np.asarray(result[f"{part.path}.heatPort.Q_flow"])
    np.testing.assert_allclose(flow, -lost, rtol=1e-9, atol=1e-9 * np.abs(lost).max())
    warmth = 10.0 * (np.asarray(result["body_to_warm.T"]) - 293.15)
    energy = np.trapezoid(lost, np.asarray(result.time))
    assert warmth[-1] == pytest.approx(energy, rel=0.02, abs=1e-9)


def test_a_contact_warms_what_its_friction_brakes():
    """All of ½ m v² becomes heat."""
    model = mk.Model()
    model.world = mk.World(n="-y")
    model.body = parts.PointMass(m=2.0, r_0=(0.0, 0.0, 0.0), v_0=(3.0, 0.0, 0.0))
    model.contact = forces.PointPlaneContact(mu=0.5)
    model.floor = heat.HeatCapacitor(C=5.0, T=293.15)
    model.connect(model.world.frame_b, model.contact.frame_a)
    model.connect(model.contact.frame_b, model.body.frame_a)
    model.connect(model.contact.heatPort, model.floor.port)
    result = model.simulate(1.0)
    assert result["floor.T"][-1] == pytest.approx(293.15 + 0.5 * 2.0 * 9.0 / 5.0, abs=1e-6)
