"""Chords one by one: what they measure, how they are made, and what they refuse."""

from __future__ import annotations

from math import pi, sin, sqrt

import numpy as np
import pytest

import motorik.mobile as mo
from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about
from motorik.algebra.vector import Vector, X, Y, Z
from motorik.errors import AssemblyError, LoopError, ParameterError

E1 = Vector(1.0, 2.0, -2.0) / 3.0
E2 = Vector(2.0, -2.0, -1.0) / 3.0
B = mo.Frame("B", Pose(rotation_about(E1, 0.7), Vector(0.2, -0.5, 1.0)))
E = mo.Frame("E", Pose(rotation_about(E2, -1.1), Vector(1.3, 0.4, -0.2)))


def close(found, expected, atol: float) -> None:
    """Assert that nothing differs by more than `atol`."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


def measured(chord):
    chord.motion(mo.Subtask.POSITION)
    return chord.state.q


def test_scalar_chords_measure_as_in_table_5_5_of_the_users_guide():
    p_B, p_E = B.X.p.numpy(), E.X.p.numpy()
    u_B, u_E = B.R.numpy() @ E1.numpy(), E.R.numpy() @ E2.numpy()
    point_plane = mo.ChordPointPlane.relative(E, B, normal=E1)
    close(measured(point_plane), (p_E - p_B) @ u_B, 1e-15)
    plane_point = mo.ChordPlanePoint.relative(E, B, normal=E2)
    close(measured(plane_point), (p_B - p_E) @ u_E, 1e-15)
    quadratic = mo.ChordPointPointQuadratic.relative(E, B)
    close(measured(quadratic), (p_E - p_B) @ (p_E - p_B), 1e-15)
    linear = mo.ChordPointPointLinear.relative(E, B)
    close(measured(linear), np.linalg.norm(p_E - p_B), 1e-15)
    planes = mo.ChordPlanePlane.relative(E, B, normal_B=E1, normal_E=E2)
    close(measured(planes), u_B @ u_E, 1e-15)


def test_topological_types_measure_as_in_table_5_6_of_the_users_guide():
    def distance(to: mo.Frame, base: mo.Frame) -> float:
        return measured(mo.ChordPointPointLinear.relative(to, base))

    inertial = mo.Frame("0")
    K, L = mo.Frame("K", X=Pose(p=Vector(3.0, 4.0, 0.0))), mo.Frame("L")
    upper = mo.RigidLink(K, L, Vector(0.0, 2.0, 1.5))
    chord = mo.ChordPointPointLinear
    close(measured(chord.absolute(E, 0.3)), distance(E, inertial) - 0.3, 1e-15)
    close(measured(chord.relative(E, B, 0.3)), distance(E, B) - 0.3, 1e-15)
    difference = measured(chord.absolute_difference(E, B))
    close(difference, distance(E, inertial) - distance(B, inertial), 1e-15)
    above = measured(chord.relative_difference(L, upper, E, B))
    close(above, 2.5 - distance(E, B), 1e-15)


def test_an_offset_may_be_a_number_a_reference_or_a_variable():
    y, variable = mo.MutableScalar(0.1), mo.LinearVariable("y", q=0.5, qd=2.0, qdd=3.0)
    by_reference = mo.ChordPointPointLinear.absolute(E, y)
    first = measured(by_reference)
    y.value = 0.4
    close(measured(by_reference), first - 0.3, 1e-15)
    assert by_reference.parameters == (y,)
    chord = mo.ChordPointPointLinear.absolute(E, variable)
    chord.motion()
    close(chord.state.q, first + 0.1 - 0.5, 1e-15)
    assert (chord.state.qd, chord.state.qdd) == (-2.0, -3.0)
    chord.state.Q = 7.0
    chord.force()
    assert variable.Q == -7.0


def test_an_angle_is_no_offset():
    with pytest.raises(ParameterError, match="its measure is not an angle"):
        mo.ChordPointPointLinear.absolute(E, mo.AngularVariable("phi"))


def test_position_and_orientation_by_components_in_inertial_axes():
    position = mo.Chord3DPosition(E, B)
    position.motion(mo.Subtask.POSITION)
    close([s.q for s in position.state], (E.X.p - B.X.p).numpy(), 0.0)
    turned = mo.Frame("turned", Pose(rotation_about(E1, 0.02) @ B.R, B.X.p))
    orientation = mo.Chord3DOrientation(turned, B)
    orientation.motion(mo.Subtask.POSITION)
    close([s.q for s in orientation.state], 2.0 * sin(0.01) * E1.numpy(), 1e-15)
    pose = mo.Chord3DPose(turned, B)
    pose.motion(mo.Subtask.POSITION)
    close(
        [s.q for s in pose.state], [0.0, 0.0, 0.0, *(s.q for s in orientation.state)], 0.0
    )


@pytest.mark.parametrize("axis", [X, Y, Z, E1, E2, -1.0 * E1])
@pytest.mark.parametrize("angle", [1e-9, 0.5, 3.0, 3.14, pi - 1e-6, pi])
def test_the_orientation_grows_up_to_half_a_turn(axis, angle):
    turned = mo.Frame("turned", Pose(rotation_about(axis, angle) @ B.R, B.X.p))
    chord = mo.Chord3DOrientation(turned, B)
    chord.motion(mo.Subtask.POSITION)
    found = np.array([s.q for s in chord.state])
    expected = 2.0 * sin(angle / 2) * axis.numpy()
    if angle == pi:  # both senses of the axis are right
        expected = expected * np.sign(found @ expected)
    close(found, expected, 1e-10)
    close(np.linalg.norm(found), 2.0 * sin(angle / 2), 1e-10)


def test_forces_of_spatial_chords_act_on_both_frames():
    # table 5.3 of the user's guide
    to, base = mo.Frame("to", E.X), mo.Frame("base", B.X)
    chord = mo.Chord3DPose(to, base)
    chord.motion(mo.Subtask.POSITION)
    load = np.array([1.0, -2.0, 0.5, 0.3, 0.2, -0.1])
    for state, Q in zip(chord.states, load, strict=True):
        state.Q = Q
    chord.force()
    close((to.R @ to.f).numpy(), load[:3], 1e-15)
    close((base.R @ base.f).numpy(), -load[:3], 1e-15)
    close((to.R @ to.t).numpy(), load[3:], 1e-15)
    close((base.R @ base.t).numpy(), -load[3:], 1e-15)


@pytest.mark.parametrize("where", [mo.ChordBranch.I, mo.ChordBranch.II])
def test_force_goes_only_where_it_is_told_to(where):
    for make in (mo.Chord3DPosition, mo.ChordPointPointLinear.relative):
        to, base = mo.Frame("to", E.X), mo.Frame("base", B.X)
        chord = make(to, base, where_force=where)
        chord.motion(mo.Subtask.POSITION)
        chord.states[0].Q = 1.0
        chord.force()
        loaded, other = (base, to) if where is mo.ChordBranch.I else (to, base)
        assert np.linalg.norm(loaded.F.numpy()) > 0.1
        assert other.F.components == (0.0,) * 6


def test_a_chord_with_a_chain_moves_it_and_loads_through_it():
    K0, K1, K2, phi = (
        mo.Frame("K0"),
        mo.Frame("K1"),
        mo.Frame("K2"),
        mo.AngularVariable("phi", q=0.3),
    )
    chain = (
        mo.MapChain() << mo.ElementaryJoint(K0, K1, phi) << mo.RigidLink(K1, K2, 2.0 * X)
    )
    chord = mo.ChordPointPlane.relative(K2, K0, 0.0, chain, normal=Y)
    chord.motion()
    close(chord.state.q, 2.0 * sin(0.3), 1e-15)
    chord.state.Q = 1.5
    chord.force()
    close(phi.Q, 1.5 * K2.X.p.x, 1e-15)
    assert [s.name for s in chord.inputs] == ["K0", "phi"]
    assert [s.name for s in chord.outputs] == ["K1", "K2", "f"]


def test_an_upper_segment_must_lead_from_one_frame_to_the_end():
    K1, K2, K3 = mo.Frame("K1"), mo.Frame("K2"), mo.Frame("K3")
    link = mo.RigidLink(K1, K2, X)
    with pytest.raises(AssemblyError, match=r"starts from Frame\('K1'\) and must end"):
        mo.ChordPointPlane.relative_difference(K3, link, E, B)
    both = mo.MapChain() << link << mo.RigidLink(mo.Frame("K4"), K3, X)
    with pytest.raises(AssemblyError, match="Give a chain that leads from one frame"):
        mo.ChordPointPlane.relative_difference(K3, both, E, B)


def test_only_chords_of_type_four_are_interlinked():
    with pytest.raises(AssemblyError, match="only a chord of type IV"):
        mo.ChordPointPlane.interlinked(B, mo.ChordPointPointLinear.relative(E, B))


def test_points_that_coincide_have_no_direction():
    chord = mo.ChordPointPointLinear.relative(mo.Frame("a"), mo.Frame("b"))
    with pytest.raises(LoopError, match="its two points coincide"):
        chord.motion()


def test_a_list_has_the_states_of_its_chords_and_only_chords_in_it():
    chords = mo.ChordList() << mo.ChordPointPlane.relative(E, B) << mo.Chord3DPosition(E, B)
    assert len(chords) == 2 and len(chords.states) == 4
    chords.motion(mo.Subtask.POSITION)
    assert chords.states[0].q == chords[0].states[0].q != 0.0
    with pytest.raises(ParameterError, match="is not a chord"):
        chords << mo.Frame("K")


def test_a_spring_on_a_chord_pulls_its_frames_together():
    # Kecskeméthy 1999, fig. 4.7
    a = mo.Frame("a")
    b = mo.Frame("b", X=Pose(p=3.0 * X), V=Motor(Vector(), 0.5 * X))
    chord = mo.ChordPointPointLinear.relative(b, a, 1.0)
    chain = mo.MapChain() << mo.LinearSpringDamper(chord, c=10.0, d=2.0)
    chain.motion()
    chain.clear_forces()
    chain.force()
    pull = 10.0 * 2.0 + 2.0 * 0.5
    close(b.f.numpy(), [-pull, 0.0, 0.0], 1e-14)
    close(a.f.numpy(), [pull, 0.0, 0.0], 1e-14)
    a.clear_force()
    chain.force(mo.Subtask.EXTERNAL)
    assert a.F.components == (0.0,) * 6


def test_the_diagonal_of_a_cube_seen_from_its_planes():
    corner = mo.Frame("corner", X=Pose(p=Vector(1.0, 1.0, 1.0)))
    for axis in (X, Y, Z):
        assert measured(mo.ChordPointPlane.absolute(corner, normal=axis)) == 1.0
    close(measured(mo.ChordPointPointLinear.absolute(corner)), sqrt(3.0), 1e-15)
