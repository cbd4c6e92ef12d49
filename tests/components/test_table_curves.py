"""Curves of tables against SciPy's interpolators and closed forms; tables over signals in runs."""

from __future__ import annotations

import gc

import casadi
import numpy as np
import pytest
from scipy.interpolate import (
    Akima1DInterpolator,
    PchipInterpolator,
    PPoly,
    RegularGridInterpolator,
)

import motorik as mk
from motorik import blocks
from motorik.compiler import compile_function
from motorik.components.base.interpolation import Curves, Surface, steffen_slopes
from motorik.nonsmooth.application.sliding_modes import convex_combinations

RNG = np.random.default_rng(7)
X = np.sort(RNG.uniform(-2.0, 3.0, 23))
Y = np.column_stack([np.cumsum(RNG.uniform(-1.0, 1.5, 23)), np.sin(3.0 * X)])
INSIDE = np.linspace(X[0], X[-1], 401)


@pytest.mark.parametrize(
    ("smoothness", "method"),
    [("ContinuousDerivative", "akima"), ("ModifiedContinuousDerivative", "makima")],
)
def test_akima_is_that_of_scipy(smoothness, method):
    found = Curves(X, Y, smoothness, "LastTwoPoints")(INSIDE)
    for own, column in zip(found, Y.T, strict=True):
        other = Akima1DInterpolator(X, column, method=method)
        np.testing.assert_allclose(own, other(INSIDE), rtol=1e-12, atol=1e-13)


def test_fritsch_and_butland_is_pchip_but_for_its_ends():
    found = Curves(X, Y, "MonotoneContinuousDerivative1", "LastTwoPoints")(INSIDE)
    inner = (X[1] <= INSIDE) & (X[-2] >= INSIDE)
    for own, column in zip(found, Y.T, strict=True):
        np.testing.assert_allclose(
            own[inner], PchipInterpolator(X, column)(INSIDE)[inner], rtol=1e-12, atol=1e-13
        )


def test_steffen_is_monotone_and_exact_on_parabolas():
    x = np.array([0.0, 1.0, 2.5, 3.0, 4.0])
    slopes = steffen_slopes(np.diff(x), np.diff(x**2) / np.diff(x))
    np.testing.assert_allclose(slopes[1:-1], 2.0 * x[1:-1], rtol=1e-14)
    (own,) = Curves(X, Y[:, :1], "MonotoneContinuousDerivative2", "LastTwoPoints")(INSIDE)
    low, high = (
        bound(Y[:-1, 0], Y[1:, 0])[np.searchsorted(X, INSIDE[:-1], side="right") - 1]
        for bound in (np.minimum, np.maximum)
    )
    assert (own[:-1] >= low - 1e-12).all() and (own[:-1] <= high + 1e-12).all()


