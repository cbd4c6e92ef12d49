"""Magnetic circuits against closed forms."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

import motorik as mk
from motorik import electrical, magnetic, translational
from motorik.errors import ParameterError
from motorik.exchange.modelica import read_model

MU_0 = 4e-7 * np.pi


def with_coil(*tubes: mk.Part, N: float = 500.0, R: float = 5.0) -> mk.Model:
    """Return flux tubes in a ring around a coil at 12 V."""
    model = mk.Model()
    model.battery, model.earth = electrical.ConstantVoltage(V=12.0), electrical.Ground()
    model.wire = electrical.Resistor(R=R)
    model.coil = magnetic.ElectroMagneticConverter(N=N, i=0.0)
    model.tubes, model.ground = list(tubes), magnetic.Ground()
    mk.connect(model.battery.p, model.wire.p)
    mk.connect(model.wire.n, model.coil.p)
    mk.connect(model.coil.n, model.battery.n, model.earth.p)
    at = model.coil.port_p
    for tube in model.tubes:
        mk.connect(at, tube.port_p)
        at = tube.port_n
    mk.connect(at, model.coil.port_n, model.ground.port)
    return model


def test_a_coil_around_a_reluctance_is_an_inductor():
    model = with_coil(
        magnetic.ConstantReluctance(R_m=1e6), magnetic.ConstantPermeance(G_m=1e-6)
    )
    result = model.simulate(0.1)
    L = 500.0**2 / 2e6
    i = 12.0 / 5.0 * (1.0 - np.exp(-np.asarray(result.time) * 5.0 / L))
    assert result["coil.i"] == pytest.approx(i, abs=1e-5)
    assert result["coil.Psi"] == pytest.approx(-L * np.asarray(result["coil.i"]))
    stored = sum(np.asarray(result[f"tubes[{k}].stored_energy"]) for k in (1, 2))
    assert stored == pytest.approx(0.5 * L * np.asarray(result["coil.i"]) ** 2)


def test_eddy_currents_delay_the_flux():
    """12 V = R i + N dPhi/dt, N i = R_m Phi + dPhi/dt / R_eddy, from i = 0 on."""
    model = with_coil(
        magnetic.ConstantReluctance(R_m=1e6), magnetic.EddyCurrent(l=0.1, A=1e-4)
    )
    result = model.simulate(0.1)
    N, R, R_m, R_eddy = 500.0, 5.0, 1e6, 0.098e-6 * 0.1 / 1e-4
    T = N * N / (R * R_m) + 1.0 / (R_eddy * R_m)
    end, begin = 12.0 * N / (R * R_m), -12.0 / (N * R_eddy * R_m)
    Phi = end + (begin - end) * np.exp(-np.asarray(result.time) / T)
    assert result["tubes[1].Phi"] == pytest.approx(Phi, abs=1e-7)
    rate = (end - Phi) / T
    assert result["tubes[2].lossPower"] == pytest.approx(rate**2 / R_eddy, rel=1e-3)


def field(B: float) -> float:
    """Return H [A/m] of the steel 9SMnPb28."""
    x = abs(B) / 1.488
    return B / MU_0 / (1.0 + (399.0 + 1200.0 * x) / (1.0 + 3.0 * x + x**12.5))


@pytest.mark.slow
@pytest.mark.parametrize("V_m", [20.0, 400.0, 2000.0])
def test_iron_saturates(V_m):
    model = mk.Model()
    model.source = magnetic.ConstantMagneticPotentialDifference(V_m=V_m)
    model.iron, model.gap = magnetic.GenericFluxTube(l=0.1), magnetic.ConstantReluctance()
    model.gap.R_m, model.ground = 1e6, magnetic.Ground()
    mk.connect(model.source.port_p, model.iron.port_p)
    mk.connect(model.iron.port_n, model.gap.port_p)
    mk.connect(model.gap.port_n, model.source.port_n, model.ground.port)
    end = model.simulate(0.01, output=2).sample(-1)
    B = brentq(lambda B: field(B) * 0.1 + 1e6 * B * 1e-4 - V_m, 0.0, 20.0, xtol=1e-14)
    assert end["iron.B"] == pytest.approx(B, rel=1e-6)
    energy = 1e-4 * 0.1 * quad(field, 0.0, B, epsabs=0.0)[0]
    assert end["iron.stored_energy"] == pytest.approx(energy, rel=1e-3)


GAPS = {
    "CuboidParallelFlux": lambda l: MU_0 * 1e-4 / l,
    "HollowCylinderAxialFlux": lambda l: MU_0 * np.pi * 1e-4 / l,
    "HollowCylinderRadialFlux": lambda l: 2.0 * np.pi * MU_0 * l / np.log(1.5),
}


@pytest.mark.parametrize("way", [1.0, -1.0])
@pytest.mark.parametrize("kind", GAPS)
def test_the_force_of_a_gap_is_the_gradient_of_its_energy(kind, way):
    """At constant flux F = −∂W/∂s, W = Phi² / (2 G_m)."""
    model = mk.Model()
    model.source = magnetic.ConstantMagneticPotentialDifference(V_m=1000.0)
    l_0 = 0.0 if way > 0.0 else 4e-3
    model.gap = getattr(magnetic, kind)(l_0=l_0, dlBydx=way, useSupport=True)
    model.wall, model.yoke = translational.Fixed(s0=2e-3), translational.Fixed(s0=0.0)
    model.ground = magnetic.Ground()
    mk.connect(model.source.port_p, model.gap.port_p)
    mk.connect(model.gap.port_n, model.source.port_n, model.ground.port)
    mk.connect(model.gap.flange, model.wall.flange)
    mk.connect(model.gap.support, model.yoke.flange)
    end = model.simulate(0.01, output=2).sample(-1)
    Phi, h = end["gap.Phi"], 1e-6
    assert Phi == pytest.approx(1000.0 * GAPS[kind](2e-3))
    W = [0.5 * Phi**2 / GAPS[kind](2e-3 + way * s) for s in (-h, h)]
    assert end["gap.F_m"] == pytest.approx(-(W[1] - W[0]) / (2.0 * h), rel=1e-5)
    assert end["gap.flange.f"] == pytest.approx(-end["gap.F_m"])
    assert end["gap.support.f"] == pytest.approx(end["gap.F_m"])


def test_a_magnet_holds_its_armature_against_a_spring():
    """Of a magnet of length L and a gap l, B = B_r L / (L + mu_r l), F = B² A / 2 mu_0."""
    model = mk.Model()
    model.magnet = magnetic.GenericLinearPermanentMagnet(B_r=1.2, mu_r=1.05)
    model.gap, model.ground = magnetic.CuboidParallelFlux(), magnetic.Ground()
    model.armature = translational.Mass(m=0.1, s=mk.guess(5e-3))
    model.spring = translational.SpringDamper(c=1e5, d=200.0, s_rel0=5e-3)
    model.wall = translational.Fixed()
    mk.connect(model.magnet.port_p, model.gap.port_p)
    mk.connect(model.gap.port_n, model.magnet.port_n, model.ground.port)
    mk.connect(model.gap.flange, model.armature.flange_a, model.spring.flange_b)
    mk.connect(model.spring.flange_a, model.wall.flange)
    end = model.simulate(0.1, output=2).sample(-1)
    l = end["gap.l"]
    B = 1.2 * 0.01 / (0.01 + 1.05 * l)
    assert end["magnet.B"] == pytest.approx(-B, rel=1e-6)
    assert end["gap.F_m"] == pytest.approx(-(B**2) * 1e-4 / (2.0 * MU_0), rel=1e-6)
    assert end["gap.F_m"] == pytest.approx(1e5 * (l - 5e-3), rel=1e-4)


def test_an_electromagnet_turns_electrical_energy_into_motion():
    """The work of the battery is heat, magnetic energy and kinetic energy."""
    model = with_coil(
        magnetic.GenericFluxTube(l=0.1, nonLinearPermeability=False, mu_rConst=1000.0),
        magnetic.CuboidParallelFlux(),
    )
    model.armature = translational.Mass(m=0.1, s=5e-3, v=0.0)
    mk.connect(model.tubes[1].flange, model.armature.flange_a)
    model.joule = mk.blocks.Integrator()
    model.heat = mk.blocks.Expression(
        f=lambda motion: 12.0 * motion["coil.i"] - 5.0 * motion["coil.i"] ** 2
    )
    model.heat.y >> model.joule.u
    result = model.simulate(0.02, rtol=1e-9)
    stored = sum(np.asarray(result[f"tubes[{k}].stored_energy"]) for k in (1, 2))
    kinetic = 0.05 * np.asarray(result["armature.v"]) ** 2
    assert kinetic[-1] > 1e-4
    assert np.asarray(result["joule.y"]) == pytest.approx(stored + kinetic, abs=1e-7)


def test_a_magnetic_circuit_is_read_from_modelica(tmp_path):
    parts = {
        "source": ("Sources.ConstantMagneticPotentialDifference", {"V_m": "100"}),
        "iron": ("Basic.ConstantReluctance", {"R_m": "2e5"}),
        "gap": ("Shapes.Force.HollowCylinderAxialFlux", {"mu_r": "1", "r_o": "0.02"}),
        "sensor": ("Sensors.MagneticFluxSensor", {}),
        "ground": ("Basic.Ground", {}),
    }
    library = "Modelica.Magnetic.FluxTubes"
    components = [
        {"name": name, "type": f"{library}.{kind}", "modifiers": given}
        for name, (kind, given) in parts.items()
    ]
    wall = "Modelica.Mechanics.Translational.Components.Fixed"
    components.append({"name": "wall", "type": wall, "modifiers": {"s0": "0.001"}})
    ring = ["source.port_p", "iron.port_p"], ["iron.port_n", "gap.port_p"]
    ring += ["gap.port_n", "sensor.port_p"], ["sensor.port_n", "source.port_n"]
    wires = [*ring, ["source.port_n", "ground.port"], ["gap.flange", "wall.flange"]]
    file = tmp_path / "models.json"
    file.write_text(json.dumps({"M": {"components": components, "connections": wires}}))
    end = read_model("M", file).simulate(0.01, output=2).sample(-1)
    R = 2e5 + 1e-3 / (MU_0 * np.pi * 4e-4)
    assert end["sensor.Phi"] == pytest.approx(100.0 / R, rel=1e-6)


def test_wrong_values_are_refused():
    with pytest.raises(ParameterError, match="dlBydx = 2 is neither"):
        magnetic.CuboidParallelFlux(dlBydx=2.0)
    with pytest.raises(ParameterError, match=r"r_i = 0\.02 m is not below"):
        magnetic.HollowCylinderAxialFlux(r_i=0.02, r_o=0.01)
