"""What analyses refuse, each by the name of the argument, what is seen, and what to give."""

from __future__ import annotations

import numpy as np
import pytest

from motorik import Model, Parameter, gallery, rotational
from motorik import translational as line
from motorik.errors import MotorikError
from tests.analysis.models import pendulum, quarter_car


class Geared(Model):
    """Two shafts on a gear, whose angles are both given."""

    def build(self):
        self.first, self.second = (
            rotational.Inertia(J=1.0, phi=0.0, w=0.0) for _ in range(2)
        )
        self.gear = rotational.IdealGear(ratio=2.0)
        self.first.flange_b >> self.gear.flange_a
        self.gear.flange_b >> self.second.flange_a


class Swing(Model):
    """A mass on a spring, both live."""

    def build(self):
        self.wall, self.spring = line.Fixed(), line.Spring(c=Parameter(20.0))
        self.mass = line.Mass(m=Parameter(1.0), s=0.1, v=0.0)
        self.wall.flange >> self.spring.flange_a
        self.spring.flange_b >> self.mass.flange_a


def swing():
    t = np.linspace(0.0, 2.0, 21)
    return {"time": t, "mass.s": 0.1 * np.cos(4.0 * t)}


ARM = gallery.manipulator6
TIP, TURN = "limb6.frame_b.r_0", "limb6.frame_b.R.T"
REFUSED = {
    "a run": (
        lambda: pendulum().evaluate("hinge.w", at=pendulum().simulate(0.1)),
        r"sample\(-1\)",
    ),
    "a list": (lambda: pendulum().linearize(at=[0.1, 0.2]), r"at: a list is not one state"),
    "rows": (
        lambda: ARM().evaluate(TIP, at={"joint1.phi": [1, 2]}),
        r"joint1\.phi: has 2 values",
    ),
    "a state": (
        lambda: ARM().modes(at={"joint1.fi": 1.0}),
        r"at: .*\n.*mean 'joint1\.phi'",
    ),
    "two sizes": (
        lambda: ARM().mass_matrix(at={"joint1.phi": [1, 2, 3], "joint2.phi": [1, 2]}),
        r"joint2\.phi: has the shape \(2,\) where joint1\.phi has 3",
    ),
    "a matrix": (
        lambda: ARM().mass_matrix(at={"joint1.phi": np.zeros((2, 2))}),
        r"has the shape \(2, 2\)\.\n.*one for each row",
    ),
    "no row": (lambda: ARM().mass_matrix(at={"joint1.phi": []}), r"has the shape \(0,\)"),
    "a part": (
        lambda: ARM().jacobian("limb6"),
        r"is a part, not a frame.\n.*'limb6\.frame_b'",
    ),
    "free": (
        lambda: pendulum().equilibrium(free=3, where={"hinge.phi": 0.1}),
        r"free: 3 is neither",
    ),
    "too far": (
        lambda: pendulum().equilibrium(
            free="torque.tau_constant", where={"bob.r_CM_0[1]": 3.0}
        ),
        r"bob\.r_CM_0\[1\] = 0\.5, not 3",
    ),
    "no rotation": (
        lambda: ARM().inverse_kinematics({TURN: 2.0 * np.eye(3)}),
        r"no rotation matrix in row 0",
    ),
    "left-handed": (
        lambda: ARM().inverse_kinematics({TURN: [np.eye(3), np.diag([1.0, 1.0, -1.0])]}),
        r"no rotation matrix in row 1",
    ),
    "some joints": (
        lambda: ARM().inverse_dynamics([0.0, 1.0], {"joint1.phi": (0.0, 0.0, 0.0)}),
        r"does not give joint2\.phi, joint3\.phi",
    ),
    "values alone": (
        lambda: pendulum().inverse_dynamics([0.0, 1.0], {"hinge.phi": 0.1}),
        r"0\.1 is not three series.\n.*\(q, v, a\)",
    ),
    "a start that is fixed twice": (
        lambda: Geared().sensitivities(1.0, by="first.phi"),
        r"first\.phi: cannot be .* beside 0, .* no derivative .*\n.*guess",
    ),
    "a ratio": (
        lambda: Swing().fit(swing(), {"spring.c": (1.0, None), "mass.m": (0.1, None)}),
        r"spring\.c, mass\.m: cannot be told apart .* spring\.c by \+.*mass\.m by \+.*\n.*one of",
    ),
    "no motion": (
        lambda: pendulum().inverse_dynamics([0.0], {}),
        r"motion: gives no coordinate",
    ),
    "a drive": (
        lambda: pendulum().inverse_dynamics(
            [0.0], {"hinge.phi": (0, 0, 0)}, drives=["hinge.fi"]
        ),
        r"drives: no coordinate 'hinge\.fi'\.\n.*hinge\.phi",
    ),
    "twice": (
        lambda: quarter_car().linearize(["push.f_constant", "push.f_constant"]),
        r"inputs: 'push\.f_constant' is named twice",
    ),
    "it moves": (
        lambda: quarter_car().linearize(at={"body.v": 1.0}),
        r"body\.s: changes at 1 m/s: this is not an equilibrium",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_is_named(what):
    call, said = REFUSED[what]
    with pytest.raises(MotorikError, match=said):
        call()


def test_an_orientation_may_have_few_digits():
    c, s = np.cos(0.3), np.sin(0.3)
    turned = np.array([[1.0, 0.0, 0.0], [0.0, c, s], [0.0, -s, c]])
    arm = ARM()
    for exact, given in ((turned, np.round(turned, 5)),):
        found = arm.evaluate(TURN, at=arm.inverse_kinematics({TURN: given}))[TURN]
        assert np.abs(found @ found.T - np.eye(3)).max() < 1e-12
        assert np.abs(found - exact).max() < 2e-5
