"""Rows of drive lines: what is connected touches or is joined by a shaft."""

from itertools import pairwise

import numpy as np
import pytest

import motorik as mk
from motorik import rotational, translational
from motorik.view.scene.shapes import CylinderShape
from tests.view.drive_lines import check_joined, ends_of
from tests.view.visual_options import builder_maker


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


@pytest.mark.parametrize("kind", [Braked, Suspended])
def test_connected_parts_touch_or_are_joined(kind):
    model = kind()
    layout = builder_maker(model)().setting.lines
    check_joined(layout)
    assert len({id(cell.row.columns) for cell in layout.cells.values()}) == 1
    cells = sorted({(cell.begin, cell.end) for cell in layout.cells.values()})
    for (_, end), (begin, _) in pairwise(cells):
        assert begin == pytest.approx(end)


def test_what_is_parallel_is_drawn_beside_each_other_springs_outside():
    for model in (Braked(), Suspended()):
        cells = builder_maker(model)().setting.lines.cells
        spring, damper = cells[model.spring], cells[model.damper]
        assert (spring.begin, spring.end) == (damper.begin, damper.end)
        assert spring.layer > damper.layer


def test_a_wall_stands_at_what_it_holds():
    model = Suspended()
    layout = builder_maker(model)().setting.lines
    for wall, held in ((model.wall, model.spring), (model.end, model.behind)):
        node = layout.facts.node[wall.flange]
        assert ends_of(layout, wall)[node] == pytest.approx(ends_of(layout, held)[node])


def test_shafts_lead_to_what_stands_farther():
    model = Braked()
    layout = builder_maker(model)().setting.lines
    linked = [part for part, links in layout.links.items() if links]
    assert linked == [model.other] or linked == [model.wall]
    (part,) = linked
    ((_, begin, end),) = layout.links[part]
    shapes = model.scene().shapes_of(part.path)
    lengths = [s.length for s in shapes if isinstance(s, CylinderShape)]
    assert np.isclose(lengths, abs(end - begin)).any()