@pytest.mark.parametrize(
    "smoothness", ["ContinuousDerivative", "MonotoneContinuousDerivative2"]
)
def test_smooth_tables_lead_on_along_their_slope(smoothness):
    curves = Curves(X, Y, smoothness, "LastTwoPoints")
    for end, way in ((X[0], -1.0), (X[-1], 1.0)):
        for k in (0, 1):
            at, near, far = (curves(end + way * h)[k] for h in (0.0, 1.0, 2.0))
            inner = curves(end - way * 1e-7)[k]
            assert far - near == pytest.approx(near - at, rel=1e-9, abs=1e-12)
            assert (at - inner) / 1e-7 == pytest.approx(near - at, rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("extrapolation", ["HoldLastPoint", "Periodic", "NoExtrapolation"])
@pytest.mark.parametrize("smoothness", ["LinearSegments", "ContinuousDerivative"])
def test_ends_hold_repeat_or_give_no_number(smoothness, extrapolation):
    curves = Curves(X, Y, smoothness, extrapolation)
    inside = Curves(X, Y, smoothness, "LastTwoPoints")
    far = np.array([X[0] - 0.7, X[-1] + 1.3])
    period = X[-1] - X[0]
    for k, own in enumerate(curves(far)):
        expected = {
            "HoldLastPoint": Y[[0, -1], k],
            "Periodic": inside(far + np.array([period, -period]))[k],
            "NoExtrapolation": [np.nan, np.nan],
        }[extrapolation]
        np.testing.assert_allclose(own, expected, rtol=1e-12)


def test_constant_segments_hold_the_row_before():
    found = Curves(X, Y, "ConstantSegments", "HoldLastPoint")(INSIDE)
    before = np.clip(np.searchsorted(X, INSIDE, side="right") - 1, 0, None)
    for own, column in zip(found, Y.T, strict=True):
        np.testing.assert_array_equal(own, column[before])


GRID_1, GRID_2 = np.array([0.0, 1.0, 1.5, 3.0, 4.0]), np.array([-1.0, 0.5, 1.0, 2.0])
Z = RNG.uniform(-1.0, 1.0, (5, 4))
POINTS = RNG.uniform([-1.0, -2.0], [5.0, 3.0], (200, 2))


def test_a_bilinear_surface_is_that_of_scipy():
    own = Surface(GRID_1, GRID_2, Z, "LinearSegments", "LastTwoPoints")(*POINTS.T)
    other = RegularGridInterpolator(
        (GRID_1, GRID_2), Z, method="linear", bounds_error=False, fill_value=None
    )
    np.testing.assert_allclose(own, other(POINTS), rtol=1e-12, atol=1e-13)
    held = Surface(GRID_1, GRID_2, Z, "LinearSegments", "HoldLastPoint")(*POINTS.T)
    clipped = np.clip(POINTS, [0.0, -1.0], [4.0, 2.0])
    np.testing.assert_allclose(held, other(clipped), rtol=1e-12, atol=1e-13)


def test_a_smooth_surface_of_sums_is_the_sum_of_smooth_curves():
    f, g = np.sin(GRID_1) * 2.0, GRID_2**3
    own = Surface(GRID_1, GRID_2, f[:, None] + g, "ContinuousDerivative", "LastTwoPoints")(
        *POINTS.T
    )
    curves = [
        Curves(grid, values[:, None], "ContinuousDerivative", "LastTwoPoints")(u)[0]
        for grid, values, u in zip((GRID_1, GRID_2), (f, g), POINTS.T, strict=True)
    ]
    np.testing.assert_allclose(own, curves[0] + curves[1], rtol=1e-11, atol=1e-12)
    product = Surface(
        GRID_1, GRID_2, np.outer(GRID_1, GRID_2), "ContinuousDerivative", "LastTwoPoints"
    )(*POINTS.T)
    np.testing.assert_allclose(product, POINTS[:, 0] * POINTS[:, 1], rtol=1e-11, atol=1e-12)


def test_a_smooth_surface_meets_its_values_and_is_smooth_across_cells():
    surface = Surface(GRID_1, GRID_2, Z, "ContinuousDerivative", "LastTwoPoints")
    grid = np.meshgrid(GRID_1, GRID_2, indexing="ij")
    np.testing.assert_allclose(surface(*grid), Z, rtol=1e-12, atol=1e-13)
    h, y = 1e-6, RNG.uniform(-1.5, 2.5, 20)
    for x in GRID_1:
        below, at, above = (surface(np.full(20, x + k * h), y) for k in (-1, 0, 1))
        np.testing.assert_allclose((at - below) / h, (above - at) / h, atol=1e-4)


def test_a_constant_surface_holds_the_corner_before():
    surface = Surface(GRID_1, GRID_2, Z, "ConstantSegments", "HoldLastPoint")
    i = np.clip(np.searchsorted(GRID_1, POINTS[:, 0], side="right") - 1, 0, None)
    j = np.clip(np.searchsorted(GRID_2, POINTS[:, 1], side="right") - 1, 0, None)
    np.testing.assert_array_equal(surface(*POINTS.T), Z[i, j])


# --- in compiled code --------------------------------------------------------------------------


def polynomial_of(x, y, smoothness="LinearSegments"):
    """Return the curve of a table as a piecewise polynomial of SciPy."""
    if smoothness == "LinearSegments":
        return PPoly(np.stack([np.diff(y) / np.diff(x), y[:-1]]), x)
    return Akima1DInterpolator(x, y)


@pytest.mark.parametrize("rows", [3, 4, 1000])
@pytest.mark.parametrize("width", [1, 4])
def test_native_code_and_its_derivatives_are_those_of_scipy(rows, width):
    """The curve, its first and its second derivative, in one lane and in four."""
    x = np.sort(RNG.uniform(0.0, 1.0, rows))
    y = np.cumsum(RNG.uniform(-0.5, 1.0, rows))
    u = casadi.SX.sym("u", 2)
    value = Curves(x, y[:, None], "ContinuousDerivative", "HoldLastPoint")(u[0] * u[1])[0]
    slope = casadi.jtimes(value, u, casadi.vertcat(1.0 / u[1], 0.0))  # dy/d(u0 u1)
    bend = casadi.gradient(slope, u)[0] / u[1]
    outputs = casadi.vertcat(value, slope, bend)
    native = compile_function(casadi.Function("curve", [u], [outputs]), width=width)
    other = polynomial_of(x, y, "ContinuousDerivative")
    samples = np.column_stack([RNG.uniform(x[0], x[-1], 40) / 2.0, np.full(40, 2.0)])
    if width == 1:
        found = native.map(samples)
    else:
        batches = samples.reshape(10, width, 2).transpose(0, 2, 1)
        found = np.concatenate([native(own).reshape(3, width).T for own in batches])
    at = samples[:, 0] * samples[:, 1]
    for k, own in enumerate(found.T):
        expected = other(at, k)
        np.testing.assert_allclose(
            own, expected, rtol=1e-9, atol=1e-9 * abs(expected).max()
        )


def test_code_does_not_grow_with_the_rows():
    def instructions(rows):
        t = np.linspace(0.0, 1.0, rows)
        own = model_of(blocks.TimeTable(table=np.column_stack([t, np.sin(9.0 * t)])))
        return own.compile().derivative.n_instructions

    assert instructions(50) == instructions(5000)


def model_of(block, *inputs):
    """Return a model of a block between inputs and an integrator of its first output."""
    model = mk.Model()
    model.block, model.sum = block, blocks.Integrator()
    for k, (source, port) in enumerate(inputs):
        setattr(model, f"source{k}", source)
        model.connect(getattr(model, f"source{k}").y, getattr(block, port))
    y = block.y
    model.connect(y[0] if y.size > 1 else y, model.sum.u)
    return model


def test_a_long_table_of_time_is_integrated_exactly():
    """Steps end at each row: its integral is that of trapezia."""
    t = np.cumsum(RNG.uniform(0.001, 0.02, 600))
    y = RNG.uniform(-1.0, 1.0, 600)
    table = blocks.TimeTable(table=np.column_stack([t - t[0], y]))
    result = model_of(table).simulate(float(t[-1] - t[0]), rtol=1e-4, progress=False)
    assert result["sum.y"][-1] == pytest.approx(np.trapezoid(y, t), abs=1e-13)


def test_time_is_scaled_shifted_and_begins_at_its_start():
    table = blocks.CombiTimeTable(
        table=((0.0, 1.0), (1.0, 3.0)),
        timeScale=2.0,
        shiftTime=0.5,
        startTime=1.0,
        offset=0.25,
        smoothness="ConstantSegments",
        extrapolation="HoldLastPoint",
    )
    model = mk.Model()
    model.table = table
    result = model.simulate(4.0, output=[0.0, 0.9, 1.1, 2.4, 2.6, 4.0], progress=False)
    np.testing.assert_allclose(result["table.y"], [0.25, 0.25, 1.25, 1.25, 3.25, 3.25])


SPRING = ((-2.0, -9.0), (-1.0, -2.0), (-0.3, 0.0), (0.4, 0.5), (1.0, 3.0), (2.0, 5.0))
WAVES = ((-2.0, 0.0), (-1.0, -2.0), (-0.3, 0.0), (0.4, 0.5), (1.0, 3.0), (2.0, 0.0))


def test_each_column_has_its_own_offset():
    model = mk.Model()
    shift = mk.Parameter(0.5, name="shift")
    model.table = blocks.CombiTimeTable(table=((0, 1, 2), (1, 3, 4)), offset=(10.0, shift))
    result = model.simulate(1.0, output=2, parameters={"shift": 0.25}, progress=False)
    expected = [(11.0, 2.25), (12.0, 3.25), (13.0, 4.25)]
    np.testing.assert_allclose(result["table.y"], expected)


@pytest.mark.parametrize(
    ("rows", "extrapolation", "v", "reached"),
    [(SPRING, "LastTwoPoints", 0.0, -0.5), (WAVES, "Periodic", -4.0, -10.0)],
)
def test_kinks_over_a_signal_are_state_events(rows, extrapolation, v, reached):
    """The energy of a mass on a spring with the law of a table is constant."""
    model = mk.Model()
    model.mass = mk.translational.Mass(m=1.0, s=1.5, v=v)
    model.force, model.sensor = mk.translational.Force(), mk.translational.PositionSensor()
    model.gain = blocks.Gain(k=-1.0)
    model.law = blocks.CombiTable1Ds(table=rows, extrapolation=extrapolation)
    model.connect(model.force.flange, model.mass.flange_a)
    model.connect(model.sensor.flange, model.mass.flange_a)
    model.connect(model.sensor.s, model.law.u)
    model.connect(model.law.y, model.gain.u)
    model.connect(model.gain.y, model.force.f)
    result = model.simulate(6.0, rtol=1e-10, progress=False)
    own = np.array(rows)
    if extrapolation == "Periodic":
        own = np.vstack([own[:-1] + np.array([4.0 * k, 0.0]) for k in range(-9, 2)])
    potential = polynomial_of(*own.T).antiderivative()
    s, v = np.asarray(result["mass.s"]), np.asarray(result["mass.v"])
    energy = 0.5 * v**2 + potential(s)
    assert s.min() < reached
    np.testing.assert_allclose(energy, energy[0], rtol=1e-8)


def test_a_dense_table_over_a_signal_costs_two_event_functions():
    u = np.linspace(-2.0, 2.0, 2001)
    table = blocks.CombiTable1Ds(table=np.column_stack([u, np.abs(np.sin(3.0 * u))]))
    model = model_of(table, (blocks.Sine(amplitude=1.5, f=0.5), "u"))
    model.state = blocks.FirstOrder(T=0.1)
    model.connect(model.source0.y, model.state.u)
    second = blocks.CombiTable1Ds(table=np.column_stack([u, u**2]))
    model.second = second
    model.connect(model.state.y, second.u)
    model.total = blocks.Integrator()
    model.connect(second.y, model.total.u)
    system = model.compile()
    conditions = system.equations.function("law_conditions")
    assert conditions.numel_out(0) == 2 * 3  # values, rates, kinds
    result = model.simulate(1.0, rtol=1e-6, progress=False)
    assert result.complete


def test_a_motion_along_a_smooth_table_is_differentiated_exactly():
    t = np.linspace(0.0, 2.0, 41)
    model = mk.Model()
    model.table = blocks.CombiTimeTable(
        table=np.column_stack([t, np.sin(t)]), smoothness="ContinuousDerivative"
    )
    model.drive = mk.rotational.Position(exact=True)
    model.inertia = mk.rotational.Inertia(J=2.0)
    model.connect(model.table.y, model.drive.phi_ref)
    model.connect(model.drive.flange, model.inertia.flange_a)
    times = np.array([0.11, 0.52, 1.234, 1.97])
    result = model.simulate(2.0, output=times, progress=False)
    other = Akima1DInterpolator(t, np.sin(t))
    for name, order in (("phi", 0), ("w", 1), ("a", 2)):
        own = result[f"inertia.{name}"]
        np.testing.assert_allclose(own, other(times, order), rtol=1e-9, atol=1e-9)


def test_a_run_that_leaves_a_table_ends_and_names_it():
    table = blocks.CombiTable1Ds(
        table=((0.0, 0.0), (1.0, 2.0)), extrapolation="NoExtrapolation"
    )
    model = model_of(table, (blocks.Ramp(height=2.0, duration=1.0), "u"))
    with pytest.warns(mk.IncompleteRunWarning, match="block"):
        result = model.simulate(1.0, progress=False)
    assert result.time[-1] == pytest.approx(0.5, abs=1e-6)
    assert result["sum.y"][-1] == pytest.approx(0.5, abs=1e-6)


def test_pairs_of_signals_read_one_surface():
    rows = ((0.0, 0.0, 2.0), (0.0, 1.0, 0.0), (1.0, 0.0, 3.0))
    model = mk.Model()
    model.pair = blocks.CombiTable2Dv(table=rows, n=2)
    model.one, model.two = blocks.Constant(k=0.5), blocks.Constant(k=1.5)
    for port in (model.pair.u1[0], model.pair.u2[1]):
        model.connect(model.one.y, port)
    for port in (model.pair.u1[1], model.pair.u2[0]):
        model.connect(model.two.y, port)
    found = model.simulate(0.1, progress=False)
    other = RegularGridInterpolator(
        ((0.0, 1.0), (0.0, 2.0)),
        np.array(rows)[1:, 1:],
        bounds_error=False,
        fill_value=None,
    )
    for k, point in enumerate(((0.5, 1.5), (1.5, 0.5))):
        assert found[f"pair.y[{k + 1}]"][0] == pytest.approx(float(other(point)))


def test_a_table_in_an_algebraic_loop_is_solved():
    """m a = F(t) − k(a): k is a cubic, as a table of so many rows that it is the cubic."""
    u = np.linspace(-4.0, 4.0, 401)
    model = mk.Model()
    model.mass = mk.translational.Mass(m=1.0, s=0.0, v=0.0)
    model.sensor, model.force = mk.translational.AccSensor(), mk.translational.Force()
    model.law = blocks.CombiTable1Ds(
        table=np.column_stack([u, u + 0.1 * u**3]), smoothness="ContinuousDerivative"
    )
    model.drive, model.sum = blocks.Constant(k=3.0), blocks.Feedback()
    model.connect(model.sensor.flange, model.mass.flange_a, model.force.flange)
    model.connect(model.sensor.a, model.law.u)
    model.connect(model.drive.y, model.sum.u1)
    model.connect(model.law.y, model.sum.u2)
    model.connect(model.sum.y, model.force.f)
    a = float(model.simulate(0.01, progress=False)["mass.a"][0])
    assert 2.0 * a + 0.1 * a**3 == pytest.approx(3.0, rel=1e-6)


def test_sliding_modes_combine_the_arguments_of_tables():
    curves = Curves(X, Y, "ContinuousDerivative", "LastTwoPoints")
    u, share = casadi.SX.sym("u", 2), casadi.SX.sym("share")
    values = curves(mk.where(u[0] < 0.0, u[1], 2.0 * u[1]))
    mixed = convex_combinations(values, {str(u[0]): (1.0, share, 1.0)})
    function = casadi.Function("mixed", [u, share], [casadi.vertcat(*mixed)])
    for own in (-1.0, 0.3, 1.0):
        expected = curves(0.5 * (1.0 + own) * 0.4 + 0.5 * (1.0 - own) * 0.8)
        np.testing.assert_allclose(function([1.0, 0.4], own).full().ravel(), expected)


def test_code_on_disk_reads_the_table_that_it_is_loaded_with(tmp_path, monkeypatch):
    """Two tables of equal size, compiled, forgotten and loaded again."""
    monkeypatch.setenv("MOTORIK_CACHE_DIR", str(tmp_path))
    u = casadi.SX.sym("u")
    for _ in range(2):
        for factor in (1.0, 2.0):
            value = Curves(X, factor * Y, "LinearSegments", "LastTwoPoints")(u)[0]
            native = compile_function(casadi.Function("curve", [u], [value]))
            expected = factor * np.interp(INSIDE, X, Y[:, 0])
            np.testing.assert_allclose(
                native.map(INSIDE[:, None])[:, 0], expected, atol=1e-13
            )
            del native
    assert len(list(tmp_path.glob("*.object"))) == 2


def test_a_table_is_found_again_in_the_function_that_holds_it():
    """Graphs outlive the objects of their tables."""
    curves = Curves(X, Y, "ContinuousDerivative", "HoldLastPoint")
    u = casadi.SX.sym("u")
    function = casadi.Function("curve", [u], [casadi.vertcat(*curves(u))])
    expected = np.stack(curves(INSIDE), axis=1)
    del curves
    gc.collect()
    native = compile_function(function, cache=False)
    np.testing.assert_allclose(
        native.map(INSIDE[:, None]), expected, rtol=1e-13, atol=1e-13
    )


@pytest.mark.slow
def test_code_of_several_modules_reads_one_table():
    """Five thousand operations in four lanes, of which each module reads the same data."""
    curves = Curves(X, Y, "ContinuousDerivative", "HoldLastPoint")
    u = casadi.SX.sym("u", 150)
    values = casadi.vertsplit(u)
    for k in (0, 1):
        near = zip(values, values[1:] + values[:1], strict=True)
        values = [a * casadi.sin(b) + curves(a * b)[k] for a, b in near]
    function = casadi.Function("long", [u], [casadi.vertcat(*values)])
    samples = RNG.uniform(0.0, 1.0, (150, 4))
    found = compile_function(function, width=4)(samples).reshape(150, 4)
    np.testing.assert_allclose(found, function(samples).full(), rtol=1e-9, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 50])
