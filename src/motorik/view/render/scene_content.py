"""SceneContent: the triangles, strokes and labels of a scene at any pose of its rigid groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import sqrt

import numpy as np

from motorik.immutable import immutable
from motorik.view.render.content import (
    Colour,
    ColouredMesh,
    Facets,
    Label,
    PictureContent,
    Stroke,
)
from motorik.view.scene import Scene, ScenePose, SceneSpan, Shape
from motorik.view.scene.annotations import ArrowAnnotation, Axes, Field, Grid
from motorik.view.scene.forms import Form, field_form, sides_of
from motorik.view.scene.geometry import scene_form
from motorik.view.scene.mesh import TriangleMesh
from motorik.view.theme import shares_of

SHORTEST = 1e-9  # of the size of annotations: shorter shapes are not drawn


@immutable(eq=False)
class BodyPoses:
    """Poses of rigid groups: positions [m] (n × 3), rotations (n × 3 × 3), the world first."""

    positions: np.ndarray
    rotations: np.ndarray

    @classmethod
    def of(cls, rows: np.ndarray) -> BodyPoses:
        """Return those of rows (n − 1 × 7): x y z and the quaternion x y z w."""
        rows = np.asarray(rows, dtype=float).reshape(-1, 7)
        positions = np.vstack([np.zeros(3), rows[:, :3]])
        return cls(positions, np.concatenate([np.eye(3)[None], rotations(rows[:, 3:])]))

    def point(self, group: int, r: Sequence[float]) -> np.ndarray:
        """Return where a point r [m] of a rigid group is."""
        return self.positions[group] + self.rotations[group] @ np.asarray(r)


def way_of(rows: np.ndarray, group: int, r: Sequence[float]) -> np.ndarray:
    """Return where a point r [m] of a rigid group is at all rows of poses (rows × n − 1 × 7)."""
    if group == 0:
        return np.tile(np.asarray(r, dtype=float), (len(rows), 1))
    own = np.asarray(rows, dtype=float).reshape(len(rows), -1, 7)[:, group - 1]
    return own[:, :3] + rotations(own[:, 3:]) @ np.asarray(r, dtype=float)


class SceneContent:
    """The shapes of a scene, made once, and their contents at poses of the rigid groups.

    With a ruler around the picture the axes of the world have no names; `with_names` parts
    have theirs.
    """

    def __init__(
        self,
        scene: Scene,
        layers: Sequence[str],
        with_ruler: bool = False,
        with_ground: bool = False,
        with_names: bool = False,
    ) -> None:
        self.scene = scene
        shown = [shape for shape in scene.shapes if shape.layer in layers]
        if not with_ground:
            shown = [shape for shape in shown if not isinstance(shape, Grid)]
        if with_ruler:
            shown = [_without_names(shape) for shape in shown]
        self._rigid = [shape for shape in shown if not _moves_itself(shape)]
        self._moving = [shape for shape in shown if _moves_itself(shape)]
        self._named = first_shapes(shown) if with_names else {}

    def colour(
        self, shape: Shape, own: Colour | np.ndarray | None = None
    ) -> Colour | np.ndarray:
        """Return the colour of a shape: its own, or that of its role."""
        if own is not None:
            return own
        return shape.color or shares_of(self.scene.palette[shape.role])

    @cached_property
    def _forms(self) -> list[tuple[Shape, Form]]:
        by_group = sorted(self._rigid, key=_group_of)  # which is posed at once
        return [(shape, self._form(shape)) for shape in by_group]

    @cached_property
    def _facets(self) -> Facets:
        """All rigid surfaces, in the axes of their rigid groups."""
        found = []
        for shape, form in self._forms:
            assert isinstance(shape.at, ScenePose)
            r, R = np.array(shape.at.r), rotations(np.array([shape.at.q]))[0]
            for mesh, own in form.meshes:
                colour = self.colour(shape, _file_colours(shape, mesh, own))
                part = -1 if shape.part is None else shape.part
                style = colour, shape.opacity, shape.at.group, shape.specular, part
                found.append(ColouredMesh(mesh.moved(r, R), *style))
        return Facets.of(found)

    def at(self, poses: BodyPoses, values: np.ndarray | None = None) -> PictureContent:
        """Return the content at poses of the rigid groups, and values of the channels."""
        moving, strokes, labels = [], [], []
        for shape in self._moving:
            placed = self._placed(shape, poses, values)
            if placed is not None:
                form, r, R = placed
                part = -1 if shape.part is None else shape.part
                for mesh, own in form.meshes:
                    colour = self.colour(shape, own)
                    style = colour, shape.opacity, 0, shape.specular, part
                    moving.append(ColouredMesh(mesh.moved(r, R), *style))
                self._add_annotations(shape, form, r, R, strokes, labels)
        for shape, form in self._forms:
            assert isinstance(shape.at, ScenePose)
            if form.lines or form.words:
                k = shape.at.group
                own = rotations(np.array([shape.at.q]))[0]
                r, R = poses.point(k, shape.at.r), poses.rotations[k] @ own
                self._add_annotations(shape, form, r, R, strokes, labels)
        labels += [self._name(part, shape, poses) for part, shape in self._named.items()]
        rigid = self._facets.posed(poses.positions, poses.rotations)
        return PictureContent(Facets.joined([rigid, Facets.of(moving)]), strokes, labels)

    def _form(self, shape: Shape, length: float | None = None) -> Form:
        return scene_form(self.scene, shape, length)

    def _add_annotations(
        self,
        shape: Shape,
        form: Form,
        r: np.ndarray,
        R: np.ndarray,
        strokes: list[Stroke],
        labels: list[Label],
    ) -> None:
        colour = shape.color or shares_of(self.scene.palette[shape.role])
        for points, width, dashed in form.lines:
            style = colour, width, dashed, shape.opacity, isinstance(shape, Grid)
            strokes.append(Stroke(r + points @ R.T, *style))
        kind = "axis" if isinstance(shape, Axes) else "text"
        kind = "tip" if kind == "axis" and shape.layer == "frames" else kind
        kind = "note" if shape.role == "error" else kind
        for point, text, height in form.words:
            labels.append(Label(r + R @ point, text, colour, height, kind))

    def _name(self, part: int, shape: Shape, poses: BodyPoses) -> Label:
        """Return the name of a part, in the middle of a shape of it."""
        if isinstance(shape.at, SceneSpan):
            ends = (shape.at.begin, shape.at.end)
            at = np.mean([poses.point(end.group, end.r) for end in ends], axis=0)
        else:
            middle = rotations(np.array([shape.at.q]))[0] @ np.mean(shape.box, axis=0)
            at = poses.point(shape.at.group, np.array(shape.at.r) + middle)
        ink = shares_of(self.scene.palette["text"])
        return Label(at, self.scene.parts[part].path, ink, 0.0, "name", part)

    def _placed(
        self, shape: Shape, poses: BodyPoses, values: np.ndarray | None
    ) -> tuple[Form, np.ndarray, np.ndarray] | None:
        """Return a shape that stretches: its form now, and its pose; None if it vanishes."""
        if isinstance(shape, Field):
            assert isinstance(shape.at, ScenePose)
            own = np.full(len(shape.channels), np.nan)
            own = own if values is None else values[list(shape.channels)]
            k, turn = shape.at.group, rotations(np.array([shape.at.q]))[0]
            place = poses.point(k, shape.at.r), poses.rotations[k] @ turn
            sides = sides_of(shape, self.scene.extent)
            return field_form(shape, own.tolist(), sides), *place
        if isinstance(shape.at, SceneSpan):
            begin = poses.point(shape.at.begin.group, shape.at.begin.r)
            along = poses.point(shape.at.end.group, shape.at.end.r) - begin
            first, last = shape.at.share
            begin, along = begin + first * along, (last - first) * along
        else:
            assert isinstance(shape, ArrowAnnotation) and shape.vector is not None
            if values is None:
                return None
            begin = poses.point(shape.at.group, shape.at.r)
            vector = shape.vector.scale * values[list(shape.vector.channels)]
            turn = rotations(np.array([shape.vector.q]))[0]
            along = poses.rotations[shape.vector.resolve] @ turn @ vector
        length = float(np.linalg.norm(along))
        if not length > SHORTEST * self.scene.size:
            return None
        return self._form(shape, length), begin, along_x(along / length)


def first_shapes(shapes: Sequence[Shape]) -> dict[int, Shape]:
    """Return the first shape of each part that is seen, by the number of the part."""
    found: dict[int, Shape] = {}
    for shape in shapes:
        if shape.part is not None and shape.layer == "parts":
            found.setdefault(shape.part, shape)
    return found


def _file_colours(
    shape: Shape, mesh: TriangleMesh, own: Colour | np.ndarray | None
) -> Colour | np.ndarray | None:
    """Return the colours of triangles that a file gives, unless the shape has its own."""
    if mesh.colours is None or shape.color is not None:
        return own
    return mesh.colours[mesh.triangles].mean(axis=1)


def _without_names(shape: Shape) -> Shape:
    is_axes = isinstance(shape, Axes) and shape.layer == "world"
    return replace(shape, labels=False) if is_axes else shape


def _group_of(shape: Shape) -> int:
    assert isinstance(shape.at, ScenePose)
    return shape.at.group


def _moves_itself(shape: Shape) -> bool:
    if isinstance(shape.at, SceneSpan) or isinstance(shape, Field):
        return True
    return getattr(shape, "vector", None) is not None


def along_x(direction: np.ndarray) -> np.ndarray:
    """Return the rotation whose x axis is along a unit vector."""
    x, y, z = direction.tolist()
    if abs(y) < 0.9:  # across both it and the y axis, else the x axis
        size = sqrt(x * x + z * z)
        u, v, w = -z / size, 0.0, x / size
    else:
        size = sqrt(y * y + z * z)
        u, v, w = 0.0, z / size, -y / size
    across = v * z - w * y, w * x - u * z, u * y - v * x
    return np.array([[x, across[0], u], [y, across[1], v], [z, across[2], w]])


def rotations(q: np.ndarray) -> np.ndarray:
    """Return the matrices of quaternions x y z w (n × 4), which need not have length one."""
    q = q / np.linalg.norm(q, axis=1, keepdims=True)
    x, y, z, w = q.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)
