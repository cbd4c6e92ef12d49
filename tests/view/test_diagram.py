"""Composition diagrams: every part and wire is there, none hides another, loops are marked."""

import itertools
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from motorik import (
    Body,
    FixedTranslation,
    Model,
    Revolute,
    World,
    connect,
    electrical,
    gallery,
    heat,
)
from motorik.authoring import Domain, Equation, EquationPart, equal
from motorik.errors import ParameterError
from motorik.view.diagram import figure
from motorik.view.diagram.drawing_types import Drawing
from motorik.view.diagram.layout import (
    crossings,
    find_layers,
    lay_out,
    order_columns,
    place_rows,
    with_bends,
)
from motorik.view.diagram.structure import Marks, marks_of, structure_of
from motorik.view.diagram.symbols import symbol_of
from scripts.make_catalogue import public_parts

MODELS = [
    name
    for name in gallery.__all__
    if isinstance(getattr(gallery, name), type)
    and issubclass(getattr(gallery, name), Model)
]


def overlapping(drawing: Drawing) -> list[tuple[str, str]]:
    found = []
    for a, b in itertools.combinations(drawing.boxes, 2):
        apart_x = a.x + a.width <= b.x or b.x + b.width <= a.x
        apart_y = a.y + a.height <= b.y or b.y + b.height <= a.y
        if not (apart_x or apart_y):
            found.append((a.node.name, b.node.name))
    for box in drawing.boxes:
        found += overlapping(box.inside) if box.inside is not None else []
    return found


@pytest.mark.kinds(24)
@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("name", MODELS)
def test_boxes_stand_apart_and_wires_end_at_them(name, depth):
    model = getattr(gallery, name)()
    structure = structure_of(model, depth, Marks())
    drawing = lay_out(structure)
    assert overlapping(drawing) == []
    assert {box.node.name for box in drawing.boxes} == set(model.parts)
    joined = {frozenset((_top(model, a), _top(model, b))) for a, b in model.connections}
    assert {frozenset((w.a, w.b)) for w, _ in drawing.wires} == joined
    boxes = {box.node.name: box for box in drawing.boxes}
    for wire, way in drawing.wires:
        for node, (x, y, _) in ((wire.a, way[0]), (wire.b, way[-1])):
            box = boxes[node]
            assert min(abs(x - box.x), abs(x - box.x - box.width)) < 1e-9
            assert box.y <= y <= box.y + box.height


def _top(model, port):
    owner = port.owner
    while owner.parent is not model:
        owner = owner.parent
    return owner.name


@pytest.mark.slow
def test_the_tree_and_the_cut_joints_are_those_of_assembly():
    for name in ("PlanarFourbar", "Fourbar1", "EngineV6", "Pendulum"):
        model = getattr(gallery, name)()
        marks, said = marks_of(model), model.explain()
        closed = [
            line.split("closed at ")[1] for line in said.splitlines() if "closed at" in line
        ]
        assert marks.cut == {part for line in closed for part in line.split(", ")}
        text = model.diagram(depth=2).svg()
        assert ("closes a loop" in text) == bool(marks.cut)
        assert text.count("in the spanning tree</title>") + text.count(
            "closes a loop</title>"
        ) == len({path for path in marks.tree | marks.cut if path.count(".") < 2})


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_diagrams_are_well_formed_and_shown_by_notebooks(depth):
    diagram = gallery.EngineV6().diagram(depth=depth)
    root = ET.fromstring(diagram._repr_svg_())
    words = [node.text for node in root.iter() if node.tag.endswith("text")]
    assert "cylinder6" in words or "cylinder6: EngineCylinder" in words
    assert "9 parts" in repr(gallery.PlanarFourbar().diagram()) or "parts" in repr(diagram)


def test_a_diagram_is_saved(tmp_path):
    file = gallery.Pendulum().diagram().save(tmp_path / "pendulum.svg")
    assert ET.parse(file).getroot().get("width")
    with pytest.raises(ParameterError, match="cannot write"):
        gallery.Pendulum().diagram().save(tmp_path / "pendulum.doc")
    with pytest.raises(ParameterError, match="depth = 0"):
        gallery.Pendulum().diagram(depth=0)


def test_names_cannot_become_elements():
    evil = type('<script>alert("1")</script>', (Model,), {})
    model = evil()
    model.world = World()
    model.hinge = Revolute()
    model.body = Body()
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.body.frame_a
    text = model.diagram().svg()
    assert "<script" not in text
    ET.fromstring(text)


def test_a_model_that_does_not_assemble_has_a_diagram_with_the_reason():
    model = Model()
    model.world = World()
    model.arm = FixedTranslation(r=(1, 0, 0))
    model.hinge = Revolute()
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.arm.frame_a
    said = model.diagram().svg()
    assert "does not assemble" in said and "hinge" in said


NODES = list(range(8))
EDGES = st.lists(st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)), max_size=14)


