"""Constraint equations: their rates by differences, their zeros by the geometry of the parts."""

from __future__ import annotations

import casadi
import numpy as np
import pytest

import motorik as mk
from motorik.compiled_model import CompiledModel
from motorik.loops.constraint_equations import ConstraintEquations, revolute_coordinates
from motorik.loops.formulate import Formulation
from tests.assembly.four_bars import four_bar
from tests.laws.linkages import LINKAGES

NO_PARAMETERS = np.zeros(0)
NAMES = ("four-bar", "slider-crank", "tilted six-bar", "floating four-bar", "RUSR", "RUPS")
names = pytest.mark.parametrize("name", NAMES)


def rows_of(name: str, strategy: str = "projected") -> tuple[CompiledModel, Formulation]:
    """Return a compiled linkage and its formulation."""
    system = LINKAGES[name](1).model().compile(strategy)
    assert not system.formulation.is_empty
    return system, system.formulation


def any_state(rows: ConstraintEquations, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return coordinates and speeds that close nothing."""
    mechanism, rng = rows.mechanism, np.random.default_rng(seed)
    return rng.uniform(-1, 1, mechanism.n_q), rng.uniform(-1, 1, mechanism.n_u)


def moved(rows: ConstraintEquations, q: np.ndarray, u: np.ndarray, h: float) -> np.ndarray:
    """Return the coordinates a little later, at constant dq/dt."""
    y_rate = casadi.Function("rate", [rows.y, rows.u], [rows.y_rate])
    rate = np.asarray(y_rate(rows.y_numbers(q), u)).ravel()[: q.size]
    return q + h * rate


@pytest.mark.kinds(4)
@names
def test_velocity_rows_are_the_rates_of_position_rows(name):
    rows = rows_of(name)[1].constraints
    q, u = any_state(rows)
    h = 1e-6
    later, earlier = (
        rows.violation(moved(rows, q, u, s * h), NO_PARAMETERS) for s in (1, -1)
    )
    found = np.asarray(rows.velocity_function(rows.y_numbers(q), u, NO_PARAMETERS)).ravel()
    np.testing.assert_allclose(found, (later - earlier) / (2 * h), rtol=0, atol=1e-9)


@pytest.mark.kinds(4)
@names
def test_velocity_rows_are_linear_in_the_speeds(name):
    rows = rows_of(name)[1].constraints
    q, u = any_state(rows)
    y = rows.y_numbers(q)
    a = np.asarray(rows.velocity_function(y, u, NO_PARAMETERS)).ravel()
    G, drift = rows.matrix(q, NO_PARAMETERS), rows.drift_function(y, NO_PARAMETERS)
    np.testing.assert_allclose(
        a, G @ u + np.asarray(drift).ravel(), rtol=0, atol=1e-14 * (1 + np.abs(a).max())
    )
    assert not np.asarray(drift).any()  # nothing here is driven by time


@pytest.mark.kinds(4)
@names
def test_the_bias_is_what_changes_at_constant_speeds(name):
    rows = rows_of(name)[1].constraints
    q, u = any_state(rows)
    h = 1e-6
    y_rate = casadi.Function("rate", [rows.y, rows.u], [rows.y_rate])
    rate = np.asarray(y_rate(rows.y_numbers(q), u)).ravel()
    ends = [rows.y_numbers(q) + s * h * rate for s in (1, -1)]
    a = [np.asarray(rows.velocity_function(y, u, NO_PARAMETERS)).ravel() for y in ends]
    bias = np.asarray(rows.bias_function(rows.y_numbers(q), u, NO_PARAMETERS)).ravel()
    np.testing.assert_allclose(bias, (a[0] - a[1]) / (2 * h), rtol=0, atol=1e-8)


@pytest.mark.kinds(4)
@names
def test_rows_vanish_where_the_linkage_is_drawn_closed(name):
    system, formulation = rows_of(name)
    values = {p.name: p.value for p in LINKAGES[name](1).pairs}
    for state, value in zip(
        system.mechanism.coordinates, formulation.samples[0], strict=True
    ):
        joint, coordinate = state.name.split(".", 1)
        if coordinate in ("phi", "s"):
            assert value == pytest.approx(values[joint], abs=1e-12)
    for q in formulation.samples:
        gaps = formulation.constraints.violation(q, NO_PARAMETERS)
        np.testing.assert_allclose(gaps, 0.0, atol=1e-10)


def test_the_sine_of_a_turn_may_be_given_apart_from_its_angle():
    rows = rows_of("four-bar")[1].constraints
    q, _ = any_state(rows)
    assert [k for k, _ in rows.revolutes] == [
        k for k, _ in revolute_coordinates(rows.mechanism)
    ]
    y = rows.y_numbers(q)
    angles = [q[k] for k, _ in rows.revolutes]
    n = q.size
    np.testing.assert_array_equal(y[n : n + len(angles)], np.sin(angles))
    np.testing.assert_array_equal(y[n + len(angles) : n + 2 * len(angles)], np.cos(angles))
    whole_turns = y.copy()
    whole_turns[:n] += 2 * np.pi  # only sines and cosines count
    g = [np.asarray(rows.position_function(z, NO_PARAMETERS)) for z in (y, whole_turns)]
    np.testing.assert_array_equal(*g)


def test_rows_across_the_plane_are_trivial():
    rows = rows_of("four-bar")[1].constraints
    units = [rows.equations[k].unit for k in rows.without_speeds]
    assert sorted(units) == ["m", "rad", "rad"]
    assert not np.any(rows.matrix(any_state(rows)[0], NO_PARAMETERS)[rows.without_speeds])


def test_rows_know_their_part_and_unit():
    rows = four_bar().compile("projected").formulation.constraints.equations
    assert {row.part for row in rows} == {"pivot"}
    assert [row.unit for row in rows] == ["m", "m", "m", "rad", "rad"]
    assert [row.number for row in rows] == [0, 1, 2, 3, 4]
    assert all(row.holonomic for row in rows)


def test_a_live_length_enters_the_rows():
    model = four_bar()
    model.base.r = (mk.Parameter(1.2, name="span"), 0, 0)
    formulation = model.compile("projected").formulation
    assert not formulation.is_empty
    q = formulation.samples[0]
    gap = [formulation.constraints.violation(q, np.array([span])) for span in (1.2, 1.3)]
    np.testing.assert_allclose(np.linalg.norm(gap[0]), 0.0, atol=1e-10)
    np.testing.assert_allclose(np.linalg.norm(gap[1]), 0.1, atol=1e-9)
