"""Every part of the catalogue: it is seen, its options change its picture, it shows values.

The model of a part is made and compiled once for all of these laws.
"""

import warnings
from dataclasses import dataclass

import numpy as np
import pytest

import motorik as mk
from motorik.components.base.declarations import PortSpec
from motorik.components.base.equation_part import EquationPart
from motorik.components.base.part import Part
from motorik.components.base.ports import PortKind
from motorik.components.base.visual import visual_names
from motorik.view.scene.place import SceneSpan
from motorik.view.scene.scene import Scene
from scripts.make_catalogue import WINDOWS, examples_of, public_parts
from tests.view.drive_lines import check_joined
from tests.view.test_visual_laws import ELSEWHERE
from tests.view.visual_options import TETRAHEDRON, builder_maker, silent_options

ALL = [(window, name) for window in WINDOWS for name in public_parts(window)]
PARTS = [part for k in range(3) for part in ALL[k::3]]  # a third has parts of all windows
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


@dataclass(frozen=True)
class Example:
    """A part of the catalogue in its example, with the scene of the example at its start."""

    kind: type[Part]
    model: mk.Model
    scene: Scene

    @property
    def part(self) -> Part:
        return next(part for part in self.model.walk() if type(part) is self.kind)


@pytest.fixture(scope="module", params=PARTS, ids=[".".join(part) for part in PARTS])
def example(request):
    window, name = request.param
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = getattr(examples_of(window), name)()
        return Example(public_parts(window)[name], model, model.scene())


@pytest.mark.slow
def test_it_is_seen(example):
    """A scene shows, or at least lists, all parts of a class."""
    scene, kind = example.scene, example.kind
    numbers = {shape.part for shape in scene.shapes}
    shown = {part.path for number, part in enumerate(scene.parts) if number in numbers}
    ports = [spec for spec in kind.specs.values() if isinstance(spec, PortSpec)]
    has_place = kind.is_drawn and any(port.kind is not PortKind.SIGNAL for port in ports)
    among = shown if has_place else {part.path for part in scene.parts}
    if kind is mk.blocks.Bus:
        return  # names of signals, which the parts connected with it show
    for path in (part.path for part in example.model.walk() if type(part) is kind):
        assert any(one == path or one.startswith(f"{path}.") for one in among), among


@pytest.mark.kinds(70)
@pytest.mark.slow
def test_every_option_changes_its_picture_or_is_refused(example, tmp_path, monkeypatch):
    (tmp_path / "tetrahedron.obj").write_text(TETRAHEDRON)
    monkeypatch.chdir(tmp_path)
    kind, part = example.kind, example.part
    if not visual_names(kind):
        is_block = kind.__module__.startswith("motorik.components.blocks")
        assert is_block or issubclass(kind, EquationPart) or not kind.is_drawn
        with pytest.raises(mk.UnknownNameError, match="color"):
            part.visual = {"color": "red"}
        return
    assert set(silent_options(example.model, part)) <= set(ELSEWHERE.get(kind, ()))


@pytest.mark.slow
def test_it_shows_some_values(example):
    scene, model, path = example.scene, example.model, example.part.path
    signals = {
        p.path
        for p in model.walk()
        if [*p.ports()] and all(q.kind is PortKind.SIGNAL for q in p.ports())
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


@pytest.mark.slow
def test_flanges_that_are_connected_touch_or_are_joined(example):
    lines = builder_maker(example.model)().setting.lines
    if lines is not None:
        check_joined(lines)
