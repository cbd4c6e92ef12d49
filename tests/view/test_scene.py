"""Scenes: poses of rigid groups, shapes of every part, JSON there and back."""

import gc
import inspect
import json
import warnings

import numpy as np
import pytest

from motorik import Model, gallery
from motorik.view.scene import SceneSpan, read_scene, scene_of
from motorik.view.scene_builder.garbage import WITHOUT_SEARCH
from motorik.view.scene_builder.measure import turned
from scripts.make_catalogue import examples_of

MODELS = [
    name
    for name in gallery.__all__
    if inspect.isclass(getattr(gallery, name)) and issubclass(getattr(gallery, name), Model)
]


@pytest.fixture(scope="module", params=MODELS)
def result(request):
    made = getattr(gallery, request.param)()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return made.simulate(0.05, output=20)


def frames_of(scene_result):
    """Yield the frames of all parts with their places on rigid groups."""
    from motorik.components.base.ports import PortKind
    from motorik.view.scene_builder.places import MechanismPlaces

    system = scene_result._system
    places = MechanismPlaces(
        system.mechanism, system.equations.rigid_groups, scene_result.poses().values[0]
    )
    for part in system.mechanism.inventory.resolved:
        for port in part.ports():
            if port.kind is PortKind.FRAME:
                yield port, places.place(port)


@pytest.mark.kinds(4)
@pytest.mark.slow
def test_frames_ride_on_groups(result):
    """Poses of rigid groups and places on them give r_0 and R.T, which results compute."""
    poses = result.poses()
    frames = list(frames_of(result))
    names = [f"{port.path}.{what}" for port, _ in frames for what in ("r_0", "R.T")]
    data = result.compute(names)
    size = max(1e-3, max(abs(data[name]).max() for name in names[::2]))
    for port, place in frames:
        world = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
        pose = np.broadcast_to(world, (len(result), 7))
        if place.group:
            pose = poses.values[:, place.group - 1]
        r = pose[:, :3] + turned(pose[:, 3:], np.array(place.r))
        assert abs(r - data[f"{port.path}.r_0"]).max() <= 1e-12 * size
        for k, e in enumerate(np.eye(3)):
            axis = turned(pose[:, 3:], turned(np.array(place.q), e))
            assert abs(axis - data[f"{port.path}.R.T"][:, k]).max() <= 1e-12


@pytest.mark.slow
@pytest.mark.kinds(8)
def test_quaternions_have_length_one(result):
    q = result.poses().values[..., 3:]
    assert abs(np.linalg.norm(q, axis=-1) - 1.0).max() <= 1e-12


@pytest.mark.kinds(8)
def test_scenes_of_the_gallery_survive_json(result):
    scene = scene_of(result)
    assert scene.shapes and scene.runs[0].poses.shape[1] == len(scene.groups) - 1
    again = read_scene(scene.text())
    assert again.text() == scene.text()
    groups = {c for shape in scene.shapes for c in groups_of(shape)}
    assert groups <= set(range(len(scene.groups)))


def groups_of(shape):
    if isinstance(shape.at, SceneSpan):
        return shape.at.begin.group, shape.at.end.group
    return (shape.at.group,)


@pytest.mark.kinds(8)
def test_the_start_is_the_first_row(result):
    scene = scene_of(result.model)
    first = scene.placed(result.poses().values[0])
    assert np.abs(scene.start - first).max() <= 1e-9 * (1 + np.abs(first).max())


@pytest.mark.parametrize("name", ["Inertia", "IdealPlanetary", "ElastoBacklash"])
def test_drive_lines_survive_json(name):
    scene = scene_of(getattr(examples_of("rotational"), name)())
    assert json.loads(scene.text())["groups"] == list(scene.groups)


def test_the_search_for_garbage_is_on_again_after_a_scene():
    """Also where scenes are made within one another, fail, or the search was off before."""
    assert gc.isenabled()
    with WITHOUT_SEARCH, WITHOUT_SEARCH:
        assert not gc.isenabled()
    gallery.Pendulum().scene()
    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError), WITHOUT_SEARCH:
        1 / 0  # noqa: B018
    assert gc.isenabled()
    gc.disable()
    try:
        gallery.Pendulum().scene()
        assert not gc.isenabled()
    finally:
        gc.enable()
