"""Random networks against modified nodal analysis, integrated by an implicit method of its own."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

import motorik as mk
from motorik import rotational
from motorik.authoring import Equation, equal, kinds, parameter
from tests.equations.parts import C, Earth, Emf, L, R, TwoPins, Wheel, model_of

END, STEPS = 2.0, 400


class Sine(TwoPins):
    """A voltage source, V sin(t)."""

    V: kinds.Voltage = parameter("amplitude", default=1.0)

    def law(self) -> Equation:
        """Return v = V sin(t)."""
        return equal(self.v, self.V * mk.sin(self.time))


class SineCurrent(TwoPins):
    """A current source, I sin(t)."""

    I: kinds.Current = parameter("amplitude", default=1.0)

    def law(self) -> Equation:
        """Return i = I sin(t)."""
        return equal(self.i, self.I * mk.sin(self.time))


@dataclass
class Nodal:
    """E ẋ = A x + b sin(t): across quantities of nodes, and through quantities of some parts."""

    size: int
    E: list[tuple[int, int, float]] = field(default_factory=list)
    A: list[tuple[int, int, float]] = field(default_factory=list)
    b: list[tuple[int, float]] = field(default_factory=list)

    def new(self) -> int:
        """Return the number of one more unknown."""
        self.size += 1
        return self.size - 1

    def add(
        self, table: list[tuple[int, int, float]], row: int, column: int, x: float
    ) -> None:
        """Add an entry; −1 is the ground."""
        if row >= 0 and column >= 0:
            table.append((row, column, x))

    def conductance(self, a: int, b: int, G: float) -> None:
        """Add a through quantity G (v_a − v_b) from a to b."""
        for row, sign in ((a, -1.0), (b, 1.0)):
            self.add(self.A, row, a, sign * G)
            self.add(self.A, row, b, -sign * G)

    def capacity(self, a: int, b: int, K: float) -> None:
        """Add a through quantity K d(v_a − v_b)/dt from a to b."""
        for row, sign in ((a, 1.0), (b, -1.0)):
            self.add(self.E, row, a, sign * K)
            self.add(self.E, row, b, -sign * K)

    def branch(self, *ends: tuple[int, float]) -> int:
        """Add a through quantity of its own out of these nodes, with these factors."""
        k = self.new()
        for node, factor in ends:
            self.add(self.A, node, k, -factor)
        return k

    def solve(self) -> np.ndarray:
        """Return x at equal times by Radau's method of order five, from rest."""
        n = self.size
        E, A, b = np.zeros((n, n)), np.zeros((n, n)), np.zeros(n)
        for table, matrix in ((self.E, E), (self.A, A)):
            for i, j, x in table:
                matrix[i, j] += x
        for i, x in self.b:
            b[i] += x
        s = np.sqrt(6.0)
        c = np.array([(4 - s) / 10, (4 + s) / 10, 1.0])
        a = np.array(
            [
                [(88 - 7 * s) / 360, (296 - 169 * s) / 1800, (-2 + 3 * s) / 225],
                [(296 + 169 * s) / 1800, (88 + 7 * s) / 360, (-2 - 3 * s) / 225],
                [(16 - s) / 36, (16 + s) / 36, 1 / 9],
            ]
        )
        h = END / STEPS
        system = np.kron(np.eye(3), E) - h * np.kron(a, A)
        inverse = np.linalg.inv(system)
        x, found = np.zeros(n), [np.zeros(n)]
        for k in range(STEPS):
            f = np.concatenate([b * np.sin((k + own) * h) for own in c])
            # E z_i = h Σ a_ij (A (x + z_j) + b_j)
            right = h * np.kron(a, np.eye(n)) @ (np.tile(A @ x, 3) + f)
            x = x + (inverse @ right)[-n:]
            found.append(x)
        return np.array(found)


