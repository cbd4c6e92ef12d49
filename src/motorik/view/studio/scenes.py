"""The scene of a document as it is edited, with diagnostics: nothing is compiled for it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence

import numpy as np

from motorik.components.base.composite import Composite
from motorik.components.base.declarations import PortSpec
from motorik.components.base.part import Part
from motorik.components.base.ports import Port, PortKind
from motorik.documents.building import Built, build_model, kind_name
from motorik.documents.diagnostics import Diagnostic, page_words
from motorik.documents.reading import Data
from motorik.documents.taking import is_sub_model
from motorik.errors import MotorikError
from motorik.immutable import immutable
from motorik.loops.assembled_pose import AssembledPose, Near, assembled_pose
from motorik.topology.mechanism import WORLD, Mechanism
from motorik.view.scene.scene import Scene
from motorik.view.scene_builder.build import (
    loose_places,
    mechanism_places,
    scene_at_places,
)
from motorik.view.scene_builder.garbage import WITHOUT_SEARCH
from motorik.view.scene_builder.places import LoosePlaces, MechanismPlaces
from motorik.view.visuals.setting import FramePoses

CLOSED = 1e-6  # of the size of a gap against its distance from the origin


@immutable
class Preview:
    """A revision of a document as pages show it: scene, diagnostics, ports."""

    built: Built
    scene: Scene | None
    frames: Sequence[Data]
    diagnostics: Data
    ports: Data
    pose: AssembledPose | None
    places: FramePoses


def preview(data: Data, trust: Sequence[str] = (), near: Near | None = None) -> Preview:
    """Return the scene of a document with its messages; `near` is a similar pose."""
    with WITHOUT_SEARCH:
        return _preview(data, trust, near)


def _preview(data: Data, trust: Sequence[str], near: Near | None) -> Preview:
    built = build_model(data, tuple(trust))
    items = [*built.faults]
    model, pose = built.model, None
    try:
        with warnings.catch_warnings(record=True) as issued:
            warnings.simplefilter("always")
            pose = assembled_pose(model, near)
        fault = pose.fault
        items += [
            Diagnostic(page_words(str(one.message).splitlines()[0]), level="info")
            for one in issued
        ]
    except MotorikError as error:
        fault = error
    except (ArithmeticError, ValueError, RecursionError) as error:  # of strange numbers
        fault = MotorikError("", f"{type(error).__name__}: {error}.", "Look at the values.")
    is_empty = not model.parts
    if fault is not None and not is_empty:
        items.append(located(fault, model))
    places: MechanismPlaces | LoosePlaces
    opened: list[Data] = []
    if pose is not None and pose.fault is None:
        places = mechanism_places(pose)
        scene = _scene(model, places)
    else:
        places = loose_places(model)
        scene = _scene(model, places, fault)
        opened = [*_gaps(places)]
    diagnostics: Data = {
        "items": [one.as_json() for one in items],
        "freedoms": None if pose is None else pose.freedom,
        "loops": [] if pose is None else [*_loops(pose.mechanism)],
        "tree": [] if pose is None else [*_tree(pose.mechanism)],
        "open": opened,
        "explain": "" if pose is None else explained(model, pose),
    }
    frames = [*frame_places(model, places)]
    return Preview(built, scene, frames, diagnostics, ports_of(model), pose, places)


def _scene(
    model: Composite, places: FramePoses, fault: MotorikError | None = None
) -> Scene | None:
    """Return the scene; None where visuals cannot be made of what is there."""
    if not model.parts:
        return None
    try:
        return scene_at_places(model, places, [] if fault is None else [fault])
    except (MotorikError, ArithmeticError, ValueError, KeyError, AttributeError):
        return None


def located(error: MotorikError, model: Composite) -> Diagnostic:
    """Return an error of assembly at the part of the model that it names."""
    found = Diagnostic.of(error)
    paths = {part.path for part in model.walk()} - {""}
    for place in error.place.split(", "):
        path = place.strip()
        while path and path not in paths:
            path = path.rpartition(".")[0]
        if path:
            port = error.port
            return Diagnostic(
                found.text, found.remedy, path, port, found.field, found.value, "error"
            )
    return Diagnostic(
        f"{error.place}: {found.text}" if error.place else found.text,
        found.remedy,
        "",
        "",
        found.field,
        found.value,
        "error",
    )


# --- structure ----------------------------------------------------------------------------


def _tree(mechanism: Mechanism) -> Iterator[Data]:
    """Yield the links of the spanning tree from the root outward."""
    for link in mechanism.links:
        parent = "world" if link.parent == WORLD else mechanism.links[link.parent].part
        joint = link.edge.frame_a.owner.path if link.edge is not None else link.part
        yield {
            "part": joint,
            "body": link.part,
            "parent": parent,
            "freedoms": len(link.u),
        }


def _loops(mechanism: Mechanism) -> Iterator[Data]:
    """Yield the loops: the joints along each, and where it is cut."""
    for closure in mechanism.closures:
        cut = closure.part
        if closure.edge is not None:
            cut = closure.edge.frame_a.owner.path
        ways = [_way_to_world(mechanism, end.link) for end in closure.ends]
        common = set(ways[0]).intersection(*ways[1:]) if ways else set()
        joints = [_joint(mechanism, k) for way in ways for k in way if k not in common]
        yield {"joints": [*dict.fromkeys([*joints, cut])], "cut": cut, "how": ""}


def _way_to_world(mechanism: Mechanism, link: int) -> list[int]:
    way = []
    while link != WORLD:
        way.append(link)
        link = mechanism.links[link].parent
    return way


def _joint(mechanism: Mechanism, k: int) -> str:
    link = mechanism.links[k]
    return link.edge.frame_a.owner.path if link.edge is not None else link.part


def explained(model: Composite, pose: AssembledPose) -> str:
    """Return a summary of the structure; how loops are solved is known after compiling."""
    mechanism = pose.mechanism
    freedoms = f"{pose.freedom} degree{'s' * (pose.freedom != 1)} of freedom"
    loops = len(mechanism.closures)
    lines = [
        f"{freedoms}, {len(mechanism.links)} moving links, "
        f"{loops} loop{'s' * (loops != 1)}",
        "tree, from the world outward:",
    ]
    depth = {WORLD: 0}
    for k, link in enumerate(mechanism.links):
        depth[k] = depth[link.parent] + 1
        lines.append(f"{'  ' * depth[k]}{_joint(mechanism, k)} → {link.part}")
    for loop in _loops(mechanism):
        lines.append(f"loop of {', '.join(loop['joints'])}; cut at {loop['cut']}")
    lines += mechanism.reasons
    return "\n".join(lines)


def _gaps(places: LoosePlaces) -> Iterator[Data]:
    """Yield the loops that do not close: the frames, and their distance [m]."""
    for gap in places.gaps:
        distance = float(np.linalg.norm((gap.held.p - gap.found.p).numpy()))
        part = gap.part
        frames = [port for port in part.ports() if port.kind is PortKind.FRAME]
        a, b = frames[0].path, frames[-1].path
        yield {"a": a, "b": b, "part": part.path, "distance": distance}


# --- ports and frames ---------------------------------------------------------------------


def document_parts(model: Composite) -> Iterator[Part]:
    """Yield the parts of a document: those of the model and of its sub-models."""
    for part in model.parts.values():
        yield part
        if is_sub_model(part):
            yield from document_parts(part)  # type: ignore[arg-type]


def frame_places(model: Composite, places: FramePoses) -> Iterator[Data]:
    """Yield the frames of all parts: path, rigid group, position on it [m]."""
    for part in document_parts(model):
        for port in part.ports():
            if port.kind is PortKind.FRAME:
                try:
                    at = places.place(port)
                except (MotorikError, KeyError):
                    continue
                yield {"port": port.path, "group": at.group, "r": [*at.r]}


def ports_of(model: Composite) -> Data:
    """Return the ports that the parts have with their arguments, by path of the part."""
    return {part.path: {"ports": [*_ports(part)]} for part in document_parts(model)}


def _ports(part: Part) -> Iterator[Data]:
    for name, spec in part.specs.items():
        if not isinstance(spec, PortSpec):
            continue
        if spec.when and not part.withheld.isdisjoint(spec.deciding):
            continue  # it was refused by an argument
        port = part.__dict__.get(name)
        entry: Data = {
            "name": name,
            "kind": kind_name(spec.type),
            "description": spec.description,
            "optional": not isinstance(port, Port),
        }
        if isinstance(port, Port) and port.size != 1:
            entry["size"] = port.size
        yield entry
