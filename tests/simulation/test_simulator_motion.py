"""Simulators that continue from other motions, and through dead centres."""

import numpy as np
import pytest

import motorik as mk
from motorik import gallery
from tests.assembly.four_bars import four_bar


def test_a_simulator_continues_from_a_pose_that_a_hand_found():
    model = four_bar(drive={"w": 0.0})
    hand = model.manipulator()
    hand.turn("drive.phi", 1.7)
    simulator = model.simulator()
    simulator.step(0.1)
    simulator.take(hand.motion)
    assert simulator["drive.phi"] == pytest.approx(1.7)
    assert simulator.time == pytest.approx(0.1)
    simulator.step(0.3)
    result = model.simulate(0.3, initial=hand.start, output=[0.0, 0.3])
    assert simulator["drive.phi"] == pytest.approx(result["drive.phi"][-1], abs=1e-6)
    assert simulator["rocker.frame_b.r_0"] == pytest.approx(
        result["rocker.frame_b.r_0"][-1], abs=1e-6
    )


def test_a_simulator_takes_the_side_of_its_loops_from_the_pose():
    model = four_bar(drive={"w": 0.0})
    first, second = model.branches()
    simulator, seen = model.simulator(), []
    for branch in (first, second):
        hand = model.manipulator(loops=mk.LoopOptions(branch=branch.names))
        simulator.take(hand.motion)
        assert simulator["coupler.frame_b.r_0"] == pytest.approx(
            hand.place("coupler.frame_b"), abs=1e-9
        )
        seen.append(hand.place("coupler.frame_b"))
    assert np.abs(seen[0] - seen[1]).max() > 0.1


@pytest.mark.slow
def test_a_simulator_passes_dead_centres_as_a_run_does():
    """A rocker that drives: crank and coupler come into line, and the run goes on."""
    model = four_bar(
        crank=0.9, coupler=1.1, rocker=0.4, base=1.2, drive={"phi": 0.9, "w": 0.0}
    )
    result = model.simulate(3.0, output=[0.0, 3.0])
    assert any("dead centre" in event.what for event in result.events)
    simulator = model.simulator(method="dop853", rtol=1e-9)
    fine = model.simulate(3.0, output=[0.0, 3.0], method="dop853", rtol=1e-9)
    for _ in range(30):
        simulator.step(0.1)
    assert any("dead centre" in event.what for event in simulator.events)
    assert simulator["drive.phi"] == pytest.approx(fine["drive.phi"][-1], abs=1e-4)


@pytest.mark.slow
def test_values_are_read_together_as_one_by_one():
    simulator = gallery.EngineV6().simulator()
    simulator.step(0.01)
    names = ["bearing.phi", "bearing.w", "load.flange_a.tau"]
    together = simulator.read(names)
    assert together == pytest.approx([simulator[name] for name in names])


def test_parameters_can_be_given_for_one_simulator():
    model = mk.Model()
    model.world, model.hinge = mk.World(), mk.Revolute(phi=0.3)
    model.body = mk.Body(m=mk.Parameter(1.0), r_CM=(1, 0, 0))
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.body.frame_a
    assert model.simulator(parameters={"body.m": 2.5})["body.m"] == 2.5
    assert model.simulator()["body.m"] == 1.0
    with pytest.raises(mk.errors.UnknownNameError, match="live"):
        model.simulator(parameters={"body.n": 2.5})
