"""Inventory: what the parts of a model contribute, and which ports are connected."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from motorik.components.composite import Composite
from motorik.components.contributions import (
    Clamp,
    Constraint,
    Coupling,
    Demand,
    FlangeInertia,
    FrameForce,
    Gravity,
    Ground,
    JointBetween,
    LineForce,
    Mass,
    Measurement,
    Prescribed,
    Rigid,
    SignalLaw,
)
from motorik.components.part import Part
from motorik.components.ports import Port, PortKind
from motorik.components.values import LiveScalar
from motorik.components.world import World
from motorik.errors import AssemblyError, PortError
from motorik.topology.graph import ConnectedSets


class DefaultWorldWarning(UserWarning):
    """A model has no World; one with default settings is used."""


@dataclass
class Inventory:
    """All contributions of a model's parts by kind, and the sets of connected ports.

    It stays as it was taken when parts are added to the model later.
    """

    model: Composite
    grounds: list[Ground] = field(default_factory=list)
    rigids: list[Rigid] = field(default_factory=list)
    masses: list[Mass] = field(default_factory=list)
    joints: list[JointBetween] = field(default_factory=list)
    lines: list[LineForce] = field(default_factory=list)
    clamps: list[Clamp] = field(default_factory=list)
    flange_inertias: list[FlangeInertia] = field(default_factory=list)
    couplings: list[Coupling] = field(default_factory=list)
    prescribed: list[Prescribed] = field(default_factory=list)
    forces: list[FrameForce] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    signal_laws: list[SignalLaw] = field(default_factory=list)
    measurements: list[Measurement] = field(default_factory=list)
    demands: list[Demand] = field(default_factory=list)
    gravity: Gravity | None = None
    ports: ConnectedSets[Port] = field(default_factory=ConnectedSets)
    resolved: dict[Part, Any] = field(default_factory=dict)
    connections: dict[Part, tuple[tuple[Port, Port], ...]] = field(default_factory=dict)

    def node(self, port: Port) -> Port:
        """Return the port that stands for all ports connected with this one."""
        return self.ports.find(port)

    def parameters_of(self, part: Part) -> Any:
        """Return the parameters of a part as the scalars the mechanism computes with."""
        return self.resolved[part]


def take_inventory(model: Composite, resolve: Callable[[LiveScalar], Any]) -> Inventory:
    """Collect what the parts of a model say; live numbers are replaced by `resolve` of them."""
    if not model.parts:
        raise AssemblyError(model.label, "has no parts.", "Add a World, joints and bodies.")
    stock = Inventory(model)
    worlds = [part for part in model.walk() if isinstance(part, World)]
    if len(worlds) > 1:
        names = ", ".join(w.path for w in worlds)
        raise AssemblyError(
            names, "a model has one World, not several.", "Keep one of them."
        )
    if not worlds:
        if _has_frames(model):
            warnings.warn(
                DefaultWorldWarning(
                    f"{model.label} has no World: gravity is taken as 9.80665 m/s² along −y. "
                    "Add `model.world = World(...)` to say otherwise."
                ),
                stacklevel=_frames_within(),
            )
        _file(stock, World())
    for part in model.walk():
        p = part.resolved(resolve)
        stock.resolved[part] = p
        stock.connections[part] = tuple(part.connections)
        for port in part.ports():
            stock.ports.add(port)
        _file(stock, part, p)
        for a, b in part.connections:
            stock.ports.unite(a, b)
    for part in model.walk():
        if part.is_model and not getattr(part, "is_open", True):
            _check_ends(stock, part)
    return stock


def _has_frames(model: Composite) -> bool:
    """Tell whether anything of a model is in space, not on drive lines alone."""
    return any(
        port.kind is PortKind.FRAME for part in model.walk() for port in part.ports()
    )


def _check_ends(stock: Inventory, part: Part) -> None:
    """Refuse a part whose two ends are connected with each other."""
    frames = [port for port in part.ports() if port.kind is PortKind.FRAME]
    for k, a in enumerate(frames):
        for b in frames[k + 1 :]:
            if stock.node(a) is stock.node(b):
                raise PortError(
                    a.path,
                    f"is connected with {b.path}, the other end of the same part.",
                    "Connect the two ends to different parts.",
                )


def _frames_within() -> int:
    """Return how many calls lie between the caller and the user's own code."""
    frame, count = sys._getframe(1), 1
    while frame is not None and frame.f_globals["__name__"].split(".")[0] == "motorik":
        frame, count = frame.f_back, count + 1
    return count


def _file(stock: Inventory, part: Part, p: Any = None) -> None:
    kinds: dict[type, list[Any]] = {
        Ground: stock.grounds,
        Rigid: stock.rigids,
        Mass: stock.masses,
        JointBetween: stock.joints,
        LineForce: stock.lines,
        Clamp: stock.clamps,
        FlangeInertia: stock.flange_inertias,
        Coupling: stock.couplings,
        Prescribed: stock.prescribed,
        FrameForce: stock.forces,
        Constraint: stock.constraints,
        SignalLaw: stock.signal_laws,
        Measurement: stock.measurements,
        Demand: stock.demands,
    }
    if p is None:
        p = part.resolved(lambda scalar: scalar.value)
        for port in part.ports():
            stock.ports.add(port)
    for contribution in part.contributions(p):
        if isinstance(contribution, Gravity):
            stock.gravity = contribution
        else:
            kinds[type(contribution)].append(contribution)
