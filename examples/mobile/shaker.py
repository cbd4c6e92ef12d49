"""Shaker: one spatial loop, closed by iteration and in closed form (guide, §5.1, §5.4).

A crank R1 drives a coupler by a spherical joint; the coupler hangs by R4 on a rocker that
turns about the Hooke joint R2, R3. Cut at the spherical joint, the loop closes where the
points K3 and K8 meet: three equations to be iterated. Cut at the Hooke joint as well, it
decomposes into a sequence of equations with one unknown each.
"""

from math import radians, tau

import numpy as np

from motorik.algebra import X, Y, Z, rotation_about
from motorik.mobile import (
    AdamsIntegrator,
    AngularVariable,
    Chord3DPosition,
    ChordBranch,
    ChordPointPlane,
    ChordPointPointQuadratic,
    CompiledChain,
    ElementaryJoint,
    EquationBuilder,
    ExplicitConstraintSolver,
    Frame,
    ImplicitConstraintSolver,
    MapChain,
    MassElement,
    MechanicalSystem,
    MutableInertia,
    MutableRotation,
    MutableScalar,
    MutableVector,
    RigidLink,
    VariableList,
    compile_chain,
)


class Shaker:
    """Frames, variables, joints, links and mass; subclasses define how the loop is closed.

    `chain` is the whole loop; its one independent variable is theta_1.
    """

    def __init__(self) -> None:
        K = self.K = [Frame(f"K{i}") for i in range(9)]
        self.theta = [AngularVariable(f"theta_{i}") for i in (1, 2, 3, 4)]
        theta_1, theta_2, theta_3, theta_4 = self.theta
        R1 = ElementaryJoint(K[1], K[2], theta_1, Y)
        self.R2 = ElementaryJoint(K[0], K[4], theta_2, Z)
        self.R3 = ElementaryJoint(K[4], K[5], theta_3, X)
        R4 = ElementaryJoint(K[6], K[7], theta_4, X)
        r, l, s, d, d_s = (MutableVector(name=name) for name in ("r", "l", "s", "d", "d_s"))
        A = MutableRotation(name="A")
        l_lk = RigidLink(K[0], K[1], l, A)
        r_lk = RigidLink(K[2], K[3], r)
        s_lk = RigidLink(K[5], K[6], s)
        d_lk = RigidLink(K[7], K[8], d)
        self.input = MapChain() << l_lk << R1 << r_lk
        self.coupler = MapChain() << s_lk << R4 << d_lk
        m_d, THETA_d = MutableScalar(name="m_d"), MutableInertia(name="THETA_d")
        coupler_body = MassElement(K[7], m_d, THETA_d, d_s)
        self.chain = self.closed(self.input) << coupler_body
        A.set(rotation_about(X, radians(10.0)))
        l.y = -0.8  # offset at the base
        r.z = 0.2  # length of the crank
        s.z = 0.2  # length of the rocker
        d.y = -0.7  # length of the coupler
        d_s.y = -0.5 * 0.7  # its centre of mass
        m_d.set(1.0)
        THETA_d.set((4.08895833e-2, 1.125e-4, 4.08895833e-2))
        theta_1.q = radians(1.0)

    def closed(self, chain: MapChain) -> MapChain:
        """Return a chain that moves the rest of the loop behind the crank."""
        raise NotImplementedError

    @property
    def system(self) -> MechanicalSystem:
        """The equation of motion under gravity in state-space form."""
        return MechanicalSystem([self.theta[0]], self.chain, self.K[0], Z)

    @property
    def equations(self) -> EquationBuilder:
        """The equation of motion under gravity."""
        return EquationBuilder([self.theta[0]], self.chain, self.K[0], Z)

    def compile(self, live: bool = True) -> CompiledChain:
        """Return all angles with their rates, and the torque, as a native function."""
        quantities = [(v, name) for name in ("q", "qd", "qdd") for v in self.theta[1:]]
        outputs = [*quantities, (self.theta[0], "Q")]
        return compile_chain(self.chain, self.theta[:1], outputs, live=live)