def test_code_of_few_and_of_many_links_reads_tables(count):
    """From 48 speeds on, equal steps share code; a constant of the same torque is the other way."""
    table = blocks.CombiTable1Ds(table=np.column_stack([X, Y[:, 0]]))
    constant = blocks.Constant(k=float(np.interp(0.1, X, Y[:, 0])))
    assert first_acceleration(count, table) == pytest.approx(
        first_acceleration(count, constant), rel=1e-9
    )


def first_acceleration(count, source):
    """Return that of the first link of a chain, on which the torque of a block acts."""
    model = mk.Model()
    model.world = mk.World()
    end = model.world.frame_b
    for k in range(count):
        joint = mk.Revolute(phi=0.1, useAxisFlange=k == 0)
        body = mk.BodyShape(r=(0.1, 0.0, 0.0), m=1.0)
        setattr(model, f"joint{k}", joint)
        setattr(model, f"body{k}", body)
        model.connect(end, joint.frame_a)
        model.connect(joint.frame_b, body.frame_a)
        end = body.frame_b
    model.source = source
    model.sensor, model.torque = mk.rotational.AngleSensor(), mk.rotational.Torque()
    model.connect(model.sensor.flange, model.joint0.axis, model.torque.flange)
    if source.inputs():
        model.connect(model.sensor.phi, model.source.u)
    model.connect(model.source.y, model.torque.tau)
    return float(model.simulate(1e-5, output=2, progress=False)["joint0.a"][0])


