"""Gradients by the adjoint against forward sensitivities, closed forms, differences, CasADi."""

from __future__ import annotations

import math
import pickle

import casadi
import numpy as np
import pytest

import motorik as mk
from motorik import Parameter, electrical
from motorik import translational as tr
from motorik.compiler.kernels import native
from motorik.errors import (
    FileFormatError,
    ParameterError,
    SimulationError,
    UnknownNameError,
)
from motorik.gallery import PlanarFourbar, SliderCrank
from motorik.sensitivity.adjoint_code import KEPT
from motorik.sensitivity.kept_motion import chebyshev_points, read_motion
from tests.components.test_electrical import ring
from tests.refusals import refused
from tests.sensitivity.test_sensitivities import (
    CASES,
    Bouncing,
    Fourbar,
    Jumping,
    Kicked,
    Line,
    Rubbing,
    Stepped,
    Swinging,
)
from tests.simulation.test_control_loop import TORQUES, arm


def rectifier() -> mk.Model:
    """Return a circuit whose equations are solved by iteration."""
    return ring(
        *("u", "R", "D", "C"), u=electrical.SineVoltage(V=Parameter(10.0), f=5.0),
        R=electrical.Resistor(R=Parameter(2.0)), D=electrical.Diode(),
        C=electrical.Capacitor(C=Parameter(0.01), v=1.0),
    )  # fmt: skip


# make, by, outputs, end, strategy, method
KINDS = {
    **{name: (*case, None, "dop853") for name, case in CASES.items()},
    "network": (rectifier, ("u.V", "R.R", "C.C"), ("C.v", "C.i"), 0.3, None, "dop853"),
    "projected loop": (
        SliderCrank,
        ("bearing.phi", "bearing.w"),
        ("rail.s", "rail.a"),
        0.5,
        "projected",
        "dopri5",
    ),
    "lengths of a projected loop": (
        Fourbar,
        ("crank.r[1]", "bodies[2].m"),
        ("pins[2].phi", "pins[1].w"),
        0.5,
        "projected",
        "dop853",
    ),
    "stiff method": (Swinging, ("spring.c", "mass.m"), ("mass.a",), 1.0, None, "radau"),
}


@pytest.mark.parametrize("case", KINDS)
def test_they_are_forward_sensitivities_contracted(case):
    make, by, names, stop, strategy, method = KINDS[case]
    model, options = make(), {"output": 3, "strategy": strategy, "method": method}
    options |= {"rtol": 1e-10}
    found = model.sensitivities(stop, by, **options)
    run = model.differentiable_run(stop, by, names, **options)
    y, back = run.pull_back(run.start)
    values = [found.value(name).reshape(4, -1) for name in names]
    near = 1e-7 * max(1.0, np.abs(y).max())
    np.testing.assert_allclose(y, np.concatenate(values, axis=1), rtol=0, atol=near)
    w = np.random.default_rng(1).standard_normal(y.shape)
    J = np.concatenate([found[name].reshape(4, -1, len(by)) for name in names], axis=1)
    size = np.abs(J).max(axis=(0, 1))
    np.testing.assert_allclose(
        back(w) / size, np.einsum("ij,ijk->k", w, J) / size, atol=2e-7
    )


def test_a_vibration_has_closed_forms_over_many_blocks_of_steps():
    c, m, T, x0, v0 = 400.0, 1.0, 40.0, 1.0, 3.0
    model = mk.Model()
    model.wall, model.mass = tr.Fixed(), tr.Mass(m=Parameter(m), s=x0, v=v0)
    model.spring = tr.Spring(c=Parameter(c))
    model.wall.flange >> model.spring.flange_a
    model.spring.flange_b >> model.mass.flange_a
    by = ["mass.s", "mass.v", "spring.c", "mass.m"]
    found = model.gradient(
        T, by, end="mass.s", integral=lambda motion: motion["mass.s"] ** 2, rtol=1e-11
    )

    def objective(x0, v0, c, m):
        w = np.sqrt(c / m)
        a, b = x0, v0 / w
        area = a * a * (T / 2 + np.sin(2 * w * T) / (4 * w))
        area += (
            b * b * (T / 2 - np.sin(2 * w * T) / (4 * w)) + a * b / w * np.sin(w * T) ** 2
        )
        return a * np.cos(w * T) + b * np.sin(w * T) + area

    given = np.array([x0, v0, c, m], dtype=complex)
    steps = 1e-30j * np.eye(4)  # derivatives of the formula to rounding
    expected = [objective(*(given + step)).imag / 1e-30 for step in steps]
    assert found.value == pytest.approx(objective(x0, v0, c, m), rel=1e-9)
    np.testing.assert_allclose(found.derivatives, expected, rtol=1e-7)
    assert (
        found.units == ("m", "m/s", "N/m", "kg") and found["mass.m"] == found.derivatives[3]
    )
    assert "spring.c" in repr(found) and "per N/m" in repr(found)
    steps = model.simulate(T, method="dop853", rtol=1e-11, output=1).info.steps
    assert steps > 2 * KEPT


