"""Rotations and Modelica's orientation functions against SciPy's rotations."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from motorik.algebra import (
    Dual,
    Matrix,
    Orientation,
    Vector,
    angular_velocity_from,
    frames,
    is_identity,
    rate_of,
    rotation_about,
    rotation_by_sequence,
    snapped,
    value_of,
    vee,
)
from motorik.algebra.vector import AXES
from motorik.errors import ParameterError

angle = st.floats(-3.1, 3.1)
SEQUENCES = [s for s in itertools.product((1, 2, 3), repeat=3) if s[0] != s[1] != s[2]]


def same(a, b, tolerance=3e-15):
    a = a.numpy() if hasattr(a, "numpy") else np.asarray(a, float)
    np.testing.assert_allclose(a, b, rtol=0, atol=tolerance)


def by_scipy(sequence, angles) -> np.ndarray:
    """R_12 of turns about the axes of the frame reached so far."""
    return Rotation.from_euler("".join("XYZ"[i - 1] for i in sequence), angles).as_matrix()


@pytest.fixture
def moving(chance):
    """Two orientations from frame 0 with their angular velocities."""
    return [Orientation(chance.rotation(), chance.vector()) for _ in range(2)]


@pytest.mark.slow
@given(angle, st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda n: np.linalg.norm(n) > 1e-3))
def test_a_turn_about_an_axis_is_that_of_scipy(phi, direction):
    n = np.array(direction) / np.linalg.norm(direction)
    expected = Rotation.from_rotvec(phi * n).as_matrix()
    same(rotation_about(Vector.of(n), phi), expected, 3e-15)
    same(frames.planar_rotation(n, phi).T, expected.T, 3e-15)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_all_twelve_sequences_are_those_of_scipy_and_go_back(chance, sequence):
    angles = chance.rng.uniform(-3, 3, 3)
    R = frames.axes_rotations(sequence, angles)
    same(R.T, by_scipy(sequence, angles).T, 3e-15)
    same(rotation_by_sequence(sequence, angles), by_scipy(sequence, angles), 3e-15)
    # the guess chooses between the two solutions, and the one that was meant comes back
    same(frames.axes_rotations_angles(R, sequence, angles[0] + 0.4), angles, 5e-14)
    other = angles[0] - np.sign(angles[0]) * np.pi
    found = frames.axes_rotations_angles(R, sequence, other - 0.4)
    assert found[0] == pytest.approx(other, abs=5e-14)
    same(frames.axes_rotations(sequence, found).T, R.T.numpy(), 5e-15)


@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("guess", [0.0, 0.4, -2.0])
def test_in_a_singular_pose_the_first_angle_is_the_guess(sequence, guess):
    singular = 0.0 if sequence[0] == sequence[2] else np.pi / 2
    R = frames.axes_rotations(sequence, (0.3, singular, 0.8))
    angles = frames.axes_rotations_angles(R, sequence, guess)
    assert angles[0] == guess
    same(frames.axes_rotations(sequence, angles).T, R.T.numpy(), 3e-15)


@pytest.mark.parametrize("sequence", [(1, 1, 2), (3, 2, 2), (1, 2), (1, 2, 3, 1)])
def test_a_sequence_that_cannot_work_is_refused(sequence):
    with pytest.raises(ParameterError, match="cannot reach every orientation"):
        frames.axes_rotations_angles(frames.null_rotation(), sequence)


@pytest.mark.parametrize("number", [0, 4, "x"])
def test_an_axis_that_is_none_is_refused(number):
    with pytest.raises(ParameterError, match="there is no axis"):
        frames.axis(number)
    with pytest.raises(ParameterError, match="there is no axis"):
        frames.axes_rotations((1, 2, number), (0.1, 0.2, 0.3))


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_turn_about_a_coordinate_axis(number):
    R = frames.axis_rotation(number, 0.7, 2.0)
    expected = Rotation.from_euler("XYZ"[number - 1], 0.7).as_matrix()
    same(R.T, expected.T, 3e-15)
    same(R.w, 2.0 * AXES[number - 1].numpy())
    same(frames.axis(number), np.eye(3)[number - 1])


def test_vectors_and_tensors_are_resolved_as_by_scipy(moving, chance):
    (R1, R2), v, D = moving, chance.vector(), chance.rng.uniform(-1, 1, (3, 3))
    T1, T2 = R1.T.numpy(), R2.T.numpy()
    turn = Rotation.from_matrix(T2)
    same(frames.resolve2(R2, v), turn.apply(v.numpy()))
    same(frames.resolve1(R2, v), turn.inv().apply(v.numpy()))
    same(frames.multiple_resolve1(R2, [v, R2.w])[1], turn.inv().apply(R2.w.numpy()))
    same(frames.multiple_resolve2(R2, [v, R2.w])[0], turn.apply(v.numpy()))
    same(frames.resolve_relative(v, R1, R2), T2 @ T1.T @ v.numpy())
    same(frames.resolve_dyade1(R1, D), T1.T @ D @ T1)
    same(frames.resolve_dyade2(R1, D), T1 @ D @ T1.T)
    same(frames.angular_velocity1(R1), T1.T @ R1.w.numpy())
    same(frames.angular_velocity2(R1), R1.w.numpy())
    same([e.numpy() for e in frames.to_exy(R1)], T1[:2])
    same(frames.to_vector(R1), T1.ravel(order="F"))
    same(frames.to_T(R1), T1)
    same(frames.to_T_inv(R1), T1.T)


ANGLES = (0.3, -0.8, 1.9)
SPEEDS = (1.1, -0.4, 2.3)


def in_motion(sequence, t: Dual, shift: float = 0.0) -> Orientation:
    """An orientation whose matrix carries its rate and whose w is that of Modelica."""
    angles = [a + shift + t * s for a, s in zip(ANGLES, SPEEDS, strict=True)]
    return frames.axes_rotations(sequence, angles, SPEEDS)


def plain(R: Orientation) -> Orientation:
    return Orientation(R.T.map(value_of), R.w.map(value_of))


NOW = Dual(0.2, 1.0)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_the_angular_velocity_is_the_rate_of_the_matrix(sequence):
    R = in_motion(sequence, NOW)
    T, der_T = R.T.map(value_of), R.T.map(rate_of)
    same(frames.from_T2(T, der_T).w, R.w.map(value_of).numpy())
    same(angular_velocity_from(T.T, der_T.T), R.w.map(value_of).numpy())


def test_composed_orientations_carry_their_angular_velocity():
    R1, R2 = in_motion((1, 2, 3), NOW), in_motion((3, 1, 3), NOW, 0.5)
    composed = [
        frames.absolute_rotation(R1, R2),
        frames.relative_rotation(R1, R2),
        frames.inverse_rotation(R1),
        frames.from_T_inv(R1.T.T, -frames.angular_velocity1(R1)),
        frames.from_T(R1.T, R1.w),
        frames.from_Q(frames.to_Q(R1), R1.w),
    ]
    for R in composed:
        by_rate = frames.from_T2(R.T.map(value_of), R.T.map(rate_of))
        same(by_rate.w, R.w.map(value_of).numpy(), 5e-15)
    T1, T2 = (R.T.map(value_of).numpy() for R in (R1, R2))
    same(composed[0].T.map(value_of), T2 @ T1)
    same(composed[1].T.map(value_of), T2 @ T1.T)
    for same_as_first in composed[3:]:
        same(same_as_first.T.map(value_of), T1)


def test_derivatives_of_resolved_vectors_are_those_of_duals(chance):
    R1, R2 = in_motion((1, 2, 3), NOW), in_motion((3, 1, 3), NOW, 0.5)
    P1, P2 = plain(R1), plain(R2)
    v, v_der = chance.vector(), chance.vector()
    moving = Vector(*map(Dual, v.xyz, v_der.xyz))
    same(
        frames.resolve1_der(P1, v, v_der),
        frames.resolve1(R1, moving).map(rate_of).numpy(),
        1e-14,
    )
    same(
        frames.resolve2_der(P1, v, v_der),
        frames.resolve2(R1, moving).map(rate_of).numpy(),
        1e-14,
    )
    expected = frames.resolve_relative(moving, R1, R2).map(rate_of).numpy()
    same(frames.resolve_relative_der(v, P1, P2, v_der), expected, 2e-14)


def test_the_angle_of_a_turn_is_found_from_one_vector(chance):
    e = chance.vector().normalized()
    for phi in (-3.0, -0.2, 0.0, 1e-9, 2.5):
        v1 = chance.vector()
        v2 = frames.resolve2(frames.planar_rotation(e, phi), v1)
        assert frames.planar_rotation_angle(e, v1, v2) == pytest.approx(phi, abs=2e-14)


def test_a_frame_along_two_directions_is_that_of_gram_and_schmidt(chance):
    n_x, n_other = chance.vector(), chance.vector()
    q, r = np.linalg.qr(np.array([n_x.numpy(), n_other.numpy()]).T)
    e_x, e_other = (q * np.sign(np.diag(r))).T
    same(frames.from_nxy(n_x, n_other).T, [e_x, e_other, np.cross(e_x, e_other)], 1e-14)
    same(frames.from_nxz(n_x, n_other).T, [e_x, np.cross(e_other, e_x), e_other], 1e-14)


DEGENERATE = [
    (1, 0, 0),
    (0, 1, 0),
    (0, 0, 1),
    (1, 2, 3),
    (0, 1, 1),
    (1e-5, 1, 0),
    (0, 0, 0),
]


@pytest.mark.parametrize("n_x", DEGENERATE)
@pytest.mark.parametrize("factor", [1.0, -2.0, 0.0])
def test_parallel_or_missing_directions_still_give_a_frame(n_x, factor):
    for make in (frames.from_nxy, frames.from_nxz):
        T = make(n_x, [factor * n for n in n_x]).T.numpy()
        same(T @ T.T, np.eye(3), 3e-15)
        assert np.linalg.det(T) == pytest.approx(1, abs=3e-15)
        if any(n_x):
            same(T[0], np.array(n_x) / np.linalg.norm(n_x), 3e-15)


def test_the_default_directions_are_the_axes_themselves():
    for make in (frames.from_nxy, frames.from_nxz):
        same(make((0, 0, 0), (0, 0, 0)).T, np.eye(3), 0)
        same(make((1, 0, 0), (1, 0, 0)).T, np.eye(3), 0)


def test_the_orientation_constraint_sees_each_of_the_six_errors(chance):
    R = frames.from_T(chance.rotation())
    same(frames.orientation_constraint(R), np.zeros(6), 3e-15)
    T = chance.rng.uniform(-1, 1, (3, 3))
    gram = T.T @ T - np.eye(3)
    expected = [*np.diag(gram), gram[0, 1], gram[0, 2], gram[1, 2]]
    same(frames.orientation_constraint(frames.from_T(Matrix.of(T))), expected, 3e-15)


def test_equality_is_the_small_turn_between_two_frames(chance):
    R1 = frames.from_T(chance.rotation())
    same(frames.equality_constraint(R1, R1), np.zeros(3), 3e-15)
    phi = np.array([2e-6, -1e-6, 3e-6])
    small = frames.from_T(Rotation.from_rotvec(phi).as_matrix().T)
    R2 = frames.absolute_rotation(R1, small)
    # terms of second order, φ²/2 = 5e-12, are what is left
    same(frames.equality_constraint(R1, R2), phi, 5e-12)
    same(frames.small_rotation(small), phi, 5e-12)
    same(frames.small_rotation(small, True), [*phi, 0, 0, 0], 1.3e-11)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_equality_tells_half_a_turn_from_none(number):
    half = frames.planar_rotation(AXES[number], np.pi)
    residues = frames.equality_constraint(frames.null_rotation(), half)
    assert max(map(abs, residues)) == pytest.approx(np.pi, rel=1e-15)


def test_lengths_and_directions():
    assert frames.length((3, 0, 4)) == 5.0
    same(frames.normalize((3, 0, 4)), [0.6, 0, 0.8], 0)
    same(frames.normalize((0, 0, 0)), [0, 0, 0], 0)
    same(frames.normalize((1e-14, 0, 0), eps=1e-13), [0.1, 0, 0], 1e-16)


def test_constant_turns_by_right_angles_have_exact_zeros():
    R = snapped(rotation_by_sequence((1, 2, 3), (np.pi / 2, -np.pi / 2, np.pi)))
    assert set(R.entries) <= {0.0, 1.0, -1.0}
    same(R, by_scipy((1, 2, 3), (np.pi / 2, -np.pi / 2, np.pi)), 4e-16)
    assert is_identity(snapped(rotation_about(AXES[2], 2 * np.pi)))
    assert not is_identity(rotation_about(AXES[2], 1e-9))


def test_the_vector_of_the_skew_part_is_axis_times_sine(chance):
    n = chance.vector().normalized()
    same(vee(rotation_about(n, 0.7)), np.sin(0.7) * n.numpy(), 3e-15)


def test_many_orientations_at_once_have_one_more_axis(chance):
    angles = chance.rng.uniform(-3, 3, (3, 4))
    R = rotation_by_sequence((3, 1, 2), list(angles))
    assert R.numpy().shape == (3, 3, 4)
    for k in range(4):
        same(R.numpy()[:, :, k], by_scipy((3, 1, 2), angles[:, k]), 3e-15)
    same(Matrix.of(R.numpy()[:, :, 1]), R.numpy()[:, :, 1], 0)
