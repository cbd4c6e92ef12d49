"""Setting: the context of visuals: places, sizes, options and channels of the model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from statistics import median
from types import SimpleNamespace
from typing import Any, Protocol

from motorik.algebra.pose import Pose
from motorik.algebra.vector import Vector
from motorik.components.base.part import Part
from motorik.components.base.ports import Port, PortKind
from motorik.components.base.values import LiveScalar
from motorik.immutable import immutable
from motorik.view.scene.place import ScenePoint, ScenePose, SceneSpan, Triple
from motorik.view.scene.scene import SceneMesh
from motorik.view.visuals.clearance import Solids, find_ways
from motorik.view.visuals.line_layout import FlangeFacts, LineLayout

GLYPH = 0.8  # width of a joint, of that of the bodies it joins
LONGER = 4.0  # times as much may a joint become longer rather than wider, to be seen
SEEN = 0.15  # of its length, of which a rail that is longer than usual sticks out
OUT = 0.25  # how far symbols of joints stick out of bodies, as a share of their width


class FramePoses(Protocol):
    """Places of frames: the rigid group of each, and its pose there."""

    def place(self, port: Port) -> ScenePose:
        """Return the place of a frame."""
        ...

    def mass(self, part: Part) -> ScenePose:
        """Return the place of a mass on a line."""
        ...

    def values(self, part: Part) -> SimpleNamespace:
        """Return the parameters of a part as numbers."""
        ...

    def flange_facts(self) -> FlangeFacts:
        """Return the connections and places of the flanges of drive lines."""
        ...

    def stays_in(self, normal: Triple) -> bool:
        """Return whether nothing can leave the plane with this normal."""
        ...

    def number(self, live: LiveScalar) -> float:
        """Return the value of a live number."""
        ...

    def pose_now(self, place: ScenePose) -> Pose:
        """Return where a place is in the world at the start."""
        ...


@immutable
class Sizes:
    """Lengths [m] of shapes without a size of their own: `annotation` fits the parts.

    `extent` is the whole model. The shares are those of Modelica's World, with ten annotations
    as the nominal length.
    """

    annotation: float
    extent: float
    given: Mapping[str, float] = field(default_factory=dict)

    @property
    def nominal(self) -> float:
        """The nominal length, of which others are shares."""
        return self.given.get("nominalLength", 10.0 * self.annotation)

    @property
    def joint_length(self) -> float:
        """The length of a joint."""
        return self.given.get("defaultJointLength", self.nominal / 10)

    @property
    def joint_width(self) -> float:
        """The diameter of a joint."""
        return self.given.get("defaultJointWidth", self.nominal / 20)

    @property
    def body(self) -> float:
        """The diameter of a body's mass."""
        return self.given.get("defaultBodyDiameter", self.nominal / 14)

    @property
    def force_width(self) -> float:
        """The diameter of a spring."""
        return self.given.get("defaultForceWidth", self.nominal / 20)

    @property
    def force_length(self) -> float:
        """The length of a force element that has none."""
        return self.given.get("defaultForceLength", self.nominal / 10)

    @property
    def arrow(self) -> float:
        """The diameter of an arrow."""
        return self.given.get("defaultArrowDiameter", self.nominal / 40)

    @property
    def axis(self) -> float:
        """The length of the axes of a frame."""
        return self.given.get("defaultAxisLength", self.nominal / 8)

    def axis_width(self, length: float) -> float:
        """Return the diameter of the axes of a frame of a length [m]."""
        return length / self.given.get("defaultFrameDiameterFraction", 28.0)

    @property
    def fraction(self) -> float:
        """Length by diameter of rods."""
        return self.given.get("defaultWidthFraction", 20.0)


@dataclass
class _Owners:
    """The paths of parts that own one of the first `count` channels."""

    count: int = 0
    paths: set[str] = field(default_factory=set)


def owners_of(name: str) -> Iterable[str]:
    """Yield the path of each part that a variable may be of: "a.b" and "a" of "a.b.phi"."""
    at = name.find(".")
    while at >= 0:
        yield name[:at]
        at = name.find(".", at + 1)


