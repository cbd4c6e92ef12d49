"""Electrical and mechanical parts written as equations, for tests of the engine."""

from __future__ import annotations

from collections.abc import Iterator

import motorik as mk
from motorik.authoring import (
    Domain,
    Equation,
    EquationPart,
    balance,
    der,
    equal,
    kinds,
    parameter,
    rotational_flange,
    unknown,
)

circuit = Domain("circuit", across=("v", "V"), through=("i", "A"))


class TwoPins(EquationPart):
    """Two pins with the current of the first."""

    p = circuit.port("positive pin")
    n = circuit.port("negative pin")
    v: kinds.Voltage = unknown("voltage")
    i: kinds.Current = unknown("current")

    def equations(self) -> Iterator[Equation]:
        """Yield the balance of currents, and the law."""
        yield equal(self.v, self.p.v - self.n.v)
        yield equal(self.i, self.p.i)
        yield balance(self.p.i, self.n.i)
        yield self.law()

    def law(self) -> Equation:
        """Return the law."""
        raise NotImplementedError


class R(TwoPins):
    """A resistor."""

    R: kinds.Resistance = parameter("resistance", default=1.0)

    def law(self) -> Equation:
        """Return v = R i."""
        return equal(self.v, self.R * self.i)

    def lossPower(self) -> object:  # noqa: N802
        """Return R i²."""
        return self.R * self.i * self.i


class C(TwoPins):
    """A capacitor."""

    C: kinds.Capacitance = parameter("capacitance", default=1.0)

    def law(self) -> Equation:
        """Return C v̇ = i."""
        return equal(self.C * der(self.v), self.i)

    def stored_energy(self) -> object:
        """Return ½ C v²."""
        return 0.5 * self.C * self.v * self.v


class L(TwoPins):
    """An inductor."""

    L: kinds.Inductance = parameter("inductance", default=1.0)

    def law(self) -> Equation:
        """Return L di/dt = v."""
        return equal(self.L * der(self.i), self.v)

    def stored_energy(self) -> object:
        """Return ½ L i²."""
        return 0.5 * self.L * self.i * self.i


class V(TwoPins):
    """A voltage source."""

    V: kinds.Voltage = parameter("voltage", default=1.0)

    def law(self) -> Equation:
        """Return v = V."""
        return equal(self.v, self.V)


class I(TwoPins):  # noqa: E742
    """A current source."""

    I: kinds.Current = parameter("current", default=1.0)

    def law(self) -> Equation:
        """Return i = I."""
        return equal(self.i, self.I)


class Diode(TwoPins):
    """A diode by Shockley's law."""

    def law(self) -> Equation:
        """Return i = I (exp(v / v_t) − 1)."""
        return equal(self.i, 1e-9 * (mk.exp(self.v / 0.04) - 1.0))


class Earth(EquationPart):
    """The ground."""

    p = circuit.port("pin")

    def equations(self) -> Iterator[Equation]:
        """Yield v = 0."""
        yield equal(self.p.v, 0.0)


class Emf(EquationPart):
    """Electromotive force of a motor."""

    p = circuit.port("positive pin")
    n = circuit.port("negative pin")
    flange = rotational_flange("shaft")
    k: kinds.Number = parameter("constant", unit="N.m/A", default=1.0)

    def equations(self) -> Iterator[Equation]:
        """Yield v = k w and τ = −k i."""
        yield equal(self.p.v - self.n.v, self.k * der(self.flange.phi))
        yield equal(self.flange.tau, -self.k * self.p.i)
        yield balance(self.p.i, self.n.i)


class Wheel(EquationPart):
    """An inertia."""

    flange = rotational_flange("shaft")
    J: kinds.MomentOfInertia = parameter("inertia", default=1.0)
    w: kinds.AngularVelocity = unknown("speed")

    def equations(self) -> Iterator[Equation]:
        """Yield J ẇ = τ."""
        yield equal(self.w, der(self.flange.phi))
        yield equal(self.J * der(self.w), self.flange.tau)


class CartesianPendulum(EquationPart):
    """A point on a massless rod of length 1 m, in Cartesian coordinates."""

    x: kinds.Distance = unknown("position", start=1.0, fixed=True)
    y: kinds.Distance = unknown("position")
    v_x: kinds.Velocity = unknown("velocity")
    v_y: kinds.Velocity = unknown("velocity", start=0.5, fixed=True)
    f: kinds.Number = unknown("tension over length")

    def equations(self) -> Iterator[Equation]:
        """Yield Newton's law and the length of the rod."""
        yield equal(der(self.x), self.v_x)
        yield equal(der(self.y), self.v_y)
        yield equal(der(self.v_x), -self.f * self.x)
        yield equal(der(self.v_y), -self.f * self.y - 9.81)
        yield equal(self.x * self.x + self.y * self.y, 1.0)


def series(model: mk.Model, *names: str) -> mk.Model:
    """Connect two-pin parts of a model in a ring, with the ground at the first one's end."""
    parts = [model.parts[name] for name in names]
    for one, other in zip(parts, (*parts[1:], parts[0]), strict=True):
        mk.connect(one.n, other.p)  # type: ignore[attr-defined]
    if "ground" in model.parts:
        mk.connect(model.parts["ground"].p, parts[-1].n)  # type: ignore[attr-defined]
    return model


def model_of(**parts: mk.Part) -> mk.Model:
    """Return a model of these parts."""
    model = mk.Model()
    for name, part in parts.items():
        setattr(model, name, part)
    return model
