"""Mechanisms with loops, on which the laws of solvers are tried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import motorik.mobile as mo
from motorik.algebra.rotation import rotation_about
from motorik.algebra.vector import Vector, X, Y, Z
from motorik.elements import SphericalPairByAngles

TILT = rotation_about(X, 0.3)


@dataclass
class Loop:
    """A closed mechanism: its chain, its inputs and unknowns, and places to look at."""

    chain: mo.MapChain
    inputs: list[mo.StateVariable]
    unknowns: list[mo.StateVariable]
    outputs: list[mo.State]


def crank(length: float = 0.2) -> tuple[mo.MapChain, mo.Frame, mo.Frame, mo.StateVariable]:
    """Return a crank about z on a tilted axis: chain, ground, pin and angle."""
    K0, K1, K2, pin = mo.Frame("K0"), mo.Frame("K1"), mo.Frame("K2"), mo.Frame("pin")
    phi = mo.AngularVariable("phi")
    chain = mo.MapChain() << mo.RigidLink(K0, K1, Vector(0.0, 0.1, 0.0), TILT)
    chain << mo.ElementaryJoint(K1, K2, phi, Z) << mo.RigidLink(K2, pin, length * X)
    return chain, K0, pin, phi


def rocker(
    ground: mo.Frame, at: Vector, length: float
) -> tuple[mo.MapChain, mo.Frame, mo.StateVariable]:
    """Return a rocker about z: chain, end and angle."""
    A, B, C, psi = mo.Frame("A"), mo.Frame("B"), mo.Frame("C"), mo.AngularVariable("psi")
    chain = mo.MapChain() << mo.RigidLink(ground, A, at) << mo.ElementaryJoint(A, B, psi, Z)
    return chain << mo.RigidLink(B, C, length * X), C, psi


def four_bar(chord: Callable, branch: int, is_explicit: bool = True) -> Loop:
    """Return crank and rocker joined by a rod: one chord of type II."""
    chain, K0, pin, phi = crank()
    dependent, end, psi = rocker(K0, Vector(0.7, 0.0, 0.1), 0.4)
    measured = chord(end, pin, dependent)
    if is_explicit:
        solver = mo.ExplicitConstraintSolver(measured, psi, branch=branch)
    else:
        psi.q = 1.5
        solver = mo.ImplicitConstraintSolver(measured, psi)
    return Loop(chain << solver, [phi], [psi], [end, psi])


def rod(end: mo.Frame, pin: mo.Frame, chain: mo.MapChain) -> mo.ChordPointPointQuadratic:
    return mo.ChordPointPointQuadratic.relative(end, pin, 0.6**2, chain)


def stiff_rod(end: mo.Frame, pin: mo.Frame, chain: mo.MapChain) -> mo.ChordPointPointLinear:
    return mo.ChordPointPointLinear.relative(end, pin, 0.6, chain)


def slider(chord: Callable, **options) -> Loop:
    """Return a crank that moves a slide along x of the ground."""
    chain, K0, pin, phi = crank()
    A, B, s = mo.Frame("A"), mo.Frame("B"), mo.LinearVariable("s")
    dependent = mo.MapChain() << mo.RigidLink(K0, A, Vector(0.0, -0.1, 0.05))
    dependent << mo.ElementaryJoint(A, B, s, X)
    solver = mo.ExplicitConstraintSolver(chord(B, pin, dependent), s, **options)
    return Loop(chain << solver, [phi], [s], [B, s])


def yoke(B: mo.Frame, pin: mo.Frame, chain: mo.MapChain) -> mo.ChordPointPlane:
    return mo.ChordPointPlane.relative(pin, B, 0.05, chain, normal=X)


def yoke_on_pin(B: mo.Frame, pin: mo.Frame, chain: mo.MapChain) -> mo.ChordPlanePoint:
    return mo.ChordPlanePoint.relative(pin, B, 0.05, chain, normal=Vector(0.8, 0.6, 0.0))


def tape() -> Loop:
    """Return the distance of the pin from a place as a variable of its own."""
    chain, K0, pin, phi = crank()
    A, y = mo.Frame("A"), mo.LinearVariable("y")
    chord = mo.ChordPointPointLinear.relative(pin, A, y)
    (
        chain
        << mo.RigidLink(K0, A, Vector(0.7, 0.0, 0.1))
        << mo.ExplicitConstraintSolver(chord, y)
    )
    B = mo.Frame("B")
    return Loop(chain << mo.ElementaryJoint(K0, B, y, Y), [phi], [y], [B, y])


def follower() -> Loop:
    """Return an angle that keeps the cosine between two planes, by two moving frames."""
    K0, K1, K2, K3 = (mo.Frame(f"K{i}") for i in range(4))
    phi, psi = mo.AngularVariable("phi"), mo.AngularVariable("psi")
    chain = mo.MapChain() << mo.ElementaryJoint(K0, K1, phi, Y)
    dependent = (
        mo.MapChain() << mo.ElementaryJoint(K0, K2, psi, X) << mo.RigidLink(K2, K3, Y)
    )
    normals = {"normal_B": Vector(0.6, 0.0, 0.8), "normal_E": Z}
    chord = mo.ChordPlanePlane.relative(K3, K1, 0.2, dependent, **normals)
    solver = mo.ExplicitConstraintSolver(chord, psi, near=1.0)
    return Loop(chain << solver, [phi], [psi], [K3, psi])


class Shaker:
    """The spatial shaker of the user's guide (Kecskeméthy 1999, §5.1.1) without its body."""

    def __init__(self) -> None:
        self.K = K = [mo.Frame(f"K{i}") for i in range(9)]
        self.theta = [mo.AngularVariable(f"theta_{i}") for i in (1, 2, 3, 4)]
        t1, t2, t3, t4 = self.theta
        self.R2, self.R3 = (
            mo.ElementaryJoint(K[0], K[4], t2, Z),
            mo.ElementaryJoint(K[4], K[5], t3, X),
        )
        base = mo.RigidLink(K[0], K[1], Vector(0.0, -0.8, 0.0), rotation_about(X, 0.17))
        drive = mo.ElementaryJoint(K[1], K[2], t1, Y)
        self.input = mo.MapChain(
            [base, drive, mo.RigidLink(K[2], K[3], Vector(0.0, 0.0, 0.2))]
        )
        self.coupler = mo.MapChain() << mo.RigidLink(K[5], K[6], Vector(0.0, 0.0, 0.2))
        self.coupler << mo.ElementaryJoint(K[6], K[7], t4, X)
        self.coupler << mo.RigidLink(K[7], K[8], Vector(0.0, -0.7, 0.0))

    def loop(self, *solvers) -> Loop:
        chain = mo.MapChain([self.input, *solvers])
        return Loop(chain, self.theta[:1], self.theta[1:], [self.K[7], *self.theta[1:]])


