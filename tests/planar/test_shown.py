"""What results show of ports and joints, against the paper's formulas and another solver."""

from functools import cache

import numpy as np
import pytest

import motorik as mk
from motorik import Parameter, planar
from motorik.algebra import sqrt
from motorik.errors import AssemblyError, InitialValueError, ParameterError, SimulationError
from motorik.planar.vector_joint import VectorJoint
from tests.covering import each_once
from tests.planar import mechanisms as m
from tests.planar.absolute import GRAVITY, close

TIMES = np.linspace(0.0, 0.12, 4)
FINE = {"rtol": 1e-11, "solver": mk.SolverOptions(atol=1e-12), "output": TIMES}
MOTION = ("x", "y", "theta", "vx", "vy", "w", "ax", "ay", "alpha")
models = pytest.mark.parametrize("kind", m.MODELS, ids=lambda kind: kind.__name__)
strategies = pytest.mark.parametrize("strategy", ["absolute", "projected"])


def joints_of(model):
    return [part for part in model.walk() if isinstance(part, VectorJoint)]


@cache
def run(kind, strategy):
    """Return a model and its result, with all that the tests ask for computed at once."""
    model = kind()
    result = model.simulate(TIMES[-1], strategy=strategy, **FINE)
    ports = [port for part in model.walk() for port in part.ports()]
    wanted = (*MOTION, "Fx", "Fy", "Cz", "lambda_", "residual_")
    prefixes = [
        f"{owner.path}." for owner in (*ports, *m.bodies_of(model), *joints_of(model))
    ]
    names = [n for n in result.names() if n.startswith(tuple(prefixes))]
    result.compute(n for n in names if n.rsplit(".", 1)[1].startswith(wanted))
    return model, result


def all_of(result, owner, names):
    return [result[f"{owner}.{name}"] for name in names]


def eq_19_25_27(body, place):
    """Return the motion of a port from that of its body, as the paper has it."""
    x, y, th, vx, vy, w, ax, ay, al = body
    a, b, angle = place
    c, s = np.cos(th), np.sin(th)
    rx, ry = a * c - b * s, a * s + b * c
    return [
        *(x + rx, y + ry, th + angle, vx - w * ry, vy + w * rx, w),
        *(ax - al * ry - w**2 * rx, ay + al * rx - w**2 * ry, al),
    ]


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("strategy", "kind"), each_once(["absolute", "projected"], m.MODELS)
)
def test_ports_move_as_equations_19_25_and_27_say(kind, strategy):
    model, result = run(kind, strategy)
    for body in m.bodies_of(model):
        own = all_of(result, body.path, MOTION)
        centre = body.r_CM
        for port in body.user_ports():
            r, angle = (getattr(body, f"{of}_{port.name}") for of in ("r", "angle"))
            wanted = eq_19_25_27(own, (r.x - centre.x, r.y - centre.y, angle))
            close(all_of(result, port.path, MOTION), wanted, 1e-9)
        close(all_of(result, body.G.path, MOTION), own, 1e-12)
    for port in model.ground.user_ports():
        x, y, theta, *still = all_of(result, port.path, MOTION)
        r, angle = (getattr(model.ground, f"{of}_{port.name}") for of in ("r", "angle"))
        close([x[0], y[0], theta[0]], [r.x, r.y, angle], 0.0)
        close(still, 0.0, 0.0)


@pytest.mark.slow
@pytest.mark.kinds(3)
@pytest.mark.parametrize(
    ("strategy", "kind"), each_once(["absolute", "projected"], m.MODELS)
)
def test_ports_of_joints_are_those_they_are_connected_to(kind, strategy):
    model, result = run(kind, strategy)
    for a, b in model.connections:
        close(all_of(result, a.path, MOTION), all_of(result, b.path, MOTION), 1e-13)


@pytest.mark.parametrize(
    ("strategy", "kind"), each_once(["absolute", "projected"], m.MODELS)
)
def test_forces_at_the_ports_of_a_body_move_it(kind, strategy):
    model, result = run(kind, strategy)
    for body in m.bodies_of(model):
        x, y, _, _, _, _, ax, ay, alpha = all_of(result, body.path, MOTION)
        left = np.array([-body.m * ax, -body.m * (ay + GRAVITY), -body.I * alpha])
        used = {p for pair in model.connections for p in pair if p.owner is body}
        for port in used - {body.G}:
            Fx, Fy, Cz = all_of(result, port.path, ("Fx", "Fy", "Cz"))
            rx, ry = result[f"{port.path}.x"] - x, result[f"{port.path}.y"] - y
            left += [Fx, Fy, Cz + rx * Fy - ry * Fx]
        if body.G not in used:
            close(left, 0.0, 1e-11)


