"""Shot: a scene with camera, size and options, to be drawn at any time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product

import numpy as np

from motorik.errors import UnknownNameError, suggest
from motorik.view.argument_checks import check_number
from motorik.view.render.camera import Lens
from motorik.view.render.content import PictureContent, Stroke
from motorik.view.render.options import Options
from motorik.view.render.picture import Ghost, Tile
from motorik.view.render.ruler import Ruler
from motorik.view.render.scene_content import BodyPoses, SceneContent, way_of
from motorik.view.scene import Scene, ScenePose, SceneRun, SceneSpan
from motorik.view.theme import COLOURS, shares_of

LONGEST = 900  # px, the longer side of a picture whose size is not given
SPACE = (900, 675)  # px, of pictures in space
SLIMMEST = 0.45  # of the longer side: the least of the shorter one
NEAR = 0.1  # of the size of the mechanism: how far off the origin of the world is shown
BENCH = (12.0, 14.0)  # azimuth, elevation [deg] from which drive lines alone are seen
OVER = 0.6  # opacity of overlays
GHOST = 0.28  # opacity of the last of the ghosts
SAMPLES = 24  # instants of a run that determine the frame of a movie


class Shot:
    """One run of a scene (or its start), seen through a camera; `over` it lie other scenes.

    `beside` it stand others, which have the same camera: all are seen along the normal of their
    plane only if it is one.
    """

    def __init__(
        self,
        scene: Scene,
        options: Options,
        over: Sequence[Scene] = (),
        beside: Sequence[Scene] = (),
    ) -> None:
        if _is_bench(scene) and options.camera.is_usual:
            options = replace(options, camera=replace(options.camera, view=BENCH))
        self.scene, self.options = scene, options
        planes = {one.plane for one in (scene, *beside)}
        self._normal = np.array(scene.plane) if planes == {scene.plane} - {None} else None
        self.run = next(iter(scene.runs), None)
        self._over = [Shot(other, replace(options, bare=True, ghosts=0)) for other in over]
        self._contents = SceneContent(scene, options.layers, with_names=options.labels)
        self._world = SceneContent(
            scene, [] if options.bare else ["world"], self.has_axes, options.ground
        )
        self._marks = SceneContent(scene, options.marks)
        self._followed = self._group(options.camera.follow)

    def _group(self, name: str | None) -> int | None:
        """Return the number of the rigid group of a part that is followed."""
        if name is None:
            return None
        own = {group: k for k, group in enumerate(self.scene.groups)}
        for shape in self.scene.shapes:
            if shape.part is not None and isinstance(shape.at, ScenePose):
                own.setdefault(self.scene.parts[shape.part].path, shape.at.group)
        if name not in own:
            raise UnknownNameError(
                "Camera",
                f"there is no part {name!r} to follow.",
                suggest(name, own),
                value=name,
            )
        return own[name]

    # --- what there is at a time -------------------------------------------------------------

    def poses(self, time: float | None) -> tuple[BodyPoses, np.ndarray | None]:
        """Return the poses at a time [s], between rows of the run, and values of channels."""
        if self.run is None or time is None:
            return BodyPoses.of(self.scene.start), self.scene.values
        rows, values = between(self.run, time)
        return BodyPoses.of(rows), values

    def content(self, time: float | None) -> PictureContent:
        """Return everything seen at a time, with traces up to then."""
        now = self._now(time)
        found = []
        strokes = [*now.strokes, *self._traces(time)]
        for number, other in enumerate(self._over):
            tint = shares_of(COLOURS[(1 + number) % len(COLOURS)])
            there = other.content(other.moment(time))
            found.append(replace(there, facets=there.facets.faded(tint, OVER), labels=()))
        return PictureContent.joined([replace(now, strokes=strokes), *found])

    def marks(self, time: float | None) -> PictureContent:
        """Return the arrows of forces and the axes of frames at a time, which lie over bodies."""
        others = [other.marks(other.moment(time)) for other in self._over]
        return PictureContent.joined([self._marks.at(*self.poses(time)), *others])

    def _now(self, time: float | None) -> PictureContent:
        """Return the mechanism at a time, and the axes of the world if they are near."""
        at = self.poses(time)
        own = self._contents.at(*at)
        return PictureContent.joined([own, self._world.at(*at)]) if self._is_near else own

    @cached_property
    def _is_near(self) -> bool:
        """Whether axes and gravity of the world are near enough to be shown.

        A mechanism far away from the origin, as a suspension in the axes of the whole car,
        would be small beside them.
        """
        at = BodyPoses.of(self.scene.start), self.scene.values
        if self.run is not None:
            at = self.poses(float(self.run.time[0]))
        own = self._contents.at(*at).facets.points
        own = own[np.isfinite(own).all(axis=1)]
        if not len(own):
            return True
        low, high = own.min(axis=0), own.max(axis=0)
        around = NEAR * float((high - low).max())
        return bool(((low < around) & (high > -around)).all())

    def _ghosts(self, times: Sequence[float]) -> list[Ghost]:
        """Return earlier poses, the later the stronger."""
        pale = shares_of(self.scene.palette["ghost"])
        found = []
        for number, time in enumerate(times):
            old = self._contents.at(*self.poses(time)).facets
            strength = GHOST * (0.4 + 0.6 * (number + 1) / len(times))
            found.append(Ghost(PictureContent(old.faded(pale, 1.0)), strength))
        return found

    def moment(self, time: float | None) -> float | None:
        """Return a time [s], or the nearest that its run has."""
        if time is None or self.run is None:
            return None
        return min(max(time, float(self.run.time[0])), float(self.run.time[-1]))

    def _traces(self, time: float | None) -> list[Stroke]:
        if self.run is None or time is None:
            return []
        is_past = self.run.time <= time
        last, _ = between(self.run, time)
        found = []
        for number, (trace, way) in enumerate(
            zip(self.run.traces, self._ways, strict=True)
        ):
            seen = np.concatenate([way[is_past], way_of(last[None], trace.group, trace.r)])
            colour = shares_of(COLOURS[(1 + number) % len(COLOURS)])
            found.append(Stroke(seen, colour, 1.8 * self.options.scale))
        return found

    @cached_property
    def _ways(self) -> list[np.ndarray]:
        """The points of each trace at all rows of the run [m]."""
        if self.run is None:
            return []
        return [way_of(self.run.poses, one.group, one.r) for one in self.run.traces]

    # --- how it is seen ----------------------------------------------------------------------

    @property
    def has_axes(self) -> bool:
        """Whether axes with numbers stand around the picture: in the plane, unless chosen."""
        camera = self.options.camera
        flat = self._normal is not None and camera.is_usual
        wanted = flat if self.options.axes is None else self.options.axes
        return wanted and camera.angle in (None, 0.0) and (flat or camera.angle == 0.0)

    def cloud(self, times: Sequence[float | None]) -> np.ndarray:
        """Return the points [m] that pictures at these times must hold (n × 3)."""
        clouds = [self._cloud(time) for time in times]
        if self._followed is None and self.run is not None and times[0] is not None:
            last = max(time for time in times if time is not None)
            clouds += [stroke.points for stroke in self._traces(last)]
        return np.concatenate(clouds)

    def lens(
        self,
        times: Sequence[float | None],
        size: tuple[int, int] | None = None,
        others: Sequence[np.ndarray] = (),
    ) -> Lens:
        """Return the lens of pictures at these times: all hold everything of all of them.

        They also hold points [m] of `others`, which are seen through the same lens.
        """
        points = np.concatenate([self.cloud(times), *others])
        size = size or self.options.size or self._size(points)
        up, normal = np.array(self.scene.up), self._normal
        if not self.has_axes:
            return self.options.camera.lens(points, size, up, normal)
        left, top, right, bottom = Ruler.place(self.options.scale)
        inner = (max(size[0] - left - right, 8), max(size[1] - top - bottom, 8))
        lens = self.options.camera.lens(points, inner, up, normal)
        return Ruler.around(lens, size, self.options.scale).lens

    def _cloud(self, time: float | None) -> np.ndarray:
        """Return the points that a picture at a time must hold, as the follower sees them."""
        content = self._now(time)
        points = content.places()
        points = np.concatenate([points, self.marks(time).places()])
        if (
            not len(content.facets.points) and not content.strokes
        ):  # words alone have no size
            sides = zip(self.scene.low, self.scene.high, strict=True)
            points = np.concatenate([points, list(product(*sides))])
        points = points[np.isfinite(points).all(axis=1)]
        others = [other._cloud(other.moment(time)) for other in self._over]
        points = np.concatenate([points, *others])
        if self._followed is None:
            return points
        return points - self.poses(time)[0].positions[self._followed]

    def _size(self, points: np.ndarray) -> tuple[int, int]:
        if not self.has_axes:
            return self._space(points)
        lens = self.options.camera.lens(
            points, (100, 100), np.array(self.scene.up), self._normal
        )
        seen = points @ lens.axes.T
        width, height = np.maximum(np.ptp(seen[:, :2], axis=0), 1e-12)
        long = LONGEST * self.options.scale
        shape = np.array([width, height]) / max(width, height)
        inner = long * np.maximum(shape, SLIMMEST)
        left, top, right, bottom = Ruler.place(self.options.scale)
        return round(inner[0] + left + right), round(inner[1] + top + bottom)

    def _space(self, points: np.ndarray) -> tuple[int, int]:
        """Return the size of a picture in space: lower where the mechanism is long."""
        wide, high = SPACE
        up, camera = np.array(self.scene.up), self.options.camera
        if not np.ptp(points, axis=0).any():
            return round(wide * self.options.scale), round(high * self.options.scale)
        xy, _ = camera.lens(points, SPACE, up, self._normal).project(points)
        width, height = np.ptp(xy, axis=0)
        share = float(np.clip(height / max(width, 1e-12), SLIMMEST, high / wide))
        return round(wide * self.options.scale), round(share * wide * self.options.scale)

    def tile(self, time: float | None, lens: Lens, ghosts: Sequence[float] = ()) -> Tile:
        """Return the view at a time [s]."""
        if self._followed is not None:
            moved = self.poses(time)[0].positions[self._followed]
            lens = replace(lens, target=lens.target + moved)
        ruler = Ruler(lens, Ruler.place(self.options.scale), 12.0 * self.options.scale)
        is_moving = self.run is not None and len(self.run.time) > 1
        caption = (
            f"t = {time:.{self._decimals}f} s" if time is not None and is_moving else ""
        )
        return Tile(
            self.content(time),
            lens,
            np.array(self.scene.up),
            ruler if self.has_axes else None,
            self.options.title
            if self.run is None
            else self.options.title or self.run.title,
            caption,
            self._ghosts(ghosts),
            self.marks(time),
        )

    @cached_property
    def _decimals(self) -> int:
        """The decimals with which times are written, by the length of the run."""
        assert self.run is not None
        span = float(self.run.time[-1] - self.run.time[0])
        return int(np.clip(np.ceil(2.0 - np.log10(max(span, 1e-12))), 0, 9))

    def strobe(self, time: float | None, whole: bool = False) -> list[float]:
        """Return the times of the ghosts of a picture at a time, or that a film has passed."""
        wanted = self.options.ghosts
        if self.run is None or time is None:
            return []
        begin = float(self.run.time[0])
        if not isinstance(wanted, int):
            self._check_times(wanted)
            return [float(t) for t in wanted if not whole or t < time]
        end = float(self.run.time[-1]) if whole else time
        times = (
            [begin + k * (end - begin) / wanted for k in range(wanted)] if wanted else []
        )
        return [t for t in times if t < time]

    def _check_times(self, times: Sequence[float]) -> None:
        """Refuse ghosts of times [s] outside of the run."""
        assert self.run is not None
        begin, end = float(self.run.time[0]), float(self.run.time[-1])
        for time in times:
            check_number("draw", "ghosts", time, begin, end)


def _is_bench(scene: Scene) -> bool:
    """Return whether all that is seen are drive lines, which have no place in space."""
    seen = [shape.at for shape in scene.shapes if shape.layer == "parts"]
    ends = [at.begin if isinstance(at, SceneSpan) else at for at in seen]
    groups = {at.group for at in ends} - {0}
    return bool(groups) and groups <= scene.bases.keys()


def between(run: SceneRun, time: float) -> tuple[np.ndarray, np.ndarray]:
    """Return poses (groups × 7) and values at a time [s], between the rows around it.

    Positions and values are interpolated linearly, orientations along the shorter way; at an
    event the values after it.
    """
    last = len(run.time) - 1
    i = int(np.clip(np.searchsorted(run.time, time, side="right") - 1, 0, last))
    j = min(i + 1, last)
    step = float(run.time[j] - run.time[i])
    s = (time - float(run.time[i])) / step if step > 0.0 else 0.0
    a, b = np.asarray(run.poses[i], dtype=float), np.asarray(run.poses[j], dtype=float)
    values = (1.0 - s) * run.values[i] + s * run.values[j] if s else run.values[i]
    if s == 0.0:
        return a, np.asarray(values, dtype=float)
    p, q = a[:, 3:], b[:, 3:]
    cosine = np.einsum("ij,ij->i", p, q)
    q = np.where(cosine[:, None] < 0.0, -q, q)
    angle = np.arccos(np.clip(np.abs(cosine), 0.0, 1.0))[:, None]
    small = angle < 1e-6
    sine = np.where(small, 1.0, np.sin(angle))
    first = np.where(small, 1.0 - s, np.sin((1.0 - s) * angle) / sine)
    second = np.where(small, s, np.sin(s * angle) / sine)
    turn = first * p + second * q
    place = (1.0 - s) * a[:, :3] + s * b[:, :3]
    return np.concatenate([place, turn], axis=1), np.asarray(values, dtype=float)
