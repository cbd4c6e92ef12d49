"""The Jacobian of a tree by recursion, against that of the traced equations and other routes."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

import motorik as mk
from motorik import forces, parts, rotational
from motorik.compiled_model import CompiledModel
from motorik.compiler import compile_function
from motorik.system import tree_derivatives as kernels
from motorik.system.tree_jacobian import FEWEST, find_tree_jacobian
from tests.laws.physical_trees import JOINT_KINDS, Shape, make_tree
from tests.laws.test_trees import tree_of

AT = np.array([0.3])
NONE = np.zeros(0)
AXES = ((0, 0, 1), (0, 1, 0), (1, 0, 0))


def matrix(function, x, p=NONE) -> np.ndarray:
    """Return a Jacobian that is written by columns."""
    return np.asarray(function(AT, x, p), dtype=float).reshape(x.size, x.size).T


def recursive(system: CompiledModel, x: np.ndarray) -> np.ndarray:
    """Return the Jacobian by recursion, however few states there are."""
    found = find_tree_jacobian(system.equations, fewest=0)
    assert found is not None
    return matrix(found.native(), x)


def off(found: np.ndarray, known: np.ndarray) -> float:
    """Return the largest difference relative to the largest known number."""
    return float(np.abs(found - known).max() / np.abs(known).max())


def differences(rates, x: np.ndarray, p=NONE) -> np.ndarray:
    """Return ∂f/∂x by central differences, extrapolated."""

    def column(j: int, h: float) -> np.ndarray:
        shift = np.zeros(x.size)
        shift[j] = h
        return (rates(AT, x + shift, p) - rates(AT, x - shift, p)) / (2.0 * h)

    h = 1e-3
    both = ([column(j, own) for j in range(x.size)] for own in (h, 0.5 * h))
    coarse, fine = (np.column_stack(columns) for columns in both)
    return (4.0 * fine - coarse) / 3.0


def with_laws(n: int = 10) -> mk.Model:
    """Return a branched chain with laws of all kinds in a field that is not uniform."""
    model = mk.Model()
    model.world = mk.World(gravityType="PointGravity", mu=30.0)
    model.start = mk.FixedTranslation(r=(1.0, 0.5, 0.2))
    model.connect(model.world.frame_b, model.start.frame_a)
    ends = [model.start.frame_b]
    model.hinges = [mk.Revolute(n=AXES[k % 3], phi=0.3 + 0.1 * k, w=0.5) for k in range(n)]
    model.bodies = [mk.BodyBox(r=(0.4, 0.1 * (k % 2), 0.0)) for k in range(n)]
    for k, (hinge, body) in enumerate(zip(model.hinges, model.bodies, strict=True)):
        model.connect(ends[2 if k == 4 else k], hinge.frame_a)
        model.connect(hinge.frame_b, body.frame_a)
        ends.append(body.frame_b)
    model.strut = forces.SpringDamperParallel(c=80.0, d=3.0, s_unstretched=0.2)
    model.connect(ends[2], model.strut.frame_a)
    model.connect(model.strut.frame_b, ends[n])
    model.mount = forces.SpringDamperSeries(c=50.0, s_unstretched=0.3, d=5.0, s_damper=0.1)
    model.connect(model.world.frame_b, model.mount.frame_a)
    model.connect(model.mount.frame_b, ends[3])
    model.gear = rotational.IdealGear(ratio=3.0)
    model.rotor = rotational.Inertia(J=0.02)
    model.spring = rotational.SpringDamper(c=7.0, d=0.4)
    model.wall = rotational.Fixed()
    model.connect(model.hinges[1].axis, model.gear.flange_a)
    model.connect(model.gear.flange_b, model.rotor.flange_a)
    model.connect(model.rotor.flange_b, model.spring.flange_a)
    model.connect(model.spring.flange_b, model.wall.flange)
    model.free = parts.Body(m=2.0, r_0=(0.3, 2.0, 0.0), I_11=0.1, I_22=0.2, I_33=0.25)
    model.tie = forces.Spring(c=20.0, s_unstretched=0.5)
    model.connect(model.free.frame_a, model.tie.frame_a)
    model.connect(model.tie.frame_b, ends[1])
    return model


def state_of(model: mk.Model) -> np.ndarray:
    """Return a state of the model apart from its start."""
    system, states = model.compile(), model.simulate(0.05).states
    x = states[-1] + 0.1 * np.sin(np.arange(1.0, states.shape[1] + 1.0))
    return x if system.project is None else system.project(AT, x, NONE)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_every_joint_has_the_jacobian_of_the_traced_equations(seed):
    tree = tree_of(seed, 7)
    system = tree.model(seed, seed).compile()
    q, u, _ = tree.state(system.state_names[: system.n_q], seed)
    x = np.concatenate([q, u])
    J, known = recursive(system, x), matrix(system.function("jacobian"), x)
    assert off(J, known) < 1e-11


def test_every_kind_of_joint_is_among_them():
    kinds = {
        limb.joint.kind if limb.joint else limb.root
        for seed in range(2)
        for limb in tree_of(seed, 7).limbs
    }
    assert {"universal", "planar", "spherical angles"} & kinds and len(kinds) >= 6
    assert len(JOINT_KINDS) >= 9


@pytest.mark.skipif(find_spec("pinocchio") is None, reason="Pinocchio is not there")
def test_pinocchio_has_the_same_derivatives():
    import pinocchio as pin

    from tests.laws.pinocchio_twin import Twin

    kinds = ("revolute", "cylindrical", "prismatic", "screw", "revolute", "cylindrical")
    parents = (-1, 0, 0, 1, 1, 3)
    shapes = [Shape(p, kind) for p, kind in zip(parents, kinds, strict=True)]
    tree = make_tree([*shapes, Shape(5, "revolute"), Shape(2, "prismatic")], 3)
    system, twin = tree.model(1, 1).compile(), Twin(tree)
    names, speeds = system.state_names[: system.n_q], system.state_names[system.n_q :]
    q, u, _ = tree.state(names, 3)
    J = recursive(system, np.concatenate([q, u]))[system.n_q :]
    named = dict(zip(names, q, strict=True))
    T = twin.speed_map(named, speeds)
    given = twin.model, twin.data, twin.coordinates(named), T @ u, np.zeros(len(u))
    vars(pin)["computeABADerivatives"](*given)
    n = system.n_q
    assert off(T @ J[:, :n], twin.data.ddq_dq @ T) < 1e-11
    assert off(T @ J[:, n:], twin.data.ddq_dv @ T) < 1e-11


@pytest.mark.slow
def test_force_laws_states_armatures_and_weights_are_differentiated():
    model = with_laws()
    system, x = model.compile(), state_of(model)
    assert system.equations.tree_jacobian is not None
    laws = system.equations.tree_jacobian.laws
    assert laws.loaded and laws.loads and laws.load_reads and laws.reads and laws.direct
    J, known = matrix(system.jacobian, x), matrix(system.function("jacobian"), x)
    assert off(J, known) < 1e-12
    numeric = differences(system.derivative, x)
    assert off(J, numeric) < 1e-8


def test_kernels_are_what_their_python_says():
    """Table, values and kernels in plain Python give the Jacobian of the machine code."""
    tree = tree_of(0, 3)
    system = tree.model(0, 0).compile()
    q, u, _ = tree.state(system.state_names[: system.n_q], 0)
    x = np.concatenate([q, u])
    found = find_tree_jacobian(system.equations, fewest=0)
    assert found is not None
    code = found.native()
    traced = {name: compile_function(own) for name, own in found.functions.items()}
    table = np.array(found.table, dtype=np.int64)
    work, out = np.zeros(found.work_size), np.zeros(x.size * x.size)
    links = traced["links"](AT, x, NONE)
    placed = np.zeros(found.laws.placed.numel())
    kernels.move_links(table, links, x, work, placed)
    laws = traced["laws"](AT, x, NONE, placed)
    kernels.differentiate_tree(table, links, laws, work)
    kernels.write_tree_jacobian(table, links[found.n_link_values :], work, out)
    assert off(out.reshape(x.size, x.size).T, matrix(code, x)) < 1e-12


def hinges(n: int, **options) -> mk.Model:
    """Return a chain of boxes on hinges; the last hinge has the options."""
    model = mk.Model()
    model.world = mk.World()
    model.hinges = [mk.Revolute(**(options if k == n - 1 else {})) for k in range(n)]
    model.boxes = [mk.BodyBox(r=(0.3, 0.0, 0.0)) for _ in range(n)]
    at = model.world.frame_b
    for hinge, box in zip(model.hinges, model.boxes, strict=True):
        model.connect(at, hinge.frame_a)
        model.connect(hinge.frame_b, box.frame_a)
        at = box.frame_b
    return model


def test_it_serves_trees_of_many_states():
    """Few states in each tree and friction keep straight-line code."""
    half = FEWEST // 2
    assert hinges(half).compile().equations.tree_jacobian is not None
    assert hinges(half - 1).compile().equations.tree_jacobian is None
    rubbing = hinges(half, friction=mk.joints.Coulomb(tau=0.1))
    assert rubbing.compile().equations.tree_jacobian is None
    floating = mk.Model()
    floating.world = mk.World()
    floating.bodies = [parts.Body(m=1.0, r_0=(k, 0.0, 0.0)) for k in range(2)]
    assert floating.compile().n_x > FEWEST
    assert floating.compile().equations.tree_jacobian is None


@pytest.mark.slow
def test_each_tree_is_solved_for_the_columns_that_it_depends_on():
    """Three chains on the world, a spring between two of them."""
    model, tips = mk.Model(), []
    model.world = mk.World()
    model.hinges = [mk.Revolute(phi=0.1 * k, w=0.2) for k in range(33)]
    model.boxes = [mk.BodyBox(r=(0.3, 0.0, 0.1)) for _ in range(33)]
    for k, (hinge, box) in enumerate(zip(model.hinges, model.boxes, strict=True)):
        at = model.world.frame_b if k % 11 == 0 else model.boxes[k - 1].frame_b
        model.connect(at, hinge.frame_a)
        model.connect(hinge.frame_b, box.frame_a)
        tips += [box.frame_b] if k % 11 == 10 else []
    model.spring = forces.Spring(c=300.0, s_unstretched=0.1)
    model.connect(tips[0], model.spring.frame_a)
    model.connect(model.spring.frame_b, tips[2])
    system, x = model.compile(), state_of(model)
    found = system.equations.tree_jacobian
    assert found is not None and found.table[kernels.TREES] == 3
    at = found.table[kernels.AT_TREES]
    tiles = [found.table[at + kernels.TREE * k + 5] for k in range(3)]
    solved = np.diff([0, *tiles])
    assert solved[1] < min(solved[0], solved[2])
    J, known = matrix(system.jacobian, x), matrix(system.function("jacobian"), x)
    assert off(J, known) < 1e-11


@pytest.mark.slow
def test_a_long_chain_has_a_native_jacobian():
    """Backward differentiation of equal links that share their code needs no differences."""
    model = with_laws(48)
    system, x = model.compile(), state_of(model)
    assert system.is_rolled and "jacobian" not in system.natives.made
    assert model.simulate(0.02, method="bdf", rtol=1e-4).info.jacobians > 0
    assert "jacobian" in system.natives.made
    J = matrix(system.jacobian, x)
    assert off(J, differences(system.derivative, x)) < 1e-7
