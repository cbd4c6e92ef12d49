"""Stage: the axes on which a scene is shown, in the plane or in space."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.view.looks import Shape
from motorik.view.theme import AXIS_COLOURS, COLOURS, EDGE, INK, PAPER, STEEL

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from motorik.view.scene import Scene

AXIS = {"linewidth": 1.5, "zorder": 6}
STYLES: dict[str, dict[str, Any]] = {
    "link": {"color": EDGE, "linewidth": 4.0, "solid_capstyle": "round", "zorder": 3},
    "guide": {"color": INK, "linewidth": 0.8, "linestyle": "--", "zorder": 1},
    "spring": {"color": COLOURS[3], "linewidth": 2.0, "zorder": 2},
    "joint": {
        "linestyle": "none",
        "marker": "o",
        "markersize": 6.0,
        "markeredgecolor": INK,
        "markerfacecolor": PAPER,
        "zorder": 5,
    },
    "mass": {
        "linestyle": "none",
        "marker": r"$\oplus$",
        "markersize": 8.0,
        "color": INK,
        "markeredgewidth": 0.3,
        "zorder": 4,
    },
    **{axis: AXIS | {"color": c} for axis, c in zip("xyz", AXIS_COLOURS, strict=True)},
}
TRACE = {"linewidth": 1.0, "zorder": 1}


class Stage(ABC):
    """The artists of a scene on some axes; `show(i)` moves them to row i of the result."""

    def __init__(self, figure: Figure, scene: Scene) -> None:
        self.scene = scene
        self.axes = self._make_axes(figure)
        self._lines: list[tuple[Any, np.ndarray]] = []
        self._solids: list[tuple[Any, Shape, np.ndarray]] = []
        self._ways: list[tuple[Any, np.ndarray]] = []
        for shape, points in scene.shapes:
            for role, numbers in shape.lines:
                line = self._make_line(STYLES[role])
                self._lines.append((line, points[:, list(numbers)]))
            if shape.faces:
                self._solids.append((self._make_solid(), shape, points))
        for way, colour in zip(scene.traces, COLOURS[1:] * 10, strict=False):
            self._ways.append((self._make_line(TRACE | {"color": colour}), way))
        self._title = self.axes.set_title("")
        self.show(0)

    def show(self, i: int) -> None:
        """Move everything to row i."""
        for line, points in self._lines:
            self._move_line(line, points[i])
        for solid, shape, points in self._solids:
            self._move_solid(solid, shape, points[i])
        for line, way in self._ways:
            self._move_line(line, way[: i + 1])
        self._title.set_text(f"t = {self.scene.time[i]:.2f} s")

    def prepare_film(self, figure: Figure) -> None:
        """Draw fixed shapes once, so that a frame only draws what moves."""
        self._moving = [artist for artist, *_ in (*self._lines, *self._solids, *self._ways)]
        self._moving = sorted([*self._moving, self._title], key=lambda a: a.get_zorder())
        for artist in self._moving:
            artist.set_animated(True)
        self._canvas: Any = figure.canvas
        self._canvas.draw()
        self._backdrop = self._canvas.copy_from_bbox(figure.bbox)

    def film_frame(self, i: int) -> np.ndarray:
        """Return the picture of row i: height × width × 4 colours of 0 to 255."""
        self.show(i)
        self._canvas.restore_region(self._backdrop)
        for artist in self._in_depth(self._moving):
            self.axes.draw_artist(artist)
        return np.array(self._canvas.buffer_rgba())

    def _in_depth(self, artists: list[Any]) -> list[Any]:
        """Return the artists in the order in which they hide one another."""
        return artists

    @abstractmethod
    def _make_axes(self, figure: Figure) -> Any:
        """Return axes with the limits of the scene."""

    @abstractmethod
    def _make_line(self, style: dict[str, Any]) -> Any:
        """Return a line (or marks) that has no points yet."""

    @abstractmethod
    def _move_line(self, line: Any, points: np.ndarray) -> None:
        """Give a line its points [m], one row each."""

    @abstractmethod
    def _make_solid(self) -> Any:
        """Return a body that has no corners yet."""

    @abstractmethod
    def _move_solid(self, solid: Any, shape: Shape, corners: np.ndarray) -> None:
        """Give a body its corners [m]."""


class FlatStage(Stage):
    """A planar mechanism, looked at along the normal of its plane."""

    def _make_axes(self, figure: Figure) -> Any:
        assert self.scene.plane is not None
        self._plane = list(self.scene.plane)
        axes = figure.add_subplot()
        (x_low, y_low), (x_high, y_high) = (
            corner[self._plane] for corner in (self.scene.low, self.scene.high)
        )
        axes.set(xlim=(x_low, x_high), ylim=(y_low, y_high), aspect="equal")
        horizontal, vertical = ("xyz"[k] for k in self._plane)
        axes.set(xlabel=f"{horizontal} [m]", ylabel=f"{vertical} [m]")
        return axes

    def _make_line(self, style: dict[str, Any]) -> Any:
        return self.axes.plot([], [], **style)[0]

    def _move_line(self, line: Any, points: np.ndarray) -> None:
        line.set_data(*points[:, self._plane].T)

    def _make_solid(self) -> Any:
        from matplotlib.patches import Polygon

        polygon = Polygon(
            np.zeros((1, 2)), facecolor=STEEL, edgecolor=EDGE, joinstyle="round", zorder=2
        )
        return self.axes.add_patch(polygon)

    def _move_solid(self, solid: Any, shape: Shape, corners: np.ndarray) -> None:
        solid.set_xy(convex_hull(corners[:, self._plane]))


class SpaceStage(Stage):
    """A mechanism in space, in perspective, gravity pointing down."""

    def _make_axes(self, figure: Figure) -> Any:
        scene = self.scene
        axes: Any = figure.add_subplot(projection="3d")
        limits = zip("xyz", scene.low, scene.high, strict=True)
        axes.set(**{f"{k}lim": (low, high) for k, low, high in limits})
        axes.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]")
        axes.view_init(elev=22, azim=-58, vertical_axis="xyz"[scene.up])
        extent = scene.high - scene.low
        axes.set_box_aspect(extent, zoom=0.8)
        for axis, share in zip("xyz", extent / extent.max(), strict=True):
            axes.locator_params(axis, nbins=max(2, round(6 * share)))
        return axes

    def _make_line(self, style: dict[str, Any]) -> Any:
        return self.axes.plot([], [], [], **style)[0]

    def _move_line(self, line: Any, points: np.ndarray) -> None:
        line.set_data_3d(*points.T)

    def _make_solid(self) -> Any:
        from mpl_toolkits.mplot3d.art3d import Poly3DCollection

        faces = Poly3DCollection(
            [], facecolor=STEEL, edgecolor=EDGE, linewidth=0.4, alpha=0.9
        )
        return self.axes.add_collection3d(faces)

    def _move_solid(self, solid: Any, shape: Shape, corners: np.ndarray) -> None:
        # faces of one length, the last corner repeated: matplotlib would fill up with garbage
        longest = max(map(len, shape.faces))
        faces = [[*face, *face[-1:] * (longest - len(face))] for face in shape.faces]
        solid.set_verts(corners[faces])

    def _in_depth(self, artists: list[Any]) -> list[Any]:
        solids = [solid for solid, *_ in self._solids]
        depth = {id(solid): solid.do_3d_projection() for solid in solids}
        solids.sort(key=lambda solid: -depth[id(solid)])
        return [*solids, *(artist for artist in artists if id(artist) not in depth)]


def convex_hull(points: np.ndarray) -> np.ndarray:
    """Return the corners of the convex hull of points in the plane, counter-clockwise.

    Andrew 1979: the lower and the upper chain of the points sorted from left to right.
    """
    ordered = sorted(map(tuple, points.tolist()))

    def half(way: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
        chain: list[tuple[float, ...]] = []
        for x, y in way:
            while len(chain) > 1:
                (x1, y1), (x2, y2) = chain[-2:]
                if (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) > 0:
                    break
                chain.pop()
            chain.append((x, y))
        return chain[:-1]

    return np.array([*half(ordered), *half(ordered[::-1])] or ordered[:1])
