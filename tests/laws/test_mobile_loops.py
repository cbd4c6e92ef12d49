"""Laws of MOBILE loops: machine code, Python and connected parts give one motion; all acts."""

import numpy as np
import pytest

from motorik.algebra import Pose, Vector, X, Y, Z
from motorik.mobile import (
    AdamsIntegrator,
    AngularVariable,
    ConstantWrench,
    Drive,
    ElementaryJoint,
    ExplicitConstraintSolver,
    Frame,
    LinearSpringDamper,
    LinearVariable,
    MapChain,
    MechanicalSystem,
    MutableScalar,
    RungeKuttaIntegrator,
    Subtask,
)
from motorik.mobile.states.transmission import walk
from tests.laws.mobile_loops import CLOSINGS, MobileLoop, parts_of, random_loop

PLANAR, SPATIAL, SLIDER, SPATIAL_SLIDER = (
    random_loop(np.random.default_rng(seed), is_planar, has_slider)
    for seed, (is_planar, has_slider) in enumerate(
        [(True, False), (False, False), (True, True), (False, True)], 11
    )
)
LOOPS = {"planar": PLANAR, "spatial": SPATIAL, "slider": SLIDER, "both": SPATIAL_SLIDER}


def senses(loop, result):
    """The side of the dead centre on which each row of a result is."""
    return np.sign(loop.data.sense(result["pin.p"], result["end.p"]))


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("name", LOOPS)
def test_chains_and_connected_parts_move_alike(name):
    data = LOOPS[name]
    parts = parts_of(data).simulate(1.0, rtol=1e-9, output=5)
    right = parts["crank.phi"]
    out = parts["out.phi" if data.rocker else "out.s"]
    for closing in CLOSINGS:
        loop = MobileLoop(data, closing)
        integrator = AdamsIntegrator(loop.system, 0.2, relative_tolerance=1e-10)
        result = integrator.run(1.0)
        assert integrator.not_compiled is None and result.complete
        np.testing.assert_allclose(result["phi"], right, rtol=0, atol=2e-8)
        apart = result["x.q"] - out
        if data.rocker:
            apart -= 2 * np.pi * np.round(apart / (2 * np.pi))
        assert np.abs(apart).max() < 2e-8
        total = result.energy()["total"]
        assert np.ptp(total) < 1e-8 * np.abs(total).max()
        assert set(senses(loop, result)) == {np.sign(data.sense(*start_of(data)))}
        assert max(result.constraint_violation()) < 1e-12


def start_of(data):
    loop = MobileLoop(data, "formula")
    loop.chain.motion(Subtask.POSITION)
    return loop.pin.X.p.numpy(), loop.end.X.p.numpy()


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("closing", CLOSINGS)
def test_machine_code_and_python_are_one_system(closing):
    ends = []
    for compiled in (None, False):
        loop = MobileLoop(SPATIAL, closing)
        integrator = RungeKuttaIntegrator(
            loop.system, 0.05, relative_tolerance=1e-6, compiled=compiled
        )
        result = integrator.run(0.1)
        names = ["x.q", "x.qd", "x.qdd", "end.p", "end.R", "end.lin_a", "end.f", "phi.Q"]
        values = result.compute(names)
        assert np.abs(values["end.lin_a"]).max() > 1.0
        ends.append(np.concatenate([np.ravel(v) for v in values.values()]))
        frames = [loop.end.lin_a.numpy(), loop.pin.lin_v.numpy(), loop.end.f.numpy()]
        ends[-1] = np.concatenate([ends[-1], *frames, [integrator.number_of_steps]])
    np.testing.assert_allclose(*ends, rtol=0, atol=1e-9 * np.abs(ends[0]).max())


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("closing", CLOSINGS)
def test_rows_are_on_the_branch_of_the_run_however_far_apart(closing):
    """The crank turns by up to 3 rad from row to row, and by half a radian in a step."""
    for data in LOOPS.values():
        loop = MobileLoop(data, closing)
        loop.phi.qd = 29.0
        result = AdamsIntegrator(loop.system, 0.1, relative_tolerance=1e-3).run(1.0)
        assert set(senses(loop, result)) == {senses(loop, result)[0]}
        kinetic = result.energy()["kinetic"]
        assert kinetic.min() > 1.0  # it does not stop
        own = np.array([loop.data.solve(phi) for phi in result["phi"]])
        apart = result["x.q"] - own
        if data.rocker:
            apart -= 2 * np.pi * np.round(apart / (2 * np.pi))
        assert np.abs(apart).max() < 1e-9


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", LOOPS)
def test_long_steps_of_inputs_stay_on_the_branch(name):
    """On numbers the frames that lead a loop are followed by screw motions."""
    data, rng = LOOPS[name], np.random.default_rng(5)
    for closing in ("length", "rod"):
        loop = MobileLoop(data, closing)
        loop.chain.motion(Subtask.POSITION)
        for _ in range(6):
            loop.phi.q += rng.uniform(-3.0, 3.0)
            loop.chain.motion(Subtask.POSITION)
            apart = loop.x.q - data.solve(loop.phi.q)
            turns = 2 * np.pi * round(apart / (2 * np.pi)) if data.rocker else 0.0
            assert abs(apart - turns) < 1e-9


