"""A model as a Python object: copied, pickled, changed after a run, used within another."""

import copy
import pickle
import pydoc

import numpy as np
import pytest

import motorik as mk
from motorik.components.base.part import parameter
from motorik.components.base.values import as_number
from motorik.errors import ParameterError
from tests.refusals import refused


class Pendulum(mk.Model):
    def build(self, n=(0, 0, 1), m=1.0):
        self.world = mk.World()
        self.rev = mk.Revolute(n=n)
        self.body = mk.Body(m=m, r_CM=(0.5, 0, 0))
        self.world.frame_b >> self.rev.frame_a
        self.rev.frame_b >> self.body.frame_a


def end(model, **options):
    return model.simulate(1.0, **options).states[-1].tolist()


COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda model: pickle.loads(pickle.dumps(model)),
}


@pytest.mark.parametrize("make", COPIES.values(), ids=COPIES)
def test_a_copy_of_a_compiled_model_has_parts_of_its_own(make):
    model = Pendulum()
    before = end(model)
    twin = make(model)
    assert end(twin) == before
    twin.body.r_CM = (1.0, 0.0, 0.0)
    assert model.body.r_CM.xyz == (0.5, 0.0, 0.0)
    assert twin.body.parent is twin and twin.body.frame_a.owner is twin.body
    assert end(twin) == end(copied_anew())
    assert end(model) == before


def copied_anew():
    model = Pendulum()
    model.body.r_CM = (1.0, 0.0, 0.0)
    return model


def test_an_override_leaves_the_axis_to_the_last_bit_and_compiles_nothing_twice():
    model = Pendulum(n=(1, 2, 3.3))
    system, axis = model.compile(), model.rev.n.xyz
    model.simulate(0.1, parameters={"rev.n": (0, 0, 1)})
    assert model.rev.n.xyz == axis
    assert model.compile() is system


def test_overrides_that_are_no_mapping_are_refused():
    with refused(mk.SimulationError, "parameters = [1]", "body.m"):
        Pendulum().simulate(1.0, parameters=[1])


def test_a_result_stays_as_it_was_when_the_model_grows():
    model = Pendulum()
    result, same = model.simulate(1.0), Pendulum().simulate(1.0)
    model.load = mk.Body(m=5.0)
    model.rev.frame_b >> model.load.frame_a
    assert result.names() == same.names()
    for name in ("body.frame_a.f", "rev.frame_b.f", "rev.a"):
        np.testing.assert_array_equal(result[name], same[name])
    with refused(mk.UnknownNameError, "no part 'load'", "body, rev, world."):
        result["load.r_0"]


def test_forces_at_a_port_of_a_model_stay_when_more_is_connected_inside():
    class Arm(mk.Model):
        frame_a = mk.components.base.part.frame("where it is held")

        def build(self):
            self.body = mk.Body(m=1.0, r_CM=(0.5, 0, 0))
            self.frame_a >> self.body.frame_a

    outer = mk.Model()
    outer.world, outer.rev, outer.arm = mk.World(), mk.Revolute(), Arm()
    outer.world.frame_b >> outer.rev.frame_a
    outer.rev.frame_b >> outer.arm.frame_a
    result = outer.simulate(0.1)
    outer.arm.more = mk.Body(m=2.0)
    outer.arm.frame_a >> outer.arm.more.frame_a
    np.testing.assert_array_equal(result["arm.frame_a.f"], result["arm.body.frame_a.f"])


def test_every_variable_of_a_model_within_another_is_found_by_its_listed_name():
    outer = mk.Model()
    outer.arm = Pendulum()
    result = outer.arm.simulate(0.1)
    for name in result.names():
        assert name.startswith("arm.")
        assert np.isfinite(result[name]).all()
    np.testing.assert_array_equal(result["body.r_0"], result["arm.body.r_0"])


def test_a_model_that_becomes_a_part_goes_by_its_new_name():
    arm = Pendulum()
    assert arm.compile().state_names == ["rev.phi", "rev.w"]
    outer = mk.Model()
    outer.arm = arm
    assert arm.compile().state_names == ["arm.rev.phi", "arm.rev.w"]


def test_parts_and_parameters_cannot_be_deleted():
    model = Pendulum()
    with refused(mk.ParameterError, "body", "cannot be removed"):
        del model.body
    with refused(mk.ParameterError, "body.m", "cannot be removed"):
        del model.body.m
    model.note = "mine"
    del model.note
    assert not hasattr(model, "note")


