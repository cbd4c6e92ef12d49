"""Networks of parts written as equations, against closed forms and independent solutions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import motorik as mk
from motorik import blocks, rotational
from motorik.errors import EquationError, InitialValueError
from tests.equations.parts import (
    C,
    CartesianPendulum,
    Diode,
    Earth,
    Emf,
    I,
    L,
    R,
    V,
    Wheel,
    model_of,
    series,
)
from tests.refusals import refused


def error_of(result: mk.Result, name: str, exact: np.ndarray) -> float:
    return float(np.abs(np.asarray(result[name]) - exact).max())


def test_a_resonant_circuit_oscillates_as_its_equation_says():
    model = model_of(u=V(V=-10.0), R=R(R=2.0), L=L(L=0.1), C=C(C=0.01), ground=Earth())
    result = series(model, "u", "R", "L", "C").simulate(1.0, interval=0.02)
    t = np.asarray(result.time)
    d, w = 10.0, np.sqrt(1000.0 - 100.0)
    exact = 10.0 * (1.0 - np.exp(-d * t) * (np.cos(w * t) + d / w * np.sin(w * t)))
    assert error_of(result, "C.v", exact) < 1e-4
    assert np.asarray(result["u.p.i"]) == pytest.approx(np.asarray(result["L.i"]))


def test_capacitors_in_parallel_have_one_state():
    model = model_of(u=V(V=-10.0), R=R(R=2.0), C=C(C=0.01), D=C(C=0.03), ground=Earth())
    series(model, "u", "R", "C")
    mk.connect(model.C.p, model.D.p)
    mk.connect(model.C.n, model.D.n)
    result = model.simulate(0.2)
    t = np.asarray(result.time)
    assert error_of(result, "D.v", 10.0 * (1.0 - np.exp(-t / 0.08))) < 1e-5
    assert error_of(result, "D.i", 3.75 * np.exp(-t / 0.08)) < 1e-5


def test_inductors_in_series_have_one_state():
    model = model_of(u=V(V=-10.0), R=R(R=2.0), L=L(L=0.1), M=L(L=0.3), ground=Earth())
    result = series(model, "u", "R", "L", "M").simulate(0.5)
    t = np.asarray(result.time)
    assert error_of(result, "M.i", 5.0 * (1.0 - np.exp(-5.0 * t))) < 1e-5


def test_a_diode_is_solved_within_the_equations():
    model = model_of(u=V(V=-5.0), R=R(R=100.0), D=Diode(), C=C(C=1e-4), ground=Earth())
    result = series(model, "u", "R", "D", "C").simulate(0.05, interval=0.001)

    def current(v: float) -> float:
        low, high = 0.0, 5.0 / 100.0
        for _ in range(200):
            i = 0.5 * (low + high)
            left = 5.0 - 100.0 * i - v - 0.04 * np.log1p(i / 1e-9)
            low, high = (i, high) if left > 0.0 else (low, i)
        return i

    t = np.asarray(result.time)
    given = {"rtol": 1e-9, "atol": 1e-10, "t_eval": t, "method": "LSODA"}
    exact = solve_ivp(lambda t, v: [current(v[0]) / 1e-4], (0.0, t[-1]), [0.0], **given)
    assert error_of(result, "C.v", exact.y[0]) < 1e-5


def test_a_motor_drives_an_inertia():
    model = model_of(u=V(V=-10.0), R=R(R=2.0), L=L(L=0.1), emf=Emf(k=0.5), ground=Earth())
    series(model, "u", "R", "L", "emf")
    model.load = rotational.Inertia(J=0.1)
    mk.connect(model.emf.flange, model.load.flange_a)
    result = model.simulate(2.0, interval=0.02)
    A = np.array([[-20.0, -5.0], [5.0, 0.0]])
    t = np.asarray(result.time)
    exact = solve_ivp(
        lambda t, y: A @ y + (100.0, 0.0), (0.0, 2.0), [0.0, 0.0], rtol=1e-10, t_eval=t
    )
    assert error_of(result, "load.w", exact.y[1]) < 1e-3
    assert np.asarray(result["emf.flange.tau"]) == pytest.approx(
        -0.5 * np.asarray(result["L.i"]), abs=1e-9
    )


def test_an_inertia_written_as_equations_adds_to_that_of_the_mechanism():
    model = model_of(
        own=rotational.Inertia(J=0.1, phi=1.0, w=0.0), other=Wheel(J=0.3),
        spring=rotational.Spring(c=4.0), wall=rotational.Fixed(),
    )  # fmt: skip
    mk.connect(model.wall.flange, model.spring.flange_a)
    mk.connect(model.spring.flange_b, model.own.flange_a)
    mk.connect(model.own.flange_b, model.other.flange)
    result = model.simulate(3.0)
    t = np.asarray(result.time)
    assert error_of(result, "own.phi", np.cos(np.sqrt(10.0) * t)) < 1e-5


def test_a_pendulum_in_cartesian_coordinates_keeps_its_length():
    result = model_of(rod=CartesianPendulum()).simulate(5.0, interval=0.01)
    x, y = np.asarray(result["rod.x"]), np.asarray(result["rod.y"])
    assert np.abs(np.hypot(x, y) - 1.0).max() < 1e-8
    t = np.asarray(result.time)
    exact = solve_ivp(
        lambda t, s: [s[1], -9.81 * np.cos(s[0])], (0.0, 5.0), [0.0, 0.5],
        rtol=1e-10, atol=1e-12, t_eval=t,
    )  # fmt: skip
    assert np.abs(x - np.cos(exact.y[0])).max() < 1e-3


def test_a_gain_in_a_feedback_is_solved():
    model = model_of(
        one=blocks.Constant(k=2.0), error=blocks.Feedback(), gain=blocks.Gain(k=3.0)
    )
    mk.connect(model.one.y, model.error.u1)
    mk.connect(model.error.y, model.gain.u)
    mk.connect(model.gain.y, model.error.u2)
    assert model.simulate(0.1)["gain.y"][-1] == pytest.approx(1.5)


def test_a_network_starts_at_rest():
    model = model_of(
        u=V(V=-10.0), R=R(R=2.0), L=L(L=0.1, i=mk.steady()), C=C(C=0.01), S=R(R=3.0),
        ground=Earth(),
    )  # fmt: skip
    model.C.v = mk.steady()
    series(model, "u", "R", "L", "C")
    mk.connect(model.S.p, model.C.p)
    mk.connect(model.S.n, model.C.n)
    result = model.simulate(0.1)
    assert np.asarray(result["C.v"]) == pytest.approx(6.0)
    assert np.asarray(result["L.i"]) == pytest.approx(2.0)


def test_an_algebraic_unknown_may_be_fixed_at_the_start():
    model = model_of(u=V(V=-10.0), R=R(R=2.0, i=4.0), C=C(C=0.01), ground=Earth())
    result = series(model, "u", "R", "C").simulate(0.1)
    assert result["C.v"][0] == pytest.approx(2.0)


def test_live_parameters_change_without_compiling_again():
    resistance = mk.Parameter(2.0, name="resistance")
    model = model_of(u=V(V=-10.0), R=R(R=resistance), C=C(C=0.01), ground=Earth())
    series(model, "u", "R", "C")
    for value in (2.0, 5.0):
        result = model.simulate(0.1, parameters={"resistance": value})
        t = np.asarray(result.time)
        assert error_of(result, "C.v", 10.0 * (1.0 - np.exp(-t / value / 0.01))) < 1e-5


# --- refusals ------------------------------------------------------------------------------


def test_sources_in_parallel_are_named():
    model = model_of(supply=V(V=10.0), battery=V(V=9.0), ground=Earth())
    mk.connect(model.supply.p, model.battery.p)
    mk.connect(model.supply.n, model.battery.n)
    mk.connect(model.supply.n, model.ground.p)
    with refused(EquationError, "battery, supply", "one equation too many", "Remove"):
        model.compile()


def test_a_network_without_ground_is_refused():
    model = model_of(u=V(), R=R(), C=C())
    with refused(EquationError, "", "nothing determines", "ground"):
        series(model, "u", "R", "C").compile()


def test_two_grounds_at_one_place_are_refused():
    model = model_of(u=V(), R=R(), ground=Earth(), other=Earth())
    series(model, "u", "R")
    mk.connect(model.other.p, model.ground.p)
    with refused(EquationError, "", "nothing determines", "one ground"):
        model.compile()


def test_contradicting_start_values_are_named():
    model = model_of(u=V(), R=R(), C=C(v=1.0), D=C(v=2.0), ground=Earth())
    series(model, "u", "R", "C")
    mk.connect(model.C.p, model.D.p)
    mk.connect(model.C.n, model.D.n)
    with pytest.raises((EquationError, InitialValueError), match=r"C\.v|D\.v"):
        model.simulate(0.1)


def test_a_state_is_shown_with_its_own_sign():
    """The pins of a capacitor that charges against the ground: one potential, one sign."""
    model = model_of(source=I(I=-2.0), C=C(C=1.0), R=R(R=4.0), ground=Earth())
    mk.connect(model.source.p, model.C.n, model.R.p)
    mk.connect(model.source.n, model.C.p, model.R.n, model.ground.p)
    result = model.simulate(1.0)
    potential = np.asarray(result["R.p.v"])
    assert potential[-1] > 0.5
    assert np.asarray(result["C.v"]) == pytest.approx(-potential)
    assert np.asarray(result["C.n.v"]) == pytest.approx(potential)
    for name, column in zip(result.state_names, result.states.T, strict=True):
        assert column == pytest.approx(np.asarray(result[name]))