@pytest.mark.parametrize(
    ("strategy", "kind"), each_once(["absolute", "projected"], m.MODELS)
)
def test_multipliers_and_residuals_are_those_of_the_independent_solver(kind, strategy):
    model, result = run(kind, strategy)
    mechanism = m.independent(model)
    q, v = m.motion_of(result, model), m.motion_of(result, model, ("vx", "vy", "w"))
    held = [
        joint
        for joint in joints_of(model)
        for _ in joint._units_of_constraints(joint._numbers())[0]
    ]
    rolling = [
        joint
        for joint in joints_of(model)
        for _ in joint._units_of_constraints(joint._numbers())[1]
    ]
    names, count = [], {}
    for joint in (*held, *rolling):
        count[joint] = count.get(joint, 0) + 1
        names.append(f"{joint.path}.{{}}_{count[joint]}")
    for k, t in enumerate(TIMES):
        _, wanted = mechanism.solve(t, q[k], v[k])
        found = np.array([result[name.format("lambda")][k] for name in names])
        close(found, wanted, 3e-7 * max(1.0, np.abs(wanted).max()))
        f, rates = mechanism.residual(q[k]).astype(float), mechanism.rate(q[k], v[k])
        close([result[n.format("residual")][k] for n in names[: len(held)]], f, 1e-13)
        close(
            [result[n.format("residual_rate")][k] for n in names[: len(held)]],
            rates[: len(held)],
            1e-12,
        )
        close(
            [result[n.format("residual")][k] for n in names[len(held) :]],
            rates[len(held) :],
            1e-12,
        )
    units = {"m": "N", "rad": "N.m", "m/s": "N"}
    for name in names:
        assert units[result.unit(name.format("residual"))] == result.unit(
            name.format("lambda")
        )


# --- drives of angles that wind ---------------------------------------------------------------


class Wound(m.SliderCrank):
    """The slider crank, with spiral springs in two bearings that wind with every turn."""

    def build(self, c=0.05):
        super().build()
        self.crank.w = 60.0
        self.bearing.drive = lambda t, phi, w: -c * phi
        self.pin.drive = lambda t, phi, w: -0.3 * c * (phi + 2.0)


LONG = np.linspace(0.0, 0.2, 3)


@cache
def wound(strategy):
    """Return the motion of all bodies, its rates, and the angle at the pin."""
    model = Wound()
    result = model.simulate(
        LONG[-1],
        strategy=strategy,
        output=LONG,
        rtol=1e-10,
        solver=mk.SolverOptions(atol=1e-11),
    )
    speeds = m.motion_of(result, model, ("vx", "vy", "w"))
    return m.motion_of(result, model), speeds, result["pin.phi"]


@cache
def wound_by_another_solver():
    q, v, phi = wound("projected")
    model = Wound()
    turns = phi[0] - (q[0, 5] - q[0, 2])  # the other solver takes θ_j − θ_i
    assert turns == pytest.approx(2 * np.pi * round(turns / (2 * np.pi)), abs=1e-9)
    spring = model.pin.drive
    model.pin.drive = lambda t, phi, w: spring(t, phi + turns, w)
    return m.independent(model).simulate(q[0], v[0], LONG, rtol=1e-8, atol=1e-9)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["projected", "absolute", "baumgarte", "explicit"])
def test_a_drive_takes_the_angle_with_its_full_turns(strategy):
    q, v, phi = wound(strategy)
    wanted, speeds = wound_by_another_solver()
    assert q[-1, 2] > 10.0
    assert abs(phi[-1] - phi[0]) > 9.0
    close(q, wanted, 1e-6)
    close(v, speeds, 1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["absolute", "projected"])
def test_a_drive_begins_at_the_start_value_of_its_angle(strategy):
    class Spring(planar.Model):
        def build(self, start):
            self.ground = planar.Ground(g=0.0)
            self.wheel = planar.Body(I=0.1)
            self.hinge = planar.Revolute(phi=start, w=0.0, drive=lambda t, phi, w: -phi)
            self.stay = planar.Rod(length=0.5)
            self.far = planar.Body(x=mk.guess(0.5))
            self.ground.frame_b >> self.hinge.frame_a
            self.hinge.frame_b >> self.wheel.G
            self.ground.frame_b >> self.stay.frame_a
            self.stay.frame_b >> self.far.G

    run = Spring(start=7.0).simulate(0.1, strategy=strategy, output=[0.0, 0.1])
    assert run["hinge.phi"][0] == pytest.approx(7.0, abs=1e-12)
    assert run["wheel.alpha"][0] == pytest.approx(-70.0, rel=1e-9)


# --- live ports, names, refusals --------------------------------------------------------------