def test_the_adjoint_of_a_motion_at_rest_has_steps_of_its_own():
    found = Swinging().gradient(
        30.0, ["mass.s", "mass.v"], end="mass.s", initial={"mass.s": 0.0, "mass.v": 0.0}
    )
    damping = 0.15
    w = np.sqrt(20.0 - damping**2)
    fade = np.exp(-damping * 30.0)
    by_v = fade * np.sin(w * 30.0) / w
    by_s = fade * np.cos(w * 30.0) + damping * by_v
    np.testing.assert_allclose(found.derivatives, [by_s, by_v], rtol=1e-5)


INTEGRALS = {
    "impacts": (
        Bouncing,
        ("stop.restitution", "mass.s"),
        lambda motion: motion["mass.v"] ** 2 + motion["mass.a"] * motion["mass.s"],
        1.7,
    ),
    "time of a step": (
        Stepped,
        ("step.startTime", "step.height"),
        lambda motion: 3.0 * motion["force.f"] + motion["mass.s"],
        1.0,
    ),
    "reset": (Kicked, ("spring.c", "mass.s"), lambda motion: motion["mass.v"], 1.5),
    "jump of a law": (Jumping, ("spring.c",), lambda motion: motion["mass.a"] ** 2, 1.5),
    "friction": (
        Rubbing,
        ("mass.m", "sine.amplitude"),
        lambda motion: motion["pad.flange_a.f"] * motion["mass.v"],
        3.0,
    ),
}


@pytest.mark.parametrize("case", INTEGRALS)
def test_integrals_through_events_are_differences_of_integrals(case):
    make, by, integral, stop = INTEGRALS[case]
    model = make()
    found = model.gradient(stop, by, integral=integral, rtol=1e-10)
    live = model.compile().layout.live_names
    for k, name in enumerate(by):
        h, total = 1e-3 * max(1.0, abs(found.values[k])), 0.0
        place = "parameters" if name in live else "initial"
        for far, weight in ((1, 8.0), (-1, -8.0), (2, -1.0), (-2, 1.0)):
            given = {place: {name: float(found.values[k]) + far * h}}
            own = model.gradient(stop, by[0], integral=integral, rtol=1e-12, **given)
            total += weight * own.value / (12.0 * h)
        assert found[name] == pytest.approx(total, rel=2e-6, abs=1e-8)


def test_a_sum_of_squares_is_that_of_a_fit():
    model, by = Swinging(), ["spring.c", "spring.d", "mass.s"]
    times = np.linspace(0.1, 1.9, 20)
    measured = np.sin(times)
    measured[3] = np.nan
    data = {"time": times, "mass.s": measured, "mass.v": np.cos(times)}
    noise = {"mass.s": 0.1, "mass.v": 0.3}
    found = model.gradient(2.0, by, data=data, noise=noise)
    forward = model.sensitivities(2.0, by, output=times)
    value, expected = 0.0, np.zeros(3)
    for name, deviation in noise.items():
        left = (forward.value(name) - data[name]) / deviation
        known = np.isfinite(left)
        value += (left[known] ** 2).sum()
        expected += 2.0 / deviation * left[known] @ forward[name][known]
    assert found.value == pytest.approx(value, rel=1e-7)
    np.testing.assert_allclose(found.derivatives, expected, rtol=1e-6)
    plain = model.gradient(2.0, by, data=data)
    target = 3.0

    def away(motion):
        return (motion["mass.v"] - target) ** 2

    first = model.gradient(2.0, by, end=away)
    target = 5.0  # what the function reads is read again
    second = model.gradient(2.0, by, end=away)
    assert first.value - second.value == pytest.approx(
        (model.gradient(2.0, by, end="mass.v").value - 4.0) * 4.0
    )
    both = model.gradient(2.0, by, data=data, end="mass.v")
    alone = model.gradient(2.0, by, end="mass.v")
    np.testing.assert_allclose(
        both.derivatives, plain.derivatives + alone.derivatives, rtol=1e-6
    )


