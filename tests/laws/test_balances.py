"""What every motion keeps: energy, momentum, and the balance of forces on each part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import casadi
import numpy as np
import pytest

import motorik as mk
from motorik.components.base.part import Part
from motorik.components.base.ports import Port, PortKind
from tests.laws.physical_trees import Shape, make_tree

MIXED = [
    Shape(-1, "revolute", mount=1, tail=1, welded=2),
    Shape(0, "spherical", flipped=True, mount=1),
    Shape(0, "cylindrical", mount=2, tail=0),
    Shape(2, "screw", flipped=True, welded=1),
    Shape(-1, "universal", tail=2),
    Shape(4, "planar", flipped=True),
]
FLOATING = [
    Shape(-1, "floating", welded=2),
    Shape(0, "revolute", flipped=True),
    Shape(0, "spherical", mount=2),
    Shape(2, "prismatic"),
]
ANGLES = [Shape(-1, "floating angles", welded=1), Shape(0, "universal")]


class Geared(mk.Model):
    """A driven arm with springs, dampers and a slider; its hand is a model of its own."""

    def build(self) -> None:
        self.world = mk.World()
        self.hinge = mk.Revolute(n=(0.2, 0, 1), useAxisFlange=True, phi=0.4, w=1.0)
        self.arm = mk.BodyShape(m=2.0, r=(1, 0.1, 0), r_CM=(0.4, 0, 0.1), I_33=0.0015)
        self.slider = mk.Prismatic(n=(1, 1, 0), useAxisFlange=True, s=0.1, v=-0.3)
        self.hand = Hand()
        self.drive = Drive()
        self.strut = mk.translational.SpringDamper(c=60.0, d=0.8, s_rel0=0.05)
        self.wall = mk.translational.Fixed(s0=0.02)
        self.push = mk.translational.ConstantForce(f_constant=-2.0)
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.arm.frame_a
        self.arm.frame_b >> self.slider.frame_b
        self.slider.frame_a >> self.hand.frame
        self.drive.base >> self.hinge.support
        self.hinge.axis >> self.drive.shaft
        self.wall.flange >> self.strut.flange_a
        mk.connect(self.strut.flange_b, self.slider.axis, self.push.flange)


class Drive(mk.Model):
    """A motor, a spring and a damper side by side."""

    base = mk.components.base.part.rotational_flange("what it is fixed to")
    shaft = mk.components.base.part.rotational_flange("what it turns")

    def build(self) -> None:
        self.damper = mk.rotational.Damper(d=0.3)
        self.coil = mk.rotational.SpringDamper(c=4.0, d=0.1, phi_rel0=0.2)
        self.motor = mk.rotational.ConstantTorque(tau_constant=1.5)
        mk.connect(self.base, self.damper.flange_a, self.coil.flange_b)
        mk.connect(self.shaft, self.damper.flange_b, self.coil.flange_a, self.motor.flange)


class Hand(mk.Model):
    """A body with a finger on a sprung hinge."""

    frame = mk.components.base.part.frame("where it is held")

    def build(self) -> None:
        self.palm = mk.Body(m=0.7, r_CM=(0, 0.2, 0))
        self.knuckle = mk.Universal(phi_a=0.2, w_b=1.5)
        self.finger = mk.Body(m=0.2, r_CM=(0.1, 0, 0))
        self.nail = mk.PointMass(m=0.05)
        self.tip = mk.FixedTranslation(r=(0.2, 0, 0))
        mk.connect(self.frame, self.palm.frame_a, self.knuckle.frame_b)
        mk.connect(self.knuckle.frame_a, self.finger.frame_a, self.tip.frame_a)
        self.tip.frame_b >> self.nail.frame_a


@pytest.fixture(scope="module")
def geared() -> mk.Result:
    """A run of the driven arm, with all its variables computed at once."""
    result = Geared().simulate(1.0, output=20, rtol=1e-8)
    result.compute(result.names())
    return result


@pytest.fixture(scope="module")
def tree() -> mk.Result:
    """A run of a tree of all kinds of joints, with all its variables computed at once."""
    shifted = [replace(shape, parent=shape.parent + len(FLOATING)) for shape in MIXED[:4]]
    result = tree_result([*FLOATING, replace(shifted[0], parent=-1), *shifted[1:]], 6)
    result.compute(result.names())
    return result


def tree_result(shapes, seed, gravity="uniform") -> mk.Result:
    """Return a run of a random tree that starts at a random state."""
    tree = make_tree(shapes, seed)
    model = tree.model(seed, seed)
    model.world.gravityType, model.world.mu = gravity, 20.0
    names = model.compile().state_names
    n_u = model.compile().n_u
    q, u, _ = tree.state(names[:-n_u], seed)
    start = dict(zip(names, [*q, *u], strict=True))
    return model.simulate(1.0, rtol=1e-10, method="dop853", output="steps", initial=start)


def variables(result: mk.Result, name: str) -> list[np.ndarray]:
    """Return a variable of all parts that have it."""
    return [result[full] for full in result.names() if full.endswith(f".{name}")]


def close(found, expected, atol: float) -> None:
    """Assert that nothing differs by more than `atol`."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


