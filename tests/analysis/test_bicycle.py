"""The Carvallo–Whipple bicycle against its published equations.

Meijaard, Papadopoulos, Ruina and Schwab, Linearized dynamics equations for the balance and steer of
a bicycle: a benchmark and review, Proc. R. Soc. A 463 (2007): parameters of table 1, matrices of
section 5, eigenvalues of table 2. Its axes are x forward, y right, z down; here y left, z up.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from motorik import Body, FixedTranslation, Model, Revolute, World, guess, parts

G, TILT, BASE, TRAIL, REAR, FRONT = 9.81, math.pi / 10, 1.02, 0.08, 0.3, 0.35
M = np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]])
K0 = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
K2 = np.array([[0.0, 76.59734589573222], [0.0, 2.65431523794604]])
C1 = np.array([[0.0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]])
WEAVE, CAPSIZE = 4.292382536341, 6.024262015388  # m/s, between them it is stable
AT_5 = (-0.77534188219585 + 4.46486771378823j, -14.07838969279822, -0.32286642900409)


class Bicycle(Model):
    """Rear wheel, frame with rider, fork and front wheel; both wheels roll without slip."""

    def build(self) -> None:
        """Connect the parts from the rear wheel to the front wheel."""
        self.world = World(g=G, n="-z")
        self.rear = parts.RollingWheel(radius=REAR, m=2.0, I_axis=0.12, I_long=0.0603)
        self.rear_hub = Revolute(n="y", phi=guess(0.0), w=guess(0.0))
        self.frame = Body(
            m=85.0, r_CM=(0.3, 0.0, 0.6), I_11=9.2, I_22=11.0, I_33=2.8, I_31=-2.4
        )
        head, axis = BASE + TRAIL, (-math.sin(TILT), 0.0, math.cos(TILT))
        self.head = FixedTranslation(r=(head, 0.0, -REAR))
        self.steer = Revolute(n=axis, phi=0.0, w=0.0)
        inertia = {"I_11": 0.05892, "I_22": 0.06, "I_33": 0.00708, "I_31": 0.00756}
        self.fork = Body(m=4.0, r_CM=(0.9 - head, 0.0, 0.7), **inertia)
        self.end = FixedTranslation(r=(-TRAIL, 0.0, FRONT))
        self.front_hub = Revolute(n="y", phi=guess(0.0), w=guess(0.0))
        near = {"x": guess(BASE), "y": guess(0.0)}
        turned = {"angles": guess((0, 0, 0)), "der_angles": guess((0, 0, 0))}
        self.front = parts.RollingWheel(
            radius=FRONT, m=3.0, I_axis=0.28, I_long=0.1405, **near, **turned
        )
        self.connect(self.rear.frame_a, self.rear_hub.frame_a)
        self.connect(self.rear_hub.frame_b, self.frame.frame_a, self.head.frame_a)
        self.connect(self.head.frame_b, self.steer.frame_a)
        self.connect(self.steer.frame_b, self.fork.frame_a, self.end.frame_a)
        self.connect(self.end.frame_b, self.front_hub.frame_a)
        self.connect(self.front_hub.frame_b, self.front.frame_a)


bicycle = cache(Bicycle)


def rolling(v):
    return {"rear.rollingWheel.der_angles[3]": v / REAR}


def published(v):
    still, unit = np.zeros((2, 2)), np.eye(2)
    stiffness, damping = G * K0 + v * v * K2, v * C1
    A = np.block([[still, unit], [-np.linalg.solve(M, np.hstack([stiffness, damping]))]])
    return np.linalg.eigvals(A)


def of(modes):
    """Return the eigenvalues with their conjugates, without those of place, heading, speed."""
    found = [mode.eigenvalue for mode in modes if abs(mode.eigenvalue) > 1e-3]
    return np.array([*found, *(value.conjugate() for value in found if value.imag)])


def apart(found, expected):
    assert len(found) == len(expected)
    return max(abs(found - value).min() for value in expected)


@pytest.mark.slow
@pytest.mark.parametrize("v", [0.0, 2.0, 5.0, 9.0])
def test_a_bicycle_has_its_published_eigenvalues(v):
    modes = bicycle().modes(at=rolling(v))
    assert apart(of(modes), published(v)) < 1e-8
    if v == 5.0:
        assert apart(of(modes)[of(modes).imag >= 0.0], AT_5) < 1e-9


@pytest.mark.slow
def test_it_is_stable_between_weave_and_capsize():
    speeds = (WEAVE - 1e-4, WEAVE + 1e-4, CAPSIZE - 0.01, CAPSIZE + 0.01)
    found = [bicycle().modes(at=rolling(v)).is_stable for v in speeds]
    assert found == [False, None, None, False]  # place and heading do not come back


@pytest.mark.slow
def test_eigenvalues_that_meet_are_told_as_uncertain():
    """At the capsize speed three of them are zero: they come from rounding by its cube root."""
    for mode in bicycle().modes(at=rolling(CAPSIZE + 1e-4)):
        expected = [*published(CAPSIZE + 1e-4), 0.0]
        assert min(abs(mode.eigenvalue - own) for own in expected) <= mode.growth_bound


@pytest.mark.slow
def test_its_mass_matrix_is_the_published_one():
    model = bicycle()
    own = model.mass_matrix()
    speeds = [
        "rear.rollingWheel.der_angles[2]",
        "steer.w",
        "rear.rollingWheel.der_angles[3]",
    ]
    names = own.state.values.tolist()
    linear = model.linearize(outputs=speeds)
    by_own = linear.C[:, [linear.states.index(name) for name in names]]
    T = np.linalg.inv(by_own)  # of the independent speeds, by lean, steer and roll
    found = T.T @ own.values @ T
    sign = np.diag([1.0, -1.0])  # steering is positive to the left here, to the right there
    assert np.abs(sign @ found[:2, :2] @ sign - M).max() < 1e-9
    assert np.abs(found[2, :2]).max() < 1e-9  # rolling is coupled with neither


@pytest.mark.slow
def test_it_stands_in_an_equilibrium_that_is_unstable():
    rest = bicycle().equilibrium()
    assert rest.stability == "unstable" and abs(rest["steer.phi"]) < 1e-12
    tau = bicycle().evaluate("front.rollingWheel.f_wheel_0", at=rest)
    weight = (
        G * (85.0 * 0.3 + 4.0 * 0.9 + 3.0 * BASE) / BASE
    )  # moments about the rear contact
    assert tau["front.rollingWheel.f_wheel_0"][2] == pytest.approx(weight, rel=1e-12)