@pytest.mark.parametrize("rows", [5, 30])
def test_friction_of_a_long_table_is_that_of_a_short_one(rows):
    """Rows along two straight lines: as many as there are, the friction is the same."""
    w = np.unique(np.concatenate([np.linspace(0.0, 20.0, rows), [5.0]]))
    tau = np.interp(w, [0.0, 5.0, 20.0], [0.5, 0.3, 0.9])
    model = mk.Model()
    model.brake = mk.rotational.BearingFriction(tau_pos=np.column_stack([w, tau]))
    model.wheel = mk.rotational.Inertia(J=1.0, phi=0.0, w=11.0)
    model.connect(model.brake.flange_b, model.wheel.flange_a)
    result = model.simulate(20.0, rtol=1e-9, progress=False)
    np.testing.assert_allclose(
        -result["wheel.a"][:100], np.interp(result["wheel.w"][:100], w, tau), rtol=1e-9
    )


def test_a_long_table_is_shown_by_its_ends():
    rows = [(float(k), 0.5) for k in range(1000)]
    assert "(1.0, 0.5), … 997 rows …, (999.0, 0.5))" in repr(blocks.TimeTable(table=rows))
    assert "((0.0, 0.5), (1.0, 0.5))" in repr(blocks.TimeTable(table=rows[:2]))


