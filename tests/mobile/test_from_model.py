"""Mechanisms of models as chains: the same motion by MOBILE's equations."""

import pytest

from motorik import Body, Model, Prismatic, Revolute, Spherical, World, gallery
from motorik.errors import AssemblyError
from motorik.mobile import AdamsIntegrator, chain_of_model, write_program


def double_pendulum():
    model = gallery.DoublePendulum()
    model.damper.d = 0.0
    return model


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "duration"), [(double_pendulum, 0.5), (gallery.Fourbar1, 0.2)]
)
def test_a_chain_moves_as_the_model_that_it_is_of(make, duration):
    model = make()
    found = chain_of_model(model)
    space = {"__name__": "written"}
    exec(write_program(found.chain, found.system), space)
    for system in (found.system, space["system"]):
        integrator = AdamsIntegrator(system, duration / 10, relative_tolerance=1e-9)
        result = integrator.run(duration)
        real = model.simulate(duration, rtol=1e-10)
        names = [
            name for name in real.state_names if name.replace(".", "_") in result.names()
        ]
        assert names
        for name in names:
            mine = result[name.replace(".", "_")][-1]
            assert mine == pytest.approx(real[name][-1], abs=1e-7)


def test_a_planar_loop_gets_as_many_measures_as_it_needs():
    found = chain_of_model(gallery.PlanarFourbar())
    solver = found.chain.elements[0]
    assert len(solver.unknowns) == len(solver.chords) == 3
    assert [one.name for one in found.system.variables] == ["revolute1_phi"]
    assert found.left_out == {"damper": "a force in a drive line"}


def test_start_values_masses_and_gravity_are_those_of_the_model():
    model = Model()
    model.world = World(n="-z", g=5.0)
    model.slide = Prismatic(n="x", s=0.3, v=0.2)
    model.rev = Revolute(n="y", phi=0.1, w=0.4)
    model.body = Body(m=2.0, r_CM=(0.1, 0.2, 0.3), I_11=1.0, I_22=2.0, I_33=3.0, I_21=0.1)
    model.world.frame_b >> model.slide.frame_a
    model.slide.frame_b >> model.rev.frame_a
    model.rev.frame_b >> model.body.frame_a
    found = chain_of_model(model)
    s, phi = found.variables["slide.s"], found.variables["rev.phi"]
    assert (s.q, s.qd, phi.q, phi.qd) == (0.3, 0.2, 0.1, 0.4)
    (mass,) = [one for one in found.chain.elements if type(one).__name__ == "MassElement"]
    assert mass.m == 2.0
    assert mass.r_CM.numpy() == pytest.approx([0.1, 0.2, 0.3])
    assert found.system.gravity.numpy() == pytest.approx([0.0, 0.0, -5.0])
    found.system.builder.build()
    simulator = model.simulator()
    forces = found.system.builder
    found.system.builder.solve()
    accelerations = dict(zip(("s", "phi"), forces.accelerations, strict=True))
    assert accelerations["s"] == pytest.approx(simulator["slide.a"])
    assert accelerations["phi"] == pytest.approx(simulator["rev.a"])


def test_what_has_no_variables_is_refused():
    model = Model()
    model.world, model.ball, model.body = World(), Spherical(), Body(m=1.0, r_CM=(1, 0, 0))
    model.world.frame_b >> model.ball.frame_a
    model.ball.frame_b >> model.body.frame_a
    with pytest.raises(AssemblyError, match="useQuaternions=False"):
        chain_of_model(model)
