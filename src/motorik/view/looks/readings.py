"""Readings: the few values that a viewer shows of each part, besides those of its look.

They follow from the names of its variables: where a body is and how fast, the motion and the
force of what is in a drive line, what a block gives. None of them needs reactions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from motorik.components.base.part import Part
from motorik.components.base.ports import PortKind
from motorik.motion.catalogue import FLANGE_LETTERS
from motorik.view.looks.sensors import outputs
from motorik.view.looks.setting import Setting
from motorik.view.scene.place import WORLD

FLAT = ("x", "y", "theta", "vx", "vy", "w")
POSITIONS, SPEEDS = ("phi", "s", "phi_rel", "s_rel"), ("w", "v", "w_rel", "v_rel")
FORCES = ("tau", "f")
ENDS = ("phi_a", "phi_b", "s_a", "s_b")
MOST = 6  # signals of one part


def take_readings(part: Part, s: Setting, known: Collection[str]) -> None:
    """Ask for the values of a part, if it has none yet; `known` are its variables."""
    if all(port.kind is PortKind.SIGNAL for port in part.ports()):
        s.channels(part, *_outputs(part, known))  # of a block always, besides its states
    prefix = f"{part.path}."
    if any(name.startswith(prefix) for name in s.names):
        return
    for names in _choices(part, s, known):
        if names:
            s.channels(part, *names)
            return


def _choices(part: Part, s: Setting, known: Collection[str]) -> Iterator[list[str]]:
    """Yield what may be shown, the most telling first."""
    if set(FLAT) <= set(known):
        yield list(FLAT)
    if {"r_0", "v_0"} <= set(known):
        yield [*_vector("r_CM_0" if "r_CM_0" in known else "r_0"), *_vector("v_0")]
    frames = s.frames(part)
    if "r_rel_a" in known:
        yield _vector("r_rel_a")
    if "Q" in known:  # its angles are three
        yield [*_vector("phi"), *_vector("w_rel")]
    groups = (POSITIONS, SPEEDS) if frames else (POSITIONS, SPEEDS, FORCES)
    yield [name for group in groups for name in group if name in known][:3]
    yield [name for name in ENDS if name in known]
    yield [
        f"{port.name}.{letter}"
        for port in part.ports()
        for letter, _ in FLANGE_LETTERS.get(port.kind, ())[:2]
        if f"{port.name}.{letter}" in known
    ][:MOST]
    yield _outputs(part, known)
    yield [
        name
        for port in part.ports()
        if port.kind is PortKind.SIGNAL
        for name in (element.name for element in port.elements)
        if name.split("[")[0] in known
    ][:MOST]
    for port in frames:
        if s.at(port).carrier != WORLD and f"{port.name}.r_0" in known:
            yield _vector(f"{port.name}.r_0")


def _outputs(part: Part, known: Collection[str]) -> list[str]:
    return [name for name in outputs(part) if name.split("[")[0] in known][:MOST]


def _vector(name: str) -> list[str]:
    return [f"{name}[{k}]" for k in (1, 2, 3)]
