"""Drive lines and forces, laid across trees and linkages."""

from __future__ import annotations

import numpy as np

import motorik as mk
from validation.fuzz.drawing import GROUND, Drawing, PowerTerm, random_axes
from validation.fuzz.geometry import Place, any_direction, any_rotation
from validation.fuzz.linkages import Plane, loops
from validation.fuzz.trees import grow
from validation.fuzz.units import (
    DAMPING,
    INERTIA,
    LENGTH,
    ONE,
    RATE,
    STIFFNESS,
    TORQUE,
    TURN_DAMPING,
    Value,
)


def driven(drawing: Drawing) -> None:
    """Draw a tree and perhaps a linkage, with drive lines on hinges and forces between."""
    rng = drawing.rng
    drawing.gravity = rng.uniform(0.3, 1.2) * any_direction(rng)
    drawing.stop = 1.0
    grow(drawing, [GROUND], int(rng.integers(1, 4)), "RRPUS")
    if rng.random() < 0.5:
        base = GROUND if rng.random() < 0.6 else len(drawing.places) - 1
        loops(Plane(drawing, drawing.places[base].p), base, int(rng.integers(1, 3)))
    hinges = [joint.name for joint in drawing.joints if joint.kind == "R"]
    rng.shuffle(hinges)
    for name in hinges[:2]:
        if rng.random() < 0.7:
            _coil(drawing, name)
        if rng.random() < 0.5:
            _torque(drawing, name)
    if rng.random() < 0.5:
        _geared(drawing)
    if rng.random() < 0.5:
        _prescribed(drawing)
    for k in range(int(rng.integers(0, 3))):
        _strut(drawing, k)


def _coil(drawing: Drawing, hinge: str) -> None:
    """Put a spring and a damper between the flanges of a hinge."""
    rng = drawing.rng
    name = f"{hinge}_coil"
    c, d = float(rng.uniform(0.2, 2.0)), float(rng.uniform(0.0, 0.5))
    drawing.add(
        name,
        mk.rotational.SpringDamper,
        c=Value(c, TORQUE),
        d=Value(d, TURN_DAMPING),
        phi_rel0=Value(float(rng.uniform(-1, 1))),
    )
    ends = ["support", "axis"] if rng.random() < 0.5 else ["axis", "support"]
    drawing.wires.append((f"{hinge}.{ends[0]}", f"{name}.flange_a"))
    drawing.wires.append((f"{hinge}.{ends[1]}", f"{name}.flange_b"))
    drawing.powers.append(PowerTerm(Value(-1.0), (f"{name}.lossPower",)))


def _torque(drawing: Drawing, hinge: str) -> None:
    tau = float(drawing.rng.uniform(-1.0, 1.0))
    name = drawing.add(
        f"{hinge}_motor", mk.rotational.ConstantTorque, tau_constant=Value(tau, TORQUE)
    )
    drawing.wires.append((f"{name}.flange", f"{hinge}.axis"))
    drawing.powers.append(PowerTerm(Value(tau, TORQUE), (f"{hinge}.w",)))


def _hinged(drawing: Drawing, q: float, u: float | None, fixed: bool) -> str:
    """Add a body on a hinge to any body that is there."""
    rng = drawing.rng
    k = int(rng.integers(len(drawing.places)))
    at = drawing.places[k].p + rng.uniform(-0.5, 0.5, 3)
    new = drawing.body(at)
    place = Place(any_rotation(rng), at)
    rates = None if u is None else [u]
    return drawing.joint("R", k, new, place, random_axes(rng, "R"), [q], rates, fixed)


def _geared(drawing: Drawing) -> None:
    """Add two hinges with a gear and a flywheel between."""
    rng = drawing.rng
    ratio = float(rng.choice([-1, 1]) * rng.uniform(0.5, 3.0))
    slow = float(rng.uniform(-1.0, 1.0))
    first = _hinged(drawing, ratio * slow, float(rng.uniform(-1, 1)), True)
    second = _hinged(drawing, slow, None, False)
    drawing.add("gear", mk.rotational.IdealGear, ratio=Value(ratio))
    drawing.wires.append((f"{first}.axis", "gear.flange_a"))
    if rng.random() < 0.5:
        J = Value(float(rng.uniform(0.05, 0.5)), INERTIA)
        drawing.add("flywheel", mk.rotational.Inertia, J=J)
        drawing.wires.append(("gear.flange_b", "flywheel.flange_a"))
        drawing.wires.append(("flywheel.flange_b", f"{second}.axis"))
    else:
        drawing.wires.append(("gear.flange_b", f"{second}.axis"))


def _prescribed(drawing: Drawing) -> None:
    """Add a hinge that turns as told, exactly."""
    rng = drawing.rng
    offset, amplitude, phase = (float(x) for x in rng.uniform(-1.5, 1.5, 3))
    hinge = _hinged(drawing, offset + amplitude * np.sin(phase), None, False)
    wave = {"amplitude": Value(amplitude), "offset": Value(offset), "phase": Value(phase)}
    f = Value(float(rng.uniform(0.1, 0.5)), RATE)
    drawing.add("wave", mk.blocks.Sine, f=f, **wave)
    drawing.add("drive", mk.rotational.Position, exact=True)
    drawing.wires.append(("wave.y", "drive.phi_ref"))
    drawing.wires.append(("drive.flange", f"{hinge}.axis"))
    drawing.powers.append(PowerTerm(Value(-1.0), ("drive.flange.tau", "drive.w")))


def _strut(drawing: Drawing, k: int) -> None:
    """Put a spring and damper between points of two bodies."""
    rng = drawing.rng
    a, b = (int(i) for i in rng.choice(len(drawing.places), 2, replace=False))
    name = f"strut{k}"
    ends = []
    for side, body in (("a", a), ("b", b)):
        at = drawing.places[body].p + 0.7 * any_direction(rng)
        ends.append(drawing.seat(body, Place(any_rotation(rng), at), f"{name}_{side}"))
    c, d = float(rng.uniform(0.3, 2.0)), float(rng.uniform(0.0, 0.5))
    drawing.add(
        name,
        mk.forces.SpringDamperParallel,
        c=Value(c, STIFFNESS),
        d=Value(d, DAMPING),
        s_unstretched=Value(float(rng.uniform(0.0, 1.0)), LENGTH),
    )
    for side, end in zip("ab", ends, strict=True):
        drawing.wires.append((end, f"{name}.frame_{side}"))
    drawing.powers.append(PowerTerm(Value(-1.0, ONE), (f"{name}.lossPower",)))
