"""Subtasks: parts of a traversal that are done alone, kept, and used again."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest

from motorik.algebra.motor import Motor
from motorik.algebra.rotation import rotation_about
from motorik.algebra.vector import Vector, X, Y, Z
from motorik.elements import CylindricalPair
from motorik.errors import AssemblyError
from motorik.mobile import (
    AngularVariable,
    ConstantWrench,
    ElementaryJoint,
    Frame,
    JointElement,
    LinearSpringDamper,
    LinearVariable,
    MapChain,
    RigidLink,
    Subtask,
    jacobian_by_columns,
    jacobian_by_rows,
)

NAN = Motor(Vector(nan, nan, nan), Vector(nan, nan, nan))


def arm() -> tuple[MapChain, list, list[Frame]]:
    K = [Frame(f"K{i}") for i in range(4)]
    phi = AngularVariable("phi", 0.4, 1.5, -0.3)
    s, psi = LinearVariable("s", 0.7, -0.8, 0.6), AngularVariable("psi", -1.1, 0.9, 0.2)
    chain = MapChain() << ElementaryJoint(K[0], K[1], phi, Z)
    chain << JointElement(K[1], K[2], CylindricalPair(X), (s, psi))
    chain << RigidLink(K[2], K[3], Vector(0.2, 0.3, 0.4), rotation_about(Y, 0.5))
    return chain, [phi, s, psi], K


def test_rotation_and_translation_are_the_two_halves_of_position():
    whole, _, K = arm()
    whole.motion(Subtask.POSITION)
    halves, _, L = arm()
    halves.motion(Subtask.ROTATION)
    assert L[3].X.p.xyz == (0.0, 0.0, 0.0)
    np.testing.assert_array_equal(L[3].R.numpy(), K[3].R.numpy())
    halves.motion(Subtask.TRANSLATION)
    np.testing.assert_array_equal(L[3].X.numpy(), K[3].X.numpy())


def test_the_old_coriolis_term_is_used_again():
    chain, (phi, s, psi), K = arm()
    chain.motion()
    A = K[3].A.numpy()
    phi.qdd, s.qdd, psi.qdd = 0.0, 0.0, 0.0
    chain.motion(Subtask.CORIOLIS)
    bias = K[3].A.numpy()
    for frame in K[1:]:
        frame.V = NAN  # not looked at any more
    phi.qdd, s.qdd, psi.qdd = -0.3, 0.6, 0.2
    chain.motion(Subtask.EULER | Subtask.USE_CORIOLIS)
    np.testing.assert_array_equal(K[3].A.numpy(), A)
    chain.motion(Subtask.EULER)
    np.testing.assert_allclose(K[3].A.numpy() + bias, A, rtol=0, atol=3e-16)


def test_only_dependent_variables_take_part_in_coriolis():
    chain, (_, s, _), K = arm()
    chain.motion()
    chain.motion(Subtask.CORIOLIS)
    without = K[2].A.numpy()
    s.is_dependent = True
    chain.motion(Subtask.CORIOLIS)
    np.testing.assert_allclose(K[2].A.numpy() - without, [0, 0, 0, 0.6, 0, 0], atol=2e-16)


def test_source_forces_are_kept_and_used_again():
    K, phi = Frame("K"), AngularVariable("phi", q=2.0)
    chain = MapChain() << LinearSpringDamper(phi, c=3.0) << ConstantWrench(K, f=X)
    chain.force(Subtask.COMPUTE_INTERNAL)
    assert (phi.Q, K.F.components) == (0.0, (0.0,) * 6)
    phi.q = 100.0
    chain.force(Subtask.USE_INTERNAL)
    assert (phi.Q, K.f.xyz) == (-6.0, (1.0, 0.0, 0.0))
    chain.force(Subtask.NOTHING)
    assert phi.Q == -6.0


def test_jacobians_by_columns_and_by_rows_leave_everything_as_it_was():
    chain, variables, K = arm()
    chain.motion()
    K[3].f = Y
    chain.force()
    before = [state.keep() for state in chain.touched]
    by_columns = jacobian_by_columns(chain, variables, [K[3], K[1]])
    by_rows = jacobian_by_rows(chain, variables, [K[3], K[1]])
    assert np.shape(by_columns) == (12, 3)
    np.testing.assert_allclose(by_rows, by_columns, rtol=0, atol=2e-16)
    assert [state.keep() for state in chain.touched] == before
    rates = np.array(by_columns) @ [v.qd for v in variables]
    expected = np.concatenate([K[3].V.numpy(), K[1].V.numpy()])
    np.testing.assert_allclose(rates, expected, rtol=0, atol=3e-16)


def test_what_was_never_computed_cannot_be_used():
    chain, _, K = arm()
    with pytest.raises(AssemblyError, match="USE_CORIOLIS is asked for before anything"):
        chain.motion(Subtask.EULER | Subtask.USE_CORIOLIS)
    for element in (ConstantWrench(K[0], f=X), LinearSpringDamper(AngularVariable("phi"))):
        with pytest.raises(AssemblyError, match=r"COMPUTE_INTERNAL\."):
            element.force(Subtask.USE_INTERNAL)


@pytest.mark.parametrize("subtask", Subtask)
def test_every_single_part_is_in_all(subtask):
    assert subtask in Subtask.ALL
