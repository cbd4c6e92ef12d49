"""Mechanisms with loops, on which the laws of solvers are tried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from motorik.algebra.rotation import rotation_about
from motorik.algebra.vector import Vector, X, Y, Z
from motorik.elements import BallAngles
from motorik.mobile import (
    AngularVariable,
    Chord3DPose,
    Chord3DPosition,
    ChordList,
    ChordPlanePlane,
    ChordPlanePoint,
    ChordPointPlane,
    ChordPointPointLinear,
    ChordPointPointQuadratic,
    ElementaryJoint,
    ExplicitConstraintSolver,
    Frame,
    ImplicitConstraintSolver,
    JointElement,
    LinearVariable,
    MapChain,
    RigidLink,
    State,
    StateVariable,
)

TILT = rotation_about(X, 0.3)


@dataclass
class Loop:
    """A closed mechanism: its chain, its inputs and unknowns, and places to look at."""

    chain: MapChain
    inputs: list[StateVariable]
    unknowns: list[StateVariable]
    outputs: list[State]


def crank(length: float = 0.2) -> tuple[MapChain, Frame, Frame, StateVariable]:
    """Return a crank about z on a tilted axis: chain, ground, pin and angle."""
    K0, K1, K2, pin = Frame("K0"), Frame("K1"), Frame("K2"), Frame("pin")
    phi = AngularVariable("phi")
    chain = MapChain() << RigidLink(K0, K1, Vector(0.0, 0.1, 0.0), TILT)
    chain << ElementaryJoint(K1, K2, phi, Z) << RigidLink(K2, pin, length * X)
    return chain, K0, pin, phi


def rocker(
    ground: Frame, at: Vector, length: float
) -> tuple[MapChain, Frame, StateVariable]:
    """Return a rocker about z: chain, end and angle."""
    A, B, C, psi = Frame("A"), Frame("B"), Frame("C"), AngularVariable("psi")
    chain = MapChain() << RigidLink(ground, A, at) << ElementaryJoint(A, B, psi, Z)
    return chain << RigidLink(B, C, length * X), C, psi


def four_bar(chord: Callable, branch: int, is_explicit: bool = True) -> Loop:
    """Return crank and rocker joined by a rod: one chord of type II."""
    chain, K0, pin, phi = crank()
    dependent, end, psi = rocker(K0, Vector(0.7, 0.0, 0.1), 0.4)
    measured = chord(end, pin, dependent)
    if is_explicit:
        solver = ExplicitConstraintSolver(measured, psi, branch=branch)
    else:
        psi.q = 1.5
        solver = ImplicitConstraintSolver(measured, psi)
    return Loop(chain << solver, [phi], [psi], [end, psi])


def rod(end: Frame, pin: Frame, chain: MapChain) -> ChordPointPointQuadratic:
    return ChordPointPointQuadratic.relative(end, pin, 0.6**2, chain)


def stiff_rod(end: Frame, pin: Frame, chain: MapChain) -> ChordPointPointLinear:
    return ChordPointPointLinear.relative(end, pin, 0.6, chain)


def slider(chord: Callable, **options) -> Loop:
    """Return a crank that moves a slide along x of the ground."""
    chain, K0, pin, phi = crank()
    A, B, s = Frame("A"), Frame("B"), LinearVariable("s")
    dependent = MapChain() << RigidLink(K0, A, Vector(0.0, -0.1, 0.05))
    dependent << ElementaryJoint(A, B, s, X)
    solver = ExplicitConstraintSolver(chord(B, pin, dependent), s, **options)
    return Loop(chain << solver, [phi], [s], [B, s])


def yoke(B: Frame, pin: Frame, chain: MapChain) -> ChordPointPlane:
    return ChordPointPlane.relative(pin, B, 0.05, chain, normal=X)


def yoke_on_pin(B: Frame, pin: Frame, chain: MapChain) -> ChordPlanePoint:
    return ChordPlanePoint.relative(pin, B, 0.05, chain, normal=Vector(0.8, 0.6, 0.0))


def tape() -> Loop:
    """Return the distance of the pin from a place as a variable of its own."""
    chain, K0, pin, phi = crank()
    A, y = Frame("A"), LinearVariable("y")
    chord = ChordPointPointLinear.relative(pin, A, y)
    chain << RigidLink(K0, A, Vector(0.7, 0.0, 0.1)) << ExplicitConstraintSolver(chord, y)
    B = Frame("B")
    return Loop(chain << ElementaryJoint(K0, B, y, Y), [phi], [y], [B, y])


def follower() -> Loop:
    """Return an angle that keeps the cosine between two planes, by two moving frames."""
    K0, K1, K2, K3 = (Frame(f"K{i}") for i in range(4))
    phi, psi = AngularVariable("phi"), AngularVariable("psi")
    chain = MapChain() << ElementaryJoint(K0, K1, phi, Y)
    dependent = MapChain() << ElementaryJoint(K0, K2, psi, X) << RigidLink(K2, K3, Y)
    normals = {"normal_B": Vector(0.6, 0.0, 0.8), "normal_E": Z}
    chord = ChordPlanePlane.relative(K3, K1, 0.2, dependent, **normals)
    solver = ExplicitConstraintSolver(chord, psi, near=1.0)
    return Loop(chain << solver, [phi], [psi], [K3, psi])


class Shaker:
    """The spatial shaker of the user's guide (Kecskeméthy 1999, §5.1.1) without its body."""

    def __init__(self) -> None:
        self.K = K = [Frame(f"K{i}") for i in range(9)]
        self.theta = [AngularVariable(f"theta_{i}") for i in (1, 2, 3, 4)]
        t1, t2, t3, t4 = self.theta
        self.R2, self.R3 = (
            ElementaryJoint(K[0], K[4], t2, Z),
            ElementaryJoint(K[4], K[5], t3, X),
        )
        base = RigidLink(K[0], K[1], Vector(0.0, -0.8, 0.0), rotation_about(X, 0.17))
        drive = ElementaryJoint(K[1], K[2], t1, Y)
        self.input = MapChain([base, drive, RigidLink(K[2], K[3], Vector(0.0, 0.0, 0.2))])
        self.coupler = MapChain() << RigidLink(K[5], K[6], Vector(0.0, 0.0, 0.2))
        self.coupler << ElementaryJoint(K[6], K[7], t4, X)
        self.coupler << RigidLink(K[7], K[8], Vector(0.0, -0.7, 0.0))

    def loop(self, *solvers) -> Loop:
        chain = MapChain([self.input, *solvers])
        return Loop(chain, self.theta[:1], self.theta[1:], [self.K[7], *self.theta[1:]])


