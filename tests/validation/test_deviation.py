"""The ruler itself: what counts as a deviation, and what does not."""

from __future__ import annotations

import numpy as np
import pytest

from validation.deviation import deviations, differences, family, largest, scales

T = np.linspace(0.0, 1.0, 101)


def deviation(reference, ours, name="body.x", time=T):
    return deviations(time, {name: reference}, {name: ours})[name]


def test_the_deviation_is_relative_to_the_range_of_the_signal():
    assert deviation(5 + 2 * T, 5 + 2 * T + 0.01 * (T > 0.5)) == pytest.approx(0.005)


def test_a_constant_signal_is_measured_against_a_hundredth_of_its_vector():
    reference = {"f[1]": 0 * T, "f[2]": -50 + 0 * T, "g": 0 * T}
    assert scales(reference) == {"f[1]": 0.5, "f[2]": 0.5, "g": 1e-3}
    found = deviations(
        T, reference, {"f[1]": 0.01 + 0 * T, "f[2]": -50 + 0 * T, "g": 1e-5 + 0 * T}
    )
    assert found == pytest.approx({"f[1]": 0.02, "f[2]": 0.0, "g": 0.01})


def test_components_of_a_vector_are_one_family():
    assert family("a.body.frame_a.r_0[2]") == "a.body.frame_a.r_0"
    assert family("free.angle_d_3") == "free.angle_d"
    assert family("R.T[1,3]") == "R.T"
    assert family("inertia_2") == "inertia_2"
    assert family("rev.phi") == "rev.phi"


def test_not_a_number_is_an_infinite_deviation():
    assert deviation(T, np.where(T > 0.5, np.nan, T)) == np.inf


def test_at_an_event_any_value_between_the_two_rows_is_right():
    time = np.array([0.0, 0.5, 0.5, 1.0])
    reference = np.array([0.0, 0.0, 1.0, 1.0])
    for ours in (0.0, 0.3, 1.0):
        assert deviation(reference, np.array([0.0, ours, ours, 1.0]), time=time) == 0.0
    late = np.array([0.0, 1.2, 1.2, 1.0])
    assert deviation(reference, late, time=time) == pytest.approx(0.2)


def quaternion(angle):
    return {
        "b.Q[1]": 0 * angle,
        "b.Q[2]": 0 * angle,
        "b.Q[3]": np.sin(angle),
        "b.Q[4]": np.cos(angle),
    }


def test_quaternions_may_change_the_sign_of_all_four():
    reference = quaternion(3 * T)
    flipped = {name: np.where(T > 0.4, -1, 1) * q for name, q in reference.items()}
    assert max(deviations(T, reference, flipped).values()) == 0.0
    mixed = reference | {"b.Q[3]": -reference["b.Q[3]"]}
    assert max(deviations(T, reference, mixed).values()) > 0.5


def wrapped(angle):
    return np.arctan2(np.sin(angle), np.cos(angle))


def test_an_angle_of_an_arc_tangent_may_jump_by_a_full_turn():
    angle = 2.0 + 9.0 * T
    for name in ("rev.phi", "u.phi_a", "ball.phi[2]", "spring.phi_rel", "w.theta1"):
        assert deviation(angle, wrapped(angle), name) < 1e-12
    assert deviation(wrapped(angle), wrapped(angle + 1e-9), "s.angle_1") < 1e-9
    assert deviation(wrapped(angle), angle, "s.angles[2]") < 1e-12


@pytest.mark.parametrize(
    "name", ["rev.s", "ball.phi_d[1]", "free.angle_d_1", "w.der_theta1"]
)
def test_a_jump_of_what_is_no_angle_is_not_forgiven(name):
    angle = 2.0 + 9.0 * T
    assert deviation(angle, wrapped(angle), name) > 0.5


def test_a_lasting_full_turn_is_not_forgiven():
    assert deviation(T, T + 2 * np.pi, "rev.phi") == pytest.approx(2 * np.pi)
    over_the_top = np.where(T < 0.5, T, T + 4 * np.pi * (T - 0.5))
    assert deviation(T, over_the_top, "rev.phi") == pytest.approx(2 * np.pi)


def test_angles_beyond_a_turn_are_compared_as_they_are():
    fast = 900.0 * T
    assert deviation(fast, fast + 2 * np.pi * (T > 0.5), "rev.phi") == pytest.approx(
        2 * np.pi / 900
    )


def test_differences_have_a_sign_and_are_none_between_two_rows_of_an_event():
    time = np.array([0.0, 0.5, 0.5, 1.0])
    reference = {"x": np.array([0.0, 0.0, 1.0, 1.0])}
    found = differences(time, reference, {"x": np.array([0.1, 0.3, 0.3, 0.8])})["x"]
    np.testing.assert_allclose(found, [0.1, 0.0, 0.0, -0.2])


def test_the_largest_of_several_runs_is_taken_signal_by_signal():
    assert largest([{"a": 1.0, "b": 0.1}, {"a": 0.5, "b": 0.2}]) == {"a": 1.0, "b": 0.2}
