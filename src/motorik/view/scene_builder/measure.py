"""Measures of a scene: sizes of annotations, bounding box, plane of the motion."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from motorik.components.base.part import Part
from motorik.components.base.ports import PortKind
from motorik.components.forces.contact import PointPlaneContact
from motorik.components.forces.given import GivenLoad
from motorik.components.forces.line import (
    LineForceBase,
    LineLaw,
    Spring,
    SpringDamperSeries,
    Telescope,
)
from motorik.components.forces.line_masses import MassOnLine
from motorik.components.sensors.base import FrameSensor
from motorik.immutable import immutable
from motorik.planar.forces import VectorForce
from motorik.view.scene.place import (
    ScenePoint,
    ScenePose,
    SceneSpan,
    Triple,
    times,
    triple,
    turned,
)
from motorik.view.scene.shapes import BoxShape, Shape, Sphere
from motorik.view.visuals.setting import FramePoses, Sizes

STRETCHED = (
    *(LineLaw, Spring, SpringDamperSeries, LineForceBase, Telescope, MassOnLine, GivenLoad),
    *(PointPlaneContact, FrameSensor, VectorForce),
)
"""Parts between frames that are no distance of their own apart."""
SHARE = 0.3  # length of annotations, as a share of the usual length of parts
LARGEST, SMALLEST = 0.12, 0.015  # of the whole extent
FLAT = 1e-9  # extent across a plane, of the whole, up to which a motion is planar
MOST_ROWS = 200  # samples of a run that are evaluated
FEW_ROWS = 50  # of these, for the outermost points, which only cameras read
STEPS = np.array(list(product((-1.0, 0.0, 1.0), repeat=3)))
DIRECTIONS = np.array(
    [step for step in STEPS if step.any()]
)  # edges, faces, corners of a cube
ALONE = 1.0  # m, the extent of a model without one


def find_sizes(
    parts: Iterable[Part], places: FramePoses, given: Mapping[str, float]
) -> Sizes:
    """Return the sizes of annotations: a share of the usual length of parts, not of the whole.

    Springs, other forces and sensors are as long as the distance they happen to span: they
    count only where nothing else has a length.
    """
    points: list[np.ndarray] = []
    lengths: list[float] = []
    stretched: list[float] = []
    round_masses: list[float] = []
    for part in parts:
        frames = [port for port in part.ports() if port.kind is PortKind.FRAME]
        if not frames:
            continue
        at = [places.place(port) for port in frames]
        ends = [places.pose_now(place).p.numpy() for place in at]
        p = places.values(part)
        if hasattr(p, "r_CM"):
            ends.append(places.pose_now(at[0])(p.r_CM).numpy())
        for name in ("radius", "R_wheel", "r"):
            value = getattr(p, name, None)
            if isinstance(value, float):
                lengths.append(value)
                ends += [ends[0] + value * e for e in np.eye(3)]
        points += ends
        is_stretched = any(isinstance(one, STRETCHED) for one in part.lineage())
        own = stretched if is_stretched else lengths
        own += [float(np.linalg.norm(end - ends[0])) for end in ends[1:]]
        round_masses += _gyration(p)
    extent = float(np.ptp(np.array(points), axis=0).max()) if points else 0.0
    extent = extent or max(round_masses, default=0.0) * 4 or ALONE
    long = [length for length in lengths if length > 1e-6 * extent]
    long = long or [length for length in stretched if length > 1e-6 * extent]
    usual = float(np.median(long)) if long else extent
    annotation = min(max(SHARE * usual, SMALLEST * extent), LARGEST * extent)
    return Sizes(annotation, extent, given)


def _gyration(p: object) -> list[float]:
    """Return the radius of gyration [m] of a body, if it has inertia."""
    values = [getattr(p, name, 0.0) for name in ("m", "I_11", "I_22", "I_33")]
    if not all(isinstance(value, float) for value in values):
        return []
    m, *inertia = values
    return [math.sqrt(max(inertia) / m)] if m > 0.0 and max(inertia) > 0.0 else []


@immutable
class Extent:
    """The corners [m] of the box of everything, and the normal of the plane, if there is one.

    `hull` are points [m] of it that are outermost in many directions.
    """

    low: Triple
    high: Triple
    plane: Triple | None
    hull: tuple[Triple, ...] = ()


def find_extent(
    shapes: Sequence[Shape], poses: np.ndarray, places: Sequence[ScenePose], up: Triple
) -> Extent:
    """Return the box and the plane of shapes; `poses` are rows × groups − 1 × 7.

    `places` are those of frames: a motion is planar if all of them stay in one coordinate
    plane that contains `up`, and nothing turns out of it.
    """
    rows = poses[:: max(1, math.ceil(len(poses) / MOST_ROWS))]
    rows = np.concatenate([rows, poses[-1:]]) if len(poses) else rows
    clouds = _clouds(shapes)
    reached = [seen(points, group, rows) for group, points in clouds.items()]
    cloud = np.concatenate(
        [points.reshape(-1, 3) for points in reached] or [np.zeros((1, 3))]
    )
    cloud = cloud[np.isfinite(cloud).all(axis=1)]
    low, high = cloud.min(axis=0), cloud.max(axis=0)
    plane = _find_plane(places, rows, float((high - low).max()), up)
    return Extent(triple(low), triple(high), plane, outermost(reached))


def spread_floors(shapes: Sequence[Shape], poses: np.ndarray) -> list[Shape]:
    """Return shapes with floors that reach below all balls and points that may touch them.

    Parts on one plane have one floor; `poses` are rows × groups − 1 × 7.
    """
    floors: dict[ScenePose, list[BoxShape]] = {}
    touching: dict[int | None, list[Sphere]] = {}
    for shape in shapes:
        if isinstance(shape, BoxShape) and shape.role == "floor":
            assert isinstance(shape.at, ScenePose)
            floors.setdefault(shape.at, []).append(shape)
        elif isinstance(shape, Sphere) and shape.role == "contact":
            touching.setdefault(shape.part, []).append(shape)
    wide: dict[int, Shape] = {}
    hidden: set[int] = set()
    for at, own in floors.items():
        reached = [np.zeros((1, 2))]
        for ball in (ball for floor in own for ball in touching.get(floor.part, ())):
            assert isinstance(ball.at, ScenePose)
            points = _seen_from(at, ball.at, poses)[:, 1:]
            around = 0.5 * ball.diameter * np.array([[-1.0, -1.0], [1.0, 1.0]])
            reached += [points + step for step in around]
        points = np.concatenate(reached)
        points = points[np.isfinite(points).all(axis=1)]
        low, high = points.min(axis=0), points.max(axis=0)
        (y, z), (width, height) = (low + high) / 2, high - low
        first = own[0]
        hidden |= {id(floor) for floor in own[1:]}
        wide[id(first)] = replace(
            first,
            at=at.moved(y=float(y), z=float(z)),
            width=first.width + float(width),
            height=first.height + float(height),
        )
    return [wide.get(id(one), one) for one in shapes if id(one) not in hidden]


def _seen_from(at: ScenePose, other: ScenePose, poses: np.ndarray) -> np.ndarray:
    """Return the origin of a place in the axes of another at all rows, rows × 3."""
    rows = poses if len(poses) else np.zeros((1, 0, 7))
    origin = seen(np.array([at.r]), at.group, rows)[:, 0]
    away = seen(np.array([other.r]), other.group, rows)[:, 0] - origin
    q = np.array([at.q])
    if at.group:
        q = times(rows[:, at.group - 1, 3:], np.broadcast_to(q, (len(rows), 4)))
    return turned(q * (-1.0, -1.0, -1.0, 1.0), away)


def outermost(clouds: Sequence[np.ndarray]) -> tuple[Triple, ...]:
    """Return the points of some clouds (rows × points × 3) that are farthest in DIRECTIONS."""
    found = [np.zeros((0, 3))]
    for cloud in clouds:
        flat = cloud[:: max(1, len(cloud) // FEW_ROWS)].reshape(-1, 3)
        flat = flat[np.isfinite(flat).all(axis=1)]
        if len(flat):
            found.append(flat[(flat @ DIRECTIONS.T).argmax(axis=0)])
    points = np.concatenate(found)
    if not len(points):
        return ()
    chosen = np.unique((points @ DIRECTIONS.T).argmax(axis=0))
    return tuple(triple(point) for point in points[chosen])


def _clouds(shapes: Sequence[Shape]) -> dict[int, np.ndarray]:
    """Return the corners of shapes by the rigid group they are on."""
    clouds: dict[int, list[np.ndarray]] = {}
    for shape in shapes:
        if shape.layer == "world" and shape.kind == "grid":
            continue
        if isinstance(shape.at, SceneSpan):
            for end in (shape.at.begin, shape.at.end):
                clouds.setdefault(end.group, []).append(np.array([end.r]))
            continue
        low, high = np.array(shape.box)
        corners = np.array(
            [
                [x, y, z]
                for x in (low[0], high[0])
                for y in (low[1], high[1])
                for z in (low[2], high[2])
            ]
        )
        own = turned(np.array(shape.at.q), corners) + np.array(shape.at.r)
        clouds.setdefault(shape.at.group, []).append(own)
    return {group: np.concatenate(own) for group, own in clouds.items()}


def seen(points: np.ndarray, group: int, poses: np.ndarray) -> np.ndarray:
    """Return points of a rigid group in the world, rows × points × 3."""
    if group == 0:
        return points[None]
    pose = poses[:, group - 1, None, :]
    return turned(pose[..., 3:], points[None]) + pose[..., :3]


def _find_plane(
    places: Sequence[ScenePose], rows: np.ndarray, size: float, up: Triple
) -> Triple | None:
    """Return the normal of the coordinate plane in which all places stay, if there is one."""
    if not places:
        return None
    by_group: dict[int, list[ScenePoint]] = {}
    for place in places:
        by_group.setdefault(place.group, []).append(place.point)
    cloud = np.concatenate(
        [
            seen(np.array([point.r for point in own]), group, rows).reshape(-1, 3)
            for group, own in by_group.items()
        ]
    )
    for axis in (2, 1, 0):
        normal = np.eye(3)[axis]
        if abs(float(np.dot(normal, up))) > 0.5 or np.ptp(cloud[:, axis]) > FLAT * size:
            continue
        tilt = [0.0]
        for group in by_group:
            if group:
                q = rows[:, group - 1, 3:]
                first = turned(q[:1] * np.array([-1.0, -1.0, -1.0, 1.0]), normal[None])
                tilt.append(float(np.abs(turned(q, first) - normal).max()))
        if max(tilt) <= 1e-6:
            return triple(normal)
    return None
