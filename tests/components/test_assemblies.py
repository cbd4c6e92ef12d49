"""Joint assemblies in loops: each against the geometry of its mechanism, by another route."""

from __future__ import annotations

import pickle
from math import sqrt

import numpy as np
import pytest

from motorik import (
    Body,
    FixedRotation,
    FixedTranslation,
    Model,
    Prismatic,
    Revolute,
    World,
    assemblies,
    rotational,
    translational,
)
from motorik.assemblies import (
    JointPRR,
    JointRPP,
    JointRPR,
    JointRRP,
    JointRRR,
    JointSPU,
    JointSSP,
    JointSSR,
    JointSUP,
    JointSUR,
    JointUPS,
    JointUSP,
    JointUSR,
)
from motorik.errors import ParameterError
from tests.refusals import refused

R, ROD, W = 0.2, 0.7, 8.0


class Crank(Model):
    """A heavy crank about z whose pin an assembly connects with the world."""

    def build(self, joint, base=(0.0, 0.0, 0.0), turned=False):
        self.world = World(gravityType="none")
        self.crank = Revolute(n="z", phi=0.3, w=W, stateSelect="always")
        self.wheel = Body(m=5.0, I_11=0.3, I_22=0.3, I_33=0.5)
        self.pin = FixedTranslation(r=(R, 0.0, 0.0))
        self.base = FixedTranslation(r=base)
        self.joint = joint
        self.load = Body(m=0.4, I_11=0.01, I_22=0.01, I_33=0.01)
        self.world.frame_b >> self.crank.frame_a
        self.crank.frame_b >> self.wheel.frame_a
        self.crank.frame_b >> self.pin.frame_a
        self.world.frame_b >> self.base.frame_a
        ends = (self.joint.frame_a, self.joint.frame_b)
        near, far = ends[::-1] if turned else ends
        self.pin.frame_b >> near
        self.base.frame_b >> far
        self.joint.frame_ib >> self.load.frame_a


def run(model: Model, stop: float = 1.0):
    result = model.simulate(stop, rtol=1e-9, output=40)
    assert result.complete
    kinetic = sum(
        np.asarray(result[f"{name}.kinetic_energy"]) for name in ("wheel", "load")
    )
    assert np.ptp(kinetic) < 1e-6 * kinetic[0]
    power = np.abs(np.asarray(result["joint.totalPower"])).max()
    assert power < 1e-7 * kinetic[0] * W
    assert max(result.constraint_violation()) < 1e-9
    return result


def pin(result) -> np.ndarray:
    phi = np.asarray(result["crank.phi"])
    return R * np.exp(1j * phi)


# --- planar -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_rrp_is_a_slider_crank():
    joint = JointRRP(
        n_b="x", rRod1_ia=(ROD, 0, 0), rRod2_ib=(0, 0, 0), s_offset=0.1, s_guess=0.8
    )
    result = run(Crank(joint=joint))
    p = pin(result)
    s = p.real + np.sqrt(ROD**2 - p.imag**2) - 0.1
    assert np.abs(np.asarray(result["joint.s"]) - s).max() < 1e-9
    place = np.asarray(result["joint.frame_im.r_0"])
    assert np.abs(place[:, 0] - s - 0.1).max() < 1e-9
    assert np.abs(place[:, 1:]).max() < 1e-9


def test_prr_is_the_mirror_image_of_rrp():
    joint = JointPRR(n_a="x", rRod1_ia=(0, 0, 0), rRod2_ib=(ROD, 0, 0))

    class Mirrored(Crank):
        def build(self, joint):
            super().build(joint, turned=True)

    result = run(Mirrored(joint=joint))
    p = pin(result)
    place = np.asarray(result["joint.frame_im.r_0"])
    assert np.abs(place[:, 0] - p.real - np.sqrt(ROD**2 - p.imag**2)).max() < 1e-9
    # φ of the rod, on the pin, against the crank
    rod = np.arcsin(-p.imag / ROD)
    angle = np.unwrap(np.asarray(result["joint.phi"]))
    assert (
        np.abs(np.exp(1j * (angle + np.asarray(result["crank.phi"]) - rod)) - 1).max()
        < 1e-8
    )


