"""Before a run everything shows the values of the start, as the first row of a run does."""

import numpy as np

import motorik as mk
from motorik import blocks, forces, sensors, visualizers
from motorik.view.render.scene_content import BodyPoses, SceneContent
from motorik.view.scene import read_scene
from motorik.view.scene.annotations import ArrowAnnotation, Field


class Loaded(mk.Model):
    """A hinged rod with a given force, cut forces, a contact and a field."""

    def build(self):
        self.world = mk.World()
        self.cut = sensors.CutForceAndTorque()
        self.hinge = mk.Revolute(n="z", phi=0.3, w=1.5)
        self.rod = mk.BodyBox(r=(0.5, 0.0, 0.0), width=0.05)
        self.force = forces.WorldForce()
        self.loads = [blocks.Constant(k=k) for k in (0.0, 30.0, 0.0)]
        self.spring = forces.Spring(c=200.0, s_unstretched=0.3)
        self.held = mk.Fixed(r=(0.8, 0.6, 0.0))
        self.pipe = visualizers.PipeWithScalarField(
            T=lambda m: (0.0, 0.5, 1.0), xsi=(0.0, 0.5, 1.0), length=0.2, rOuter=0.05
        )
        self.world.frame_b >> self.cut.frame_a
        self.cut.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.rod.frame_a
        self.rod.frame_b >> self.force.frame_b
        for load, port in zip(self.loads, self.force.force, strict=True):
            self.connect(load.y, port)
        self.held.frame_b >> self.spring.frame_a
        self.spring.frame_b >> self.rod.frame_b
        self.rod.frame_b >> self.pipe.frame_a


def test_values_of_a_model_are_those_of_the_first_row_of_its_run():
    model = Loaded()
    scene, run = model.scene(), model.simulate(0.1).scene()
    names = [channel.name for channel in scene.channels]
    assert names == [channel.name for channel in run.channels]
    np.testing.assert_allclose(scene.values, run.runs[0].values[0], rtol=1e-9, atol=1e-9)
    assert scene.values[names.index("force.force[2]")] == 30.0
    assert scene.values[names.index("hinge.w")] == 1.5


def test_arrows_and_fields_of_a_model_show_them():
    scene = Loaded().scene()
    contents = SceneContent(scene, ["forces", "parts"])
    poses = BodyPoses.of(scene.start)
    arrows = [
        s for s in scene.shapes if isinstance(s, ArrowAnnotation) and s.vector is not None
    ]
    shown = [contents._placed(arrow, poses, scene.values) for arrow in arrows]
    named = tuple(k for k, c in enumerate(scene.channels) if "force.force[" in c.name)
    index = [arrow.vector.channels for arrow in arrows].index(named)
    _, _, turn = shown[index]
    np.testing.assert_allclose(turn[:, 0], (0.0, 1.0, 0.0), atol=1e-12)
    (field,) = (shape for shape in scene.shapes if isinstance(shape, Field))
    form, *_ = contents._placed(field, poses, scene.values)
    colours = form.meshes[0][1]
    assert len(np.unique(colours, axis=0)) > 10


def test_they_are_kept_in_the_file_of_a_scene():
    scene = Loaded().scene()
    np.testing.assert_allclose(read_scene(scene.text()).values, scene.values, rtol=1e-6)


def test_a_model_that_does_not_assemble_has_none():
    model = mk.Model()
    model.world, model.hinge = mk.World(), mk.Revolute(n="z")
    model.connect(model.world.frame_b, model.hinge.frame_a)
    assert model.scene().values is None
