"""Equations as functions of CasADi, JAX and PyTorch: values, derivatives, runs."""

from __future__ import annotations

import sys
from contextlib import contextmanager

import numpy as np
import pytest

from motorik.errors import MotorikError, SimulationError, UnknownNameError
from motorik.gallery import PlanarFourbar
from tests.refusals import refused
from tests.simulation.test_control_loop import TORQUES, arm

OUTPUTS = ("hinge3.a", "link3.frame_b.r_0")


def test_the_functions_have_names_and_are_the_model():
    own = arm().to_casadi(inputs=TORQUES, outputs=OUTPUTS)
    assert own.states[:2] == ("hinge1.phi", "hinge2.phi") and own.state_units[0] == "rad"
    assert own.inputs == TORQUES and own.input_units == ("N.m",) * 3
    assert own.outputs[1:] == tuple(f"link3.frame_b.r_0[{k}]" for k in (1, 2, 3))
    torques = [0.3, -0.2, 0.1]
    sim = arm().simulator(parameters=dict(zip(TORQUES, torques, strict=True)))
    dx = own.derivative(t=0.0, x=own.start, u=torques)["dx"]
    accelerations = [sim[f"hinge{k}.a"] for k in (1, 2, 3)]
    np.testing.assert_allclose(np.array(dx).ravel()[3:], accelerations, rtol=1e-12)
    y = np.array(own.output(0.0, own.start, torques)).ravel()
    expected = np.concatenate([np.ravel(sim[name]) for name in OUTPUTS])
    np.testing.assert_allclose(y, expected, rtol=1e-12, atol=1e-14)


def test_casadi_integrates_and_differentiates_it_as_motorik_does():
    casadi = pytest.importorskip("casadi")
    own = arm().to_casadi(inputs=TORQUES)
    x, u = casadi.SX.sym("x", 6), casadi.SX.sym("u", 3)
    ode = {"x": x, "p": u, "ode": own.derivative(0.0, x, u)}
    options = {"reltol": 1e-11, "abstol": 1e-12}
    end = casadi.integrator("end", "cvodes", ode, 0.0, 0.3, options)
    start, torque = casadi.MX.sym("x", 6), casadi.MX.sym("u", 3)
    last = end(x0=start, p=torque)["xf"]
    slopes = casadi.Function("slopes", [start, torque], [casadi.jacobian(last, torque)])
    expected = np.array(slopes(own.start, np.zeros(3)))
    found = arm().sensitivities(0.3, by=TORQUES, output=1, rtol=1e-10)
    rows = np.array([found[name][-1] for name in own.states])
    np.testing.assert_allclose(rows, expected, rtol=0, atol=1e-6 * np.abs(expected).max())


def test_loops_are_exported_too():
    own = PlanarFourbar().to_casadi(outputs=["revolute2.phi"])
    sim = PlanarFourbar().simulator()
    y = own.output(0.0, own.start, [])
    assert float(y) == pytest.approx(sim["revolute2.phi"], abs=1e-12)
    with refused(SimulationError, "reactions"):
        _ = PlanarFourbar().to_casadi(outputs=["revolute1.frame_b.f"]).output
    with refused(UnknownNameError, "motor1.tau", "motor1.tau_constant"):
        arm().to_casadi(inputs="motor1.tau")


def difference(own, x, u, w):
    """Return w·f at one point and its gradient by x, by differences."""
    f = lambda x: float(w @ np.array(own.derivative(0.0, x, u)).ravel())  # noqa: E731
    h = 1e-6
    return f(x), np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(6)])


@contextmanager
def doubles(jax):
    """Let JAX compute with 64-bit floats."""
    jax.config.update("jax_enable_x64", True)
    try:
        yield
    finally:
        jax.config.update("jax_enable_x64", False)


