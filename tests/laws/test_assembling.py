"""Assembling closes loops and meets start values as they were meant, never half a turn off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import casadi
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import motorik as mk
from motorik import planar
from motorik.algebra.matrix import Matrix
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.vector import Vector
from motorik.components.base.contributions import ConstraintBetween
from motorik.components.base.values import guess
from motorik.components.forces.line import Telescope
from motorik.components.joints.constraints import (
    PrismaticConstraint,
    RevoluteConstraint,
    RevolutePlanarLoopConstraint,
    SphericalConstraint,
    UniversalConstraint,
)
from motorik.components.joints.rods import MasslessRod
from motorik.components.joints.rolling import RollingWheel, UprightRolling
from motorik.elements.constraint import Constraint
from motorik.errors import LoopError
from motorik.loops.formulate import NO_CONSTRAINTS
from motorik.loops.mobility import analyse_mobility
from motorik.loops.position_problem import Instant, PositionProblem
from motorik.loops.scales import find_scales
from motorik.motion.view import MotionView
from motorik.numerics.newton import damped_newton, nearest
from motorik.topology.assemble import assemble
from motorik.topology.assembled_model import assemble_model
from motorik.topology.mechanism import Mechanism
from tests.covering import each_once

HINGES = 6
CLOSING: dict[str, Callable[..., mk.Part]] = {
    "revolute": mk.Revolute,
    "prismatic": mk.Prismatic,
    "cylindrical": mk.Cylindrical,
}


def unit(rng: np.random.Generator) -> np.ndarray:
    n = rng.normal(size=3)
    return n / np.linalg.norm(n)


@dataclass
class Chain:
    """Hinges with bars between them, drawn at one pose and built with other angles."""

    model: mk.Model
    end: mk.Port
    R: np.ndarray  # orientation and place of the end where it was drawn
    p: np.ndarray


def chain(rng: np.random.Generator, hinges: int) -> Chain:
    """Return a chain of hinges whose start angles are guesses, anywhere on the circle."""
    model = mk.Model()
    model.world = mk.World()
    at, R, p = model.world.frame_b, np.eye(3), np.zeros(3)
    for k in range(hinges):
        n, bar = unit(rng), rng.normal(scale=0.5, size=3)
        joint = mk.Revolute(n=tuple(n), phi=guess(rng.uniform(-np.pi, np.pi)))
        body = mk.BodyShape(r=tuple(bar), r_CM=tuple(bar / 2), m=1.0, I_11=0.1, I_22=0.1)
        setattr(model, f"joint{k}", joint)
        setattr(model, f"bar{k}", body)
        mk.connect(at, joint.frame_a)
        mk.connect(joint.frame_b, body.frame_a)
        at = body.frame_b
        R = R @ Rotation.from_rotvec(rng.uniform(-2.0, 2.0) * n).as_matrix()
        p = p + R @ bar
    return Chain(model, at, R, p)


def closed_chain(kind: str, seed: int) -> tuple[mk.Model, np.ndarray]:
    """Return six hinges, closed by one joint where it was drawn, and the axis of that."""
    rng = np.random.default_rng(seed)
    linkage = chain(rng, HINGES)
    model, n = linkage.model, unit(rng)
    turn = Rotation.from_matrix(linkage.R).as_rotvec()
    angle = float(np.linalg.norm(turn))
    model.base = mk.FixedRotation(r=tuple(linkage.p), n=tuple(turn / angle), angle=angle)
    model.last = CLOSING[kind](n=tuple(n))
    mk.connect(model.world.frame_b, model.base.frame_a)
    mk.connect(model.base.frame_b, model.last.frame_a)
    mk.connect(model.last.frame_b, linkage.end)
    return model, n


def check_closed(kind: str, n: np.ndarray, R: np.ndarray, p: np.ndarray) -> None:
    """Assert that b stands against a as the joint says, by the frames themselves."""
    if kind == "prismatic":
        np.testing.assert_allclose(R, np.eye(3), rtol=0, atol=1e-10)
    np.testing.assert_allclose(R @ n, n, rtol=0, atol=1e-10)
    across = p if kind == "revolute" else p - (n @ p) * n
    np.testing.assert_allclose(across, 0.0, rtol=0, atol=1e-10)


@pytest.mark.kinds(10)
@pytest.mark.slow
@pytest.mark.parametrize(("kind", "seed"), each_once(CLOSING, range(20)))
def test_loops_never_close_inside_out(kind, seed):
    """Rows of sines closed 114 of 180 such loops half a turn off."""
    model, n = closed_chain(kind, seed)
    assembled = assemble_model(model)
    mechanism = assembled.mechanism
    seen = analyse_mobility(assembled, mechanism)
    q, rows = seen.q, seen.constraints
    motion = MotionView(mechanism, q.tolist(), [0.0] * mechanism.n_u)
    X = motion.relative(model.last.frame_a, model.last.frame_b)[0]
    check_closed(kind, n, X.R.numpy(), X.p.numpy())
    assert rows.closure_violation(q, np.zeros(0)).max() < 1e-10


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("kind", CLOSING)
def test_nor_do_they_in_a_run(kind):
    model, n = closed_chain(kind, 1)
    result = model.simulate(1e-3, output=1)
    T_a, T_b = (np.asarray(result[f"last.frame_{s}.R.T"]) for s in "ab")
    p_a, p_b = (np.asarray(result[f"last.frame_{s}.r_0"]) for s in "ab")
    for k in range(len(result)):
        check_closed(kind, n, T_a[k] @ T_b[k].T, T_a[k] @ (p_b[k] - p_a[k]))


def test_what_can_only_close_upside_down_is_refused():
    model = mk.Model()
    model.world = mk.World(n="-y")
    model.arm = mk.BodyShape(r=(1, 0, 0), m=1.0)
    model.base = mk.FixedRotation(r=(1, 0, 0), n="x", angle=np.pi)
    model.one, model.other = mk.Revolute(n="z"), mk.Revolute(n="z")
    mk.connect(model.world.frame_b, model.one.frame_a, model.base.frame_a)
    mk.connect(model.one.frame_b, model.arm.frame_a)
    mk.connect(model.arm.frame_b, model.other.frame_a)
    mk.connect(model.base.frame_b, model.other.frame_b)
    with pytest.raises(LoopError, match=r"at best a gap of 3\.14 rad remains"):
        model.simulate(0.1)


def test_newton_gives_up_where_the_residual_is_not_finite():
    def residual(x):
        with np.errstate(all="ignore"):
            return 1.0 / x, np.diag(-1.0 / x**2)

    start, free = np.zeros(1), np.ones(1, dtype=bool)
    assert damped_newton(residual, start, free, np.ones(start.size)) == (start, np.inf)
    assert nearest(residual, start, free, np.ones(start.size)) == start


# --- orientations that are demanded -------------------------------------------------------------


def orientation(result: mk.Result, name: str) -> np.ndarray:
    """Return R of a frame at the start."""
    return np.asarray(result[f"{name}.R.T"])[0].T


ANGLES = (0.3, -0.4, 0.2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("angles", "demand", "phi"),
    each_once(
        [(0.0, 0.0, 0.0), ANGLES], ["body", "free motion"], [0.0, 1.5, 1.58, 3.0, np.pi]
    ),
)
def test_a_body_behind_a_ball_starts_as_demanded(phi, demand, angles):
    model = mk.Model()
    model.world = mk.World()
    model.joint = mk.Revolute(n="y", phi=phi)
    model.arm = mk.BodyShape(r=(0.5, 0, 0), m=1.0)
    model.ball = mk.Spherical()
    fixed = {"angles_fixed": True, "angles_start": angles}
    model.body = mk.Body(m=1.0, r_CM=(0.1, 0, 0), **(fixed if demand == "body" else {}))
    mk.connect(model.world.frame_b, model.joint.frame_a)
    mk.connect(model.joint.frame_b, model.arm.frame_a)
    mk.connect(model.arm.frame_b, model.ball.frame_a)
    mk.connect(model.ball.frame_b, model.body.frame_a)
    if demand == "free motion":
        model.free = mk.FreeMotion(**fixed)
        mk.connect(model.world.frame_b, model.free.frame_a)
        mk.connect(model.free.frame_b, model.body.frame_a)
    result = model.simulate(1e-3, output=1)
    wanted = Rotation.from_euler("XYZ", angles).as_matrix()
    np.testing.assert_allclose(
        orientation(result, "body.frame_a"), wanted, rtol=0, atol=1e-10
    )


@pytest.mark.parametrize("seed", range(12))
def test_a_chain_of_seven_hinges_reaches_the_orientation_demanded(seed):
    linkage = chain(np.random.default_rng(seed), 7)
    model = linkage.model
    angles = tuple(Rotation.from_matrix(linkage.R).as_euler("XYZ"))
    model.tip = mk.Body(m=0.1, r_0=tuple(linkage.p), angles_start=angles, angles_fixed=True)
    mk.connect(linkage.end, model.tip.frame_a)
    mechanism = assemble(model)
    q = found_start(mechanism)
    motion = MotionView(mechanism, q.tolist(), [0.0] * mechanism.n_u)
    X = motion.pose(model.tip.frame_a)
    np.testing.assert_allclose(X.R.numpy(), linkage.R, rtol=0, atol=1e-10)


def found_start(mechanism: Mechanism) -> np.ndarray:
    """Return the coordinates at the start of a mechanism without loops."""
    demands = [d for d in mechanism.initial_conditions if d.level == 0]
    none = casadi.SX.sym("p", 0)
    problem = PositionProblem(
        mechanism, NO_CONSTRAINTS, none, find_scales(mechanism), demands
    )
    q = np.array(mechanism.start_values()[0])
    found, gap = problem.solve(q, np.ones(q.size, dtype=bool), Instant(np.zeros(0)))
    assert gap < problem.tolerance(found)
    return found


# --- parts that hold ----------------------------------------------------------------------------


class Level(planar.VectorJoint):
    """Body j does not turn: said by a sine, and for assembling by the tangent of the half."""

    units = ("rad",)

    def constraint(self, OM, ON, x_i, y_i, x_j, y_j):
        return y_i.dot(x_j)

    def assembly_residual(self, OM, ON, x_i, y_i, x_j, y_j):
        return 2.0 * y_i.dot(x_j) / (1.0 + x_i.dot(x_j))


N = (0.6, 0.0, 0.8)
X_A = Pose(
    Matrix.of(Rotation.from_rotvec([0.3, 0.5, -0.7]).as_matrix()), Vector(0.2, 0.1, -0.4)
)


def beyond(R: np.ndarray, p: tuple[float, float, float]) -> Pose:
    return X_A @ Pose(Matrix.of(R), Vector(*p))


def spin(angle: float, axis: tuple[float, float, float] = (0.0, 0.0, 1.0)) -> np.ndarray:
    return Rotation.from_rotvec(angle * np.array(axis)).as_matrix()


I = np.eye(3)
HELD = {  # a part, its frames closed, and the positions of its flanges
    "rod": (MasslessRod(rodLength=0.5), (X_A, beyond(spin(1.0), (0.3, 0.0, 0.4))), ()),
    "telescope": (Telescope(), (X_A, beyond(I, (0.3, 0.0, 0.4))), (0.5,)),
    "ball": (SphericalConstraint(), (X_A, beyond(spin(2.0, N), (0, 0, 0))), ()),
    "slide": (PrismaticConstraint(x_locked=False), (X_A, beyond(I, (0.7, 0, 0))), ()),
    "hinge": (RevoluteConstraint(n=N), (X_A, beyond(spin(2.0, N), (0, 0, 0))), ()),
    "cross": (UniversalConstraint(), (X_A, beyond(spin(1.0, (1, 0, 0)), (0, 0, 0))), ()),
    "planar hinge": (
        RevolutePlanarLoopConstraint(),
        (X_A, beyond(spin(2.0), (0.0, 0.0, 0.3))),
        (),
    ),
    "slot": (planar.Slot(), (Pose(), Pose(p=Vector(0.7, 0.0))), ()),
    "planar rod": (planar.Rod(length=0.5), (Pose(), Pose(p=Vector(0.3, 0.4))), ()),
    "parallel": (planar.Parallel(), (Pose(), Pose(p=Vector(0.3, 0.4))), ()),
    "level": (Level(), (Pose(), Pose(p=Vector(0.3, 0.4))), ()),
    "gears": (planar.GearPair(r_i=0.2, r_j=0.3), (Pose(), Pose(p=Vector(0.3, 0.4))), ()),
}


@cache
def constraint_of(name: str) -> Constraint:
    part = HELD[name][0]
    (held,) = (
        c
        for c in part.contributions(part.resolved(lambda live: live.value))
        if isinstance(c, ConstraintBetween)
    )
    return held.constraint


def rates(held: Constraint, poses, positions, end: int) -> np.ndarray:
    columns = []
    for motion in np.eye(6):
        V = [
            Motor.of(motion.tolist()) if k == end else ZERO_MOTOR for k in range(len(poses))
        ]
        columns.append(held.rates(poses, V, positions))
    return np.array(columns, dtype=float).T


@pytest.mark.parametrize("name", HELD)
def test_every_part_that_holds_says_one_constraint(name):
    _, poses, positions = HELD[name]
    held = constraint_of(name)
    for function in (held.residual, held.to_solve):
        found = np.array(function(*poses, *positions), dtype=float)
        assert found.shape == (len(held.units),)
        assert np.abs(found).max() < 3e-16
    assert held.measured(*poses, *positions) == pytest.approx((0.0, 0.0), abs=3e-16)
    solved = replace(held, residual=held.to_solve)
    for end in range(len(poses)):
        one, other = (rates(c, poses, positions, end) for c in (held, solved))
        np.testing.assert_allclose(other, one, rtol=0, atol=3e-16)


@pytest.mark.parametrize("name", HELD)
def test_what_opens_it_opens_its_gap_and_its_approach(name):
    """Half a turn about any axis, and any shift: what is assembled is small where the gap is."""
    _, (*others, X_b), positions = HELD[name]
    held = constraint_of(name)
    flat = name in {"slot", "planar rod", "parallel", "level", "gears"}
    axes = I[2:] if flat else np.vstack([I, N])
    opened = 0
    for axis in axes:
        for angle in (np.pi - 1e-6 if flat else np.pi, 3.0, 0.1, 0.0):
            for shift in (0.0, 0.2):
                for e in I[:2] if flat else I:
                    X = X_b @ Pose(
                        Matrix.of(spin(angle, tuple(axis))), Vector.of(shift * e)
                    )
                    rows = held.to_solve(*others, X, *positions)
                    finite = np.isfinite(rows).all()
                    gap = max(held.measured(*others, X, *positions))
                    is_closed = finite and np.abs(rows).max() < 1e-9
                    assert is_closed == (gap < 1e-9)
                    opened += not is_closed
    assert opened > 0


@pytest.mark.parametrize("name", ["slide", "hinge", "level", "parallel"])
def test_half_a_turn_off_is_far(name):
    _, (X_a, X_b), _ = HELD[name]
    held = constraint_of(name)
    about = (0.0, 0.0, 1.0) if name != "hinge" else (0.8, 0.0, -0.6)
    rows = held.to_solve(X_a, X_b @ Pose(Matrix.of(spin(3.1, about))))
    assert np.linalg.norm(rows) == pytest.approx(2 * np.tan(1.55), rel=1e-9)


def test_wheels_hold_by_rates_alone():
    part = UprightRolling(radius=0.3)
    (held,) = part.contributions(part.resolved(lambda live: live.value))
    assert held.constraint.residual is None and held.constraint.to_solve is None
    assert held.constraint.measured(Pose()) == (0.0, 0.0)
    assert held.constraint.rate_units == ("m/s", "m/s")


# --- a wheel that closes a loop -----------------------------------------------------------------


class Disc(mk.Model):
    """A wheel that leans and rolls."""

    def build(self):
        self.world = mk.World(n="-z")
        self.wheel = RollingWheel(
            radius=0.3,
            m=2,
            I_axis=0.06,
            I_long=0.12,
            angles=(0, 0.2, 0),
            der_angles=(0, 0, 5),
        )


@pytest.mark.slow
def test_a_wheel_rolls_as_a_joint_and_as_a_constraint():
    """As a constraint it slipped: it went straight on, 0.3 · 5 · 1 m, though it leans."""
    model = Disc()
    one = model.simulate(1.0, rtol=1e-10, output=10)
    other = model.simulate(1.0, rtol=1e-10, output=10, strategy="absolute")
    for name in ("wheel.x", "wheel.y"):
        np.testing.assert_allclose(other[name], one[name], rtol=0, atol=2e-9)
    for function in (np.sin, np.cos):  # as a constraint it does not count full turns
        turned, wanted = (function(run["wheel.angles"]) for run in (other, one))
        np.testing.assert_allclose(turned, wanted, rtol=0, atol=2e-9)
    assert one["wheel.x"][-1] == pytest.approx(0.4456, abs=1e-4)
    for strategy in ("auto", "absolute"):
        assert "3 degrees of freedom" in model.explain(strategy)
