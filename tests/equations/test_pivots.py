"""Pivots that vanish in some modes of ideal parts, or for some live values."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import motorik as mk
from motorik import blocks
from motorik import electrical as el
from motorik.authoring import Equation, EquationPart, der, equal, kinds, parameter, unknown
from motorik.numerics.sparse_elimination import (
    SparseElimination,
    choose_pivots,
    solve_by_comparisons,
)
from tests.equations.parts import model_of
from validation.networks import deviation

V, R, C, LOAD = 10.0, 1.0, 0.1, 10.0


def circuit(source: mk.Part) -> mk.Model:
    """Return a source with a resistance, and a capacitor with a load."""
    model = mk.Model()
    model.u, model.R = source, el.Resistor(R=R)
    model.C, model.load, model.ground = el.Capacitor(C=C), el.Resistor(R=LOAD), el.Ground()
    mk.connect(model.u.p, model.R.p)
    mk.connect(model.C.p, model.load.p)
    mk.connect(model.C.n, model.load.n, model.ground.p)
    return model


def half_wave(Ron: float, Goff: float) -> mk.Model:
    """Return a rectifier with one diode."""
    model = circuit(el.SineVoltage(V=V, f=1.0))
    model.D = el.IdealDiode(Ron=Ron, Goff=Goff)
    mk.connect(model.R.n, model.D.p)
    mk.connect(model.D.n, model.C.p)
    mk.connect(model.u.n, model.ground.p)
    return model


def bridge(Ron: float, Goff: float) -> mk.Model:
    """Return a rectifier with four diodes."""
    model = circuit(el.SineVoltage(V=V, f=1.0))
    for name in ("A", "B", "C1", "D"):
        setattr(model, name, el.IdealDiode(Ron=Ron, Goff=Goff))
    mk.connect(model.R.n, model.A.p, model.B.n)
    mk.connect(model.u.n, model.C1.p, model.D.n)
    mk.connect(model.A.n, model.C1.n, model.C.p)
    mk.connect(model.B.p, model.D.p, model.ground.p)
    return model


@pytest.mark.parametrize(("make", "rectified"), [(half_wave, np.array), (bridge, np.abs)])
def test_ideal_diodes_without_resistance_and_conductance_rectify(
    make: Callable[[float, float], mk.Model], rectified: Callable
):
    """C v̇ = max(|u| − v, 0) / R − v / R_load; while all block, no potential of u is determined."""

    def rate(t: float, v: np.ndarray) -> np.ndarray:
        u = rectified(V * np.sin(2.0 * np.pi * t))
        return (np.maximum(u - v, 0.0) / R - v / LOAD) / C

    result = make(0.0, 0.0).simulate(1.5, interval=0.05, rtol=1e-7)
    t = np.asarray(result.time)
    given = {"t_eval": t, "rtol": 1e-9, "atol": 1e-9, "max_step": 0.005}
    exact = solve_ivp(rate, (0.0, 1.5), [0.0], **given)
    assert t[-1] == 1.5
    assert np.asarray(result["C.v"]) == pytest.approx(exact.y[0], abs=2e-5)


def test_ideal_switches_change_the_path_of_a_current():
    model = circuit(el.ConstantVoltage(V=1.0))
    model.S, model.T = (
        el.IdealClosingSwitch(Ron=0.0, Goff=0.0),
        el.IdealOpeningSwitch(Ron=0.0, Goff=0.0),
    )
    model.other, model.late = el.Resistor(R=2.0), blocks.BooleanStep(startTime=0.05)
    mk.connect(model.u.p, model.S.p)
    mk.connect(model.R.n, model.T.p)
    mk.connect(model.S.n, model.other.p)
    mk.connect(model.T.n, model.other.n, model.C.p)
    mk.connect(model.u.n, model.ground.p)
    mk.connect(model.late.y, model.S.control)
    mk.connect(model.late.y, model.T.control)
    result = model.simulate(0.2, interval=0.01)
    t = np.asarray(result.time)
    found = solve_ivp(
        lambda t, v: ((1.0 - v) / (1.0 if t < 0.05 else 2.0) - v / LOAD) / C,
        (0.0, 0.2), [0.0], t_eval=t, rtol=1e-9, max_step=0.001,
    )  # fmt: skip
    assert np.asarray(result["C.v"]) == pytest.approx(found.y[0], abs=1e-4)


@pytest.mark.parametrize("seed", [1, 3, 7])
def test_a_random_circuit_with_modes_moves_as_nodal_analysis_says(seed: int):
    assert deviation(seed) < 1e-5


# --- pivots that change in the run ---------------------------------------------------------


class Pair(EquationPart):
    """Two equations in which any pivot may vanish: a x + y = 1, x + a y = 2 + z."""

    a: kinds.Number = parameter("coefficient", default=2.0)
    x: kinds.Number = unknown("unknown")
    y: kinds.Number = unknown("unknown")
    z: kinds.Number = unknown("state", start=0.0, fixed=True)

    def equations(self) -> Iterator[Equation]:
        """Yield both, and ż = x."""
        yield equal(self.a * self.x + self.y, 1.0)
        yield equal(self.x + self.a * self.y, 2.0 + self.z)
        yield equal(der(self.z), self.x)


@pytest.fixture(scope="module")
def pair() -> mk.Model:
    """Return both equations with a live coefficient."""
    return model_of(p=Pair(a=mk.Parameter(2.0, name="a")))


@pytest.mark.parametrize("a", [2.0, 1e-13, 0.0])
def test_a_live_value_may_make_an_entry_vanish(pair: mk.Model, a: float):
    result = pair.simulate(0.5, parameters={"a": a})
    z = np.asarray(result["p.z"])
    x = (a - (2.0 + z)) / (a * a - 1.0)
    assert np.asarray(result["p.x"]) == pytest.approx(x)


def test_a_live_value_that_makes_equations_singular_is_named(pair: mk.Model):
    with pytest.warns(UserWarning, match=r"p: .*p\.x, p\.y"):
        result = pair.simulate(0.5, parameters={"a": 1.0})
    assert not np.isfinite(np.asarray(result["p.x"])).any()


def test_an_order_that_no_mode_spoils_is_found():
    """A switch, v = s or 0 and i = 0 or s, with v + i = 1: a row of s vanishes in each mode."""
    off = np.array([1.0, 0.0, 1.0, 0.0])
    v, i, s = range(3)
    switch = {(0, v): np.ones(4), (0, s): -off, (1, i): np.ones(4), (1, s): off - 1.0}
    rank = choose_pivots(3, {**switch, (2, v): np.ones(4), (2, i): np.ones(4)})
    assert not rank.is_singular
    assert len(rank.pivots) == 3


def test_modes_that_no_order_serves_leave_a_core():
    off = np.array([1.0, 0.0])
    rank = choose_pivots(
        2, {(0, 0): off, (0, 1): 1.0 - off, (1, 0): off - 1.0, (1, 1): off}
    )
    assert not rank.is_singular
    assert sorted(rank.rows) == [0, 1]


@pytest.mark.parametrize("seed", range(5))
def test_pivots_by_comparison_solve_what_has_a_solution(seed: int):
    random = np.random.default_rng(seed)
    A = random.integers(-1, 2, (4, 4)).astype(float)
    x = random.normal(size=4)
    found = np.array(solve_by_comparisons(A.tolist(), (A @ x).tolist()))
    assert A @ found == pytest.approx(A @ x)  # where A is singular, some unknowns are zero


def test_a_solution_that_misses_an_equation_is_none():
    entries = {(0, 0): 1e-30, (0, 1): 1.0, (1, 0): 1.0, (1, 1): 1.0}
    rank = choose_pivots(2, {k: np.ones(1) * (k != (1, 1)) for k in entries})
    elimination = SparseElimination(entries, ((0, 0), (1, 1)), rank)
    elimination.determinant = "changes in the run"
    right = [1.0, 2.0]
    found = elimination.checked(right, elimination.solve(right))
    assert not np.isfinite(found).any()


@pytest.mark.parametrize("V", [10.0, 0.0])
def test_a_source_that_an_ideal_switch_shorts_is_named(V: float):
    """No state depends on the current; without voltage nothing determines it, and it is zero."""
    model = mk.Model()
    model.u, model.R, model.ground = (
        el.ConstantVoltage(V=V),
        el.Resistor(R=5.0),
        el.Ground(),
    )
    model.switch = el.IdealClosingSwitch(Ron=0.0, Goff=0.0)
    model.close = blocks.BooleanStep(startTime=0.5)
    model.close.y >> model.switch.control
    mk.connect(model.u.p, model.switch.p, model.R.p)
    mk.connect(model.u.n, model.switch.n, model.R.n, model.ground.p)
    if V:
        with pytest.warns(
            UserWarning, match=r"switch\.s.*given .*u\.v.*from t = 0\.6 s.*shorted"
        ):
            result = model.simulate(1.0, interval=0.2)
        assert np.isfinite(result["switch.i"]).tolist() == [True] * 3 + [False] * 3
    else:
        assert not model.simulate(1.0, interval=0.2)["switch.i"].any()
