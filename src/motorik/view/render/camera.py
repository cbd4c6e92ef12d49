"""Camera: where a picture is seen from; Lens: the camera of one picture, in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin, tan

import numpy as np

from motorik.errors import ParameterError, suggest
from motorik.immutable import immutable
from motorik.initialisation.given import is_number

PRESETS = {  # azimuth, elevation [deg]: how far the eye stands to the right, and above
    "iso": (35.0, 25.0),
    "front": (0.0, 0.0),
    "back": (180.0, 0.0),
    "right": (90.0, 0.0),
    "left": (-90.0, 0.0),
    "side": (90.0, 0.0),
    "top": (0.0, 90.0),
    "bottom": (0.0, -90.0),
}
MARGIN = 0.05  # of the picture, on every side
NEAR = 1e-3  # near clipping plane, as a share of the distance to the target
CLOSEST = 0.4  # least distance of the eye, as a share of the depth of the scene
SMALLEST = 1e-9  # m, extent of a picture in which there is only a point

Numbers = Sequence[float]


@immutable
class Camera:
    """Where a picture is seen from.

    `view` is a preset, "iso", "front", "back", "left", "right" (or "side"), "top", "bottom",
    or two angles [deg]: how far the eye stands to the right of the front, and above it. With
    `eye` and `target` [m], positions in the world, the camera stands there, and the view
    is not fitted. `up` points upward in the picture, by default against gravity. `angle`
    [deg] is the field of view from top to bottom, 0 without perspective; None fits: a planar
    model is seen without. `zoom` enlarges; `follow` names a part that keeps its place.
    """

    view: str | tuple[float, float] | None = None
    eye: Numbers | None = None
    target: Numbers | None = None
    up: Numbers | None = None
    angle: float | None = None
    zoom: float = 1.0
    follow: str | None = None

    def __post_init__(self) -> None:
        if isinstance(self.view, str) and self.view not in PRESETS:
            raise ParameterError(
                "Camera",
                f"there is no view {self.view!r}.",
                suggest(self.view, PRESETS),
                parameter="view",
                value=self.view,
            )
        if self.view is not None and not isinstance(self.view, str):
            remedy = f"Give two angles [deg], or one of {', '.join(PRESETS)}."
            _check_numbers("view", self.view, 2, remedy)
        if not is_number(self.zoom) or not self.zoom > 0.0:
            _refuse(
                "zoom", self.zoom, "Give a zoom > 0; 2 shows everything twice as large."
            )
        if self.angle is not None:
            if not is_number(self.angle) or not 0.0 <= self.angle < 150.0:
                _refuse("angle", self.angle, "Give 0 (no perspective) to 150 degrees.")
        for name in ("eye", "target", "up"):
            if getattr(self, name) is not None:
                _check_numbers(name, getattr(self, name), 3, "Give three numbers.")
        if self.up is not None and not np.any(self.up):
            _refuse("up", self.up, "Give a direction.")
        if self.eye is not None and np.allclose(self.eye, self.target or (0.0,) * 3):
            _refuse("eye", self.eye, "Let `eye` and `target` differ.")

    @classmethod
    def of(cls, given: Camera | str | tuple[float, float] | None) -> Camera:
        """Return the camera that a user means."""
        return given if isinstance(given, Camera) else cls(given)

    @property
    def is_usual(self) -> bool:
        """Whether neither a view nor a place of the eye was chosen."""
        return self.view is None and self.eye is None

    def lens(
        self,
        points: np.ndarray,
        size: tuple[int, int],
        up: np.ndarray,
        normal: np.ndarray | None = None,
    ) -> Lens:
        """Return the lens for a picture of this size [px] that holds all points (n × 3).

        `up` points against gravity; `normal` is that of a planar model, seen along it.
        """
        up = np.asarray(up if self.up is None else self.up, dtype=float)
        flat = normal is not None and self.is_usual
        angle = self.angle if self.angle is not None else 0.0 if flat else 28.0
        if self.eye is not None:
            target = np.asarray(self.target or (0.0,) * 3, dtype=float)
            eye = np.asarray(self.eye, dtype=float)
            axes = camera_axes(eye - target, up)
            distance = float(np.linalg.norm(eye - target))
            half = distance * tan(radians(angle or 28.0) / 2)
            scale = self.zoom * size[1] / (2 * half)
            return Lens(axes, target, scale, distance if angle else np.inf, size)
        if flat:
            assert normal is not None
            axes = camera_axes(np.asarray(normal, dtype=float), up)
        else:
            axes = camera_axes(self.direction(up), up)
        return fitted(points, axes, radians(angle), size, self.zoom)

    def direction(self, up: np.ndarray) -> np.ndarray:
        """Return the direction from the target to the eye."""
        if self.eye is not None:
            return np.subtract(self.eye, self.target or (0.0,) * 3)
        view = "iso" if self.view is None else self.view
        azimuth, elevation = map(radians, PRESETS[view] if isinstance(view, str) else view)
        front = front_of(up)
        up = up / np.linalg.norm(up)
        level = cos(azimuth) * front + sin(azimuth) * np.cross(up, front)
        # from above, the front is still below: up of the picture is away from it
        steep = min(max(elevation, radians(-89.99)), radians(89.99))
        return cos(steep) * level + sin(steep) * up


@immutable
class Lens:
    """A camera in pixels: `axes` are right, up and towards the eye as rows.

    A point p [m] is seen at x = w/2 + s (p − target)·right k, and y downwards alike, with
    `scale` s [px/m], `size` (w, h) [px] and k = d/(d − z) for a `distance` d [m] of the eye, 1 if
    that is infinite; z = (p − target)·back. The nearness of a point grows towards the eye and
    is linear in the picture: k − 1, or z without perspective. `shift` [px] moves the middle.
    """

    axes: np.ndarray
    target: np.ndarray
    scale: float
    distance: float
    size: tuple[int, int]
    shift: tuple[float, float] = (0.0, 0.0)

    def project(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return where points (… × 3) are seen [px] (… × 2), and their nearness."""
        seen = (points - self.target) @ self.axes.T
        z = seen[..., 2]
        if np.isinf(self.distance):
            k, nearness = 1.0, z
        else:
            k = self.distance / np.maximum(self.distance - z, NEAR * self.distance)
            nearness, k = k - 1.0, k[..., None]
        middle = np.array(self.size) / 2 + self.shift
        return middle + self.scale * k * seen[..., :2] * (1.0, -1.0), nearness

    def depth(self, points: np.ndarray) -> np.ndarray:
        """Return how far points are in front of the nearest that is seen [m]; behind it < 0."""
        z = (points - self.target) @ self.axes[2]
        if np.isinf(self.distance):
            return np.full(z.shape, np.inf)
        return (1.0 - NEAR) * self.distance - z

    def turned(self, directions: np.ndarray) -> np.ndarray:
        """Return directions in the axes of the picture: right, up, towards the eye."""
        return directions @ self.axes.T

    def towards_eye(self, points: np.ndarray) -> np.ndarray:
        """Return the directions from points to the eye, in the world."""
        if np.isinf(self.distance):
            return np.broadcast_to(self.axes[2], points.shape)
        return self.target + self.distance * self.axes[2] - points