class Rocking(planar.Model):
    """A pendulum whose port lies anywhere."""

    def build(self, x=0.1, y=0.5, angle=0.2):
        self.ground = planar.Ground(ports={"O": (0, 0)})
        self.bob = planar.Body(I=0.02, ports={"O": (x, y, angle)})
        self.hinge = planar.Revolute(phi=0.4)
        self.ground.O >> self.hinge.frame_a
        self.hinge.frame_b >> self.bob.O


@pytest.mark.kinds(1)
@pytest.mark.slow
@strategies
def test_both_coordinates_of_a_port_and_its_angle_can_be_live(strategy):
    live = Rocking(x=Parameter(0.1), y=Parameter(0.5), angle=Parameter(0.2))
    names = ["x", "y", "angle"]
    assert list(live.live_parameters()) == names
    for x, y, angle in ((0.1, 0.5, 0.2), (-0.3, 0.4, -1.0), (0.0, -0.2, 3.0)):
        given = dict(zip(names, (x, y, angle), strict=True))
        options = {"strategy": strategy, "rtol": 1e-12, "output": 5}
        found = live.simulate(0.5, parameters=given, **options)
        wanted = Rocking(x=x, y=y, angle=angle).simulate(0.5, **options)
        for name in ("bob.x", "bob.y", "bob.theta", "hinge.Fx_b", "hinge.lambda_2"):
            close(found[name], wanted[name], 1e-9)


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("strategy", "kind"), each_once(["absolute", "projected", "auto"], m.MODELS)
)
def test_explain_speaks_of_the_plane(kind, strategy):
    text = kind().explain(strategy=strategy)
    for word in (
        "r_0",
        "v_0",
        "phi_d",
        "angles_start",
        "w_0_start",
        "direction constraint",
    ):
        assert word not in text


@pytest.mark.slow
def test_states_are_x_y_theta_and_their_rates():
    model = m.HungByRods()
    names = [f"plate.{name}" for name in ("x", "y", "theta", "vx", "vy", "w")]
    assert model.simulate(0.01).state_names == names


def test_a_start_that_cannot_be_is_told_in_x_y_and_theta():
    model = Rocking()
    model.bob.theta = 1.0
    with pytest.raises(InitialValueError, match=r"phi cannot be met.*besides: bob\.theta"):
        model.simulate(0.1)
    model.bob.theta = None
    model.bob.x = 3.0
    with pytest.raises(
        InitialValueError, match="bob: the fixed start value x cannot be met"
    ):
        model.simulate(0.1, strategy="projected")


@pytest.mark.parametrize("gains", [(10.0, 10.0), "own"])
@pytest.mark.parametrize("strategy", ["explicit", "projected", "auto"])
def test_gains_for_a_strategy_without_them_are_refused(strategy, gains):
    with pytest.raises(SimulationError, match=r"(?s)not use any.*baumgarte, absolute"):
        m.SliderCrank().simulate(0.1, strategy=strategy, loops=mk.LoopOptions(gains=gains))


def test_a_port_turned_by_degrees_is_refused():
    with pytest.raises(ParameterError, match=r"(?s)angle_A = 90 rad.*deg\(90\)"):
        planar.Body(ports={"A": (0, 0, 90)})


def test_a_planar_joint_that_can_leave_the_plane_is_refused():
    model = mk.Model()
    model.world = mk.World()
    model.tilt = mk.Revolute(n="x")
    model.arm = mk.Body(m=1.0, r_CM=(1, 0, 0))
    model.hinge = planar.Revolute()
    model.world.frame_b >> model.tilt.frame_a
    model.tilt.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.arm.frame_a
    with pytest.raises(AssemblyError, match=r"hinge\.frame_a.*plane z = 0"):
        model.compile()


def test_a_joint_without_freedom_cannot_be_driven():
    class PlanarFreePair(planar.SpatialVectorJoint):
        def constraint(self, OM, ON, x_i, y_i, z_i, x_j, y_j, z_j):
            return (ON - OM).dot(z_i)

    with pytest.raises(ParameterError, match=r"(?s)no freedom.*z_i, x_j, y_j, z_j"):
        PlanarFreePair(drive=1.0)
    with pytest.raises(ParameterError, match=r"(?s)no freedom.*y_i, x_j, y_j\)"):
        planar.Rod(drive=1.0)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["absolute", "projected"])
def test_a_drive_that_fails_is_told_with_its_angle(strategy):
    model = m.SliderCrank()
    model.bearing.drive = lambda t, phi, w: sqrt(1.5 - phi)
    with pytest.warns(mk.IncompleteRunWarning, match=r"bearing.*phi = 1\.5"):
        result = model.simulate(1.0, strategy=strategy)
    assert "r_0" not in result.info.message
