"""Integrators as elements: they go on by an interval, and leave the system up to date."""

import math

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

from motorik import Body, FixedTranslation, Model, Revolute, World
from motorik.algebra import Y
from motorik.errors import LoopError, SimulationError
from motorik.mobile import (
    AdamsIntegrator,
    BDFIntegrator,
    Drive,
    DynamicSystem,
    ExplicitEulerIntegrator,
    Frame,
    Integrator,
    MapChain,
    MechanicalSystem,
    RigidLink,
    RungeKuttaIntegrator,
    Subtask,
)
from motorik.mobile.states.mutable import MutableScalar
from tests.mobile.mechanisms import G, Pendulum, TriplePendulum
from tests.mobile.systems import Decay

KINDS = {
    "adams": lambda s, dt: AdamsIntegrator(s, dt, relative_tolerance=1e-8),
    "bdf": lambda s, dt: BDFIntegrator(s, dt, relative_tolerance=1e-8),
    "runge-kutta": lambda s, dt: RungeKuttaIntegrator(s, dt, relative_tolerance=1e-8),
    "rk4": lambda s, dt: RungeKuttaIntegrator(s, dt, step_size=0.005),
    "euler": lambda s, dt: ExplicitEulerIntegrator(s, dt, step_size=0.001),
}
# as measured, for one second of the pendulum below
ERRORS = {"adams": 1.1e-8, "bdf": 3e-7, "runge-kutta": 1e-8, "rk4": 2e-9, "euler": 6e-3}


def pendulum(phi=1.0):
    p = Pendulum()
    p.phi.q = phi
    return p, MechanicalSystem([p.phi], p.chain, p.K0, Y)


def swing(t, amplitude=1.0):
    """The angle of a pendulum of 1 m released at rest: sin(φ/2) = k sn(K − ω t; k)."""
    k = math.sin(amplitude / 2)
    sn = ellipj(ellipk(k * k) - math.sqrt(G) * t, k * k)[0]
    return 2 * math.asin(k * sn)


