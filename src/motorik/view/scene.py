"""Scene: the shapes of a mechanism over time, and the viewpoint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from motorik.components.base.part import number_resolver
from motorik.components.parts.world import World
from motorik.errors import ParameterError
from motorik.view.looks import Data, Shape, shapes_of

if TYPE_CHECKING:
    from motorik.results import ModelResult, Result

MARGIN = 0.06  # of the extent, on every side
SIGN = 0.08  # size of signs, of the extent
UPS = (2, 1)  # coordinates tried as vertical where there is no gravity
FLAT = 1e-9  # extent across the plane, of that within, up to which a motion is planar


@dataclass(frozen=True)
class Scene:
    """Shapes with their points in the world (times × points × 3), and what encloses them.

    `plane` are the two coordinates in which a planar mechanism is shown, the vertical
    one last; it is None in space. `up` is the coordinate against gravity. `low` and `high`
    are the corners [m] of the box that holds everything at all times.
    """

    time: np.ndarray
    shapes: list[tuple[Shape, np.ndarray]]
    traces: list[np.ndarray]
    plane: tuple[int, int] | None
    up: int
    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True)
class Sight:
    """What of a mechanism is shown: shapes, the data they follow, and what is up.

    `up` is the coordinate against gravity, None where there is none.
    """

    shapes: Sequence[Shape]
    data: Data
    up: int | None


def see_model(result: ModelResult) -> Sight:
    """Return what is shown of the result of a model."""
    shapes = shapes_of(result.model)
    needed = dict.fromkeys(name for shape in shapes for name in shape.variables)
    return Sight(shapes, result.compute(needed), _up(result))


def make_scene(result: Result, trace: str | Sequence[str] = ()) -> Scene:
    """Return the scene of a result; `trace` names positions whose path is shown."""
    traced = [trace] if isinstance(trace, str) else list(trace)
    data = result.compute(dict.fromkeys(traced))
    for name in traced:
        if data[name].shape[1:] != (3,):
            raise ParameterError(
                name,
                f"has shape {data[name].shape[1:]} and is not a position.",
                "Trace positions such as 'body.frame_a.r_0' or 'body.r_CM_0'.",
                parameter="trace",
                value=name,
            )
    return arrange(result.time, result.sight(), [data[name] for name in traced])


def arrange(time: np.ndarray, sight: Sight, traces: Sequence[np.ndarray] = ()) -> Scene:
    """Return the scene of shapes: signs in a size that fits, a plane, and the box of all."""
    placed = [(shape, shape.points(sight.data)) for shape in sight.shapes]
    ups = UPS if sight.up is None else (sight.up,)
    planes = {up: find_plane(placed, up) for up in ups}
    up = next((up for up in ups if planes[up]), ups[0])
    low, high = _box(
        [points[:, : shape.places] if shape.is_sign else points for shape, points in placed]
    )
    extent = max(float((high - low).max()), 1e-3)
    placed = [
        (shape, _resized(points, SIGN * extent) if shape.is_sign else points)
        for shape, points in placed
    ]
    low, high = _box([*(points for _, points in placed), *traces])
    margin = MARGIN * extent
    return Scene(time, placed, list(traces), planes[up], up, low - margin, high + margin)


def find_plane(
    placed: Sequence[tuple[Shape, np.ndarray]], up: int
) -> tuple[int, int] | None:
    """Return the two coordinates in which a planar mechanism is best shown.

    It is planar if nothing moves across some vertical coordinate plane, and all places
    of the mechanism lie in it; shapes that only illustrate may have depth.
    """
    low, high = _box([points for _, points in placed])
    tolerance = FLAT * float((high - low).max())
    low, high = _box([points[:, : shape.places] for shape, points in placed])
    for across in (2, 1, 0):
        moves = max(
            (np.ptp(points[..., across], axis=0).max() for _, points in placed), default=0
        )
        if across != up and max(moves, high[across] - low[across]) <= tolerance:
            return 3 - up - across, up
    return None


def _box(points: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    cloud = np.concatenate([p.reshape(-1, 3) for p in points] or [np.zeros((1, 3))])
    return cloud.min(axis=0), cloud.max(axis=0)


def _resized(sign: np.ndarray, size: float) -> np.ndarray:
    origin = sign[:, :1]
    return origin + size * (sign - origin)


def _up(result: ModelResult) -> int:
    """Return the coordinate along which gravity acts."""
    for part in result.model.walk():
        if isinstance(part, World):
            n = part.resolved(number_resolver).n.numpy()
            return int(np.argmax(np.abs(n)))
    return 1
