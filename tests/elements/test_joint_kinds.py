"""Each kind of joint against what its name promises, by another route."""

from __future__ import annotations

import inspect
from itertools import product
from math import pi, tau

import casadi
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from motorik.algebra.matrix import Matrix
from motorik.algebra.pose import Pose
from motorik.algebra.vector import ZERO, Vector, X, Y, Z
from motorik.elements import (
    CylindricalPair,
    FreePair,
    FreePairByAngles,
    PlanarPair,
    PrismaticPair,
    RevolutePair,
    ScrewPair,
    SphericalPair,
    SphericalPairByAngles,
    TranslationalPair,
    UniversalPair,
)
from motorik.errors import ParameterError

E = Vector(1.0, 2.0, -2.0) / 3.0
AXES = "?XYZ"
KINDS = (
    *(
        RevolutePair,
        PrismaticPair,
        ScrewPair,
        CylindricalPair,
        TranslationalPair,
        SphericalPair,
        SphericalPairByAngles,
        UniversalPair,
        PlanarPair,
    ),
    *(FreePair, FreePairByAngles),
)


def close(found, expected, atol: float) -> None:
    """Assert that nothing differs by more than `atol`."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


def about(axis: Vector, angle: float) -> np.ndarray:
    return Rotation.from_rotvec(angle * axis.numpy()).as_matrix()


@pytest.mark.parametrize("kind", KINDS)
def test_coordinates_are_named_as_the_arguments_of_pose(kind):
    names = list(inspect.signature(kind().pose).parameters)
    assert names == [coordinate.name for coordinate in kind.coordinates]


@pytest.mark.parametrize("kind", KINDS)
def test_the_neutral_pose_is_the_frame_itself(kind):
    neutral = kind().pose(*(coordinate.neutral for coordinate in kind.coordinates))
    np.testing.assert_array_equal(neutral.numpy(), np.eye(4))


def test_slide_moves_along_its_axis_and_does_not_turn():
    X_ab = PrismaticPair(E).pose(3.0)
    close(X_ab.p.numpy(), [1.0, 2.0, -2.0], 1e-15)
    np.testing.assert_array_equal(X_ab.R.numpy(), np.eye(3))


def test_helix_advances_by_its_lead_in_one_turn():
    X_ab = ScrewPair(E, 0.25).pose(tau)
    close(X_ab.p.numpy(), 0.25 * E.numpy(), 1e-15)
    close(X_ab.R.numpy(), np.eye(3), 1e-15)


@pytest.mark.parametrize("phi", [-40.0, -pi, -1.0, 0.0, 3.0, 7.0, 100.0])
def test_helix_fits_the_turn_that_it_is_in(phi):
    joint = ScrewPair(E, 0.01)
    assert joint.fit(joint.pose(phi))[0] == pytest.approx(phi, abs=3e-14)


def test_helix_without_lead_fits_as_a_turn():
    assert ScrewPair(E, 0.0).fit(RevolutePair(E).pose(1.25)) == RevolutePair(E).fit(
        RevolutePair(E).pose(1.25)
    )


def test_cylinder_is_a_slide_and_a_turn():
    both = PrismaticPair(E).pose(0.7) @ RevolutePair(E).pose(1.1)
    np.testing.assert_array_equal(CylindricalPair(E).pose(0.7, 1.1).numpy(), both.numpy())


def test_translation_is_three_slides():
    three = (
        PrismaticPair(X).pose(1.0)
        @ PrismaticPair(Y).pose(-2.0)
        @ PrismaticPair(Z).pose(3.0)
    )
    np.testing.assert_array_equal(
        TranslationalPair().pose(1.0, -2.0, 3.0).numpy(), three.numpy()
    )


def test_ball_is_the_rotation_of_the_quaternion():
    rotation = Rotation.from_quat(np.random.default_rng(3).normal(size=4))
    X_ab = SphericalPair().pose(*rotation.as_quat().tolist())
    close(X_ab.R.numpy(), rotation.as_matrix(), 1e-15)


@pytest.mark.parametrize("joint", [SphericalPair(), FreePair()], ids=str)
def test_quaternion_keeps_its_length_whatever_the_speeds(joint):
    q = [*range(len(joint.coordinates) - 4), 0.5, -0.1, 0.7, 0.5]
    u = [0.3, -2.0, 1.5, 1.0, 2.0, 3.0][: joint.freedom]
    Q, Q_rate = np.array(q[-4:]), np.array(joint.rates(q, u)[-4:])
    assert abs(Q @ Q_rate) < 1e-15


@pytest.mark.parametrize(
    "sequence", [s for s in product((1, 2, 3), repeat=3) if s[0] != s[1] != s[2]], ids=str
)
class TestBallAngles:
    def test_pose_is_three_turns_about_moving_axes(self, sequence):
        angles = [0.4, -1.1, 2.5]
        order = "".join(AXES[axis] for axis in sequence)
        expected = Rotation.from_euler(order, angles).as_matrix()
        X_ab = SphericalPairByAngles(sequence).pose(*angles)
        close(X_ab.R.numpy(), expected, 1e-15)
        free = FreePairByAngles(sequence).pose(1.0, 2.0, 3.0, *angles)
        close(free.R.numpy(), expected, 1e-15)

    def test_fit_is_what_scipy_finds(self, sequence):
        rotation = Rotation.from_quat(np.random.default_rng(5).normal(size=4))
        order = "".join(AXES[axis] for axis in sequence)
        fitted = SphericalPairByAngles(sequence).fit(
            Pose(Matrix.of(rotation.as_matrix()), ZERO)
        )
        close(fitted, rotation.as_euler(order), 2e-15)

    @pytest.mark.parametrize("second", [0.0, pi / 2, -pi / 2, pi])
    def test_fit_makes_up_the_pose_where_the_angles_are_not_unique(self, sequence, second):
        joint = SphericalPairByAngles(sequence)
        X_ab = joint.pose(0.3, second, -1.2)
        again = joint.pose(*joint.fit(X_ab))
        close(again.numpy(), X_ab.numpy(), 1e-15)


@pytest.mark.parametrize("kind", [SphericalPairByAngles, FreePairByAngles])
@pytest.mark.parametrize("sequence", [(1, 1, 2), (1, 2, 2), (0, 1, 2), (1, 2, 4), (1, 2)])
def test_a_sequence_that_does_not_reach_every_orientation_is_refused(kind, sequence):
    with pytest.raises(
        ParameterError, match=r"sequence .* does not reach every orientation"
    ):
        kind(sequence)


def test_cross_is_two_turns():
    f = Vector(2.0, -2.0, -1.0) / 3.0
    expected = about(E, 0.8) @ about(f, -1.3)
    close(UniversalPair(E, f).pose(0.8, -1.3).R.numpy(), expected, 1e-15)


def test_plane_moves_in_its_plane_and_turns_about_its_normal():
    n, n_x = Vector(1.0, 2.0, 3.0), Vector(1.0, 1.0, 0.0)
    e_z = n.numpy() / np.linalg.norm(n.numpy())
    e_x = n_x.numpy() - e_z * (e_z @ n_x.numpy())
    e_x /= np.linalg.norm(e_x)
    X_ab = PlanarPair(n, n_x).pose(0.5, -0.25, 0.9)
    expected = 0.5 * e_x - 0.25 * np.cross(e_z, e_x)
    close(X_ab.p.numpy(), expected, 1e-15)
    close(X_ab.R.numpy(), about(Vector(*e_z), 0.9), 1e-15)


def test_free_speeds_are_resolved_in_the_moving_frame():
    rotation = Rotation.from_quat(np.random.default_rng(7).normal(size=4))
    q = [1.0, 2.0, 3.0, *rotation.as_quat().tolist()]
    rates = FreePair().rates(q, [0.0, 0.0, 0.0, 4.0, 5.0, 6.0])
    close(rates[:3], rotation.apply([4.0, 5.0, 6.0]), 1e-15)


@pytest.mark.parametrize(
    "joint", [RevolutePair(), PrismaticPair(X), PlanarPair(), CylindricalPair(Z)], ids=str
)
def test_a_planar_joint_leaves_structural_zeros_out_of_its_plane(joint):
    q = [casadi.SX.sym(coordinate.name) for coordinate in joint.coordinates]
    X_ab = joint.pose(*q)
    out_of_plane = [X_ab.R.xz, X_ab.R.yz, X_ab.R.zx, X_ab.R.zy]
    for screw in joint.screws(*q):
        out_of_plane += [screw.resultant.x, screw.resultant.y]
    assert all(type(entry) is float and entry == 0.0 for entry in out_of_plane)
    assert type(X_ab.R.zz) is float and X_ab.R.zz == 1.0