def camera_axes(towards_eye: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Return right, up and back of a camera; `up` is what is upward in the picture, about."""
    back = towards_eye / np.linalg.norm(towards_eye)
    if np.linalg.norm(np.cross(up, back)) < 1e-6 * np.linalg.norm(up):
        up = -front_of(up) if back @ up > 0.0 else front_of(up)
    right = np.cross(up, back)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(back, right), back])


def front_of(up: np.ndarray) -> np.ndarray:
    """Return the level direction in which the eye stands for a view from the front.

    With y up it is z, with z up it is −y: x points to the right.
    """
    right = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    front = np.cross(right, up)
    return front / np.linalg.norm(front)


def fitted(
    points: np.ndarray,
    axes: np.ndarray,
    angle: float,
    size: tuple[int, int],
    zoom: float = 1.0,
) -> Lens:
    """Return the lens with these axes that just holds all points; `angle` [rad] from top to bottom.

    With perspective, |x − x₀| ≤ t (D − z) for all points: the eye at (x₀, y₀, D) is as near as
    possible.
    """
    width, height = size
    seen = points @ axes.T
    room = 1.0 - 2.0 * MARGIN
    if not angle:
        low, high = seen.min(axis=0), seen.max(axis=0)
        extent = np.maximum((high - low)[:2], SMALLEST)
        scale = room * min(width / extent[0], height / extent[1])
        return Lens(axes, (low + high) / 2 @ axes, zoom * scale, np.inf, size)
    t = room * tan(angle / 2) * np.array([width / height, 1.0])
    right = (seen[:, :2] + t * seen[:, 2:]).max(axis=0)
    left = (-seen[:, :2] + t * seen[:, 2:]).max(axis=0)
    low, high = float(seen[:, 2].min()), float(seen[:, 2].max())
    D = max(float(((right + left) / (2 * t)).max()), high + CLOSEST * (high - low))
    z = (low + high) / 2
    distance = max(D - z, SMALLEST)
    target = np.array([*(right - left) / 2, z])
    scale = height / (2 * distance * tan(angle / 2))
    return Lens(axes, target @ axes, zoom * scale, distance, size)


def _check_numbers(name: str, value: object, count: int, remedy: str) -> None:
    """Refuse what is not so many finite numbers."""
    numbers = list(value) if isinstance(value, (tuple, list, np.ndarray)) else []
    if len(numbers) != count or not all(map(is_number, numbers)):
        _refuse(name, value, remedy)


def _refuse(name: str, value: object, remedy: str) -> None:
    raise ParameterError(
        "Camera", f"{name} = {value!r}.", remedy, parameter=name, value=value
    )
