"""Random trees against an independent library, against themselves, and built otherwise."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec

import casadi
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from motorik.compiled_model import CompiledModel
from motorik.compiler.rolled.tape import Tape
from motorik.motion import traced
from motorik.topology.assemble import assemble
from tests.laws.physical_trees import (
    JOINT_KINDS,
    ROOT_KINDS,
    PhysicalTree,
    Shape,
    make_tree,
    random_shapes,
)

needs_pinocchio = pytest.mark.skipif(
    find_spec("pinocchio") is None,
    reason="Pinocchio, the independent library, is not there",
)
NO_PARAMETERS = np.zeros(0)
CARRYING = [kind for kind in (*JOINT_KINDS, *ROOT_KINDS) if kind != "point mass"]


def off(found, expected) -> float:
    """Return the largest difference relative to the largest expected number."""
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    return float(np.abs(found - expected).max() / np.abs(expected).max())


def tree_of(seed: int, count: int) -> PhysicalTree:
    """Return a random tree of so many limbs."""
    return make_tree(random_shapes(np.random.default_rng(seed), count), seed)


def agree_with_pinocchio(tree: PhysicalTree, seed: int, native: bool = False) -> None:
    """Compare forward and inverse dynamics, mass matrix and kinematics at a random state."""
    import pinocchio as pin

    from tests.laws.pinocchio_twin import Twin

    system, twin = tree.model(seed, seed).compile(), Twin(tree)
    model, data = twin.model, twin.data
    coordinates, speeds = np.split(system.state_names, [system.n_q])
    q, u, x = tree.state(coordinates, seed)
    named = dict(zip(coordinates, q, strict=True))
    T = twin.speed_map(named, speeds)
    q_pin, v = twin.coordinates(named), T @ u

    def ours(name: str, *arguments: np.ndarray) -> np.ndarray:
        function = getattr(system, name) if native else system.function(name)
        return np.asarray(function(*arguments, NO_PARAMETERS), dtype=float).ravel()

    force = np.linalg.solve(T.T, x)
    accelerated = pin.aba(model, data, q_pin, v, force)
    assert off(T @ ours("forward_dynamics", q, u, x), accelerated) < 1e-12
    needed = T.T @ pin.rnea(model, data, q_pin, v, T @ x)
    assert off(ours("inverse_dynamics", q, u, x), needed) < 4e-14
    upper = np.triu(pin.crba(model, data, q_pin))
    M = T.T @ (upper + np.triu(upper, 1).T) @ T
    assert off(ours("mass_matrix", q).reshape(M.shape), M) < 1e-14
    motion = twin.motion(q_pin, v, T @ x)
    outputs = (
        system.outputs(list(motion)).function
        if native
        else system.output_function(list(motion))
    )
    found = np.asarray(
        outputs(np.zeros(1), q, u, x, [], [], NO_PARAMETERS), dtype=float
    ).ravel()
    assert off(found, np.concatenate(list(motion.values()))) < 2e-14


# --- against Pinocchio ----------------------------------------------------------------------


@pytest.mark.kinds(6)
@needs_pinocchio
@pytest.mark.parametrize("flipped", [False, True], ids=["a to b", "b to a"])
@pytest.mark.parametrize("kind", JOINT_KINDS)
def test_every_joint_between_moving_bodies_agrees(kind, flipped):
    shapes = [
        Shape(-1, "screw"),
        Shape(0, kind, flipped),
        Shape(1, "revolute", not flipped),
    ]
    agree_with_pinocchio(make_tree(shapes, 1), seed=1)


@pytest.mark.slow
@needs_pinocchio
@pytest.mark.parametrize("kind", ROOT_KINDS)
def test_everything_that_floats_agrees(kind):
    shapes = [Shape(-1, "revolute"), Shape(-1, kind, welded=2)]
    if kind != "point mass":
        shapes.append(Shape(1, "universal", flipped=True))
    agree_with_pinocchio(make_tree(shapes, 2), seed=2)


@pytest.mark.kinds(1)
@pytest.mark.slow
@needs_pinocchio
@pytest.mark.parametrize("seed", range(3))
def test_random_trees_in_native_code_agree(seed):
    agree_with_pinocchio(tree_of(seed, 5), seed, native=True)


@st.composite
def tree_shapes(draw: st.DrawFn) -> list[Shape]:
    """Draw the structure of a tree; nothing hangs on a point mass."""
    shapes: list[Shape] = []
    for i in range(draw(st.integers(1, 6))):
        carriers = [-1, *(k for k in range(i) if shapes[k].kind in CARRYING)]
        few = st.integers(0, 2)
        shape = st.builds(
            Shape,
            st.sampled_from(carriers),
            st.sampled_from((*JOINT_KINDS, *ROOT_KINDS)),
            st.booleans(),
            few,
            few,
            few,
        )
        shapes.append(draw(shape))
    return shapes


@pytest.mark.slow
@needs_pinocchio
@settings(max_examples=10)
@given(tree_shapes(), st.integers(0, 10_000))
def test_trees_of_any_shape_agree(shapes, seed):
    agree_with_pinocchio(make_tree(shapes, seed), seed)


# --- one tree, many routes ------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.kinds(2)
@pytest.mark.parametrize("gravity", ["uniform", "point"])
@pytest.mark.parametrize("seed", range(10, 13))
def test_all_routes_to_the_accelerations_agree(seed, gravity):
    tree = tree_of(seed, 5)
    model = tree.model(seed, seed)
    model.world.gravityType, model.world.mu = gravity, 20.0
    system, plain = model.compile(), assemble(model)
    q, u, tau = tree.state(system.state_names[: system.n_q], seed)
    rates = traced.speed_rates(plain, *map(list, (q, u, tau)))
    M = np.reshape(traced.inertia_matrix(plain, list(q)), (u.size, u.size))
    bias = traced.required_forces(plain, list(q), list(u), [0.0] * u.size)
    routes = {
        "solved": np.linalg.solve(M, tau - bias),
        "native": system.forward_dynamics(q, u, tau, NO_PARAMETERS),
        "tape": rolled(system)(q, u, tau),
    }
    for way in (traced.ARTICULATED, traced.ALIGNED, traced.FACTORISED):
        state = map(list, (q, u, tau))
        routes[f"{way}, numbers"] = traced.speed_rates(plain, *state, algorithm=way)
        routes[f"{way}, symbols"] = symbolic_rates(system, q, u, tau, algorithm=way)
    errors = {name: off(value, rates) for name, value in routes.items()}
    assert max(errors.values()) < 1e-13, errors
    assert off(traced.required_forces(plain, list(q), list(u), rates), tau) < 3e-13


def symbolic_rates(system: CompiledModel, *state: np.ndarray, algorithm: str) -> np.ndarray:
    """Return the speed rates by tracing one algorithm on symbols."""
    q, u, tau = (casadi.SX.sym(name, x.size) for name, x in zip("qut", state, strict=True))
    rates = traced.speed_rates(
        system.mechanism, *map(casadi.vertsplit, (q, u, tau)), algorithm=algorithm
    )
    function = casadi.Function("rates", [q, u, tau], [casadi.vertcat(*rates)])
    return np.asarray(function(*state)).ravel()


def rolled(system: CompiledModel):
    """Return forward dynamics recorded on a tape, equal links sharing their code."""
    tape = Tape()
    sizes = {"q": system.n_q, "u": system.n_u, "tau": system.n_u}
    given = [tape.input(name, size) for name, size in sizes.items()]
    tape.output("ud", traced.speed_rates(system.mechanism, *given, tape))
    return tape.compile(name="rates")


@pytest.mark.slow
def test_a_long_chain_shares_its_code_and_agrees_with_plain_numbers():
    shapes = [
        Shape(i - 1, "universal" if i % 5 else "spherical", i % 2 == 0) for i in range(30)
    ]
    tree = make_tree(shapes, 5)
    model = tree.model(5, 5)
    system = model.compile()
    assert system.is_rolled
    q, u, _ = tree.state(system.state_names[: system.n_q], 5)
    x = np.concatenate([q, u])
    mechanism = assemble(model)
    rates = traced.speed_rates(mechanism, list(q), list(u))
    plain = traced.state_rates(mechanism, 0.0, list(x), rates)
    assert off(system.derivative(np.zeros(1), x, NO_PARAMETERS), plain) < 3e-13


# --- one mechanism, built otherwise ---------------------------------------------------------


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20, 23))
def test_the_order_of_connections_changes_not_one_bit(seed):
    tree = tree_of(seed, 6)
    systems = [tree.model(seed, wiring).compile() for wiring in range(3)]
    q, u, _ = tree.state(systems[0].state_names[: systems[0].n_q], seed)
    found = [np.asarray(s.function("derivative")(0, [*q, *u], [])) for s in systems]
    assert systems[0].state_names == systems[1].state_names == systems[2].state_names
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20, 23))
def test_the_order_of_parts_changes_only_the_order_of_states(seed):
    tree = tree_of(seed, 6)
    one, other = (tree.model(order, 0).compile() for order in (1, 2))
    q, u, _ = tree.state(one.state_names[: one.n_q], seed)
    x = dict(zip(one.state_names, [*q, *u], strict=True))
    assert sorted(one.state_names) == sorted(other.state_names)
    found = [
        dict(zip(s.state_names, np.asarray(f).ravel(), strict=True))
        for s in (one, other)
        for f in [s.function("derivative")(0, [x[name] for name in s.state_names], [])]
    ]
    assert off([found[1][name] for name in found[0]], list(found[0].values())) < 1e-14


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ["revolute", "prismatic", "screw", "cylindrical", "spherical"]
)
def test_built_from_b_to_a_it_moves_alike_with_mirrored_coordinates(kind):
    shapes = [Shape(-1, kind, mount=2, tail=1), Shape(0, kind, mount=1, tail=1)]
    tree = make_tree(shapes, 3)
    joint = tree.limbs[1].joint
    turned = replace(tree.limbs[1], joint=replace(joint, flipped=True))
    mirror = replace(tree, limbs=(tree.limbs[0], turned))
    options = {"rtol": 1e-11, "method": "dop853", "output": 20}
    there = tree.model().simulate(1.0, **options)
    back = mirror.model().simulate(1.0, **options)
    assert off(back["b1.r_0"], there["b1.r_0"]) < 2e-11
    if kind == "spherical":
        Q = there["j1.Q"] * [-1, -1, -1, 1]
        w = np.einsum("tij,tj->ti", rotations(there["j1.Q"]), there["j1.w_rel"])
        assert off(back["j1.Q"], Q) < 5e-11 and off(back["j1.w_rel"], -w) < 5e-11
        return
    for name in [n for n in there.state_names if n.startswith("j1")]:
        assert off(back[name], -there[name]) < 1e-12


def rotations(Q: np.ndarray) -> np.ndarray:
    """Return the rotation matrices of quaternions, one per row."""
    return Rotation.from_quat(Q).as_matrix()