def shaker_by_joint() -> Loop:
    """Return the shaker cut at its spherical joint, solved by iteration."""
    shaker = Shaker()
    dependent = mo.MapChain([shaker.R2, shaker.R3, shaker.coupler])
    sphere = mo.Chord3DPosition(shaker.K[8], shaker.K[3])
    return shaker.loop(mo.ImplicitConstraintSolver(sphere, shaker.theta[1:], dependent))


def shaker_by_segment(**where) -> Loop:
    """Return the shaker cut at two joints, solved by three formulas one after another."""
    shaker = Shaker()
    K, (_, t2, t3, t4) = shaker.K, shaker.theta
    core = mo.ChordPointPointQuadratic.relative_difference(
        K[8], shaker.coupler, K[3], K[0], **where.get("core", {})
    )
    rest = where.get("rest", {})
    first = mo.ChordPointPlane.interlinked(K[4], core, shaker.R2, normal=X, **rest)
    second_a = mo.ChordPointPlane.interlinked(K[5], core, shaker.R3, normal=Y, **rest)
    second_b = mo.ChordPointPlane.like(second_a, normal=Z, **rest)
    solvers = [
        mo.ExplicitConstraintSolver(core, t4),
        mo.ExplicitConstraintSolver(first, t2, branch=-1),
        mo.ExplicitConstraintSolver(second_a, second_b, t3),
    ]
    return shaker.loop(*solvers)


