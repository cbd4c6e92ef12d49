"""Every planar mechanism runs by every strategy, and as an independent solver says."""

import importlib.util
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from motorik import LoopError, LoopOptions, SolverOptions
from motorik.planar.vector_part import VectorPart
from tests.covering import each_once
from tests.planar import mechanisms as m
from tests.planar.absolute import GRAVITY, close

STRATEGIES = ("absolute", "baumgarte", "projected", "explicit", "auto")
REFUSED = {
    "explicit": {
        *(m.QuickReturn, m.HungByRods, m.Cam, m.Planetary, m.RollingWheel, m.Bead),
    },
}
TIMES = np.linspace(0.0, 0.12, 4)
models = pytest.mark.parametrize("kind", m.MODELS, ids=lambda kind: kind.__name__)
strategies = pytest.mark.parametrize("strategy", STRATEGIES)
PLACE, SPEED, RATE = ("x", "y", "theta"), ("vx", "vy", "w"), ("ax", "ay", "alpha")
FORCE = ("Fx", "Fy", "Cz")
STABILISED = {"absolute", "baumgarte"}  # gaps decay, they are not closed after each step


@cache
def run(kind, strategy):
    """Return a model and its result."""
    model = kind()
    options = {"rtol": 1e-11, "solver": SolverOptions(atol=1e-12), "strategy": strategy}
    result = model.simulate(TIMES[-1], output=TIMES, **options)
    result.compute(names_of(model))
    return model, result


def names_of(model):
    """Return what the tests ask for; computed at once it is cheaper."""
    names = [f"{b.path}.{n}" for b in m.bodies_of(model) for n in (*PLACE, *SPEED, *RATE)]
    for part in joints_of(model):
        names += [f"{part.path}.{n}_{end}" for n in FORCE for end in "ab"]
        names += [f"{port.path}.r_0" for port in (part.frame_a, part.frame_b)]
    return names


def joints_of(model):
    return [part for part in model.walk() if isinstance(part, VectorPart)]


@cache
def reference(kind):
    """Return the independent mechanism and its motion from the same start."""
    model, result = run(kind, "absolute")
    mechanism = m.independent(model)
    q, v = m.motion_of(result, model), m.motion_of(result, model, SPEED)
    return mechanism, *mechanism.simulate(q[0], v[0], TIMES)


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize(("strategy", "kind"), each_once(STRATEGIES, m.MODELS))
def test_strategies_agree_with_an_independent_solver(kind, strategy):
    if kind in REFUSED.get(strategy, ()):
        with pytest.raises(LoopError, match=r'[uU]se "projected"\.'):
            run(kind, strategy)
        return
    model, result = run(kind, strategy)
    mechanism, q, v = reference(kind)
    assert result.complete
    found = m.motion_of(result, model)
    close(found, q, 2e-9 if strategy in STABILISED else 3e-10)
    rates = m.motion_of(result, model, SPEED)
    close(rates, v, 3e-8 if strategy in STABILISED else 3e-9)
    gaps = [np.abs(mechanism.residual(row)).max(initial=0.0) for row in found]
    close(gaps, 0, 5e-10 if strategy in STABILISED else 1e-14)


@pytest.mark.kinds(4)
@pytest.mark.slow
@models
def test_accelerations_are_those_of_the_independent_solver(kind):
    model, result = run(kind, "absolute")
    mechanism, _, _ = reference(kind)
    found = m.motion_of(result, model, RATE)
    q, v = m.motion_of(result, model), m.motion_of(result, model, SPEED)
    for k, t in enumerate(TIMES):
        wanted, _ = mechanism.solve(t, q[k], v[k])
        close(found[k], wanted, 3e-8)


def ports_of(model, body):
    """Yield joints and forces on a body, with the letter of the port that is on it."""
    for part in joints_of(model):
        for end in "ab":
            port = getattr(part, f"frame_{end}")
            pairs = [(x, y) for x, y in model.connections if port in (x, y)]
            if any(p.owner is body for pair in pairs for p in pair):
                yield part.path, end, port.path


