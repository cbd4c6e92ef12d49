"""Random machines that run: links on joints, drive lines, motors, circuits, signals."""

from __future__ import annotations

import random
from typing import Any

Data = dict[str, Any]

DRIVES: dict[str, Data] = {
    "rotational.IdealGear": {"ratio": 3.7},
    "rotational.SpringDamper": {"c": 21.0, "d": 0.3},
    "rotational.Inertia": {"J": 0.13},
}


class _Machine:
    """The document of a machine under way."""

    def __init__(self, seed: int) -> None:
        self.choose = random.Random(seed)
        self.parts: list[Data] = []
        self.pairs: list[list[str]] = []

    def add(self, kind: str, name: str, **arguments: object) -> str:
        self.parts.append({"id": name, "class": kind, "arguments": arguments})
        return name

    def links(self) -> list[str]:
        """Add the world and a tree of links; return the axes that can be driven."""
        ends, axes = [f"{self.add('World', 'world')}.frame_b"], []
        for k in range(self.choose.randint(1, 3)):
            if k == 0:
                self.add("rotational.Damper", "brake", d={"formula": "loss"})
                self.pairs.append(["brake.flange_a", "rev0.support"])
                self.pairs.append(["brake.flange_b", "rev0.axis"])
            is_driven = k == 0 or self.choose.random() < 0.6
            angle = round(self.choose.uniform(-1.0, 1.0), 2)
            axis = self.choose.choice("xyz")
            self.add("Revolute", f"rev{k}", n=axis, phi=angle, useAxisFlange=is_driven)
            if self.choose.random() < 0.5:
                self.add("BodyBox", f"body{k}", r=[0.3, 0.05, 0.1], width=0.04)
                end = f"body{k}.frame_b"
            else:
                self.add("#Link", f"body{k}", mass=round(self.choose.uniform(0.5, 2.0), 1))
                end = f"body{k}.tip"
            root = "root" if end.endswith("tip") else "frame_a"
            self.pairs.append([self.choose.choice(ends), f"rev{k}.frame_a"])
            self.pairs.append([f"rev{k}.frame_b", f"body{k}.{root}"])
            ends.append(end)
            axes += [f"rev{k}.axis"] if is_driven else []
        return axes

    def drive(self, j: int, axis: str) -> None:
        """Add a drive line, perhaps with a motor and its circuit."""
        for q in range(self.choose.randint(0, 2)):
            kind = self.choose.choice([*DRIVES])
            name = self.add(kind, f"d{j}_{q}", **DRIVES[kind])
            self.pairs.append([axis, f"{name}.flange_a"])
            axis = f"{name}.flange_b"
        self.add("rotational.Inertia", f"J{j}", J=0.11)
        self.pairs.append([axis, f"J{j}.flange_a"])
        if self.choose.random() < 0.6:
            self.circuit(j, f"J{j}.flange_b")

    def circuit(self, j: int, axis: str) -> None:
        self.add("electrical.DCMotor", f"motor{j}")
        self.add("electrical.Ground", f"ground{j}")
        self.add("electrical.SignalVoltage", f"source{j}")
        self.add("electrical.Resistor", f"loss{j}", R=0.7)
        self.add("blocks.Sine", f"sine{j}", amplitude=9.0, f=0.7)
        self.add("blocks.FirstOrder", f"lag{j}", T=0.2)
        self.add("blocks.Add", f"sum{j}", u2=0.5)
        joined = (
            *(("sine.y", "lag.u"), ("lag.y", "sum.u1"), ("sum.y", "source.v")),
            *(("source.p", "loss.p"), ("loss.n", "motor.p"), ("motor.n", "source.n")),
            ("ground.p", "source.n"),
        )
        self.pairs += [[one.replace(".", f"{j}.") for one in pair] for pair in joined]
        self.pairs.append([f"motor{j}.flange", axis])
        if self.choose.random() < 0.5:
            self.add("electrical.Capacitor", f"C{j}", C=0.01)
            self.pairs += [[f"C{j}.p", f"motor{j}.p"], [f"C{j}.n", f"motor{j}.n"]]


INERTIA = {"I_11": 0.1, "I_22": 0.1, "I_33": 0.1}
LINK: Data = {
    "parameters": [{"name": "mass", "value": 1.0}],
    "parts": [
        {"id": "far", "class": "FixedTranslation", "arguments": {"r": [0.3, 0.0, 0.1]}},
        {
            "id": "body",
            "class": "Body",
            "arguments": {"m": {"formula": "mass"}, "r_CM": [0.1, 0.2, 0.0], **INERTIA},
        },
    ],
    "connections": [["body.frame_a", "far.frame_a"]],
    "ports": {"root": "far.frame_a", "tip": "far.frame_b"},
}


def machine(seed: int) -> Data:
    """Return the document of a random machine, its parts and connections in any order."""
    made = _Machine(seed)
    for j, axis in enumerate(made.links()):
        made.drive(j, axis)
    made.choose.shuffle(made.parts)
    made.choose.shuffle(made.pairs)
    turned = [one[::-1] if made.choose.random() < 0.4 else one for one in made.pairs]
    head: Data = {"motorik": 1, "name": "Machine", "models": {"Link": LINK}}
    head["parameters"] = [{"name": "loss", "value": 0.1, "unit": "N.m.s/rad"}]
    return {**head, "parts": made.parts, "connections": turned}
