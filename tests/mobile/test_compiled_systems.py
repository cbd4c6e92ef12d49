"""Systems that integrators compile: what stays live, what is noticed, what is refused."""

import math
import random

import numpy as np
import pytest

from motorik.algebra import Vector, X, Y, Z, sin
from motorik.errors import AssemblyError, CompileError, LoopError
from motorik.mobile import (
    AdamsIntegrator,
    AngularVariable,
    ChordPointPlane,
    ChordPointPointLinear,
    CombinedSystem,
    ConstantStepDriver,
    Drive,
    DynamicSystem,
    ElementaryJoint,
    Frame,
    ImplicitConstraintSolver,
    LinearVariable,
    MapChain,
    MassElement,
    MechanicalSystem,
    OutputGenerator,
    RigidLink,
    Subtask,
)
from motorik.mobile.elements.driver import Driver
from tests.mobile.mechanisms import G, Pendulum
from tests.mobile.systems import Controller, Decay, Motor

GAIN = 1.0


class Cart:
    """A pendulum on a cart whose motion is given."""

    def __init__(self, *before):
        self.K = [Frame(f"K{i}") for i in range(4)]
        self.x, self.phi = LinearVariable("x"), AngularVariable("phi", q=0.5)
        before = [part(self) for part in before]
        K = self.K
        self.chain = MapChain(before) << ElementaryJoint(K[0], K[1], self.x, X)
        self.chain << ElementaryJoint(K[1], K[2], self.phi, Z)
        (
            self.chain
            << RigidLink(K[2], K[3], Vector(0.0, -1.0, 0.0))
            << MassElement(K[3], 1.5)
        )
        self.system = MechanicalSystem([self.phi], self.chain, K[0], Y)


def test_the_motion_of_a_carrier_is_read_in_each_evaluation():
    cart = Cart()
    compiled = cart.system.compile()
    for qdd in (2.0, -5.0, 0.0):
        cart.x.qdd = qdd
        right = -G * math.sin(0.5) - qdd * math.cos(0.5)
        assert compiled.derivative(0.0, [0.5, 0.0])[1] == pytest.approx(right, rel=1e-14)


def test_integrators_compile_and_say_why_not():
    class Odd(Decay):
        def rates(self, t):
            return [-y if y > 0.0 else 0.0 for y in self.y]

    pendulum = Pendulum()
    pendulum.phi.q = 1.0
    plain = AdamsIntegrator(MechanicalSystem([pendulum.phi], pendulum.chain), 0.1)
    plain.motion()
    assert plain.not_compiled is None
    odd = AdamsIntegrator(Odd(-1.0), 0.1)
    odd.motion()
    assert odd.system.y == pytest.approx([math.exp(-0.1)], rel=1e-5)
    assert "cannot be traced on symbols" in str(odd.not_compiled)
    with pytest.raises(CompileError, match="cannot be traced"):
        AdamsIntegrator(Odd(-1.0), 0.1, compiled=True).motion()
    in_python = AdamsIntegrator(Decay(-1.0), 0.1, compiled=False)
    in_python.motion()
    assert in_python.not_compiled is None


def test_rates_that_differ_from_call_to_call_are_not_compiled():
    class Noise(Decay):
        def rates(self, t):
            return [random.random() * y for y in self.y]

    with pytest.raises(CompileError, match="other rates in machine code"):
        Noise(1.0).compile()


def test_numbers_of_systems_of_ones_own_are_noticed(monkeypatch):
    class Driven(Decay):
        factor = 1.0

        def __init__(self, rate):
            super().__init__(rate)
            self.table = [1.0, 2.0]

        def rates(self, t):
            return [GAIN * self.factor * self.table[1] * sin(t + 1.0) for _ in self.y]

    system = Driven(1.0)
    compiled = system.compile()

    def rate():
        return compiled.derivative(0.0, [1.0])[0] / math.sin(1.0)

    assert rate() == pytest.approx(2.0)
    system.table[1] = 5.0
    assert rate() == pytest.approx(5.0)
    system.factor = 3.0
    assert rate() == pytest.approx(15.0)
    monkeypatch.setattr("tests.mobile.test_compiled_systems.GAIN", 10.0)
    assert rate() == pytest.approx(150.0)
    traced = compiled.native
    system.table[1] = 4.0  # is live by now
    assert rate() == pytest.approx(120.0) and compiled.native is traced


