"""Gears in housings that move: torques in balance, power passed on, energy of all inertias.

Newton's law of each inertia, with one multiplier of the gear, against the drive line.
"""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import rotational as rot
from motorik import translational as tra

RATIO = -2.5
TORQUE = 3.0  # N·m, on flange_a


def accelerations(inertias: list[float], factors: list[float]) -> np.ndarray:
    """Return the accelerations under Σ cᵢ aᵢ = 0, the first inertia driven by `TORQUE`."""
    n = len(inertias)
    matrix = np.zeros((n + 1, n + 1))
    matrix[:n, :n], matrix[:n, n], matrix[n, :n] = np.diag(inertias), factors, factors
    right = np.zeros(n + 1)
    right[0] = TORQUE
    return np.linalg.solve(matrix, right)[:n]


def housed(gear: mk.Part, ends: dict[str, mk.Part]) -> mk.Model:
    """Return a gear with an inertia at each of its flanges; a torque drives the first."""
    model = mk.Model()
    model.world, model.gear = mk.World(), gear
    model.motor = rot.ConstantTorque(tau_constant=TORQUE)
    for k, (flange, inertia) in enumerate(ends.items()):
        setattr(model, f"body{k}", inertia)
        getattr(model.gear, flange) >> inertia.flange_a
    model.motor.flange >> model.body0.flange_b
    return model


def check_powers(result: mk.Result, flanges: dict[str, str]) -> None:
    """Assert that a gear passes on all power; flanges have `tau` or `f`."""
    flows = [
        result[f"gear.{flange}.{load}"] * result[f"body{k}.{'w' if load == 'tau' else 'v'}"]
        for k, (flange, load) in enumerate(flanges.items())
    ]
    assert min(np.abs(flow).max() for flow in flows) > 0.1
    np.testing.assert_allclose(np.sum(flows, axis=0), 0.0, atol=1e-12)


@pytest.mark.parametrize("kind", [rot.IdealGear, rot.LossyGear])
def test_a_gear_turns_its_housing_by_the_rest_of_the_torque(kind):
    inertias = [0.3, 0.7, 2.0]
    model = housed(
        kind(ratio=RATIO, useSupport=True),
        {
            "flange_a": rot.Inertia(J=inertias[0], phi=0.0, w=0.0),
            "flange_b": rot.Inertia(J=inertias[1], phi=0.0, w=0.0),
            "support": rot.Inertia(J=inertias[2]),
        },
    )
    result = model.simulate(1.0, output=4, rtol=1e-10)
    wanted = accelerations(inertias, [1.0, -RATIO, RATIO - 1.0])
    found = np.array([result[f"body{k}.a"] for k in range(3)])
    np.testing.assert_allclose(found, np.tile(wanted[:, None], 5), rtol=1e-11)
    loads = [result[f"gear.{name}.tau"] for name in ("flange_a", "flange_b", "support")]
    np.testing.assert_allclose(np.sum(loads, axis=0), 0.0, atol=1e-12)
    check_powers(result, dict.fromkeys(("flange_a", "flange_b", "support"), "tau"))
    kinetic = sum(
        0.5 * J * (a * result.time) ** 2 for J, a in zip(inertias, wanted, strict=True)
    )
    np.testing.assert_allclose(result.energy()["kinetic"], kinetic, rtol=1e-9)
    # all of it is the work of the motor
    work = TORQUE * result["body0.phi"]
    np.testing.assert_allclose(result.energy()["total"], work, rtol=1e-9, atol=1e-12)


def test_a_rack_moves_both_its_housings():
    """φ − φ₀ = ratio (s − s₀): the pinion's bearing turns, the rack's guide slides."""
    inertias = [0.3, 0.7, 2.0, 5.0]
    model = housed(
        rot.IdealGearR2T(ratio=RATIO, useSupportR=True, useSupportT=True),
        {
            "flangeR": rot.Inertia(J=inertias[0], phi=0.0, w=0.0),
            "flangeT": tra.Mass(m=inertias[1], s=0.0, v=0.0),
            "supportR": rot.Inertia(J=inertias[2], phi=0.0, w=0.0),
            "supportT": tra.Mass(m=inertias[3]),
        },
    )
    result = model.simulate(1.0, output=4, rtol=1e-10)
    wanted = accelerations(inertias, [1.0, -RATIO, -1.0, RATIO])
    found = np.array([result[f"body{k}.a"] for k in range(4)])
    np.testing.assert_allclose(found, np.tile(wanted[:, None], 5), rtol=1e-11)
    loads = {"flangeR": "tau", "flangeT": "f", "supportR": "tau", "supportT": "f"}
    check_powers(result, loads)
    torques, forces = (
        [result[f"gear.{name}.{load}"] for name, own in loads.items() if own == load]
        for load in ("tau", "f")
    )
    np.testing.assert_allclose(np.sum(torques, axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(np.sum(forces, axis=0), 0.0, atol=1e-12)