# --- energy and momentum --------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.kinds(2)
@pytest.mark.parametrize(
    "shapes", [MIXED, FLOATING, ANGLES], ids=["mixed", "floating", "angles"]
)
@pytest.mark.parametrize("gravity", ["uniform", "point"])
def test_trees_without_friction_keep_their_energy(shapes, gravity):
    energy = tree_result(shapes, 1, gravity).energy()
    assert np.ptp(energy["kinetic"]) > 1.0
    assert np.ptp(energy["total"]) < 1e-10 * np.ptp(energy["kinetic"])


@pytest.mark.slow
def test_energy_is_the_sum_over_the_bodies():
    result = tree_result(MIXED, 2)
    energy = result.energy()
    kinetic = np.sum(variables(result, "kinetic_energy"), axis=0)
    potential = np.sum(variables(result, "potential_energy"), axis=0)
    close(kinetic, energy["kinetic"], 5e-13)
    close(potential, energy["potential"], 5e-13)


@pytest.mark.slow
def test_energy_is_half_the_speeds_times_momenta():
    result = tree_result(FLOATING, 3)
    system = result.model.compile()
    q, u = np.split(result.states, [system.n_q], axis=1)
    M = system.mass_matrix.map(q, np.zeros(0)).reshape(len(q), system.n_u, system.n_u)
    kinetic = 0.5 * np.einsum("ti,tij,tj->t", u, M, u)
    close(kinetic, result.energy()["kinetic"], 3e-12)


@pytest.mark.slow
@pytest.mark.parametrize("shapes", [FLOATING, ANGLES], ids=["quaternion", "angles"])
def test_a_free_system_keeps_momentum_and_angular_momentum(shapes):
    result = tree_result(shapes, 4, gravity="none")
    for name in ("momentum", "angular_momentum"):
        total = np.sum(variables(result, name), axis=0)
        assert np.abs(total).max() > 1.0
        assert np.ptp(total, axis=0).max() < 2e-10


@pytest.mark.slow
def test_gravity_alone_changes_the_momentum_of_a_free_system():
    result = tree_result(FLOATING, 5)
    mass = sum(
        part.m
        for part in result.model.walk()
        if isinstance(part, (mk.Body, mk.PointMass)) and isinstance(part.m, float)
    )
    mass += sum(p.m for p in result.model.walk() if isinstance(p, mk.BodyShape))
    g = variables(result, "g_0")[0]
    total = np.sum(variables(result, "momentum"), axis=0)
    expected = total[0] + mass * g * result.time[:, None]
    close(total, expected, 2e-10)


def test_energy_changes_by_what_is_lost_and_driven(geared):
    # dE/dt along the motion by CasADi's derivative, against the powers of the parts.
    system = geared.model.compile()
    t, x, dx = casadi.SX.sym("t"), *(casadi.SX.sym(n, system.n_x) for n in ("x", "dx"))
    E = casadi.sum1(system.function("energy")(t, x, []))
    rate = casadi.Function("rate", [t, x, dx], [casadi.jtimes(E, x, dx)])
    rows = zip(geared.time, geared.states, geared.rates, strict=True)
    found = np.array([float(rate(*row)) for row in rows])
    lost = np.sum(variables(geared, "lossPower"), axis=0)
    driven = 1.5 * geared["hinge.w"] - 2.0 * geared["slider.v"]
    assert lost.min() >= 0.0 and np.ptp(found) > 1.0
    close(found, driven - lost, 4e-13)


# --- forces ---------------------------------------------------------------------------------