def test_the_numbers_that_systems_set_are_there_after_each_interval():
    """A motor and its controller: what they write to one another is computed natively."""
    ends = []
    for compiled in (None, False):
        pendulum = Pendulum()
        drive = Drive(pendulum.phi)
        motor = Motor(pendulum.phi, drive)
        controller = Controller(pendulum.phi, motor, 0.6)
        mechanics = MechanicalSystem([pendulum.phi], pendulum.chain << drive)
        system = CombinedSystem(mechanics, controller, motor)
        integrator = AdamsIntegrator(
            system, 0.05, relative_tolerance=1e-9, compiled=compiled
        )
        integrator.motion()
        controller.target = 0.3
        integrator.motion()
        assert integrator.not_compiled is None
        ends.append([drive.Q, motor.voltage, motor.current, pendulum.phi.q])
    assert all(isinstance(x, float) for x in ends[0])
    np.testing.assert_allclose(*ends, rtol=1e-6)


def test_traversals_go_on_from_what_machine_code_left():
    """What elements keep for partial traversals is that of the present place."""
    cart, twin = Cart(), Cart()
    AdamsIntegrator(cart.system, 0.2).motion()
    twin.phi.q, twin.phi.qd, twin.phi.qdd = cart.phi.q, cart.phi.qd, cart.phi.qdd
    twin.chain.motion()
    cart.chain.motion(Subtask.EULER | Subtask.USE_CORIOLIS)
    np.testing.assert_allclose(cart.K[3].lin_a.numpy(), twin.K[3].lin_a.numpy(), atol=1e-12)


@pytest.mark.parametrize("compiled", [None, False])
def test_a_driver_within_an_integrated_chain_moves_with_time(compiled):
    cart = Cart(lambda cart: ConstantStepDriver(cart.x, 0.02, 0.01))
    integrator = AdamsIntegrator(
        cart.system, 0.025, relative_tolerance=1e-9, compiled=compiled
    )
    for _ in range(3):
        integrator.motion()
    assert cart.x.q == pytest.approx(0.15, abs=1e-14) and cart.x.qd == 2.0
    still = Cart()
    alone = AdamsIntegrator(still.system, 0.075, relative_tolerance=1e-9)
    alone.motion()
    assert cart.phi.q == pytest.approx(still.phi.q, abs=1e-8)  # Galilei
    cart.x.q = 1.0  # it goes on from there
    result = integrator.run(0.05)
    np.testing.assert_allclose(result["x.q"], [1.0, 1.05, 1.1], atol=1e-13)
    assert cart.x.q == pytest.approx(1.1, abs=1e-13)


@pytest.mark.parametrize("compiled", [None, False])
def test_a_driver_that_only_steps_is_refused_there(compiled):
    class Stepping(Driver):
        def advance(self):
            self.variables[0].q += 1.0

    cart = Cart(lambda cart: Stepping(cart.x))
    integrator = AdamsIntegrator(cart.system, 0.1, compiled=compiled)
    with pytest.raises(AssemblyError, match=r"Stepping.*each traversal.*\n.*beside"):
        integrator.motion()
    assert cart.x.q == 0.0


def test_output_within_an_integrated_chain_is_written_once_per_interval():
    cart = Cart()
    output = OutputGenerator({"phi": (cart.phi, "q")})
    cart.chain << output
    integrator = AdamsIntegrator(cart.system, 0.1)
    for _ in range(3):
        integrator.motion()
        assert output.records[-1] == {"phi": cart.phi.q}
    assert len(output.records) == 3 and integrator.not_compiled is None


