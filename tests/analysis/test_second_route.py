"""Analyses of an arm against Pinocchio, built from the same numbers; modes against closed forms."""

from __future__ import annotations

import math
from importlib.util import find_spec

import numpy as np
import pytest

from benchmarks.models import make_manipulator, make_samples
from benchmarks.ours import make_model
from motorik import Body, FixedTranslation, Model, Revolute, World
from motorik import rotational as turn

needs_pinocchio = pytest.mark.skipif(
    find_spec("pinocchio") is None, reason="Pinocchio is the second route"
)
JOINTS = range(6)


@pytest.fixture(scope="module")
def arm():
    return make_model(make_manipulator())


@pytest.fixture(scope="module")
def twin():
    from benchmarks.analysis import twin_of

    return twin_of(pytest.importorskip("pinocchio"), make_manipulator())


@needs_pinocchio
@pytest.mark.slow
def test_the_linearised_arm_has_its_derivatives(arm, twin):
    import pinocchio as pin

    samples, data = make_samples(make_manipulator()), twin.createData()
    for q, v in zip(samples.q, samples.v, strict=True):
        at = {f"joint{i}.phi": float(q[i]) for i in JOINTS}
        at |= {f"joint{i}.w": float(v[i]) for i in JOINTS}
        drives = [f"joint{i}.phi" for i in JOINTS]
        linear = arm.linearize(drives, at=at, anywhere=True)
        pin.computeABADerivatives(twin, data, q, v, np.zeros(6))
        assert linear.states == (*drives, *(f"joint{i}.w" for i in JOINTS))
        expected = np.block([[np.zeros((6, 6)), np.eye(6)], [data.ddq_dq, data.ddq_dv]])
        assert np.abs(linear.A - expected).max() < 1e-9 * np.abs(expected).max()
        upper = np.triu(data.Minv)
        inverse = upper + np.triu(upper, 1).T
        assert np.abs(linear.B[6:] - inverse).max() < 1e-10 * np.abs(inverse).max()


@needs_pinocchio
@pytest.mark.slow
def test_the_forces_of_a_motion_are_those_of_pinocchio(arm, twin):
    import pinocchio as pin

    t, k, data = np.linspace(0.0, 1.0, 40), np.arange(1, 7), twin.createData()
    q, v = 0.4 * np.sin(np.outer(t, k)), 0.4 * k * np.cos(np.outer(t, k))
    a = -k * k * q
    motion = {f"joint{i}.phi": (q[:, i], v[:, i], a[:, i]) for i in JOINTS}
    found = np.column_stack(list(arm.inverse_dynamics(t, motion).values()))
    expected = [pin.rnea(twin, data, *row) for row in zip(q, v, a, strict=True)]
    assert np.allclose(found, expected, rtol=1e-10, atol=1e-10)


class HangingChain(Model):
    """Equal point masses on a long chain of rigid links that hangs."""

    def build(self, n: int = 24, length: float = 2.0) -> None:
        """Connect the links."""
        self.world = World(g=9.81, n="-y")
        end = self.world.frame_b
        for k in range(n):
            joint, link = Revolute(n="z"), FixedTranslation(r=(0.0, -length / n, 0.0))
            body = Body(m=1.0 / n, I_11=1e-9, I_22=1e-9, I_33=1e-9)
            for name, part in (("joint", joint), ("link", link), ("body", body)):
                setattr(self, f"{name}{k}", part)
            self.connect(end, joint.frame_a)
            self.connect(joint.frame_b, link.frame_a)
            self.connect(link.frame_b, body.frame_a)
            end = link.frame_b


@pytest.mark.slow
def test_a_hanging_chain_swings_as_bernoulli_found():
    modes = HangingChain().modes()
    zeros = np.array([2.404825558, 5.520078110, 8.653727913])  # of the Bessel function J0
    expected = zeros / 2.0 * math.sqrt(9.81 / 2.0) / math.tau
    assert np.allclose(modes.frequencies[:3], expected, rtol=0.03)
    assert modes.is_stable is None


class ElasticBeam(Model):
    """A cantilever of rigid links with rotational springs between them."""

    def build(self, n: int = 30, L: float = 1.0, EI: float = 4.0, m: float = 0.5) -> None:
        """Connect links and springs; half a link is before the first and after the last hinge."""
        self.world, h = World(g=0.0), L / n
        root = FixedTranslation(r=(h / 2.0, 0.0, 0.0))
        self.root = root
        self.connect(self.world.frame_b, root.frame_a)
        end = root.frame_b
        for k in range(n):
            long = h if k < n - 1 else h / 2.0
            joint = Revolute(n="z", useAxisFlange=True)
            spring, fixed = turn.Spring(c=EI / h), turn.Fixed()
            link = FixedTranslation(r=(long, 0.0, 0.0))
            tiny = 1e-9  # kg.m2
            weight, middle = m / n * long / h, (long / 2.0, 0.0, 0.0)
            body = Body(m=weight, r_CM=middle, I_11=tiny, I_22=tiny, I_33=tiny)
            parts = ("joint", joint), ("spring", spring), ("fixed", fixed)
            for name, part in (*parts, ("link", link), ("body", body)):
                setattr(self, f"{name}{k}", part)
            self.connect(end, joint.frame_a)
            self.connect(joint.frame_b, link.frame_a)
            self.connect(joint.frame_b, body.frame_a)
            self.connect(spring.flange_a, fixed.flange)
            self.connect(spring.flange_b, joint.axis)
            end = link.frame_b


@pytest.mark.slow
def test_a_cantilever_has_the_frequencies_of_euler_and_bernoulli():
    modes = ElasticBeam().modes()
    roots = np.array([1.875104069, 4.694091133, 7.854757438])
    expected = roots**2 * math.sqrt(4.0 / 0.5) / math.tau
    assert np.allclose(modes.frequencies[:3], expected, rtol=0.01)
