"""Sensors of frames: rates are rates, forces hold what they should, nothing is disturbed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from motorik import (
    Body,
    FixedTranslation,
    Model,
    Revolute,
    Universal,
    World,
    connect,
    rotational,
    sensors,
)

G = 9.81
ALL = {f"get_{name}": True for name in ("r", "v", "a", "angles", "w", "z")}
ALL_REL = {f"get_{name}_rel": True for name in ("r", "v", "a", "w", "z")}


class Swinging(Model):
    """A double pendulum in space, with sensors at its tip."""

    def build(self, **sensors):
        self.world = World(g=G)
        self.first = Universal(n_a="z", n_b="x", phi_a=0.4, phi_b=0.2, w_a=1.0, w_b=-2.0)
        self.upper = Body(m=1.0, r_CM=(0, -0.3, 0.1), I_11=0.05, I_22=0.03, I_33=0.04)
        self.link = FixedTranslation(r=(0.1, -0.6, 0.2))
        self.second = Revolute(n=(1, 1, 0), phi=0.5, w=3.0)
        self.lower = Body(m=0.8, r_CM=(0.1, -0.2, 0.0), I_11=0.02, I_22=0.03, I_33=0.04)
        self.tip = FixedTranslation(r=(0.2, -0.3, 0.1))
        connect(self.world.frame_b, self.first.frame_a)
        connect(self.first.frame_b, self.upper.frame_a, self.link.frame_a)
        connect(self.link.frame_b, self.second.frame_a)
        connect(self.second.frame_b, self.lower.frame_a, self.tip.frame_a)
        for name, sensor in sensors.items():
            setattr(self, name, sensor)
            if "frame_b" in sensor.specs:
                connect(sensor.frame_a, self.link.frame_b)
                connect(sensor.frame_b, self.tip.frame_b)
            else:
                connect(sensor.frame_a, self.tip.frame_b)
            if sensor.useFrameResolve:
                connect(sensor.frame_resolve, self.upper.frame_a)


STEP = 1e-3


def measured(sensor):
    result = Swinging(sensor=sensor).simulate(0.05, rtol=1e-11, output=50)
    return result, lambda name: np.asarray(result[f"sensor.{name}"])


def rate(values: np.ndarray) -> np.ndarray:
    """Return the rate of samples at the step, by differences of fourth order."""
    v = values
    return (-v[4:] + 8 * v[3:-1] - 8 * v[1:-3] + v[:-4]) / (12 * STEP)


def orientation(result, part: str) -> np.ndarray:
    return np.asarray(result[f"{part}.R.T"])  # v_frame = R.T v_world


@pytest.mark.parametrize("axes", ["world", "frame_a", "frame_resolve"])
def test_an_absolute_sensor_shows_rates_of_the_world(axes):
    result, shown = measured(sensors.AbsoluteSensor(resolveInFrame=axes, **ALL))
    into = {
        "world": np.broadcast_to(np.eye(3), (51, 3, 3)),
        "frame_a": orientation(result, "tip.frame_b"),
        "frame_resolve": orientation(result, "upper.frame_a"),
    }[axes]
    out = into.transpose(0, 2, 1)
    in_world = {name: np.einsum("tij,tj->ti", out, shown(name)) for name in "rvawz"}
    assert np.abs(in_world["r"] - np.asarray(result["tip.frame_b.r_0"])).max() < 1e-12
    assert np.abs(rate(in_world["r"]) - in_world["v"][2:-2]).max() < 1e-8
    assert np.abs(rate(in_world["v"]) - in_world["a"][2:-2]).max() < 1e-6
    assert np.abs(rate(in_world["w"]) - in_world["z"][2:-2]).max() < 1e-6
    R = orientation(result, "tip.frame_b").transpose(0, 2, 1)
    turning = np.einsum("tij,tkj->tik", rate(R), R[2:-2])
    w = np.array([turning[:, 2, 1], turning[:, 0, 2], turning[:, 1, 0]]).T
    assert np.abs(w - in_world["w"][2:-2]).max() < 1e-7
    assert np.abs(Rotation.from_euler("XYZ", shown("angles")).as_matrix() - R).max() < 1e-12


@pytest.mark.parametrize("axes", ["world", "frame_a", "frame_b", "frame_resolve"])
def test_a_relative_sensor_shows_rates_of_components(axes):
    result, shown = measured(
        sensors.RelativeSensor(resolveInFrame=axes, get_angles=True, **ALL_REL)
    )
    assert np.abs(rate(shown("r_rel")) - shown("v_rel")[2:-2]).max() < 1e-8
    assert np.abs(rate(shown("v_rel")) - shown("a_rel")[2:-2]).max() < 1e-6
    assert np.abs(rate(shown("w_rel")) - shown("z_rel")[2:-2]).max() < 1e-6
    R_a = orientation(result, "link.frame_b")
    R_b = orientation(result, "tip.frame_b")
    R_ab = np.einsum("tij,tkj->tik", R_a, R_b)
    angles = Rotation.from_euler("XYZ", shown("angles")).as_matrix()
    assert np.abs(angles - R_ab).max() < 1e-12


def test_rates_may_be_resolved_elsewhere_afterwards():
    here = sensors.RelativeSensor(resolveInFrame="frame_a", **ALL_REL)
    there = sensors.RelativeSensor(
        resolveInFrame="frame_a", resolveInFrameAfterDifferentiation="world", **ALL_REL
    )
    result = Swinging(here=here, there=there).simulate(0.05, rtol=1e-11, output=5)
    R_a = orientation(result, "link.frame_b")
    for name in ("v_rel", "a_rel", "z_rel"):
        turned = np.einsum("tji,tj->ti", R_a, np.asarray(result[f"here.{name}"]))
        assert np.abs(turned - np.asarray(result[f"there.{name}"])).max() < 1e-12


def test_sensors_of_one_quantity_show_what_the_large_ones_do():
    one = {
        "r": sensors.AbsolutePosition(),
        "v": sensors.AbsoluteVelocity(),
        "angles": sensors.AbsoluteAngles(),
        "w": sensors.AbsoluteAngularVelocity(),
    }
    two = {
        "r_rel": sensors.RelativePosition(),
        "v_rel": sensors.RelativeVelocity(),
        "angles": sensors.RelativeAngles(),
        "w_rel": sensors.RelativeAngularVelocity(),
    }
    named = {f"one_{name}": s for name, s in one.items()}
    named |= {f"two_{name}": s for name, s in two.items()}
    result = Swinging(
        absolute=sensors.AbsoluteSensor(**ALL),
        relative=sensors.RelativeSensor(get_angles=True, **ALL_REL),
        apart=sensors.DistanceSensor(),
        **named,
    ).simulate(0.05, output=2)
    for name in one:
        assert np.array_equal(result[f"one_{name}.{name}"], result[f"absolute.{name}"])
    for name in two:
        assert np.array_equal(result[f"two_{name}.{name}"], result[f"relative.{name}"])
    r = np.asarray(result["relative.r_rel"])
    apart = np.asarray(result["apart.distance"])
    assert apart == pytest.approx(np.linalg.norm(r, axis=1), rel=1e-14)


class Cut(Model):
    """A driven pendulum with sensors between its hinge and its arm."""

    def build(self, **sensors):
        self.world = World(g=G)
        self.hinge = Revolute(n="z", phi=0.3, w=2.0)
        self.arm = Body(m=2.0, r_CM=(0.5, 0.0, 0.0), I_33=0.1, I_22=0.1)
        self.drive = rotational.ConstantTorque(tau_constant=3.0)
        connect(self.world.frame_b, self.hinge.frame_a)
        connect(self.drive.flange, self.hinge.axis)
        before = self.hinge.frame_b
        for name, sensor in sensors.items():
            setattr(self, name, sensor)
            connect(before, sensor.frame_a)
            before = sensor.frame_b
            if sensor.useFrameResolve:
                connect(sensor.frame_resolve, self.world.frame_b)
        connect(before, self.arm.frame_a)


def test_cut_forces_are_what_the_arm_takes():
    result = Cut(
        both=sensors.CutForceAndTorque(),
        force=sensors.CutForce(resolveInFrame="world", positiveSign=False),
        torque=sensors.CutTorque(resolveInFrame="frame_resolve"),
        flow=sensors.PowerSensor(),
    ).simulate(0.4, rtol=1e-10, output=40)
    a = np.asarray(result["arm.a_0"])
    phi = np.asarray(result["hinge.phi"])
    w, z = np.asarray(result["hinge.w"]), np.asarray(result["hinge.a"])
    radial = np.array([np.cos(phi), np.sin(phi), 0 * phi]).T
    across = np.array([-np.sin(phi), np.cos(phi), 0 * phi]).T
    a_centre = 0.5 * (z[:, None] * across - w[:, None] ** 2 * radial)
    f_0 = 2.0 * (a_centre + np.array([0.0, G, 0.0]))
    assert np.abs(a).max() < 1e-12  # frame_a of the arm is at the hinge
    assert np.abs(-np.asarray(result["force.force"]) - f_0).max() < 1e-9
    own = np.asarray(result["both.force"])
    assert np.abs(own[:, 0] - np.sum(f_0 * radial, axis=1)).max() < 1e-9
    assert np.abs(np.asarray(result["torque.torque"]) - [0.0, 0.0, 3.0]).max() < 1e-9
    assert np.abs(np.asarray(result["flow.power"]) - 3.0 * w).max() < 1e-9


def test_a_sensor_disturbs_nothing():
    plain = Cut().simulate(0.4, rtol=1e-10, output=4)
    watched = Cut(both=sensors.CutForceAndTorque(), flow=sensors.PowerSensor()).simulate(
        0.4, rtol=1e-10, output=4
    )
    assert np.array_equal(plain["hinge.phi"], watched["hinge.phi"])