def test_rrr_is_a_four_bar():
    a, b, base = 0.6, 0.5, 0.55
    joint = JointRRR(rRod1_ia=(a, 0, 0), rRod2_ib=(-b, 0, 0), phi_guess=np.radians(70))
    result = run(Crank(joint=joint, base=(base, 0.0, 0.0)))
    p = pin(result)
    to_pin = p - base
    d = np.abs(to_pin)
    corner = np.arccos((d**2 + b**2 - a**2) / (2 * d * b))
    middle = np.asarray(result["joint.frame_im.r_0"])
    elbow = base + b * np.exp(1j * (np.angle(to_pin) + corner))
    found = middle[:, 0] + 1j * middle[:, 1]
    assert np.abs(found - elbow).max() < 1e-9
    rocker = np.angle((base - elbow) / b)  # rod 2 from frame_ib is −b along x
    assert np.abs(np.exp(1j * (np.asarray(result["joint.phi"]) - rocker)) - 1).max() < 1e-9


def test_rpr_is_a_cylinder_on_two_hinges():
    base = 0.9
    joint = JointRPR(s_offset=0.2, s_guess=0.5)
    result = run(Crank(joint=joint, base=(base, 0.0, 0.0)))
    long = np.abs(base - pin(result))
    assert np.abs(np.asarray(result["joint.s"]) + 0.2 - long).max() < 1e-9


def test_rpp_is_a_scotch_yoke():
    joint = JointRPP(rRod1_ia=(0, 0, 0), rRod2_ib=(0, 0, 0), n_b="x")
    result = run(Crank(joint=joint))
    assert np.abs(np.asarray(result["joint.s"]) - pin(result).real).max() < 1e-9
    frame = np.asarray(result["joint.frame_ia.R.T"])
    assert np.abs(frame - np.eye(3)).max() < 1e-9


@pytest.mark.slow
def test_frames_that_are_not_parallel_need_the_axis_at_the_other_end():
    """The same slider-crank, its rail turned by 90° about y: there the axis z is −x."""
    plain = JointRRP(n_b="x", rRod1_ia=(ROD, 0, 0), rRod2_ib=(0, 0, 0), s_guess=0.8)
    turned = JointRRP(
        n_b="z",
        n_turn="-x",
        rRod1_ia=(ROD, 0, 0),
        rRod2_ib=(0, 0, 0),
        s_guess=0.8,
    )

    class Turned(Crank):
        def build(self, joint):
            self.world = World(gravityType="none")
            self.crank = Revolute(n="z", phi=0.3, w=W, stateSelect="always")
            self.wheel = Body(m=5.0, I_11=0.3, I_22=0.3, I_33=0.5)
            self.pin = FixedTranslation(r=(R, 0.0, 0.0))
            self.base = FixedRotation(n="y", angle=np.pi / 2)
            self.joint = joint
            self.load = Body(m=0.4, I_11=0.01, I_22=0.01, I_33=0.01)
            self.world.frame_b >> self.crank.frame_a
            self.crank.frame_b >> self.wheel.frame_a
            self.crank.frame_b >> self.pin.frame_a
            self.world.frame_b >> self.base.frame_a
            self.pin.frame_b >> self.joint.frame_a
            self.base.frame_b >> self.joint.frame_b
            self.joint.frame_ib >> self.load.frame_a

    one, other = run(Crank(joint=plain), 0.5), run(Turned(joint=turned), 0.5)
    difference = np.asarray(one["joint.s"]) - np.asarray(other["joint.s"])
    assert np.abs(difference).max() < 1e-8


# --- spatial ----------------------------------------------------------------------------------

ARM = (0.25, 0.0, 0.3)  # rod 2, from the joint at frame_b to the middle
BASE = (0.5, 0.1, -0.2)
LONG = 0.6


