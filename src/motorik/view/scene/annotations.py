"""Annotations: arrows, lines, frames, texts, fields, surfaces, meshes and the ground grid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor, log10
from typing import Any

import numpy as np

from motorik.immutable import immutable
from motorik.view.scene.place import Four, Triple, triple
from motorik.view.scene.shapes import Shape, across

GRID_LINES = 20  # of a grid in its longer direction, about
LABELLED = 1.22  # how far axes reach with their labels, times their length


@immutable(kw_only=True, eq=False)
class SurfaceAnnotation(Shape):
    """A surface through a grid of `points` [m], rows × columns × 3."""

    kind = "surface"
    points: np.ndarray

    @property
    def box(self) -> tuple[Triple, Triple]:
        """The box around its points."""
        flat = self.points.reshape(-1, 3)
        return triple(flat.min(axis=0)), triple(flat.max(axis=0))


@immutable(kw_only=True)
class Field(Shape):
    """A tube along x of a `length` and `diameter` [m], in colours of values along it.

    The values are those of `channels`, at `shares` of the length; from `low` to `high` they
    have the `colors`, in equal steps.
    """

    kind = "field"
    length: float
    diameter: float
    channels: tuple[int, ...]
    shares: tuple[float, ...]
    low: float
    high: float
    colors: tuple[Triple, ...]

    def sizes(self) -> dict[str, float]:
        """Return its sizes by name."""
        return {"length": self.length, "diameter": self.diameter}

    @property
    def box(self) -> tuple[Triple, Triple]:
        """The box around it."""
        return across(self.length, self.diameter, self.diameter)

    def color_at(self, share: float, values: Sequence[float]) -> Triple:
        """Return the colour at a share of the length, for values of its channels."""
        value = float(np.interp(share, self.shares, values))
        place = (value - self.low) / (self.high - self.low)
        step = 0.0 if np.isnan(place) else min(max(place, 0.0), 1.0)
        return self.colors[round(step * (len(self.colors) - 1))]


@immutable
class VectorReading:
    """A vector that channels give over time: its components, and how long it is drawn.

    They are components in axes q, a unit quaternion, of the rigid group `resolve`; `scale` [m per
    unit]; a `double` arrow has two heads, for torques.
    """

    channels: tuple[int, int, int]
    resolve: int = 0
    q: Four = (0.0, 0.0, 0.0, 1.0)
    scale: float = 1.0
    double: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        said = {"channels": list(self.channels), "resolve": self.resolve, "q": list(self.q)}
        return {**said, "scale": self.scale, "double": self.double}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> VectorReading:
        """Return the reading that JSON describes."""
        i, j, k = map(int, data["channels"])
        x, y, z, w = map(float, data["q"])
        rest = int(data["resolve"]), (x, y, z, w), float(data["scale"])
        return VectorReading((i, j, k), *rest, bool(data["double"]))


@immutable(kw_only=True)
class ArrowAnnotation(Shape):
    """An arrow along x: of a `length`, between two points, or of a `vector` over time."""

    kind = "arrow"
    length: float | None = None
    diameter: float
    vector: VectorReading | None = None
    double: bool = False

    @property
    def box(self) -> tuple[Triple, Triple]:
        """The box around it."""
        return across(self.length, self.diameter, self.diameter)


@immutable(kw_only=True)
class LineAnnotation(Shape):
    """A line through `points` [m] in its own axes, `width` in pixels; without between ends."""

    kind = "line"
    points: tuple[Triple, ...] = ()
    width: float = 1.5
    dashed: bool = False

    @property
    def box(self) -> tuple[Triple, Triple]:
        """The box around its points."""
        cloud = np.array(self.points or ((0.0, 0.0, 0.0),))
        return triple(cloud.min(axis=0)), triple(cloud.max(axis=0))


@immutable(kw_only=True)
class Axes(Shape):
    """The three axes of a frame of a `size` and `diameter` [m]; with `labels`, x y z.

    `name` is that of the frame, which viewers write beside it where frames are shown.
    Without `colors` of their own they are red, green and blue.
    """

    kind = "frame"
    size: float
    diameter: float | None = None
    labels: bool = False
    name: str = ""
    colors: tuple[Triple, Triple, Triple] | None = None

    @property
    def box(self) -> tuple[Triple, Triple]:
        """The box of the axes, and of their labels, which stand beyond the tips."""
        reach = self.size * (LABELLED if self.labels else 1.0)
        return (0.0, 0.0, 0.0), (reach, reach, reach)


@immutable(kw_only=True)
class TextAnnotation(Shape):
    """A text that faces the viewer, of a `height` [m]."""

    kind = "text"
    text: str
    height: float


@immutable(kw_only=True)
class MeshShape(Shape):
    """A mesh of the scene, by its `key`, drawn `scale` times as large."""

    kind = "mesh"
    key: str
    scale: float = 1.0
    extent: tuple[Triple, Triple] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))

    @property
    def box(self) -> tuple[Triple, Triple]:
        """The box around the mesh as it is drawn."""
        low, high = self.scale * np.array(self.extent)
        return triple(low), triple(high)


@immutable(kw_only=True)
class Grid(Shape):
    """A grid of lines in its x-y plane, centred: the ground.

    It is a square of a `size` [m], or a rectangle of this length along x and a `width` along y.
    """

    kind = "grid"
    size: float
    width: float | None = None

    @property
    def step(self) -> float:
        """The distance of its lines [m], 1, 2 or 5 · 10ⁿ: some twenty in the longer direction."""
        raw = max(self.size, self.width or 0.0) / GRID_LINES
        if not raw > 0.0:
            return 1.0
        ten = 10.0 ** floor(log10(raw))
        return ten * next(n for n in (1, 2, 5, 10) if n * ten >= 0.999 * raw)

    @property
    def counts(self) -> tuple[int, int]:
        """How many lines it has on either side of the middle, along x and along y."""
        x, y = (
            max(round(one / 2 / self.step), 1)
            for one in (self.size, self.width or self.size)
        )
        return x, y

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it, with the distance and the number of its lines."""
        return {**super().to_json(), "step": self.step, "counts": list(self.counts)}
