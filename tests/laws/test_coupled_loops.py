"""Laws of mechanisms of many loops: solved unit by unit, they move as dense equations say.

The recursion over compound joints, and programs whose equal parts share their code, against
M u̇ + h = Gᵀ λ, G u̇ + γ = 0 of all speeds and all constraint rows at once.
"""

from __future__ import annotations

import numpy as np
import pytest

from motorik import Model, gallery
from motorik.compiled_model import CompiledModel
from motorik.initialisation.initialise import initialise
from motorik.loops.shared_code import _LocalConstraints, local_compound_joint
from tests.covering import each_once, slow_but
from tests.laws.coupled_loops import MODELS, in_a_row, many_bars

SMALL = [name for name in MODELS if name != "many bars"]


def beginning(system: CompiledModel) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return state, motion and parameters at the start."""
    start = initialise(system, {}, system.parameter_values())
    return np.array(start.x), np.array(start.X), np.array(start.p)


def dense_rates(system: CompiledModel, X: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return u̇ of all speeds from the equations of the tree and all constraint rows."""
    n_q, n_u, t = system.n_q, system.n_u, np.zeros(1)
    q, u = X[:n_q], X[n_q : n_q + n_u]
    M = system.mass_matrix(q, p).reshape(n_u, n_u)
    h = system.inverse_dynamics(q, u, np.zeros(n_u), p)
    G = system.constraint_matrix(t, X, p).reshape(n_u, -1).T
    m = len(G)
    rates = system.full_state_rates(t, X, p)[:n_q]
    n_rows = system.equations.n_multipliers

    def speeds_at(step: float) -> np.ndarray:
        moved = np.concatenate([q + step * rates, X[n_q:]])
        return system.constraints(t + step, moved, p)[-n_rows:]

    eps = 1e-4
    gamma = (
        8 * (speeds_at(eps) - speeds_at(-eps)) - (speeds_at(2 * eps) - speeds_at(-2 * eps))
    ) / (12 * eps)
    K = np.block([[M, G.T], [G, np.zeros((m, m))]])
    return np.linalg.lstsq(K, np.concatenate([-h, -gamma]), rcond=1e-11)[0][:n_u]


# the recursion on every model, each other strategy on one: dense ones cost minutes to compile
DENSE = [
    *((name, "auto") for name in SMALL),
    *(("on an arm", "projected"), ("geared", "baumgarte")),
    *(("nested", "projected"), ("balls", "absolute")),
]


@pytest.mark.kinds(1)
@pytest.mark.parametrize(
    ("name", "strategy"),
    slow_but(
        DENSE, ("driven", "auto"), ("geared", "baumgarte"), ("on an arm", "projected")
    ),
)
def test_rates_are_those_of_dense_equations(name, strategy):
    system = MODELS[name]().compile(strategy)
    _, X, p = beginning(system)
    n_q, n_u = system.n_q, system.n_u
    found = system.full_state_rates(np.zeros(1), X, p)[n_q : n_q + n_u]
    expected = dense_rates(system, X, p)
    scale = np.abs(expected).max()
    np.testing.assert_allclose(found, expected, rtol=0, atol=3e-9 * scale)


FUNCTIONS = (
    "derivative",
    "full_state",
    "full_state_rates",
    "unwrapped_angles",
    "margins",
    "project",
)


@pytest.mark.kinds(1)
@pytest.mark.parametrize(
    ("name", "strategy"),
    slow_but(
        each_once(MODELS, ("auto", "projected", "baumgarte")), ("geared", "projected")
    ),
)
def test_programs_that_share_code_compute_the_same(name, strategy):
    compare_programs(MODELS[name]().compile(strategy))


def compare_programs(system: CompiledModel) -> None:
    """Compare functions as programs of shared steps with the same traced at once."""
    x, X, p = beginning(system)
    x = x + 1e-4 * np.random.default_rng(3).normal(size=x.size)
    t = np.zeros(1)
    natives = system.natives
    for function in FUNCTIONS:
        there = {
            "unwrapped_angles": system.layout.n_unwrapped > 0,
            "margins": bool(system.guarded),
            "project": system.form.needs_projection,
        }
        if not there.get(function, True) or not natives.can_roll(function):
            continue
        given = X if function == "full_state_rates" else x
        expected = np.asarray(system.function(function)(t, given, p)).ravel()
        found = natives.rolled(function)(t, given, p)
        scale = np.abs(expected).max(initial=1.0)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * scale)


