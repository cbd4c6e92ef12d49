"""Gathering: the parts of a model and their shapes."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from motorik.algebra.vector import Vector
from motorik.components.base.composite import Composite
from motorik.components.base.part import Part
from motorik.components.base.ports import Port, PortKind
from motorik.components.joints.rolling import (
    RollingWheel,
    RollingWheelJoint,
    UprightRolling,
    WheelSet,
)
from motorik.components.parts.bodies import Body, PointMass
from motorik.components.parts.rigid import Fixed, FixedRotation, FixedTranslation
from motorik.components.parts.solids import ShapedBody
from motorik.components.parts.world import World
from motorik.components.visualizers import ShapedVisualizer
from motorik.errors import MotorikError, MotorikWarning, calls_within_motorik
from motorik.motion.catalogue import FLANGE_LETTERS
from motorik.planar import Body as FlatBody
from motorik.view.scene.annotations import Axes, LineAnnotation, TextAnnotation
from motorik.view.scene.place import WORLD, ScenePose, SceneSpan, triple
from motorik.view.scene.scene import ScenePart
from motorik.view.scene.shapes import BoxShape, CylinderShape, Shape
from motorik.view.theme import TINTS, shares_of
from motorik.view.visuals import Setting, mesh_of_part, shapes_of, visual
from motorik.view.visuals.clearance import Solids
from motorik.view.visuals.line_cell import bench
from motorik.view.visuals.sensors import outputs
from motorik.view.visuals.setting import owners_of

if TYPE_CHECKING:
    from motorik.view.scene_builder.places import OpenJoint


# --- values of parts that are listed by viewers ---------------------------------------------


FLAT = ("x", "y", "theta", "vx", "vy", "w")
POSITIONS, SPEEDS = ("phi", "s", "phi_rel", "s_rel"), ("w", "v", "w_rel", "v_rel")
FORCES = ("tau", "f")
ENDS = ("phi_a", "phi_b", "s_a", "s_b")
MOST = 6  # signals of one part


def take_readings(part: Part, s: Setting, known: Collection[str]) -> None:
    """Ask for the values of a part, if it has none yet; `known` are its variables."""
    if all(port.kind is PortKind.SIGNAL for port in part.ports()):
        s.channels(part, *_outputs(part, known))  # of a block always, besides its states
    if s.has_channels(part):
        return
    for names in _choices(part, s, known):
        if names:
            s.channels(part, *names)
            return


def _choices(part: Part, s: Setting, known: Collection[str]) -> Iterator[list[str]]:
    """Yield the values that may be shown, the most informative first."""
    if set(FLAT) <= set(known):
        yield list(FLAT)
    if {"r_0", "v_0"} <= set(known):
        yield [*_vector("r_CM_0" if "r_CM_0" in known else "r_0"), *_vector("v_0")]
    frames = s.frames(part)
    if "r_rel_a" in known:
        yield _vector("r_rel_a")
    if {"Q", "w_rel"} <= set(known):  # its angles are three
        yield [*_vector("phi"), *_vector("w_rel")]
    groups = (POSITIONS, SPEEDS) if frames else (POSITIONS, SPEEDS, FORCES)
    yield [name for group in groups for name in group if name in known][:3]
    yield [name for name in ENDS if name in known]
    yield [
        f"{port.name}.{letter}"
        for port in part.ports()
        for letter, _ in FLANGE_LETTERS.get(port.kind, ())[:2]
        if f"{port.name}.{letter}" in known
    ][:MOST]
    yield _outputs(part, known)
    yield [
        name
        for port in part.ports()
        if port.kind is PortKind.SIGNAL
        for name in (element.name for element in port.elements)
        if name.split("[")[0] in known
    ][:MOST]
    for port in frames:
        if s.at(port).group != WORLD and f"{port.name}.r_0" in known:
            yield _vector(f"{port.name}.r_0")


def _outputs(part: Part, known: Collection[str]) -> list[str]:
    return [name for name in outputs(part) if name.split("[")[0] in known][:MOST]


def _vector(name: str) -> list[str]:
    return [f"{name}[{k}]" for k in (1, 2, 3)]


LONGEST = 200  # letters of the line about a part
HIDING = (
    *(Body, PointMass, ShapedBody, FlatBody, Fixed, FixedTranslation, FixedRotation),
    *(RollingWheel, RollingWheelJoint, UprightRolling, WheelSet, ShapedVisualizer),
)
"""Parts whose shapes hide their inside."""


class VisualWarning(MotorikWarning):
    """A part cannot be drawn as it should be."""


@dataclass
class ShownParts:
    """The parts of a model that are shown, and their shapes; of `drawn` ones they are known."""

    parts: list[ScenePart] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    drawn: Mapping[Part, list[Shape] | None] = field(default_factory=dict)

    def take(self, part: Part, s: Setting) -> None:
        """Add a part with its shapes, or the parts within it."""
        note = None
        try:
            own = self.drawn[part] if part in self.drawn else own_shapes(part, s)
        except MotorikError as error:  # a mesh is missing, an option does not fit
            said = str(error) if error.place == part.label else f"{part.label}: {error}"
            warnings.warn(VisualWarning(said), stacklevel=calls_within_motorik())
            own, note = [], said
        if own is None:
            for inner in part.parts.values():
                self.take(inner, s)
            return
        number = len(self.parts)
        self.shapes += [tinted(shape.of_part(number)) for shape in own]
        if s.variables is not None:
            take_readings(part, s, s.variables(part))
        self.parts.append(describe(part, own, s, note))


def own_shapes(part: Part, s: Setting) -> list[Shape] | None:
    """Return the shapes of a part as its options want them; None for those within it."""
    own = shapes_of(part, s)
    frames = s.frames(part)
    if not is_shown(part, s):
        return [] if own is not None or not part.parts else None
    if frames and s.option(part, "mesh"):
        own = mesh_of_part(s, part)
    if own is None:
        return None
    line = bench(part, s) if own else None
    own = [*own, *(() if line is None else line.links())]
    own = [finished(shape, part, s) for shape in own]
    if s.option(part, "showFrames", False):
        own += [frame_annotation(s, port) for port in frames]
    return own


def solids_of(model: Part, s: Setting) -> tuple[Solids, dict[Part, list[Shape] | None]]:
    """Return where the bodies of a model are, and their shapes."""
    found, waiting = Solids(), list(model.parts.values())
    drawn: dict[Part, list[Shape] | None] = {}
    while waiting:
        part = waiting.pop()
        if isinstance(part, HIDING):
            try:
                drawn[part] = own_shapes(part, s)
            except MotorikError:
                continue  # reported when its shapes are gathered
            found.take(drawn[part] or (), s.places.pose_now)
        elif visual.dispatch(type(part)) is visual.dispatch(Composite):
            waiting += part.parts.values()
    return found, drawn


def finished(shape: Shape, part: Part, s: Setting) -> Shape:
    """Return a shape with the colour, opacity and gloss of its part."""
    color = shape.color
    if color is None and not isinstance(shape, Axes):
        color = s.color(part)
    opacity = shape.opacity * float(s.option(part, "opacity", 1.0))
    specular = s.option(
        part, "specularCoefficient", s.sizes.given.get("defaultSpecularCoefficient")
    )
    return replace(shape, color=color, opacity=opacity, specular=specular)


def tinted(shape: Shape) -> Shape:
    """Return a body in the tint of its rigid group; parts fixed to the world are grey."""
    if shape.role != "body" or shape.color is not None:
        return shape
    at = shape.at.begin if isinstance(shape.at, SceneSpan) else shape.at
    if at.group == WORLD:
        return replace(shape, role="ground")
    return replace(shape, color=shares_of(TINTS[(at.group - 1) % len(TINTS)]))


def frame_annotation(s: Setting, port: Port) -> Shape:
    """Return the axes of a frame with labels."""
    return Axes(at=s.at(port), size=s.sizes.axis, labels=True, role="frame")


def is_shown(part: Part, s: Setting) -> bool:
    """Return whether a part, and every model around it, is to be shown."""
    return all(s.option(one, "animation", True) for one in part.lineage())


def describe(part: Part, shapes: list[Shape], s: Setting, note: str | None) -> ScenePart:
    """Return the text of a viewer about a part."""
    role = shapes[0].role if shapes else "signal"
    text = " ".join(Part.__repr__(part).split())
    text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    values = tuple(s.readings.get(part.path, ()))
    return ScenePart(part.path, type(part).__name__, role, text, values, note)


def gather(model: Part, s: Setting, drawn: Mapping[Part, list[Shape] | None]) -> ShownParts:
    """Return the parts of a model and their shapes, of which those of bodies are known."""
    found = ShownParts(drawn=drawn)
    worlds = [part for part in model.walk() if isinstance(part, World)]
    for part in model.parts.values():
        found.take(part, s)
    if any(not s.option(world, "enableAnimation", True) for world in worlds):
        found.shapes.clear()
    values: dict[str, list[str]] = {}  # all that were requested within a part
    for name in s.names:
        for path in owners_of(name):
            values.setdefault(path, []).append(name)
    found.parts = [replace(p, values=tuple(values.get(p.path, ()))) for p in found.parts]
    return found


def notes_of(errors: list[MotorikError], model: Part) -> dict[str, str]:
    """Return errors by the path of the part they are about, else of the first part."""
    paths = {part.path for part in model.walk()} - {""}
    notes: dict[str, str] = {}
    for error in errors:
        named = [path for path in _candidates(error) if path in paths]
        for path in named or sorted(paths)[:1]:
            notes[path] = str(error)
    return notes


def _candidates(error: MotorikError) -> list[str]:
    """Return the paths that an error may be about: parts of its place, inner before outer."""
    found: list[str] = []
    for place in error.place.split(", "):
        path = place.strip()
        while path:
            found.append(path)
            path = path.rpartition(".")[0]
    return found


def note_shapes(
    found: ShownParts, height: float, places: Mapping[str, ScenePose]
) -> list[Shape]:
    """Return error messages as texts, each at its part."""
    return [
        TextAnnotation(
            at=places.get(part.path, ScenePose()),
            text=" ".join(part.note.split()),
            height=height,
            role="error",
            layer="labels",
            part=number,
        )
        for number, part in enumerate(found.parts)
        if part.note
    ]


def opened(
    shapes: Iterable[Shape], gaps: Sequence[OpenJoint], paths: Sequence[str]
) -> list[Shape]:
    """Return shapes that are not drawn across gaps of their parts, and lines there instead."""
    found = list(shapes)
    for gap in gaps:
        shown = [path for path in _lineage(gap.part.path) if path in paths]
        part = paths.index(shown[0]) if shown else None
        found = [
            replace(shape, at=gap.drawn(shape.at))
            if part is not None and shape.part == part and isinstance(shape.at, SceneSpan)
            else shape
            for shape in found
        ]
        ends = triple(gap.held.p.numpy()), triple(gap.found.p.numpy())
        line = LineAnnotation(points=ends, width=2.5, dashed=True, role="error")
        found.append(line if part is None else line.of_part(part))
    return found


def settled(shape: Shape) -> Shape:
    """Return a shape between two points of one rigid group as one of a length, which is fixed."""
    span = shape.at
    if not isinstance(span, SceneSpan) or span.begin.group != span.end.group:
        return shape
    if not isinstance(shape, (CylinderShape, BoxShape)):
        return shape
    begin, end = Vector(*span.begin.r), Vector(*span.end.r)
    along = end - begin
    length = float(along.norm())
    if not length > 0.0:
        return shape
    first, last = span.share
    at = ScenePose(span.begin.group, span.begin.r).along(along).moved(first * length)
    return replace(shape, at=at, length=(last - first) * length)


def _lineage(path: str) -> Iterator[str]:
    """Yield the path of a part and those around it."""
    while path:
        yield path
        path = path.rpartition(".")[0]
