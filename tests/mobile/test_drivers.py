"""Drivers, screws, output and the small linear systems of solvers."""

from __future__ import annotations

import io
from math import inf, pi

import casadi
import numpy as np
import pytest

from motorik.algebra.linear_system import SingularError, solve_linear
from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about
from motorik.algebra.vector import Vector, X, Y, Z
from motorik.elements import CylindricalPair, ScrewPair
from motorik.errors import AssemblyError, ParameterError, UnknownNameError
from motorik.mobile import (
    AngularVariable,
    ConstantStepDriver,
    ElementaryJoint,
    Frame,
    InstantaneousScrew,
    JointElement,
    LinearVariable,
    MapChain,
    MutableScalar,
    OutputGenerator,
    RigidLink,
    Subtask,
)


def close(found, expected, atol: float) -> None:
    """Assert that nothing differs by more than `atol`."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


def test_a_driver_moves_on_by_one_step_in_each_traversal():
    K0, K1, phi, s = Frame("K0"), Frame("K1"), AngularVariable("phi"), LinearVariable("s")
    step = MutableScalar(pi / 10)
    driver = ConstantStepDriver([phi, s], [step, 0.5], interval=0.25)
    chain = MapChain() << driver << ElementaryJoint(K0, K1, phi)
    for _ in range(4):
        chain.motion()
    close(phi.q, 0.4 * pi, 4e-16)
    assert (s.q, s.qd, s.qdd) == (2.0, 2.0, 0.0)
    close(K1.R.numpy(), rotation_about(Z, 0.4 * pi).numpy(), 4e-16)
    assert K1.ang_v.z == phi.qd == pi / 10 / 0.25
    chain.motion(Subtask.VELOCITY | Subtask.ACCELERATION)
    assert s.q == 2.0
    step.value = 0.0
    chain.motion()
    close(phi.q, 0.4 * pi, 4e-16)


def test_a_driver_comes_before_what_it_drives_and_drives_alone():
    K0, K1, phi = Frame("K0"), Frame("K1"), AngularVariable("phi")
    driver = ConstantStepDriver(phi, 0.1)
    with pytest.raises(AssemblyError, match="is already read by"):
        MapChain() << ElementaryJoint(K0, K1, phi) << driver
    with pytest.raises(AssemblyError, match="is already moved by"):
        MapChain() << driver << ConstantStepDriver(phi, 0.2)
    with pytest.raises(ParameterError, match="2 steps for 1 variables"):
        ConstantStepDriver(phi, [0.1, 0.2])


@pytest.mark.parametrize("by_base", [False, True])
def test_the_screw_of_a_helix_is_its_axis(by_base):
    # the screw seen from a base that itself moves along on a tilted turntable
    K = [Frame(f"K{i}") for i in range(5)]
    beta, phi = (
        AngularVariable("beta", 0.3, 0.0 if not by_base else 2.0),
        AngularVariable("q"),
    )
    chain = MapChain() << ElementaryJoint(K[0], K[1], beta, Y)
    chain << RigidLink(K[1], K[2], Vector(0.2, 0.5, 0.0), rotation_about(X, 0.4))
    chain << JointElement(K[2], K[3], ScrewPair(Z, 0.3), [phi])
    chain << RigidLink(K[3], K[4], Vector(0.4, 0.1, 2.0))
    screw = InstantaneousScrew(K[4], K[1] if by_base else None)
    phi.q, phi.qd = 0.8, -1.5
    (chain << screw).motion()
    R = rotation_about(X, 0.4) if by_base else K[2].R
    p = Vector(0.2, 0.5, 0.0) if by_base else K[2].X.p
    axis = R @ Z
    close(screw.axis.numpy(), (-1.0 * axis).numpy(), 2e-16)
    close(screw.point.numpy(), (p - p.dot(axis) * axis).numpy(), 3e-16)
    close([screw.rate, screw.pitch], [1.5, 0.3 / (2 * pi)], 4e-16)
    close(screw.speed, 1.5 * 0.3 / (2 * pi), 2e-16)


def test_the_screw_of_a_translation_has_no_pitch_and_that_of_rest_no_axis():
    K, L = Frame("K"), Frame("L")
    s, phi = LinearVariable("s", qd=-2.0), AngularVariable("phi")
    joint = JointElement(K, L, CylindricalPair(Y), (s, phi))
    screw = InstantaneousScrew(L)
    (MapChain() << joint << screw).motion()
    assert screw.axis.xyz == (0.0, -1.0, 0.0)
    assert (screw.rate, screw.speed, screw.pitch) == (0.0, 2.0, inf)
    s.qd = 0.0
    joint.motion()
    screw.motion()
    assert screw.axis.xyz == (0.0, 0.0, 0.0)
    assert screw.speed == 0.0


def test_a_screw_can_be_traced():
    K = Frame("K", Pose(rotation_about(X, 0.3), Vector(1.0, 2.0, 3.0)))
    V = casadi.SX.sym("V", 6)
    screw, number = InstantaneousScrew(K), InstantaneousScrew(K)
    K.V = Motor.of(casadi.vertsplit(V))
    screw.motion()
    outputs = [*screw.axis.xyz, *screw.point.xyz, screw.rate, screw.speed, screw.pitch]
    function = casadi.Function("screw", [V], [casadi.vertcat(*outputs)])
    values = [0.3, -0.2, 0.5, 1.0, 2.0, -1.0]
    K.V = Motor.of(values)
    number.motion()
    n = number
    expected = [*n.axis.xyz, *n.point.xyz, n.rate, n.speed, n.pitch]
    close(function(values).full().ravel(), expected, 0.0)


def test_output_is_kept_and_printed_where_the_chain_passes_it():
    K0, K1, phi, stream = Frame("K0"), Frame("K1"), AngularVariable("phi"), io.StringIO()
    before = OutputGenerator({"phi": (phi, "q"), "R": (K1, "R")}, stream)
    after = OutputGenerator({"Q": lambda: phi.Q}, in_force=True)
    chain = MapChain() << ElementaryJoint(K0, K1, phi) << before << after
    for angle in (0.0, 1.0):
        phi.q = angle
        chain.motion()
        chain.force()
    assert before.column("phi").tolist() == [0.0, 1.0]
    close(before.column("R")[1], rotation_about(Z, 1.0).numpy(), 0.0)
    assert len(after.records) == 2
    assert stream.getvalue().splitlines()[0].startswith("phi = 0.0 R = [[1. ")
    assert before.inputs == (phi, K1)


def test_output_of_an_unknown_entry_is_refused():
    with pytest.raises(UnknownNameError, match="Did you mean 'qdd'"):
        OutputGenerator({"acceleration": (AngularVariable("phi"), "qddd")})


@pytest.mark.parametrize("size", [1, 2, 3, 4, 6])
def test_linear_systems_of_symbols_are_solved_as_those_of_numbers(size):
    rng = np.random.default_rng(size)
    A, b = rng.normal(size=(size, size)), rng.normal(size=size)
    A[0, 0] = 0.0 if size > 1 else 2.0  # no leading entry to lean on
    symbols, right = casadi.SX.sym("A", size, size), casadi.SX.sym("b", size)
    rows = [[symbols[i, j] for j in range(size)] for i in range(size)]
    solution = casadi.vertcat(*solve_linear(rows, casadi.vertsplit(right)))
    function = casadi.Function("solve", [symbols, right], [solution])
    expected = np.linalg.solve(A, b)
    close(function(A, b).full().ravel(), expected, 1e-14)
    close(solve_linear(A.tolist(), b.tolist()), expected, 7e-14)


def test_a_singular_system_is_told_with_its_rank():
    with pytest.raises(SingularError, match="1 of 2 equations are independent"):
        solve_linear([[1.0, 2.0], [2.0, 4.0]], [1.0, 1.0])
