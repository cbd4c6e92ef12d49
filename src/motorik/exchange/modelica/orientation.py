"""Orientation of frames that carry forces alone: Modelica's fixedRotationAtFrame.

In Modelica a point mass leaves the orientation of its frame open, and a line force connected
to it can fix it. Here the frame of a point mass is always parallel to the world, so there is
nothing to do; but the frame must belong to some part with mass or a fixed position.
"""

from __future__ import annotations

from collections.abc import Iterator

from motorik import forces
from motorik.components.base.ports import Port
from motorik.exchange.modelica.errors import MissingFeatureError
from motorik.exchange.modelica.instance import Instance
from motorik.exchange.modelica.modifiers import VALUE
from motorik.exchange.modelica.registry import Entry
from motorik.topology.graph import ConnectedSets

FIXED_ROTATION = {"fixedRotationAtFrame_a": "frame_a", "fixedRotationAtFrame_b": "frame_b"}
FORCES = tuple(getattr(forces, name) for name in forces.__all__)


def check_orientations(instance: Instance) -> None:
    """Refuse a frame of fixed orientation at which only forces are connected."""
    asking = list(_asking(instance))
    if not asking:
        return
    ports: ConnectedSets[Port] = ConnectedSets()
    for part in instance.model.walk():
        for port in part.ports():
            ports.add(port)
        for a, b in part.connections:
            ports.unite(a, b)
    groups = ports.sets()
    for label, feature, port in asking:
        owners = [other.owner for other in groups[ports.find(port)]]
        outside = [o for o in owners if not any(isinstance(x, FORCES) for x in o.lineage())]
        if not outside:
            raise MissingFeatureError(label, f"{feature} on a point without mass")


def _asking(instance: Instance) -> Iterator[tuple[str, str, Port]]:
    """Yield the parts that ask for a fixed orientation, the feature, and the frame."""
    for name in instance.declarations:
        entry = instance.kind(name)
        if not isinstance(entry, Entry):
            continue
        for label, index in instance.elements(name):
            modifiers = instance.component_modifiers(name, index)
            for key, frame in FIXED_ROTATION.items():
                given = modifiers.get(key, {}).get(VALUE)
                if given is not None and given.value():
                    port = getattr(instance.part(label), frame)
                    yield label, f"{entry.name} with {key}", port