def shaker_by_joint() -> Loop:
    """Return the shaker cut at its spherical joint, solved by iteration."""
    shaker = Shaker()
    dependent = MapChain([shaker.R2, shaker.R3, shaker.coupler])
    sphere = Chord3DPosition(shaker.K[8], shaker.K[3])
    return shaker.loop(ImplicitConstraintSolver(sphere, shaker.theta[1:], dependent))


def shaker_by_segment(**where) -> Loop:
    """Return the shaker cut at two joints, solved by three formulas one after another."""
    shaker = Shaker()
    K, (_, t2, t3, t4) = shaker.K, shaker.theta
    core = ChordPointPointQuadratic.relative_difference(
        K[8], shaker.coupler, K[3], K[0], **where.get("core", {})
    )
    rest = where.get("rest", {})
    first = ChordPointPlane.interlinked(K[4], core, shaker.R2, normal=X, **rest)
    second_a = ChordPointPlane.interlinked(K[5], core, shaker.R3, normal=Y, **rest)
    second_b = ChordPointPlane.like(second_a, normal=Z, **rest)
    solvers = [
        ExplicitConstraintSolver(core, t4),
        ExplicitConstraintSolver(first, t2, branch=-1),
        ExplicitConstraintSolver(second_a, second_b, t3),
    ]
    return shaker.loop(*solvers)


def spatial_four_bar() -> Loop:
    """Return the four-bar of the guide (§5.4.1), its base twisted, cut at its coupler."""
    K = [Frame(f"K{i}") for i in range(11)]
    t = [AngularVariable(f"theta_{i}") for i in range(1, 8)]
    t[3].q, t[4].q = 0.7, 0.35
    half = 0.5 * 5.0**0.5
    right = MapChain() << RigidLink(K[0], K[2], 2.0 * Y, rotation_about(Z, 0.2))
    right << ElementaryJoint(K[0], K[1], t[0], X) << RigidLink(K[1], K[4], Z)
    dependent = MapChain() << ElementaryJoint(K[2], K[3], t[1], X)
    dependent << RigidLink(K[3], K[8], 2.0 * Z) << ElementaryJoint(K[4], K[5], t[2], Z)
    dependent << ElementaryJoint(K[5], K[6], t[3], X) << RigidLink(K[6], K[7], -half * Z)
    dependent << JointElement(K[8], K[9], BallAngles((1, 2, 3)), t[4:])
    dependent << RigidLink(K[9], K[10], half * Z)
    solver = ImplicitConstraintSolver(Chord3DPose(K[10], K[7]), t[1:], dependent)
    return Loop(right << solver, t[:1], t[1:], [K[6], *t[1:]])


def loop_in_loop() -> Loop:
    """Return a rocker, driven by a four-bar, that drives a second one: loops in one chain.

    The outer unknown is the crank of the inner loop, found from a given angle of the last
    rocker; the inner loop is closed in each step of the outer iteration.
    """
    inner = four_bar(rod, -1, is_explicit=False)
    (crank_angle,), (psi,) = inner.inputs, inner.unknowns
    crank_angle.q = 2.3
    K0, E, H = inner.chain.elements[0].inputs[0], Frame("E"), Frame("H")
    inner.chain << RigidLink(inner.outputs[0], E, Vector(0.1, 0.05, 0.0))
    height = LinearVariable("height", q=0.3)
    chord = ChordPointPlane.relative(E, K0, height, normal=Y)
    solver = ImplicitConstraintSolver(chord, crank_angle, inner.chain)
    chain = MapChain() << solver << RigidLink(E, H, Z)
    return Loop(chain, [height], [crank_angle, psi], [H, crank_angle, psi])


def two_chords() -> Loop:
    """Return the four-bar closed by two distances to planes, by a list of chords."""
    chain, K0, pin, phi = crank()
    dependent, end, psi = rocker(K0, Vector(0.7, 0.0, 0.1), 0.4)
    psi.q = 1.5
    C, D, chi = Frame("C"), Frame("D"), AngularVariable("chi", q=2.5)
    dependent << ElementaryJoint(end, C, chi, Z) << RigidLink(C, D, 0.6 * X)
    chords = ChordList() << ChordPointPlane.relative(pin, D, normal=X)
    chords << ChordPlanePoint.relative(pin, D, normal=Y)
    solver = ImplicitConstraintSolver(chords, [psi, chi], dependent)
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
