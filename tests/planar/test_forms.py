"""What follows from a vector constraint alone: its rates and the forces at its ports."""

import numpy as np
import pytest

from motorik import Parameter, ParameterError, planar
from motorik.algebra import Motor, Pose, Vector
from motorik.algebra.rotation import rotation_about
from motorik.elements.prismatic import PrismaticPair
from motorik.elements.revolute import RevolutePair
from motorik.elements.rigid import RigidPair
from motorik.planar.vectors import PortMotion, evaluate
from tests.planar.absolute import close


class PaperTranslational(planar.VectorJoint):
    """The translational joint of the 2006 paper, eq. (21)."""

    def constraint(self, OM, ON, x_i, y_i, x_j, y_j):
        return (ON - OM).dot(y_i), (ON - OM).dot(y_j)


def circle(x, y):
    return (x * x + y * y - 0.49) / 1.4


JOINTS = [
    planar.Revolute(),
    planar.Translational(),
    planar.Weld(),
    planar.Slot(),
    planar.Rod(length=0.8),
    planar.Parallel(),
    planar.Curve(curve=circle),
    planar.GearPair(r_i=0.3, r_j=0.5),
    planar.RackAndPinion(r=0.2),
    PaperTranslational(),
]
kinds = pytest.mark.parametrize("joint", JOINTS, ids=lambda j: type(j).__name__)


def path(rng):
    """Return a smooth motion of a port: coefficients of x, y, θ in powers of t."""
    return rng.normal(size=(3, 4))


def on_path(c, t):
    powers = t ** np.arange(4)
    first = np.array([0, 1, 2 * t, 3 * t**2])
    second = np.array([0, 0, 2, 6 * t])
    return PortMotion.in_plane(*(tuple(map(float, c @ p)) for p in (powers, first, second)))


@kinds
def test_rates_are_those_along_the_motion(joint):
    rng = np.random.default_rng(3)
    a, b = path(rng), path(rng)
    h = 1e-3

    def f(t):
        return np.array(joint.forms(on_path(a, t), on_path(b, t))[0], dtype=float)

    _, fd, fdd = joint.forms(on_path(a, 0.4), on_path(b, 0.4))
    near = [f(0.4 + k * h) for k in range(-3, 4)]
    first = np.array([-1, 9, -45, 0, 45, -9, 1]) / (60 * h)
    second = np.array([2, -27, 270, -490, 270, -27, 2]) / (180 * h * h)
    rounding = np.finfo(float).eps * np.abs([a, b]).max()  # of what f is computed from
    close(fd, first @ near, 2 * rounding * np.abs(first).sum())
    close(fdd, second @ near, 2 * rounding * np.abs(second).sum())


@kinds
def test_forces_do_the_power_of_the_constraint_and_balance(joint):
    rng = np.random.default_rng(4)
    M, N = (on_path(path(rng), 0.2) for _ in range(2))
    f, fd, _ = joint.forms(M, N)
    multipliers = rng.normal(size=len(f))
    on_i, on_j = joint.port_forces(M, N, multipliers)
    power = on_i @ M.V + on_j @ N.V
    assert power == pytest.approx(multipliers @ np.array(fd), abs=1e-13)
    if isinstance(joint, (planar.Revolute, planar.Weld)):  # balanced where the ports meet
        N = PortMotion(Pose(N.X.R, M.X.p))
        on_i, on_j = joint.port_forces(M, N, multipliers)
    about_origin = Pose(p=M.X.p)(on_i) + Pose(p=N.X.p)(on_j)
    close(about_origin.numpy(), 0, 1e-15)


def test_translational_joint_has_the_forces_printed_in_the_paper():
    """Equations (22), (28), (29) and (30), written out as they are printed."""
    rng = np.random.default_rng(5)
    M, N = (on_path(path(rng), 0.3) for _ in range(2))
    (x_M, y_M, _), (x_N, y_N, _) = M.X.p.xyz, N.X.p.xyz
    th_M, th_N = (np.arctan2(P.X.R.yx, P.X.R.xx) for P in (M, N))
    (vx_M, vy_M, _), (vx_N, vy_N, _) = M.V.moment.xyz, N.V.moment.xyz
    (ax_M, ay_M, _), (ax_N, ay_N, _) = M.A.moment.xyz, N.A.moment.xyz
    dx, dy, vx, vy, ax, ay = (
        *(x_N - x_M, y_N - y_M),
        *(vx_N - vx_M, vy_N - vy_M),
        *(ax_N - ax_M, ay_N - ay_M),
    )
    f28, f29, f30 = [], [], []
    for th, w, wd in (
        (th_M, M.V.resultant.z, M.A.resultant.z),
        (th_N, N.V.resultant.z, N.A.resultant.z),
    ):
        s, c = np.sin(th), np.cos(th)
        f28.append(-dx * s + dy * c)
        f29.append(-vx * s + vy * c - w * (dx * c + dy * s))
        # (30) drops −θ̇² f, which vanishes on the constraint
        f30.append(
            -ax * s
            + ay * c
            - wd * (dx * c + dy * s)
            + 2 * w * (-vx * c - vy * s)
            - w**2 * f28[-1]
        )
    f, fd, fdd = PaperTranslational().forms(M, N)
    close(f, f28, 1e-15)
    close(fd, f29, 1e-15)
    close(fdd, f30, 3e-15)

    l1, l2 = 0.7, -1.9
    on_i, on_j = PaperTranslational().port_forces(M, N, (l1, l2))
    F_i = (
        l1 * np.sin(th_M) + l2 * np.sin(th_N),
        -l1 * np.cos(th_M) - l2 * np.cos(th_N),
        -l1 * (dx * np.cos(th_M) + dy * np.sin(th_M)),
    )
    F_j = (-F_i[0], -F_i[1], -l2 * (dx * np.cos(th_N) + dy * np.sin(th_N)))
    for force, wanted in ((on_i, F_i), (on_j, F_j)):
        got = (*force.resultant.xyz[:2], force.moment.z)
        close(got, wanted, 1e-15)