@pytest.mark.parametrize("is_native", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_follows_the_elliptic_function(kind, is_native):
    p, system = pendulum()
    integrator = KINDS[kind](system.compile() if is_native else system, 0.1)
    worst = 0.0
    for i in range(10):
        integrator.motion()
        assert integrator.time == pytest.approx(0.1 * (i + 1), abs=1e-15)
        worst = max(worst, abs(p.phi.q - swing(integrator.time)))
    assert worst < ERRORS[kind]
    assert integrator.number_of_steps >= 10


@pytest.mark.parametrize("kind", KINDS)
def test_machine_code_and_python_take_the_same_steps(kind):
    ends = []
    for is_native in (False, True):
        p = TriplePendulum()
        system = MechanicalSystem(p.variables, p.chain, p.frames[0])
        integrator = KINDS[kind](system.compile() if is_native else system, 0.05)
        for _ in range(2):
            integrator.motion()
        ends.append((integrator.number_of_steps, list(system.conditions)))
    assert ends[0][0] == ends[1][0]
    # bdf: rounding in the differences that make its Jacobian stays in Newton's iteration
    atol = 1e-13 if kind == "bdf" else 5e-15
    np.testing.assert_allclose(ends[0][1], ends[1][1], rtol=0, atol=atol)


def test_it_begins_where_the_system_is_when_it_first_moves():
    p, system = pendulum()
    integrator = AdamsIntegrator(system)
    integrator.set_time_interval(0.1)
    integrator.set_relative_tolerance(1e-9)
    integrator.set_start_time(3.0)
    p.phi.q = 0.5
    integrator.motion()
    assert p.phi.q == pytest.approx(swing(0.1, 0.5), abs=1e-8)
    assert integrator.time == 3.1


def test_it_goes_on_from_conditions_changed_from_outside():
    p, system = pendulum()
    integrator = AdamsIntegrator(system, 0.1, relative_tolerance=1e-9)
    integrator.motion()
    p.phi.q, p.phi.qd = 0.3, 0.0
    integrator.motion()
    assert p.phi.q == pytest.approx(swing(0.1, 0.3), abs=1e-8)


@pytest.mark.parametrize("is_native", [False, True])
def test_it_goes_on_with_parameters_changed_from_outside(is_native):
    p, _ = pendulum()
    g = MutableScalar(G)
    system = MechanicalSystem([p.phi], p.chain, p.K0, Y, g=g)
    integrator = AdamsIntegrator(
        system.compile() if is_native else system, 0.1, relative_tolerance=1e-9
    )
    integrator.motion()
    before, speed = p.phi.q, p.phi.qd
    g.value = 0.0
    integrator.motion()
    assert p.phi.q == pytest.approx(before + 0.1 * speed, abs=1e-12)


def test_the_interval_may_change_on_the_way():
    p, system = pendulum()
    integrator = RungeKuttaIntegrator(system, 0.3, relative_tolerance=1e-9)
    integrator.motion()
    integrator.set_time_interval(0.2)
    integrator.motion()
    assert integrator.time == pytest.approx(0.5)
    assert p.phi.q == pytest.approx(swing(0.5), abs=1e-8)


def test_euler_goes_by_its_step_size():
    system = Decay(-1.0)
    integrator = ExplicitEulerIntegrator(system, 0.5)
    integrator.step_size = 0.25
    integrator.motion()
    assert system.y == [0.75**2]
    integrator.step_size = 0.125
    integrator.motion()
    assert system.y == pytest.approx([0.75**2 * 0.875**4], rel=1e-15)
    assert integrator.number_of_steps == 6


def test_bdf_passes_over_what_adams_must_follow():
    stiff = Decay(-1e5, -1.0)
    steps = {}
    for kind in (AdamsIntegrator, BDFIntegrator):
        stiff.y = [1.0, 1.0]
        integrator = kind(stiff, 0.02, relative_tolerance=1e-4)
        integrator.motion()
        steps[kind] = integrator.number_of_steps
        assert stiff.y == pytest.approx([0.0, math.exp(-0.02)], abs=1e-3)
    assert steps[AdamsIntegrator] > 5 * steps[BDFIntegrator]


def test_time_is_given_to_the_system():
    class Clocked(DynamicSystem):
        y = 0.0

        @property
        def conditions(self):
            return [self.y]

        def set_conditions(self, y):
            (self.y,) = y

        def rates(self, t):
            return [math.cos(t)]

    system = Clocked()
    RungeKuttaIntegrator(system, 1.0, start_time=2.0, relative_tolerance=1e-9).motion()
    assert system.y == pytest.approx(math.sin(3.0) - math.sin(2.0), abs=1e-9)


def test_it_is_an_element_of_a_chain():
    p, system = pendulum()
    integrator = AdamsIntegrator(system, 0.1)
    mark = Frame("mark")
    chain = MapChain((integrator, p.chain, RigidLink(p.K2, mark, -Y)))
    assert list(integrator.outputs) == [p.phi] and list(integrator.inputs) == []
    chain.motion()
    moved = p.phi.q
    assert moved < 1.0
    assert mark.X.p.x == pytest.approx(2.0 * math.sin(moved))
    chain.motion(Subtask.VELOCITY | Subtask.ACCELERATION)
    assert p.phi.q == moved
    integrator.force()
    assert integrator.time == 0.1


# --- what goes wrong -----------------------------------------------------------------------------


class Wall(DynamicSystem):
    """Moves at unit speed until it meets what it cannot pass."""

    def __init__(self, error):
        self.y, self.error = 0.0, error

    @property
    def conditions(self):
        return [self.y]

    def set_conditions(self, y):
        (self.y,) = y

    def rates(self, t):
        if self.y > 0.5:
            raise self.error
        return [1.0]


def test_a_loop_that_cannot_close_stops_the_motion_there():
    system = Wall(LoopError("coupler", "cannot reach."))
    integrator = RungeKuttaIntegrator(system, 1.0)
    with pytest.raises(SimulationError, match=r"t = 0\.5.*s:.*finite") as raised:
        integrator.motion()
    assert isinstance(raised.value.__cause__, LoopError)
    assert system.y == pytest.approx(0.5, abs=1e-9) and system.y <= 0.5
    assert integrator.time == pytest.approx(0.5, abs=1e-9)
    system.y = 0.1  # and it can go on from elsewhere
    integrator.set_time_interval(0.2)
    integrator.motion()
    assert system.y == pytest.approx(0.3)


@pytest.mark.parametrize("error", [ZeroDivisionError("in my program"), KeyboardInterrupt()])
def test_mistakes_and_interruptions_come_through(error):
    with pytest.raises(type(error)):
        AdamsIntegrator(Wall(error), 1.0).motion()


def test_a_solution_that_runs_off_to_infinity():
    class Explosion(Decay):
        def rates(self, t):
            return [self.y[0] ** 2]

    system = Explosion(1.0)
    with pytest.raises(SimulationError, match=r"RungeKuttaIntegrator: t = (1|0\.99).* s:"):
        RungeKuttaIntegrator(system, 2.0).motion()


def test_no_interval():
    with pytest.raises(
        SimulationError, match=r"has no time interval.\n.*set_time_interval"
    ):
        AdamsIntegrator(Decay(1.0)).motion()


@pytest.mark.parametrize("value", [0.0, -0.1, math.nan, math.inf])
def test_settings_that_make_no_sense(value):
    system = Decay(1.0)
    with pytest.raises(SimulationError, match="time interval"):
        AdamsIntegrator(system, value)
    with pytest.raises(SimulationError, match="relative tolerance"):
        BDFIntegrator(system).set_relative_tolerance(value)
    with pytest.raises(SimulationError, match="step size"):
        ExplicitEulerIntegrator(system, step_size=value)
    with pytest.raises(SimulationError, match="step size"):
        RungeKuttaIntegrator(system, step_size=value)


def test_a_start_time_that_is_none():
    with pytest.raises(SimulationError, match="start time"):
        AdamsIntegrator(Decay(1.0)).set_start_time(math.nan)


def test_an_integrator_of_ones_own():
    class Precise(Integrator):
        method = "dop853"
        options = {"rtol": 1e-12, "atol": 1e-12}  # noqa: RUF012

    p, system = pendulum()
    p.chain << Drive(p.phi)
    Precise(system, 1.0).motion()
    assert p.phi.q == pytest.approx(swing(1.0), abs=1e-11)


class TripleOfParts(Model):
    """The triple pendulum of section 6.4 by parts that are connected."""

    def build(self):
        self.world = World(n=(0, 0, -1), g=G)
        self.hinge1 = Revolute(n="x", phi=math.radians(30))
        self.mass1 = Body(m=1.0, r_CM=(0, 0, -1.5))
        self.world.frame_b >> self.hinge1.frame_a
        self.hinge1.frame_b >> self.mass1.frame_a
        for name, side in (("2", -0.5), ("3", 0.5)):
            arm = FixedTranslation(r=(0, side, -0.5))
            hinge = Revolute(n="x", phi=math.radians(10))
            mass = Body(m=2.0, r_CM=(0, 0, -1.0))
            setattr(self, f"arm{name}", arm)
            setattr(self, f"hinge{name}", hinge)
            setattr(self, f"mass{name}", mass)
            self.hinge1.frame_b >> arm.frame_a
            arm.frame_b >> hinge.frame_a
            hinge.frame_b >> mass.frame_a


def test_triple_pendulum_as_connected_parts():
    parts = TripleOfParts().simulate(2.0, rtol=1e-10, output=20)
    p = TriplePendulum(inertia=1e-3)  # as a body has if nothing is said
    system = MechanicalSystem(p.variables, p.chain, p.frames[0]).compile()
    integrator = AdamsIntegrator(system, 0.1, relative_tolerance=1e-10)
    rows = []
    for _ in range(20):
        integrator.motion()
        rows.append([variable.q for variable in p.variables])
    expected = np.column_stack([parts[f"hinge{i}.phi"][1:] for i in (1, 2, 3)])
    np.testing.assert_allclose(rows, expected, rtol=0, atol=1e-9)
