"""Building scenes of results, of models before any run, of models that do not assemble."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from motorik.algebra.vector import Vector
from motorik.components.base.composite import Composite
from motorik.components.base.part import Part, resolve_value
from motorik.components.base.ports import Port, PortKind
from motorik.components.base.two_frames import two_frames
from motorik.components.base.visual import options_of
from motorik.components.forces.line import Telescope
from motorik.components.parts.world import World, gravity_field
from motorik.errors import MotorikError, ParameterError, UnknownNameError, suggest
from motorik.initialisation.initialise import InitialState, initialise
from motorik.loops.assembled_pose import AssembledPose
from motorik.mobile import SystemResult
from motorik.results import ModelResult, Result
from motorik.results.event_states import times_beside_events
from motorik.system.rigid_groups import RigidGroups, pose_numbers
from motorik.view.argument_checks import check_names, check_plotted
from motorik.view.curves import is_mode
from motorik.view.scene.annotations import (
    ArrowAnnotation,
    Axes,
    Grid,
    TextAnnotation,
    VectorReading,
)
from motorik.view.scene.place import Bases, ScenePose, Triple, triple
from motorik.view.scene.scene import Channel, Scene, SceneEvent, SceneRun, Trace
from motorik.view.scene.shapes import Shape
from motorik.view.scene_builder.chain import scene_of_systems
from motorik.view.scene_builder.garbage import WITHOUT_SEARCH
from motorik.view.scene_builder.gather import (
    ShownParts,
    gather,
    note_shapes,
    notes_of,
    opened,
    settled,
    solids_of,
)
from motorik.view.scene_builder.measure import (
    Extent,
    find_extent,
    find_sizes,
    spread_floors,
)
from motorik.view.scene_builder.places import LoosePlaces, MechanismPlaces, OpenJoint
from motorik.view.visuals import Setting
from motorik.view.visuals.bodies import body_widths
from motorik.view.visuals.forces import NOT_SCALED, arrow_of
from motorik.view.visuals.gear_pairs import is_gear, pair_of
from motorik.view.visuals.inherited_options import chosen_options
from motorik.view.visuals.line_layout import ForceLine, LineLayout, lay_rows
from motorik.view.visuals.setting import FramePoses, Sizes
from motorik.view.visuals.world import FLAT_ON_NORMAL

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.visible import Visible


# --- runs that share a scene --------------------------------------------------------------


R = TypeVar("R", bound=Result)


def alike_to(first: Result, other: Result, kind: type[R]) -> R:
    """Return another result; reject one of another mechanism."""
    if isinstance(other, kind):
        if not isinstance(first, ModelResult) or not isinstance(other, ModelResult):
            return other
        own, its = (
            first._system.equations.rigid_groups,
            other._system.equations.rigid_groups,
        )
        names, index = first._system.layout.motion_names, other._system.layout.index
        if own.names == its.names and all(name in index for name in names):
            return other
    raise ParameterError(
        "scene",
        f"{other!r} is no run of the mechanism of {first!r}, and has no common scene with it.",
        "Give results of one model; result.draw(beside=…) shows others.",
        parameter="others",
        value=other,
    )


# --- lengths of arrows --------------------------------------------------------------------


LONGEST = 0.3  # length of the longest arrow of a run, of the extent of the model


def scaled(
    shapes: Sequence[Shape], rows: Sequence[np.ndarray], sizes: Sizes, weight: float
) -> list[Shape]:
    """Return shapes with arrows scaled so that the longest of all rows of channels fits.

    All forces have one scale, and all torques. If all vanish, the weight of the model would
    be as long.
    """
    longest = LONGEST * sizes.extent
    scales: dict[bool, float] = {}
    for double in (False, True):
        usual = weight * sizes.extent if double else weight
        largest = max((_largest(one, rows) for one in _open(shapes, double)), default=0.0)
        scales[double] = longest / (largest or usual or 1.0)
    return [_with_scale(shape, scales) for shape in shapes]


def _open(shapes: Sequence[Shape], double: bool) -> list[VectorReading]:
    """Return the vectors of forces or torques whose scale was not chosen."""
    arrows = [one.vector for one in shapes if isinstance(one, ArrowAnnotation)]
    vectors = [one for one in arrows if one is not None and one.scale == NOT_SCALED]
    return [one for one in vectors if one.double == double]


def _largest(vector: VectorReading, rows: Sequence[np.ndarray]) -> float:
    columns = list(vector.channels)
    lengths = [np.linalg.norm(values[:, columns], axis=1) for values in rows]
    finite = [one[np.isfinite(one)] for one in lengths]
    return max((float(one.max()) for one in finite if one.size), default=0.0)


def _with_scale(shape: Shape, scales: dict[bool, float]) -> Shape:
    if not isinstance(shape, ArrowAnnotation) or shape.vector is None:
        return shape
    if shape.vector.scale != NOT_SCALED:
        return shape
    return replace(shape, vector=replace(shape.vector, scale=scales[shape.vector.double]))


# --- ground and axes ----------------------------------------------------------------------


NOTHING = (
    "Nothing in this model has a place in space.",
    "diagram() draws how its parts are connected.",
)


def named_frames(model: Part, place: Callable[[Port], ScenePose]) -> dict[ScenePose, str]:
    """Return the names of frames by their places; of several at one place the shortest path."""
    found: dict[ScenePose, str] = {}
    for part in model.walk():
        for port in part.ports():
            if port.kind is PortKind.FRAME:
                at, name = place(port), port.path
                if name.count(".") < found.get(at, 9 * ".").count("."):
                    found[at] = name
    return found


def frames(
    places: Mapping[ScenePose, str], shapes: Sequence[Shape], size: float
) -> list[Shape]:
    """Return the axes of all frames that have none yet, of a size [m], shown on demand."""
    drawn = {shape.at for shape in shapes if isinstance(shape, Axes)}
    style = {"labels": True, "role": "frame", "layer": "frames"}
    return [
        Axes(at=place, size=size, name=name, **style)
        for place, name in places.items()
        if place not in drawn
    ]


def sentence(up: Triple) -> tuple[list[Shape], Extent]:
    """Return the message for a model in which nothing has a place in space."""
    height = 1.0 / max(map(len, NOTHING))
    middle = np.array(up) / np.linalg.norm(up) * 1.5 * height
    lines: list[Shape] = [
        TextAnnotation(
            at=ScenePose(r=triple(middle * (1 - 2 * k))),
            text=line,
            height=height,
            role="text",
        )
        for k, line in enumerate(NOTHING)
    ]
    return lines, Extent((-0.25, -0.25, -0.25), (0.25, 0.25, 0.25), None)


def ground(options: Mapping[str, Any], up: Triple, extent: Extent) -> list[Shape]:
    """Return the ground under a model in space, by the options of its World.

    There is none if the World draws it, or does not want it.
    """
    if options.get("animateGround") is not None:
        return []
    low, high = np.array(extent.low), np.array(extent.high)
    middle, normal = (low + high) / 2, np.array(up)
    reach = float(np.abs(normal) @ (high - low)) / 2
    r = triple(middle - 1.02 * reach * normal)
    axis = options.get("groundAxis_u")
    along = ScenePose(r=r).along(Vector(*up), None if axis is None else Vector(*axis))
    return [
        Grid(
            at=along.turned(FLAT_ON_NORMAL),
            size=float(options.get("groundLength_u", 2.0 * float((high - low).max()))),
            width=options.get("groundLength_v"),
            role="ground",
            color=options.get("groundColor"),
            layer="world",
        )
    ]


# --- values at the start of a run ---------------------------------------------------------


def values_at(found: InitialState, channels: Sequence[Channel]) -> np.ndarray:
    """Return the values of channels at a start; not numbers where none can be found."""
    system, index = found.system, found.system.layout.index
    requested = [channel.name for channel in channels if channel.name not in index]
    try:
        rows = system.output_samples(
            times_beside_events(np.array([found.t])), found.X[None], found.p
        )
        computed = {name: float(own[0]) for name, own in rows.values(requested).items()}
    except MotorikError:  # no acceleration follows from forces, as with a singular mass
        computed = dict.fromkeys(requested, np.nan)
    return np.array(
        [
            found.X[index[channel.name]]
            if channel.name in index
            else computed[channel.name]
            for channel in channels
        ]
    )


WORLD_SIZES = (
    "nominalLength",
    "defaultAxisLength",
    "defaultJointLength",
    "defaultJointWidth",
    "defaultForceLength",
    "defaultForceWidth",
    "defaultBodyDiameter",
    "defaultArrowDiameter",
    "defaultFrameDiameterFraction",
    "defaultN_to_m",
    "defaultNm_to_m",
    "defaultSpecularCoefficient",
    "defaultWidthFraction",
)


def scene_of(
    source: Visible | Result,
    *others: Result,
    trace: str | Sequence[str] = (),
    values: Sequence[str] = (),
    reactions: bool | str | Sequence[str] = False,
) -> Scene:
    """Return the scene of a model before any run, or of one or several results of it.

    `trace` names frames or positions, such as "body.frame_a" or "body.r_CM_0", whose path is
    drawn; `values` are further variables of results that viewers can plot; `reactions` names
    joints whose force is drawn, True those of all.
    """
    points = check_names("scene", "trace", trace)
    if isinstance(source, ModelResult):
        same = [alike_to(source, other, ModelResult) for other in others]
        return scene_of_results((source, *same), points, values, reactions)
    if reactions is not False and reactions != ():
        raise ParameterError(
            "scene_of",
            f"reactions = {reactions!r}, but {source!r} is no run of a model.",
            "Simulate a model and draw its result.",
            parameter="reactions",
            value=reactions,
        )
    if isinstance(source, SystemResult):
        alike = [alike_to(source, other, SystemResult) for other in others]
        return scene_of_systems((source, *alike), points, values)
    if isinstance(source, Composite) and not others:
        return scene_of_model(source)
    raise ParameterError(
        "scene_of",
        f"{source!r} is neither a model nor a result.",
        "Give a model, or results of its runs.",
        parameter="source",
        value=source,
    )


def scene_of_results(
    results: Sequence[ModelResult],
    trace: Sequence[str] = (),
    values: Sequence[str] = (),
    reactions: bool | str | Sequence[str] = False,
) -> Scene:
    """Return the scene of results of one model, with further variables to plot."""
    first = results[0]
    system = first._system
    p = np.atleast_2d(first._parameters)[0]
    places = MechanismPlaces.of(system, p, first.poses().values[0])
    rods = [k for port, k in places.groups.flanges.items() if is_rod(port)]
    slid = first.poses().values[:, [k - 1 for k in rods], 0]
    moved = float(np.ptp(slid, axis=0).max()) if slid.size else 0.0
    maker = SceneBuilder(first.model, places, system, moved, readings=True)
    maker.add_reactions(reactions)
    for name in values:
        check_plotted(first, name)
        maker.setting.names.setdefault(name, len(maker.setting.names))
    bases, traces = maker.bases, maker.traces(trace)
    runs = (run_of(result, maker.channels, bases) for result in results)
    return maker.scene(tuple(replace(run, traces=traces) for run in runs))


def is_rod(port: Port) -> bool:
    """Return whether a flange slides."""
    return port.kind is PortKind.TRANSLATIONAL


def scene_of_model(model: Visible, start: Mapping[str, float] | None = None) -> Scene:
    """Return the scene of a model at its start; of one that fails, where its parts stand."""
    with WITHOUT_SEARCH:
        return _scene_of_model(model, start)


def _scene_of_model(model: Visible, start: Mapping[str, float] | None) -> Scene:
    try:
        system = model.compile()
        found = initialise(system, start or {}, system.parameter_values())
    except MotorikError as error:
        return loose_scene(model, error)
    system = found.system
    poses = system.poses(found.t, found.X, found.p).reshape(-1, 7)
    places = MechanismPlaces.of(system, found.p, poses)
    q, _, _ = system.layout.split(found.X)
    places = replace(places, q=tuple(q.tolist()))
    maker = SceneBuilder(model, places, system, readings=True)
    return maker.scene((), values=values_at(found, maker.channels))


def mechanism_places(pose: AssembledPose) -> MechanismPlaces:
    """Return the places of an assembled model in a pose that was found without compiling it."""
    groups = RigidGroups.of(pose.mechanism)
    numbers = [pose_numbers(own(pose.motion)) for own in groups.poses]
    start = np.array(numbers, dtype=float).reshape(-1, 7)
    q = tuple(pose.q.tolist())
    return MechanismPlaces(pose.mechanism, groups, start, pose.live, q)


def loose_places(model: Composite) -> LoosePlaces:
    """Return the places of a model that does not assemble: where start values put its parts."""
    return LoosePlaces(model)


def scene_at_places(
    model: Composite, places: FramePoses, errors: Sequence[MotorikError] = ()
) -> Scene:
    """Return the scene of a model at these places, with errors at their parts."""
    maker = SceneBuilder(model, places, None)
    loose = isinstance(places, LoosePlaces)
    faults = [*errors, *(places.faults if loose else ())]
    return maker.scene((), notes_of(faults, model), gaps=places.gaps if loose else ())


def loose_scene(model: Composite, error: MotorikError) -> Scene:
    """Return the scene of a model that does not assemble, with the error at its part."""
    places = LoosePlaces(model)
    maker = SceneBuilder(model, places, None)
    notes = notes_of([error, *places.faults], model)
    return maker.scene((), notes, gaps=places.gaps)


def run_of(
    result: ModelResult,
    channels: Sequence[Channel],
    bases: Mapping[int, ScenePose] | None = None,
) -> SceneRun:
    """Return a result as a run of a scene that has these channels and bases."""
    rows = result._with_event_samples()
    names = [channel.name for channel in channels]
    found = rows.compute(names)
    columns = [found[name] for name in names]
    values = np.column_stack(columns) if columns else np.zeros((len(rows), 0))
    events = tuple(SceneEvent(e.time, e.part, e.what) for e in result.events)
    poses = Bases(bases or {}).place(rows.poses().values)
    return SceneRun(rows.time, poses, values, events=events)


class SceneBuilder:
    """Puts the scene of a model together; without a `system` nothing moves.

    `moved` [m] is how far rods slide in runs; with `readings` all parts have values that are
    shown, computed from the motion, else only those that visuals need.
    """

    def __init__(
        self,
        model: Composite,
        places: FramePoses,
        system: CompiledModel | None,
        moved: float = 0.0,
        readings: bool = False,
    ) -> None:
        self.model, self.places, self.system = model, places, system
        self._options: dict[Part, Mapping[str, Any]] = {}
        self.world = next((p for p in model.walk() if isinstance(p, World)), None)
        names = [] if system is None else system.layout.motion_names
        self.sizes = find_sizes(model.walk(), places, self._given_sizes())
        self.setting = Setting(places, self.sizes, self.options)
        self.setting.names.update({name: k for k, name in enumerate(names)})
        if system is not None and readings:
            self.setting.variables = system.equations.catalogue.of_part
        self.setting.lines = self._lines(moved)
        self.setting.widths = body_widths(model.walk(), self.setting)
        self.setting.solids, drawn = solids_of(model, self.setting)
        self.found: ShownParts = gather(model, self.setting, drawn)

    def add_reactions(self, wanted: bool | str | Sequence[str]) -> None:
        """Add arrows of the forces that joints transmit to what is behind them, at frame_b.

        `wanted` names joints; True stands for all.
        """
        parts = {part.path: part for part in self.model.walk()}
        joints = {
            shown.path: number
            for number, shown in enumerate(self.found.parts)
            if shown.role == "joint"
            and {"frame_a", "frame_b"} <= parts[shown.path].specs.keys()
        }
        chosen = [*joints] if wanted is True else []
        if not isinstance(wanted, bool):
            chosen = check_names("draw", "reactions", wanted)
        for name in chosen:
            if name not in joints:
                raise UnknownNameError(
                    self.model.label,
                    f"{name!r} is no joint of which a force could be drawn.",
                    suggest(name, joints),
                    parameter="reactions",
                    value=name,
                )
            a, b = two_frames(parts[name])
            at, axes = self.setting.at(b), self.setting.at(a)
            arrow = arrow_of(
                self.setting, parts[name], f"{a.name}.f", at, axes, double=False
            )
            self.found.shapes.append(arrow.of_part(joints[name]))

    def _lines(self, moved: float) -> LineLayout:
        """Return the rows of drive lines; `moved` [m] is how far rods slide in runs."""
        facts = self.places.flange_facts()
        frames = {one.frame_a: self.places.place(one.frame_a) for one in facts.joints}
        cell, free = 1.5 * self.sizes.joint_length, ScenePose()
        points = [self.places.pose_now(place).p.numpy() for place in self._all_places]
        if points:
            low = np.min(points, axis=0)
            free = ScenePose(r=triple(low - np.array([0.0, 3.0 * cell, 0.0])))
        else:
            cell = max(cell, 1.5 * moved, *self._rod_lengths())
        lines = [
            ForceLine(
                facts.node[part.flange_a],
                facts.node[part.flange_b],
                self.setting.between(part.frame_a, part.frame_b),
                self.setting.fixed_distance(
                    self.places.place(part.frame_a), self.places.place(part.frame_b)
                ),
            )
            for part in self.model.walk()
            if isinstance(part, Telescope)
        ]
        return lay_rows(self.model, facts, frames, cell, free, lines, self._apart)

    def _apart(self, part: Part) -> float:
        """Return how far apart the shafts of a gear are, in cells; 0 of other parts."""
        if not is_gear(part):
            return 0.0
        return pair_of(float(self.places.values(part).ratio)).distance

    def _rod_lengths(self) -> list[float]:
        """Return the lengths [m] of rods, springs and masses of drive lines."""
        names = ("L", "s_rel0", "s0")
        found = [
            getattr(self.places.values(p), n, 0.0) for p in self.model.walk() for n in names
        ]
        return [0.0, *(abs(x) for x in found if isinstance(x, float))]

    def options(self, part: Part) -> Mapping[str, Any]:
        """Return the options of drawing of a part, live ones as numbers."""
        if part not in self._options:
            self._options[part] = {
                name: plain_option(resolve_value(value, self.places.number))
                for name, value in chosen_options(part).items()
            }
        return self._options[part]

    def _given_sizes(self) -> dict[str, float]:
        if self.world is None:
            return {}
        own = {
            **options_of(self.world),
            "defaultWidthFraction": self.world.defaultWidthFraction,
        }
        return {name: float(own[name]) for name in WORLD_SIZES if own.get(name) is not None}

    @property
    def bases(self) -> dict[int, ScenePose]:
        """The rows of the rigid groups of drive lines."""
        return {} if self.setting.lines is None else self.setting.lines.bases()

    @property
    def channels(self) -> tuple[Channel, ...]:
        """The numbers over time that parts and arrows show."""
        if self.system is None:
            return ()
        layout, catalogue = self.system.layout, self.system.equations.catalogue
        found = []
        for name in self.setting.names:
            is_motion = name in layout.index
            unit = layout.motion[layout.index[name]].unit if is_motion else ""
            unit = unit if is_motion else catalogue.find(name)[0].unit
            steps = not is_motion and (name in layout.kept_signals or is_mode(name, unit))
            found.append(Channel(name, unit, steps))
        return tuple(found)

    @property
    def gravity(self) -> Triple | None:
        """The gravity acceleration [m/s²], None where there is none or no uniform one."""
        if self.world is None:
            field = gravity_field(World().resolved(lambda live: live.value)).uniform
        else:
            field = gravity_field(self.places.values(self.world)).uniform
        if field is None or float(field.norm()) == 0.0:
            return None
        return triple(field.numpy())

    def traces(self, names: Sequence[str]) -> tuple[Trace, ...]:
        """Return the points whose path is drawn, by the names of frames or positions."""
        return tuple(
            Trace(at.group, at.r, name) for name in names for at in [self._at(name)]
        )

    def _at(self, name: str) -> ScenePose:
        """Return the place that a name such as "body.frame_a" or "body.r_CM_0" means."""
        for part in self.model.walk():
            for port in part.ports():
                if port.kind is PortKind.FRAME and name in (port.path, f"{port.path}.r_0"):
                    return self.places.place(port)
            if name == f"{part.path}.r_CM_0" and hasattr(part, "frame_a"):
                at = self.places.place(part.frame_a)  # type: ignore[attr-defined]
                return at.moved(*triple(self.places.values(part).r_CM.numpy()))
            if name == f"{part.path}.r_0" and hasattr(part, "frame_a"):
                return self.places.place(part.frame_a)  # type: ignore[attr-defined]
        raise UnknownNameError(
            self.model.label,
            f"{name!r} is not a point of a body, and has no path.",
            "Trace frames such as 'body.frame_a', or 'body.r_CM_0'.",
            parameter="trace",
            value=name,
        )

    def scene(
        self,
        runs: tuple[SceneRun, ...],
        notes: Mapping[str, str] | None = None,
        values: np.ndarray | None = None,
        gaps: Sequence[OpenJoint] = (),
    ) -> Scene:
        """Return the scene with runs, or with notes at parts that are at fault.

        `values` are those of the channels before any run; `gaps` are joints that are open.
        """
        groups, start = ("world",), np.zeros((0, 7))
        if isinstance(self.places, MechanismPlaces):
            groups = ("world", *self.places.groups.names)
            start = Bases(self.bases).place(self.places.start)
        parts = [
            replace(part, note=(notes or {}).get(part.path, part.note))
            for part in self.found.parts
        ]
        rows = [run.values for run in runs] or ([] if values is None else [values[None]])
        shapes = scaled(self.found.shapes, rows, self.sizes, self.weight)
        shapes += note_shapes(
            ShownParts(parts), self.sizes.annotation / 2, self._first_places()
        )
        shapes = [*map(settled, opened(shapes, gaps, [part.path for part in parts]))]
        gravity = self.gravity
        up = (0.0, 1.0, 0.0)
        if gravity is not None:
            up = triple(-np.array(gravity) / np.linalg.norm(gravity))
        poses = np.concatenate([run.poses for run in runs]) if runs else start[None]
        shapes = spread_floors(shapes, poses)
        extent = find_extent(shapes, poses, self._all_places, up)
        if not shapes and not self._all_places:
            shapes, extent = sentence(up)
        plane = extent.plane
        if not runs and plane is not None and not self.places.stays_in(plane):
            plane = None
        own = {} if self.world is None else self.options(self.world)
        if plane is None and self._all_places:
            shapes += ground(own, up, extent)
        if own.get("enableAnimation", True):
            shapes += frames(self._frames, shapes, 0.8 * self.sizes.axis)
        return Scene(
            title=self.model.label,
            up=up,
            gravity=gravity,
            plane=plane,
            low=extent.low,
            high=extent.high,
            hull=extent.hull,
            size=self.sizes.annotation,
            groups=groups,
            parts=tuple(parts),
            shapes=tuple(shapes),
            meshes=dict(self.setting.meshes),
            channels=self.channels,
            runs=runs,
            start=start,
            values=values,
            bases=self.bases,
        )

    @property
    def weight(self) -> float:
        """The weight of all bodies [N], or their mass times 1 m/s² without gravity."""
        masses = [getattr(self.places.values(part), "m", 0.0) for part in self.model.walk()]
        total = sum(m for m in masses if isinstance(m, float))
        return total * (float(np.linalg.norm(self.gravity)) if self.gravity else 1.0)

    @cached_property
    def _all_places(self) -> list[ScenePose]:
        """The places of all frames, each once."""
        return list(self._frames)

    @cached_property
    def _frames(self) -> dict[ScenePose, str]:
        return named_frames(self.model, self.places.place)

    def _first_places(self) -> dict[str, ScenePose]:
        """Return the place of the first frame of each part, by its path."""
        found: dict[str, ScenePose] = {}
        for part in self.model.walk():
            for port in part.ports():
                if port.kind is PortKind.FRAME:
                    found.setdefault(part.path, self.places.place(port))
        return found


def plain_option(value: object) -> object:
    """Return an option as visuals read it: vectors as three numbers."""
    return triple(value.numpy()) if isinstance(value, Vector) else value