@pytest.mark.parametrize(
    ("joint", "element"),
    [
        (planar.Revolute(), RevolutePair()),
        (planar.Translational(), PrismaticPair(Vector(1.0, 0.0, 0.0))),
        (planar.Weld(), RigidPair()),
    ],
    ids=lambda x: type(x).__name__,
)
def test_closure_of_the_tree_form_is_the_vector_constraint(joint, element):
    """Of the closure in space the rows that are no plain zeros are left in the plane."""
    rng = np.random.default_rng(6)
    for _ in range(5):
        M, N = (on_path(path(rng), 0.1) for _ in range(2))
        held = element.constraint
        closure = [e for e in held.residual(M.X, N.X) if not _is_plain_zero(e)]
        assert len(closure) == 3 - element.freedom
        close(joint.forms(M, N)[0], closure, 1e-15)
        assembly_residual = [e for e in held.to_solve(M.X, N.X) if not _is_plain_zero(e)]
        close(evaluate(joint.assembly_residual, joint.axes, M, N), assembly_residual, 4e-15)


def _is_plain_zero(e):
    return e.__class__ is float and e == 0.0


def test_parameters_in_a_constraint_are_numbers_live_or_not():
    M, N = (PortMotion.in_plane((x, 0.5 * x, 0.0)) for x in (0.0, 1.0))
    live = Parameter(0.8)
    assert planar.Rod(length=live).forms(M, N) == planar.Rod(length=0.8).forms(M, N)
    live.value = 0.9
    assert planar.Rod(length=0.9).forms(M, N)[0] == (
        pytest.approx((1.25 - 0.81) / 1.8, abs=1e-15),
    )


def motion_in_space(rng):
    axis, angle = Vector.of(rng.normal(size=3)).normalized(), float(rng.normal())
    X = Pose(rotation_about(axis, angle), Vector.of(rng.normal(size=3)))
    return PortMotion(X, Motor.of(rng.normal(size=6)), Motor.of(rng.normal(size=6)))


class Universal(planar.SpatialVectorJoint):
    """Origins meet, and z_j stays at right angles to y_i."""

    units = ("m", "m", "m", "rad")

    def constraint(self, OM, ON, x_i, y_i, z_i, x_j, y_j, z_j):
        MN = ON - OM
        return (MN.dot(x_i), MN.dot(y_i), MN.dot(z_i), y_i.dot(z_j))


def test_the_same_holds_in_space():
    rng = np.random.default_rng(7)
    M, N = (motion_in_space(rng) for _ in range(2))
    h = 1e-4

    def moved(P, t):
        turn = Vector.of(t * P.V.resultant.numpy() + 0.5 * t * t * P.A.resultant.numpy())
        angle = float(turn.norm())
        R = rotation_about(turn / angle, angle) @ P.X.R if angle else P.X.R
        return PortMotion(Pose(R, P.X.p + t * P.V.moment + (0.5 * t * t) * P.A.moment))

    joint = Universal()
    f, fd, fdd = (np.array(e) for e in joint.forms(M, N))
    plus, minus = (np.array(joint.forms(moved(M, t), moved(N, t))[0]) for t in (h, -h))
    close(fd, (plus - minus) / (2 * h), 1e-7)
    close(fdd, (plus + minus - 2 * f) / h**2, 5e-7)
    multipliers = rng.normal(size=4)
    on_i, on_j = joint.port_forces(M, N, multipliers)
    assert on_i @ M.V + on_j @ N.V == pytest.approx(multipliers @ fd, abs=1e-13)
    balance = Pose(p=M.X.p)(on_i) + Pose(p=N.X.p)(on_j)
    close(balance.numpy(), 0, 1e-15)


def test_a_constraint_that_knows_the_ground_is_refused():
    class Height(planar.VectorJoint):
        def constraint(self, OM, ON, x_i, y_i, x_j, y_j):
            return ON.y

    with pytest.raises(ParameterError, match="move together"):
        Height()


def test_a_constraint_of_nothing_or_of_vectors_is_refused():
    class Nothing(planar.VectorJoint):
        pass

    class OfVectors(planar.VectorJoint):
        def constraint(self, OM, ON, x_i, y_i, x_j, y_j):
            return ON - OM

    with pytest.raises(ParameterError, match="constrains nothing"):
        Nothing()
    with pytest.raises(ParameterError, match="instead of numbers"):
        OfVectors()


def test_units_must_match_the_rows():
    class Wrong(planar.Slot):
        units = ("m", "rad")

    with pytest.raises(ParameterError, match="1 constraints but 2 units"):
        Wrong()


def test_a_drive_needs_a_freedom():
    with pytest.raises(ParameterError, match="no freedom"):
        planar.Rod(drive=1.0)
