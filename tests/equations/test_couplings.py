"""Parts written as equations among drive lines and signals, and wrong ones."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import motorik as mk
from motorik import blocks, rotational
from motorik.authoring import (
    Equation,
    EquationPart,
    der,
    equal,
    kinds,
    parameter,
    rotational_flange,
    signal_input,
    signal_output,
    unknown,
)
from motorik.errors import EquationError, EquationWarning, PortError, UnknownNameError
from tests.equations.parts import Earth, Emf, L, R, TwoPins, V, Wheel, model_of, series
from tests.refusals import refused


class Maxwell(EquationPart):
    """A spring and a damper in series."""

    flange_a = rotational_flange("left flange")
    flange_b = rotational_flange("right flange")
    c: kinds.TorsionalStiffness = parameter("stiffness", default=2.0)
    d: kinds.TorsionalDamping = parameter("damping", default=1.0)
    x: kinds.Angle = unknown("angle of the damper", fixed=True)
    tau: kinds.Torque = unknown("torque")

    def equations(self) -> Iterator[Equation]:
        """Yield τ = c (φ_rel − x) = d ẋ."""
        yield equal(self.tau, self.c * (self.flange_b.phi - self.flange_a.phi - self.x))
        yield equal(self.tau, self.d * der(self.x))
        yield equal(self.flange_b.tau, self.tau)
        yield equal(self.flange_a.tau, -self.tau)


class Cam(EquationPart):
    """A gear with a varying ratio: φ_b = 2 φ_a + 0.3 sin φ_a."""

    flange_a = rotational_flange("left flange")
    flange_b = rotational_flange("right flange")

    def equations(self) -> Iterator[Equation]:
        """Yield the relation of the angles, and that of the torques: no power is lost."""
        phi = self.flange_a.phi
        yield equal(self.flange_b.phi, 2.0 * phi + 0.3 * mk.sin(phi))
        yield equal(self.flange_a.tau, -(2.0 + 0.3 * mk.cos(phi)) * self.flange_b.tau)


class SignalSource(TwoPins):
    """A voltage source by a signal."""

    u = signal_input("voltage", "V")

    def law(self) -> Equation:
        """Return v = u."""
        return equal(self.v, self.u)


class Ammeter(TwoPins):
    """A current as a signal."""

    y = signal_output("current", "A")

    def law(self) -> Equation:
        """Return v = 0."""
        return equal(self.v, 0.0)

    def equations(self) -> Iterator[Equation]:
        """Yield those of its base class, and y = i."""
        yield from super().equations()
        yield equal(self.y, self.i)


class PIEquations(EquationPart):
    """A controller, y = k (x + u), ẋ = u / T."""

    u = signal_input("error")
    y = signal_output("output")
    k: kinds.Factor = parameter("gain", default=2.0)
    T: kinds.Duration = parameter("time constant", default=0.5)
    x: kinds.Factor = unknown("integral")

    def equations(self) -> Iterator[Equation]:
        """Yield the law."""
        yield equal(der(self.x), self.u / self.T)
        yield equal(self.y, self.k * (self.x + self.u))


def motor() -> mk.Model:
    model = model_of(u=V(V=-10.0), R=R(R=2.0), L=L(L=0.1), emf=Emf(k=0.5), ground=Earth())
    return series(model, "u", "R", "L", "emf")


def test_a_motor_without_inertia_turns_against_a_damper():
    model = motor()
    model.damper, model.wall = rotational.Damper(d=0.3), rotational.Fixed()
    mk.connect(model.emf.flange, model.damper.flange_a)
    mk.connect(model.damper.flange_b, model.wall.flange)
    result = model.simulate(1.0)
    t, a = np.asarray(result.time), 2.0 + 0.25 / 0.3
    exact = 10.0 / a * (1.0 - np.exp(-a / 0.1 * t))
    assert np.abs(np.asarray(result["L.i"]) - exact).max() < 1e-5
    assert np.asarray(result["damper.tau"]) == pytest.approx(-0.5 * exact, abs=1e-4)


def test_a_free_shaft_takes_no_torque():
    result = motor().simulate(0.1)
    assert result["emf.flange.w"][-1] == pytest.approx(20.0)
    assert result["L.i"][-1] == pytest.approx(0.0, abs=1e-12)


def test_a_maxwell_element_is_one_part():
    model = model_of(
        wheel=rotational.Inertia(J=1.0, phi=1.0, w=0.0),
        element=Maxwell(),
        wall=rotational.Fixed(),
    )
    mk.connect(model.wall.flange, model.element.flange_a)
    mk.connect(model.element.flange_b, model.wheel.flange_a)
    result = model.simulate(3.0, interval=0.05)
    exact = solve_ivp(
        lambda t, y: [y[1], -2.0 * (y[0] - y[2]), 2.0 * (y[0] - y[2])], (0.0, 3.0), [1, 0, 0],
        rtol=1e-9, t_eval=np.asarray(result.time),
    )  # fmt: skip
    assert np.abs(np.asarray(result["wheel.phi"]) - exact.y[0]).max() < 1e-4


class CubicSpring(EquationPart):
    """τ = c (x + b x³) of the angle x between its flanges."""

    flange_a = rotational_flange("left flange")
    flange_b = rotational_flange("right flange")
    c: kinds.TorsionalStiffness = parameter("stiffness", default=3.0)
    b: kinds.Factor = parameter("cubic part", default=0.0)

    def equations(self) -> Iterator[Equation]:
        """Yield the torques."""
        x = self.flange_b.phi - self.flange_a.phi
        yield equal(self.flange_b.tau, self.c * (x + self.b * x * x * x))
        yield equal(self.flange_a.tau, -self.flange_b.tau)


@pytest.mark.parametrize("b", [0.0, 1.0])
def test_a_shaft_between_springs_has_a_speed(b):
    """Of c (1 + 3 b x²) ẋ = 2 (ω − ẋ)."""
    model = model_of(
        wall=rotational.Fixed(), own=CubicSpring(b=b), spring=rotational.Spring(c=2.0),
        wheel=rotational.Inertia(J=1.0, phi=1.0, w=0.0),
    )  # fmt: skip
    mk.connect(model.wall.flange, model.own.flange_a)
    mk.connect(model.own.flange_b, model.spring.flange_a)
    mk.connect(model.spring.flange_b, model.wheel.flange_a)
    result = model.simulate(1.0)
    phi, x, w, v = (
        np.asarray(result[name])
        for name in ("wheel.phi", "own.flange_b.phi", "wheel.w", "own.flange_b.w")
    )
    assert np.abs(3.0 * (x + b * x**3) - 2.0 * (phi - x)).max() < 1e-9
    assert np.abs(3.0 * (1.0 + 3.0 * b * x**2) * v - 2.0 * (w - v)).max() < 1e-9


def test_inertias_written_as_equations_alone_swing():
    model = model_of(a=Wheel(J=1.0, w=1.0), b=Wheel(J=2.0), spring=rotational.Spring(c=3.0))
    mk.connect(model.a.flange, model.spring.flange_a)
    mk.connect(model.spring.flange_b, model.b.flange)
    result = model.simulate(2.0)
    t, w = np.asarray(result.time), np.sqrt(3.0 * 1.5)
    assert np.abs(np.asarray(result["a.w"]) - (1 + 2 * np.cos(w * t)) / 3).max() < 1e-4


def test_a_cam_drives_a_damper():
    """φ̈ = −(2 + 0.3 cos φ)² d φ̇: the speed falls with the path alone."""
    model = model_of(
        wheel=rotational.Inertia(J=1.0, phi=0.0, w=1.0), cam=Cam(),
        damper=rotational.Damper(d=0.5), wall=rotational.Fixed(),
    )  # fmt: skip
    mk.connect(model.wheel.flange_b, model.cam.flange_a)
    mk.connect(model.cam.flange_b, model.damper.flange_a)
    mk.connect(model.damper.flange_b, model.wall.flange)
    result = model.simulate(2.0)
    phi, w = np.asarray(result["wheel.phi"]), np.asarray(result["wheel.w"])
    lost = 0.5 * (4.045 * phi + 1.2 * np.sin(phi) + 0.0225 * np.sin(2.0 * phi))
    assert np.abs(w - (1.0 - lost)).max() < 1e-5


def test_a_loop_through_blocks_equations_and_a_circuit_is_solved():
    model = model_of(
        wanted=blocks.Constant(k=1.0), error=blocks.Feedback(), control=PIEquations(),
        source=SignalSource(), R=R(R=2.0), meter=Ammeter(), ground=Earth(),
    )  # fmt: skip
    mk.connect(model.source.p, model.R.p)
    mk.connect(model.R.n, model.meter.p)
    mk.connect(model.meter.n, model.source.n, model.ground.p)
    mk.connect(model.wanted.y, model.error.u1)
    mk.connect(model.meter.y, model.error.u2)
    mk.connect(model.error.y, model.control.u)
    mk.connect(model.control.y, model.source.u)
    result = model.simulate(2.0)
    # R i = k (x + 1 − i) gives i = (x + 1) / 2, and T ẋ = 1 − i
    exact = 1.0 - 0.5 * np.exp(-np.asarray(result.time))
    assert np.abs(np.asarray(result["meter.y"]) - exact).max() < 1e-5


def test_a_voltage_may_depend_on_the_acceleration_it_causes():
    model = model_of(
        sensor=rotational.AccSensor(), gain=blocks.Gain(k=-0.3), five=blocks.Constant(k=5.0),
        sum=blocks.Add(), source=SignalSource(), R=R(R=2.0), emf=Emf(k=0.5),
        load=rotational.Inertia(J=0.1), ground=Earth(),
    )  # fmt: skip
    mk.connect(model.source.p, model.R.p)
    mk.connect(model.R.n, model.emf.p)
    mk.connect(model.emf.n, model.source.n, model.ground.p)
    mk.connect(model.emf.flange, model.load.flange_a)
    mk.connect(model.load.flange_b, model.sensor.flange)
    mk.connect(model.sensor.a, model.gain.u)
    mk.connect(model.gain.y, model.sum.u1)
    mk.connect(model.five.y, model.sum.u2)
    mk.connect(model.sum.y, model.source.u)
    result = model.simulate(1.0)
    t = np.asarray(result.time)
    exact = 10.0 * (1.0 - np.exp(-0.125 / 0.175 * t))
    assert np.abs(np.asarray(result["load.w"]) - exact).max() < 1e-5


# --- refusals ------------------------------------------------------------------------------


def part_of(equations, **unknowns: object) -> EquationPart:
    """Return a part with these equations and unknowns."""
    body = {name: unknown("a number") for name in unknowns} | {"equations": equations}
    return type("Wrong", (EquationPart,), body)(**unknowns)


def too_many(self):
    yield equal(der(self.x), -self.x)
    yield equal(self.x, 2.0)


def too_few(self):
    yield equal(der(self.x), -self.y)


def misspelt(self):
    yield equal(self.z, 1.0)


def of_math(self):
    yield equal(der(self.x), math.sin(self.x))


def not_an_equation(self):
    yield der(self.x)


@pytest.mark.parametrize(
    ("equations", "unknowns", "error", "words"),
    [
        (too_many, ("x",), EquationError, "1 too many"),
        (too_few, ("x", "y"), EquationError, "1 too few"),
        (misspelt, ("x",), UnknownNameError, "has no 'z'"),
        (of_math, ("x",), EquationError, "not a number"),
        (not_an_equation, ("x",), EquationError, "yields"),
    ],
)
def test_wrong_equations_are_named(equations, unknowns, error, words):
    model = model_of(part=part_of(equations, **dict.fromkeys(unknowns, 0.0)))
    with refused(error, "part", words):
        model.compile()


def test_equations_that_lose_their_solution_are_told():
    def root(self):
        yield equal(self.x * self.x, 1.0 - self.time)

    model = model_of(part=part_of(root, x=mk.guess(1.0)))
    with pytest.warns(EquationWarning, match=r"part\.x"):
        result = model.simulate(2.0)
    assert result["part.x"][0] == pytest.approx(1.0)


def test_ports_of_different_domains_are_not_connected():
    model = model_of(R=R(), wheel=rotational.Inertia())
    with refused(PortError, "R.p", "circuit port", "domain"):
        mk.connect(model.R.p, model.wheel.flange_a)


def test_a_part_written_as_equations_writes_a_signal_of_a_bus():
    model = model_of(
        bus=blocks.Bus(), source=V(V=3.0), R=R(R=2.0), meter=Ammeter(), gain=blocks.Gain(k=10.0),
        ground=Earth(),
    )  # fmt: skip
    mk.connect(model.source.p, model.R.p)
    mk.connect(model.R.n, model.meter.p)
    mk.connect(model.meter.n, model.source.n, model.ground.p)
    model.meter.y >> model.bus["current"]
    model.bus["current"] >> model.gain.u
    assert model.simulate(0.1)["gain.y"][-1] == pytest.approx(15.0)