@pytest.mark.kinds(2)
@pytest.mark.parametrize(
    "joint",
    [
        JointSSR(n_b="y", rod1Length=LONG, rRod2_ib=ARM),
        JointUSR(n_b="y", n1_a="y", rRod1_ia=(LONG, 0, 0), rRod2_ib=ARM),
        JointSUR(n_b="y", n1_im="y", rRod1_ia=(LONG, 0, 0), rRod2_ib=ARM),
    ],
    ids=lambda joint: type(joint).__name__,
)
def test_a_rocker_in_space_is_where_the_rod_reaches(joint):
    result = run(Crank(joint=joint, base=BASE), 0.7)
    phi = np.asarray(result["joint.phi"])
    arm = np.array(
        [
            ARM[0] * np.cos(phi) + ARM[2] * np.sin(phi),
            np.full_like(phi, ARM[1]),
            -ARM[0] * np.sin(phi) + ARM[2] * np.cos(phi),
        ]
    ).T
    middle = np.asarray(result["joint.frame_im.r_0"])
    assert np.abs(middle - np.array(BASE) - arm).max() < 1e-9
    p = pin(result)
    rod = middle - np.array([p.real, p.imag, 0 * p.real]).T
    assert np.abs(np.linalg.norm(rod, axis=1) - LONG).max() < 1e-9
    if not isinstance(joint, JointSSR):
        R_T = np.asarray(result["joint.frame_ia.R.T"])
        seen = np.einsum("tij,tj->ti", R_T, rod)
        assert np.abs(seen - [LONG, 0, 0]).max() < 1e-9
    # the only freedom: the same mechanism three times over
    swing = np.asarray(result["crank.phi"])
    reference = _swings.setdefault("SSR", swing)
    assert np.abs(swing - reference).max() < 1e-7


_swings: dict[str, np.ndarray] = {}


@pytest.mark.kinds(2)
@pytest.mark.parametrize(
    "joint",
    [
        JointSSP(n_b="x", rod1Length=LONG, rRod2_ib=(0, 0, 0.2), s_guess=0.5),
        JointUSP(
            n_b="x", n1_a="y", rRod1_ia=(LONG, 0, 0), rRod2_ib=(0, 0, 0.2), s_guess=0.5
        ),
        JointSUP(
            n_b="x", n1_im="y", rRod1_ia=(LONG, 0, 0), rRod2_ib=(0, 0, 0.2), s_guess=0.5
        ),
    ],
    ids=lambda joint: type(joint).__name__,
)
def test_a_slider_in_space_is_where_the_rod_reaches(joint):
    result = run(Crank(joint=joint, base=(0.0, 0.05, 0.1)), 0.7)
    p = pin(result)
    s = p.real + np.sqrt(LONG**2 - (0.05 - p.imag) ** 2 - 0.3**2)
    assert np.abs(np.asarray(result["joint.s"]) - s).max() < 1e-9
    swing = np.asarray(result["crank.phi"])
    assert np.abs(swing - _swings.setdefault("SSP", swing)).max() < 1e-7


@pytest.mark.parametrize(
    "joint",
    [
        JointUPS(n1_a="y", nAxis_ia="x", s_offset=0.1),
        JointSPU(n1_b="y", nAxis_ib="-x", s_offset=0.1),
    ],
    ids=lambda joint: type(joint).__name__,
)
def test_a_strut_is_as_long_as_its_ends_are_apart(joint):
    result = run(Crank(joint=joint, base=BASE), 0.7)
    p = pin(result)
    apart = np.array([BASE[0] - p.real, BASE[1] - p.imag, np.full(len(p), BASE[2])]).T
    long = np.linalg.norm(apart, axis=1)
    assert np.abs(np.asarray(result["joint.s"]) + 0.1 - long).max() < 1e-9
    assert np.abs(np.asarray(result["joint.axisLength"]) - long).max() < 1e-9
    along = np.einsum("tij,tj->ti", np.asarray(result["joint.frame_ib.R.T"]), apart)
    assert np.abs(along / long[:, None] - [1.0, 0.0, 0.0]).max() < 1e-9


