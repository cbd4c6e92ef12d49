"""Equations as functions of CasADi, JAX and PyTorch: values, derivatives, runs."""

from __future__ import annotations

import numpy as np
import pytest

from motorik.errors import SimulationError, UnknownNameError
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


def test_jax_differentiates_it():
    jax = pytest.importorskip("jax", reason="jax is not installed")
    own = arm().to_casadi(inputs=TORQUES)
    rng = np.random.default_rng(2)
    x, u, w = rng.standard_normal(6), rng.standard_normal(3), rng.standard_normal(6)
    jax.config.update("jax_enable_x64", True)
    f = own.to_jax()
    value, gradient = jax.value_and_grad(lambda x: (w * f(0.0, x, u)).sum())(x)
    rows = jax.vmap(lambda x: f(0.0, x, u))(np.stack([x, 2 * x]))
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