class Carried:
    """A loop on a carriage whose motion is given, with loads of every kind."""

    def __init__(self, closing):
        self.ground, self.carriage, self.seat = (
            Frame("ground"),
            Frame("carriage"),
            Frame("b"),
        )
        self.s = LinearVariable("s")
        self.tilt = AngularVariable("tilt", q=0.1)
        loop = self.loop = MobileLoop(PLANAR, closing, base=self.seat, ground=self.ground)
        self.drive, self.c = Drive(loop.phi), MutableScalar(3.0)
        self.wrench = ConstantWrench(loop.end, Vector(1.0, 2.0, 0.5))
        mounting = MapChain() << ElementaryJoint(self.ground, self.carriage, self.s, X)
        mounting << ElementaryJoint(self.carriage, self.seat, self.tilt, Z)
        self.chain = mounting << loop.chain << self.drive << self.wrench
        self.chain << LinearSpringDamper(loop.phi, self.c, 0.1)
        self.system = MechanicalSystem([loop.phi], self.chain, self.ground, Y)

    def changes(self):
        """Yield one change of an input after the other: none of them is a state."""
        solvers = (e for e in walk(self.chain) if isinstance(e, ExplicitConstraintSolver))
        yield lambda: setattr(self.s, "qdd", 4.0)
        yield lambda: setattr(self.s, "qd", -1.0)
        yield lambda: setattr(self.tilt, "q", 0.3)
        yield lambda: setattr(self.tilt, "qd", 2.0)
        yield lambda: self.c.set(20.0)
        yield lambda: setattr(self.drive, "Q", 5.0)
        yield lambda: setattr(self.drive, "Q", -7.0)
        yield lambda: setattr(self.wrench, "f", Vector(-9.0, 4.0, 0.0))
        yield lambda: setattr(self.ground, "X", Pose(p=Vector(0.4, 0.0, 0.0)))
        yield lambda: setattr(self.system.builder, "g", 1.6)
        yield lambda: [solver.select_branch() for solver in solvers]
        yield lambda: self.chain << LinearSpringDamper(self.loop.phi, 0.0, 4.0)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("closing", ["formula", "rod"])
def test_everything_that_is_no_state_acts_when_it_is_changed(closing):
    """Each change is compared with the equations of motion of a fresh chain in Python."""
    carried = Carried(closing)
    compiled = carried.system.compile()
    integrator = AdamsIntegrator(compiled, 0.01, relative_tolerance=1e-9)
    before = None
    for change in carried.changes():
        integrator.motion()
        change()
        y = [float(x) for x in carried.system.conditions]
        now = compiled.derivative(0.0, y)
        carried.system.builder.build()
        carried.system.builder.solve()
        assert now[1] == pytest.approx(carried.loop.phi.qdd, rel=1e-9)
        assert before is None or now[1] != before
        before = now[1]


@pytest.mark.slow
def test_a_step_after_a_change_is_that_of_a_new_integrator():
    carried, fresh = Carried("formula"), Carried("formula")
    integrator = AdamsIntegrator(carried.system, 0.1, relative_tolerance=1e-10)
    integrator.motion()
    fresh.chain.motion()
    for change, again in zip(carried.changes(), fresh.changes(), strict=True):
        change(), again()
    fresh.loop.phi.q, fresh.loop.phi.qd = carried.loop.phi.q, carried.loop.phi.qd
    integrator.motion()
    plain = RungeKuttaIntegrator(fresh.system, 0.1, relative_tolerance=1e-8, compiled=False)
    plain.motion()
    assert carried.loop.phi.q == pytest.approx(fresh.loop.phi.q, abs=1e-7)
    assert carried.loop.x.q == pytest.approx(fresh.loop.x.q, abs=1e-7)