@settings(max_examples=60)
@given(EDGES)
def test_layers_are_distances(edges):
    edges = [(a, b) for a, b in edges if a != b]
    layer = find_layers(NODES, edges, [0])
    assert set(layer) == set(NODES) and layer[0] == 0
    for a, b in edges:
        assert abs(layer[a] - layer[b]) <= 1
    far = {0}
    for distance in range(1, len(NODES)):  # by breadth, as sets
        far |= {b for a, b in edges if a in far} | {a for a, b in edges if b in far}
        assert {n for n in far if layer[n] > distance} == set()


@pytest.mark.slow
@settings(max_examples=60)
@given(EDGES)
def test_columns_keep_their_nodes_cross_less_and_stand_apart(edges):
    edges = [(a, b) for a, b in edges if a != b]
    layer = {node: node % 4 for node in NODES}
    columns, ways = with_bends(layer, edges)
    ordered = order_columns(columns, ways)
    assert [set(column) for column in ordered] == [set(column) for column in columns]
    right = {one: [] for column in columns for one in column}
    at = {one: k for k, column in enumerate(columns) for one in column}
    for way in ways:
        for a, b in itertools.pairwise(way):
            if at[a] != at[b]:
                right[min(a, b, key=at.get)].append(max(a, b, key=at.get))
    assert crossings(ordered, right) <= crossings(columns, right)
    heights = {one: 10.0 + 3.0 * (hash(one) % 4) for one in at}
    y = place_rows(ordered, ways, heights, 5.0)
    for column in ordered:
        for a, b in itertools.pairwise(column):
            assert y[b] - y[a] >= (heights[a] + heights[b]) / 2 + 5.0 - 1e-9
    assert min(y[one] - heights[one] / 2 for one in at) == pytest.approx(0.0, abs=1e-9)


def test_crossings_are_counted_as_segments_cross():
    rng = np.random.default_rng(0)
    columns = [[("a", i) for i in range(6)], [("b", i) for i in range(6)]]
    wires = {(int(i), int(j)) for i, j in rng.integers(0, 6, (12, 2))}
    right = {one: [] for column in columns for one in column}
    for i, j in wires:
        right["a", i].append(("b", j))
    pairs = itertools.combinations(wires, 2)
    expected = sum((i - k) * (j - m) < 0 for (i, j), (k, m) in pairs)
    assert crossings(columns, right) == expected


def drawings(drawing):
    """Yield a drawing and those within its boxes."""
    yield drawing
    for box in drawing.boxes:
        if box.inside is not None:
            yield from drawings(box.inside)


@pytest.mark.slow
def test_a_wide_diagram_is_folded():
    """The V6, opened, is not much wider than high; its wires still end at their ports."""
    diagram = gallery.EngineV6().diagram(depth=2)
    whole = diagram._drawing
    assert whole.width < 3000.0 and whole.width < 2.5 * whole.height
    for drawing in drawings(whole):
        boxes = {box.node.name: box for box in drawing.boxes}
        assert all(0.0 <= box.x <= drawing.width - box.width for box in drawing.boxes)
        for wire, way in drawing.wires:
            ends = (wire.a, wire.port_a, way[0]), (wire.b, wire.port_b, way[-1])
            for node, port, (x, y, side) in ends:
                if node in boxes:
                    box = boxes[node]
                    px, py = box.ports[port, side]
                    assert (x, y) == pytest.approx((box.x + px, box.y + py))
                else:
                    assert (x, y) == pytest.approx(drawing.pins[port][:2])


@pytest.mark.parametrize("name", ["Pendulum", "Fourbar1", "PlanarFourbar"])
def test_ports_are_named_beside_their_boxes(name):
    model = getattr(gallery, name)()
    diagram = model.diagram()
    small = re.findall(
        r'<text x="([0-9.-]+)" y="([0-9.-]+)" dy="0.35em" font-size="8" fill="[^"]*" '
        r'text-anchor="(start|end)">([^<]*)</text>',
        diagram.svg(),
    )
    named = [port for box in diagram._drawing.boxes for port, _ in box.ports]
    assert [text for *_, text in small] == [port for port in named if len(port) <= 7]
    assert "frame_a" in named
    spans = []
    for x, y, anchor, text in small:
        wide = 4.8 * len(text)
        left = float(x) - (wide if anchor == "end" else 0.0)
        spans.append((left, left + wide, float(y)))
    for (a, b, y), (c, d, z) in itertools.combinations(spans, 2):
        assert abs(y - z) > 7.0 or b <= c or d <= a


def test_ports_of_each_domain_have_their_colour():
    model = Model()
    model.u, model.R = electrical.ConstantVoltage(), electrical.Resistor(useHeatPort=True)
    model.ground, model.body = electrical.Ground(), heat.HeatCapacitor()
    model.one, model.other = Pump(), Pump()
    connect(model.u.p, model.R.p)
    for pin in (model.R.n, model.ground.p):
        connect(model.u.n, pin)
    connect(model.R.heatPort, model.body.port)
    connect(model.one.port, model.other.port)
    svg = model.diagram().svg()
    for domain, count in (("electrical pins", 3), ("heat ports", 1), ("gas ports", 1)):
        assert f">{domain}<" in svg
        colour = {"electrical pins": "#4a2fc4", "heat ports": "#c2185b"}.get(domain)
        if colour is not None:
            assert svg.count(f'fill="none" stroke="{colour}"') == count


