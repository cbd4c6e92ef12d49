"""Point masses: four states in the plane, six in space, whatever else the model has."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import motorik as mk
from motorik import guess, planar
from motorik.checks import check_joint
from motorik.planar.pairs import PlanarPointPair

G = 9.80665

pytestmark = pytest.mark.filterwarnings("ignore:.*no loops.*has no effect")


def test_the_element_passes_the_check():
    assert max(check_joint(PlanarPointPair()).values()) < 1e-12


def net(n, **given):
    """Return n × n points in a plane that hang on two springs, joined by springs and dampers."""
    model = planar.Model()
    model.ground = planar.Ground(ports={"A": (0.0, 0.3), "B": (0.1 * n, 0.3)})
    masses = {
        (i, j): planar.PointMass(m=0.1 + 0.01 * j, x=0.1 * i, y=-0.1 * j, vx=0.0, vy=0.0)
        for i in range(n)
        for j in range(n)
    }
    pairs = [((i, j), (i + 1, j)) for i, j in masses if i + 1 < n]
    pairs += [((i, j), (i, j + 1)) for i, j in masses if j + 1 < n]
    ends = [(masses[a].G, masses[b].G) for a, b in pairs]
    ends += [(model.ground.A, masses[0, 0].G), (model.ground.B, masses[n - 1, 0].G)]
    model.masses = list(masses.values())
    model.springs = [planar.SpringDamper(c=30.0, d=0.05, s0=0.09) for _ in ends]
    for spring, (a, b) in zip(model.springs, ends, strict=True):
        model.connect(a, spring.frame_a)
        model.connect(spring.frame_b, b)
    return model, pairs


def by_hand(n, pairs, duration):
    """Return the places of the points of such a net in the end."""
    x0 = np.array([(0.1 * i, -0.1 * j) for i in range(n) for j in range(n)])
    m = np.array([0.1 + 0.01 * j for i in range(n) for j in range(n)])
    a = np.array([n * i + j for (i, j), _ in pairs])
    b = np.array([n * i + j for _, (i, j) in pairs])
    fixed = np.array([(0.0, 0.3), (0.1 * n, 0.3)])
    held = np.array([0, n * (n - 1)])

    def pull(r, v):
        length = np.linalg.norm(r, axis=1, keepdims=True)
        rate = np.sum(r * v, axis=1, keepdims=True) / length
        return (30.0 * (length - 0.09) + 0.05 * rate) * r / length

    def rate(t, z):
        x, v = z.reshape(2, -1, 2)
        F = np.zeros_like(x)
        f = pull(x[b] - x[a], v[b] - v[a])
        np.add.at(F, a, f)
        np.subtract.at(F, b, f)
        F[held] += pull(fixed - x[held], -v[held])
        F[:, 1] -= G * m
        return np.concatenate([v.ravel(), (F / m[:, None]).ravel()])

    start = np.concatenate([x0.ravel(), np.zeros(2 * n * n)])
    run = solve_ivp(rate, (0.0, duration), start, "DOP853", rtol=1e-11, atol=1e-12)
    return run.y[: 2 * n * n, -1].reshape(-1, 2)


@pytest.mark.slow
@pytest.mark.parametrize("n", [2, 5])
def test_a_net_in_the_plane_has_four_states_a_point_and_moves_as_by_hand(n):
    """Traced at once with few points, and rolled into vector lanes with many."""
    model, pairs = net(n)
    system = model.compile()
    assert system.layout.n_x == 4 * n * n and system.natives.is_rolled == (n == 5)
    result = model.simulate(0.4, rtol=1e-10)
    names = [f"masses[{k}]" for k in range(1, n * n + 1)]
    found = np.array([[result[f"{name}.x"][-1], result[f"{name}.y"][-1]] for name in names])
    np.testing.assert_allclose(found, by_hand(n, pairs, 0.4), rtol=0, atol=1e-8)


def test_a_point_mass_in_space_has_six_states():
    model = mk.Model()
    model.world = mk.World(n="-y")
    model.mass = mk.PointMass(m=2.0, r_0=(0.3, 0.1, -0.2), v_0=(0.0, 1.0, 0.5))
    model.spring = mk.forces.Spring(c=50.0, s_unstretched=0.2)
    model.world.frame_b >> model.spring.frame_a
    model.spring.frame_b >> model.mass.frame_a
    assert model.compile().layout.n_x == 6

    def rate(t, z):
        length = np.linalg.norm(z[:3])
        return [*z[3:], *(-25.0 * (length - 0.2) * z[:3] / length - [0.0, G, 0.0])]

    start = [0.3, 0.1, -0.2, 0.0, 1.0, 0.5]
    run = solve_ivp(rate, (0.0, 0.7), start, "DOP853", rtol=1e-12, atol=1e-13)
    result = model.simulate(0.7, rtol=1e-10)
    np.testing.assert_allclose(result["mass.r_0"][-1], run.y[:3, -1], rtol=0, atol=1e-8)


@pytest.mark.parametrize("first", ["mass", "body"])
@pytest.mark.parametrize("strategy", ["absolute", "auto", "projected"])
def test_a_point_mass_on_a_body_turns_with_it(first, strategy):
    """They fly as one body: it is added to the body, whichever the model has first."""
    model = planar.Model()
    model.ground = planar.Ground()
    body = planar.Body(m=0.3, I=0.02, ports={"A": (0.1, 0.0)}, x=0.0, y=0.0, vx=0.1, w=2.0)
    mass = planar.PointMass(m=0.5)
    parts = {"mass": mass, "body": body}
    for name in (first, *(parts.keys() - {first})):
        setattr(model, name, parts[name])
    model.weld = planar.Weld()
    model.connect(mass.G, model.weld.frame_a)
    model.connect(model.weld.frame_b, body.A)
    result = model.simulate(0.5, rtol=1e-10, strategy=strategy)
    assert model.compile(strategy=strategy).layout.n_x == 6
    share = 0.5 / 0.8  # of the arm, at which the common centre of mass is
    angle, centre = 2.0 * 0.5, np.array([0.1 * 0.5, -G * 0.5**2 / 2])
    centre += [0.1 * share, 0.0]
    centre[1] += 2.0 * 0.1 * share * 0.5
    arm = 0.1 * (1.0 - share) * np.array([np.cos(angle), np.sin(angle)])
    found = [result["mass.x"][-1], result["mass.y"][-1]]
    np.testing.assert_allclose(found, centre + arm, rtol=0, atol=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["absolute", "projected"])
def test_a_point_mass_on_a_rod_is_a_pendulum(strategy):
    model = planar.Model()
    model.ground = planar.Ground()
    model.mass = planar.PointMass(m=0.5, x=guess(0.6), y=guess(-0.3))
    model.rod = planar.Rod(length=0.5)
    model.connect(model.ground.frame_b, model.rod.frame_a)
    model.connect(model.rod.frame_b, model.mass.G)
    result = model.simulate(0.8, rtol=1e-10, strategy=strategy)
    x, y = (result[f"mass.{name}"] for name in "xy")
    np.testing.assert_allclose(np.hypot(x, y), 0.5, rtol=0, atol=1e-7)
    start = [np.arctan2(x[0], -y[0]), 0.0]
    speed = np.hypot(result["mass.vx"][0], result["mass.vy"][0])
    assert speed < 1e-9

    def rate(t, z):
        return [z[1], -G / 0.5 * np.sin(z[0])]

    run = solve_ivp(rate, (0.0, 0.8), start, "DOP853", rtol=1e-12, atol=1e-13)
    assert np.arctan2(x[-1], -y[-1]) == pytest.approx(run.y[0, -1], abs=1e-6)


@pytest.mark.parametrize("strategy", ["auto", "absolute"])
@pytest.mark.parametrize("first", [True, False])
def test_absolute_coordinates_leave_the_orientation_to_bodies(strategy, first):
    """A point mass that rigid parts join to a body has none of its own there either."""
    model = mk.Model()
    model.world = mk.World(gravityType="none")
    mass = mk.PointMass(m=1.0)
    if first:
        model.mass = mass
    start = {"w_0_start": (0.3, 0.5, 1.0), "w_0_fixed": True}
    model.body = mk.Body(m=1.0, r_CM=(0.5, 0.0, 0.0), I_11=0.1, I_22=0.2, I_33=0.3, **start)
    if not first:
        model.mass = mass
    model.arm = mk.FixedTranslation(r=(-0.4, 0.1, 0.2))
    model.body.frame_a >> model.arm.frame_a
    model.arm.frame_b >> mass.frame_a
    assert model.compile(strategy="auto").layout.n_x == 13
    found = model.simulate(0.3, rtol=1e-10, strategy="auto")["mass.r_0"][-1]
    other = mk.Model()
    other.world = mk.World(gravityType="none")
    own, m, d = np.diag([0.1, 0.2, 0.3]), 1.0, np.array([0.5, 0.0, 0.0])
    r = np.array([-0.4, 0.1, 0.2])
    centre = (d + r) / 2
    inertia = own + sum(
        m * (e @ e * np.eye(3) - np.outer(e, e)) for e in (d - centre, r - centre)
    )
    tensor = {f"I_{i + 1}{j + 1}": inertia[i, j] for i in range(3) for j in range(i + 1)}
    other.body = mk.Body(m=2.0, r_CM=tuple(centre), **tensor, **start)
    other.arm = mk.FixedTranslation(r=tuple(r))
    other.body.frame_a >> other.arm.frame_a
    expected = other.simulate(0.3, rtol=1e-10)["arm.frame_b.r_0"][-1]
    again = model.simulate(0.3, rtol=1e-10, strategy=strategy)["mass.r_0"][-1]
    np.testing.assert_allclose([found, again], [expected] * 2, rtol=0, atol=1e-8)
