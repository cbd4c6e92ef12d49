"""Shapes by name: of any kind, or from a file with a mesh, as options of parts choose them."""

from __future__ import annotations

from types import SimpleNamespace

from motorik.algebra.vector import Vector, X
from motorik.components.base.part import Part
from motorik.components.base.visual_kinds import MESH_SUFFIXES
from motorik.components.base.visual_options import ShapeVisual
from motorik.view.meshes import load_mesh
from motorik.view.scene import annotations, shapes
from motorik.view.scene.place import ScenePose, SceneSpan, triple
from motorik.view.scene.shapes import Shape
from motorik.view.visuals.setting import Setting

BLACK = (0.1, 0.1, 0.1)


def on(place: ScenePose, r: Vector) -> ScenePose:
    """Return the place at r [m] in the axes of another, parallel to it."""
    return place.moved(*triple(r.numpy()))


def usual_height(name: str, width: float) -> float:
    """Return the height of a shape that has none: its width, but wires and tubes are thin."""
    return width / 5 if name in ("spring", "torus") else width


def shape_of(
    s: Setting, part: Part, name: str, at: ScenePose, size: SimpleNamespace
) -> list[Shape]:
    """Return the shape of a name and sizes as Modelica has them, beginning at a place."""
    color, d, extra = s.color(part), size.width, size.extra
    style = {"role": "body", "color": color}
    if name.lower().endswith(MESH_SUFFIXES):
        return [mesh_shape(s, part, name, at, size.length if extra else 1.0)]
    middle = {"at": at.moved(size.length / 2), **style}
    made: dict[str, Shape] = {
        "sphere": shapes.Sphere(**middle, diameter=size.length),
        "ellipsoid": shapes.Ellipsoid(
            **middle, length=size.length, width=d, height=size.height
        ),
        "torus": shapes.TorusShape(at=at, diameter=d, tube=size.height, **style),
        "wheel": shapes.Wheel(at=at, diameter=d, width=size.length, inner=0.7 * d, **style),
        "frame": annotations.Axes(at=at, size=size.length, role="frame"),
    }
    if name in made:
        return [made[name]]
    long = long_shape(name, {"at": at, "length": size.length, **style}, size)
    return [long, *(_mark(at, size) if name == "cylinder" and extra > 0.0 else ())]


def long_shape(name: str, long: dict, size: SimpleNamespace) -> Shape:
    """Return a shape that goes from its place along x, or from one point to another."""
    d, extra = size.width, size.extra
    if name in ("box", "beam"):
        kind = {"box": shapes.BoxShape, "beam": shapes.Beam}[name]
        return kind(**long, width=d, height=size.height)
    if name == "cone":
        return shapes.Cone(**long, diameter=d, top=max(extra, 0.0))
    if name in ("pipe", "pipecylinder"):
        return shapes.Pipe(**long, diameter=d, inner=d * min(max(extra, 0.0), 1.0))
    if name == "gearwheel":
        teeth = max(3, abs(round(extra)) or 20)
        if extra >= 0.0:
            return shapes.Gearwheel(**long, diameter=d, teeth=teeth)
        inner = 0.93 * d * (teeth - 2) / (teeth + 2.5)  # of an internal gear in a thin rim
        return shapes.Gearwheel(**long, diameter=d, inner=inner, teeth=teeth, internal=True)
    if name == "spring":
        coils = extra if extra > 0.0 else 5.0
        return shapes.SpringShape(**long, diameter=d, wire=size.height / 2, coils=coils)
    if name == "arrow":
        return annotations.ArrowAnnotation(**long, diameter=d)
    return shapes.CylinderShape(**long, diameter=d)


def _mark(at: ScenePose, size: SimpleNamespace) -> list[Shape]:
    """Return the line on a cylinder that shows how it turns."""
    r = 0.505 * size.width
    ends = ((0.0, r, 0.0), (size.length, r, 0.0))
    return [annotations.LineAnnotation(at=at, points=ends, color=BLACK, width=2.0)]


def chosen_shape(s: Setting, part: Part, at: ScenePose, r: Vector) -> list[Shape] | None:
    """Return the shape that options choose, from a place along r.

    The defaults are those of Modelica: a cylinder from `r_shape` to r; None without any.
    """
    if all(s.option(part, name) is None for name in ShapeVisual.own_options):
        return None
    begin = Vector(*s.option(part, "r_shape", (0.0, 0.0, 0.0)))
    direction = s.option(part, "lengthDirection")
    way = r - begin if direction is None else Vector(*direction)
    if float(way.norm()) == 0.0:
        way = X
    across = s.option(part, "widthDirection")
    towards = None if across is None else Vector(*across)
    length = s.size(part, "length", float((r - begin).norm()))
    width = s.size(part, "width", length / s.sizes.fraction)
    name = str(s.option(part, "shapeType", "cylinder"))
    size = SimpleNamespace(
        length=length,
        width=width,
        height=s.size(part, "height", usual_height(name, width)),
        extra=float(s.option(part, "extra", 0.0)),
    )
    return shape_of(s, part, name, on(at, begin).along(way, towards), size)


def chosen_rod(
    s: Setting, part: Part, at: SceneSpan, prefix: str, width: float, role: str
) -> Shape:
    """Return the shape between two points, by options such as `rodShapeType`."""
    width = s.size(part, f"{prefix}Width", width)
    name = str(s.option(part, f"{prefix}ShapeType", "cylinder"))
    size = SimpleNamespace(
        width=width,
        height=s.size(part, f"{prefix}Height", usual_height(name, width)),
        extra=float(s.option(part, f"{prefix}Extra", 0.0)),
    )
    return long_shape(
        name, {"at": at, "role": role, "color": s.color(part, f"{prefix}Color")}, size
    )


def mesh_shape(s: Setting, part: object, name: str, at: ScenePose, scale: float) -> Shape:
    """Return the shape of a mesh; the scene keeps each mesh once."""
    mesh = load_mesh(name, part if isinstance(part, Part) else None)
    key = str(name)
    s.meshes[key] = mesh
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    extent = (triple(low), triple(high))
    return annotations.MeshShape(
        at=at, key=key, scale=scale, extent=extent, color=s.color(part)
    )


def mesh_of_part(s: Setting, part: Part) -> list[Shape]:
    """Return the mesh that was chosen for a part, at its first frame."""
    frame, *_ = s.frames(part)
    offset = Vector(*s.option(part, "r_mesh", (0.0, 0.0, 0.0)))
    scale = s.size(part, "meshScale", 1.0)
    return [
        mesh_shape(s, part, str(s.option(part, "mesh")), on(s.at(frame), offset), scale)
    ]
