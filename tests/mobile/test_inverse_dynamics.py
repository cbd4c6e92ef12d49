"""Whole chains of elements: against Pinocchio, by Lagrange, and traced."""

from __future__ import annotations

import casadi
import numpy as np
import pinocchio as pin
import pytest

from motorik.algebra.vector import Vector, X, Y
from motorik.elements import (
    FreePair,
    PrismaticPair,
    RevolutePair,
    SphericalPair,
)
from motorik.mobile import (
    AngularVariable,
    ElementaryJoint,
    Frame,
    Gravity,
    JointElement,
    MapChain,
    MassElement,
    RigidLink,
    Subtask,
)

GRAVITY = (1.2, -3.4, -8.9)


def close(found, expected, atol: float) -> None:
    """Assert that nothing differs by more than `atol`."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


class RandomChain:
    """A serial chain of random joints, links and bodies, and the same in Pinocchio."""

    def __init__(self, kinds: str, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.theirs = pin.Model()
        self.theirs.gravity.linear = np.array(GRAVITY)
        K, parent = Frame("K0"), 0
        self.chain = MapChain([Gravity(K, Vector(*GRAVITY))])
        self.joints: list[JointElement] = []
        for i, kind in enumerate(kinds):
            placement = _placement(rng)
            axis = rng.normal(size=3)
            axis /= np.linalg.norm(axis)
            joint, their_joint = {
                "R": lambda e=axis: (
                    RevolutePair(Vector(*e)),
                    pin.JointModelRevoluteUnaligned(e),
                ),
                "P": lambda e=axis: (
                    PrismaticPair(Vector(*e)),
                    pin.JointModelPrismaticUnaligned(e),
                ),
                "S": lambda: (SphericalPair(), pin.JointModelSpherical()),
                "F": lambda: (FreePair(), pin.JointModelFreeFlyer()),
            }[kind]()
            m, centre, tensor = _body(rng)
            parent = self.theirs.addJoint(parent, their_joint, placement, f"joint{i}")
            inertia = pin.Inertia(m, centre, tensor)
            self.theirs.appendBodyToJoint(parent, inertia, pin.SE3.Identity())

            before, after = Frame(f"before{i}"), Frame(f"after{i}")
            link = RigidLink(K, before, placement.translation, placement.rotation)
            element = JointElement(before, after, joint)
            self.chain << link << element << MassElement(after, m, centre, tensor)
            self.joints.append(element)
            K = after

    def give(self, q, u, ud) -> None:
        """Set all coordinates, speeds and their rates, in the order of the joints."""
        q, u, ud = iter(q), iter(u), iter(ud)
        for element in self.joints:
            for variable in element.variables:
                variable.q = next(q)
            for speed in element.speeds:
                speed.qd, speed.qdd = next(u), next(ud)

    def forces(self) -> list:
        """Return the drives: −Q of every speed."""
        return [-speed.Q for element in self.joints for speed in element.speeds]

    def inverse_dynamics(self, q, u, ud) -> list:
        """Return the drives that give the rates ud to the speeds u at q."""
        self.give(q, u, ud)
        self.chain.clear_forces()
        self.chain.motion()
        self.chain.force()
        return self.forces()

    def theirs_to_ours(self, v: np.ndarray) -> np.ndarray:
        """Reorder speeds or forces: their floating joint has translation first."""
        ours = []
        for joint, element in zip(self.theirs.joints[1:], self.joints, strict=True):
            part = v[joint.idx_v : joint.idx_v + joint.nv]
            ours += (
                np.roll(part, 3).tolist()
                if isinstance(element.joint, FreePair)
                else list(part)
            )
        return np.array(ours)


def _placement(rng: np.random.Generator) -> pin.SE3:
    return pin.SE3(pin.Quaternion(*_unit(rng, 4)).toRotationMatrix(), rng.normal(size=3))


def _unit(rng: np.random.Generator, n: int) -> np.ndarray:
    v = rng.normal(size=n)
    return v / np.linalg.norm(v)


def _body(rng: np.random.Generator) -> tuple[float, np.ndarray, np.ndarray]:
    factor = rng.normal(size=(3, 3))
    return float(rng.uniform(0.5, 3.0)), rng.normal(size=3), factor @ factor.T + np.eye(3)


def state_of(model: pin.Model, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    v, a, step = rng.normal(size=(3, model.nv))
    return pin.integrate(model, pin.neutral(model), step), v, a


CHAINS = ["R", "P", "S", "F", "RRRRRR", "FRPSRP", "PSRRSP"]


@pytest.mark.parametrize("kinds", CHAINS)
def test_inverse_dynamics_agrees_with_pinocchio(kinds):
    system = RandomChain(kinds, seed=len(kinds))
    q, v, a = state_of(system.theirs, 1)
    expected = pin.rnea(system.theirs, system.theirs.createData(), q, v, a)
    u, ud = system.theirs_to_ours(v), system.theirs_to_ours(a)
    found = system.inverse_dynamics(q.tolist(), u.tolist(), ud.tolist())
    scale = np.abs(expected).max()
    close(found, system.theirs_to_ours(expected), 4e-15 * scale)


@pytest.mark.parametrize("kinds", CHAINS)
def test_mass_matrix_by_traversals_of_euler_agrees_with_pinocchio(kinds):
    # f traversals with one unit acceleration each, Kecskeméthy 1999, §6.1
    system = RandomChain(kinds, seed=len(kinds))
    q, v, _ = state_of(system.theirs, 2)
    n = system.theirs.nv
    system.inverse_dynamics(q.tolist(), v.tolist(), [0.0] * n)
    columns = []
    for unit in np.eye(n):
        system.give(q.tolist(), v.tolist(), unit.tolist())
        system.chain.clear_forces()
        system.chain.motion(Subtask.EULER)
        system.chain.force(Subtask.EXTERNAL | Subtask.EULER)
        columns.append(system.forces())
    M = pin.crba(system.theirs, system.theirs.createData(), q)
    M = np.triu(M) + np.triu(M, 1).T
    expected = np.array([system.theirs_to_ours(row) for row in M])
    expected = np.array([system.theirs_to_ours(row) for row in expected.T])
    scale = np.abs(M).max()
    close(columns, expected, 2e-15 * scale)


@pytest.mark.parametrize("kinds", ["RRRRRR", "FRPSRP"])
def test_traced_elements_give_what_immediate_ones_give(kinds):
    system = RandomChain(kinds, seed=11)
    q, v, a = state_of(system.theirs, 3)
    n_q, n = len(q), len(v)
    sx_q, sx_u, sx_ud = (casadi.SX.sym(s, k) for s, k in (("q", n_q), ("u", n), ("ud", n)))
    traced = system.inverse_dynamics(*(casadi.vertsplit(x) for x in (sx_q, sx_u, sx_ud)))
    function = casadi.Function("tau", [sx_q, sx_u, sx_ud], [casadi.vertcat(*traced)])
    found = function(q, v, a).full().ravel()
    at_once = np.array(system.inverse_dynamics(q.tolist(), v.tolist(), a.tolist()))
    close(found, at_once, 2e-15 * np.abs(at_once).max())


def test_scara_robot_of_the_users_guide_by_lagrange():
    # Kecskeméthy 1999, §4.5: three turns about the vertical, links of 1 m along y
    frames = [Frame(f"K{i}") for i in range(6)]
    K0, K1, K2, K3, K4, K5 = frames
    values = ((0.0, 0.01, 0.2), (0.2, 1.0, 0.0), (0.3, 0.11, 0.25))
    betas = [AngularVariable(f"beta_{i + 1}", *v) for i, v in enumerate(values)]
    m, theta, centre = 2.4, np.diag([0.021, 0.004, 0.020]), 0.5 * Y
    robot = MapChain()
    robot << ElementaryJoint(K0, K1, betas[0]) << RigidLink(K1, K2, Y)
    robot << ElementaryJoint(K2, K3, betas[1]) << RigidLink(K3, K4, Y)
    robot << ElementaryJoint(K4, K5, betas[2])
    for K in (K1, K3, K5):
        robot << MassElement(K, m, centre, theta)
    robot.motion()
    robot.force()

    q, qd, qdd = (casadi.SX.sym(name, 3) for name in ("q", "qd", "qdd"))
    angles = [q[0], q[0] + q[1], q[0] + q[1] + q[2]]
    arms = [casadi.vertcat(-casadi.sin(x), casadi.cos(x)) for x in angles]
    centres = [0.5 * arms[0], arms[0] + 0.5 * arms[1], arms[0] + arms[1] + 0.5 * arms[2]]
    T = sum(
        0.5 * m * casadi.sumsqr(casadi.jtimes(p, q, qd))
        + 0.5 * 0.020 * casadi.jtimes(angle, q, qd) ** 2
        for p, angle in zip(centres, angles, strict=True)
    )
    p = casadi.gradient(T, qd)
    lagrange = casadi.jtimes(p, q, qd) + casadi.jtimes(p, qd, qdd) - casadi.gradient(T, q)
    values = np.array(values).T
    expected = casadi.Function("tau", [q, qd, qdd], [lagrange])(*values).full().ravel()
    close([-b.Q for b in betas], expected, 2e-15)


def test_planar_chain_written_in_space_costs_what_a_planar_one_costs():
    # all out-of-plane components must stay structural zeros through the whole traversal
    q, u, ud = (casadi.SX.sym(name) for name in ("q", "u", "ud"))
    K0, K1, K2 = Frame("K0"), Frame("K1"), Frame("K2")
    phi = AngularVariable("phi", q, u, ud)
    chain = MapChain() << ElementaryJoint(K0, K1, phi) << RigidLink(K1, K2, X)
    chain << MassElement(K2, 2.0)
    chain.motion()
    chain.force()
    out_of_plane = (K2.V.resultant.x, K2.V.moment.z, K0.F.resultant.z, K0.F.moment.x)
    assert all(type(component) is float for component in out_of_plane)
    tau = casadi.Function("tau", [q, u, ud], [-phi.Q])
    assert float(tau(0.3, 5.0, 0.7)) == pytest.approx(1.4, rel=4e-15)
    assert casadi.depends_on(tau(q, u, ud), ud)
    assert not casadi.depends_on(casadi.simplify(tau(q, u, ud)), q)