def imbalance(model, result, body, g):
    """Return what is left of Newton's and Euler's law with the forces that the joints show."""
    name = body.path
    left = np.array([0.0, -body.m * g, 0.0])[:, None] * np.ones_like(result.time)
    inert = zip(RATE, (body.m, body.m, body.I), strict=True)
    left -= [result[f"{name}.{rate}"] * mass for rate, mass in inert]
    for part, end, port in ports_of(model, body):
        Fx, Fy, Cz = (result[f"{part}.{letters}_{end}"] for letters in FORCE)
        r = result[f"{port}.r_0"]
        rx, ry = r[:, 0] - result[f"{name}.x"], r[:, 1] - result[f"{name}.y"]
        left += [Fx, Fy, Cz + rx * Fy - ry * Fx]
    return left


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("strategy", "kind"), each_once(["absolute", "projected"], m.MODELS)
)
def test_port_forces_move_the_bodies(kind, strategy):
    model, result = run(kind, strategy)
    for body in m.bodies_of(model):
        left = imbalance(model, result, body, GRAVITY)
        close(left, 0, 3e-13)


@pytest.mark.kinds(2)
@pytest.mark.slow
@models
def test_port_forces_are_the_same_by_every_strategy(kind):
    model, result = run(kind, "absolute")
    _, other = run(kind, "projected")
    for part in joints_of(model):
        for name in (f"{part.path}.{letters}_{end}" for letters in FORCE for end in "ab"):
            close(result[name], other[name], 1e-7)


# --- the seven-body mechanism -----------------------------------------------------------------

END = {  # at 0.03 s: test set for IVP solvers, recomputed in 80-bit arithmetic
    "body_K1.theta": 15.81077119515371,
    "body_K2.theta": 15.81077119515371 - 15.75637105841184,
    "body_K3.theta": 0.04082224011964583,
    "body_K5.theta": 0.52440996587995,
    "body_K7.theta": 1.04808074104194,
    "body_K4.theta": 0.52440996587995 - 0.53473011634208,
    "body_K6.theta": 1.04808074104194 + 0.53473011634208,
}


@cache
def seven_bodies():
    path = Path(__file__).parents[2] / "examples" / "planar_seven_body.py"
    spec = importlib.util.spec_from_file_location("planar_seven_body", path)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    return example.SevenBodies()


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("strategy", "error"),
    [("absolute", 3e-7), ("projected", 3e-9), ("explicit", 5e-10)],
)
def test_seven_bodies_end_where_the_test_set_says(strategy, error):
    model = seven_bodies()
    result = model.simulate(
        0.03, rtol=1e-10, solver=SolverOptions(atol=1e-11), strategy=strategy, output=10
    )
    result.compute(names_of(model))
    for name, wanted in END.items():
        close(result[name][-1], wanted, error)
    for body in m.bodies_of(model):
        close(
            imbalance(model, result, body, 0.0),
            0,
            1e-8 if strategy == "absolute" else 1e-12,
        )


# --- Baumgarte's stabilisation ----------------------------------------------------------------


@pytest.mark.parametrize("kind", [m.SliderCrank, m.QuickReturn, m.Planetary])
def test_gaps_decay_as_the_gains_say(kind):
    """f̈ + 2α ḟ + β² f = 0 (eq. 23) at states that violate the constraints."""
    alpha, beta = 7.0, 20.0
    model = kind()
    system = model.compile("absolute", LoopOptions(gains=(alpha, beta)))
    names = [f"{b.path}.{n}" for b in m.bodies_of(model) for n in STATES]
    assert sorted(system.state_names) == sorted(names)
    mechanism = m.independent(model)
    start = system.layout.starts[0]
    rng = np.random.default_rng(2)
    x = np.array(start) + 0.01 * rng.normal(size=len(start))
    p = np.zeros(system.equations.p.numel())
    rate = np.asarray(system.derivative(0.0, x, p)).ravel()
    at = [
        [system.layout.index[f"{b.path}.{n}"] for n in STATES] for b in m.bodies_of(model)
    ]
    q, v = (x[[k for i in at for k in i[part]]] for part in (slice(0, 3), slice(3, 6)))
    a = rate[[k for i in at for k in i[3:]]]
    f, fd = mechanism.residual(q).astype(float), mechanism.rate(q, v)
    fdd = mechanism.jacobian(q) @ a + mechanism.bias(q, v)
    n = f.size
    close(fdd[:n] + 2 * alpha * fd[:n] + beta**2 * f, 0, 1e-8)
    assert np.abs(beta**2 * f).max() > 0.1


STATES = ("x", "y", "theta", "vx", "vy", "w")
