"""Prescribed motion within dynamics, kinematic runs, and inverse dynamics."""

import math
from functools import cache

import numpy as np
import pytest

from motorik.errors import (
    AssemblyError,
    CompileError,
    IncompleteRunWarning,
    MotorikError,
    ParameterError,
)
from motorik.functions import sin
from motorik.mobile import (
    AdamsIntegrator,
    ElementaryJoint,
    ImplicitConstraintSolver,
    KinematicSystem,
    MapChain,
    MassElement,
    MechanicalSystem,
    MutableScalar,
    PrescribedMotion,
    RigidLink,
    Scene,
    Vector,
    X,
    Y,
    angular_variables,
    frames,
    linear_variables,
)
from motorik.mobile import ChordPointPointQuadratic as Distance

G = 9.81


class Hanging:
    """A pendulum m, l that hangs from a slide moved by s(t) = 0.3 sin 4t, y up."""

    m, length = 2.0, 0.8

    def __init__(self):
        self.K0, self.K1, self.K2, self.K3 = frames("K0 K1 K2 K3")
        (self.s,), (self.psi,) = linear_variables("s"), angular_variables("psi")
        self.drive = PrescribedMotion(self.s, lambda t: 0.3 * sin(4.0 * t))
        slide = ElementaryJoint(self.K0, self.K1, self.s, X)
        pin = ElementaryJoint(self.K1, self.K2, self.psi)
        rod = RigidLink(self.K2, self.K3, Vector(0, -self.length, 0))
        self.chain = MapChain([self.drive, slide, pin, rod, MassElement(self.K3, self.m)])
        self.psi.q = 0.4


@cache
def swing(compiled):
    one = Hanging()
    system = MechanicalSystem([one.psi], one.chain, one.K0, Y)
    integrator = AdamsIntegrator(system, 0.05, relative_tolerance=1e-10, compiled=compiled)
    return integrator.run(1.0)


def by_hand(t, s=lambda t: 0.3 * math.sin(4.0 * t), l=0.8):
    """ψ of l ψ̈ = −g sin ψ − s̈ cos ψ, by Runge–Kutta in small steps."""

    def rate(t, y):
        return np.array([y[1], (-G * math.sin(y[0]) + 16.0 * s(t) * math.cos(y[0])) / l])

    y, n = np.array([0.4, 0.0]), 4000
    h = t / n
    for k in range(n):
        a = k * h
        k1 = rate(a, y)
        k2 = rate(a + h / 2, y + h / 2 * k1)
        k3 = rate(a + h / 2, y + h / 2 * k2)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(a + h, y + h * k3))
    return y


@pytest.mark.slow
@pytest.mark.parametrize("compiled", [True, False])
def test_a_pendulum_on_a_shaken_slide_moves_as_its_equation_says(compiled):
    result = swing(compiled)
    assert result["psi"][-1] == pytest.approx(by_hand(1.0)[0], abs=1e-8)
    assert result["s.q"][-1] == pytest.approx(0.3 * math.sin(4.0), rel=1e-12)


@pytest.mark.slow
def test_the_drive_exerts_the_rate_of_momentum():
    result = swing(True)
    s, psi, w, wd = (result[n] for n in ("s.qdd", "psi.q", "psi.qd", "psi.qdd"))
    horizontal = s + 0.8 * (wd * np.cos(psi) - w**2 * np.sin(psi))  # of the mass
    np.testing.assert_allclose(-result["s.Q"], 2.0 * horizontal, rtol=0, atol=1e-9)


def test_a_kinematic_run_is_a_result_with_the_forces_of_inverse_dynamics():
    one = Hanging()
    result = KinematicSystem(one.chain, one.K0, Y).run(0.5, 0.1)
    assert result.time.tolist() == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4, 0.5])
    s = 0.3 * np.sin(4.0 * result.time)
    np.testing.assert_allclose(result["K3.p"][:, 0], s + 0.8 * math.sin(0.4), atol=1e-15)
    # the pendulum is held at 0.4 rad: the drive moves its mass as one body
    np.testing.assert_allclose(-result["s.Q"], -2.0 * 16.0 * s, atol=1e-12)
    assert Scene(one.chain).scene().parts and Scene(one.chain).live_scene().parts
    assert result.unit("s.Q") == "N" and result.states.shape == (6, 0)
    assert result.at(0.25)["s.q"] == pytest.approx(0.3 * math.sin(1.0))
    again = KinematicSystem(one.chain, one.K0, Y)
    assert again.run(0.3, 0.1).time[-1] == pytest.approx(0.3)
    assert again.run(0.2, 0.1).time[0] == pytest.approx(0.3)


