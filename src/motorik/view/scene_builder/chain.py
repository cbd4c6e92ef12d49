"""Scenes of MOBILE's programs: chains of elements, and results of dynamic systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from motorik.algebra.pose import Pose
from motorik.algebra.quaternion import Quaternion
from motorik.algebra.vector import Vector
from motorik.components.base.part import Part
from motorik.components.base.ports import Port
from motorik.components.base.values import LiveScalar
from motorik.errors import ParameterError, UnknownNameError, suggest
from motorik.mobile import Element, Frame, JointElement, SystemResult
from motorik.mobile.states.transmission import walk
from motorik.view.argument_checks import check_plotted
from motorik.view.scene.place import ScenePose, Triple, triple
from motorik.view.scene.scene import Channel, Scene, ScenePart, SceneRun, Trace
from motorik.view.scene.shapes import Shape
from motorik.view.scene_builder.measure import ALONE, LARGEST, SHARE, SMALLEST, find_extent
from motorik.view.visuals.chains import ChainSetting, chain_visual
from motorik.view.visuals.given_shapes import GivenShape
from motorik.view.visuals.line_layout import FlangeFacts
from motorik.view.visuals.setting import Sizes

Shown = Element | Frame
"""Objects of a chain that have shapes."""


class ChainPlaces:
    """Frames of a chain, each a rigid group; `start` are their poses."""

    def __init__(self, start: np.ndarray) -> None:
        self.start = start

    def pose_now(self, place: ScenePose) -> Pose:
        """Return where a place is in the world at the start."""
        x, y, z, *q = self.start[place.group - 1].tolist()
        return Pose(Quaternion(*q).rotation(), Vector(x, y, z)) @ place.pose

    def _refuse(self, *given: object) -> ParameterError:
        return ParameterError(
            "chain", "a chain has no ports and no parts.", parameter="place", value=given
        )

    def place(self, port: Port) -> ScenePose:
        """Refuse: a chain has frames, not ports."""
        raise self._refuse(port)

    def mass(self, part: Part) -> ScenePose:
        """Refuse: a chain has elements, not parts."""
        raise self._refuse(part)

    def values(self, part: Part) -> SimpleNamespace:
        """Refuse: a chain has elements, not parts."""
        raise self._refuse(part)

    def flange_facts(self) -> FlangeFacts:
        """Return that there are no flanges."""
        return FlangeFacts({}, {}, {})

    def stays_in(self, normal: Triple) -> bool:
        """Return that frames are judged by where they are."""
        return True

    def number(self, live: LiveScalar) -> float:
        """Return the value of a live number."""
        return live.value


def frames_of(parts: Iterable[Shown]) -> list[Frame]:
    """Return the frames of shown objects, each once."""
    found: dict[int, Frame] = {}
    for part in parts:
        states = [part] if isinstance(part, Frame) else part.touched
        found |= {id(state): state for state in states if isinstance(state, Frame)}
    return list(found.values())


def frame_poses(frames: Sequence[Frame]) -> np.ndarray:
    """Return where frames are now, frames × 7: x y z [m] and qx qy qz qw."""
    return np.array(
        [
            [*frame.X.p.numpy(), *Quaternion.from_rotation(frame.X.R).numpy()]
            for frame in frames
        ]
    ).reshape(-1, 7)


def shown_parts(chain: Element) -> list[Shown]:
    """Return the parts of a chain that have shapes."""
    return [part for part in walk(chain) if has_visual(part)]


def has_visual(part: object) -> bool:
    """Return whether frames, joints, links, masses or closed loops are shown."""
    return isinstance(part, Frame) or chain_visual.dispatch(
        type(part)
    ) is not chain_visual.dispatch(object)


def scene_of_chain(
    parts: Sequence[Shown],
    up: Triple = (0.0, 0.0, 1.0),
    title: str = "chain",
    given: Mapping[int, Sequence[GivenShape]] | None = None,
    rows: tuple[np.ndarray, np.ndarray] | None = None,
    channels: tuple[Sequence[Channel], np.ndarray] | None = None,
    probes: np.ndarray | None = None,
    sizes: Sizes | None = None,
) -> Scene:
    """Return the scene of elements where they are now.

    `given` are shapes by the identity of a part, `rows` times and poses of its frames over
    time, `channels` numbers with their values over time; `probes` are other poses of its
    frames, by which a planar mechanism is recognised. `sizes` of annotations are
    found from where the frames are, unless they are given.
    """
    frames = frames_of(parts)
    start = frame_poses(frames)
    sizes = sizes or _sizes(start)
    setting = ChainSetting(ChainPlaces(start), sizes, lambda part: {})
    setting.frame_numbers = {id(frame): k for k, frame in enumerate(frames, 1)}
    shown: list[ScenePart] = []
    shapes: list[Shape] = []
    for part in parts:
        own = chain_visual(part, setting)
        if chosen := (given or {}).get(id(part)):
            frame = part if isinstance(part, Frame) else frames_of([part])[-1]
            on = setting.on(frame)
            own = [one for g in chosen for one in g.shapes(setting, part, on, own)]
        shapes += [shape.of_part(len(shown)) for shape in own]
        shown.append(_described(part, own, len(shown)))
    runs: tuple[SceneRun, ...] = ()
    if rows is not None:
        values = np.zeros((len(rows[0]), 0)) if channels is None else channels[1]
        runs = (SceneRun(rows[0], rows[1], values),)
    poses = runs[0].poses if runs else start[None]
    if probes is not None and len(probes):
        poses = np.concatenate([probes, poses])
    places = [setting.on(frame) for frame in frames]
    extent = find_extent(shapes, poses, places, up)
    names = [frame.name or f"frame {k}" for k, frame in enumerate(frames, 1)]
    return Scene(
        title=title,
        up=up,
        plane=extent.plane,
        low=extent.low,
        high=extent.high,
        hull=extent.hull,
        size=setting.sizes.annotation,
        groups=("world", *names),
        parts=tuple(shown),
        shapes=tuple(shapes),
        meshes=dict(setting.meshes),
        channels=() if channels is None else tuple(channels[0]),
        runs=runs,
        start=start,
    )


def sizes_of(parts: Iterable[Shown]) -> Sizes:
    """Return sizes of annotations for elements in their present pose."""
    return _sizes(frame_poses(frames_of(parts)))


def _sizes(start: np.ndarray) -> Sizes:
    """Return sizes of annotations: a share of the usual distance of successive frames."""
    apart = np.linalg.norm(np.diff(start[:, :3], axis=0), axis=1)
    extent = float(np.ptp(start[:, :3], axis=0).max()) if len(start) else 0.0
    extent = extent or ALONE
    long = apart[apart > 1e-6 * extent]
    usual = float(np.median(long)) if long.size else extent
    annotation = min(max(SHARE * usual, SMALLEST * extent), LARGEST * extent)
    return Sizes(annotation, extent)


def _described(part: Shown, own: Sequence[Shape], number: int) -> ScenePart:
    kind = type(part).__name__
    name = part.name if isinstance(part, Frame) else ""
    role = own[0].role if own else "body"
    variables = part.variables if isinstance(part, JointElement) else ()
    names = tuple(n for v in variables if v.name for n in (v.name, f"der({v.name})"))
    return ScenePart(name or f"{kind}[{number + 1}]", kind, role, kind, names)


def scene_of_system(
    result: SystemResult, trace: Sequence[str] = (), values: Sequence[str] = ()
) -> Scene:
    """Return the scene of the result of a dynamic system; `trace` names frames, "K2".

    `values` are variables to plot besides the states.
    """
    elements = result.system.elements
    moved = {id(state) for element in elements for state in element.outputs}
    resting = {
        id(state): state
        for element in elements
        for state in element.inputs
        if isinstance(state, Frame) and id(state) not in moved
    }
    parts: list[Shown] = [*resting.values(), *(one for one in elements if has_visual(one))]
    if not any(has_visual(one) for one in elements):
        raise ParameterError(
            "scene",
            f"{result.system.label} has no joints, links or masses to show.",
            "Show the result of a MechanicalSystem, or of a CombinedSystem with one in it.",
            parameter="result",
            value=result.system,
        )
    frames = frames_of(parts)
    poses = np.array(result.follow_motion(lambda _: frame_poses(frames)))
    g = result.system.gravity.numpy()
    up = triple(-g / np.linalg.norm(g)) if g.any() else (0.0, 0.0, 1.0)
    more = [name for name in values if name not in result.state_names]
    for name in more:
        check_plotted(result, name)
    names = [*result.state_names, *more]
    channels = [Channel(name, result.unit(name)) for name in names]
    scene = scene_of_chain(
        parts,
        up,
        result.system.label,
        rows=(result.time, poses),
        channels=(channels, np.column_stack([result.states, *(result[n] for n in more)])),
    )
    traces = tuple(_trace(scene, name) for name in trace)
    return scene.with_runs(*(replace(run, traces=traces) for run in scene.runs))


def scene_of_systems(
    results: Sequence[SystemResult], trace: Sequence[str] = (), values: Sequence[str] = ()
) -> Scene:
    """Return the scene of results of one dynamic system."""
    scenes = [scene_of_system(result, trace, values) for result in results]
    first = scenes[0]
    for scene in scenes[1:]:
        if scene.groups != first.groups:
            raise ParameterError(
                first.title,
                f"{scene.title} has other frames, and no common scene with it.",
                "Show results of one system.",
                parameter="others",
                value=scene.title,
            )
    return first.with_runs(*(run for scene in scenes for run in scene.runs))


def _trace(scene: Scene, name: str) -> Trace:
    """Return the path of the origin of a frame, by its name or that of its position."""
    frame = name.removesuffix(".p")
    if frame not in scene.groups[1:]:
        raise UnknownNameError(
            scene.title,
            f"has no frame {frame!r}.",
            suggest(frame, scene.groups[1:]),
            parameter="trace",
            value=name,
        )
    return Trace(scene.groups.index(frame), (0.0, 0.0, 0.0), name)
