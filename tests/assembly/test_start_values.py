"""Start values: what is fixed is met, what is a guess guides, contradictions are refused."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import motorik as mk
from motorik.errors import InitialValueError, UnknownNameError
from tests.refusals import refused

L1, L2 = 0.5, 0.4


class DoublePendulum(mk.Model):
    """Two rods whose tip is measured from the world."""

    def build(self, bend=0.3, **tip) -> None:
        self.world = mk.World()
        self.one, self.two = mk.Revolute(), mk.Revolute(phi=mk.guess(bend))
        self.upper = mk.BodyShape(r=(L1, 0, 0), r_CM=(L1 / 2, 0, 0))
        self.lower = mk.BodyShape(r=(L2, 0, 0), r_CM=(L2 / 2, 0, 0))
        self.tip = mk.FreeMotionScalarInit(**tip)
        self.world.frame_b >> self.one.frame_a
        self.one.frame_b >> self.upper.frame_a
        self.upper.frame_b >> self.two.frame_a
        self.two.frame_b >> self.lower.frame_a
        self.tip.frame_a >> self.world.frame_b
        self.tip.frame_b >> self.lower.frame_b


def start_of(model: mk.Model, *names: str, **options) -> list[float]:
    """Return variables at the start."""
    result = model.simulate(0.01, output=1, **options)
    return [float(result[name][0]) for name in names]


def tip_of(phi: float, psi: float) -> np.ndarray:
    """Return where the tip is for two angles."""
    return L1 * np.array([np.cos(phi), np.sin(phi)]) + L2 * np.array(
        [np.cos(phi + psi), np.sin(phi + psi)]
    )


@pytest.mark.parametrize("bend", [0.3, -0.3])
def test_a_tip_within_reach_is_met_on_the_side_of_the_guess(bend):
    model = DoublePendulum(
        bend=bend,
        use_r=True,
        r_rel_a_1=0.7,
        r_rel_a_2=0.3,
        use_v=True,
        v_rel_a_1=0.1,
        v_rel_a_2=-0.2,
    )
    phi, psi, w, v = start_of(model, "one.phi", "two.phi", "one.w", "two.w")
    np.testing.assert_allclose(tip_of(phi, psi), (0.7, 0.3), atol=1e-10)
    assert np.sign(psi) == np.sign(bend)
    # the law of cosines says the same of the bend
    reach = 0.7**2 + 0.3**2
    assert np.cos(psi) == pytest.approx((reach - L1**2 - L2**2) / (2 * L1 * L2), abs=1e-10)
    h = 1e-6
    speed = (tip_of(phi + h * w, psi + h * v) - tip_of(phi - h * w, psi - h * v)) / (2 * h)
    np.testing.assert_allclose(speed, (0.1, -0.2), atol=1e-10)


def test_one_component_alone_moves_the_joints_as_little_as_possible():
    model = DoublePendulum(use_angle=True, angle_3=0.7, use_w=True, w_rel_b_3=2.0)
    found = start_of(model, "one.phi", "two.phi", "one.w", "two.w")
    np.testing.assert_allclose(found, (0.2, 0.5, 1.0, 1.0), atol=1e-12)


def test_values_that_are_not_used_demand_nothing():
    assert start_of(DoublePendulum(r_rel_a_1=0.7), "one.phi", "two.phi") == [0.0, 0.3]


def test_a_tip_out_of_reach_is_refused_with_the_gap_and_the_nearest():
    model = DoublePendulum(use_r=True, r_rel_a_1=1.7, r_rel_a_2=0.3)
    with pytest.raises(InitialValueError) as caught:
        model.simulate(1.0)
    message = str(caught.value)
    away = np.array([1.7, 0.3]) * (1 - 0.9 / np.hypot(1.7, 0.3))
    assert (
        "tip" in message and "r_rel_a_1" in message and f"{away[0]:.3g} remains" in message
    )
    nearest = [float(x) for x in re.findall(r"phi = (\S+?)[,.]?(?:\s|$)", message)]
    np.testing.assert_allclose(nearest, (np.arctan2(0.3, 1.7), 0.0), atol=1e-4)


def test_a_velocity_that_the_stretched_arm_cannot_have_is_refused():
    model = DoublePendulum(
        use_r=True, r_rel_a_1=0.9, r_rel_a_2=0.0, use_v=True, v_rel_a_1=0.1, v_rel_a_2=0.0
    )
    with refused(InitialValueError, "tip", "v_rel_a_1", "0.1 remains", "Nearest"):
        model.simulate(1.0)


def test_a_direction_in_which_nothing_moves_is_refused():
    model = DoublePendulum(use_r=True, r_rel_a_3=0.2)
    with refused(InitialValueError, "tip", "r_rel_a_3", "0.2 remains"):
        model.simulate(1.0)


def test_what_is_fixed_besides_is_named():
    model = DoublePendulum(use_r=True, r_rel_a_1=0.7, r_rel_a_2=0.3)
    model.one.phi = 0.0
    with refused(InitialValueError, "tip", "remains", "fixed besides: one.phi"):
        model.simulate(1.0)
    with refused(InitialValueError, "fixed besides: one.phi, two.phi", "two.phi = 0"):
        model.simulate(1.0, initial={"two.phi": 0.0})


def test_a_start_given_for_a_run_is_met_exactly():
    found = start_of(
        DoublePendulum(), "one.phi", "two.w", initial={"one.phi": 1, "two.w": -2.5}
    )
    assert found == [1.0, -2.5]


@pytest.mark.parametrize("value", [np.nan, np.inf, "a", None, True], ids=str)
def test_a_start_that_is_no_number_is_refused(value):
    with refused(InitialValueError, "one.phi", repr(value), "one number"):
        DoublePendulum().simulate(1.0, initial={"one.phi": value})


def test_a_misspelt_state_gets_the_near_name():
    with refused(UnknownNameError, "'one.phy'", "Did you mean 'one.phi'?"):
        DoublePendulum().simulate(1.0, initial={"one.phy": 1.0})


# --- bodies ---------------------------------------------------------------------------------


def test_a_floating_body_starts_as_its_parameters_say():
    angles, w, v = (0.3, -0.4, 0.5), np.array([1.0, 2.0, 3.0]), np.array([0.1, 0.2, 0.3])
    for quaternions in (True, False):
        model = mk.Model()
        model.world = mk.World()
        model.body = mk.Body(
            r_0=(1, 2, 3), v_0=v, angles_start=angles, sequence_start=(3, 1, 2), w_0_start=w,
            useQuaternions=quaternions,
        )  # fmt: skip
        result = model.simulate(0.01, output=1)
        R = Rotation.from_euler("ZXY", angles).as_matrix()
        np.testing.assert_allclose(result["body.r_0"][0], (1, 2, 3), atol=0)
        np.testing.assert_allclose(result["body.v_0"][0], v, atol=1e-15)
        np.testing.assert_allclose(result["body.w_a"][0], R.T @ w, atol=1e-15)
        np.testing.assert_allclose(result["body.frame_a.R.T"][0], R.T, atol=1e-15)


def test_fixed_values_of_a_carried_body_are_demands_on_its_joints():
    model = DoublePendulum()
    model.lower.r_0 = (0.3, 0.4, 0.0)
    model.lower.v_0 = mk.Start((0.0, 0.0, 0.0), True)
    result = model.simulate(0.01, output=1)
    np.testing.assert_allclose(result["lower.r_0"][0], (0.3, 0.4, 0), atol=1e-10)
    assert result["one.phi"][0] == pytest.approx(np.arctan2(0.4, 0.3), abs=1e-10)
    model.lower.r_0 = (3.0, 0.4, 0.0)
    with refused(InitialValueError, "lower.body", "r_0", "remains"):
        model.simulate(1.0)


def test_a_ball_joint_starts_as_its_parameters_say():
    angles, w = (0.3, -0.4, 0.5), np.array([1.0, 2.0, 3.0])
    for quaternions in (True, False):
        model = mk.Model()
        model.world = mk.World()
        model.ball = mk.Spherical(
            angles_start=angles, w_rel_a_start=w, useQuaternions=quaternions,
            sequence_angleStates=(3, 1, 3),
        )  # fmt: skip
        model.body = mk.Body(r_CM=(1, 0, 0))
        model.world.frame_b >> model.ball.frame_a
        model.ball.frame_b >> model.body.frame_a
        result = model.simulate(0.01, output=1)
        R = Rotation.from_euler("XYZ", angles).as_matrix()
        np.testing.assert_allclose(result["body.frame_a.R.T"][0], R.T, atol=1e-15)
        np.testing.assert_allclose(result["ball.w_rel"][0], R.T @ w, atol=2e-15)


@pytest.mark.parametrize("breaks", [False, True], ids=["carries", "measures"])
def test_free_motion_starts_as_its_parameters_say(breaks):
    angles, w = (0.3, -0.4, 0.5), np.array([1.0, 2.0, 3.0])
    model = mk.Model()
    model.world = mk.World()
    model.body = mk.Body(m=2.0)
    model.move = mk.FreeMotion(
        r_rel_a=(1, 2, 3), v_rel_a=(4, 5, 6), angles_start=angles, angles_fixed=True,
        w_rel_a_start=w, w_rel_a_fixed=True,
    )  # fmt: skip
    model.world.frame_b >> model.move.frame_a
    model.move.frame_b >> model.body.frame_a
    if breaks:
        model.other = mk.FreeMotion()
        model.other.frame_a >> model.world.frame_b
        model.other.frame_b >> model.body.frame_a
    result = model.simulate(0.01, output=1)
    R = Rotation.from_euler("XYZ", angles).as_matrix()
    np.testing.assert_allclose(result["body.r_0"][0], (1, 2, 3), atol=1e-12)
    np.testing.assert_allclose(result["body.v_0"][0], (4, 5, 6), atol=1e-12)
    np.testing.assert_allclose(result["body.frame_a.R.T"][0], R.T, atol=1e-12)
    np.testing.assert_allclose(result["body.w_a"][0], R.T @ w, atol=1e-12)


def measured(**start) -> mk.Model:
    """Return a rod that turns about z, its end measured from the world."""
    model = mk.Model()
    model.world, model.rev = mk.World(), mk.Revolute()
    model.rod = mk.BodyShape(r=(1, 0, 0), r_CM=(0.5, 0, 0))
    model.tip = mk.FreeMotion(**start)
    model.world.frame_b >> model.rev.frame_a
    model.rev.frame_b >> model.rod.frame_a
    model.world.frame_b >> model.tip.frame_a
    model.rod.frame_b >> model.tip.frame_b
    return model


def test_of_a_measured_vector_only_the_fixed_components_are_demanded():
    x = {"start": (0.6, 0.1, 0.0), "fixed": (True, False, False)}
    v = {"start": (-1.6, 9.0, 9.0), "fixed": (True, False, False)}
    result = measured(r_rel_a=x, v_rel_a=v).simulate(0.01, output=1)
    np.testing.assert_allclose(result["tip.r_rel_a"][0], (0.6, 0.8, 0.0), atol=1e-10)
    np.testing.assert_allclose(result["tip.v_rel_a"][0], (-1.6, 1.2, 0.0), atol=1e-10)


def test_a_free_motion_keeps_a_fixed_component_beside_a_start_given_for_the_run():
    model = mk.Model()
    model.world, model.body = mk.World(), mk.Body()
    v = {"start": (1.0, 2.0, 3.0), "fixed": (True, False, False)}
    model.free = mk.FreeMotion(v_rel_a=v, angles_start=(0.3, 0.4, 0.5))
    model.world.frame_b >> model.free.frame_a
    model.free.frame_b >> model.body.frame_a
    given = {"free.v_rel_b[2]": 0.5}
    result = model.simulate(0.01, output=1, initial=given)
    assert result["free.v_rel_b[2]"][0] == 0.5
    assert result["free.v_rel_a[1]"][0] == pytest.approx(1.0, abs=1e-12)


# --- angles that are fixed one by one -----------------------------------------------------------


class OnUniversalConstraint(mk.Model):
    """A body that turns about z of the world and its own x axis, with scalar start values."""

    def build(self, **start) -> None:
        self.world = mk.World()
        self.cross = mk.constraints.UniversalConstraint(n_a="z", n_b="x")
        self.body = mk.Body(m=1.0, r_CM=(0.2, 0.1, 0))
        self.free = mk.FreeMotionScalarInit(use_angle=True, use_angle_d=True, **start)
        self.world.frame_b >> self.cross.frame_a
        self.world.frame_b >> self.free.frame_a
        self.cross.frame_b >> self.body.frame_a
        self.free.frame_b >> self.body.frame_a


def turn_and_rates(result: mk.Result, row: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return the orientation of the body, and its angular velocity in the body."""
    R = result["body.frame_a.R.T"][row].T
    return R, np.array([result[f"free.w_rel_b_{i}"][row] for i in (1, 2, 3)])