def random_network(seed: int) -> tuple[mk.Model, Nodal, dict[str, int]]:
    """Return a circuit on a tree of nodes with chords, a motor and a drive line behind it."""
    random = np.random.default_rng(seed)
    size = int(random.integers(2, 5))
    nodal = Nodal(size)
    model = model_of(ground=Earth())
    pins: dict[int, list[mk.Part]] = {-1: [model.ground.p]}
    edges = [(k, int(random.integers(-1, k)), k > 0 or seed % 3 == 0) for k in range(size)]
    for _ in range(int(random.integers(1, 4))):
        i, j = random.choice(np.arange(-1, size), 2, replace=False)
        edges.append((int(i), int(j), False))
    seen: dict[str, int] = {}
    for number, (i, j, is_tree) in enumerate(edges):
        kind = random.choice(["R", "C", "L", *(["V"] if is_tree else ["R", "I"])])
        value = float(random.uniform(0.5, 2.0))
        name = f"{kind}{number}"
        part = {
            "R": lambda v: R(R=v), "C": lambda v: C(C=v), "L": lambda v: L(L=v),
            "V": lambda v: Sine(V=v), "I": lambda v: SineCurrent(I=v),
        }[str(kind)](value)  # fmt: skip
        setattr(model, name, part)
        if kind == "R":
            nodal.conductance(i, j, 1.0 / value)
        elif kind == "C":
            nodal.capacity(i, j, value)
        elif kind == "I":
            nodal.b += [(node, s * value) for node, s in ((i, -1.0), (j, 1.0)) if node >= 0]
        else:
            k = nodal.branch((i, 1.0), (j, -1.0))
            nodal.add(nodal.A, k, i, 1.0)
            nodal.add(nodal.A, k, j, -1.0)
            if kind == "L":
                nodal.E.append((k, k, value))
            else:
                nodal.b.append((k, -value))
        pins.setdefault(i, []).append(part.p)  # type: ignore[attr-defined]
        pins.setdefault(j, []).append(part.n)  # type: ignore[attr-defined]
    for node in range(size):  # every node has a path to the ground, so that nothing floats
        part = R(R=5.0)
        setattr(model, f"leak{node}", part)
        nodal.conductance(node, -1, 0.2)
        pins.setdefault(node, []).append(part.p)
        pins[-1].append(part.n)
        seen[f"leak{node}.v"] = node
    add_drive(random, model, nodal, pins, seen)
    for ports in pins.values():
        mk.connect(*ports)  # type: ignore[arg-type]
    return model, nodal, seen


def add_drive(random, model, nodal, pins, seen) -> None:
    """Add a motor at the first node, an inertia, a spring, a gear, a damper and an inertia."""
    k, J, c, ratio, d = (float(x) for x in random.uniform(0.5, 2.0, 5))
    model.emf, model.wheel = Emf(k=k), Wheel(J=J)
    model.spring, model.gear = rotational.Spring(c=c), rotational.IdealGear(ratio=ratio)
    model.damper, model.wall = rotational.Damper(d=d), rotational.Fixed()
    mk.connect(model.emf.flange, model.wheel.flange, model.spring.flange_a)
    mk.connect(model.spring.flange_b, model.gear.flange_a)
    mk.connect(model.gear.flange_b, model.damper.flange_a)
    mk.connect(model.damper.flange_b, model.wall.flange)
    pins[0].append(model.emf.p)
    pins[-1].append(model.emf.n)
    w, w_gear = nodal.new(), nodal.new()  # of the wheel, and of the gear's first flange
    current = nodal.branch((0, 1.0), (w, -k))
    nodal.A += [(current, 0, 1.0), (current, w, -k)]
    nodal.E.append((w, w, J))
    torque = nodal.branch((w, 1.0), (w_gear, -1.0))
    nodal.E.append((torque, torque, 1.0 / c))
    nodal.A += [(torque, w, 1.0), (torque, w_gear, -1.0)]
    nodal.conductance(w_gear, -1, d / ratio**2)
    seen["wheel.w"] = w
    if random.random() < 0.5:  # and behind the gear an inertia that the mechanism has
        model.load = rotational.Inertia(J=0.7)
        mk.connect(model.gear.flange_b, model.load.flange_a)
        nodal.capacity(w_gear, -1, 0.7 / ratio**2)


@pytest.mark.parametrize("seed", range(24))
def test_a_random_network_moves_as_nodal_analysis_says(seed):
    model, nodal, seen = random_network(seed)
    exact = nodal.solve()
    result = model.simulate(END, interval=END / STEPS, rtol=1e-9)
    for name, column in seen.items():
        size = max(float(np.abs(exact[:, column]).max()), 1e-3)
        off = np.abs(np.asarray(result[name]) - exact[:, column])[3:].max()
        assert off < 1e-5 * size, f"{name}: {off:.2g} of {size:.2g}"


def test_the_rate_of_an_input_is_found():
    """A capacitor at a voltage source takes C dV/dt."""

    class Parallel(C):
        """The same, read by its own name."""

    model = model_of(u=Sine(V=2.0), C=Parallel(C=0.5), ground=Earth())
    mk.connect(model.u.p, model.C.p)
    mk.connect(model.u.n, model.C.n, model.ground.p)
    result = model.simulate(1.0)
    t = np.asarray(result.time)
    assert np.asarray(result["C.i"]) == pytest.approx(np.cos(t), abs=1e-9)