@pytest.mark.parametrize("package", ["jax", "torch"])
def test_a_package_that_is_missing_is_named(package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    run = arm().differentiable_run(0.1, "link3.m", "hinge3.w", output=1)
    for own in (run, arm().to_casadi()):
        with refused(MotorikError, package, f"pip install motorik[{package}]"):
            getattr(own, f"to_{package}")()


def test_jax_differentiates_it():
    jax = pytest.importorskip("jax", reason="jax is not installed")
    from jax.test_util import check_grads

    own = arm().to_casadi(inputs=TORQUES)
    rng = np.random.default_rng(2)
    x, u, w = rng.standard_normal(6), rng.standard_normal(3), rng.standard_normal(6)
    with refused(MotorikError, "32-bit"):
        own.to_jax()
    with doubles(jax):
        f = own.to_jax()
        value, gradient = jax.jit(jax.value_and_grad(lambda x: (w * f(0.0, x, u)).sum()))(x)
        many = np.stack([x, 2 * x])
        rows = jax.vmap(lambda x: f(0.0, x, u))(many)
        for t, inputs in ((0.1, u), (np.zeros(2), np.stack([u, u]))):  # shared, or for each
            check_grads(f, (t, many, inputs), order=1, modes=["rev"], rtol=1e-4, atol=1e-4)
    expected, slopes = difference(own, x, u, w)
    assert float(value) == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(gradient, slopes, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(
        rows[1], np.array(own.derivative(0.0, 2 * x, u)).ravel(), rtol=1e-12
    )


def test_torch_differentiates_it():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    own = arm().to_casadi(inputs=TORQUES)
    rng = np.random.default_rng(2)
    x, u, w = rng.standard_normal(6), rng.standard_normal(3), rng.standard_normal(6)
    f = own.to_torch()
    given = torch.tensor(x, requires_grad=True)
    value = (torch.tensor(w) * f(0.0, given, torch.tensor(u))).sum()
    value.backward()
    expected, slopes = difference(own, x, u, w)
    assert value.item() == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(given.grad.numpy(), slopes, rtol=1e-5, atol=1e-6)
    for t in (np.array(0.1), np.linspace(0.0, 1.0, 4)):
        shapes = [t, rng.standard_normal((4, 6)), rng.standard_normal((4, 3))]
        checked = tuple(torch.tensor(own, requires_grad=True) for own in shapes)
        assert torch.autograd.gradcheck(f, checked)


BY = ("link3.m", TORQUES[1], "hinge1.phi")


def objective_of_run():
    """Return a run of an arm, weights of its outputs, and the gradient that they give."""
    run = arm().differentiable_run(0.3, BY, ["hinge3.w", "link3.frame_b.r_0"], output=3)
    y, back = run.pull_back(run.start)
    w = np.random.default_rng(3).standard_normal(y.shape)
    return run, y, w, back(w)


def test_torch_differentiates_runs():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    run, y, w, expected = objective_of_run()
    f = run.to_torch()
    values = torch.tensor(run.start, requires_grad=True)
    found = f(values)
    np.testing.assert_array_equal(found.detach().numpy(), y)
    (torch.tensor(w) * found).sum().backward()
    np.testing.assert_allclose(values.grad.numpy(), expected, rtol=1e-12)
    many = np.stack([run.start, 1.1 * run.start])
    assert torch.autograd.gradcheck(f, (torch.tensor(many, requires_grad=True),), eps=1e-5)
    single = torch.tensor(run.start, dtype=torch.float32, requires_grad=True)
    (torch.tensor(w) * f(single)).sum().backward()
    assert single.grad.dtype == torch.float32
    np.testing.assert_allclose(single.grad.numpy(), expected, rtol=1e-4)
    once = torch.tensor(run.start, requires_grad=True)
    (slope,) = torch.autograd.grad((f(once) ** 2).sum(), once, create_graph=True)
    with pytest.raises(RuntimeError, match="once_differentiable"):
        slope.sum().backward()


def test_jax_differentiates_runs():
    jax = pytest.importorskip("jax", reason="jax is not installed")
    from jax.test_util import check_grads

    run, y, w, expected = objective_of_run()
    with refused(MotorikError, "32-bit"):
        run.to_jax()
    with doubles(jax):
        f = run.to_jax()
        slope = jax.grad(lambda values: (w * f(values)).sum())
        np.testing.assert_array_equal(f(run.start), y)
        np.testing.assert_allclose(slope(run.start), expected, rtol=1e-12)
        many = np.stack([run.start, 1.1 * run.start])
        rows = jax.jit(jax.vmap(slope))(many)
        np.testing.assert_allclose(rows[0], expected, rtol=1e-12)
        np.testing.assert_allclose(jax.vmap(f)(many), f(many), rtol=1e-12)
        check_grads(f, (many,), order=1, modes=["rev"], eps=1e-5, rtol=1e-5, atol=1e-5)
