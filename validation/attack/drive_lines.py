"""Drive lines with clutches, brakes, bearings, gears with losses, stops and backlash."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

import motorik as mk
from motorik import blocks, rotational, translational
from motorik.results import Result
from validation.attack.finding import METHODS, Finding, judged, run

STOP = 3.0


@dataclass
class Line:
    """Parts and connections of a drive line, and the sources that feed it."""

    parts: dict[str, mk.Part] = field(default_factory=dict)
    wires: list[tuple[str, str]] = field(default_factory=list)
    sources: list[tuple[str, float, float, float]] = field(default_factory=list)

    def model(self, order: np.random.Generator | None = None) -> mk.Model:
        """Return the model; with an `order` its parts and wires are permuted and reversed."""
        model = mk.Model()
        names, wires = list(self.parts), list(self.wires)
        if order is not None:
            names = [names[k] for k in order.permutation(len(names))]
            wires = [wires[k] for k in order.permutation(len(wires))]
            wires = [(b, a) if order.random() < 0.5 else (a, b) for a, b in wires]
        for name in names:
            setattr(model, name, self.parts[name])
        for ends in wires:
            ports = [model.parts[p] for p in (end.partition(".")[0] for end in ends)]
            keys = [end.partition(".")[2] for end in ends]
            model.connect(*(getattr(p, k) for p, k in zip(ports, keys, strict=True)))
        return model

    def torque(self, rng: np.random.Generator, at: str, size: float) -> None:
        """Let a sine torque act on an inertia."""
        k = len(self.sources)
        amplitude, f = float(rng.uniform(0.1, 1) * size), float(rng.uniform(0.2, 2))
        offset = float(rng.uniform(-0.2, 0.2) * size)
        self.parts[f"torque{k}"] = rotational.Torque()
        self.parts[f"wave{k}"] = blocks.Sine(amplitude=amplitude, f=f, offset=offset)
        self.wires += [
            (f"wave{k}.y", f"torque{k}.tau"),
            (f"torque{k}.flange", f"{at}.flange_a"),
        ]
        self.sources.append((f"{at}.w", amplitude, f, offset))

    def press(self, rng: np.random.Generator, on: str) -> None:
        """Press a clutch or brake by a sine that is below zero for a while."""
        self.parts[f"press_{on}"] = blocks.Sine(
            amplitude=float(rng.uniform(0.2, 1)),
            f=float(rng.uniform(0.2, 2)),
            offset=float(rng.uniform(-0.2, 0.8)),
        )
        self.wires.append((f"press_{on}.y", f"{on}.f_normalized"))


def friction_table(rng: np.random.Generator) -> tuple[tuple[float, float], ...]:
    """Return a table of speed and friction that starts at zero speed."""
    first = float(rng.uniform(0.1, 1.0))
    if rng.random() < 0.5:
        return ((0.0, first),)
    return ((0.0, first), (float(rng.uniform(1, 10)), float(rng.uniform(0.1, 1.0))))


def draw_line(rng: np.random.Generator) -> Line:
    """Return inertias in a row, joined by random couplings, with bearings and brakes."""
    line = Line()
    count = int(rng.integers(2, 5))
    for k in range(count):
        line.parts[f"J{k}"] = rotational.Inertia(J=float(10 ** rng.uniform(-1, 1)))
    previous = "J0"
    for k in range(1, count):
        kind = rng.choice(["clutch", "gear", "lossy", "spring", "backlash", "one-way"])
        name = f"{kind.replace('-', '_')}{k}"
        if kind == "clutch":
            part = rotational.Clutch(
                fn_max=float(rng.uniform(1, 20)), mu_pos=friction_table(rng)
            )
            line.press(rng, name)
        elif kind == "one-way":
            part = rotational.OneWayClutch(fn_max=float(rng.uniform(1, 20)))
            line.press(rng, name)
        elif kind == "gear":
            part = rotational.IdealGear(
                ratio=float(rng.choice([-1, 1]) * rng.uniform(0.5, 4))
            )
        elif kind == "lossy":
            table = [
                [
                    0.0,
                    *map(float, rng.uniform(0.4, 1, 2)),
                    *map(float, rng.uniform(0, 0.3, 2)),
                ]
            ]
            part = rotational.LossyGear(
                ratio=float(rng.choice([-1, 1]) * rng.uniform(0.5, 4)), lossTable=table
            )
        elif kind == "spring":
            part = rotational.SpringDamper(
                c=float(10 ** rng.uniform(1, 4)), d=float(rng.choice([0.0, 1.0]))
            )
        else:
            part = rotational.ElastoBacklash(
                c=float(10 ** rng.uniform(1, 3)),
                d=float(rng.uniform(0, 2)),
                b=float(rng.choice([0.0, 0.1])),
            )
        line.parts[name] = part
        line.wires += [
            (f"{previous}.flange_b", f"{name}.flange_a"),
            (f"{name}.flange_b", f"J{k}.flange_a"),
        ]
        previous = f"J{k}"
    for k in range(count):
        if rng.random() < 0.4:
            name = f"bearing{k}"
            line.parts[name] = rotational.BearingFriction(
                tau_pos=friction_table(rng), peak=float(rng.choice([1.0, 1.3]))
            )
            line.wires.append((f"J{k}.flange_b", f"{name}.flange_a"))
        if rng.random() < 0.3:
            name = f"brake{k}"
            line.parts[name] = rotational.Brake(fn_max=float(rng.uniform(1, 10)))
            line.press(rng, name)
            line.wires.append((f"J{k}.flange_b", f"{name}.flange_a"))
    if rng.random() < 0.4:
        line.parts["rack"] = translational.IdealGearR2T(ratio=float(rng.uniform(2, 10)))
        line.parts["slide"] = translational.MassWithStopAndFriction(
            m=float(rng.uniform(0.5, 5)),
            s=0.0,
            L=0.1,
            smin=-float(rng.uniform(0.1, 0.6)),
            smax=float(rng.uniform(0.1, 0.6)),
            F_prop=float(rng.choice([0.0, 0.5])),
            F_Coulomb=float(rng.choice([0.0, 2.0])),
            F_Stribeck=0.0,
            restitution=float(rng.choice([0.0, 0.5, 0.9])),
        )
        line.wires += [
            (f"{previous}.flange_b", "rack.flangeR"),
            ("rack.flangeT", "slide.flange_a"),
        ]
    line.torque(rng, "J0", 5.0)
    if rng.random() < 0.5:
        line.torque(rng, previous, 3.0)
    return line


def power_balance(result: Result, line: Line) -> float:
    """Return the error of the energy balance as a multiple of 3e-3 of the energy moved."""
    t = result.time
    names = [name for name in result.names() if name.endswith("lossPower")]
    loss = sum((result[name] for name in names), np.zeros_like(t))
    energy = result.energy()
    total = energy["kinetic"] + energy["potential"] + energy["stored"]
    power = -loss
    for speed, amplitude, f, offset in line.sources:
        power = power + (amplitude * np.sin(2 * np.pi * f * t) + offset) * result[speed]
    work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(t))])
    lost = [event.energy_lost for event in result.events if np.isfinite(event.energy_lost)]
    moved = np.sum(np.abs(power[1:] + power[:-1]) * np.diff(t)) / 2 + np.ptp(total)
    rest = total[-1] - total[0] - work[-1] + sum(lost)
    return float(abs(rest) / (3e-3 * max(moved, 1e-9)))


def dissipation(result: Result) -> float:
    """Return how negative a loss of power is, as a multiple of 1e-6 of the largest."""
    worst = 0.0
    for name in result.names():
        if name.endswith("lossPower"):
            loss = result[name]
            worst = max(worst, float(-loss.min() / (1e-6 * max(np.abs(loss).max(), 1e-9))))
    return worst


def drive_lines(rng: np.random.Generator) -> Iterator[Finding]:
    """Check power balance, dissipation, and the motion of the same line built in another order."""
    seed = int(rng.integers(1 << 30))

    def drawn() -> Line:
        return draw_line(np.random.default_rng(seed))

    line = drawn()
    model = line.model()
    method = str(rng.choice(METHODS))
    detail = f"{', '.join(n for n in line.parts if n[0] != 'w')}"
    found: list[Result] = []

    def balance() -> float:
        found.append(run(model, STOP, output=6000))
        return power_balance(found[0], line)

    yield judged("power balance", balance, detail)
    if not found:
        return
    yield judged("dissipation", lambda: dissipation(found[0]), detail)

    def permuted() -> float:
        names = [f"{name}.phi" for name in line.parts if name.startswith("J")]
        order = np.random.default_rng(int(rng.integers(1 << 30)))
        fine = run(model, STOP, output=60, rtol=1e-8)
        other = run(drawn().model(order), STOP, output=60, rtol=1e-8, method=method)
        finer = run(model, STOP, output=60, rtol=1e-10)
        worst = 0.0
        for name in names:
            size = max(np.ptp(fine[name]), 1e-6)
            expected = np.abs(fine[name] - finer[name]).max()
            apart = np.abs(other[name] - finer[name]).max()
            worst = max(worst, apart / (1e-5 * size + 30.0 * expected))
        return float(worst)

    yield judged("permuted", permuted, f"{detail}, {method}")