# --- files and mistakes ------------------------------------------------------------------------


def test_tables_are_read_from_text_files_of_modelica(tmp_path):
    file = tmp_path / "tables.txt"
    file.write_text(
        "#1\n# several\ndouble one(2,2)  # comment\n0 1\n1, 2\n"
        "float two(2,3)\n0 1 2.5e0 3\n4 5\n"
    )
    np.testing.assert_array_equal(blocks.read_table(file, "one"), [(0, 1), (1, 2)])
    np.testing.assert_array_equal(blocks.read_table(file, "two"), [(0, 1, 2.5), (3, 4, 5)])
    with pytest.raises(mk.ParameterError, match="one, two"):
        blocks.read_table(file)
    with pytest.raises(mk.ParameterError, match="'three' is not among them"):
        blocks.read_table(file, "three")
    file.write_text("#1\ndouble short(3,2)\n0 1 2 3\n")
    with pytest.raises(mk.FileFormatError, match="4 numbers, not 3 × 2"):
        blocks.read_table(file)


@pytest.mark.parametrize(
    "text",
    ["t, y\n0, 1\n# c\n1.5, 2\n", "0;1\n1,5;2\n", "0 1\n1.5\t2\n", "\ufeff0,1\n1.5,2"],
)
def test_tables_are_read_from_csv(tmp_path, text):
    file = tmp_path / "table.csv"
    file.write_text(text, encoding="utf-8")
    np.testing.assert_array_equal(blocks.read_table(file), [(0.0, 1.0), (1.5, 2.0)])