def test_casadi_integrates_the_exported_equations_backward_to_the_same():
    own = arm().to_casadi(inputs=TORQUES, outputs=["link3.frame_b.r_0[1]", "hinge2.w"])
    x, u = casadi.SX.sym("x", 6), casadi.SX.sym("u", 3)
    height, speed = casadi.vertsplit(own.output(0.0, x, u))
    equations = {"x": x, "p": u, "ode": own.derivative(0.0, x, u), "quad": speed**2}
    options = {"reltol": 1e-11, "abstol": 1e-12}
    run = casadi.integrator("end", "cvodes", equations, 0.0, 0.3, options)
    start, torque = casadi.MX.sym("x", 6), casadi.MX.sym("u", 3)
    last = run(x0=start, p=torque)
    at_end = casadi.Function("height", [x, u], [height])(last["xf"], torque)
    by = casadi.vertcat(torque, start)
    slopes = casadi.Function(
        "f", [start, torque], [casadi.gradient(at_end + last["qf"], by)]
    )
    expected = np.array(slopes(own.start, np.zeros(3))).ravel()
    found = arm().gradient(
        0.3,
        [*TORQUES, *own.states],
        end="link3.frame_b.r_0[1]",
        integral=lambda motion: motion["hinge2.w"] ** 2,
        rtol=1e-10,
    )
    near = 1e-7 * np.abs(expected).max()
    np.testing.assert_allclose(found.derivatives, expected, rtol=0, atol=near)


def test_a_motion_that_is_kept_is_its_polynomials():
    rng, n, points, steps, capacity = np.random.default_rng(2), 3, 6, 4, 7
    nodes, weights = chebyshev_points(points)
    times = np.cumsum(rng.uniform(0.1, 1.0, steps + 1))
    polynomials = rng.standard_normal((steps, n, points))
    rows = np.zeros((capacity, points * n + 2))
    for row, own in zip(rows, polynomials, strict=False):
        row[: points * n] = np.array([np.polyval(c, nodes) for c in own]).T.ravel()
    rows[:, -2:] = np.arange(2 * capacity).reshape(capacity, 2)
    p = np.array([1.0, 2.0, 3.0, 4.0])
    room = np.concatenate([times, np.zeros(capacity - steps)])
    kept = np.concatenate([p, [steps], nodes, weights, room, rows.ravel()])
    code = native(read_motion)
    inside = times[:-1] + rng.uniform(0.0, 1.0, steps) * np.diff(times)
    for k, t in [*enumerate(inside), (0, times[0]), (2, times[2]), (steps - 1, times[-1])]:
        theta = (t - times[k]) / (times[k + 1] - times[k])
        expected = [np.polyval(c, theta) for c in polynomials[k]]
        for read in (read_motion, code):
            x, found = np.zeros(n), np.zeros(4)
            read(n, 4, 2, 1, points, capacity, t, kept, x, found)
            np.testing.assert_allclose(x, expected, rtol=0, atol=1e-13)
            np.testing.assert_array_equal(found, [1.0, 2.0 * k, 2.0 * k + 1.0, 4.0])


def test_a_run_is_a_function_of_rows_of_values():
    run = arm().differentiable_run(
        0.2, ("link3.m", "hinge1.w"), ["hinge3.a", "link3.frame_b.r_0"], output=2
    )
    assert run.by == ("link3.m", "hinge1.w") and run.by_units == ("kg", "rad/s")
    assert run.outputs[:2] == ("hinge3.a", "link3.frame_b.r_0[1]")
    assert run.time.tolist() == [0.0, 0.1, 0.2] and "hinge3.a [rad/s2]" in repr(run)
    many = run(np.array([run.start, [2.0, 1.0]]))
    assert many.shape == (2, 3, 4)
    result = arm().simulate(
        0.2,
        method="dop853",
        rtol=1e-10,
        output=2,
        parameters={"link3.m": 2.0},
        initial={"hinge1.w": 1.0},
    )
    np.testing.assert_allclose(many[1, :, 0], result["hinge3.a"], rtol=0, atol=1e-6)