@dataclass
class Setting:
    """The context of visuals: places of frames, sizes of annotations, options of parts.

    Visuals take from it places (`at`, `between`), parameters as numbers (`values`), options of
    drawing (`option`, `color`) and numbers over time (`channels`), which arrows follow.
    """

    places: FramePoses
    sizes: Sizes
    options: Callable[[Any], Mapping[str, Any]]
    plane: Triple | None = None
    names: dict[str, int] = field(default_factory=dict)  # of channels, with their numbers
    readings: dict[str, list[str]] = field(default_factory=dict)  # of a part, by its path
    meshes: dict[str, SceneMesh] = field(default_factory=dict)
    lines: LineLayout | None = None
    widths: dict[int, list[float]] = field(
        default_factory=dict
    )  # of bodies, by rigid group
    solids: Solids = field(default_factory=Solids)
    variables: Callable[[Part], Collection[str]] | None = (
        None  # the names of those of a part
    )
    _owners: _Owners = field(default_factory=lambda: _Owners())

    def at(self, port: Port) -> ScenePose:
        """Return the place of a frame."""
        return self.places.place(port)

    def between(self, a: Port, b: Port) -> SceneSpan:
        """Return the span from the origin of a frame to that of another."""
        return SceneSpan(self.at(a).point, self.at(b).point)

    def fixed_distance(self, a: ScenePose | ScenePoint, b: ScenePose | ScenePoint) -> float:
        """Return how far apart two points are at the start [m]."""
        first, second = (
            self.places.pose_now(ScenePose(end.group, end.r)).p for end in (a, b)
        )
        return float((second - first).norm())

    def joint_size(
        self,
        *places: ScenePose,
        n: Vector | None = None,
        share: float = 1.0,
        radius: float = 0.75,
    ) -> tuple[float, float]:
        """Return length and width [m] of a joint, whose symbol sticks out of the bodies it joins.

        It is as wide as they usually are, times a `share`. If neither its length along n,
        in the axes of the first place, nor its `radius`, of the width, reaches out of them, it
        becomes longer, so that it hides no more than it did; or wider, where that takes far less.
        """
        length, width = (share * size for size in self._usual_size(*places))
        along, around = self.ways_out(*places, n=n)
        out = OUT * width
        longer = 2.0 * (along + out) - length
        wider = (around + out) / radius - width
        if min(longer, wider) <= 0.0:
            return length, width
        if longer <= LONGER * wider:
            return length + longer, width
        return length, width + wider

    def rail_size(
        self, near: ScenePose, far: ScenePose, n: Vector
    ) -> tuple[float, float, float]:
        """Return length and width [m] of what slides along n, and how far its rail reaches.

        The rail sticks out of the bodies, so what slides on it may be within them.
        """
        length, width = self._usual_size(near, far)
        along, _ = self.ways_out(near, far, n=n)
        return length, width, max(length, along + max(OUT * width, SEEN * along))

    def ball_size(self, *places: ScenePose, share: float = 1.0) -> float:
        """Return the diameter [m] of a ball or cube that sticks out of the bodies at a place."""
        _, width = self._usual_size(*places)
        return max(share * width, 2.0 * (self.ways_out(*places)[0] + OUT * width))

    def ways_out(self, *places: ScenePose, n: Vector | None = None) -> tuple[float, float]:
        """Return how far it is at the start from a place out of the bodies of some places [m].

        It is measured from the first place along its axis n, and across it; without n both
        are the shortest.
        """
        solids = self.solids.of(place.group for place in places)
        if not solids:
            return 0.0, 0.0
        return find_ways(solids, self.places.pose_now(places[0]), n)

    def _usual_size(self, *places: ScenePose) -> tuple[float, float]:
        """Return length and width [m] of a joint: by the slimmer of the bodies that it joins.

        A pin is as wide as the axle in the wheel, the rod in the piston.
        """
        groups = [self.widths.get(group) for group in {p.group for p in places}]
        own = [median(widths) for widths in groups if widths]
        length, width = self.sizes.joint_length, self.sizes.joint_width
        if not own:
            return length, width
        usual = min(max(GLYPH * min(own), width / 3), 4.0 * width)
        return length * usual / width, usual

    def values(self, part: Part) -> SimpleNamespace:
        """Return the parameters of a part as numbers."""
        return self.places.values(part)

    def option(self, part: object, name: str, default: object = None) -> Any:
        """Return an option of a part, by its name."""
        chosen = self.options(part).get(name)
        return default if chosen is None else chosen

    def size(self, part: object, name: str, default: float) -> float:
        """Return a size [m] that was chosen for a part."""
        return float(self.option(part, name, default))

    def color(self, part: object, *names: str) -> Triple | None:
        """Return the colour that was chosen for a part, by the first of some names."""
        for name in (*names, "color"):
            chosen = self.options(part).get(name)
            if chosen is not None:
                return chosen
        return None

    def has_channels(self, part: Part) -> bool:
        """Return whether there are channels of a part, or of a part within it."""
        known = self._owners
        for name in islice(self.names, known.count, None):
            known.paths.update(owners_of(name))
        known.count = len(self.names)
        return part.path in known.paths

    def channels(self, part: Part, *names: str) -> tuple[int, ...]:
        """Return the numbers of channels of a part, which are then among its values."""
        found = []
        for name in names:
            full = f"{part.path}.{name}" if part.path else name
            found.append(self.names.setdefault(full, len(self.names)))
            own = self.readings.setdefault(part.path, [])
            if full not in own:
                own.append(full)
        return tuple(found)

    def frames(self, part: Part) -> list[Port]:
        """Return the frames of a part."""
        return [port for port in part.ports() if port.kind is PortKind.FRAME]