@pytest.mark.parametrize("text", ["0,1\n2\n", "0,1\nx,2\n", "t,y\n", ""])
def test_files_that_are_no_tables_are_refused_by_line(tmp_path, text):
    file = tmp_path / "table.csv"
    file.write_text(text)
    with pytest.raises(mk.FileFormatError, match="line"):
        blocks.read_table(file)
    with pytest.raises(mk.FileFormatError, match="cannot be read"):
        blocks.read_table(tmp_path / "none.csv")


MISTAKES = [
    (lambda: blocks.TimeTable(table=((0, 1), (2, 3), (1, 4))), "times fall: 1 follows 2"),
    (lambda: blocks.TimeTable(table=((0, 1, 2), (2, 3, 4))), "3 columns, not 2"),
    (lambda: blocks.TimeTable(table=((0, 1), (2, np.nan))), "row 2, column 2 is nan"),
    (lambda: blocks.CombiTable1Ds(table=((0, 1), (0, 3))), "u does not rise: 0 follows 0"),
    (lambda: blocks.CombiTable1Ds(table=((0,), (1,))), "no values beside u"),
    (lambda: blocks.CombiTable1Dv(columns=(4,)), "no column 4"),
    (lambda: blocks.CombiTable2Ds(table=((0, 1, 1), (0, 1, 2), (1, 1, 2))), "u2 does not rise"),
    (lambda: blocks.CombiTable2Ds(table=((0, 0, 1), (0, 1, 2))), "less than two places along u1"),
    (lambda: blocks.CombiTable2Ds(smoothness="MonotoneContinuousDerivative1"), "two signals"),
    (lambda: blocks.CombiTimeTable(table=((0, 1), (1, 2), (1, 3)),
                                   smoothness="ContinuousDerivative"), "a step at 1, in row 3"),
    (lambda: blocks.CombiTimeTable(table=((0, 1),), extrapolation="Periodic"),
     "cannot be repeated"),
    (lambda: blocks.CombiTimeTable(smoothness="Spline"), "smoothness"),
    (lambda: blocks.CombiTimeTable(timeScale=0.0), "timeScale"),
    (lambda: blocks.CombiTimeTable(offset=(1.0, 2.0)), "2 numbers, and y 1"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "message"), MISTAKES, ids=[m for _, m in MISTAKES])
def test_tables_that_are_none_are_refused(make, message):
    with pytest.raises(mk.ParameterError, match=message) as caught:
        model = mk.Model()
        model.block = make()
        model.compile()
    assert caught.value.remedy and caught.value.parameter
    assert len(str(caught.value)) < 400