@pytest.mark.slow
def test_states_given_to_a_run_replace_fixed_values_of_the_same_part():
    model = OnUniversalConstraint(angle_1=0.1, angle_3=0.2, angle_d_1=1.0, angle_d_3=-0.5)
    whole = model.simulate(1.0, output=10, rtol=1e-10)
    assert whole["free.angle_3"][0] == pytest.approx(0.2, abs=1e-12)
    states = dict(whole.sample(4))  # numbers by name: no row that continues a run
    rest = model.simulate(
        1.0, start_time=whole.time[4], initial=states, output=6, rtol=1e-10
    )
    for name in ("free.angle_1", "free.angle_3", "free.w_rel_b_1"):
        np.testing.assert_allclose(rest[name], whole[name][4:], rtol=0, atol=1e-7)
    wanted = Rotation.from_euler("ZX", (0.7, -1.1))
    given = {f"free.Q[{i + 1}]": float(x) for i, x in enumerate(wanted.as_quat())}
    turned = model.simulate(0.01, initial=given, output=1)
    R, _ = turn_and_rates(turned)
    np.testing.assert_allclose(R, wanted.as_matrix(), atol=1e-12)
    # what does not depend on the given states stays
    rates = [float(turned[f"free.angle_d_{i}"][0]) for i in (1, 3)]
    np.testing.assert_allclose(rates, (1.0, -0.5), atol=1e-9)