class Rod(mk.Model):
    L = parameter("length", "m", 1.0, as_number())

    def build(self):
        self.world = mk.World()
        self.rev = mk.Revolute()
        self.body = mk.Body(m=1.0, r_CM=(self.L, 0, 0))
        self.world.frame_b >> self.rev.frame_a
        self.rev.frame_b >> self.body.frame_a


def test_what_build_has_read_cannot_change_unnoticed():
    model = Rod()
    with refused(mk.ParameterError, "L", "when the model was built", "Rod(L=…)"):
        model.simulate(1.0, parameters={"L": 2.0})
    with refused(mk.ParameterError, "L", "live Parameter"):
        model.L = 2.0
    assert model.L == 1.0


def test_a_live_parameter_read_by_build_reaches_the_parts():
    live = Rod(L=mk.Parameter(1.0))
    np.testing.assert_allclose(end(live, parameters={"L": 2.0}), end(Rod(L=2.0)), rtol=1e-9)


def test_a_live_axis_is_a_direction_whatever_its_length():
    model = Pendulum(n=mk.Parameter((0.0, 0.0, 1.0)))
    once = end(model)
    assert end(model, parameters={"rev.n": (0.0, 0.0, 4.0)}) == once
    np.testing.assert_allclose(once, end(Pendulum()), rtol=1e-12)
    world = mk.World(n=mk.Parameter((0.0, -3.0, 0.0)))
    assert world.resolved(lambda scalar: scalar.value).n.xyz == (0.0, -1.0, 0.0)
    with refused(mk.ParameterError, "length zero"):
        mk.Revolute(n=mk.Parameter((0.0, 0.0, 0.0)))


def test_models_of_shaped_bodies_and_composite_joints_can_be_pickled():
    model = mk.Model()
    model.world = mk.World()
    model.joint = mk.Universal(phi_a=0.3)
    model.box = mk.BodyBox(r=(0.5, 0, 0), width=0.06)
    model.connect(model.world.frame_b, model.joint.frame_a)
    model.connect(model.joint.frame_b, model.box.frame_a)
    twin = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(twin.simulate(1.0).states, model.simulate(1.0).states)


def test_a_live_parameter_is_known_by_its_new_name_at_once():
    weight = mk.Parameter(1.0, name="weight")
    model = Pendulum(m=weight)
    model.simulate(0.1, parameters={"weight": 2.0})
    weight.name = "load"
    np.testing.assert_allclose(
        end(model, parameters={"load": 3.0}), end(Pendulum(m=3.0)), rtol=1e-9
    )
    assert abs(end(model)[0] - end(Pendulum(m=3.0))[0]) > 1e-6
    with refused(mk.UnknownNameError, "weight"):
        model.simulate(0.1, parameters={"weight": 2.0})


# --- names and help ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["scene", "sample", "path", "parts", "strategy"])
def test_a_part_that_would_hide_a_name_of_the_model_is_refused_with_another_name(name):
    model = mk.Model()
    with refused(ParameterError, f"Model.{name}", "every Model has", f"{name}_body"):
        setattr(model, name, mk.Body(m=1.0))
    setattr(model, f"{name}_body", mk.Body(m=1.0))


def test_help_of_a_part_shows_its_declarations_and_no_machinery():
    text = pydoc.plain(pydoc.render_doc(mk.Revolute))
    for shown in ("stops [rad] = None", "phi [rad]: angle of rotation", "frame_b: frame"):
        assert shown in text
    for hidden in ("contributions", "resolved", "__setattr__", "PortSpec"):
        assert hidden not in text
    assert {"simulate", "explain", "connect"} <= set(dir(mk.Model))
    assert not {"contributions", "resolved", "specs"} & set(dir(mk.Model))
    assert "contributions" in dir(mk.Part)  # for those who write parts


def test_help_lists_the_methods_that_a_user_has_written():
    class Wheel(mk.Body):
        """A wheel."""

        def rim_speed(self) -> float:
            """Return the speed of the rim."""
            return 0.0

    assert dir(Wheel) == ["rim_speed"]
    assert "Return the speed of the rim." in pydoc.render_doc(Wheel)
    assert {"m", "rim_speed", "frame_a"} <= set(dir(Wheel(m=1.0)))