def spatial_four_bar() -> Loop:
    """Return the four-bar of the guide (§5.4.1), its base twisted, cut at its coupler."""
    K = [mo.Frame(f"K{i}") for i in range(11)]
    t = [mo.AngularVariable(f"theta_{i}") for i in range(1, 8)]
    t[3].q, t[4].q = 0.7, 0.35
    half = 0.5 * 5.0**0.5
    right = mo.MapChain() << mo.RigidLink(K[0], K[2], 2.0 * Y, rotation_about(Z, 0.2))
    right << mo.ElementaryJoint(K[0], K[1], t[0], X) << mo.RigidLink(K[1], K[4], Z)
    dependent = mo.MapChain() << mo.ElementaryJoint(K[2], K[3], t[1], X)
    (
        dependent
        << mo.RigidLink(K[3], K[8], 2.0 * Z)
        << mo.ElementaryJoint(K[4], K[5], t[2], Z)
    )
    (
        dependent
        << mo.ElementaryJoint(K[5], K[6], t[3], X)
        << mo.RigidLink(K[6], K[7], -half * Z)
    )
    dependent << mo.JointElement(K[8], K[9], SphericalPairByAngles((1, 2, 3)), t[4:])
    dependent << mo.RigidLink(K[9], K[10], half * Z)
    solver = mo.ImplicitConstraintSolver(mo.Chord3DPose(K[10], K[7]), t[1:], dependent)
    return Loop(right << solver, t[:1], t[1:], [K[6], *t[1:]])


def loop_in_loop() -> Loop:
    """Return a rocker, driven by a four-bar, that drives a second one: loops in one chain.

    The outer unknown is the crank of the inner loop, found from a given angle of the last
    rocker; the inner loop is closed in each step of the outer iteration.
    """
    inner = four_bar(rod, -1, is_explicit=False)
    (crank_angle,), (psi,) = inner.inputs, inner.unknowns
    crank_angle.q = 2.3
    K0, E, H = inner.chain.elements[0].inputs[0], mo.Frame("E"), mo.Frame("H")
    inner.chain << mo.RigidLink(inner.outputs[0], E, Vector(0.1, 0.05, 0.0))
    height = mo.LinearVariable("height", q=0.3)
    chord = mo.ChordPointPlane.relative(E, K0, height, normal=Y)
    solver = mo.ImplicitConstraintSolver(chord, crank_angle, inner.chain)
    chain = mo.MapChain() << solver << mo.RigidLink(E, H, Z)
    return Loop(chain, [height], [crank_angle, psi], [H, crank_angle, psi])


def two_chords() -> Loop:
    """Return the four-bar closed by two distances to planes, by a list of chords."""
    chain, K0, pin, phi = crank()
    dependent, end, psi = rocker(K0, Vector(0.7, 0.0, 0.1), 0.4)
    psi.q = 1.5
    C, D, chi = mo.Frame("C"), mo.Frame("D"), mo.AngularVariable("chi", q=2.5)
    dependent << mo.ElementaryJoint(end, C, chi, Z) << mo.RigidLink(C, D, 0.6 * X)
    chords = mo.ChordList() << mo.ChordPointPlane.relative(pin, D, normal=X)
    chords << mo.ChordPlanePoint.relative(pin, D, normal=Y)
    solver = mo.ImplicitConstraintSolver(chords, [psi, chi], dependent)
    return Loop(chain << solver, [phi], [psi, chi], [D, psi, chi])


LOOPS: dict[str, Callable[[], Loop]] = {
    "harmonic": lambda: four_bar(rod, 1),
    "harmonic, other branch": lambda: four_bar(rod, -1),
    "one equation iterated": lambda: four_bar(rod, 1, is_explicit=False),
    "linear distance iterated": lambda: four_bar(stiff_rod, 1, is_explicit=False),
    "quadratic": lambda: slider(rod),
    "quadratic, other branch": lambda: slider(rod, branch=-1),
    "linear": lambda: slider(yoke),
    "linear, plane to point": lambda: slider(yoke_on_pin),
    "offset": tape,
    "planes": follower,
    "shaker by joint": shaker_by_joint,
    "shaker by segment": shaker_by_segment,
    "spatial four-bar": spatial_four_bar,
    "two chords": two_chords,
    "loop in loop": loop_in_loop,
}