def test_a_chord_is_measured_after_its_chain_has_moved():
    """Frames that never moved coincide; the length between them has no direction."""
    K = [Frame(f"K{i}") for i in range(4)]
    knee = AngularVariable("knee", q=1.0)
    leg = MapChain() << RigidLink(K[0], K[1], Vector(0, 0, -0.4))
    (
        leg
        << ElementaryJoint(K[1], K[2], knee, Y)
        << RigidLink(K[2], K[3], Vector(0, 0, -0.45))
    )
    ImplicitConstraintSolver(ChordPointPointLinear(K[3], K[0], 0.7), knee, leg).motion()
    right = math.acos((0.49 - 0.16 - 0.2025) / (2 * 0.4 * 0.45))
    assert knee.q == pytest.approx(right, abs=1e-12)


def parallelogram(q=0.4):
    """A crank and a rocker of one length, and a coupler as long as the base."""
    K = [Frame(f"P{i}") for i in range(7)]
    a, b, c = (AngularVariable(n, q=x) for n, x in (("a", q), ("b", q), ("c", -q)))
    dependent = MapChain() << ElementaryJoint(K[2], K[3], c, Z)
    dependent << RigidLink(K[3], K[4], Vector(2.0, 0.0, 0.0))
    support = Frame("support")
    dependent << ElementaryJoint(support, K[5], b, Z)
    dependent << RigidLink(K[5], K[6], Vector(1.0, 0.0, 0.0))
    chords = [ChordPointPlane(K[4], K[6], 0.0, n) for n in (X, Y)]
    chain = MapChain() << RigidLink(K[0], support, Vector(2.0, 0.0, 0.0))
    chain << ElementaryJoint(K[0], K[1], a, Z) << RigidLink(K[1], K[2], Vector(1.0, 0, 0))
    (
        chain
        << ImplicitConstraintSolver(chords, [c, b], dependent)
        << MassElement(K[5], 1.0, I=2.0)
    )
    return chain, a, b, c


@pytest.mark.slow
def test_a_loop_is_not_led_over_a_dead_centre_to_another_branch():
    K = [Frame(f"D{i}") for i in range(3)]
    reach, knee = LinearVariable("reach", q=1.0), AngularVariable("knee", q=1.0)
    arm = MapChain() << ElementaryJoint(K[0], K[1], knee, Z)
    arm << RigidLink(K[1], K[2], Vector(1.0, 0.0, 0.0))
    solver = ImplicitConstraintSolver(ChordPointPlane(K[2], reach, X), knee, arm)
    reach.q = 0.5
    solver.motion(Subtask.POSITION)
    assert knee.q == pytest.approx(math.acos(0.5))
    reach.q = 1.2
    with pytest.raises(LoopError):
        solver.motion(Subtask.POSITION)
    reach.q, knee.q = 0.5, -1.0  # a guess chooses the branch
    solver.motion(Subtask.POSITION)
    assert knee.q == pytest.approx(-math.acos(0.5))


@pytest.mark.slow
def test_a_guess_of_an_unknown_chooses_the_branch_of_the_next_interval():
    ends = []
    for compiled in (None, False):
        chain, a, b, c = parallelogram()
        integrator = AdamsIntegrator(MechanicalSystem([a], chain), 0.02, compiled=compiled)
        a.qd = 1.0
        integrator.motion()
        chain.motion()
        b.q, c.q = -1.2, 0.9  # the crossed branch
        integrator.motion()
        ends.append([a.q, a.qd, b.q, c.q])
        assert b.q < 0.0
    np.testing.assert_allclose(*ends, rtol=1e-7)


class Free(DynamicSystem):
    """A system in slots alone, which cannot keep anything else."""

    __slots__ = ("y",)

    def __init__(self):
        self.y = 1.0

    @property
    def conditions(self):
        return [self.y]

    def set_conditions(self, y):
        (self.y,) = y

    def rates(self, t):
        return [-2.0 * self.y]


def test_a_system_in_slots_is_integrated():
    system = Free()
    integrator = AdamsIntegrator(system, 0.5, relative_tolerance=1e-8)
    integrator.motion()
    assert system.y == pytest.approx(math.exp(-1.0), rel=1e-7)
    assert integrator.not_compiled is None
