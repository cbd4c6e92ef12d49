"""Models pickle with their functions, simulators with their state; what cannot is named."""

from __future__ import annotations

import copy
import pickle
import sys

import numpy as np
import pytest

from motorik import Body, Model, Revolute, World, blocks, gallery, rotational
from motorik.errors import FileFormatError
from tests.analysis.models import pendulum, quarter_car


class Driven(Model):
    """A pendulum that functions without a name drive and brake."""

    def build(self, size=0.3):
        self.world = World(n="-y")
        self.hinge = Revolute(n="z", useAxisFlange=True, phi=0.2)
        self.bob = Body(m=1.0, r_CM=(0.0, -0.5, 0.0))
        self.wave = blocks.TimeFunction(f=lambda t: size * t)
        self.sum, self.motor = blocks.Add(), rotational.Torque()
        self.brake = blocks.Discrete(start=0.0)
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.bob.frame_a
        self.wave.y >> self.sum.u1
        self.brake.y >> self.sum.u2
        self.sum.y >> self.motor.tau
        self.motor.flange >> self.hinge.axis
        self.sample(0.01, lambda t, w: -size * w, inputs=["hinge.w"], outputs=[self.brake])


def again(given):
    return pickle.loads(pickle.dumps(given))


@pytest.mark.slow
def test_models_with_functions_pickle(monkeypatch):
    pytest.importorskip("cloudpickle", reason="functions without a name need cloudpickle")
    model = Driven()
    known = model.simulate(0.2)["hinge.phi"]
    for other in (again(model), again(again(model)), copy.deepcopy(model)):
        assert np.array_equal(other.simulate(0.2)["hinge.phi"], known)
    simulator = model.simulator()
    simulator.step(0.1)
    there = again(simulator)
    there.step(0.1), simulator.step(0.1)
    assert there["hinge.phi"] == pytest.approx(simulator["hinge.phi"], rel=1e-9)
    monkeypatch.setitem(sys.modules, "cloudpickle", None)
    with pytest.raises(
        FileFormatError, match=r"Driven: is not pickled: .*lambda.*\n.*cloudpickle"
    ):
        pickle.dumps(model)
    assert again(quarter_car()).evaluate("body.s")  # no function, no need of it


def test_what_no_pickle_can_hold_is_named():
    model, endless = Driven(), (k for k in ())
    model.wave.f = lambda t: t if endless else 0.0
    with pytest.raises(
        FileFormatError, match=r"Driven: is not pickled: .*(generator|lambda)"
    ):
        pickle.dumps(model)


def test_results_of_analyses_say_what_to_pickle():
    car = quarter_car()
    for made, remedy in (
        (car.simulate(0.1), "to_xarray"),
        (car.prepare(0.1), "Pickle the model"),
        (car.prepare(0.1).map(), "to_array"),
        (car.linearize(), "arrays A, B, C, D"),
        (car.modes(), r"list\(modes\)"),
        (car.sweep_kinematics("body.s", [0.0, 0.1]), "to_xarray"),
        (car.simulators(2, step=1e-3), "Pickle the model"),
        (car.compile(), "Pickle the model"),
        (car.to_casadi(), "Pickle the model"),
    ):
        with pytest.raises(FileFormatError, match=remedy):
            pickle.dumps(made)
    shapes = again(list(car.modes()))
    assert shapes[1].frequency == car.modes()[1].frequency
    assert again(car.equilibrium()).stability == "stable"
    assert again(gallery.PlanarFourbar().branches())[0].is_start


def test_inputs_and_outputs_of_a_simulator_pickle_with_it():
    simulator = pendulum().simulator()
    torque, angle = simulator.inputs("torque.tau_constant"), simulator.outputs("hinge.phi")
    torque.write([1.5])
    simulator.step(0.1)
    there, same = again((torque, angle))
    assert there.read() == torque.read() and same.read() == angle.read()
