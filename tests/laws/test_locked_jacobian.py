"""The Jacobian in a mode is that of the mode: a locked clutch is linearised as locked."""

import numpy as np
import pytest

from motorik import Model, blocks, rotational


class Clutched(Model):
    """Two inertias, a clutch between them, each on a spring to the ground."""

    def build(self, press=1.0, w=0.0):
        self.ground = rotational.Fixed()
        self.spring = rotational.Spring(c=100.0)
        self.left = rotational.Inertia(J=2.0, phi=0.01, w=w)
        self.clutch = rotational.Clutch(fn_max=1000.0)
        self.right = rotational.Inertia(J=1.0, phi=0.0, w=0.0)
        self.other = rotational.Spring(c=50.0)
        self.press = blocks.Constant(k=press)
        self.press.y >> self.clutch.f_normalized
        self.ground.flange >> self.spring.flange_a
        self.spring.flange_b >> self.left.flange_a
        self.left.flange_b >> self.clutch.flange_a
        self.clutch.flange_b >> self.right.flange_a
        self.right.flange_b >> self.other.flange_a
        self.other.flange_b >> self.ground.flange


def frequencies(press, w):
    """Return the frequencies [rad/s] of the equations linearised where a run ends."""
    result = Clutched(press=press, w=w).simulate(0.001)
    system, n = result._system, result.states.shape[1]
    p, x = result._parameters[-1], result.states[-1]
    J = system.jacobian(np.array([0.001]), x, p).reshape(n, n).T
    values = np.linalg.eigvals(J)
    return np.sort(values.imag[values.imag > 1e-6]), values


def test_a_locked_clutch_is_linearised_as_locked():
    """One frequency of both inertias together, ω² = (c₁ + c₂) / (J₁ + J₂), and two zeros."""
    found, values = frequencies(1.0, 0.0)
    assert found == pytest.approx([np.sqrt(150.0 / 3.0)], rel=1e-12)
    assert np.sort(np.abs(values))[:2] == pytest.approx([0.0, 0.0], abs=1e-6)


def test_an_open_clutch_is_linearised_as_open():
    found, _ = frequencies(0.0, 0.0)
    assert found == pytest.approx(np.sqrt([50.0, 50.0]), rel=1e-7)


def test_a_slipping_clutch_is_linearised_with_its_sliding_torque():
    """Constant friction has no slope, so the inertias swing each on its own spring."""
    found, _ = frequencies(0.01, 5.0)
    assert found == pytest.approx(np.sqrt([50.0, 50.0]), rel=1e-7)