GALLERY = [
    name
    for name in gallery.__all__
    if isinstance(made := getattr(gallery, name), type) and issubclass(made, Model)
]


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "strategy"), each_once(GALLERY[::2], ("auto", "projected"))
)
@pytest.mark.filterwarnings("ignore::motorik.UnusedOptionWarning")
def test_gallery_models_compute_the_same_as_programs(name, strategy):
    compare_programs(getattr(gallery, name)().compile(strategy))


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("make", [MODELS["driven"], gallery.MacPhersonAnalytic])
def test_margins_change_at_their_rates_where_time_drives(make):
    model = make()
    system = model.compile()
    h, n = 1e-4, len(system.guarded)
    run = model.simulate(0.3, output=np.array([0.2 - h, 0.2, 0.2 + h]), rtol=1e-11)
    _, _, p = beginning(system)
    before, at, after = (
        system.margins(np.array([t]), x, p)
        for t, x in zip(run.time, np.asarray(run.states), strict=True)
    )
    rates = (after[:n] - before[:n]) / (2 * h)
    assert np.abs(rates).max() > 1e-3
    np.testing.assert_allclose(at[n:], rates, rtol=0, atol=1e-5 * np.abs(rates).max())


@pytest.mark.parametrize("name", ["PlanarFourbar", "Bricard", "Fourbar1"])
def test_bias_of_shared_code_is_the_rate_at_constant_speeds(name):
    """γ = d/dt a(q(t), u), anywhere: the equations need not be satisfied."""
    system = getattr(gallery, name)().compile("projected")
    compound = max(system.form.loops.compounds, key=lambda own: len(own.with_multiplier))
    local = local_compound_joint(system.formulation, compound, ())
    assert local is not None
    chance = np.random.default_rng(1)
    q = chance.normal(size=sum(len(link.q) for link in local.links))
    u = chance.normal(size=sum(len(link.u) for link in local.links)).tolist()
    rate = np.zeros_like(q)
    for link in local.links:
        rate[link.q] = link.joint.rates(q[link.q].tolist(), [u[k] for k in link.u])

    def constraints(h: float) -> _LocalConstraints:
        return _LocalConstraints(local, tuple((q + h * rate).tolist()))

    h = 1e-6
    after, before = (np.array(constraints(own).rates(u), dtype=float) for own in (h, -h))
    bias = np.array(constraints(0.0).bias(u), dtype=float)
    assert np.abs(bias).max() > 0.1
    np.testing.assert_allclose(bias, (after - before) / (2 * h), rtol=0, atol=1e-8)


def test_a_long_row_of_loops_is_a_row_of_units():
    """Each rod couples three links; nothing is solved with more than these."""
    system = in_a_row(4).compile()
    units = system.form.loops.compounds
    assert [len(unit.links) for unit in units] == [3, 3, 3, 3, 1]
    assert [unit.base for unit in units] == [-1, 2, 5, 8, 11]


def test_a_gear_makes_one_unit_of_two_loops():
    system = MODELS["geared"]().compile()
    compound = system.form.loops.coupled
    assert len(compound) == 1 and len(compound[0].links) == 6
    assert compound[0].base == 1


@pytest.mark.slow
def test_equal_loops_share_an_order_and_their_code():
    """The code of twenty four-bars is that of one, however they differ in size."""
    shapes = []
    for count in (20, 40):
        system = many_bars(count).compile()
        assert system.is_rolled
        assert len({id(own) for own in system.form.loops.orders.values()}) <= 3
        calls = system.natives.tape("derivative").calls
        shapes.append(len({id(call.shape) for call in calls}))
    assert shapes[1] <= shapes[0]


@pytest.mark.slow
def test_what_stands_beside_changes_nothing():
    """The rates of a four-bar are the same alone, among many, and in lanes of a program."""
    alone = many_bars(1).compile()
    x, _, p = beginning(alone)
    expected = alone.derivative(np.zeros(1), x, p)
    many = many_bars(20).compile()
    x, _, p = beginning(many)
    found = many.derivative(np.zeros(1), x, p)
    names = many.state_names
    for name, value in zip(alone.state_names, expected, strict=True):
        np.testing.assert_allclose(found[names.index(name)], value, rtol=1e-12)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("name", ["on an arm", "nested", "sprung", "balls"])
def test_energy_is_kept_or_lost_in_dampers_alone(name):
    model = MODELS[name]()
    if name == "sprung":
        model.spring.d = 0.0
    energy = model.simulate(0.5, rtol=1e-10).energy()
    scale = max(np.ptp(energy["kinetic"]), np.ptp(energy["potential"]))
    assert np.ptp(energy["total"]) <= 1e-8 * scale


@pytest.mark.slow
def test_explain_names_what_is_solved_together():
    text = MODELS["nested"]().explain()
    assert "solved along the tree: 0 joints one by one, 4 compound joints" in text
    assert "bars1.pivot, bars1.foot" in text or "bars1.pivot, bars1.pin" in text
    assert "on what bars0." in text
    text = MODELS["on an arm"]().explain()
    assert "5 joints one by one, 1 compound joint" in text
    assert "on what arm_hinge2 carries" in text