GAS = Domain("gas", across=("p", "Pa"), through=("m", "kg/s"))


class Pump(EquationPart):
    """A part of a domain of one's own."""

    port = GAS.port("port")

    def equations(self) -> Iterator[Equation]:
        """Yield p + m = 0."""
        yield equal(self.port.p, -self.port.m)


@pytest.mark.parametrize("window", ["electrical", "heat", "hydraulic", "magnetic"])
def test_every_part_of_a_network_has_a_symbol_within_its_room(window):
    """Paths are of letters and numbers; their absolute points are within the room."""
    for name, part in public_parts(window).items():
        if name in ("OnePort", "TwoPort"):  # bases of parts of users
            continue
        path = symbol_of(part())
        assert path, name
        absolute = re.findall(r"([MLHV])((?:\s?-?[\d.]+)+)", path)
        for letter, numbers in absolute:
            values = [float(one) for one in re.findall(r"-?[\d.]+", numbers)]
            across = {"H": values, "V": []}.get(letter, values[::2])
            upright = {"H": [], "V": values}.get(letter, values[1::2])
            assert all(abs(x) <= 20.0 for x in across), (name, path)
            assert all(abs(y) <= 9.0 for y in upright), (name, path)


def test_symbols_are_drawn_in_the_boxes_of_their_parts():
    class Own(electrical.Resistor):
        """A resistor of a user, which has the symbol of its base."""

    model = Model()
    model.R, model.source, model.ground = (
        Own(),
        electrical.SineVoltage(),
        electrical.Ground(),
    )
    connect(model.R.p, model.source.p)
    connect(model.R.n, model.source.n, model.ground.p)
    drawn = model.diagram().svg()
    for part in (model.R, model.source, model.ground):
        assert f'd="{symbol_of(part)}"' in drawn
    assert symbol_of(model.R) == symbol_of(electrical.Resistor())


@pytest.mark.slow
def test_a_picture_of_a_diagram_has_what_its_svg_has(tmp_path):
    """The colours of each box and wire are at the places that the SVG says."""
    diagram = gallery.Fourbar1().diagram()
    file = diagram.save(tmp_path / "fourbar.png")
    root = ET.fromstring(diagram.svg())
    svg = "{http://www.w3.org/2000/svg}"
    with Image.open(file) as image:
        pixels = np.asarray(image.convert("RGB")).astype(int)
    assert pixels.shape[1] == pytest.approx(2 * float(root.attrib["width"]), abs=2)
    (group,) = [one for one in root if "translate(24.0 " in one.get("transform", "")]
    x0, y0 = (float(n) for n in group.attrib["transform"][10:-1].split())
    seen = 0
    for box in group.iter(f"{svg}rect"):
        if "stroke" not in box.attrib or box.attrib["stroke"] == "none":
            continue
        x = x0 + float(box.attrib["x"]) + float(box.attrib["width"]) / 2
        border = pixels[round(2 * (y0 + float(box.attrib["y"]))), round(2 * x)]
        wanted = [int(box.attrib["stroke"][k : k + 2], 16) for k in (1, 3, 5)]
        if "stroke-dasharray" not in box.attrib:
            assert np.abs(border - wanted).max() < 60, box.attrib
            seen += 1
    assert seen >= 5


def test_arcs_of_symbols_become_cubics_of_the_same_circle():
    for end, large, onward in itertools.product(((1.0, 1.0), (-1.0, 1.0)), (0, 1), (0, 1)):
        path = f"M0 0A1 1 0 {large} {onward} {end[0]} {end[1]}"
        (_, [at]), *cubics = figure.path_of(path)
        turned, points = 0.0, []
        for code, (a, b, c) in cubics:
            assert code == "C"
            p = [np.array(one) for one in (at, a, b, c)]
            t = np.linspace(0.0, 1.0, 9)[:, None]
            weights = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
            points.append(sum(w * one for w, one in zip(weights, p, strict=True)))
            at = c
        way = np.concatenate(points)
        # all points have the same distance of 1 from one centre
        centre = np.linalg.lstsq(
            np.column_stack([2 * way, np.ones(len(way))]), (way**2).sum(axis=1), rcond=None
        )[0][:2]
        np.testing.assert_allclose(np.linalg.norm(way - centre, axis=1), 1.0, atol=1e-3)
        u, v = way[:-1] - centre, way[1:] - centre
        turned = float(
            np.arctan2(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0], (u * v).sum(axis=1)).sum()
        )
        assert (turned > 0.0) == bool(onward) and (abs(turned) > np.pi) == bool(large)
        np.testing.assert_allclose(at, end, atol=1e-12)
