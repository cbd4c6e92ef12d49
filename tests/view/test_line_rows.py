"""Rows of drive lines: what is connected touches or is joined by a shaft."""

import warnings
from itertools import pairwise

import numpy as np
import pytest

import motorik as mk
from motorik import rotational, translational
from motorik.initialisation.initialise import initialise
from motorik.view.scene.shapes import CylinderShape
from motorik.view.scene_builder.build import SceneBuilder
from motorik.view.scene_builder.places import MechanismPlaces
from motorik.view.visuals.line_layout import flanges_of
from scripts.make_catalogue import examples_of, public_parts

EXAMPLES = [
    (window, name)
    for window in ("rotational", "translational")
    for name in public_parts(window)
]


class Braked(mk.Model):
    """A motor, a gear, a load, and a spring and a damper beside each other at two walls."""

    def build(self):
        self.motor = rotational.ConstantTorque(tau_constant=1.0)
        self.rotor, self.load = rotational.Inertia(J=0.1), rotational.Inertia(J=1.0)
        self.gear = rotational.IdealGear(ratio=3.0)
        self.damper, self.spring = rotational.Damper(d=0.1), rotational.Spring(c=10.0)
        self.wall, self.other = rotational.Fixed(), rotational.Fixed()
        self.connect(self.motor.flange, self.rotor.flange_a)
        self.connect(self.rotor.flange_b, self.gear.flange_a)
        self.connect(self.gear.flange_b, self.load.flange_a)
        self.connect(self.damper.flange_a, self.load.flange_b)
        self.connect(self.damper.flange_b, self.wall.flange)
        self.connect(self.spring.flange_b, self.load.flange_b)  # the other way round
        self.connect(self.spring.flange_a, self.other.flange)


class Suspended(mk.Model):
    """A mass between two walls: a spring and a damper beside each other, a damper behind."""

    def build(self):
        self.wall, self.end = translational.Fixed(), translational.Fixed(s0=1.0)
        self.spring = translational.Spring(c=100.0, s_rel0=0.3)
        self.damper, self.behind = translational.Damper(d=1.0), translational.Damper(d=2.0)
        self.mass = translational.Mass(m=1.0, s=0.5, L=0.1)
        for one in (self.spring, self.damper):
            self.connect(self.wall.flange, one.flange_a)
            self.connect(one.flange_b, self.mass.flange_a)
        self.connect(self.mass.flange_b, self.behind.flange_a)
        self.connect(self.behind.flange_b, self.end.flange)


def maker_of(model):
    system = model.compile()
    found = initialise(system, {}, system.parameter_values())
    poses = found.system.poses(found.t, found.X, found.p).reshape(-1, 7)
    return SceneBuilder(
        model, MechanismPlaces.of(found.system, found.p, poses), found.system
    )


def ends_of(layout, part):
    """Return where the flanges of a part are along its row, by their sets."""
    cell = layout.cells[part]
    first, last = (cell.end, cell.begin) if cell.turned else (cell.begin, cell.end)
    nodes = [layout.facts.node[port] for port in flanges_of(part)]
    middle = [(first + last) / 2] * len(nodes)
    places = middle if cell.below else (first, last, *middle)
    return dict(zip(nodes, places, strict=False))


def check_joined(layout):
    """Refuse a set of flanges whose parts in one row neither touch nor are joined."""
    at: dict = {}
    for part, cell in layout.cells.items():
        for node, x in ends_of(layout, part).items():
            if layout.rows.get(node) is cell.row:
                at.setdefault(node, []).append(x)
    joined: dict = {}
    for links in layout.links.values():
        for port, begin, end in links:
            joined.setdefault(layout.facts.node[port], []).append((begin, end))
    for node, places in at.items():
        reached, rest = {round(places[0], 9)}, {round(x, 9) for x in places}
        for _ in range(len(rest)):
            for begin, end in joined.get(node, ()):
                pair = {round(begin, 9), round(end, 9)}
                reached |= pair if pair & reached else set()
        assert rest <= reached, (node.path, places, joined.get(node))


@pytest.mark.slow
@pytest.mark.parametrize(("window", "name"), EXAMPLES)
def test_connected_parts_of_examples_touch_or_are_joined(window, name):
    warnings.simplefilter("ignore")
    check_joined(maker_of(getattr(examples_of(window), name)()).setting.lines)


@pytest.mark.parametrize("kind", [Braked, Suspended])
def test_connected_parts_touch_or_are_joined(kind):
    model = kind()
    layout = maker_of(model).setting.lines
    check_joined(layout)
    assert len({id(cell.row.columns) for cell in layout.cells.values()}) == 1
    cells = sorted({(cell.begin, cell.end) for cell in layout.cells.values()})
    for (_, end), (begin, _) in pairwise(cells):
        assert begin == pytest.approx(end)


def test_what_is_parallel_is_drawn_beside_each_other_springs_outside():
    for model in (Braked(), Suspended()):
        cells = maker_of(model).setting.lines.cells
        spring, damper = cells[model.spring], cells[model.damper]
        assert (spring.begin, spring.end) == (damper.begin, damper.end)
        assert spring.layer > damper.layer


def test_a_wall_stands_at_what_it_holds():
    model = Suspended()
    layout = maker_of(model).setting.lines
    for wall, held in ((model.wall, model.spring), (model.end, model.behind)):
        node = layout.facts.node[wall.flange]
        assert ends_of(layout, wall)[node] == pytest.approx(ends_of(layout, held)[node])


def test_shafts_lead_to_what_stands_farther():
    model = Braked()
    layout = maker_of(model).setting.lines
    linked = [part for part, links in layout.links.items() if links]
    assert linked == [model.other] or linked == [model.wall]
    (part,) = linked
    ((_, begin, end),) = layout.links[part]
    shapes = model.scene().shapes_of(part.path)
    lengths = [s.length for s in shapes if isinstance(s, CylinderShape)]
    assert np.isclose(lengths, abs(end - begin)).any()
