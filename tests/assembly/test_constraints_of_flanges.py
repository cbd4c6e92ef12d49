"""Own constraints between flanges alone: cams and gears of a ratio that changes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import motorik as mk
from motorik import rotational, translational
from motorik.authoring import (
    ConstraintBetween,
    DeclaredPart,
    rotational_flange,
    translational_flange,
)
from motorik.elements.constraint import Constraint
from motorik.functions import sin

J, M, W = 0.1, 2.0, 10.0


class Cam(DeclaredPart):
    """A follower lifted by s = 0.05 m sin φ."""

    cam = rotational_flange("cam")
    follower = translational_flange("follower")

    def contributions(self, p):
        lift = Constraint(residual=lambda a, b: (b - 0.05 * sin(a),), units=("m",))
        yield ConstraintBetween(self, (), lift, flanges=(self.cam, self.follower))


class Gear(DeclaredPart):
    """A gear of a ratio that changes: φ_b = φ_a + 0.2 sin φ_a."""

    flange_a = rotational_flange("in")
    flange_b = rotational_flange("out")

    def contributions(self, p):
        turned = Constraint(residual=lambda a, b: (b - a - 0.2 * sin(a),), units=("rad",))
        yield ConstraintBetween(self, (), turned, flanges=(self.flange_a, self.flange_b))


def reduced(t, y, driven, slope, curve):
    """Return the rates of (φ, ω) by the equation of one degree of freedom."""
    phi, w = y
    k, bend = slope(phi), curve(phi)
    return [w, -driven * k * bend * w * w / (J + driven * k * k)]


def expected(driven, slope, curve) -> float:
    """Return φ of the driving inertia after 1 s."""
    given = {"args": (driven, slope, curve), "rtol": 1e-11, "atol": 1e-12}
    return float(solve_ivp(reduced, (0.0, 1.0), [0.0, W], **given).y[0, -1])


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "projected"])
def test_a_cam_moves_a_mass(strategy):
    model = mk.Model()
    model.shaft = rotational.Inertia(J=J, phi=0.0, w=W)
    model.part = Cam()
    model.mass = translational.Mass(m=M)
    model.connect(model.shaft.flange_b, model.part.cam)
    model.connect(model.part.follower, model.mass.flange_a)
    result = model.simulate(1.0, rtol=1e-10, strategy=strategy)
    phi = expected(M, lambda a: 0.05 * np.cos(a), lambda a: -0.05 * np.sin(a))
    assert result["shaft.phi"][-1] == pytest.approx(phi, abs=1e-7)
    assert result["mass.s"][-1] == pytest.approx(0.05 * np.sin(phi), abs=1e-8)


def test_a_gear_of_a_ratio_that_changes():
    model = mk.Model()
    model.a = rotational.Inertia(J=J, phi=0.0, w=W)
    model.gear = Gear()
    model.b = rotational.Inertia(J=0.2)
    model.connect(model.a.flange_b, model.gear.flange_a)
    model.connect(model.gear.flange_b, model.b.flange_a)
    result = model.simulate(1.0, rtol=1e-10)
    phi = expected(0.2, lambda a: 1.0 + 0.2 * np.cos(a), lambda a: -0.2 * np.sin(a))
    assert result["a.phi"][-1] == pytest.approx(phi, abs=1e-7)
    energy = result.energy()["total"]
    assert np.ptp(energy) < 1e-8 * energy[0]