def test_the_force_in_the_rod_balances_the_slider():
    """At rest the rod of a slider-crank in space takes what a force on its slider needs."""
    joint = JointSSP(n_b="x", rod1Length=LONG, rRod2_ib=(0, 0, 0.2), s_guess=0.5)

    class Pushed(Crank):
        def build(self):
            super().build(joint, base=(0.0, 0.05, 0.1))
            self.push = translational.ConstantForce(f_constant=-30.0)
            self.brake = rotational.Fixed(phi0=0.3)
            self.push.flange >> self.joint.axis
            self.brake.flange >> self.crank.axis

    model = Pushed()
    model.crank.w = 0.0
    result = model.simulate(0.1, output=1)
    p = pin(result)[0]
    s = p.real + sqrt(LONG**2 - (0.05 - p.imag) ** 2 - 0.3**2)
    cosine = (s - p.real) / LONG
    assert result["joint.f_rod"][-1] == pytest.approx(30.0 / cosine, rel=1e-9)


# --- as parts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", assemblies.__all__)
def test_flanges_are_there_when_they_are_used(name):
    joint = getattr(assemblies, name)()
    assert all(port.name not in ("axis", "bearing") for port in joint.ports())
    driven = joint.driven()
    assert not driven.useAxisFlange
    assert joint.axis.kind is driven.axis.kind
    assert not driven.useAxisFlange, "reading a port changes nothing"
    joint.axis.use()  # as connecting it does
    assert driven.useAxisFlange
    assert (joint.bearing, driven.support) in joint.connections
    given = getattr(assemblies, name)(useAxisFlange=True)
    assert (given.axis, given.driven().axis) in given.connections
    pickle.loads(pickle.dumps(given))


def test_assemblies_that_cannot_be_are_refused():
    with refused(ParameterError, "n_b", "right angles", "plane"):
        JointRRP(n_a="z", n_b="z")
    with refused(ParameterError, "parallel"):
        JointRPP(n_b="y")
    with refused(ParameterError, "second axis"):
        JointUSR(n1_a="x")
    with refused(ParameterError, "branch = 1", "not a name"):
        JointRRR(branch=1)


def test_a_mechanism_of_plain_joints_is_the_same():
    """The slider-crank of one assembly and that of three joints move alike."""

    class Plain(Model):
        def build(self):
            self.world = World(gravityType="none")
            self.crank = Revolute(n="z", phi=0.3, w=W, stateSelect="always")
            self.wheel = Body(m=5.0, I_11=0.3, I_22=0.3, I_33=0.5)
            self.pin = FixedTranslation(r=(R, 0.0, 0.0))
            self.hinge = Revolute(n="z")
            self.rod = FixedTranslation(r=(ROD, 0.0, 0.0))
            self.wrist = Revolute(n="z")
            self.rail = Prismatic(n="x", s={"start": 0.8})
            self.load = Body(m=0.4, I_11=0.01, I_22=0.01, I_33=0.01)
            self.world.frame_b >> self.crank.frame_a
            self.crank.frame_b >> self.wheel.frame_a
            self.crank.frame_b >> self.pin.frame_a
            self.pin.frame_b >> self.hinge.frame_a
            self.hinge.frame_b >> self.rod.frame_a
            self.rod.frame_b >> self.wrist.frame_a
            self.wrist.frame_b >> self.load.frame_a
            self.world.frame_b >> self.rail.frame_a
            self.rail.frame_b >> self.load.frame_a

    joint = JointRRP(n_b="x", rRod1_ia=(ROD, 0, 0), rRod2_ib=(0, 0, 0), s_guess=0.8)
    one = Crank(joint=joint).simulate(1.0, rtol=1e-10, output=20)
    other = Plain().simulate(1.0, rtol=1e-10, output=20)
    assert (
        np.abs(np.asarray(one["crank.phi"]) - np.asarray(other["crank.phi"])).max() < 1e-8
    )