def test_inverse_dynamics_clears_what_was_there():
    one = Hanging()
    one.drive.time = 0.2
    first = one.chain.inverse_dynamics(one.K0, Y)
    assert one.chain.inverse_dynamics(one.K0, Y) == first
    hold, push = first  # of ψ, an input; then of the driven s
    assert hold == pytest.approx(
        2.0 * 0.8 * (G * math.sin(0.4) + one.s.qdd * math.cos(0.4))
    )
    assert push == pytest.approx(2.0 * one.s.qdd)
    assert one.s.qdd == pytest.approx(-16.0 * 0.3 * math.sin(0.8))


def test_a_loop_that_cannot_close_ends_a_kinematic_run():
    K0, K1, K2, K3 = frames("K0 K1 K2 K3")
    phi, psi = angular_variables("phi psi")
    dependent = MapChain() << ElementaryJoint(K2, K3, psi)
    end = frames("end")[0]
    dependent << RigidLink(K3, end, Vector(0.5, 0, 0))
    loop = ImplicitConstraintSolver(Distance(K0, end, 1.2**2), [psi], dependent)
    drive = PrescribedMotion(phi, lambda t: t)
    chain = MapChain() << drive << ElementaryJoint(K0, K1, phi)
    chain << RigidLink(K1, K2, Vector(1, 0, 0)) << loop
    psi.q = 1.0
    result = KinematicSystem(chain).run(0.5, 0.1)
    r = np.linalg.norm(result["end.p"], axis=1)
    np.testing.assert_allclose(r, 1.2, atol=1e-12)
    fine = KinematicSystem(chain).run(0.02, 1e-3)  # accelerations are those of positions
    places = fine["end.p"]
    second = (places[2:] - 2.0 * places[1:-1] + places[:-2]) / 1e-6
    turned = np.einsum("tij,tj->ti", fine["end.R"], fine["end.lin_a"])
    np.testing.assert_allclose(turned[1:-1], second, rtol=1e-4, atol=1e-4)
    shorter = PrescribedMotion(phi, lambda t: t)
    length = MutableScalar(0.0, "length")
    slide = ElementaryJoint(K1, K2, linear_variables("x")[0], X)
    grow = PrescribedMotion(slide.variable, lambda t: 1.0 + t)
    chain = MapChain([shorter, grow, ElementaryJoint(K0, K1, phi), slide, loop])
    with pytest.warns(IncompleteRunWarning, match="KinematicSystem ended early"):
        result = KinematicSystem(chain).run(2.0, 0.1)
    assert 0.6 < result.time[-1] < 0.8 and not result.info.complete  # 1 + t = 1.2 + 0.5
    assert length.name == "length"


def test_what_is_no_motion_is_refused():
    (phi,) = angular_variables("phi")
    with pytest.raises(ParameterError, match="function of time"):
        PrescribedMotion(phi, 3.0)
    with pytest.raises(ParameterError, match=r"motorik\.functions"):
        PrescribedMotion(phi, lambda t: math.sin(t)).motion()
    K0, K1 = frames("K0 K1")
    still = MapChain() << ElementaryJoint(K0, K1, phi)
    with pytest.raises(AssemblyError, match="no driver"):
        KinematicSystem(still).run(1.0, 0.1)
    moved = MapChain() << PrescribedMotion(phi, lambda t: t)
    for duration, interval in ((0.0, 0.1), (1.0, -0.1), (math.nan, 0.1)):
        with pytest.raises(ParameterError, match="not positive"):
            KinematicSystem(moved).run(duration, interval)
    with pytest.raises(MotorikError, match="transmission element"):
        KinematicSystem(3.0)
    assert issubclass(CompileError, MotorikError)