class Twice(mk.Model):
    """Two equal masses that fall on their stops at the same time."""

    def build(self) -> None:
        self.one, self.two = Bouncing(), Bouncing()


def test_what_has_no_gradient_is_refused():
    swing = Swinging()
    with refused(ParameterError, "objective", "integral"):
        swing.gradient(1.0, "spring.c")
    with refused(ParameterError, "3 numbers", "link3.frame_b.r_0[1]"):
        arm().gradient(0.1, TORQUES, end="link3.frame_b.r_0")
    with refused(ParameterError, "integral(motion)", "one finite number"):
        swing.gradient(1.0, "spring.c", integral=lambda m: (m["mass.s"], m["mass.v"]))
    with refused(ParameterError, "end(motion)", "Write sin of motorik.functions"):
        swing.gradient(1.0, "spring.c", end=lambda motion: math.sin(motion["mass.s"]))
    with refused(UnknownNameError, "mass", "no variable 'x'"):
        swing.gradient(1.0, "spring.c", end="mass.x")
    with refused(UnknownNameError, "spring.k", "spring.c"):
        swing.gradient(1.0, "spring.k", end="mass.s")
    with refused(ParameterError, "data", "2 s"):
        swing.gradient(1.0, "spring.c", data={"time": [0.5, 2.0], "mass.s": [0.0, 1.0]})
    with refused(SimulationError, "reactions of loops"):
        PlanarFourbar().gradient(0.1, "revolute1.w", end="revolute1.frame_b.f[1]")
    with refused(SimulationError, "several things happen at once", "one.stop"):
        Twice().gradient(1.0, "one.mass.s", end="one.mass.v")
    run = swing.differentiable_run(1.0, ["spring.c", "mass.s"], "mass.v", output=2)
    with refused(ParameterError, "values", "spring.c, mass.s"):
        run([1.0])
    with refused(SimulationError, "output", "steps"):
        swing.differentiable_run(1.0, "spring.c", "mass.v", output="steps")
    with refused(ParameterError, "spring: c", "nan"):
        run([np.nan, 1.0])
    with refused(ParameterError, "w", "(3, 1)"):
        run.pull_back(run.start)[1](np.ones(3))


def test_what_holds_machine_code_is_not_pickled_and_gradients_are():
    swing = Swinging()
    run = swing.differentiable_run(1.0, "spring.c", "mass.v", output=2)
    for own in (run, swing.sensitivities(1.0, "spring.c", output=2), swing.to_casadi()):
        with refused(FileFormatError, "machine code"):
            pickle.dumps(own)
    found = swing.gradient(1.0, "spring.c", end="mass.v")
    assert pickle.loads(pickle.dumps(found))["spring.c"] == found["spring.c"]


def test_a_run_has_a_gradient_up_to_where_it_has_none():
    with pytest.raises(SimulationError) as caught:
        Twice().gradient(1.0, "one.mass.v", end="one.mass.v")
    impact = (0.2 + np.sqrt(0.2**2 + 2 * 9.81)) / 9.81
    assert caught.value.value == pytest.approx(impact, rel=1e-6)
    before = Twice().gradient(caught.value.value - 1e-6, "one.mass.v", end="one.mass.v")
    assert before.value == pytest.approx(0.2 - 9.81 * impact, rel=1e-4)
    assert before["one.mass.v"] == pytest.approx(1.0, rel=1e-6)


class Held(Line):
    """A mass on which nothing acts."""

    def build(self) -> None:
        super().build()
        self.spring = tr.Spring(c=Parameter(3.0))
        self.wall.flange >> self.spring.flange_a
        self.spring.flange_b >> self.mass.flange_a


def test_an_objective_without_influence_has_no_gradient_but_zero():
    found = Held().gradient(
        1.0, ["mass.m", "mass.s"], end=lambda motion: 0.0 * motion["mass.s"]
    )
    assert found.derivatives.tolist() == [0.0, 0.0]
