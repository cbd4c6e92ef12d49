"""Random circuits with ideal diodes and switches against modified nodal analysis.

A diode with two resistances is a continuous, piecewise linear function i(v), so the nodal equations
E ẋ = A(t) x − N i(Nᵀx) + b(t) need no modes: Radau's method of order five solves them with Newton's
method in each step. Switches change at times on its grid. `python -m validation.networks 150`
compares as many circuits.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

import numpy as np

import motorik as mk
from motorik import blocks
from motorik import electrical as el

END, STEPS, OUTPUT = 2.0, 400, 40
SWITCHED = 1.0  # s: when switches change
NEWTON = 30

ROOT = np.sqrt(6.0)
NODES = np.array([(4 - ROOT) / 10, (4 + ROOT) / 10, 1.0])
RADAU = np.array(
    [
        [(88 - 7 * ROOT) / 360, (296 - 169 * ROOT) / 1800, (-2 + 3 * ROOT) / 225],
        [(296 + 169 * ROOT) / 1800, (88 + 7 * ROOT) / 360, (-2 - 3 * ROOT) / 225],
        [(16 - ROOT) / 36, (16 + ROOT) / 36, 1 / 9],
    ]
)


@dataclass
class NodalCircuit:
    """The nodal equations: potentials of nodes, and currents of inductors and sources.

    `conductances` change at `SWITCHED`; `diodes` have a conductance forwards and one backwards.
    """

    size: int
    capacities: list[tuple[int, int, float]] = field(default_factory=list)
    conductances: list[tuple[int, int, float, float]] = field(default_factory=list)
    inductors: list[tuple[int, int, float]] = field(default_factory=list)
    sources: list[tuple[int, int, float]] = field(default_factory=list)
    diodes: list[tuple[int, int, float, float]] = field(default_factory=list)

    def matrices(self, is_late: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return E, A and b of E ẋ = A x + b sin(t), without diodes."""
        own = len(self.inductors) + len(self.sources)
        n = self.size + own
        E, A, b = np.zeros((n, n)), np.zeros((n, n)), np.zeros(n)
        for i, j, C in self.capacities:
            w = self.along(i, j, n)
            E += C * np.outer(w, w)
        for i, j, *G in self.conductances:
            w = self.along(i, j, n)
            A -= G[is_late] * np.outer(w, w)
        for k, (i, j, L) in enumerate([*self.inductors, *self.sources], start=self.size):
            w = self.along(i, j, n)
            A[:, k] -= w
            A[k] += w
            if k < self.size + len(self.inductors):
                E[k, k] = L
            else:
                b[k] = -L
        return E, A, b

    @staticmethod
    def along(i: int, j: int, n: int) -> np.ndarray:
        """Return w with v_i − v_j = w x; −1 is the ground."""
        w = np.zeros(n)
        if i >= 0:
            w[i] = 1.0
        if j >= 0:
            w[j] -= 1.0
        return w

    def solve(self) -> np.ndarray:
        """Return x at the output times, from rest."""
        h = END / STEPS
        n = self.size + len(self.inductors) + len(self.sources)
        N = np.array([self.along(i, j, n) for i, j, _, _ in self.diodes]).reshape(-1, n).T
        forward = np.array([own[2] for own in self.diodes])
        backward = np.array([own[3] for own in self.diodes])
        weights = np.linalg.inv(RADAU)
        x, found = np.zeros(n), [np.zeros(n)]
        both = [self.matrices(is_late) for is_late in (False, True)]
        inverses: dict[tuple[bool, bytes], np.ndarray] = {}
        for step in range(STEPS):
            is_late = step * h >= SWITCHED - 0.5 * h
            E, A, b = both[is_late]
            stages = np.tile(x, 3)
            times = np.sin((step + NODES) * h)
            for _ in range(NEWTON):
                X = stages.reshape(3, n)
                v = X @ N
                G = np.where(v > 0.0, forward, backward)
                rates = weights @ (X - x) / h
                left = rates @ E.T - X @ A.T - times[:, None] * b + (v * G) @ N.T
                key = is_late, (v > 0.0).tobytes()
                if key not in inverses:
                    J = np.kron(weights / h, E) - np.kron(np.eye(3), A)
                    for s in range(3):
                        J[s * n : (s + 1) * n, s * n : (s + 1) * n] += (N * G[s]) @ N.T
                    inverses[key] = np.linalg.inv(J)
                change = inverses[key] @ left.ravel()
                stages = stages - change
                if np.abs(change).max() < 1e-12 * (1.0 + np.abs(stages).max()):
                    break
            x = stages[-n:]
            if (step + 1) % (STEPS // OUTPUT) == 0:
                found.append(x)
        return np.array(found)


def random_circuit(seed: int) -> tuple[mk.Model, NodalCircuit]:
    """Return a circuit as a model and by its nodal equations; node k is the part `leak{k}`."""
    random = np.random.default_rng(seed)
    size = int(random.integers(2, 6))
    circuit, model = NodalCircuit(size), mk.Model()
    model.ground, model.late = el.Ground(), blocks.BooleanStep(startTime=SWITCHED)
    pins = {-1: [model.ground.p], **{k: [] for k in range(size)}}

    def add(name: str, part: mk.Part, i: int, j: int) -> None:
        setattr(model, name, part)
        pins[i].append(part.p)  # type: ignore[attr-defined]
        pins[j].append(part.n)  # type: ignore[attr-defined]

    add("source", el.SineVoltage(V=2.0, f=0.5 / np.pi), 0, -1)
    circuit.sources.append((0, -1, 2.0))
    for k in range(size):  # no node floats, in whatever mode
        leak = float(random.uniform(2.0, 20.0))
        add(f"leak{k}", el.Resistor(R=leak), k, -1)
        circuit.conductances.append((k, -1, 1.0 / leak, 1.0 / leak))
    edges = [(k, int(random.integers(0, k))) for k in range(1, size)]
    for _ in range(int(random.integers(2, 6))):
        i, j = random.choice(np.arange(-1, size), 2, replace=False)
        edges.append((int(i), int(j)))
    for number, (i, j) in enumerate(edges):
        kind = str(random.choice(["R", "C", "L", "D", "D", "S"]))
        if {i, j} == {0, -1} and kind == "S":
            kind = "R"
        value, name = float(random.uniform(0.5, 2.0)), f"{kind}{number}"
        on, off = (
            float(10.0 ** random.uniform(-3, -1)),
            float(10.0 ** random.uniform(-4, -2)),
        )
        if kind == "R":
            add(name, el.Resistor(R=value), i, j)
            circuit.conductances.append((i, j, 1.0 / value, 1.0 / value))
        elif kind == "C":  # a resistor in series keeps it from being parallel to the source
            circuit.size, node = circuit.size + 1, circuit.size
            pins[node] = []
            add(name, el.Capacitor(C=value, v=0.0), i, node)
            add(f"{name}_R", el.Resistor(R=0.1), node, j)
            circuit.capacities.append((i, node, value))
            circuit.conductances.append((node, j, 10.0, 10.0))
        elif kind == "L":
            add(name, el.Inductor(L=value, i=0.0), i, j)
            circuit.inductors.append((i, j, value))
        elif kind == "D":
            add(name, el.IdealDiode(Ron=on, Goff=off), i, j)
            circuit.diodes.append((i, j, 1.0 / on, off))
        else:
            closes = bool(random.integers(0, 2))
            part = el.IdealClosingSwitch if closes else el.IdealOpeningSwitch
            add(name, part(Ron=on, Goff=off), i, j)
            mk.connect(model.late.y, getattr(model, name).control)
            before_after = (off, 1.0 / on) if closes else (1.0 / on, off)
            circuit.conductances.append((i, j, *before_after))
    for ports in pins.values():
        mk.connect(*ports)
    return model, circuit


def deviation(seed: int) -> float:
    """Return the largest difference of a potential between both, in parts of the largest one."""
    model, circuit = random_circuit(seed)
    exact = circuit.solve()
    result = model.simulate(END, interval=END / OUTPUT, rtol=1e-8)
    if len(result.time) != OUTPUT + 1:
        return float("inf")
    names = [name for name in model.parts if name.startswith("leak")]
    found = np.array([np.asarray(result[f"{name}.v"]) for name in names]).T
    # at the instant of switching either side is right
    kept = np.abs(np.asarray(result.time) - SWITCHED) > 1e-6
    apart = np.abs(found - exact[:, : len(names)])[kept]
    return float(apart.max() / np.abs(exact[:, : len(names)]).max())


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 150
    worst = [(deviation(seed), seed) for seed in range(count)]
    print("largest deviations (part of the largest potential, seed):")
    for apart, seed in sorted(worst, reverse=True)[:10]:
        print(f"  {apart:.2e}  {seed}")
