"""Every part that moves or gives a signal shows a short list of its values."""

import motorik as mk
from motorik import rotational, translational


def test_values_of_parts_that_are_no_states():
    model = mk.Model()
    model.motor = rotational.Inertia(J=0.1, w=1.0)
    model.gear, model.wheel = (
        rotational.IdealGear(ratio=3.0),
        rotational.IdealGearR2T(ratio=10.0),
    )
    model.mass, model.bearing = translational.Mass(m=1.0), rotational.BearingFriction()
    model.connect(model.motor.flange_b, model.gear.flange_a)
    model.connect(model.gear.flange_b, model.wheel.flangeR)
    model.connect(model.wheel.flangeT, model.mass.flange_a)
    model.connect(model.bearing.flange_a, model.motor.flange_a)
    scene = model.scene()
    values = {part.path: part.values for part in scene.parts}
    assert values["gear"] == ("gear.phi_a", "gear.phi_b")
    assert values["mass"][:2] == ("mass.s", "mass.v")
    assert "bearing.tau" in values["bearing"]
    assert values["wheel"]
    run = model.simulate(0.1).scene()
    assert [channel.name for channel in run.channels] == [c.name for c in scene.channels]