@pytest.mark.kinds(2)
@pytest.mark.parametrize(
    ("first", "third", "middle"),
    [(0.3, 4.0, 0.0), (-0.2, 0.4 - 4 * np.pi, 0.0), (0.3, 0.5, 2.5), (-3.5, 4.0, 2.0)],
)
def test_fixed_angles_may_be_of_any_turn_and_of_both_sets(first, third, middle):
    model = OnUniversalConstraint(
        angle_1=first,
        angle_2=mk.guess(middle),
        angle_3=third,
        angle_d_1=0.7,
        angle_d_3=-0.4,
    )
    R, w = turn_and_rates(model.simulate(0.01, output=1))
    sine = np.tan(first) * np.tan(
        third
    )  # the z axis of the world and x are at right angles
    second = np.pi - np.arcsin(sine) if np.cos(middle) < 0 else np.arcsin(sine)
    expected = Rotation.from_euler("XYZ", (first, second, third))
    np.testing.assert_allclose(R, expected.as_matrix(), atol=1e-9)
    rate = 0.7 / np.cos(first) ** 2 * np.tan(third) - 0.4 / np.cos(third) ** 2 * np.tan(
        first
    )
    h = 1e-6
    moved = np.array([0.7, rate / np.cos(second), -0.4]) * h
    ahead = Rotation.from_euler("XYZ", np.array((first, second, third)) + moved)
    np.testing.assert_allclose(w, (expected.inv() * ahead).as_rotvec() / h, atol=1e-5)


def test_the_rate_of_a_middle_angle_beyond_a_right_angle_has_its_sign():
    free = {"use_angle": True, "use_angle_d": True, "angle_1": 0.3, "angle_2": 2.0}
    model = mk.Model()
    model.world, model.body = mk.World(), mk.Body(m=1.0)
    model.free = mk.FreeMotionScalarInit(**free, angle_3=-0.4, angle_d_2=0.6, angle_d_1=0.2)
    model.world.frame_b >> model.free.frame_a
    model.free.frame_b >> model.body.frame_a
    R, w = turn_and_rates(model.simulate(0.01, output=1))
    np.testing.assert_allclose(
        R, Rotation.from_euler("XYZ", (0.3, 2.0, -0.4)).as_matrix(), atol=1e-12
    )
    joint = np.array([[1, 0, 0], [0, np.cos(0.3), np.sin(0.3)]])  # first two axes
    third = Rotation.from_euler("XYZ", (0.3, 2.0, -0.4)).apply([0, 0, 1])
    parts = np.linalg.solve(np.stack([*joint, third], axis=1), R @ w)
    np.testing.assert_allclose(parts[:2], (0.2, 0.6), atol=1e-9)