def in_world(result: mk.Result, port: Port) -> tuple[np.ndarray, np.ndarray]:
    """Return force and torque at a port in world axes, the torque about the world's origin."""
    R = result[f"{port.path}.R.T"].transpose(0, 2, 1)
    f, t = (np.einsum("tij,tj->ti", R, result[f"{port.path}.{name}"]) for name in "ft")
    return f, t + np.cross(result[f"{port.path}.r_0"], f)


def frames(part: Part) -> list[Port]:
    """Return the frames of a part."""
    return [port for port in part.ports() if port.kind is PortKind.FRAME]


@pytest.mark.slow
def test_newton_and_euler_hold_for_each_body_under_its_cut_forces(geared, tree):
    for result in (geared, tree):
        for body in (part for part in result.model.walk() if isinstance(part, mk.Body)):
            p = result.model.compile().mechanism.inventory.parameters_of(body)
            m, c = float(p.m), p.r_CM.numpy()
            I = p.I.numpy() if p.I is not None else np.diag([p.I_11, p.I_22, p.I_33])
            at = {n: result[f"{body.path}.{n}"] for n in ("a_0", "g_0", "w_a", "z_a")}
            f, t = result[f"{body.path}.frame_a.f"], result[f"{body.path}.frame_a.t"]
            R_T = result[f"{body.path}.frame_a.R.T"]
            w, z = at["w_a"], at["z_a"]
            a = np.einsum("tij,tj->ti", R_T, at["a_0"] - at["g_0"])
            a = a + np.cross(z, c) + np.cross(w, np.cross(w, c))
            scale = max(1.0, np.abs(f).max())
            close(m * a, f, 5e-14 * scale)
            spin = z @ I + np.cross(w, w @ I)
            close(spin, t - np.cross(c, f), 5e-14 * scale)


@pytest.mark.slow
def test_what_enters_a_massless_part_leaves_it(geared, tree):
    seen = 0
    for result in (geared, tree):
        for part in result.model.walk():
            ports = frames(part)
            if len(ports) == 2 and not part.is_model:
                (f_a, t_a), (f_b, t_b) = (in_world(result, port) for port in ports)
                scale = max(1.0, np.abs(t_a).max())
                close(f_a, -f_b, 5e-14 * scale)
                close(t_a, -t_b, 5e-14 * scale)
                seen += np.abs(f_a).max() > 1.0
    assert seen > 20


def nodes_of(model: Part) -> Iterator[set[Port]]:
    """Yield the sets of ports that are connected within one model."""
    sets: list[set[Port]] = []
    for a, b in model.connections:
        joined = {a, b}.union(*(s for s in sets if a in s or b in s))
        sets = [s for s in sets if a not in s and b not in s] + [joined]
    yield from sets


def test_flows_at_each_node_sum_to_zero(geared, tree):
    for result in (geared, tree):
        for model in (part for part in result.model.walk() if part.is_model):
            for node in nodes_of(model):
                flows = [
                    (-1.0 if port.owner is model else 1.0) * flow(result, port)
                    for port in node
                ]
                close(np.sum(flows, axis=0), 0.0, 5e-14 * max(1.0, np.abs(flows).max()))


def flow(result: mk.Result, port: Port) -> np.ndarray:
    """Return what flows into a part at its port: force and torque, or the flange's force."""
    if port.kind is PortKind.FRAME:
        return np.hstack(in_world(result, port))
    letter = "tau" if port.kind is PortKind.ROTATIONAL else "f"
    return result[f"{port.path}.{letter}"]


def test_flange_forces_are_not_all_zero(geared):
    for name in ("hinge.support.tau", "drive.shaft.tau", "drive.base.tau", "wall.flange.f"):
        assert np.abs(geared[name]).max() > 0.05, name


def test_a_joint_passes_its_drive_along_its_axis(geared):
    # the part of the cut torque (force) along the axis is what the flange gives
    n = np.array([0.2, 0, 1]) / np.hypot(0.2, 1)
    close(geared["hinge.frame_b.t"] @ n, -geared["hinge.tau"], 1e-13)
    n = np.array([1, 1, 0]) / np.sqrt(2)
    close(geared["slider.frame_b.f"] @ n, -geared["slider.f"], 1e-13)
    close(geared["hinge.tau"], geared["hinge.axis.tau"], 0.0)