class ShakerByJoints(Shaker):
    """The loop cut at the spherical joint, closed by iteration."""

    def closed(self, chain: MapChain) -> MapChain:
        """Return the chain with one implicit solver for three unknowns."""
        K, (_, theta_2, theta_3, theta_4) = self.K, self.theta
        dependent_chain = MapChain() << self.R2 << self.R3 << self.coupler
        sphere = Chord3DPosition(K[8], K[3])
        dependents = VariableList() << theta_2 << theta_3 << theta_4
        solver = ImplicitConstraintSolver(sphere, dependents, dependent_chain)
        return MapChain() << chain << solver


class ShakerBySegments(Shaker):
    """The loop cut at the spherical and the Hooke joint, closed by formulas."""

    def closed(self, chain: MapChain) -> MapChain:
        """Return the chain with three explicit solvers for one unknown each."""
        K, (_, theta_2, theta_3, theta_4) = self.K, self.theta
        core = ChordPointPointQuadratic(K[8], self.coupler, K[3], K[0], ChordBranch.III)
        compl_1 = ChordPointPlane(K[4], core, self.R2, X)
        compl_2a = ChordPointPlane(K[5], core, self.R3, Y)
        compl_2b = ChordPointPlane(compl_2a, Z)
        core_solver = ExplicitConstraintSolver(core, theta_4)
        first_hooke = ExplicitConstraintSolver(compl_1, theta_2)
        second_hooke = ExplicitConstraintSolver(compl_2a, compl_2b, theta_3)
        first_hooke.select_branch()
        return MapChain() << chain << core_solver << first_hooke << second_hooke


def torque_at_start(shaker: Shaker) -> float:
    """Return what the coupler exerts on the crank at 1°, at rest: nothing without weight."""
    shaker.chain.motion()
    shaker.chain.force()
    return shaker.theta[0].Q


def turn(shaker: Shaker, count: int = 72, speed: float = 10.0) -> np.ndarray:
    """Return a row (q, q̇, q̈ of all angles, driving torque) for each position of a full turn."""
    rows = []
    theta_1 = shaker.theta[0]
    theta_1.qd = speed
    for q in np.linspace(0.0, tau, count, endpoint=False):
        theta_1.q = float(q)
        shaker.chain.clear_forces()
        shaker.chain.motion()
        shaker.chain.force()
        motion = [getattr(v, name) for name in ("q", "qd", "qdd") for v in shaker.theta]
        rows.append([*motion, -theta_1.Q])
    return np.array(rows)


def swing(
    shaker: Shaker, intervals: int = 100, tolerance: float = 1e-6, compiled: bool = True
) -> np.ndarray:
    """Return a row (t, q, q̇ of all angles) after each interval of 0.1 s, under gravity."""
    system = shaker.system
    integrator = AdamsIntegrator(
        system.compile() if compiled else system, 0.1, relative_tolerance=tolerance
    )
    result = integrator.run(0.1 * intervals)
    motion = result.compute(f"theta_{i}.{x}" for x in ("q", "qd") for i in (1, 2, 3, 4))
    return np.column_stack([result.time, *motion.values()])[1:]


def main() -> None:
    """Compare both methods over a full turn and simulate the loop under gravity."""
    by_joints, by_segments = turn(ShakerByJoints()), turn(ShakerBySegments())
    difference = np.abs(by_joints - by_segments).max()
    print(
        f"driving torque from {by_joints[:, -1].min():.4f} to {by_joints[:, -1].max():.4f} N·m"
    )
    print(f"both ways agree to {difference:.1e}")
    for t, *q in swing(ShakerBySegments(), 20)[:, :5]:
        print(f"{t:4.1f} s: " + " ".join(f"{angle:9.5f}" for angle in q) + " rad")


if __name__ == "__main__":
    main()
