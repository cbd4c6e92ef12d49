"""Steep laws: a start far from the guesses, and sources that jump, are found by a damped search."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from scipy.optimize import brentq

import motorik as mk
from motorik import electrical
from motorik import functions as fn
from motorik.authoring import (
    Domain,
    Equation,
    EquationPart,
    balance,
    equal,
    kinds,
    parameter,
)
from motorik.errors import EquationError
from motorik.numerics.newton import newton_at_samples
from motorik.numerics.traced_newton import solve_residual
from tests.equations.parts import C, Diode, Earth, R, TwoPins, V, circuit, model_of, series
from tests.refusals import refused

I_S, V_T = 1e-9, 0.04


def current(v: float) -> float:
    """Return the current of the diode."""
    return I_S * np.expm1(v / V_T)


# --- the search ------------------------------------------------------------------------------


def found(residual, slope, guess: float, size: float = 1.0) -> float:
    """Return the solution of one equation from a guess."""

    def evaluate(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return slope(x).T[:, :, None], -residual(x).T

    x, _ = newton_at_samples(evaluate, np.array([[guess]]), np.array([size]))
    return float(x[0, 0])


@pytest.mark.parametrize("voltage", [0.5, 5.0, 1e2, 1e6])
def test_an_exponential_law_is_climbed_from_zero(voltage: float):
    x = found(
        lambda v: voltage - v - I_S * np.expm1(v / V_T),
        lambda v: -1.0 - I_S / V_T * np.exp(v / V_T),
        0.0,
    )
    assert x + current(x) == pytest.approx(voltage)


def test_a_root_has_no_finite_slope_at_zero():
    x = found(
        lambda q: np.sign(q) * np.sqrt(np.abs(q)) + q - 6.0,
        lambda q: 0.5 / np.sqrt(np.abs(q)) + 1.0,
        0.0,
    )
    assert x == pytest.approx(4.0)


def test_a_square_with_sign_has_no_slope_at_zero():
    assert found(lambda q: q * np.abs(q) - 9.0, lambda q: 2.0 * np.abs(q), 0.0) == (
        pytest.approx(3.0)
    )


def test_of_two_solutions_none_is_taken():
    assert np.isnan(found(lambda q: q * q - 9.0, lambda q: 2.0 * q, 0.0))


@pytest.mark.parametrize("guess", [0.8, 0.0])
def test_a_fixed_number_of_steps_gives_no_number_where_it_ends_too_early(guess: float):
    """Terms of the size of exp(60) do not pass for the rounding of a step."""
    import casadi

    y = casadi.SX.sym("y", 2)
    i = I_S * (casadi.exp((y[0] - y[1]) / V_T) - 1.0)
    F = casadi.vertcat(100.0 - y[0] - i, i - y[1])

    def solve(entries: dict, right: list) -> list:
        return casadi.vertsplit(
            casadi.solve(casadi.SX(_square(entries)), casadi.vertcat(*right))
        )

    def _square(entries: dict) -> casadi.SX:
        return casadi.blockcat([[entries.get((i, j), 0.0) for j in (0, 1)] for i in (0, 1)])

    begin = [guess + 50.0, 50.0] if guess else [0.0, 0.0]
    found = solve_residual(F, y, begin, [1.0, 1.0], solve)
    values = np.array([float(casadi.SX(own)) for own in found])
    assert np.isfinite(values).all() == bool(guess)
    if guess:
        assert values.sum() == pytest.approx(100.0)


# --- circuits --------------------------------------------------------------------------------


def diodes(voltage: float, count: int) -> mk.Model:
    """Return a source, 1 Ω and diodes in series."""
    own = {f"d{k}": Diode() for k in range(count)}
    model = model_of(s=V(V=-voltage), r=R(), ground=Earth(), **own)
    return series(model, "s", "r", *own)


@pytest.mark.slow
@pytest.mark.kinds(2)
@pytest.mark.parametrize(("voltage", "count"), [(100.0, 1), (1e4, 1), (5.0, 3), (100.0, 3)])
def test_diodes_in_series_start_from_zero(voltage: float, count: int):
    result = diodes(voltage, count).simulate(1.0, interval=1.0)
    exact = brentq(lambda v: voltage - count * v - current(v), 0.0, 2.0, xtol=1e-14)
    assert result["d0.v"] == pytest.approx(exact, rel=1e-9)


@pytest.mark.slow
def test_diodes_that_block_together_share_no_voltage():
    with refused(EquationError, "r, d0, d1, d2", "d0.v", "guess(…)"):
        diodes(-100.0, 3).compile()


@pytest.mark.slow
def test_a_part_without_any_current_is_at_rest_beside_a_steep_one():
    """Its unknowns are zero but for rounding, against which no step is short."""
    model = diodes(100.0, 1)
    model.a, model.b = Diode(), R(R=0.3)
    mk.connect(model.a.p, model.b.p, model.r.n)
    mk.connect(model.a.n, model.b.n)
    result = model.simulate(1.0, interval=1.0)
    assert result["a.v"] == pytest.approx(0.0, abs=1e-9)
    assert result["d0.v"] == pytest.approx(1.01273, rel=1e-5)


class Transistor(EquationPart):
    """An NPN transistor by Ebers and Moll."""

    c = circuit.port("collector")
    b = circuit.port("base")
    e = circuit.port("emitter")

    def equations(self) -> Iterator[Equation]:
        """Yield both junctions, with gains of 100 and 1."""
        ahead, back = (
            1e-14 * (mk.exp((self.b.v - other.v) / 0.02585) - 1.0)
            for other in (self.e, self.c)
        )
        yield equal(self.c.i, ahead - 2.0 * back)
        yield equal(self.b.i, ahead / 100.0 + back)
        yield balance(self.c.i, self.b.i, self.e.i)


@pytest.mark.slow
def test_an_amplifier_finds_its_working_point():
    model = model_of(s=V(V=12.0), ground=Earth(), q=Transistor())
    model.c, model.b, model.e = R(R=1e3), R(R=1e6), R(R=100.0)
    mk.connect(model.s.p, model.c.p, model.b.p)
    mk.connect(model.c.n, model.q.c)
    mk.connect(model.b.n, model.q.b)
    mk.connect(model.q.e, model.e.p)
    mk.connect(model.e.n, model.s.n, model.ground.p)
    result = model.simulate(1.0, interval=1.0)

    def left(i_b: float) -> float:  # the transistor is not saturated
        v = 0.02585 * np.log1p(100.0 * i_b / 1e-14)
        return 12.0 - 1e6 * i_b - v - 100.0 * 101.0 * i_b

    assert result["b.i"] == pytest.approx(brentq(left, 1e-9, 1e-4, xtol=1e-18), rel=1e-6)


class Step(TwoPins):
    """A source that is switched on at 0.3 s."""

    V: kinds.Voltage = parameter("voltage", default=100.0)

    def law(self) -> Equation:
        """Return v = 0, and V from 0.3 s on."""
        return equal(self.v, mk.where(self.time < 0.3, 0.0, -self.V))


@pytest.mark.slow
@pytest.mark.parametrize("has_state", [False, True])
def test_a_source_that_jumps_far_is_followed(has_state: bool):
    model = model_of(s=Step(), r=R(), ground=Earth(), d=Diode(), load=R())
    series(model, "s", "r", "d", "load")
    if has_state:
        model.c = C(C=1e-3)
        mk.connect(model.c.p, model.load.p)
        mk.connect(model.c.n, model.load.n)
    result = model.simulate(0.6, interval=0.1)
    exact = brentq(lambda v: 100.0 - v - 2.0 * current(v), 0.0, 2.0, xtol=1e-14)
    assert result["d.v"][:3] == pytest.approx(0.0, abs=1e-12)
    assert result["d.v"][-1] == pytest.approx(exact, rel=1e-6)


@pytest.mark.slow
@pytest.mark.slow
def test_pulses_are_followed_whose_edges_are_no_binary_numbers():
    """At the edge itself a law has the value before it or after it, as rounding has it."""
    period, voltage, model = 0.02557937987, 100.0, mk.Model()
    model.source = electrical.PulseVoltage(V=voltage, period=period, width=50.0)
    model.R = [electrical.Resistor(R=k) for k in (1.0, 2.0, 3.0)]
    model.D = [electrical.Diode(Vt=0.05) for _ in range(2)]
    model.C, model.ground = electrical.Capacitor(C=0.01, v=0.0), electrical.Ground()
    at = model.source.p
    for k in range(2):
        model.connect(at, model.R[k].p)
        at = model.R[k].n
        model.connect(at, model.D[k].p)
    model.connect(at, model.R[2].p)
    model.connect(model.R[2].n, model.C.p)
    ends = (model.C.n, *(own.n for own in model.D))
    model.connect(model.source.n, model.ground.p, *ends)
    run = model.simulate(4.0 * period, output=400)
    assert run.complete
    on = np.asarray(run["source.v"]) > 0.5 * voltage
    current = np.asarray(run["R[1].i"])
    assert (current[on] > 0.9 * voltage).all() and (np.abs(current[~on]) < 1.0).all()


def test_a_rectifier_starts_at_rest():
    model = model_of(s=V(V=100.0), r=R(R=0.1), d=Diode(), load=R(R=10.0), ground=Earth())
    model.c = C(v=mk.steady())
    mk.connect(model.s.p, model.r.p)
    mk.connect(model.r.n, model.d.p)
    mk.connect(model.d.n, model.c.p, model.load.p)
    mk.connect(model.s.n, model.c.n, model.load.n, model.ground.p)
    result = model.simulate(1.0, interval=1.0)
    exact: float = brentq(lambda v: 100.0 - v - 10.1 * current(v), 0.0, 2.0, xtol=1e-14)  # type: ignore[assignment]
    assert result["d.v"] == pytest.approx(exact, rel=1e-6)
    assert result["c.v"] == pytest.approx(10.0 * current(exact), rel=1e-6)


# --- hydraulics ------------------------------------------------------------------------------

fluid = Domain("fluid", across=("p", "Pa"), through=("q", "m3/s"))


class Orifice(EquationPart):
    """An orifice, whose flow has an infinite slope at zero."""

    a = fluid.port("inlet")
    b = fluid.port("outlet")
    K: kinds.Number = parameter("constant", default=1e-6)

    def equations(self) -> Iterator[Equation]:
        """Yield q = K √|Δp| with the sign of Δp."""
        dp = self.a.p - self.b.p
        yield equal(self.a.q, self.K * fn.sign(dp) * mk.sqrt(fn.fabs(dp)))
        yield balance(self.a.q, self.b.q)


class Pressure(EquationPart):
    """A source of pressure."""

    a = fluid.port("port")
    p: kinds.Number = parameter("pressure", default=1e5)

    def equations(self) -> Iterator[Equation]:
        """Yield p."""
        yield equal(self.a.p, self.p)


@pytest.mark.slow
def test_a_net_of_orifices_starts_without_flow():
    """In the branch between two nodes the flow is nought at the guesses."""
    own = {f"o{k}": Orifice(K=1e-6 * (k + 1)) for k in range(5)}
    model, o = model_of(s=Pressure(p=1e7), t=Pressure(), **own), [*own.values()]
    mk.connect(model.s.a, o[0].a, o[1].a)
    mk.connect(o[0].b, o[2].a, o[4].a)
    mk.connect(o[1].b, o[3].a, o[4].b)
    mk.connect(o[2].b, o[3].b, model.t.a)
    result = model.simulate(1.0, interval=1.0)
    q = [float(result[f"o{k}.a.q"][-1]) for k in range(5)]
    p = {k: float(result[f"o{k}.b.p"][-1]) for k in (0, 1)}
    assert q[0] == pytest.approx(q[2] + q[4], rel=1e-9)
    assert q[1] + q[4] == pytest.approx(q[3], rel=1e-9)
    assert q[0] == pytest.approx(1e-6 * np.sqrt(1e7 - p[0]), rel=1e-6)
    assert q[4] == pytest.approx(-5e-6 * np.sqrt(p[1] - p[0]), rel=1e-5)
