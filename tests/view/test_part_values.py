"""Every part that moves or gives a signal shows a short list of its values."""

import warnings

import numpy as np
import pytest

import motorik as mk
from motorik import rotational, translational
from motorik.components.base.ports import PortKind
from motorik.view.scene.place import SceneSpan
from scripts.make_catalogue import WINDOWS, examples_of, public_parts

PARTS = [(window, name) for window in WINDOWS for name in public_parts(window)]
LONGEST = 14  # that of a free joint: position, orientation and their rates


def moves(scene, number):
    """Return whether a shape of a part is on a rigid group that moves."""
    for shape in scene.shapes:
        if shape.part == number and shape.layer == "parts":
            ends = (
                (shape.at.begin, shape.at.end)
                if isinstance(shape.at, SceneSpan)
                else (shape.at,)
            )
            if any(end.group for end in ends):
                return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize(("window", "name"), PARTS)
def test_every_part_shows_some_values(window, name):
    warnings.simplefilter("ignore")
    model = getattr(examples_of(window), name)()
    kind = public_parts(window)[name]
    scene = model.scene()
    path = next(part.path for part in model.walk() if type(part) is kind)
    signals = {
        p.path for p in model.walk() if all(q.kind is PortKind.SIGNAL for q in p.ports())
    }
    channels = {channel.name: k for k, channel in enumerate(scene.channels)}
    for number, part in enumerate(scene.parts):
        if part.path != path and not part.path.startswith(f"{path}."):
            continue
        assert len(part.values) <= LONGEST
        assert set(part.values) <= set(channels)
        assert np.isfinite([scene.values[channels[one]] for one in part.values]).all()
        if moves(scene, number) or part.path in signals:
            assert part.values, part


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
